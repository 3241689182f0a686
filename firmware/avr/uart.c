/* The serial line: 250,000 baud, 8N1, with a ring buffer for each direction. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "chip.h"
#include "facts.h"

#define SAMPLES 16 /* per bit, without U2X: exact here, and less sensitive to noise than 8 */
#define LISTENING (1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0)
#if F_CPU % (SAMPLES * SERIAL_BAUD) != 0
#error "This clock cannot make the baud rate exactly."
#endif

void serial_start(void)
{
    UCSR0A = 0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UBRR0 = F_CPU / (SAMPLES * SERIAL_BAUD) - 1;
    UCSR0B = LISTENING;
}

static uint8_t after(uint8_t out)
{
    return (uint8_t)(out + 1 < SERIAL_OUT ? out + 1 : 0);
}

ISR(USART_RX_vect)
{
    struct serial *serial = &chip.serial;
    bool overrun = UCSR0A & 1 << DOR0; /* must be read before the byte */
    uint8_t byte = UDR0;
    uint8_t head = serial->in_head;
    if (overrun)
        serial->lost++;
    if ((uint8_t)(head + 1) == serial->in_tail) {
        serial->lost++;
    } else {
        serial->in[head] = byte;
        serial->in_head = (uint8_t)(head + 1);
    }
    chip.stirred = true;
}

bool port_receive(struct port *port, uint8_t *byte)
{
    struct serial *serial = &port->serial;
    uint8_t tail = serial->in_tail;
    if (tail == serial->in_head)
        return false;
    *byte = serial->in[tail];
    serial->in_tail = (uint8_t)(tail + 1);
    return true;
}

uint8_t port_lost(struct port *port)
{
    return port->serial.lost;
}

ISR(USART_UDRE_vect)
{
    struct serial *serial = &chip.serial;
    uint8_t tail = serial->out_tail;
    UDR0 = serial->out[tail];
    serial->out_tail = tail = after(tail);
    if (tail == serial->out_head) {
        UCSR0B = LISTENING;
        chip.stirred = true;
    }
}

uint8_t port_room(const struct port *port)
{
    uint8_t head = port->serial.out_head, tail = port->serial.out_tail;
    return (uint8_t)((tail > head ? 0 : SERIAL_OUT) + tail - head - 1);
}

void port_send(struct port *port, const uint8_t *bytes, uint8_t count)
{
    struct serial *serial = &port->serial;
    uint8_t head = serial->out_head;
    if (count == 0)
        return;
    while (count-- > 0) {
        serial->out[head] = *bytes++;
        head = after(head);
    }
    serial->out_head = head;
    UCSR0B = LISTENING | 1 << UDRIE0;
}

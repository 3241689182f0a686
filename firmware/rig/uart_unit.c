#include "uart_unit.h"

#include <string.h>

#include "registers.h"

#define BIT (CPU_HZ / 250000U) /* cycles for a bit on the line */
#define BYTE (10 * BIT)
#define CHECK (BIT / 2)              /* cycles until a start bit is confirmed */
#define WHOLE (BYTE - BIT / 2)       /* a byte is complete in the middle of its stop bit */

static uint8_t *flags(struct uart_unit *uart)
{
    return &uart->cpu->avr->data[UCSR0A];
}

static bool enabled(const struct uart_unit *uart, uint8_t bit)
{
    return uart->cpu->avr->data[UCSR0B] & bit;
}

/* True if the program has set the line's rate and 8 bits. Otherwise no byte is received or sent. */
static bool in_step(const struct uart_unit *uart)
{
    const uint8_t *data = uart->cpu->avr->data;
    unsigned divisor = 1U + (unsigned)(data[UBRR0H] << 8 | data[UBRR0L]);
    return divisor * (data[UCSR0A] & U2X0 ? 8 : 16) == BIT && data[UCSR0C] == UCSZ0_8BIT;
}

static void plan(struct uart_unit *uart)
{
    cycles in = uart->line == UART_IDLE ? CPU_NEVER : uart->line_due;
    cycles out = uart->sends ? uart->out_due : CPU_NEVER;
    cpu_schedule(uart->cpu, &uart->unit, in < out ? in : out);
}

/* In */

static void begin_next(struct uart_unit *uart)
{
    cycles now = uart->cpu->avr->cycle;
    cycles begin = now > uart->line_free ? now : uart->line_free;
    uart->line = uart->to_chip.count > 0 ? UART_BEGINS : UART_IDLE;
    uart->line_due = begin + CHECK;
}

static void receive(struct uart_unit *uart, uint8_t byte)
{
    if (!enabled(uart, RXEN0) || !in_step(uart))
        return;
    if (uart->buffered < UART_BUFFER) {
        uart->buffer[uart->buffered++] = byte;
        cpu_raise(uart->cpu, USART_RX_VECTOR);
    } else {
        uart->shifted = byte;
        uart->shifted_waits = true;
    }
}

static void line_goes_on(struct uart_unit *uart)
{
    uint8_t byte;
    if (uart->line == UART_BEGINS) {
        if (uart->shifted_waits) {
            uart->shifted_waits = false;
            uart->overruns++;
            *flags(uart) |= DOR0;
        }
        uart->line = UART_COMES;
        uart->line_due += WHOLE - CHECK;
    } else {
        uart->line_free = uart->line_due + BYTE - WHOLE;
        queue_take(&uart->to_chip, &byte, 1);
        receive(uart, byte);
        begin_next(uart);
    }
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t address, void *self)
{
    struct uart_unit *uart = self;
    (void)address;
    uint8_t byte = uart->buffer[0];
    *flags(uart) &= (uint8_t)~DOR0;
    if (uart->buffered == 0)
        return 0;
    uart->buffered--;
    memmove(uart->buffer, uart->buffer + 1, uart->buffered);
    if (uart->shifted_waits) {
        uart->shifted_waits = false;
        uart->buffer[uart->buffered++] = uart->shifted;
    }
    if (uart->buffered > 0) {
        cpu_raise(uart->cpu, USART_RX_VECTOR);
    } else {
        cpu_clear(uart->cpu, USART_RX_VECTOR);
        avr->data[UCSR0A] &= (uint8_t)~RXC0;
    }
    return byte;
}

/* Out */

static void send(struct uart_unit *uart, uint8_t byte)
{
    uart->out = byte;
    uart->sends = true;
    uart->out_due = uart->cpu->avr->cycle + BYTE;
    cpu_raise(uart->cpu, USART_UDRE_VECTOR);
}

static void sent(struct uart_unit *uart)
{
    if (uart->plugged && in_step(uart)) {
        queue_put(&uart->from_chip, &uart->out, 1);
        if (uart->out == 0)
            uart->cpu->stop = true;
    }
    uart->sends = false;
    if (uart->out_waits) {
        uart->out_waits = false;
        send(uart, uart->out_next);
    } else {
        *flags(uart) |= TXC0;
    }
}

static void write_data(avr_t *avr, avr_io_addr_t address, uint8_t value, void *self)
{
    struct uart_unit *uart = self;
    (void)avr, (void)address;
    if (!enabled(uart, TXEN0) || uart->out_waits)
        return;
    if (uart->sends) {
        uart->out_next = value;
        uart->out_waits = true;
        cpu_clear(uart->cpu, USART_UDRE_VECTOR);
        *flags(uart) &= (uint8_t)~UDRE0;
    } else {
        send(uart, value);
    }
    plan(uart);
}

/* Control */

static void write_flags(avr_t *avr, avr_io_addr_t address, uint8_t value, void *self)
{
    (void)self;
    uint8_t kept = (uint8_t)(avr->data[address] & ~(U2X0 | (value & TXC0)));
    avr->data[address] = (uint8_t)(kept | (value & U2X0));
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *self)
{
    struct uart_unit *uart = self;
    avr->data[address] = value;
    if (!(value & RXEN0)) {
        uart->buffered = 0;
        uart->shifted_waits = false;
        *flags(uart) &= (uint8_t)~RXC0;
    }
    if (value & RXCIE0 && *flags(uart) & RXC0)
        cpu_raise(uart->cpu, USART_RX_VECTOR);
    if (value & UDRIE0 && *flags(uart) & UDRE0)
        cpu_raise(uart->cpu, USART_UDRE_VECTOR);
}

static void act(void *self)
{
    struct uart_unit *uart = self;
    cycles now = uart->cpu->avr->cycle;
    if (uart->line != UART_IDLE && uart->line_due <= now)
        line_goes_on(uart);
    if (uart->sends && uart->out_due <= now)
        sent(uart);
    plan(uart);
}

/* Reset: bytes on the line continue, those in the chip are lost. */
static void reset(void *self, bool power)
{
    struct uart_unit *uart = self;
    (void)power;
    uart->buffered = 0;
    uart->shifted_waits = uart->sends = uart->out_waits = false;
    *flags(uart) = UDRE0;
    uart->cpu->avr->data[UCSR0B] = 0;
    uart->cpu->avr->data[UCSR0C] = UCSZ0_8BIT;
    plan(uart);
}

void uart_unit_start(struct uart_unit *uart, struct cpu *cpu)
{
    uart->cpu = cpu;
    uart->plugged = true;
    uart->unit = (struct unit){.act = act, .reset = reset, .self = uart};
    cpu_attach(cpu, &uart->unit);
    cpu_on_write(cpu, UCSR0A, write_flags, uart);
    cpu_on_read(cpu, UCSR0A, NULL, NULL);
    cpu_on_write(cpu, UCSR0B, write_control, uart);
    cpu_on_write(cpu, UCSR0C, NULL, NULL);
    cpu_on_write(cpu, UBRR0L, NULL, NULL);
    cpu_on_write(cpu, UBRR0H, NULL, NULL);
    cpu_on_write(cpu, UDR0, write_data, uart);
    cpu_on_read(cpu, UDR0, read_data, uart);
}

void uart_unit_free(struct uart_unit *uart)
{
    queue_free(&uart->to_chip);
    queue_free(&uart->from_chip);
}

void uart_unit_write(struct uart_unit *uart, const uint8_t *bytes, size_t count)
{
    if (!uart->plugged)
        return;
    queue_put(&uart->to_chip, bytes, count);
    if (uart->line == UART_IDLE)
        begin_next(uart);
    plan(uart);
}

size_t uart_unit_read(struct uart_unit *uart, uint8_t *bytes, size_t room)
{
    return queue_take(&uart->from_chip, bytes, room);
}

void uart_unit_plug(struct uart_unit *uart, bool plugged)
{
    uart->plugged = plugged;
    if (!plugged) {
        queue_free(&uart->to_chip);
        uart->line = UART_IDLE;
    }
    plan(uart);
}

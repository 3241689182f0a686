/* A program for the ATmega328P that does what the controller must never do, or what simavr by itself
 * gets wrong: a letter on the serial line says what. Everything is polled. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

#define STRIP (1 << 6)

static void send(uint8_t byte)
{
    while (!(UCSR0A & 1 << UDRE0))
        ;
    UDR0 = byte;
}

static uint8_t receive(void)
{
    while (!(UCSR0A & 1 << RXC0))
        ;
    return UDR0;
}

static void interrupts_off_for_100_us(void)
{
    cli();
    _delay_us(100);
    sei();
}

/* A bit of light, in cycles; setting and clearing a pin takes two. */
#define BIT(HIGH, LOW)                        \
    PORTD |= STRIP;                           \
    __builtin_avr_delay_cycles((HIGH) - 2);   \
    PORTD &= (uint8_t)~STRIP;                 \
    __builtin_avr_delay_cycles((LOW) - 2)
#define ZERO BIT(6, 14)
#define SEVEN ZERO; ZERO; ZERO; ZERO; ZERO; ZERO; ZERO

static void light(void)
{
    SEVEN; SEVEN; SEVEN; ZERO; ZERO; ZERO;
}

static void light_with_a_doubtful_bit(void)
{
    SEVEN; SEVEN; SEVEN; ZERO; ZERO;
    BIT(9, 14); /* 0.5625 us: too long for a zero by 12.5 ns */
}

/* The status of the address, and how long it took in 500 ns. */
static void address_chip(uint8_t address)
{
    TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTA;
    while (!(TWCR & 1 << TWINT))
        ;
    _delay_us(200);
    TWDR = (uint8_t)(address << 1);
    TCNT1 = 0;
    TWCR = 1 << TWINT | 1 << TWEN;
    while (!(TWCR & 1 << TWINT))
        ;
    uint16_t took = TCNT1;
    send(TWSR & 0xF8);
    send((uint8_t)took);
    TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTO;
    while (TWCR & 1 << TWSTO)
        ;
}

/* How long a byte of EEPROM takes, in 128 µs. */
static void write_memory(void)
{
    EEAR = 5;
    EEDR = 0x33;
    TCNT1 = 0;
    EECR = 1 << EEMPE;
    EECR = 1 << EEMPE | 1 << EEPE;
    while (EECR & 1 << EEPE)
        ;
    send((uint8_t)(TCNT1 >> 8));
}

static uint8_t deep(uint8_t depth)
{
    volatile uint8_t frame[32];
    frame[0] = depth;
    uint8_t below = depth == 0 ? 0 : deep((uint8_t)(depth - 1));
    return (uint8_t)(frame[0] + below); /* read last, so that no compiler makes a loop of it */
}

int main(void)
{
    DDRD |= STRIP;
    UBRR0 = 3;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0;
    TWBR = 12;
    TCCR1B = 1 << CS11; /* 500 ns */
    sei();
    for (;;) {
        switch (receive()) {
        case 'i': interrupts_off_for_100_us(); break;
        case 'b': light_with_a_doubtful_bit(); _delay_us(400); break;
        case 'g': light(); _delay_us(100); light(); _delay_us(400); break;
        case 'o': _delay_ms(2); send(UCSR0A & 1 << DOR0); break;
        case 't': address_chip(0x5A); address_chip(0x10); break;
        case 'e': write_memory(); break;
        case 'd': send(deep(20)); break;
        case 'x': __asm__ volatile("cli \n sleep"); break;
        }
    }
}

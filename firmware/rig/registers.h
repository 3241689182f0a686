/* What the rig needs of the ATmega328P: addresses in the data space, bits and interrupt vectors
 * (data sheet, "Register Summary" and "Interrupts"). */
#ifndef REGISTERS_H
#define REGISTERS_H

enum {
    PINC = 0x26, DDRC, PORTC, PIND, DDRD, PORTD,
    EECR = 0x3F, EEDR, EEARL, EEARH,
    MCUSR = 0x54,
    TWBR = 0xB8, TWSR, TWDR = 0xBB, TWCR,
    UCSR0A = 0xC0, UCSR0B, UCSR0C,
    UBRR0L = 0xC4, UBRR0H, UDR0,
    RAM_FIRST = 0x100
};

enum { EERE = 1 << 0, EEPE = 1 << 1, EEMPE = 1 << 2 };
enum { PORF = 1 << 0, EXTRF = 1 << 1, WDRF = 1 << 3 };
enum { TWIE = 1 << 0, TWEN = 1 << 2, TWSTO = 1 << 4, TWSTA = 1 << 5, TWEA = 1 << 6, TWINT = 1 << 7 };
enum { TWPS = 3 };
enum { U2X0 = 1 << 1, DOR0 = 1 << 3, UDRE0 = 1 << 5, TXC0 = 1 << 6, RXC0 = 1 << 7 };
enum { TXEN0 = 1 << 3, RXEN0 = 1 << 4, UDRIE0 = 1 << 5, RXCIE0 = 1 << 7 };
enum { UCSZ0_8BIT = 3 << 1 };

enum { USART_RX_VECTOR = 18, USART_UDRE_VECTOR = 19, TWI_VECTOR = 24 };

#endif

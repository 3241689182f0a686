/* The strip of WS2812: 24 bits for each light (green, red, blue), highest bit first.
 *
 * A bit is a high and a low: 0.4 and 0.85 µs for a zero, 0.8 and 0.45 µs for a one, each within
 * 150 ns. At 16 MHz that is 20 cycles: 6 + 14 (0.375 + 0.875 µs) or 13 + 7 (0.813 + 0.438 µs).
 * Interrupts are off during the 30 µs of one light, and on between two lights, so that no byte of
 * the serial line is lost. This makes the low between two lights longer, which is allowed up to the
 * length that makes the strip latch.
 */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "chip.h"
#include "wiring.h"

#if F_CPU != 16000000UL
#error "The cycles below are counted for 16 MHz."
#endif

#ifdef WIRING_LIGHTS_PORT_D
#define LIGHTS_PORT PORTD
#define LIGHTS_DIRECTION DDRD
#else
#define LIGHTS_PORT PORTC
#define LIGHTS_DIRECTION DDRC
#endif
#define LINE (1 << WIRING_LIGHTS_BIT)

/* The strip latches after a low of 280 µs; 2 clock ticks are more than 1 ms. */
#define REST_TICKS 2

void strip_start(void)
{
    LIGHTS_PORT = (uint8_t)(LIGHTS_PORT & ~LINE);
    LIGHTS_DIRECTION = (uint8_t)(LIGHTS_DIRECTION | LINE);
    chip.strip.rest_ticks = REST_TICKS;
}

static void tell(uint8_t green, uint8_t red, uint8_t blue)
{
    uint8_t high, low, bits = 24;
    cli();
    high = (uint8_t)(LIGHTS_PORT | LINE);
    low = (uint8_t)(LIGHTS_PORT & ~LINE);
    __asm__ volatile(
        "1: out %[port], %[high] \n" /* cycle 0 of 20: up */
        "   rjmp .+0             \n"
        "   rjmp .+0             \n"
        "   sbrs %[green], 7     \n"
        "   out %[port], %[low]  \n" /* 6: down, for a zero */
        "   lsl %[blue]          \n" /* 7, either way */
        "   rol %[red]           \n"
        "   rol %[green]         \n"
        "   rjmp .+0             \n"
        "   dec %[bits]          \n"
        "   out %[port], %[low]  \n" /* 13: down, for a one */
        "   rjmp .+0             \n"
        "   rjmp .+0             \n"
        "   brne 1b              \n" /* 18 and 19 */
        : [green] "+r"(green), [red] "+r"(red), [blue] "+r"(blue), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(LIGHTS_PORT)), [high] "r"(high), [low] "r"(low));
    sei();
}

bool port_lights_ready(const struct port *port)
{
    return port->strip.rest_ticks == 0;
}

void port_show_light(struct port *port, struct colour pulse)
{
    (void)port;
    tell(pulse.green, pulse.red, pulse.blue);
}

void port_show_end(struct port *port)
{
    port->strip.rest_ticks = REST_TICKS;
}

/* The clock: timer 0 causes an interrupt every millisecond. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "chip.h"

#define PRESCALER 64

void clock_start(void)
{
    OCR0A = F_CPU / PRESCALER / 1000 - 1;
    TIMSK0 = 1 << OCIE0A;
    TCCR0A = 1 << WGM01;             /* count from 0 to OCR0A, then again */
    TCCR0B = 1 << CS01 | 1 << CS00;  /* at 1/64 of the chip's clock */
}

ISR(TIMER0_COMPA_vect)
{
    chip.clock.ms++;
    if (chip.strip.rest_ticks > 0)
        chip.strip.rest_ticks--;
    chip.stirred = true;
}

uint32_t clock_ms(void)
{
    uint32_t ms;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        ms = chip.clock.ms;
    }
    return ms;
}

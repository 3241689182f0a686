/* The controller on an ATmega328P at 16 MHz (an Arduino Nano). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "chip.h"
#include "controller.h"

struct port chip;

static uint8_t reset_flags __attribute__((section(".noinit")));

/* The flags stay until they are cleared: the next start is to find only its own. After a reset by the
 * watchdog it runs on, at 16 ms; `main` comes to it within one. */
static void save_reset_flags(void) __attribute__((naked, used, section(".init3")));
static void save_reset_flags(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
}

/* Switching on pulls the other flags up with it. No flag at all: a boot loader has taken them. */
static enum start_cause cause(void)
{
    if (reset_flags & 1 << PORF || reset_flags == 0)
        return START_POWER;
    if (reset_flags & 1 << BORF)
        return START_BROWN_OUT;
    if (reset_flags & 1 << WDRF)
        return START_WATCHDOG;
    return START_RESET_LINE;
}

/* Sleep until an interrupt, unless one has come since `chip.stirred` was cleared: after `sei` the
 * chip carries out one more instruction, so none can slip in between. */
static void sleep_unless_stirred(void)
{
    cli();
    if (!chip.stirred) {
        SMCR = SLEEP_MODE_IDLE | 1 << SE;
        sei();
        sleep_cpu();
        SMCR = 0;
    }
    sei();
}

int main(void)
{
    static struct controller controller;

    clock_start();
    bus_start();
    serial_start();
    strip_start();
    wdt_enable(WDTO_500MS);
    sei();
    controller_start(&controller, &chip, cause(), clock_ms());
    for (;;) {
        wdt_reset();
        chip.stirred = false;
        if (!controller_step(&controller, clock_ms()))
            sleep_unless_stirred();
    }
}

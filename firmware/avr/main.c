/* The controller on an ATmega328P at 16 MHz (an Arduino Nano). */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "chip.h"
#include "controller.h"

struct port chip;

static uint8_t reset_flags __attribute__((section(".noinit")));

/* Save and clear the reset flags: they stay until they are cleared, and the next start must see
 * only its own. After a watchdog reset the watchdog still runs, with a timeout of 16 ms; `main`
 * lengthens it in time. */
static void save_reset_flags(void) __attribute__((naked, used, section(".init3")));
static void save_reset_flags(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
}

/* Power-on also sets the other flags. If no flag is set, a boot loader has cleared them. */
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

/* Sleep until an interrupt, unless one has come since `chip.stirred` was cleared. After `sei` the
 * chip executes one more instruction, so no interrupt can come between `sei` and the sleep. */
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

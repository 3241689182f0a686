#include "pins.h"

#include "registers.h"
#include "wiring.h"

#ifdef WIRING_LIGHTS_PORT_D
#define LIGHTS_PORT PORTD
#else
#define LIGHTS_PORT PORTC
#endif
#ifdef WIRING_TOUCH_CHANGED_PORT_D
#define CHANGED_PIN PIND
#else
#define CHANGED_PIN PINC
#endif
#define CLOCKS_TO_FREE 9
#define IN_A_ROW (1000U * CPU_CYCLES_A_US) /* a later clock begins a new row */

/* The registers of a port have successive addresses: PIN, DDR, PORT. */
enum { DIRECTION = 1, PORT = 2 };

static bool driven(const avr_t *avr, uint16_t pin, unsigned bit, bool high)
{
    const bool level = avr->data[pin + PORT] >> bit & 1;
    return avr->data[pin + DIRECTION] >> bit & 1 && level == high;
}

static void look_at_clock(struct pins *pins)
{
    const avr_t *avr = pins->cpu->avr;
    const bool by_hand = !(avr->data[TWCR] & TWEN);
    const bool low = by_hand && driven(avr, PINC, WIRING_TOUCH_CLOCK_BIT, false);
    if (pins->clock_low && !low) {
        pins->clocks = avr->cycle - pins->clocked < IN_A_ROW ? pins->clocks + 1 : 1;
        pins->clocked = avr->cycle;
        if (pins->clocks == CLOCKS_TO_FREE)
            world_bus_nine_clocks(pins->world);
    }
    pins->clock_low = low;
}

static void write_port(avr_t *avr, avr_io_addr_t address, uint8_t value, void *self)
{
    struct pins *pins = self;
    avr->data[address] = value;
    look_at_clock(pins);
    waveform_level(pins->waveform,
                   driven(avr, LIGHTS_PORT - PORT, WIRING_LIGHTS_BIT, true));
}

static uint8_t outside(struct pins *pins, uint16_t pin)
{
    uint8_t levels = 0xFF;
    const uint64_t now_us = cpu_now_us(pins->cpu);
    world_run(pins->world, now_us);
    if (pin == CHANGED_PIN && world_interrupt(pins->world))
        levels &= (uint8_t)~(1 << WIRING_TOUCH_CHANGED_BIT);
    if (pin == PINC && world_bus_held_until(pins->world) > now_us)
        levels &= (uint8_t)~(1 << WIRING_TOUCH_DATA_BIT);
    return levels;
}

static uint8_t read_pins(avr_t *avr, avr_io_addr_t pin, void *self)
{
    const uint8_t out = avr->data[pin + DIRECTION];
    return (uint8_t)((avr->data[pin + PORT] & out) | (outside(self, pin) & ~out));
}

void pins_start(struct pins *pins, struct cpu *cpu, struct world *world, struct waveform *waveform)
{
    static const uint16_t ports[] = {PINC, PIND};
    *pins = (struct pins){.cpu = cpu, .world = world, .waveform = waveform};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        cpu_on_read(cpu, ports[i], read_pins, pins);
        cpu_on_write(cpu, ports[i] + DIRECTION, write_port, pins);
        cpu_on_write(cpu, ports[i] + PORT, write_port, pins);
    }
}

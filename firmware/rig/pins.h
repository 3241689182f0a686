/* The pins of ports C and D: the strip's line, the touch chips' common interrupt line, and the bus
 * while the program moves its pins by hand. External resistors pull every line up. */
#ifndef PINS_H
#define PINS_H

#include "cpu.h"
#include "waveform.h"
#include "world.h"

struct pins {
    struct cpu *cpu;
    struct world *world;
    struct waveform *waveform;
    unsigned clocks; /* on the bus, by hand, in a row */
    cycles clocked;  /* when the last of them was */
    bool clock_low;
};

void pins_start(struct pins *pins, struct cpu *cpu, struct world *world, struct waveform *waveform);

#endif

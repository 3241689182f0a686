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
    unsigned clocks; /* number of clocks in a row that the program made by hand */
    cycles clocked;  /* time of the last one */
    bool clock_low;
};

void pins_start(struct pins *pins, struct cpu *cpu, struct world *world, struct waveform *waveform);

#endif

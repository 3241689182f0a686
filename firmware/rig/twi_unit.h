/* The chip's two-wire unit, which replaces simavr's. It has the data sheet's statuses (SLA+W is
 * 0x18 or 0x20), writing a one clears TWINT, and a byte takes the time of the selected bus rate. */
#ifndef TWI_UNIT_H
#define TWI_UNIT_H

#include "cpu.h"
#include "world.h"

enum twi_phase {
    TWI_IDLE,
    TWI_START,   /* a start is under way */
    TWI_ADDRESS, /* the address is next, or being sent */
    TWI_WRITE,
    TWI_READ,
    TWI_STOP
};

struct twi_unit {
    struct unit unit;
    struct cpu *cpu;
    struct world *world;
    enum twi_phase phase;
    bool owner;       /* the chip owns the bus: a start would be a repeated start */
    bool start_after; /* a start follows the current stop */
    bool acknowledge; /* whether to acknowledge the byte being read */
};

void twi_unit_start(struct twi_unit *twi, struct cpu *cpu, struct world *world);

#endif

/* The chip's two-wire unit, in place of simavr's: with the data sheet's statuses (SLA+W is 0x18 or
 * 0x20), TWINT cleared by writing a one, and the time that the bus takes at the rate that is set. */
#ifndef TWI_UNIT_H
#define TWI_UNIT_H

#include "cpu.h"
#include "world.h"

enum twi_phase {
    TWI_IDLE,
    TWI_START,   /* a start is under way */
    TWI_ADDRESS, /* the address is next, or under way */
    TWI_WRITE,
    TWI_READ,
    TWI_STOP
};

struct twi_unit {
    struct unit unit;
    struct cpu *cpu;
    struct world *world;
    enum twi_phase phase;
    bool owner;       /* the bus is ours: a start would be a repeated one */
    bool start_after; /* the stop that is under way is followed by a start */
    bool acknowledge; /* the byte that is being read */
};

void twi_unit_start(struct twi_unit *twi, struct cpu *cpu, struct world *world);

#endif

/* The chip's EEPROM, with the 3.4 ms that a byte takes: simavr's is never busy. */
#ifndef EEPROM_UNIT_H
#define EEPROM_UNIT_H

#include "cpu.h"
#include "table.h"

struct eeprom_unit {
    struct unit unit;
    struct cpu *cpu;
    uint8_t bytes[TABLE_MEMORY];
    cycles armed_until; /* a write must begin by then */
    bool busy;
    uint16_t at; /* of the byte under way */
    uint8_t byte;
};

/* `bytes`: NULL for a new one. */
void eeprom_unit_start(struct eeprom_unit *eeprom, struct cpu *cpu, const uint8_t *bytes);

#endif

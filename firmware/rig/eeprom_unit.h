/* The chip's EEPROM, which needs 3.4 ms for a byte. (simavr's EEPROM is never busy.) */
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
    uint16_t at; /* address of the byte being written */
    uint8_t byte;
};

/* `bytes` is the EEPROM's content; NULL for a new one. */
void eeprom_unit_start(struct eeprom_unit *eeprom, struct cpu *cpu, const uint8_t *bytes);

#endif

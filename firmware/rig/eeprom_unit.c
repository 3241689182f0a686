#include "eeprom_unit.h"

#include <string.h>

#include "registers.h"

#define WRITE_CYCLES (3400U * CPU_CYCLES_A_US)
#define ARMED_CYCLES 4U
#define ERASED 0xFF

static uint16_t address_of(const avr_t *avr)
{
    return (uint16_t)((avr->data[EEARH] << 8 | avr->data[EEARL]) % TABLE_MEMORY);
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *self)
{
    struct eeprom_unit *eeprom = self;
    bool armed = avr->cycle <= eeprom->armed_until;
    if (eeprom->busy) {
        value |= EEPE;
    } else if (value & EEPE && armed) {
        eeprom->busy = true;
        eeprom->at = address_of(avr);
        eeprom->byte = avr->data[EEDR];
        cpu_schedule(eeprom->cpu, &eeprom->unit, avr->cycle + WRITE_CYCLES);
    } else {
        value &= (uint8_t)~EEPE;
        if (value & EEMPE)
            eeprom->armed_until = avr->cycle + ARMED_CYCLES;
        if (value & EERE)
            avr->data[EEDR] = eeprom->bytes[address_of(avr)];
    }
    avr->data[address] = value & (uint8_t)~(EERE | EEMPE);
}

static void act(void *self)
{
    struct eeprom_unit *eeprom = self;
    eeprom->bytes[eeprom->at] = eeprom->byte;
    eeprom->busy = false;
    eeprom->cpu->avr->data[EECR] &= (uint8_t)~EEPE;
    cpu_schedule(eeprom->cpu, &eeprom->unit, CPU_NEVER);
}

/* A reset does not stop the writing of a byte. After a loss of power the byte stays erased. */
static void reset(void *self, bool power)
{
    struct eeprom_unit *eeprom = self;
    eeprom->armed_until = 0;
    if (eeprom->busy && power) {
        eeprom->byte = ERASED;
        act(eeprom);
    }
    if (eeprom->busy)
        eeprom->cpu->avr->data[EECR] |= EEPE;
}

void eeprom_unit_start(struct eeprom_unit *eeprom, struct cpu *cpu, const uint8_t *bytes)
{
    eeprom->cpu = cpu;
    eeprom->unit = (struct unit){.act = act, .reset = reset, .self = eeprom};
    if (bytes)
        memcpy(eeprom->bytes, bytes, TABLE_MEMORY);
    else
        memset(eeprom->bytes, ERASED, TABLE_MEMORY);
    cpu_attach(cpu, &eeprom->unit);
    cpu_on_write(cpu, EECR, write_control, eeprom);
}

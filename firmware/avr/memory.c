/* The EEPROM. */
#include <avr/eeprom.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "chip.h"

uint8_t port_memory_read(struct port *port, uint16_t at)
{
    (void)port;
    eeprom_busy_wait(); /* at most 3.4 ms, while a byte is written */
    EEAR = at;
    EECR = 1 << EERE;
    return EEDR;
}

bool port_memory_write(struct port *port, uint16_t at, uint8_t byte)
{
    if (!eeprom_is_ready())
        return false;
    if (port_memory_read(port, at) == byte)
        return true; /* do not write: writing wears it out */
    EEDR = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        EECR = 1 << EEMPE; /* the write must follow within four cycles */
        EECR = 1 << EEMPE | 1 << EEPE;
    }
    return true;
}

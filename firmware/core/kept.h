/* Data in the EEPROM: the settings, and the boot id, which is the number of this start.
 *
 * Power may fail while a byte is written; what was stored before must stay readable.
 *   1. There are two slots for settings. New settings overwrite the older slot, together with a CRC
 *      and a generation number, one more than the other slot's. A slot with a wrong CRC is ignored;
 *      of two good slots, the later generation is used.
 *   2. Boot ids are in a ring of eight records, each with its own check byte. Each start writes the
 *      next record. So the last record stays intact, and a byte is written only at every eighth
 *      start, because an EEPROM wears out.
 * No other byte of the EEPROM is written.
 */
#ifndef KEPT_H
#define KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "crc.h"
#include "port.h"
#include "settings.h"

/* Addresses in the EEPROM. A slot is generation, settings, CRC; a record is boot id, check. */
#define KEPT_SLOT_AT(slot) ((uint16_t)(128 * (slot)))
#define KEPT_SLOTS 2
#define KEPT_SLOT_BYTES (1 + SETTINGS_BYTES + CRC_BYTES)
#define KEPT_RECORD_AT(record) ((uint16_t)(256 + 3 * (record)))
#define KEPT_RECORDS 8
#define KEPT_RECORD_BYTES 3

struct kept {
    uint16_t boot_id;            /* never 0 */
    enum settings_origin origin; /* of the settings in use */
    /* For kept.c alone: */
    uint8_t record;     /* the record of this start's boot id */
    uint8_t record_at;  /* number of its bytes written; the last byte counts twice */
    uint8_t slot;       /* the slot for the next settings */
    uint8_t slot_at;    /* number of its bytes written; KEPT_SLOT_BYTES: done */
    uint8_t generation; /* of the next settings */
    uint32_t crc;       /* over the bytes of the slot written so far */
};

/* Read the stored settings, or else the defaults, into `settings`, and take the next boot id. */
void kept_start(struct kept *kept, struct port *port, struct settings *settings);

/* Let `kept_step` write the settings in use, because the Pi has sent new ones. */
void kept_store(struct kept *kept);

/* Write one due byte, unless the memory is busy. Returns true if a byte was written: the next one may
 * be accepted at once. */
bool kept_step(struct kept *kept, struct port *port, const struct settings *settings);

/* True if this start's boot id is stored. It must not be sent earlier: after a power cut, the next
 * start would use the same id again. */
bool kept_boot_id(const struct kept *kept);

/* True if the settings are completely written. */
bool kept_settings(const struct kept *kept);

#endif

/* Data in the EEPROM: the settings, and the boot id, which is the number of this start.
 *
 * Power may fail while a byte is written; what was stored before must stay readable.
 *   1. Settings have two slots. New ones overwrite the older slot, with a generation (one more than
 *      the other slot's) and a CRC. A slot with a wrong CRC does not count; of two good slots the
 *      later generation does.
 *   2. Boot ids have a ring of eight records, each with its own check. Each start writes the next
 *      record, so the record before it stays, and each byte is written at one start in eight only.
 * No other byte of the memory is written.
 */
#ifndef KEPT_H
#define KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "crc.h"
#include "port.h"
#include "settings.h"

/* Addresses in the memory. A slot is generation, settings, CRC; a record is boot id, check. */
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
    uint8_t record_at;  /* bytes written of it, the last of them twice */
    uint8_t slot;       /* the slot that the next settings go to */
    uint8_t slot_at;    /* bytes written of it; KEPT_SLOT_BYTES: nothing to write */
    uint8_t generation; /* of the next settings */
    uint32_t crc;       /* over the bytes of the slot written so far */
};

/* Read the settings that are kept into `settings`, or the defaults, and take the next boot id. */
void kept_start(struct kept *kept, struct port *port, struct settings *settings);

/* The Pi has stored settings: `kept_step` is to write those in use. */
void kept_store(struct kept *kept);

/* Write one due byte, if the memory is free. */
void kept_step(struct kept *kept, struct port *port, const struct settings *settings);

/* True if this start's boot id is stored. It must not be sent before: after a power cut the next
 * start would take the same id. */
bool kept_boot_id(const struct kept *kept);

/* True if the settings are completely written. */
bool kept_settings(const struct kept *kept);

#endif

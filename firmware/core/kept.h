/* What the EEPROM keeps without power: the settings, and the boot id, which is the number of this start.
 *
 * The power may go while a byte is written. What was kept before that must still be readable.
 * Settings therefore have two slots. A new one is written over the older of the two, with a generation
 * (one more than that of the other slot) and a CRC. A slot whose CRC is wrong does not count; of two
 * good slots the later generation counts.
 * Boot ids have a ring of eight records, each with a check of its own, and each start writes the next
 * record. So the record before it stays, and each byte is written at one start in eight only.
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
    uint8_t record_at;  /* bytes of it that are written, the last of them twice */
    uint8_t slot;       /* the slot that the next settings go to */
    uint8_t slot_at;    /* bytes of it that are written; KEPT_SLOT_BYTES: nothing is to be */
    uint8_t generation; /* of the next settings */
    uint32_t crc;       /* of what is written of the slot so far */
};

/* Read the settings that are kept into `settings`, or the defaults, and take the next boot id. */
void kept_start(struct kept *kept, struct port *port, struct settings *settings);

/* The Pi has stored settings: `kept_step` is to write those in use. */
void kept_store(struct kept *kept);

/* Write one byte of what is due, if the memory takes it now. */
void kept_step(struct kept *kept, struct port *port, const struct settings *settings);

/* Is this start's boot id in the memory? Before that it must not be told: if the power went then, the
 * next start would take the same id. */
bool kept_boot_id(const struct kept *kept);

/* Is there nothing of the settings left to write? */
bool kept_settings(const struct kept *kept);

#endif

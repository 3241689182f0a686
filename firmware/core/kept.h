/* What is kept without power: the settings, and the number of this start, the boot id.
 *
 * Whenever the power goes, what was kept before is still there: the settings have two slots, written
 * in turn, each with a generation and a CRC; boot ids have a ring of records, which also spreads the
 * wear. Nothing outside these is touched.
 */
#ifndef KEPT_H
#define KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "crc.h"
#include "port.h"
#include "settings.h"

/* Where it is in the memory. A slot: generation, settings, CRC. A record: boot id, and a check. */
#define KEPT_SLOT_AT(slot) ((uint16_t)(128 * (slot)))
#define KEPT_SLOTS 2
#define KEPT_SLOT_BYTES (1 + SETTINGS_BYTES + CRC_BYTES)
#define KEPT_RECORD_AT(record) ((uint16_t)(256 + 3 * (record)))
#define KEPT_RECORDS 8
#define KEPT_RECORD_BYTES 3

struct kept {
    uint16_t boot_id;            /* never 0 */
    enum settings_origin origin; /* of the settings in use */
    /* the rest is its own: what is to be written next, and how far that is */
    uint8_t record, record_at;
    uint8_t slot, slot_at, generation;
    uint32_t crc;
};

/* Find the settings that are kept, or the defaults, and take the next boot id. */
void kept_start(struct kept *kept, struct port *port, struct settings *settings);

/* The settings in use have been chosen by somebody: keep them from now on. */
void kept_store(struct kept *kept);

/* Write on: a byte, if one is due. */
void kept_step(struct kept *kept, struct port *port, const struct settings *settings);

/* Is this start's boot id in the memory? Told before, it could be that of the next start too. */
bool kept_boot_id(const struct kept *kept);

/* Have the settings in use been kept, as far as they are to be? */
bool kept_settings(const struct kept *kept);

#endif

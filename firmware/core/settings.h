/* Settings of this table, kept in non-volatile memory. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "pads.h"
#include "port.h"

#define SETTINGS_BYTES (3 * PAD_COUNT + 2)

/* Thresholds are in counts below the baseline, for each pad. */
struct settings {
    uint8_t touch[PAD_COUNT];   /* touched at this load or more: 4 … 120 */
    uint8_t release[PAD_COUNT]; /* released below this load: 1 … touch - 1 */
    uint8_t heavy[PAD_COUNT];   /* not a finger above this load: touch + 4 … 255 */
    uint16_t most_ma;           /* current limit of the lights: 100 … 6500 */
};

enum settings_origin { SETTINGS_STORED = 0, SETTINGS_NEW = 1, SETTINGS_DAMAGED = 2 };

void settings_defaults(struct settings *settings);
void settings_pack(const struct settings *settings, uint8_t bytes[SETTINGS_BYTES]);
void settings_unpack(struct settings *settings, const uint8_t bytes[SETTINGS_BYTES]);

/* Both check packed settings: true if they are in range; true if they equal `settings`. */
bool settings_in_range(const uint8_t bytes[SETTINGS_BYTES]);
bool settings_are(const struct settings *settings, const uint8_t bytes[SETTINGS_BYTES]);

#endif

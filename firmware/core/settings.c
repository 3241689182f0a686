#include "settings.h"

#include <string.h>

/* Where to begin, through 3 mm and a card; a calibration sets each pad. The current leaves half of
 * a supply of 5 V, 4 A to the rest. */
void settings_defaults(struct settings *settings)
{
    memset(settings->touch, 7, PAD_COUNT);
    memset(settings->release, 4, PAD_COUNT);
    memset(settings->heavy, 60, PAD_COUNT);
    settings->most_ma = 2000;
}

bool settings_in_range(const struct settings *settings)
{
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++) {
        uint8_t touch = settings->touch[pad];
        if (touch < 4 || touch > 120)
            return false;
        if (settings->release[pad] < 1 || settings->release[pad] >= touch)
            return false;
        if (settings->heavy[pad] < touch + 4)
            return false;
    }
    return settings->most_ma >= 100 && settings->most_ma <= 6500;
}

void settings_pack(const struct settings *settings, uint8_t bytes[SETTINGS_BYTES])
{
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++) {
        bytes[pad] = settings->touch[pad];
        bytes[PAD_COUNT + pad] = settings->release[pad];
        bytes[2 * PAD_COUNT + pad] = settings->heavy[pad];
    }
    bytes[3 * PAD_COUNT] = (uint8_t)settings->most_ma;
    bytes[3 * PAD_COUNT + 1] = (uint8_t)(settings->most_ma >> 8);
}

void settings_unpack(struct settings *settings, const uint8_t bytes[SETTINGS_BYTES])
{
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++) {
        settings->touch[pad] = bytes[pad];
        settings->release[pad] = bytes[PAD_COUNT + pad];
        settings->heavy[pad] = bytes[2 * PAD_COUNT + pad];
    }
    settings->most_ma = bytes[3 * PAD_COUNT];
    settings->most_ma |= (uint16_t)((uint16_t)bytes[3 * PAD_COUNT + 1] << 8);
}

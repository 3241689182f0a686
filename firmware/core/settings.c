#include "settings.h"

#include <string.h>

void settings_defaults(struct settings *settings)
{
    memset(settings->touch, DEFAULT_TOUCH, PAD_COUNT);
    memset(settings->release, DEFAULT_RELEASE, PAD_COUNT);
    memset(settings->heavy, DEFAULT_HEAVY, PAD_COUNT);
    settings->most_ma = DEFAULT_MA;
}

bool settings_in_range(const struct settings *settings)
{
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++) {
        uint8_t touch = settings->touch[pad];
        if (touch < TOUCH_LEAST || touch > TOUCH_MOST)
            return false;
        if (settings->release[pad] < 1 || settings->release[pad] >= touch)
            return false;
        if (settings->heavy[pad] < touch + HEAVY_ABOVE_TOUCH)
            return false;
    }
    return settings->most_ma >= CURRENT_LEAST_MA && settings->most_ma <= CURRENT_MOST_MA;
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

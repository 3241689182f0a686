#include "settings.h"

#include <string.h>

void settings_defaults(struct settings *settings)
{
    memset(settings->touch, DEFAULT_TOUCH, PAD_COUNT);
    memset(settings->release, DEFAULT_RELEASE, PAD_COUNT);
    memset(settings->heavy, DEFAULT_HEAVY, PAD_COUNT);
    settings->most_ma = DEFAULT_MA;
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

static uint16_t most_ma_of(const uint8_t bytes[SETTINGS_BYTES])
{
    return (uint16_t)(bytes[3 * PAD_COUNT] | (uint16_t)bytes[3 * PAD_COUNT + 1] << 8);
}

void settings_unpack(struct settings *settings, const uint8_t bytes[SETTINGS_BYTES])
{
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++) {
        settings->touch[pad] = bytes[pad];
        settings->release[pad] = bytes[PAD_COUNT + pad];
        settings->heavy[pad] = bytes[2 * PAD_COUNT + pad];
    }
    settings->most_ma = most_ma_of(bytes);
}

bool settings_in_range(const uint8_t bytes[SETTINGS_BYTES])
{
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++) {
        uint8_t touch = bytes[pad], release = bytes[PAD_COUNT + pad];
        if (touch < TOUCH_MIN_COUNTS || touch > TOUCH_MAX_COUNTS)
            return false;
        if (release < 1 || release >= touch)
            return false;
        if (bytes[2 * PAD_COUNT + pad] < touch + HEAVY_ABOVE_TOUCH)
            return false;
    }
    uint16_t most_ma = most_ma_of(bytes);
    return most_ma >= CURRENT_MIN_MA && most_ma <= CURRENT_MAX_MA;
}

bool settings_are(const struct settings *settings, const uint8_t bytes[SETTINGS_BYTES])
{
    return memcmp(settings->touch, bytes, PAD_COUNT) == 0 &&
           memcmp(settings->release, bytes + PAD_COUNT, PAD_COUNT) == 0 &&
           memcmp(settings->heavy, bytes + 2 * PAD_COUNT, PAD_COUNT) == 0 &&
           settings->most_ma == most_ma_of(bytes);
}

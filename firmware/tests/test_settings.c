/* Settings: their range, and their bytes. */
#include <string.h>

#include "check.h"
#include "settings.h"

static bool in_range(const struct settings *settings)
{
    uint8_t bytes[SETTINGS_BYTES];
    settings_pack(settings, bytes);
    return settings_in_range(bytes);
}

static void each_pad_has_its_range(void)
{
    static const struct {
        uint8_t touch, release, heavy;
        bool in_range;
    } rows[] = {
        {4, 1, 8, true},      {4, 3, 255, true},   {120, 119, 124, true}, {120, 1, 255, true},
        {3, 1, 60, false},    {0, 0, 60, false},   {121, 60, 255, false}, {255, 60, 255, false},
        {7, 0, 60, false},    {7, 7, 60, false},   {7, 8, 60, false},     {7, 255, 60, false},
        {7, 4, 10, false},    {7, 4, 0, false},    {120, 60, 123, false}, {7, 6, 11, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned pad = 0; pad < PAD_COUNT; pad++) {
            struct settings settings;
            settings_defaults(&settings);
            settings.touch[pad] = rows[i].touch;
            settings.release[pad] = rows[i].release;
            settings.heavy[pad] = rows[i].heavy;
            check(in_range(&settings) == rows[i].in_range);
        }
}

static void the_current_has_its_range(void)
{
    static const struct {
        uint16_t most_ma;
        bool in_range;
    } rows[] = {{0, false},   {99, false},   {100, true},  {355, true},
                {6500, true}, {6501, false}, {65535, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct settings settings;
        settings_defaults(&settings);
        settings.most_ma = rows[i].most_ma;
        check(in_range(&settings) == rows[i].in_range);
    }
}

static void the_defaults_are_in_range(void)
{
    struct settings settings;
    settings_defaults(&settings);
    check(in_range(&settings));
}

static void what_is_packed_is_unpacked_the_same(void)
{
    uint8_t bytes[SETTINGS_BYTES], again[SETTINGS_BYTES];
    struct settings settings;
    for (unsigned i = 0; i < SETTINGS_BYTES; i++)
        bytes[i] = (uint8_t)(255 - i);
    settings_unpack(&settings, bytes);
    check(settings.touch[30] == 225 && settings.release[0] == 224 && settings.heavy[0] == 193);
    check(settings.most_ma == 162 + 256 * 161);
    settings_pack(&settings, again);
    check(memcmp(bytes, again, SETTINGS_BYTES) == 0);
}

static void settings_are_those_bytes_and_no_others(void)
{
    uint8_t bytes[SETTINGS_BYTES];
    struct settings settings;
    settings_defaults(&settings);
    settings_pack(&settings, bytes);
    check(settings_are(&settings, bytes));
    for (unsigned at = 0; at < SETTINGS_BYTES; at++) {
        bytes[at] ^= 0x10;
        check(!settings_are(&settings, bytes));
        bytes[at] ^= 0x10;
    }
}

int main(void)
{
    each_pad_has_its_range();
    the_current_has_its_range();
    the_defaults_are_in_range();
    what_is_packed_is_unpacked_the_same();
    settings_are_those_bytes_and_no_others();
    return 0;
}

#include "strip.h"

#include <string.h>

static const uint8_t leds[WIRING_LIGHT_COUNT] = WIRING_LIGHTS;

#define FULL_MA 20 /* a channel at 255 (WS2812B) */
#define IDLE_MA 1  /* a light that is dark */

void strip_power(struct strip *strip) { memset(strip->lights, 0, sizeof strip->lights); }

uint32_t strip_current_ma(const struct strip *strip)
{
    uint32_t sum = 0;
    for (size_t at = 0; at < STRIP_BYTES; at++)
        sum += strip->lights[at];
    return WIRING_LIGHT_COUNT * IDLE_MA + sum * FULL_MA / 255;
}

bool strip_overloads(const struct strip *strip)
{
    return strip->ills.supply_ma != 0 && strip_current_ma(strip) > strip->ills.supply_ma;
}

static uint32_t pulse_of(const uint8_t *light)
{
    return (uint32_t)light[1] << 16 | (uint32_t)light[0] << 8 | light[2];
}

static void look(const struct strip *strip, struct shown *shown)
{
    for (size_t light = 0; light < WIRING_LIGHT_COUNT; light++)
        shown->pulses[leds[light]] = pulse_of(&strip->lights[3 * light]);
}

void strip_latch(struct strip *strip, const uint8_t *bytes, size_t count, uint64_t begun_us,
                 uint64_t at_us)
{
    const size_t told = count < STRIP_BYTES ? count - count % 3 : STRIP_BYTES;
    const size_t reached = strip->ills.reach == 0 ? STRIP_BYTES : 3 * strip->ills.reach;
    memcpy(strip->lights, bytes, told < reached ? told : reached);
    if (strip->count == STRIP_KEPT) {
        strip->first = (strip->first + 1) % STRIP_KEPT;
        strip->count--;
    }
    struct shown *shown = &strip->shown[(strip->first + strip->count++) % STRIP_KEPT];
    *shown = (struct shown){.begun_us = begun_us, .at_us = at_us, .whole = told == STRIP_BYTES};
    look(strip, shown);
    strip->frames++;
    const uint32_t current = strip_current_ma(strip);
    if (current > strip->current_worst_ma)
        strip->current_worst_ma = current;
}

bool strip_take(struct strip *strip, struct shown *shown)
{
    if (strip->count == 0)
        return false;
    *shown = strip->shown[strip->first];
    strip->first = (strip->first + 1) % STRIP_KEPT;
    strip->count--;
    return true;
}

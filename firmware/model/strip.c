#include "strip.h"

#include <string.h>

/* The same as linux/layout.c has, which the other tables do not contain. */
static const struct layout wired = {
    .count = WIRING_LIGHT_COUNT, .order = {1, 0, 2}, .first = WIRING_LIGHTS};

#define FULL_MA 20 /* a channel at 255 (WS2812B) */
#define IDLE_MA 1  /* a light that is dark */

#define TABLE_LEDS_OF_ROW 20 /* five cells; the pads' LEDs follow those of the last row */

static const struct layout *layout_of(const struct strip *strip)
{
    return strip->layout == NULL ? &wired : strip->layout;
}

size_t strip_count(const struct strip *strip) { return layout_of(strip)->count; }

void strip_power(struct strip *strip)
{
    memset(strip->lights, 0, sizeof strip->lights);
    memset(strip->past, 0, sizeof strip->past);
    strip->sending = false;
}

void strip_begin(struct strip *strip, uint64_t now_us)
{
    strip->sending = true;
    strip->sending_us = now_us;
}

const struct strip_past *strip_past(const struct strip *strip, unsigned back)
{
    return &strip->past[(strip->newest + STRIP_PAST - back) % STRIP_PAST];
}

uint32_t strip_current_ma(const struct strip *strip)
{
    uint32_t sum = 0;
    for (size_t at = 0; at < 3 * strip_count(strip); at++)
        sum += strip->lights[at];
    return (uint32_t)strip_count(strip) * IDLE_MA + sum * FULL_MA / 255;
}

bool strip_overloads(const struct strip *strip)
{
    return strip->ills.supply_ma != 0 && strip_current_ma(strip) > strip->ills.supply_ma;
}

uint32_t strip_light(const struct strip *strip, size_t light)
{
    const uint8_t *order = layout_of(strip)->order;
    uint32_t pulses = 0;
    for (size_t at = 0; at < 3; at++)
        pulses |= (uint32_t)strip->lights[3 * light + at] << (16 - 8 * order[at]);
    return pulses;
}

/* Add the pulses 0xRRGGBB of the lights that show this LED; return the number of these lights. */
static unsigned add_lights(const struct strip *strip, unsigned led, uint32_t sums[3])
{
    const struct layout *layout = layout_of(strip);
    unsigned count = 0;
    for (size_t light = 0; light < layout->count; light++) {
        const unsigned first = layout->first[light], leds = (unsigned)layout->more[light] << 1 | 1u;
        /* A dark light's `first` is greater than any LED. */
        if (led < first || led > first + 8 || (leds >> (led - first) & 1) == 0)
            continue;
        for (unsigned at = 0; at < 3; at++)
            sums[at] += strip_light(strip, light) >> (16 - 8 * at) & 0xFF;
        count++;
    }
    return count;
}

/* Where several lights show an LED, it has their mean. */
static void look(const struct strip *strip, struct shown *shown)
{
    for (unsigned led = 0; led < TABLE_LEDS; led++) {
        uint32_t sums[3] = {0};
        const unsigned count = add_lights(strip, led, sums);
        for (unsigned at = 0; at < 3 && count > 0; at++)
            shown->pulses[led] |= (sums[at] + count / 2) / count << (16 - 8 * at);
    }
}

/* Let the lights take the first `count` bytes, each light three of them. */
static void take(struct strip *strip, const uint8_t *bytes, size_t count)
{
    const struct strip_ills *ills = &strip->ills;
    const size_t first = ills->enter == 0 ? 0 : ills->enter - 1u;
    const size_t reached = ills->reach == 0 ? strip_count(strip) : ills->reach;
    for (size_t light = first; light < reached && 3 * (light - first) < count; light++) {
        uint8_t *shown = strip->lights + 3 * light;
        memcpy(shown, bytes + 3 * (light - first), 3);
        if (ills->damages != 0 && light >= ills->damages)
            for (unsigned at = 0; at < 3; at++)
                shown[at] ^= (uint8_t)(0x55 + 37 * (3 * light + at));
        if (light + 1 == ills->dark || light + 1 == ills->dead)
            memset(shown, 0, 3);
        if (light + 1 == ills->dead)
            return;
    }
}

static void remember(struct strip *strip, uint64_t begun_us, uint64_t at_us)
{
    const struct layout *layout = layout_of(strip);
    strip->newest = (strip->newest + 1) % STRIP_PAST;
    struct strip_past *past = &strip->past[strip->newest];
    *past = (struct strip_past){.begun_us = begun_us, .at_us = at_us};
    for (size_t light = 0; light < layout->count; light++) {
        const unsigned led = layout->first[light];
        if (led >= TABLE_LEDS)
            continue; /* it stays dark */
        const unsigned row = led / TABLE_LEDS_OF_ROW;
        for (unsigned at = 0; at < 3; at++) {
            const uint8_t pulse = strip->lights[3 * light + at];
            past->ma[row] += (float)pulse * FULL_MA / 255;
            past->switching[row] += pulse > 0 && pulse < 255;
        }
    }
}

void strip_latch(struct strip *strip, const uint8_t *bytes, size_t count, uint64_t begun_us,
                 uint64_t at_us)
{
    const size_t all = 3 * strip_count(strip);
    const size_t told = count < all ? count - count % 3 : all;
    take(strip, bytes, told);
    remember(strip, begun_us, at_us);
    strip->sending = false;
    if (strip->count == STRIP_KEPT) {
        strip->first = (strip->first + 1) % STRIP_KEPT;
        strip->count--;
    }
    struct shown *shown = &strip->shown[(strip->first + strip->count++) % STRIP_KEPT];
    *shown = (struct shown){.begun_us = begun_us, .at_us = at_us, .whole = told == all};
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

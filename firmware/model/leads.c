#include "leads.h"

#include <string.h>

#include "wiring.h"

static const uint8_t wired[CHIP_COUNT][CHANNEL_COUNT] = WIRING_PADS;

void leads_start(struct leads *leads)
{
    memset(leads, 0, sizeof *leads);
    memcpy(leads->to, wired, sizeof leads->to);
    memset(leads->joined, NO_PAD, sizeof leads->joined);
    leads->share = 1;
}

static void part(struct leads *leads, unsigned pad)
{
    const uint8_t other = leads->joined[pad];
    if (other != NO_PAD) {
        leads->joined[other] = NO_PAD;
        leads->shorted[other] = false;
    }
    leads->joined[pad] = NO_PAD;
}

void leads_join(struct leads *leads, unsigned first, unsigned second, bool shorted)
{
    part(leads, first);
    part(leads, second);
    leads->joined[first] = (uint8_t)second;
    leads->joined[second] = (uint8_t)first;
    leads->shorted[first] = leads->shorted[second] = shorted;
}

void leads_swap(struct leads *leads, unsigned first, unsigned second)
{
    for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
        for (unsigned channel = 0; channel < CHANNEL_COUNT; channel++) {
            uint8_t *to = &leads->to[chip][channel];
            if (*to == first)
                *to = (uint8_t)second;
            else if (*to == second)
                *to = (uint8_t)first;
        }
}

void leads_swap_chips(struct leads *leads, unsigned first, unsigned second)
{
    uint8_t kept[CHANNEL_COUNT];
    memcpy(kept, leads->to[first], sizeof kept);
    memcpy(leads->to[first], leads->to[second], sizeof kept);
    memcpy(leads->to[second], kept, sizeof kept);
}

/* Two electrodes joined by dirt act as one of twice the size. A finger on either changes both
 * channels equally, and by half as much. */
float leads_load(const struct leads *leads, const struct loads *loads, unsigned chip,
                 unsigned channel, uint64_t at_us, uint32_t apart_us, unsigned count)
{
    const uint8_t pad = leads->to[chip][channel];
    if (pad == NO_PAD || leads->open[pad])
        return 0;
    float load = loads_mean(loads, pad, at_us, apart_us, count);
    const uint8_t other = leads->joined[pad];
    if (other != NO_PAD)
        load = (load + loads_mean(loads, other, at_us, apart_us, count)) / 2;
    return leads->share * load;
}

float leads_picofarad(const struct leads *leads, unsigned chip, unsigned channel, float own)
{
    const uint8_t pad = leads->to[chip][channel];
    if (pad == NO_PAD)
        return own;
    if (leads->open[pad])
        return LEADS_PIN_PF;
    const uint8_t other = leads->joined[pad];
    if (leads->shorted[pad])
        return LEADS_GROUND_PF; /* a chip grounds every pad that it does not measure */
    if (leads->grounded[pad] || (other != NO_PAD && leads->grounded[other]))
        return LEADS_GROUND_PF;
    return other == NO_PAD ? own : 2 * own;
}

#include "crosstalk.h"

#include <math.h>

#define SWITCHES_HZ (2 * 2000.0F) /* on, and off */
#define DATA_SHARE 0.4F           /* of the charges during a frame that a change of the line hits */
#define LATCH_US 280              /* of silence before a frame is latched */
#define MAX_FRAME_US 10000        /* a frame that takes longer has been broken off */

/* The strip of the edge pads is longer than a row: each counts as a part of one. */
static unsigned row_of(unsigned pad)
{
    static const unsigned rim[] = {0, 2, 2, 4}; /* far, left, right, near */
    return pad < PLACE_COUNT ? pad / 5 : rim[pad - RIM_FIRST];
}

/* Return what the lights showed at this time. */
static const struct strip_past *shown_at(const struct strip *strip, double at_us)
{
    unsigned back = 0;
    while (back + 1 < STRIP_PAST && (double)strip_past(strip, back)->at_us > at_us)
        back++;
    return strip_past(strip, back);
}

static bool is_sending(const struct strip *strip, double at_us)
{
    if (strip->sending && at_us >= (double)strip->sending_us &&
        at_us < (double)(strip->sending_us + MAX_FRAME_US))
        return true;
    for (unsigned back = 0; back < STRIP_PAST; back++) {
        const struct strip_past *past = strip_past(strip, back);
        if (at_us >= (double)past->begun_us && at_us + LATCH_US < (double)past->at_us)
            return true;
    }
    return false;
}

/* Return the change of a row's current by a new frame in this time, in mA. */
static float change_of_frames(const struct strip *strip, unsigned row, double from_us,
                              double until_us)
{
    float change = 0;
    for (unsigned back = 0; back + 1 < STRIP_PAST; back++) {
        const struct strip_past *past = strip_past(strip, back);
        if ((double)past->at_us >= from_us && (double)past->at_us < until_us)
            change += past->ma[row] - strip_past(strip, back + 1)->ma[row];
    }
    return change;
}

static float in_charge(const struct crosstalk *crosstalk, const struct strip *strip, unsigned pad,
                       double at_us, float length_us, struct chance *chance)
{
    const float ground = crosstalk->ground[pad], data = crosstalk->data[pad];
    const unsigned row = row_of(pad);
    float counts = 0;
    if (ground != 0) {
        const float hits = shown_at(strip, at_us)->switching[row] * SWITCHES_HZ * length_us * 1e-6F;
        counts += ground * sqrtf(hits) * chance_normal(chance);
        counts += ground / CROSSTALK_MA *
                  change_of_frames(strip, row, at_us, at_us + (double)length_us);
    }
    if (data != 0 && is_sending(strip, at_us)) {
        const float which = chance_unit(chance);
        counts += which >= DATA_SHARE ? 0 : which < DATA_SHARE / 2 ? data : -data;
    }
    return counts;
}

float crosstalk_mean(const struct crosstalk *crosstalk, const struct strip *strip, unsigned pad,
                     uint64_t at_us, uint32_t apart_us, unsigned count,
                     struct mpr121_model_charging charging, struct chance *chance)
{
    float sum = 0;
    if (strip == NULL || count == 0 || (crosstalk->ground[pad] == 0 && crosstalk->data[pad] == 0))
        return 0;
    for (unsigned back = 0; back < count; back++) {
        const double first_us =
            (double)(at_us - (uint64_t)apart_us * back) + (double)charging.begins_us;
        for (unsigned charge = 0; charge < charging.charges; charge++)
            sum += in_charge(crosstalk, strip, pad, first_us + charge * (double)charging.every_us,
                             charging.every_us / 2, chance);
    }
    return sum / (float)(count * charging.charges);
}

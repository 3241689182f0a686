/* Crosstalk from the lights: the counts that a pad gains or loses in a charge when the current of its
 * row or the level of the data line changes.
 *
 * Only a change within a charge has an effect: a pad is charged from the same ground as its tile. The
 * lights switch each colour on and off by themselves, 2,000 times a second (WS2812B: at least 400;
 * assumed), each at its own moment. A new frame changes the whole current of a row at once. While a
 * frame is on the data line, its level at the end of a charge differs from that at the beginning in
 * 0.4 of all charges (a bit takes 1.25 µs, a charge 1 µs). How long a line rings is left out.
 */
#ifndef CROSSTALK_H
#define CROSSTALK_H

#include <stdint.h>

#include "chance.h"
#include "mpr121_model.h"
#include "pads.h"
#include "strip.h"

struct crosstalk {
    float ground[PAD_COUNT]; /* counts in one charge, if the row's current changes by CROSSTALK_MA */
    float data[PAD_COUNT];   /* counts in one charge, if the data line changes */
};

#define CROSSTALK_MA 20 /* what a colour of a light draws */

/* Return the crosstalk in a value of a pad. The arguments are those of `noise_mean`. */
float crosstalk_mean(const struct crosstalk *crosstalk, const struct strip *strip, unsigned pad,
                     uint64_t at_us, uint32_t apart_us, unsigned count,
                     struct mpr121_model_charging charging, struct chance *chance);

#endif

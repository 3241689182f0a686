/* Noise of a real room: what the mains, chargers, motors, phones and warmth add to the counts of a
 * pad, calculated for the moments at which its channel is charged.
 *
 * Normal noise acts behind all filters. The rest is sampled at each charge: FFI per sample (0x5C),
 * channel by channel from 0. With 10 charges of 1 µs, noise of 50 kHz and its multiples cancels
 * out, 14 % of noise at 125 kHz remains, and noise near a multiple of 1 kHz makes a slow beat. A
 * charger's noise is measured between output and earth (IEC 62684); manufacturers give 40 to 150
 * kHz. One volt on a fingertip is some 7 counts before the filters. Strength at a table, shares and
 * swing are assumed.
 */
#ifndef NOISE_H
#define NOISE_H

#include <stdbool.h>
#include <stdint.h>

#include "chance.h"
#include "mpr121_model.h"
#include "pads.h"

#define NOISE_FINGERTIP 16.0F /* counts: the load for which a pad's figures are given */

/* A pad's share of each noise, which depends on its wire and place. */
struct noise_pad {
    float phase;                         /* of the hum, in turns */
    float hum, common, bursts, warmth;   /* shares of the stated noise */
    float tdma;                          /* the same; the sign is that of the shift in counts */
};

struct noise {
    struct noise_pad pads[PAD_COUNT];
    uint64_t seed;
    float counts; /* of normal noise, behind all filters */
    float hum_counts, hum_hz, hum_third, hum_fifth;
    double common_hz;
    float common_counts, common_swing_hz;
    float bursts_counts, bursts_hz, bursts_us;
    float tdma_counts;
    float warmth_from, warmth_to, warmth_s; /* counts, and the seconds for 63 % of the way */
    uint64_t warmth_us;                     /* when it began */
};

void noise_start(struct noise *noise, uint64_t seed);

/* Let the table become warmer from now on, by this many counts in the end. */
void noise_warm(struct noise *noise, float counts, float seconds, uint64_t now_us);

/* Return the noise that a chip adds to each value, whatever is connected to the channel. */
float noise_of_chip(const struct noise *noise, struct chance *chance);

/* Return the noise in a value of a pad with this `load`: the mean over `count` samples, `apart_us`
 * apart, the last one at `at_us`. In each sample the channel is charged as `charging` says. */
float noise_mean(const struct noise *noise, unsigned pad, float load, uint64_t at_us,
                 uint32_t apart_us, unsigned count, struct mpr121_model_charging charging,
                 struct chance *chance);

#endif

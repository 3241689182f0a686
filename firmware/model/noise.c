#include "noise.h"

#include <math.h>
#include <string.h>

#define TURN 6.283185307179586

/* A frame of GSM has eight slots, of which a phone sends in one: 3GPP TS 45.002. */
#define TDMA_FRAME_US (120000.0 / 26)
#define TDMA_SLOT_US (TDMA_FRAME_US / 8)

/* A charger's frequency swings with the ripple of its mains supply, and changes with its load. */
#define RIPPLE_HZ 100.0
#define WANDER_HZ 0.7

static float between(struct chance *chance, float least, float most)
{
    return least + (most - least) * chance_unit(chance);
}

void noise_start(struct noise *noise, uint64_t seed)
{
    struct chance chance;
    chance_seed(&chance, seed);
    memset(noise, 0, sizeof *noise);
    for (unsigned at = 0; at < PAD_COUNT; at++) {
        struct noise_pad *pad = &noise->pads[at];
        pad->phase = chance_unit(&chance);
        pad->hum = between(&chance, 0.5F, 1);
        pad->common = 0.1F * powf(0.1F, chance_unit(&chance)); /* 1 % to 10 % of a fingertip's */
        pad->bursts = powf(chance_unit(&chance), 3); /* little for most pads, nearly 1 for a few */
        pad->warmth = between(&chance, 0.7F, 1.3F);
        pad->tdma = between(&chance, -0.1F, 0.1F);
    }
    noise->seed = chance_bits(&chance);
}

/* Return the share of a sine's amplitude that remains in the mean over n moments. The moments are
 * `turns_apart` periods apart. */
static double kept(double turns_apart, unsigned n)
{
    const double half = TURN / 2 * turns_apart, below = n * sin(half);
    return fabs(below) < 1e-9 ? 1 : sin(n * half) / below;
}

static double sine(double turns) { return sin(TURN * (turns - floor(turns))); }

/* Return the time in the middle of a sample's charges, in seconds. */
static double middle_s(uint64_t at_us, struct mpr121_model_charging charging)
{
    const float half = charging.every_us * (float)(charging.charges - 1) / 2;
    return ((double)at_us + (double)(charging.begins_us + half)) * 1e-6;
}

static double hum_at(const struct noise *noise, const struct noise_pad *pad, double at_s,
                     struct mpr121_model_charging charging)
{
    const double hz = (double)noise->hum_hz, turns = hz * at_s + (double)pad->phase;
    const double wave = sine(turns) + (double)noise->hum_third * sine(3 * turns) +
                        (double)noise->hum_fifth * sine(5 * turns);
    return (double)(noise->hum_counts * pad->hum) * wave *
           kept(hz * (double)charging.every_us * 1e-6, charging.charges);
}

/* A rectangular wave, approximated by its first two sines. */
static double common_at(const struct noise *noise, double at_s,
                        struct mpr121_model_charging charging)
{
    const double hz = noise->common_hz, swing = (double)noise->common_swing_hz;
    const double apart = hz * (double)charging.every_us * 1e-6;
    const double turns = hz * at_s - swing / TURN * (cos(TURN * RIPPLE_HZ * at_s) / RIPPLE_HZ +
                                                     cos(TURN * WANDER_HZ * at_s) / WANDER_HZ);
    return (double)noise->common_counts *
           (sine(turns) * kept(apart, charging.charges) +
            sine(3 * turns) / 3 * kept(3 * apart, charging.charges));
}

/* Return a random number (0 … 1) for each period of the bursts. */
static double chance_of(uint64_t seed, uint64_t turn)
{
    struct chance chance;
    chance_seed(&chance, seed ^ turn * 0x9E3779B97F4A7C15U);
    return (double)chance_unit(&chance);
}

static bool in_burst(const struct noise *noise, double at_s)
{
    if (noise->bursts_hz == 0)
        return true;
    const double turns = at_s * (double)noise->bursts_hz;
    const double length = (double)(noise->bursts_us * noise->bursts_hz) * 1e-6;
    const double begins = chance_of(noise->seed, (uint64_t)turns) * (1 - length);
    const double since = turns - floor(turns) - begins;
    return since >= 0 && since < length;
}

static bool in_slot(double at_s)
{
    return fmod(at_s * 1e6, TDMA_FRAME_US) < TDMA_SLOT_US;
}

static float warmth_at(const struct noise *noise, uint64_t at_us)
{
    if (noise->warmth_s == 0 || at_us < noise->warmth_us)
        return noise->warmth_from;
    const float since_s = (float)(at_us - noise->warmth_us) * 1e-6F;
    return noise->warmth_to +
           (noise->warmth_from - noise->warmth_to) * expf(-since_s / noise->warmth_s);
}

void noise_warm(struct noise *noise, float counts, float seconds, uint64_t now_us)
{
    const float now = warmth_at(noise, now_us);
    noise->warmth_from = now;
    noise->warmth_to = now + counts;
    noise->warmth_s = seconds;
    noise->warmth_us = now_us;
}

float noise_of_chip(const struct noise *noise, struct chance *chance)
{
    return noise->counts > 0 ? noise->counts * chance_normal(chance) : 0;
}

float noise_mean(const struct noise *noise, unsigned pad, float load, uint64_t at_us,
                 uint32_t apart_us, unsigned count, struct mpr121_model_charging charging,
                 struct chance *chance)
{
    const struct noise_pad *of = &noise->pads[pad];
    const float fingertips = load > 0 ? load / NOISE_FINGERTIP : 0;
    double sum = 0;
    if (noise->hum_counts == 0 && noise->common_counts == 0 && noise->tdma_counts == 0 &&
        noise->bursts_counts == 0)
        count = 0;
    for (unsigned back = 0; back < count; back++) {
        const double at_s = middle_s(at_us - (uint64_t)apart_us * back, charging);
        if (noise->hum_counts != 0)
            sum += hum_at(noise, of, at_s, charging);
        if (noise->common_counts != 0)
            sum += (double)(of->common + fingertips) * common_at(noise, at_s, charging);
        if (noise->tdma_counts != 0 && in_slot(at_s))
            sum += (double)(noise->tdma_counts * (of->tdma + fingertips));
        if (noise->bursts_counts != 0 && in_burst(noise, at_s))
            sum += (double)(noise->bursts_counts * of->bursts * chance_normal(chance));
    }
    if (count > 0)
        sum /= count;
    return (float)sum + of->warmth * warmth_at(noise, at_us);
}

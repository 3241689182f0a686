/* Decides what the bytes of one MPR121 mean. For each channel the chip reports a touch bit, a
 * filtered count (which falls under a finger) and a baseline (the slow average without a finger). A
 * touch bit alone does not prove a finger: drops, sleeves, glasses, chargers and bit errors on the
 * bus also set it.
 *
 * A scan has up to three reads. mpr121.c calls, in this order:
 *   1. For each read `mpr121_possible`, which rejects bits that the chip never sends, and
 *      `mpr121_take_range`.
 *   2. For the second read, which has counts: `mpr121_watch_noise` compares them with the previous
 *      counts, then `mpr121_take_counts` stores them.
 *   3. Then `mpr121_weigh` classifies each channel by its load: faint, heavy, lifted. Before all of
 *      these `mpr121_suspect` counts the values with the load of a touch.
 *   4. For the third read, only if something changed: `mpr121_decide` changes `touched` where all
 *      three reads agree and the counts confirm it.
 */
#include "mpr121_reading.h"

#define STATUS_UNUSED 0x7000
#define RANGE_UNUSED 0x3000
#define MEAN_UNIT 8          /* so that MAX_NIBBLE_COUNTS fit into a mean of one byte */
#define MEAN_READINGS 8      /* 10 ms apart; the mean has a quarter of one reading's noise */
#define MAX_MEAN_COUNTS 7    /* clamp for one reading: counts from the touch threshold (`average`) */
#define SPAN_MS 60           /* a finger comes down in less time */
#define MAX_NIBBLE_COUNTS 15 /* largest number of counts in half a byte */
#define LET_GO_MS 1000       /* time below 3/4 of the heavy threshold that ends `heavy` */
#define CREPT 0xFF           /* value of `before` for a load that came slowly */
#define NOISE_WINDOW 32      /* readings, 10 ms apart while a channel is touched or swings */
#define VALUE_MS 5           /* between readings of two values: one takes 4 ms, by a clock that may be slow */
#define RANGE_READINGS 8     /* equal readings in a row; one or two may be bus errors */

uint16_t mpr121_word(const uint8_t *in)
{
    return (uint16_t)(in[0] | in[1] << 8);
}

static uint16_t filtered_of(const uint8_t *in, uint8_t channel)
{
    return mpr121_word(in + MPR121_FILTERED + 2 * channel);
}

/* Return the load: how far the count is below the baseline. The chip does not report the two lowest
 * bits of the baseline. They count as ones here, so that a touch for the chip is always a touch
 * here, too. */
static int16_t load(uint8_t baseline, uint16_t filtered)
{
    return (int16_t)(baseline * 4 + 3 - (int16_t)filtered);
}

/* The load by the stored counts, and by the counts in `in`. */
static int16_t load_of(const struct mpr121 *chip, uint8_t channel)
{
    return load(chip->baseline[channel], chip->filtered[channel]);
}

static int16_t load_in(const uint8_t *in, uint8_t channel)
{
    return load(in[MPR121_BASELINE + channel], filtered_of(in, channel));
}

bool mpr121_possible(const uint8_t *in, bool counts)
{
    uint8_t high = 0;
    if (counts)
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
            high |= in[MPR121_FILTERED + 2 * channel + 1];
    return (mpr121_word(in) & STATUS_UNUSED) == 0 &&
           (mpr121_word(in + MPR121_OUT_OF_RANGE) & RANGE_UNUSED) == 0 && high < 4;
}

void mpr121_take_counts(struct mpr121 *chip, const uint8_t *in)
{
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        chip->filtered[channel] = filtered_of(in, channel);
        chip->baseline[channel] = in[MPR121_BASELINE + channel];
    }
}

void mpr121_take_range(struct mpr121 *chip, const uint8_t *in)
{
    /* Accept a new set of unreadable channels only after RANGE_READINGS equal readings. */
    uint16_t is = mpr121_word(in + MPR121_OUT_OF_RANGE) & MPR121_CHANNELS;
    if (is != chip->range)
        chip->range_readings = 0;
    else if (chip->range_readings < RANGE_READINGS)
        chip->range_readings++;
    else
        chip->out_of_range = is;
    chip->range = is;
}

bool mpr121_all_measured(const struct mpr121 *chip)
{
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
        if (chip->pads[channel] != NO_PAD && !(chip->range >> channel & 1) &&
            (chip->filtered[channel] == 0 || chip->baseline[channel] == 0))
            return false;
    return true;
}

/* Remember the load before a touch, to tell a finger from a slow drop later. `before` has two half
 * bytes: the least load of the last complete span (high) and of the current span (low). `next` is
 * true when a span of SPAN_MS ends: then the current span becomes the last. So the high half covers
 * a period that began 60 to 120 ms before the touch. */
static void look_back(struct mpr121 *chip, uint8_t channel, bool next)
{
    const int16_t lies = load_of(chip, channel);
    const uint8_t is = (uint8_t)(lies < 0 ? 0 : lies < MAX_NIBBLE_COUNTS ? lies : MAX_NIBBLE_COUNTS);
    uint8_t least = chip->before[channel] >> 4, now = chip->before[channel] & MAX_NIBBLE_COUNTS;
    now = is < now ? is : now;
    if (next) {
        least = now;
        now = is;
    }
    chip->before[channel] = (uint8_t)(least << 4 | now);
}

/* True if the load has risen, since before the touch, by at least the touch threshold minus one. A
 * finger's load arrives at once. Drops arrive one after another, each with a smaller load. */
static bool at_once(const struct mpr121 *chip, uint8_t channel, uint8_t touch)
{
    return load_of(chip, channel) - (chip->before[channel] >> 4) >= touch - 1;
}

/* True if the mean load has risen, since before the touch, by at least the touch threshold. A drop
 * splashes, then contracts, so a rise in one reading is not enough. Up to 3 counts of the load
 * before may come from the hidden bits. (A channel that was faint restarts with a mean below one
 * count.) */
static bool on_average(const struct mpr121 *chip, uint8_t channel)
{
    const int8_t least = (int8_t)((chip->before[channel] >> 4) - 3);
    return least <= 0 || chip->mean[channel] >= MEAN_UNIT * (least - 1);
}

/* Update the mean load of a channel, and whether it is faint: touched for the chip, but with too
 * little load for a finger. This is needed because noise can shift a baseline by five counts, and
 * the chip then reports a touch for ever.
 *   1. Take the load above the touch threshold, with the baseline's hidden bits as zeros: only
 *      what is certain counts.
 *   2. Clamp it to MAX_MEAN_COUNTS, so that one bit error on the bus cannot end a touch. The upper
 *      limit is never below the load before the touch: `on_average` asks for almost so much, and
 *      one low reading must not bring the mean of a good finger below that.
 *   3. While touched, move the mean by 1/MEAN_READINGS of the difference; before the touch, set
 *      the mean to the current load, so that the touch begins with the load that confirmed it.
 *   4. Clear `faint` from zero upwards, and set it below -1 count: the gap is the hysteresis. */
static void average(struct mpr121 *chip, uint8_t channel, uint8_t touch)
{
    const uint16_t bit = (uint16_t)(1U << channel);
    int8_t *mean = &chip->mean[channel];
    const uint8_t before = chip->before[channel] >> 4;
    const int most = before < MAX_MEAN_COUNTS ? MAX_MEAN_COUNTS : before;
    int above = load_of(chip, channel) - 3 - touch;
    above = above < -MAX_MEAN_COUNTS ? -MAX_MEAN_COUNTS : above > most ? most : above;
    if (chip->touched & bit)
        *mean = (int8_t)(*mean + (MEAN_UNIT * above - *mean) / MEAN_READINGS);
    else
        *mean = (int8_t)(above > 0 ? MEAN_UNIT * above : 0);
    if (*mean >= 0)
        chip->faint &= (uint16_t)~bit;
    else if (*mean < -MEAN_UNIT)
        chip->faint |= bit;
}

/* Mark a load that came slowly as heavy. No hand caused it, so `let_go` must not end it. */
static void creep(struct mpr121 *chip, uint8_t channel)
{
    chip->heavy |= (uint16_t)(1U << channel);
    chip->before[channel] = CREPT;
}

/* End `heavy` when a hand has let go of a glass: the load was below three quarters of heavy at
 * every reading for LET_GO_MS.
 *   1. Exclude channels whose load came slowly: they stay heavy until lifted.
 *   2. Restart the time while a heavy channel has that load (`much`) or is noisy, because a swing
 *      could hide its load.
 *   3. When the time is over, end `heavy` for all channels that are not excluded.
 * Times are in units of 8 ms, to fit a byte. */
static void let_go(struct mpr121 *chip, uint16_t much, uint32_t now_ms)
{
    const uint8_t now = (uint8_t)(now_ms / 8);
    uint16_t crept = 0;
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
        if (chip->before[channel] == CREPT)
            crept |= (uint16_t)(1U << channel);
    if (chip->heavy & ~crept & (much | chip->noisy))
        chip->held_ms = now;
    else if ((uint8_t)(now - chip->held_ms) >= LET_GO_MS / 8)
        chip->heavy &= crept;
}

void mpr121_weigh(struct mpr121 *chip, const struct settings *settings, uint32_t now_ms)
{
    /* 1. End the span of `look_back` every SPAN_MS. */
    uint16_t above = 0, below = 0, much = 0;
    const bool next = (uint8_t)(now_ms - chip->span_ms) >= SPAN_MS;
    if (next)
        chip->span_ms = (uint8_t)now_ms;
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        const uint16_t bit = (uint16_t)(1U << channel);
        uint8_t pad = chip->pads[channel];
        if (pad == NO_PAD)
            continue;
        /* 2. Compare the load with the thresholds of the pad. */
        const uint8_t heavy = settings->heavy[pad];
        if (load_of(chip, channel) > heavy)
            above |= bit;
        if (load_of(chip, channel) > heavy - heavy / 4)
            much |= bit;
        if (load_of(chip, channel) < -settings->touch[pad])
            below |= bit;
        /* 3. Update the mean. Before a touch, remember the load; during a touch, check that the
         *    load has risen enough, now or on average. */
        average(chip, channel, settings->touch[pad]);
        const bool felt = chip->touched & ~chip->faint & bit;
        if (!felt)
            look_back(chip, channel, next);
        else if (!at_once(chip, channel, settings->touch[pad]) && !on_average(chip, channel))
            creep(chip, channel);
        /* 4. Two readings in a row above the heavy threshold count as a hand, even if the load came
         *    slowly, so `let_go` may end it. One reading may be a bus error. */
        if (above & chip->was_above & chip->touched & bit) {
            chip->heavy |= bit;
            chip->before[channel] = 0;
        }
    }
    /* 5. End heavy loads. Report a load far below zero in two readings in a row as lifted:
     *    an object that was part of the pad's baseline is gone. */
    let_go(chip, much, now_ms);
    chip->lifted = below & chip->was_below;
    chip->was_above = above;
    chip->was_below = below;
}

void mpr121_forget_noise(struct mpr121 *chip)
{
    chip->noisy = chip->rose = chip->fell = chip->fresh = chip->swung = chip->swung_again = 0;
    chip->window = NOISE_WINDOW;
}

/* Find noisy channels: their counts swing by a touch and back. A finger rises by a touch between
 * two readings, but is never away again at the next reading or the one after. Noise that can begin
 * or hold a touch swings like that all the time.
 *   1. Find the channels whose counts rose or fell by a touch since the last reading.
 *   2. A turn is a rise after a fall, or a fall after a rise, within the last two readings. `rose`
 *      and `fell` keep a swing for one more reading while nothing newer replaces it (`fresh`).
 *   3. Count turns per channel: `swung`, `swung_again`, and the third sets `noisy`. A single one may be a
 *      cloth that passes, or a bus error.
 *   4. At the end of each window, reduce the counts: two or more turns become one, one becomes
 *      none. `noisy` ends when no turns remain and the channel is not touched. */
void mpr121_watch_noise(struct mpr121 *chip, const struct settings *settings, const uint8_t *in)
{
    uint16_t rose = 0, fell = 0;
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        uint8_t pad = chip->pads[channel];
        if (pad == NO_PAD)
            continue;
        int16_t by = (int16_t)(filtered_of(in, channel) - chip->filtered[channel]);
        if (by >= settings->touch[pad])
            rose |= (uint16_t)(1U << channel);
        if (-by >= settings->touch[pad])
            fell |= (uint16_t)(1U << channel);
    }
    /* Update the highest count first, so that one turn advances a channel by only one step. */
    const uint16_t back = (rose & chip->fell) | (fell & chip->rose);
    chip->noisy |= back & chip->swung_again;
    chip->swung_again |= back & chip->swung;
    chip->swung |= back;
    uint16_t kept = (uint16_t)(chip->fresh & ~(rose | fell));
    chip->rose = (uint16_t)(rose | (chip->rose & kept));
    chip->fell = (uint16_t)(fell | (chip->fell & kept));
    chip->fresh = rose | fell;
    if (--chip->window == 0) {
        chip->noisy &= chip->swung | chip->swung_again | chip->touched;
        chip->swung = chip->swung_again;
        chip->swung_again = 0;
        chip->window = NOISE_WINDOW;
    }
}

uint16_t mpr121_suspect(struct mpr121 *chip, const struct settings *settings, const uint8_t *in,
                        uint32_t now_ms)
{
    uint16_t perhaps = 0;
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        const uint8_t pad = chip->pads[channel];
        if (pad != NO_PAD && load_in(in, channel) >= settings->touch[pad])
            perhaps |= (uint16_t)(1U << channel);
    }
    perhaps &= (uint16_t)(chip->first & chip->second & ~chip->touched);
    if (mpr121_value_ms(chip, now_ms) > 0) { /* perhaps no new value: it can only end suspicions */
        chip->perhaps &= perhaps;
        chip->twice &= perhaps;
        return 0;
    }
    const uint16_t proven = perhaps & chip->twice;
    chip->twice = perhaps & chip->perhaps;
    chip->perhaps = perhaps;
    chip->suspected_ms = (uint8_t)now_ms;
    return proven;
}

uint8_t mpr121_value_ms(const struct mpr121 *chip, uint32_t now_ms)
{
    const uint8_t since_ms = (uint8_t)(now_ms - chip->suspected_ms);
    return chip->perhaps == 0 || since_ms >= VALUE_MS ? 0 : (uint8_t)(VALUE_MS - since_ms);
}

void mpr121_forget_suspicion(struct mpr121 *chip) { chip->perhaps = chip->twice = 0; }

void mpr121_decide(struct mpr121 *chip, const struct settings *settings, uint16_t third)
{
    /* 1. A change counts only if all three reads of the scan agree: a bit error is in one read. */
    uint16_t on = chip->first & chip->second & third;
    uint16_t off = (uint16_t) ~(chip->first | chip->second | third);
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        uint16_t bit = (uint16_t)(1U << channel);
        uint8_t pad = chip->pads[channel];
        /* 2. The counts must confirm a touch: reject it if the load is below the release threshold,
         *    or if the channel has no pad. */
        if ((on & bit) && (pad == NO_PAD || load_of(chip, channel) < settings->release[pad]))
            on &= (uint16_t)~bit;
        /* 3. A new touch whose load did not come at once is heavy from its start. */
        if ((on & ~chip->touched & bit) && !at_once(chip, channel, settings->touch[pad]))
            creep(chip, channel);
    }
    /* 4. Apply both changes; where the reads differ, the channel keeps its state. */
    chip->touched = (uint16_t)((chip->touched | on) & ~off & MPR121_CHANNELS);
    chip->heavy &= chip->touched;
    chip->perhaps &= (uint16_t)~chip->touched;
}

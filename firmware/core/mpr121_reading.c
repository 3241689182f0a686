#include "mpr121_reading.h"

#define STATUS_UNUSED 0x7000
#define RANGE_UNUSED 0x3000
#define MEAN_UNIT 16
#define MEAN_READINGS 8  /* 10 ms apart: the noise of a mean is a quarter of a value's */
#define MEAN_MOST 7      /* counts above or below a touch that a value counts for at most */
#define SPAN_MS 60       /* no finger takes longer to come down */
#define LEAST_MOST 15    /* counts: half of a byte */
#define LET_GO_MS 1000   /* what a hand holds is almost heavy more often */
#define CREPT 0xFF       /* in `before`: as if much had lain there, and it is to be remembered */
#define NOISE_WINDOW 32  /* readings, 10 ms apart while there is anything to be seen */
#define RANGE_READINGS 8 /* in a row that tell the same: one, or two, could be the bus */

uint16_t mpr121_word(const uint8_t *in)
{
    return (uint16_t)(in[0] | in[1] << 8);
}

static uint16_t filtered_of(const uint8_t *in, uint8_t channel)
{
    return mpr121_word(in + MPR121_FILTERED + 2 * channel);
}

/* How far the count is below the baseline, of which the chip keeps the two lowest bits to itself:
 * taken as ones, so that what is a touch to the chip is one here. */
static int16_t load_of(const struct mpr121 *chip, uint8_t channel)
{
    return (int16_t)(chip->baseline[channel] * 4 + 3 - (int16_t)chip->filtered[channel]);
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

/* What lay there before it is touched: the least load of the last span that is over. */
static void look_back(struct mpr121 *chip, uint8_t channel, bool next)
{
    const int16_t load = load_of(chip, channel);
    const uint8_t is = (uint8_t)(load < 0 ? 0 : load < LEAST_MOST ? load : LEAST_MOST);
    uint8_t least = chip->before[channel] >> 4, now = chip->before[channel] & LEAST_MOST;
    now = is < now ? is : now;
    if (next) {
        least = now;
        now = is;
    }
    chip->before[channel] = (uint8_t)(least << 4 | now);
}

/* A finger comes at once, drops fall one after another: is it loaded by a touch more than before? It
 * has to begin so, and to stay so on average: a drop splashes, and draws itself together. (What was
 * faint begins again with an average of less than a count, which is none of that.) */
static bool at_once(const struct mpr121 *chip, uint8_t channel, uint8_t touch)
{
    return load_of(chip, channel) - (chip->before[channel] >> 4) >= touch - 1;
}

static bool on_average(const struct mpr121 *chip, uint8_t channel)
{
    const int8_t least = (int8_t)((chip->before[channel] >> 4) - 3); /* of which 3 may be none */
    return least <= 0 || chip->mean[channel] >= MEAN_UNIT * (least - 1);
}

/* A touch begins with the load that bore it out, and from then on is what loads the pad on average:
 * a baseline that noise has carried off by five counts is enough for the chip to hold one. Here
 * the two lowest bits are taken as zeros, for what may be none is none. No value counts for much
 * more than the threshold: a bit that was flipped on the bus must not lift a finger. */
static void average(struct mpr121 *chip, uint8_t channel, uint8_t touch)
{
    const uint16_t bit = (uint16_t)(1U << channel);
    int8_t *mean = &chip->mean[channel];
    int load = load_of(chip, channel) - 3 - touch;
    load = load < -MEAN_MOST ? -MEAN_MOST : load > MEAN_MOST ? MEAN_MOST : load;
    if (chip->touched & bit)
        *mean = (int8_t)(*mean + (MEAN_UNIT * load - *mean) / MEAN_READINGS);
    else
        *mean = (int8_t)(load > 0 ? MEAN_UNIT * load : 0);
    if (*mean >= 0)
        chip->faint &= (uint16_t)~bit;
    else if (*mean < -MEAN_UNIT)
        chip->faint |= bit;
}

/* It came bit by bit: no hand holds it, by which it could be let go of. */
static void creep(struct mpr121 *chip, uint8_t channel)
{
    chip->heavy |= (uint16_t)(1U << channel);
    chip->before[channel] = CREPT;
}

/* A hand lets go of a glass: what was heavy has been loaded by much less for a while, at every
 * reading, and is heavy no more. Not where noise swings, which might make it less; nor what crept. */
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
    uint16_t above = 0, below = 0, much = 0;
    const bool next = (uint8_t)(now_ms - chip->span_ms) >= SPAN_MS;
    if (next)
        chip->span_ms = (uint8_t)now_ms;
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        const uint16_t bit = (uint16_t)(1U << channel);
        uint8_t pad = chip->pads[channel];
        if (pad == NO_PAD)
            continue;
        const uint8_t heavy = settings->heavy[pad];
        if (load_of(chip, channel) > heavy)
            above |= bit;
        if (load_of(chip, channel) > heavy - heavy / 4)
            much |= bit;
        if (load_of(chip, channel) < -settings->touch[pad])
            below |= bit;
        average(chip, channel, settings->touch[pad]);
        const bool felt = chip->touched & ~chip->faint & bit;
        if (!felt)
            look_back(chip, channel, next);
        else if (!at_once(chip, channel, settings->touch[pad]) && !on_average(chip, channel))
            creep(chip, channel);
        if (above & chip->was_above & chip->touched & bit) { /* a hand's, however it came */
            chip->heavy |= bit;
            chip->before[channel] = 0;
        }
    }
    let_go(chip, much, now_ms);
    chip->lifted = below & chip->was_below;
    chip->was_above = above;
    chip->was_below = below;
}

void mpr121_forget_noise(struct mpr121 *chip)
{
    chip->noisy = chip->rose = chip->fell = chip->fresh = chip->once = chip->twice = 0;
    chip->window = NOISE_WINDOW;
}

/* A finger comes, stays, and goes: between two readings its load may rise by a touch, but no finger
 * is away again at the next, or the one after that. Noise that could begin a touch, or hold one, swings so all the time.
 * Three swings back are noise. At the end of each window two or more are remembered as one, and one
 * is forgotten; noise is over when all are, and the chip does not take the pad for touched. (Once may be a cloth that passes, or a bit
 * flipped on the bus.) */
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
    const uint16_t back = (rose & chip->fell) | (fell & chip->rose);
    chip->noisy |= back & chip->twice;
    chip->twice |= back & chip->once;
    chip->once |= back;
    uint16_t kept = (uint16_t)(chip->fresh & ~(rose | fell));
    chip->rose = (uint16_t)(rose | (chip->rose & kept));
    chip->fell = (uint16_t)(fell | (chip->fell & kept));
    chip->fresh = rose | fell;
    if (--chip->window == 0) {
        chip->noisy &= chip->once | chip->twice | chip->touched;
        chip->once = chip->twice;
        chip->twice = 0;
        chip->window = NOISE_WINDOW;
    }
}

void mpr121_decide(struct mpr121 *chip, const struct settings *settings, uint16_t third)
{
    uint16_t on = chip->first & chip->second & third;
    uint16_t off = (uint16_t) ~(chip->first | chip->second | third);
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        uint16_t bit = (uint16_t)(1U << channel);
        uint8_t pad = chip->pads[channel];
        if ((on & bit) && (pad == NO_PAD || load_of(chip, channel) < settings->release[pad]))
            on &= (uint16_t)~bit;
        if ((on & ~chip->touched & bit) && !at_once(chip, channel, settings->touch[pad]))
            creep(chip, channel);
    }
    chip->touched = (uint16_t)((chip->touched | on) & ~off & MPR121_CHANNELS);
    chip->heavy &= chip->touched;
}

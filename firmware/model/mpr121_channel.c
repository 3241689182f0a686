/* One channel of the touch chip: its charge, auto-configuration, touch and baseline. */
#include "mpr121_registers.h"

/* Bits of AUTO_CONTROL, of AUTO_CONTROL_1, and of RANGE_HIGH. */
enum { AUTO_FIRST = 0x01, AUTO_AGAIN = 0x02 };
enum { TELLS_FAILED = 0x01, TELLS_AGAIN_FAILED = 0x02, TELLS_RANGE = 0x04, SAME_TIME = 0x80 };
enum { AUTO_FAILED = 0x80, AUTO_AGAIN_FAILED = 0x40 };

#define FULL_SCALE 1023
#define MAX_CURRENT_UA 63 /* µA */
#define MAX_CHARGE_TIME 7

/* One bit for each channel, in a pair of registers. */

static bool bit_of(const struct mpr121_model *chip, unsigned pair, unsigned channel)
{
    return chip->registers[pair + channel / 8] >> channel % 8 & 1;
}

static void set_bit(struct mpr121_model *chip, unsigned pair, unsigned channel, bool value)
{
    const uint8_t mask = (uint8_t)(1U << channel % 8);
    if (value)
        chip->registers[pair + channel / 8] |= mask;
    else
        chip->registers[pair + channel / 8] &= (uint8_t)~mask;
}

/* Charging: counts = 1024 × I × T / (C × supply). */

static float charge_us(unsigned time) { return 0.25F * (float)(1U << time); }

static unsigned time_of(const struct mpr121_model *chip, unsigned channel)
{
    const unsigned own = chip->registers[CHANNEL_TIME + channel / 2] >> (channel % 2 ? 4 : 0) & 7;
    return own != 0 ? own : chip->registers[TIMING] >> 5;
}

/* A charge is followed by a discharge of the same length. */
struct mpr121_model_charging mpr121_model_charging(const struct mpr121_model *chip,
                                                   unsigned channel)
{
    static const uint8_t charges[] = {6, 10, 18, 34};
    struct mpr121_model_charging charging = {.charges = charges[chip->registers[CURRENT] >> 6]};
    for (unsigned at = 0; at <= channel; at++) {
        charging.begins_us += charging.every_us * (float)charging.charges;
        charging.every_us = 2 * charge_us(time_of(chip, at));
    }
    return charging;
}

static float full_counts(const struct mpr121_model *chip, unsigned channel, float load)
{
    const unsigned own = chip->registers[CHANNEL_CURRENT + channel] & 0x3F;
    const unsigned current = own != 0 ? own : chip->registers[CURRENT] & 0x3F;
    const unsigned time = time_of(chip, channel);
    const float charge = time == 0 ? 0 : (float)current * charge_us(time);
    const float rest = 1024 * charge / (chip->channels[channel].picofarad * SUPPLY_VOLTS);
    return rest * (1 - load / MPR121_MODEL_REST);
}

static uint16_t whole(float counts)
{
    if (!(counts > 0))
        return 0;
    return counts >= FULL_SCALE ? FULL_SCALE : (uint16_t)(counts + 0.5F);
}

/* Auto-configuration: find the shortest charge time with which a current brings the channel to the
 * target, or as close below it as whole microamperes allow. */

static bool in_range(const struct mpr121_model *chip, float counts)
{
    return counts <= 4 * (float)chip->registers[AUTO_UPPER] &&
           counts >= 4 * (float)chip->registers[AUTO_LOWER];
}

static void set_charge(struct mpr121_model *chip, unsigned channel, unsigned current, unsigned time)
{
    uint8_t *times = &chip->registers[CHANNEL_TIME + channel / 2];
    chip->registers[CHANNEL_CURRENT + channel] = (uint8_t)current;
    *times = (uint8_t)(channel % 2 ? (*times & 0x07) | time << 4 : (*times & 0x70) | time);
}

static bool auto_configure(struct mpr121_model *chip, unsigned channel, float load)
{
    const bool same_time = chip->registers[AUTO_CONTROL_1] & SAME_TIME;
    const unsigned given = chip->registers[TIMING] >> 5;
    const float target = 4 * (float)chip->registers[AUTO_TARGET];
    for (unsigned time = same_time ? given : 1; time <= (same_time ? given : MAX_CHARGE_TIME); time++) {
        set_charge(chip, channel, MAX_CURRENT_UA, time);
        const float most = full_counts(chip, channel, load);
        if (!(most >= target))
            continue;
        const unsigned current = (unsigned)(target / most * MAX_CURRENT_UA + 0.01F);
        set_charge(chip, channel, current, time);
        return in_range(chip, full_counts(chip, channel, load));
    }
    return false;
}

static void set_baseline(struct mpr121_model *chip, unsigned channel, uint16_t baseline)
{
    chip->channels[channel].baseline = baseline;
    chip->registers[BASELINE + channel] = (uint8_t)(baseline >> 2);
}

/* Apply AUTO_CONTROL's bits 3:2 to the baseline after success. */
static void adjust_baseline(struct mpr121_model *chip, unsigned channel)
{
    const uint16_t data = chip->channels[channel].data;
    switch (chip->registers[AUTO_CONTROL] >> 2 & 3) {
    case 1: set_baseline(chip, channel, 0); break;
    case 2: set_baseline(chip, channel, data & 0x3F8); break;
    case 3: set_baseline(chip, channel, data); break;
    default: break;
    }
}

static bool configure(struct mpr121_model *chip, unsigned channel, float load, uint8_t failed,
                      uint8_t tells)
{
    const bool success = auto_configure(chip, channel, load);
    set_bit(chip, RANGE_LOW, channel, !success);
    chip->channels[channel].data = whole(full_counts(chip, channel, load));
    if (success) {
        adjust_baseline(chip, channel);
        return true;
    }
    chip->registers[RANGE_HIGH] |= failed;
    if (chip->registers[AUTO_CONTROL_1] & (tells | TELLS_RANGE))
        chip->interrupt = true;
    return false;
}

/* The first sample since Stop mode. */
static void begin_channel(struct mpr121_model *chip, unsigned channel, float load)
{
    struct mpr121_model_channel *state = &chip->channels[channel];
    state->data = whole(full_counts(chip, channel, load));
    state->noise_count = state->delay_count = state->debounce_count = 0;
    if ((chip->registers[AUTO_CONTROL] & AUTO_FIRST) &&
        configure(chip, channel, load, AUTO_FAILED, TELLS_FAILED))
        return;
    switch (chip->registers[ELECTRODES] >> 6) {
    case 2: set_baseline(chip, channel, state->data & 0x3E0); break;
    case 3: set_baseline(chip, channel, state->data); break;
    default: break;
    }
}

/* The third filter. A difference of up to twice the half delta moves the baseline at once. A larger
 * one must last for a number of samples (noise count), then moves the baseline by a step. Only one
 * sample in (delay + 1) counts. */
static void track(struct mpr121_model *chip, unsigned channel, bool touched)
{
    struct mpr121_model_channel *state = &chip->channels[channel];
    const bool rising = state->data > state->baseline;
    const int distance = rising ? state->data - state->baseline : state->baseline - state->data;
    const uint8_t *rule = &chip->registers[touched ? TOUCHED - 1 : rising ? RISING : FALLING];
    if (distance == 0 || rising != state->rising)
        state->noise_count = 0;
    state->rising = rising;
    if (distance == 0 || state->delay_count++ < rule[3])
        return;
    state->delay_count = 0;
    int step = rule[1] & 0x3F;
    if (!touched && distance <= 2 * (rule[0] & 0x3F)) {
        state->noise_count = 0;
        step = distance;
    } else if (state->noise_count < rule[2]) {
        state->noise_count++;
        return;
    }
    step = step < distance ? step : distance;
    set_baseline(chip, channel, (uint16_t)(state->baseline + (rising ? step : -step)));
}

/* Return true if the channel is touched now. */
static bool detect(struct mpr121_model *chip, unsigned channel, bool touched)
{
    struct mpr121_model_channel *state = &chip->channels[channel];
    const uint8_t *threshold = &chip->registers[THRESHOLDS + 2 * channel];
    const int below = state->baseline - state->data;
    const unsigned debounce = chip->registers[DEBOUNCE] >> (touched ? 4 : 0) & 7;
    const bool other = touched ? below < threshold[1] : below > threshold[0];
    if (!other)
        state->debounce_count = 0;
    else if (state->debounce_count++ >= debounce) {
        state->debounce_count = 0;
        return !touched;
    }
    return touched;
}

void mpr121_channel_sample(struct mpr121_model *chip, unsigned channel, float load, bool fresh)
{
    struct mpr121_model_channel *state = &chip->channels[channel];
    const bool touched = bit_of(chip, TOUCH_LOW, channel);
    if (fresh) {
        begin_channel(chip, channel, load);
    } else {
        const float counts = full_counts(chip, channel, load);
        state->data = whole(counts);
        if ((chip->registers[AUTO_CONTROL] & AUTO_AGAIN) && in_range(chip, counts))
            set_bit(chip, RANGE_LOW, channel, false);
        else if (chip->registers[AUTO_CONTROL] & AUTO_AGAIN)
            configure(chip, channel, load, AUTO_AGAIN_FAILED, TELLS_AGAIN_FAILED);
    }
    chip->registers[DATA + 2 * channel] = (uint8_t)state->data;
    chip->registers[DATA + 2 * channel + 1] = (uint8_t)(state->data >> 8);
    const bool now = detect(chip, channel, touched);
    if (now != touched) {
        set_bit(chip, TOUCH_LOW, channel, now);
        chip->interrupt = true;
    }
    if (chip->registers[ELECTRODES] >> 6 != 1)
        track(chip, channel, now);
}

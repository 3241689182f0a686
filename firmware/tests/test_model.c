/* The touch chip's model, by its registers. */
#include <string.h>

#include "check.h"
#include "mpr121_model.h"

#define MS 1000U
#define RUN_ALL 0x8C /* twelve electrodes; the baseline begins at the first value's upper 5 bits */
#define KEEP_ALL 0x4C /* twelve electrodes; the baseline stays as it was written */

struct bench {
    struct mpr121_model chip;
    float loads[MPR121_MODEL_CHANNELS];
    uint64_t now_us;
    uint32_t apart_us; /* what the last sample was a mean of */
    unsigned count;
};

static void feel(void *of, uint64_t at_us, uint32_t apart_us, unsigned count,
                 float loads[MPR121_MODEL_CHANNELS])
{
    struct bench *bench = of;
    (void)at_us;
    bench->apart_us = apart_us;
    bench->count = count;
    memcpy(loads, bench->loads, sizeof bench->loads);
}

static void pass(struct bench *bench, uint64_t us)
{
    bench->now_us += us;
    mpr121_model_run(&bench->chip, bench->now_us);
}

static void put(struct bench *bench, uint8_t at, uint8_t byte)
{
    check(mpr121_model_begin(&bench->chip, false, bench->now_us));
    mpr121_model_write(&bench->chip, at, bench->now_us);
    mpr121_model_write(&bench->chip, byte, bench->now_us);
}

static uint8_t get(struct bench *bench, uint8_t at)
{
    check(mpr121_model_begin(&bench->chip, false, bench->now_us));
    mpr121_model_write(&bench->chip, at, bench->now_us);
    check(mpr121_model_begin(&bench->chip, true, bench->now_us));
    return mpr121_model_read(&bench->chip);
}

static unsigned data(struct bench *bench, unsigned channel)
{
    const uint8_t at = (uint8_t)(0x04 + 2 * channel);
    return get(bench, at) | (unsigned)get(bench, (uint8_t)(at + 1)) << 8;
}

static unsigned baseline(const struct bench *bench, unsigned channel)
{
    return bench->chip.channels[channel].baseline;
}

static void start(struct bench *bench)
{
    memset(bench, 0, sizeof *bench);
    mpr121_model_start(&bench->chip, feel, bench);
}

/* As a table uses it: 6 samples 1 ms apart, one value for debounce, auto-configuration at 3.3 V. */
static void start_configured(struct bench *bench)
{
    start(bench);
    for (uint8_t channel = 0; channel < MPR121_MODEL_CHANNELS; channel++) {
        put(bench, (uint8_t)(0x41 + 2 * channel), 7);
        put(bench, (uint8_t)(0x42 + 2 * channel), 4);
    }
    put(bench, 0x5B, 0x11);
    put(bench, 0x5D, 0x28);
    put(bench, 0x7B, 0x0B);
    put(bench, 0x7D, 201);
    put(bench, 0x7E, 130);
    put(bench, 0x7F, 180);
}

static void start_running(struct bench *bench)
{
    start_configured(bench);
    put(bench, 0x5E, RUN_ALL);
    pass(bench, 6 * MS);
}

static void after_switching_on_the_registers_hold_what_the_data_sheet_says(void)
{
    struct bench bench;
    start(&bench);
    for (unsigned at = 0; at < 0x80; at++)
        check(get(&bench, (uint8_t)at) == (at == 0x5C ? 0x10 : at == 0x5D ? 0x24 : 0));
    check(mpr121_model_next(&bench.chip) == MPR121_MODEL_NEVER);
}

static void addresses_count_on_by_themselves(void)
{
    struct bench bench;
    start(&bench);
    check(mpr121_model_begin(&bench.chip, false, 0));
    for (uint8_t byte = 0x41; byte < 0x46; byte++)
        mpr121_model_write(&bench.chip, byte, 0); /* the first is the address */
    check(get(&bench, 0x41) == 0x42);
    check(mpr121_model_read(&bench.chip) == 0x43);
    check(mpr121_model_read(&bench.chip) == 0x44);
    check(mpr121_model_read(&bench.chip) == 0x45);
    check(mpr121_model_read(&bench.chip) == 0);
}

static void in_run_mode_only_the_electrodes_and_the_pins_can_be_written(void)
{
    struct bench bench;
    start(&bench);
    put(&bench, 0x5E, RUN_ALL);
    for (unsigned at = 0x1E; at < 0x80; at++) {
        const uint8_t before = get(&bench, (uint8_t)at);
        put(&bench, (uint8_t)at, before ^ 0x01);
        const bool written = at == 0x5E || (at >= 0x73 && at <= 0x77);
        const bool acts = at >= 0x78 && at <= 0x7A; /* on 0x75; they hold nothing */
        check(acts || (get(&bench, (uint8_t)at) != before) == written);
    }
    put(&bench, 0x75, 0x0F);
    put(&bench, 0x78, 0x30);
    put(&bench, 0x79, 0x01);
    put(&bench, 0x7A, 0x82);
    check(get(&bench, 0x75) == (((0x0F | 0x30) & ~0x01) ^ 0x82));
}

static void what_only_the_chip_writes_cannot_be_written(void)
{
    struct bench bench;
    start(&bench);
    for (unsigned at = 0; at < 0x1E; at++) {
        put(&bench, (uint8_t)at, 0xFF);
        check(get(&bench, (uint8_t)at) == 0);
    }
}

static void a_soft_reset_forgets_everything_and_takes_a_millisecond(void)
{
    struct bench bench;
    start_running(&bench);
    put(&bench, 0x80, 0x62);
    check(get(&bench, 0x41) == 7);
    put(&bench, 0x80, 0x63);
    check(!mpr121_model_begin(&bench.chip, false, bench.now_us + 999));
    pass(&bench, MS);
    check(get(&bench, 0x5D) == 0x24);
    check(get(&bench, 0x41) == 0);
    check(get(&bench, 0x5E) == 0);
}

static void a_value_comes_every_sfi_times_esi(void)
{
    static const struct {
        const char *row;
        uint8_t timing;
        unsigned samples, apart_ms;
    } rows[] = {{"power-up", 0x24, 4, 16}, {"6 x 1", 0x28, 6, 1}, {"10 x 2", 0x31, 10, 2},
                {"18 x 128", 0x3F, 18, 128}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct bench bench;
        start(&bench);
        const uint64_t interval_us = (uint64_t)rows[row].samples * rows[row].apart_ms * MS;
        put(&bench, 0x5D, rows[row].timing);
        put(&bench, 0x5E, RUN_ALL);
        check_row(rows[row].row, mpr121_model_next(&bench.chip) == interval_us);
        pass(&bench, interval_us - 1);
        check_row(rows[row].row, bench.count == 0);
        pass(&bench, 1);
        check_row(rows[row].row, bench.count == rows[row].samples);
        check_row(rows[row].row, bench.apart_us == rows[row].apart_ms * MS);
        check_row(rows[row].row, mpr121_model_next(&bench.chip) == 2 * interval_us);
    }
}

static void a_touch_takes_as_many_values_as_its_debounce_and_one(void)
{
    for (unsigned debounce = 0; debounce < 8; debounce++) {
        struct bench bench;
        start_configured(&bench);
        put(&bench, 0x5B, (uint8_t)(debounce | (7 - debounce) << 4));
        put(&bench, 0x5E, RUN_ALL);
        pass(&bench, 6 * MS);
        bench.loads[3] = 20;
        pass(&bench, 6 * MS * (debounce + 1) - 1);
        check(mpr121_model_status(&bench.chip) == 0);
        pass(&bench, 1);
        check(mpr121_model_status(&bench.chip) == 1 << 3);
        bench.loads[3] = 0;
        pass(&bench, 6 * MS * (8 - debounce) - 1);
        check(mpr121_model_status(&bench.chip) == 1 << 3);
        pass(&bench, 1);
        check(mpr121_model_status(&bench.chip) == 0);
    }
}

static void one_value_that_falls_back_begins_the_debounce_anew(void)
{
    struct bench bench;
    start_running(&bench);
    for (unsigned times = 0; times < 10; times++) {
        bench.loads[0] = times % 2 == 0 ? 20 : 0;
        pass(&bench, 6 * MS);
        check(mpr121_model_status(&bench.chip) == 0);
    }
}

/* Touch 7, release 4, baseline 720, which stays. */
static void the_thresholds_are_passed_not_reached(void)
{
    static const struct {
        const char *row;
        float first, second;
        uint16_t status;
    } rows[] = {{"at the touch threshold", 7, 7, 0},      {"above it", 8, 8, 1},
                {"held at the release threshold", 8, 4, 1}, {"below it", 8, 3, 0},
                {"never touched between them", 5, 6, 0}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct bench bench;
        start_running(&bench);
        put(&bench, 0x5E, KEEP_ALL);
        bench.loads[0] = rows[row].first;
        pass(&bench, 60 * MS);
        bench.loads[0] = rows[row].second;
        pass(&bench, 60 * MS);
        check_row(rows[row].row, mpr121_model_status(&bench.chip) == rows[row].status);
    }
}

static void electrodes_that_are_not_on_feel_nothing(void)
{
    for (unsigned on = 1; on <= 15; on++) {
        struct bench bench;
        start_configured(&bench);
        put(&bench, 0x5E, (uint8_t)(0x80 | on));
        pass(&bench, 6 * MS);
        for (unsigned channel = 0; channel < MPR121_MODEL_CHANNELS; channel++)
            bench.loads[channel] = 20;
        pass(&bench, 60 * MS);
        const unsigned count = on < MPR121_MODEL_CHANNELS ? on : MPR121_MODEL_CHANNELS;
        check(mpr121_model_status(&bench.chip) == (1U << count) - 1);
    }
}

static void the_interrupt_line_is_low_from_a_change_until_the_status_is_read(void)
{
    struct bench bench;
    start_running(&bench);
    check(!bench.chip.interrupt);
    bench.loads[9] = 20;
    pass(&bench, 12 * MS);
    check(bench.chip.interrupt);
    check(get(&bench, 0x02) == 0);
    check(bench.chip.interrupt);
    check(get(&bench, 0x01) == 1 << 1);
    check(!bench.chip.interrupt);
    pass(&bench, 60 * MS);
    check(!bench.chip.interrupt);
    bench.loads[9] = 0;
    pass(&bench, 12 * MS);
    check(bench.chip.interrupt);
    check(get(&bench, 0x00) == 0);
    check(!bench.chip.interrupt);
}

static void a_weak_charge_feels_little(void)
{
    struct bench bench;
    start(&bench);
    put(&bench, 0x5E, RUN_ALL);
    bench.loads[0] = 0;
    pass(&bench, 64 * MS);
    const unsigned rest = data(&bench, 0);
    check(rest > 100 && rest < 200); /* 16 µA, 0.5 µs */
    bench.loads[0] = 16;
    pass(&bench, 64 * MS);
    check(rest - data(&bench, 0) <= 4);
}

static void auto_configuration_brings_every_channel_to_the_target(void)
{
    struct bench bench;
    start_configured(&bench);
    bench.chip.channels[5].picofarad = 90; /* a long wire: a longer time, within its steps */
    put(&bench, 0x5E, RUN_ALL);
    pass(&bench, 6 * MS);
    for (unsigned channel = 0; channel < MPR121_MODEL_CHANNELS; channel++) {
        const unsigned counts = data(&bench, channel);
        check(channel == 5 ? counts > 700 && counts <= 720 : counts == 720);
        check(baseline(&bench, channel) == (counts & ~7U));
        check(get(&bench, (uint8_t)(0x1E + channel)) == baseline(&bench, channel) / 4);
        check(get(&bench, (uint8_t)(0x5F + channel)) != 0);
    }
    check((get(&bench, 0x6C) & 7) == 2);          /* 1 µs */
    check((get(&bench, 0x6C + 2) >> 4 & 7) == 4); /* 4 µs, for channel 5 */
    check(get(&bench, 0x02) == 0);
    check(get(&bench, 0x03) == 0);
}

static void a_channel_that_cannot_be_configured_is_out_of_range(void)
{
    struct bench bench;
    start_configured(&bench);
    put(&bench, 0x7C, 0x01); /* an interrupt tells it */
    bench.chip.channels[9].picofarad = 1e5F;
    put(&bench, 0x5E, RUN_ALL);
    pass(&bench, 6 * MS);
    check(bench.chip.interrupt);
    check(get(&bench, 0x02) == 0);
    check(get(&bench, 0x03) == (0x80 | 1 << 1));
    pass(&bench, 6 * MS);
    check(get(&bench, 0x03) == (0x80 | 0x40 | 1 << 1)); /* it was tried again */
    /* With 63 µA in 32 µs, which it was left with, 960 pF are in range; 20 can be brought there. */
    static const float mended[] = {960, 20};
    for (unsigned row = 0; row < 2; row++) {
        bench.chip.channels[9].picofarad = 1e5F;
        pass(&bench, 6 * MS);
        check(get(&bench, 0x03) & 1 << 1);
        bench.chip.channels[9].picofarad = mended[row];
        pass(&bench, 6 * MS);
        check((get(&bench, 0x03) & 1 << 1) == 0);
    }
}

static void limits_that_contradict_the_target_leave_every_channel_out_of_range(void)
{
    struct bench bench;
    start_configured(&bench);
    put(&bench, 0x7D, 150);
    put(&bench, 0x5E, RUN_ALL);
    pass(&bench, 6 * MS);
    check(get(&bench, 0x02) == 0xFF);
    check(get(&bench, 0x03) == 0x8F);
}

static void a_channel_that_leaves_the_limits_is_configured_anew_and_forgets_its_touch(void)
{
    struct bench bench;
    start_running(&bench);
    bench.loads[0] = 190; /* 530 counts: within the limits */
    pass(&bench, 60 * MS);
    check(mpr121_model_status(&bench.chip) == 1);
    bench.loads[0] = 210; /* 510: below the lower one, 520 */
    pass(&bench, 60 * MS);
    check(mpr121_model_status(&bench.chip) == 0);
    check(data(&bench, 0) > 690 && data(&bench, 0) <= 720);
    check(get(&bench, 0x02) == 0);
}

/* 0x5E's upper bits, with 0x1E = 100 (400 counts) and a first value of 720 = 0b1011010000. */
static void the_electrodes_register_says_where_the_baseline_begins(void)
{
    static const struct {
        const char *row;
        uint8_t electrodes;
        unsigned baseline, later;
    } rows[] = {{"as written, and follows", 0x0C, 401, 402},
                {"as written, and stays", 0x4C, 400, 400},
                {"upper 5 bits, and follows", 0x8C, 705, 706},
                {"all 10 bits", 0xCC, 720, 720}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct bench bench;
        start_configured(&bench);
        put(&bench, 0x7B, 0);
        put(&bench, 0x5F, 40); /* what auto-configuration would find */
        put(&bench, 0x6C, 2);
        put(&bench, 0x1E, 100);
        put(&bench, 0x2B, 1); /* rising: half delta 1, step 1 */
        put(&bench, 0x2C, 1);
        put(&bench, 0x5E, rows[row].electrodes);
        pass(&bench, 6 * MS);
        check_row(rows[row].row, data(&bench, 0) == 720);
        check_row(rows[row].row, baseline(&bench, 0) == rows[row].baseline);
        pass(&bench, 6 * MS);
        check_row(rows[row].row, baseline(&bench, 0) == rows[row].later);
    }
}

static void auto_configuration_does_to_the_baseline_what_its_bits_say(void)
{
    static const struct {
        const char *row;
        uint8_t control;
        unsigned baseline;
    } rows[] = {{"unchanged: as 0x5E says", 0x01, 400},
                {"cleared", 0x05, 0},
                {"without its lower 3 bits", 0x09, 712},
                {"as it is", 0x0D, 717}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct bench bench;
        start_configured(&bench);
        put(&bench, 0x7B, rows[row].control);
        put(&bench, 0x1E, 100);
        bench.chip.channels[0].picofarad *= 720.0F / 717.0F;
        put(&bench, 0x7E, 100);
        put(&bench, 0x5E, KEEP_ALL);
        pass(&bench, 6 * MS);
        check_row(rows[row].row, data(&bench, 0) == 717);
        check_row(rows[row].row, baseline(&bench, 0) == rows[row].baseline);
    }
}

/* A load that comes and stays, on a baseline of 720; where is the baseline after so many values? */
static void the_baseline_follows_by_its_rules(void)
{
    static const struct {
        const char *row;
        uint8_t half_delta, step, noise_count, delay;
        float load;
        unsigned values, baseline;
    } rows[] = {
        {"a small difference passes at once", 1, 1, 255, 0, 2, 1, 718},
        {"half a delta more does not", 1, 1, 255, 0, 3, 200, 720},
        {"until the count of noise is full", 1, 1, 5, 0, 6, 5, 720},
        {"then it moves step by step", 1, 1, 5, 0, 6, 6, 719},
        {"and on", 1, 1, 5, 0, 6, 8, 717},
        {"until it is near enough to pass", 1, 1, 5, 0, 6, 10, 714},
        {"a greater step", 1, 3, 0, 0, 7, 1, 717},
        {"but never beyond the value", 0, 63, 0, 0, 6, 2, 714},
        {"no step, no move", 0, 0, 0, 0, 6, 100, 720},
        {"a delay of two: every third value", 1, 1, 0, 2, 6, 2, 720},
        {"the third", 1, 1, 0, 2, 6, 3, 719},
        {"the sixth", 1, 1, 0, 2, 6, 6, 718},
        {"rising, too", 1, 1, 2, 0, -6, 4, 722},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct bench bench;
        const uint8_t at = rows[row].load < 0 ? 0x2B : 0x2F;
        start_configured(&bench);
        put(&bench, at, rows[row].half_delta);
        put(&bench, (uint8_t)(at + 1), rows[row].step);
        put(&bench, (uint8_t)(at + 2), rows[row].noise_count);
        put(&bench, (uint8_t)(at + 3), rows[row].delay);
        put(&bench, 0x5E, RUN_ALL);
        pass(&bench, 6 * MS);
        check_row(rows[row].row, baseline(&bench, 0) == 720);
        bench.loads[0] = rows[row].load;
        pass(&bench, 6 * MS * rows[row].values);
        check_row(rows[row].row, baseline(&bench, 0) == rows[row].baseline);
    }
}

static void noise_on_both_sides_moves_no_baseline(void)
{
    struct bench bench;
    start_configured(&bench);
    for (uint8_t at = 0x2B; at <= 0x2F; at = (uint8_t)(at + 4)) {
        put(&bench, at, 1);
        put(&bench, (uint8_t)(at + 1), 1);
        put(&bench, (uint8_t)(at + 2), 3);
    }
    put(&bench, 0x5E, RUN_ALL);
    pass(&bench, 6 * MS);
    for (unsigned times = 0; times < 100; times++) {
        bench.loads[0] = times % 2 == 0 ? 5 : -5;
        pass(&bench, 18 * MS); /* three values: one more would move it */
        check(baseline(&bench, 0) == 720);
    }
}

static void a_touched_channel_follows_the_touched_rules(void)
{
    struct bench bench;
    start_configured(&bench);
    put(&bench, 0x33, 2); /* step */
    put(&bench, 0x34, 3); /* noise count */
    put(&bench, 0x5E, RUN_ALL);
    pass(&bench, 6 * MS);
    bench.loads[0] = 30;
    pass(&bench, 12 * MS); /* touched from the second value on, which is the first of four */
    check(mpr121_model_status(&bench.chip) == 1);
    pass(&bench, 12 * MS);
    check(baseline(&bench, 0) == 720);
    pass(&bench, 6 * MS);
    check(baseline(&bench, 0) == 718);
    pass(&bench, 60 * MS);
    check(baseline(&bench, 0) == 698);
    /* It has eaten most of the touch: what is lifted now was released before. */
    pass(&bench, 60 * MS);
    check(mpr121_model_status(&bench.chip) == 0);
}

static void over_current_stops_it_until_the_flag_is_cleared(void)
{
    struct bench bench;
    start_running(&bench);
    mpr121_model_over_current(&bench.chip);
    check(bench.chip.interrupt);
    check(get(&bench, 0x01) == 0x80);
    check(get(&bench, 0x5E) == 0);
    check(mpr121_model_next(&bench.chip) == MPR121_MODEL_NEVER);
    put(&bench, 0x5E, RUN_ALL);
    check(get(&bench, 0x5E) == 0);
    put(&bench, 0x01, 0x7F);
    check(get(&bench, 0x01) == 0x80);
    put(&bench, 0x01, 0x80);
    check(get(&bench, 0x01) == 0);
    put(&bench, 0x5E, RUN_ALL);
    check(get(&bench, 0x5E) == RUN_ALL);
}

static void after_a_brown_out_it_answers_and_feels_nothing_for_ever(void)
{
    struct bench bench;
    start_running(&bench);
    bench.loads[0] = 20;
    pass(&bench, 60 * MS);
    check(mpr121_model_status(&bench.chip) == 1);
    mpr121_model_brown_out(&bench.chip);
    pass(&bench, 3600 * 1000 * MS);
    check(get(&bench, 0x00) == 0);
    check(get(&bench, 0x5E) == 0);
    check(get(&bench, 0x41) == 0);
    check(!bench.chip.interrupt);
}

static void stopped_and_run_again_it_begins_with_nothing_touched(void)
{
    struct bench bench;
    start_running(&bench);
    bench.loads[0] = 20;
    pass(&bench, 60 * MS);
    put(&bench, 0x5E, 0);
    pass(&bench, 60 * MS);
    check(mpr121_model_status(&bench.chip) == 1);
    put(&bench, 0x5E, RUN_ALL);
    check(mpr121_model_status(&bench.chip) == 0);
    pass(&bench, 60 * MS);
    check(mpr121_model_status(&bench.chip) == 0);
    check(data(&bench, 0) >= 700); /* charged anew with the finger on it */
}

static void it_is_the_same_in_one_leap_as_in_small_steps(void)
{
    struct bench leap, steps;
    start_running(&leap);
    start_running(&steps);
    for (unsigned times = 0; times < 50; times++) {
        leap.loads[times % 12] = steps.loads[times % 12] = (float)(times * 7 % 40);
        pass(&leap, 35 * MS);
        for (unsigned ms = 0; ms < 35; ms++)
            pass(&steps, MS);
        check(memcmp(leap.chip.registers, steps.chip.registers, sizeof leap.chip.registers) == 0);
        check(leap.chip.interrupt == steps.chip.interrupt);
    }
}

int main(void)
{
    after_switching_on_the_registers_hold_what_the_data_sheet_says();
    addresses_count_on_by_themselves();
    in_run_mode_only_the_electrodes_and_the_pins_can_be_written();
    what_only_the_chip_writes_cannot_be_written();
    a_soft_reset_forgets_everything_and_takes_a_millisecond();
    a_value_comes_every_sfi_times_esi();
    a_touch_takes_as_many_values_as_its_debounce_and_one();
    one_value_that_falls_back_begins_the_debounce_anew();
    the_thresholds_are_passed_not_reached();
    electrodes_that_are_not_on_feel_nothing();
    the_interrupt_line_is_low_from_a_change_until_the_status_is_read();
    a_weak_charge_feels_little();
    auto_configuration_brings_every_channel_to_the_target();
    a_channel_that_cannot_be_configured_is_out_of_range();
    limits_that_contradict_the_target_leave_every_channel_out_of_range();
    a_channel_that_leaves_the_limits_is_configured_anew_and_forgets_its_touch();
    the_electrodes_register_says_where_the_baseline_begins();
    auto_configuration_does_to_the_baseline_what_its_bits_say();
    the_baseline_follows_by_its_rules();
    noise_on_both_sides_moves_no_baseline();
    a_touched_channel_follows_the_touched_rules();
    over_current_stops_it_until_the_flag_is_cleared();
    after_a_brown_out_it_answers_and_feels_nothing_for_ever();
    stopped_and_run_again_it_begins_with_nothing_touched();
    it_is_the_same_in_one_leap_as_in_small_steps();
    return 0;
}

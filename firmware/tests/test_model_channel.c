/* The touch chip's model: how a channel is charged, and where its baseline goes. */
#include "model_bench.h"

static unsigned baseline(const struct bench *bench, unsigned channel)
{
    return bench->chip.channels[channel].baseline;
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

int main(void)
{
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
    return 0;
}

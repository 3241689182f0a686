/* The touch chip's model: its registers, its touches and its accidents. */
#include "model_bench.h"

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
    over_current_stops_it_until_the_flag_is_cleared();
    after_a_brown_out_it_answers_and_feels_nothing_for_ever();
    stopped_and_run_again_it_begins_with_nothing_touched();
    it_is_the_same_in_one_leap_as_in_small_steps();
    return 0;
}

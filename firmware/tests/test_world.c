/* The world: what its lines do to the pads, the chips and the bus. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "wiring.h"
#include "world.h"

#define MS 1000U
#define INTERVAL_US (6 * MS)

static const uint8_t wired[CHIP_COUNT][CHANNEL_COUNT] = WIRING_PADS;

static const char *const names[PAD_COUNT] = {
    "A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2", "E2", "A3", "B3", "C3", "D3", "E3", "A4",
    "B4", "C4", "D4", "E4", "A5", "B5", "C5", "D5", "E5", "end-turn", "hourglass", "far", "left",
    "right", "near"};

/* What the hooks were told. */
struct told {
    unsigned orders[5];
    uint16_t at;
    uint8_t byte;
};

static void hook_order(void *table, enum world_order order)
{
    ((struct told *)table)->orders[order]++;
}

static void hook_memory(void *table, uint16_t at, uint8_t byte)
{
    ((struct told *)table)->at = at;
    ((struct told *)table)->byte = byte;
}

static void hook_stats(const void *table, struct world_stats *stats)
{
    (void)table;
    stats->starts = 3;
    stats->bit_worst_ns = UINT64_MAX;
}

static const struct world_hooks hooks = {.order = hook_order, .memory = hook_memory, .stats = hook_stats};
static struct world world; /* one for all: it is large */
static struct told told;
static uint64_t now_us;

static bool ok(const char *line)
{
    const char *answer = world_command(&world, line, now_us);
    check(strncmp(answer, "ok", 2) == 0 || strncmp(answer, "no: ", 4) == 0);
    return answer[0] == 'o';
}

static void pass(uint64_t us)
{
    now_us += us;
    world_run(&world, now_us);
}

static bool put(unsigned chip, uint8_t at, uint8_t byte)
{
    const bool done = world_bus_start(&world, (uint8_t)(0x5A + chip), false, now_us) &&
                      world_bus_write(&world, at, now_us) && world_bus_write(&world, byte, now_us);
    world_bus_stop(&world);
    return done;
}

static uint8_t get(unsigned chip, uint8_t at)
{
    check(world_bus_start(&world, (uint8_t)(0x5A + chip), false, now_us));
    check(world_bus_write(&world, at, now_us));
    check(world_bus_start(&world, (uint8_t)(0x5A + chip), true, now_us));
    const uint8_t byte = world_bus_read(&world, now_us);
    world_bus_stop(&world);
    return byte;
}

static void start(uint64_t seed)
{
    now_us = 0;
    told = (struct told){0};
    world_start(&world, seed, &hooks, &told, 0);
}

/* All three chips charged to 720 counts, their baselines kept there. */
static void start_running(uint64_t seed)
{
    start(seed);
    for (unsigned chip = 0; chip < CHIP_COUNT; chip++) {
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
            put(chip, (uint8_t)(0x41 + 2 * channel), 7);
            put(chip, (uint8_t)(0x42 + 2 * channel), 4);
        }
        put(chip, 0x5D, 0x28);
        put(chip, 0x7B, 0x0D);
        put(chip, 0x7D, 201);
        put(chip, 0x7E, 130);
        put(chip, 0x7F, 180);
        put(chip, 0x5E, 0xCC);
    }
    pass(INTERVAL_US);
    for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
        put(chip, 0x5E, 0x4C);
}

static float load(unsigned pad)
{
    static const struct mpr121_model_charging at_once = {1, 0, 0};
    const float lies_there = loads_mean(&world.loads, pad, now_us, MS, 1);
    return lies_there + noise_mean(&world.noise, pad, lies_there, now_us, MS, 1, at_once,
                                   &world.chips[0].noise);
}

static bool near_to(float value, double wanted) { return fabs((double)value - wanted) < 0.01; }

static void each_pad_loads_the_electrode_that_it_is_wired_to(void)
{
    for (unsigned pad = 0; pad < PAD_COUNT; pad++) {
        char line[64];
        start_running(1);
        snprintf(line, sizeof line, "shape 0 %s 0:16", names[pad]);
        check_row(names[pad], ok(line));
        pass(5 * INTERVAL_US);
        check_row(names[pad], world_interrupt(&world));
        for (unsigned chip = 0; chip < CHIP_COUNT; chip++) {
            unsigned wanted = 0;
            for (unsigned channel = 0; channel < CHANNEL_COUNT; channel++)
                if (wired[chip][channel] == pad)
                    wanted = 1U << channel;
            char answer[32], ask[32];
            snprintf(answer, sizeof answer, "ok 0x%04x", wanted);
            snprintf(ask, sizeof ask, "touched %u", chip);
            check_row(names[pad], strcmp(world_command(&world, ask, now_us), answer) == 0);
        }
    }
}

static void the_next_thing_is_that_of_the_chip_that_is_first(void)
{
    start(1);
    check(world_next(&world) == MPR121_MODEL_NEVER);
    check(put(1, 0x5E, 0x8C)); /* every 64 ms */
    pass(10 * MS);
    check(put(2, 0x5D, 0x28));
    check(put(2, 0x5E, 0x8C)); /* every 6 ms */
    check(world_next(&world) == 16 * MS);
    pass(53 * MS);
    check(world_next(&world) == 64 * MS);
    pass(MS);
    check(world_next(&world) == 70 * MS);
}

static void a_shape_runs_straight_between_its_points_and_then_stays(void)
{
    static const struct {
        unsigned ms;
        double counts;
    } rows[] = {{0, 0}, {5, 10}, {10, 20}, {15, 15}, {20, 10}, {25, 10}, {10000, 10}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        start(1);
        check(ok("shape 3 C4 10:20 20:10"));
        pass(rows[row].ms * MS);
        check(near_to(load(17), rows[row].counts));
        check(near_to(load(16), 0));
    }
}

static void a_shape_begins_at_what_the_layer_loads_now(void)
{
    start(1);
    check(ok("shape 0 A1 100:50"));
    pass(40 * MS);
    check(ok("shape 0 A1 10:0"));
    check(near_to(load(0), 20));
    pass(5 * MS);
    check(near_to(load(0), 10));
    check(ok("shape 0 A1 0:7"));
    check(near_to(load(0), 7));
}

static void layers_add_up_and_are_cleared_alone(void)
{
    start(1);
    check(ok("shape 0 all 0:1.5"));
    check(ok("shape 15 A1 0:-4"));
    check(near_to(load(0), -2.5));
    check(near_to(load(30), 1.5));
    check(ok("clear 0"));
    check(near_to(load(0), -4));
    check(near_to(load(30), 0));
}

static void a_value_is_the_mean_over_the_moments_of_its_samples(void)
{
    start(1);
    check(ok("shape 0 A1 0:0 10:0 10:60"));
    pass(10 * MS);
    check(near_to(loads_mean(&world.loads, 0, now_us, MS, 6), 10)); /* one of six */
    pass(2 * MS);
    check(near_to(loads_mean(&world.loads, 0, now_us, MS, 6), 30));
    pass(3 * MS);
    check(near_to(loads_mean(&world.loads, 0, now_us, MS, 6), 60));
}

static void drift_goes_on_until_told_otherwise_and_what_it_brought_stays(void)
{
    start(1);
    check(ok("drift B1 2.5"));
    pass(4000 * MS);
    check(near_to(load(1), 10));
    check(ok("drift B1 -1"));
    pass(1000 * MS);
    check(near_to(load(1), 9));
    check(ok("drift B1 0"));
    pass(1000 * MS);
    check(near_to(load(1), 9));
    check(near_to(load(0), 0));
}

static void hum_swings_by_its_amplitude_and_each_pad_by_itself(void)
{
    float most = 0;
    unsigned unlike = 0;
    start(1);
    check(ok("hum 8 50"));
    for (unsigned ms = 0; ms < 200; ms++) {
        pass(MS);
        most = fmaxf(most, fabsf(load(5)));
        unlike += fabsf(load(5) - load(6)) > 0.5F;
    }
    check(most > 3.9F && most <= 8);
    check(unlike > 100);
    pass(20 * MS); /* one turn of 50 Hz */
    const float now = load(5);
    pass(20 * MS);
    check(near_to(load(5), (double)now));
}

/* What a pad's filtered value does in a thousand values, against 720. */
static void noise_is_normal(void)
{
    double sum = 0, squares = 0;
    unsigned beyond_two = 0;
    start_running(7);
    check(ok("noise 4"));
    for (unsigned times = 0; times < 4000; times++) {
        pass(INTERVAL_US);
        const int off = get(1, 0x04) + 256 * get(1, 0x05) - 720;
        sum += off;
        squares += off * off;
        beyond_two += off > 8 || off < -8;
    }
    check(fabs(sum / 4000) < 0.3);
    check(fabs(sqrt(squares / 4000) - 4) < 0.25);
    check(beyond_two > 4000 * 0.02 && beyond_two < 4000 * 0.06);
}

static uint64_t noise_of(uint64_t seed, unsigned slice_ms)
{
    uint64_t hash = 0;
    start_running(seed);
    check(ok("noise 3"));
    for (unsigned ms = 0; ms < 600; ms += slice_ms)
        pass(slice_ms * MS);
    for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
        for (uint8_t at = 4; at < 0x1E; at++)
            hash = hash * 31 + get(chip, at);
    return hash;
}

static void the_same_seed_is_the_same_world_however_time_is_cut(void)
{
    check(noise_of(5, 600) == noise_of(5, 1));
    check(noise_of(5, 600) != noise_of(6, 600));
}

static void a_chip_that_does_not_answer_does_so_for_as_many_transfers(void)
{
    start(1);
    check(ok("chip 1 nack 2"));
    check(put(0, 0x41, 1));
    check(!put(1, 0x41, 1));
    check(!put(1, 0x41, 1));
    check(put(1, 0x41, 1));
    check(ok("chip 1 nack -"));
    for (unsigned times = 0; times < 1000; times++)
        check(!put(1, 0x41, 1));
    check(ok("chip 1 nack 0"));
    check(put(1, 0x41, 1));
}

static void nobody_answers_at_another_address(void)
{
    start(1);
    check(!world_bus_start(&world, 0x59, false, now_us));
    check(!world_bus_start(&world, 0x5D, false, now_us));
    check(!world_bus_write(&world, 0, now_us));
    check(world_bus_read(&world, now_us) == 0xFF);
}

static void a_chip_holds_the_line_until_its_time_or_nine_clocks(void)
{
    start(1);
    pass(7 * MS);
    check(world_bus_held_until(&world) <= now_us);
    check(ok("chip 2 hold 30"));
    check(world_bus_held_until(&world) == 37 * MS);
    world_bus_nine_clocks(&world);
    check(world_bus_held_until(&world) <= now_us);
}

static void one_bit_is_wrong_in_so_many_bytes(void)
{
    unsigned seen = 0;
    start(1);
    put(0, 0x41, 0x55);
    check(ok("chip 0 flip 200"));
    for (unsigned times = 0; times < 200; times++) {
        const uint8_t wrong = get(0, 0x41) ^ 0x55;
        check(wrong != 0 && (wrong & (wrong - 1)) == 0);
        seen |= wrong;
    }
    check(seen == 0xFF);
    check(get(0, 0x41) == 0x55);
}

static void brown_out_and_over_current_reach_the_chip_that_is_named(void)
{
    start_running(1);
    check(ok("chip 1 brown-out"));
    check(get(0, 0x41) == 7 && get(1, 0x41) == 0 && get(2, 0x41) == 7);
    check(ok("chip 2 over-current"));
    check(strcmp(world_command(&world, "touched 2", now_us), "ok 0x8000") == 0);
    check(world_interrupt(&world));
}

static void a_power_cut_takes_the_chips_with_it(void)
{
    start_running(1);
    check(ok("chip 0 hold 1000"));
    check(ok("power-cut"));
    check(told.orders[WORLD_POWER_CUT] == 1);
    for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
        check(get(chip, 0x5E) == 0);
    check(world_bus_held_until(&world) <= now_us);
    check(world_next(&world) == MPR121_MODEL_NEVER);
}

static void what_is_the_tables_own_reaches_the_table(void)
{
    start(1);
    check(ok("hang") && ok("reset") && ok(" unplug\r\n") && ok("plug"));
    check(told.orders[WORLD_HANG] == 1 && told.orders[WORLD_RESET] == 1);
    check(told.orders[WORLD_UNPLUG] == 1 && told.orders[WORLD_PLUG] == 1);
    check(told.orders[WORLD_POWER_CUT] == 0);
    check(ok("memory 1023 0xA5"));
    check(told.at == 1023 && told.byte == 0xA5);
    check(strcmp(world_command(&world, "stats", now_us),
                 "ok starts=3 watchdog=0 frames=0 bit_worst_ns=18446744073709551615 gap_worst_us=0 "
                 "off_worst_us=0 awake_us=0 overruns=0 flash=0 ram=0 current_worst_ma=0") == 0);
}

static void a_line_that_is_not_understood_is_refused_and_changes_nothing(void)
{
    static const char *const lines[] = {
        "", "   ", "dance", "hang now", "stats all", "shape", "shape 0 A1", "shape 16 A1 0:1",
        "shape -1 A1 0:1", "shape 0 F1 0:1", "shape 0 A6 0:1", "shape 0 a1 0:1", "shape 0 A1 0",
        "shape 0 A1 0:", "shape 0 A1 :1", "shape 0 A1 0:x", "shape 0 A1 -1:1", "shape 0 A1 nan:1",
        "shape 0 A1 0:inf", "shape 0 A1 0:1e9", "shape 0 A1 1e12:1", "shape 0 A1 0:5 10:5 9:5",
        "clear", "clear 16", "clear 0 1", "noise", "noise -1", "noise 1 2", "hum 1", "hum -1 50",
        "drift A1", "drift Z1 1", "chip", "chip 3 brown-out", "chip 0 brown-out 1", "chip 0 nack",
        "chip 0 nack -1", "chip 0 nack x", "chip 0 hold -", "chip 0 flip", "chip 0 dance",
        "memory 1024 0", "memory 0 256", "memory 0", "touched", "touched 3", "touched x"};
    static struct world before;
    start_running(1);
    check(ok("shape 0 all 0:3"));
    before = world;
    for (size_t line = 0; line < sizeof lines / sizeof *lines; line++) {
        check_row(lines[line], !ok(lines[line]));
        memcpy(world.answer, before.answer, sizeof world.answer);
        check_row(lines[line], memcmp(&world, &before, sizeof world) == 0);
        check_row(lines[line], told.orders[WORLD_HANG] == 0);
    }
}

static void a_shape_has_up_to_32_points_and_a_line_its_length(void)
{
    char line[2000] = "shape 0 A1";
    start(1);
    for (unsigned point = 0; point < LOADS_POINTS; point++)
        strcat(line, " 7:3");
    check(ok(line));
    check(!ok(strcat(line, " 7:3")));
    memset(line, ' ', sizeof line - 1);
    memcpy(line, "clear 0", 7);
    line[sizeof line - 1] = '\0';
    check(!ok(line));
}

int main(void)
{
    each_pad_loads_the_electrode_that_it_is_wired_to();
    the_next_thing_is_that_of_the_chip_that_is_first();
    a_shape_runs_straight_between_its_points_and_then_stays();
    a_shape_begins_at_what_the_layer_loads_now();
    layers_add_up_and_are_cleared_alone();
    a_value_is_the_mean_over_the_moments_of_its_samples();
    drift_goes_on_until_told_otherwise_and_what_it_brought_stays();
    hum_swings_by_its_amplitude_and_each_pad_by_itself();
    noise_is_normal();
    the_same_seed_is_the_same_world_however_time_is_cut();
    a_chip_that_does_not_answer_does_so_for_as_many_transfers();
    nobody_answers_at_another_address();
    a_chip_holds_the_line_until_its_time_or_nine_clocks();
    one_bit_is_wrong_in_so_many_bytes();
    brown_out_and_over_current_reach_the_chip_that_is_named();
    a_power_cut_takes_the_chips_with_it();
    what_is_the_tables_own_reaches_the_table();
    a_line_that_is_not_understood_is_refused_and_changes_nothing();
    a_shape_has_up_to_32_points_and_a_line_its_length();
    return 0;
}

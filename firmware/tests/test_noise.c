/* Noise, sampled as the chip does it. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "world.h"

#define MS 1000U
#define VALUE_US (4 * MS) /* of what is set here: 4 samples, 1 ms apart */
#define VALUES 2000
#define A1 0

static void no_order(void *table, enum world_order order) { (void)table, (void)order; }
static void no_memory(void *table, uint16_t at, uint8_t byte) { (void)table, (void)at, (void)byte; }
static void no_stats(const void *table, struct world_stats *stats) { (void)table, (void)stats; }

static const struct world_hooks hooks = {.order = no_order, .memory = no_memory, .stats = no_stats};
static struct world world;
static const struct mpr121_model_charging charging = {10, 2, 0}; /* as the firmware sets it */

static bool ok(const char *line) { return world_command(&world, line, 0)[0] == 'o'; }

static void start(uint64_t seed, const char *line)
{
    world_start(&world, seed, &hooks, NULL, 0);
    check_row(line, ok(line));
}

/* How far the values of a pad swing, and how often they change sides in a second. */
struct swing {
    float least, most, sum, squares;
    unsigned crossings;
};

static struct swing swing_of(unsigned pad, float load)
{
    struct swing swing = {0};
    struct chance chance;
    float before = 0;
    chance_seed(&chance, 9);
    for (unsigned at = 0; at < VALUES; at++) {
        const float is = noise_mean(&world.noise, pad, load, (at + 5) * (uint64_t)VALUE_US, MS, 4,
                                    charging, &chance);
        swing.least = fminf(swing.least, is);
        swing.most = fmaxf(swing.most, is);
        swing.sum += is;
        swing.squares += is * is;
        swing.crossings += at > 0 && is * before < 0;
        before = is;
    }
    return swing;
}

static float height(struct swing swing) { return (swing.most - swing.least) / 2; }

static bool about(float value, float wanted, float by) { return fabsf(value - wanted) <= by; }

/* What is left of a rectangular wave of 100 counts at a fingertip, by the two means: 10 charges 2 µs
 * apart, 4 samples 1 ms apart. */
static void what_the_means_leave_of_a_frequency(void)
{
    static const struct {
        const char *line;
        float height;
        unsigned crossings; /* in 8 s, a tenth more or less */
    } rows[] = {
        {"common 100 10", 93.3F, 160},         /* slow: all of it */
        {"common 100 250.01", 0, 0},        /* a turn for each value: nothing */
        {"common 100 50000", 0, 0},         /* a turn for each sample */
        {"common 100 100000", 0, 0},
        {"common 100 125001", 18.9F, 16},   /* 1 Hz beside a multiple of the samples' 1 kHz */
        {"common 100 125010", 18.9F, 160},
        {"common 100 175005", 27, 240},     /* its third is near what the charges are apart */
        {"common 100 125500", 0, 0},        /* samples in turn up and down */
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        start(1, rows[row].line);
        world.noise.pads[A1].common = 0;
        const struct swing swing = swing_of(A1, 16);
        check_row(rows[row].line, about(height(swing), rows[row].height, 0.03F * rows[row].height + 0.1F));
        check_row(rows[row].line, about((float)swing.crossings, (float)rows[row].crossings,
                                        0.1F * (float)rows[row].crossings + 2) ||
                                      rows[row].height < 1);
    }
}

static void the_mains_beat_with_the_scan(void)
{
    start(1, "hum 10 50.3");
    world.noise.pads[A1].hum = 1;
    check(about(height(swing_of(A1, 0)), 9.4F, 0.3F)); /* sin(36°) ÷ (4 sin(9°)) of it */
    start(1, "hum 10 1000.5");
    world.noise.pads[A1].hum = 1;
    struct swing beat = swing_of(A1, 0);
    check(about(height(beat), 10, 0.3F) && about((float)beat.crossings, 8, 1));
    start(1, "hum 10 50 0.5 0.2");
    world.noise.pads[A1].hum = 1;
    const float without = height(swing_of(A1, 16));
    start(1, "hum 10 50 0 0");
    world.noise.pads[A1].hum = 1;
    check(fabsf(without - height(swing_of(A1, 16))) > 0.5F);
}

/* It is noise that grows when a pad is touched. */
static void common_noise_comes_through_what_touches(void)
{
    start(1, "common 100 125010");
    for (unsigned pad = 0; pad < PAD_COUNT; pad++) {
        const float alone = height(swing_of(pad, 0)), touched = height(swing_of(pad, 16));
        check(alone > 0.05F && alone < 2 && touched > 18 && touched < 21);
        check(about(height(swing_of(pad, 32)), 2 * touched, 0.11F * touched));
        check(about(height(swing_of(pad, -50)), alone, 0.01F));
    }
    check(fabsf(height(swing_of(0, 0)) - height(swing_of(1, 0))) > 0.001F);
}

static void a_frequency_that_swings_has_no_beat(void)
{
    start(1, "common 100 125001 3000");
    const struct swing swing = swing_of(A1, 16);
    check(swing.crossings > 300);
    check(sqrtf(swing.squares / VALUES) > 2);
}

static void bursts_come_so_often_and_are_so_long(void)
{
    static const struct {
        const char *line;
        float deviation; /* of a whole share */
    } rows[] = {
        {"bursts 20 0 0", 10},          /* four samples in the mean */
        {"bursts 20 10 10000", 3.16F},  /* a tenth of the time */
        {"bursts 20 100 100", 1},       /* a hundredth: a dimmer */
        {"bursts 0 100 100", 0},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        start(1, rows[row].line);
        world.noise.pads[A1].bursts = 1;
        const struct swing swing = swing_of(A1, 0);
        check_row(rows[row].line,
                  about(sqrtf(swing.squares / VALUES), rows[row].deviation, 0.2F * rows[row].deviation));
        check_row(rows[row].line, fabsf(swing.sum / VALUES) <= 0.1F * rows[row].deviation + 0.01F);
    }
    start(1, "bursts 20 0.5 1000000");
    unsigned quiet = 0;
    struct chance chance;
    chance_seed(&chance, 1);
    for (uint64_t at_us = 100 * MS; at_us < 20000 * MS; at_us += 100 * MS)
        quiet += noise_mean(&world.noise, A1, 0, at_us, MS, 4, charging, &chance) == 0;
    check(quiet > 80 && quiet < 120);
}

/* One sample of eight is in its slot, of four that are a value: half of the values have none. */
static void a_phone_sends_in_one_slot_of_eight(void)
{
    start(1, "tdma 80");
    world.noise.pads[A1].tdma = 0;
    const struct swing swing = swing_of(A1, 16);
    check(swing.least == 0 && about(swing.most, 20, 0.1F));
    check(about(swing.sum / VALUES, 10, 0.8F));
    check(swing_of(A1, 0).most == 0);
}

static void warmth_comes_by_and_by_and_adds_up(void)
{
    struct chance chance;
    chance_seed(&chance, 1);
    start(1, "warmth 10 20");
    world.noise.pads[A1].warmth = 1;
#define WARMTH_AT(s) noise_mean(&world.noise, A1, 0, (s) * 1000000U, MS, 4, charging, &chance)
    check(about(WARMTH_AT(0), 0, 0.01F) && about(WARMTH_AT(20), 6.32F, 0.01F));
    check(about(WARMTH_AT(200), 10, 0.01F));
    check(world_command(&world, "warmth -4 5", 200000000U)[0] == 'o');
    check(about(WARMTH_AT(200), 10, 0.01F) && about(WARMTH_AT(300), 6, 0.01F));
}

static void channels_have_their_turns(void)
{
    start(1, "noise 0");
    struct mpr121_model *chip = &world.chips[0].model;
    chip->registers[0x5C] = 0x50; /* 10 charges */
    chip->registers[0x5D] = 0x40; /* of 1 µs */
    struct mpr121_model_charging first = mpr121_model_charging(chip, 0);
    struct mpr121_model_charging third = mpr121_model_charging(chip, 2);
    check(first.charges == 10 && about(first.every_us, 2, 0.001F) && first.begins_us == 0);
    check(about(third.begins_us, 40, 0.01F));
    chip->registers[0x5C] = 0xD0;
    chip->registers[0x6C] = 0x13; /* channel 0: 2 µs, channel 1: 0.5 µs */
    third = mpr121_model_charging(chip, 2);
    check(third.charges == 34 && about(third.begins_us, 34 * 5, 0.01F));
}

/* Values of all chips, however the time was cut. */
static void it_depends_on_the_seed_and_on_nothing_else(void)
{
    uint64_t found[3];
    for (unsigned run = 0; run < 3; run++) {
        start(run == 2 ? 6 : 5, "bursts 30 20 9000");
        check(ok("common 50 125003 40") && ok("hum 5 50 0.3") && ok("tdma 9"));
        for (unsigned chip = 0; chip < CHIP_COUNT; chip++) {
            world.chips[chip].model.registers[0x5C] = 0x50;
            check(world_bus_start(&world, (uint8_t)(0x5A + chip), false, 0));
            check(world_bus_write(&world, 0x5E, 0) && world_bus_write(&world, 0x8C, 0));
        }
        found[run] = 0;
        for (uint64_t now_us = 0; now_us < 900 * MS; now_us += run == 0 ? 900 * MS : 7 * MS)
            world_run(&world, now_us);
        world_run(&world, 900 * MS);
        for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
            for (unsigned at = 4; at < 0x1E; at++)
                found[run] = found[run] * 31 + world.chips[chip].model.registers[at];
    }
    check(found[0] == found[1]);
    check(found[0] != found[2]);
}

static void what_is_refused_changes_nothing(void)
{
    static const char *const lines[] = {
        "hum 1",          "hum 1 50 0.1 0.1 0.1", "hum 1 50 2",    "hum -1 50",     "common 1",
        "common 1 -1",    "common 1 2e6",         "bursts 1 100",  "bursts 1 100 10001", "tdma",
        "tdma -1",        "warmth 1",             "warmth 1 0",    "warmth x 5",    "noise",
    };
    start(1, "noise 0");
    const struct noise before = world.noise;
    for (size_t row = 0; row < sizeof lines / sizeof *lines; row++) {
        check_row(lines[row], strncmp(world_command(&world, lines[row], 0), "no: ", 4) == 0);
        check_row(lines[row], memcmp(&before, &world.noise, sizeof before) == 0);
    }
}

static void a_broken_lead_hears_nothing(void)
{
    float loads[MPR121_MODEL_CHANNELS];
    start(1, "hum 50 50");
    check(ok("open A1"));
    struct world_chip *chip = &world.chips[0];
    chip->model.feel(chip, 5 * MS, MS, 4, loads);
    check(loads[0] == 0 && loads[1] != 0);
}

int main(void)
{
    what_the_means_leave_of_a_frequency();
    the_mains_beat_with_the_scan();
    common_noise_comes_through_what_touches();
    a_frequency_that_swings_has_no_beat();
    bursts_come_so_often_and_are_so_long();
    a_phone_sends_in_one_slot_of_eight();
    warmth_comes_by_and_by_and_adds_up();
    channels_have_their_turns();
    it_depends_on_the_seed_and_on_nothing_else();
    what_is_refused_changes_nothing();
    a_broken_lead_hears_nothing();
    return 0;
}

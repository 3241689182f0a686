/* What the lights do to the electrodes: nothing in the dark, and more the more they change. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "world.h"

#define MS 1000U
#define VALUE_US (4 * MS) /* of what is set here: 4 samples, 1 ms apart */
#define FRAME_US (40 * MS)
#define FRAMES 250
#define A1 0
#define FAR PLACE_COUNT
#define C3 12

static void no_order(void *table, enum world_order order) { (void)table, (void)order; }
static void no_memory(void *table, uint16_t at, uint8_t byte) { (void)table, (void)at, (void)byte; }
static void no_stats(const void *table, struct world_stats *stats) { (void)table, (void)stats; }

static const struct world_hooks hooks = {.order = no_order, .memory = no_memory, .stats = no_stats};
static struct world world;
static struct strip strip;
static struct chance chance;
static uint8_t bytes[STRIP_BYTES];
static const struct mpr121_model_charging charging = {10, 2, 0}; /* as the firmware sets it */

static bool ok(const char *line) { return world_command(&world, line, 0)[0] == 'o'; }

static void start(const char *line)
{
    memset(&strip, 0, sizeof strip);
    memset(bytes, 0, sizeof bytes);
    world_start(&world, 1, &hooks, NULL, 0);
    world.lights = &strip;
    chance_seed(&chance, 9);
    check_row(line, ok(line));
}

/* Let all lights of a row (or all rows: -1) have this pulse. The strip goes there and back, but each
 * row has twenty lights in succession. */
static void paint(int row, uint8_t pulse)
{
    for (size_t at = 0; at < sizeof bytes; at++)
        if (row < 0 || (int)at / 60 == row)
            bytes[at] = pulse;
}

static float value(unsigned pad, uint64_t at_us)
{
    return crosstalk_mean(&world.crosstalk, world.lights, pad, at_us, MS, 4, charging, &chance);
}

/* Return the standard deviation of a pad's values while a frame comes every 40 ms, first one and then
 * the other of two pulses; 0 for frames: none comes after the first. */
static float swing(unsigned pad, int row, uint8_t one, uint8_t other, bool frames)
{
    double squares = 0, sum = 0;
    unsigned count = 0;
    uint64_t now_us = FRAME_US;
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        const uint64_t until_us = now_us + FRAME_US;
        if (frame == 0 || frames) {
            strip_begin(&strip, now_us);
            for (; now_us < until_us - FRAME_US + VALUE_US; now_us += VALUE_US, count++)
                squares += pow((double)value(pad, now_us), 2);
            paint(row, frame % 2 ? other : one);
            strip_latch(&strip, bytes, sizeof bytes, until_us - FRAME_US,
                        until_us - FRAME_US + 104 * 30 + 300);
        }
        for (; now_us < until_us; now_us += VALUE_US, count++) {
            const double is = (double)value(pad, now_us);
            squares += is * is;
            sum += is;
        }
    }
    const double mean = sum / count;
    return (float)sqrt(squares / count - mean * mean);
}

static bool about(float is, float wanted, float share)
{
    return fabsf(is - wanted) <= share * wanted;
}

static void dark_lights_do_nothing(void)
{
    start("crosstalk all 100 100");
    check(value(A1, 100 * MS) == 0); /* nothing was ever sent */
    check(swing(A1, -1, 0, 0, false) < 8); /* the data of the first frame alone */
    start("crosstalk all 100");
    check(swing(A1, -1, 0, 0, true) == 0);
    check(swing(A1, -1, 255, 255, false) == 0); /* and full ones do not switch */
    start("hum 0 0");
    check(swing(A1, -1, 80, 160, true) == 0);
}

/* Sixty colours of a row switch on and off 2,000 times a second: 0.24 of the changes are within a
 * charge of 1 µs, and a value is the mean of 40 charges. */
static void a_row_switches_under_its_own_pads_only(void)
{
    start("crosstalk all 10");
    check(about(swing(A1, -1, 80, 80, false), 10 * sqrtf(0.24F / 40), 0.1F));
    start("crosstalk all 10");
    check(swing(C3, 0, 80, 80, false) == 0);
    start("crosstalk all 10");
    const float few = swing(C3, 2, 80, 80, false);
    start("crosstalk all 20");
    check(about(swing(C3, 2, 80, 80, false), 2 * few, 0.1F));
    start("crosstalk all 10");
    check(about(swing(FAR, 0, 80, 80, false), few, 0.1F));
    start("crosstalk C3 10");
    check(swing(A1, -1, 80, 80, false) == 0);
}

/* A frame that is latched within a charge changes the row's current at once. */
static void a_new_frame_changes_the_ground_at_once(void)
{
    start("crosstalk all 10");
    memset(bytes, 255, sizeof bytes);
    strip_latch(&strip, bytes, sizeof bytes, 10 * MS, 20 * MS);
    check(about(value(A1, 20 * MS), 10 * 60 / 40.0F, 0.01F)); /* 1200 mA, in one of 40 charges */
    check(value(A1, 20 * MS + 1) == 0);                       /* while it is discharged */
    check(value(A1, 19 * MS) == 0);
    memset(bytes, 0, sizeof bytes);
    strip_latch(&strip, bytes, sizeof bytes, 30 * MS, 40 * MS);
    check(about(-value(A1, 40 * MS), 10 * 60 / 40.0F, 0.01F));
    strip_power(&strip);
    check(value(A1, 40 * MS) == 0);
}

static void data_disturb_only_while_a_frame_is_sent(void)
{
    start("crosstalk all 0 10");
    strip_begin(&strip, 100 * MS);
    check(value(A1, 99 * MS) == 0 && value(A1, 120 * MS) == 0); /* so long takes no frame */
    float squares = 0;
    for (unsigned turn = 0; turn < 400; turn++)
        squares += powf(value(A1, 103 * MS), 2);
    check(about(sqrtf(squares / 400), 10 * sqrtf(0.4F / 40), 0.1F));
    strip_latch(&strip, bytes, sizeof bytes, 100 * MS, 103 * MS + 400);
    check(value(A1, 106 * MS) != 0 && value(A1, 107 * MS) == 0);
    const float still = swing(A1, -1, 80, 80, false), moving = swing(A1, -1, 80, 160, true);
    check(still < moving / 4 && moving > 0.2F);
}

/* A frame whose end has not come yet disturbs like one that was latched. */
static void a_frame_on_its_way_counts(void)
{
    start("crosstalk all 0 10");
    unsigned hit[2] = {0, 0};
    strip_begin(&strip, 100 * MS);
    for (unsigned turn = 0; turn < 100; turn++)
        hit[0] += value(A1, 102 * MS) != 0;
    strip_latch(&strip, bytes, sizeof bytes, 100 * MS, 103 * MS + 400);
    for (unsigned turn = 0; turn < 100; turn++)
        hit[1] += value(A1, 102 * MS) != 0;
    check(hit[0] > 80 && hit[1] > 80);
    strip_power(&strip);
    check(value(A1, 102 * MS) == 0);
}

/* An estimate for the table: a change of 1 to 2 mV of the row's ground takes 0.1 to 0.2 counts from
 * a charge, an edge of the data 1 to 2. */
static void the_estimate_for_a_table_is_below_a_tenth_of_a_count(void)
{
    start("crosstalk all 0.2 2");
    check(swing(A1, -1, 70, 70, false) < 0.1F);
    start("crosstalk all 0.2 2");
    check(swing(A1, -1, 0, 140, true) < 0.1F);
}

static void what_is_no_command_changes_nothing(void)
{
    static const char *const lines[] = {"crosstalk",         "crosstalk all",      "crosstalk all -1",
                                        "crosstalk F6 1",    "crosstalk all 1 -1", "crosstalk 1 1",
                                        "crosstalk all 1 2 3"};
    start("crosstalk all 3 4");
    for (size_t at = 0; at < sizeof lines / sizeof *lines; at++)
        check_row(lines[at], !ok(lines[at]) && world.crosstalk.ground[A1] == 3 &&
                                 world.crosstalk.data[A1] == 4);
}

int main(void)
{
    dark_lights_do_nothing();
    a_row_switches_under_its_own_pads_only();
    a_new_frame_changes_the_ground_at_once();
    data_disturb_only_while_a_frame_is_sent();
    a_frame_on_its_way_counts();
    the_estimate_for_a_table_is_below_a_tenth_of_a_count();
    what_is_no_command_changes_nothing();
    return 0;
}

/* What somebody with a soldering iron can do to a table: leads, overlay, supply, the strip's wire. */
#include <string.h>

#include "check.h"
#include "world.h"

#define MS 1000U
#define LOADED_US (100 * MS)
#define COUNTS 16

static void no_order(void *table, enum world_order order)
{
    ++((unsigned *)table)[order];
}
static void no_memory(void *table, uint16_t at, uint8_t byte) { (void)table, (void)at, (void)byte; }
static void no_stats(const void *table, struct world_stats *stats) { (void)table, (void)stats; }

static const struct world_hooks hooks = {.order = no_order, .memory = no_memory, .stats = no_stats};
static struct world world;
static unsigned orders[5];

static bool ok(const char *line) { return world_command(&world, line, 0)[0] == 'o'; }

static void start(const char *line)
{
    memset(orders, 0, sizeof orders);
    world_start(&world, 1, &hooks, orders, 0);
    check_row(line, ok(line));
    check(ok("shape 0 B3 20:16"));
}

/* In counts, what a finger on B3 is to the channel of a pad. */
static float felt(unsigned chip, unsigned channel)
{
    return leads_load(&world.leads, &world.loads, chip, channel, LOADED_US, MS, 1);
}

static float charge(unsigned chip, unsigned channel)
{
    return world.chips[chip].model.channels[channel].picofarad;
}

static bool about(float value, double wanted)
{
    return (double)value > wanted - 0.01 && (double)value < wanted + 0.01;
}

/* By wiring.csv: B3 is channel 1 of 0x5B, C3 channel 2, B1 channel 1 of 0x5A. */
static void what_each_fault_does_to_a_finger_on_b3(void)
{
    static const struct {
        const char *line;
        double b3, c3, b1;
    } rows[] = {
        {"mend", 16, 0, 0},          {"open B3", 0, 0, 0},         {"open C3", 16, 0, 0},
        {"couple B3 C3", 8, 8, 0},   {"couple C3 B1", 16, 0, 0},    {"swap B3 C3", 0, 16, 0},
        {"swap-chips 0 1", 0, 0, 16}, {"overlay 6.4", 8, 0, 0},    {"overlay 1.3", 32, 0, 0},
        {"ground B3", 16, 0, 0},     {"supply 500", 16, 0, 0},     {"strip 40", 16, 0, 0},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        start(rows[row].line);
        check_row(rows[row].line, about(felt(1, 1), rows[row].b3));
        check_row(rows[row].line, about(felt(1, 2), rows[row].c3));
        check_row(rows[row].line, about(felt(0, 1), rows[row].b1));
        check(ok("mend"));
        check_row(rows[row].line, about(felt(1, 1), COUNTS) && about(felt(1, 2), 0));
        check_row(rows[row].line, about(charge(1, 1), (double)world.chips[1].picofarad[1]));
    }
}

static void what_each_fault_does_to_the_charge_of_b3(void)
{
    start("open B3");
    check(about(charge(1, 1), (double)LEADS_PIN_PF));
    start("ground B3");
    check(charge(1, 1) > 1e4F);
    check(ok("couple B3 C3"));
    check(charge(1, 2) > 1e4F); /* what is joined to that is grounded, too */
    start("short B3 C3");
    check(charge(1, 1) > 1e4F && charge(1, 2) > 1e4F);
    check(ok("short B3 B1"));
    check(charge(1, 1) > 1e4F && charge(0, 1) > 1e4F);
    check(about(charge(1, 2), (double)world.chips[1].picofarad[2]));
    start("couple B3 C3");
    check(about(charge(1, 1), 2 * (double)world.chips[1].picofarad[1]));
    check(about(charge(1, 2), 2 * (double)world.chips[1].picofarad[2]));
    check(ok("couple B3 A3")); /* and no longer C3 */
    check(about(charge(1, 2), (double)world.chips[1].picofarad[2]));
    check(felt(1, 0) > 7 && felt(1, 2) < 1);
}

static void what_makes_no_sense_is_refused(void)
{
    static const char *const lines[] = {
        "open", "open all", "open F1", "open A1 B1", "ground", "short A1", "short A1 A1",
        "short A1 all", "couple A1", "couple A1 A1", "swap A1", "swap A1 A1", "swap-chips 0", "swap-chips 0 3",
        "swap-chips 1 1", "overlay", "overlay 0", "overlay -3", "overlay 3 4", "supply",
        "supply 149", "supply x", "strip", "strip 0", "strip 9999", "dead 0", "enter", "mend A1"};
    start("mend");
    for (size_t line = 0; line < sizeof lines / sizeof *lines; line++) {
        check_row(lines[line], !ok(lines[line]));
        check_row(lines[line], about(felt(1, 1), COUNTS));
    }
}

int main(void)
{
    what_each_fault_does_to_a_finger_on_b3();
    what_each_fault_does_to_the_charge_of_b3();
    what_makes_no_sense_is_refused();
    return 0;
}

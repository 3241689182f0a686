/* The world of a table: three touch chips on one bus, what lies on their pads, and what goes wrong.
 *
 * A table (host/, rig/) owns one, tells it the time, carries the bytes of the bus to it, and gives
 * hooks for those commands of README.md that are the table's own.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chance.h"
#include "leads.h"
#include "loads.h"
#include "mpr121_model.h"
#include "noise.h"
#include "pads.h"
#include "strip.h"

#define WORLD_NO_CHIP CHIP_COUNT

enum world_order { WORLD_HANG, WORLD_RESET, WORLD_POWER_CUT, WORLD_UNPLUG, WORLD_PLUG };

/* The fields of `stats`. */
struct world_stats {
    uint64_t starts, watchdog, frames, bit_worst_ns, gap_worst_us, off_worst_us, awake_us;
    uint64_t overruns, flash, ram, current_worst_ma;
};

struct world_hooks {
    void (*order)(void *table, enum world_order order); /* the chips have lost power before it */
    void (*memory)(void *table, uint16_t at, uint8_t byte);
    void (*stats)(const void *table, struct world_stats *stats);
};

struct world_chip {
    struct mpr121_model model;
    struct world *world;
    unsigned number;
    struct chance noise;
    float picofarad[CHANNEL_COUNT]; /* of the electrode that is wired to each channel */
    uint64_t nacks;   /* transfers that it will not answer; UINT64_MAX: none until changed */
    uint64_t held_us; /* until then it holds the data line low */
    unsigned flips;   /* bytes read from it that will have a wrong bit */
};

struct world {
    struct world_chip chips[CHIP_COUNT];
    struct loads loads;
    struct leads leads;
    struct noise noise;
    struct strip_ills strip; /* for the table that has it */
    struct chance chance;
    unsigned addressed; /* the chip that is in the transfer under way, or WORLD_NO_CHIP */
    const struct world_hooks *hooks;
    void *table;
    char answer[512];
};

void world_start(struct world *world, uint64_t seed, const struct world_hooks *hooks, void *table,
                 uint64_t now_us);

/* The leads have been changed: let the chips have what they charge now. */
void world_wired(struct world *world);

/* Its supply breaks down: all that is the world's loses power, and has it again. */
void world_power_cut(struct world *world);

/* Let time pass for the chips; `now_us` never falls. Nothing of theirs changes before
 * `world_next`, unless the bus or a command does it. */
void world_run(struct world *world, uint64_t now_us);
uint64_t world_next(const struct world *world);

/* True if the common interrupt line is low. */
bool world_interrupt(const struct world *world);

/* The bus, byte by byte, each with its time. `world_bus_start` is a start or a repeated start with
 * the 7-bit address, and answers whether a chip acknowledges; `world_bus_write` likewise. */
bool world_bus_start(struct world *world, uint8_t address, bool reading, uint64_t now_us);
bool world_bus_write(struct world *world, uint8_t byte, uint64_t now_us);
uint8_t world_bus_read(struct world *world, uint64_t now_us);
void world_bus_stop(struct world *world);

/* Until when a chip holds the data line low (at most `now_us`: none does); nine clocks free it. */
uint64_t world_bus_held_until(const struct world *world);
void world_bus_nine_clocks(struct world *world);

/* Execute one line of README.md; the answer is valid until the next. A refused line changes
 * nothing. */
const char *world_command(struct world *world, const char *line, uint64_t now_us);

#endif

/* The simulated world of a table: three touch chips on one bus, objects on their pads, and faults.
 *
 * A table (host/, rig/) owns one world, gives it the time and the bytes of the bus, and provides
 * hooks for those commands of README.md that the table itself executes.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chance.h"
#include "crosstalk.h"
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
    void (*order)(void *table, enum world_order order); /* the chips have already lost power */
    void (*stall)(void *table, uint64_t us); /* the firmware gets no turn for so long */
    void (*memory)(void *table, uint16_t at, uint8_t byte);
    void (*stats)(const void *table, struct world_stats *stats);
};

struct world_chip {
    struct mpr121_model model;
    struct world *world;
    unsigned number;
    struct chance noise;
    float picofarad[CHANNEL_COUNT]; /* of the electrode at each channel */
    uint64_t nacks;   /* number of transfers without an answer; UINT64_MAX: all, until changed */
    uint64_t held_us; /* the chip holds the data line low until this time */
    unsigned flips;   /* number of bytes to read that get a wrong bit */
};

struct world {
    struct world_chip chips[CHIP_COUNT];
    struct loads loads;
    struct leads leads;
    struct noise noise;
    struct crosstalk crosstalk;
    const struct strip *lights; /* which the table owns; NULL: there are none */
    struct strip_ills strip; /* the faults of the strip, which the table has */
    struct chance chance;
    unsigned addressed; /* chip of the transfer under way, or WORLD_NO_CHIP */
    const struct world_hooks *hooks;
    void *table;
    char answer[512];
};

void world_start(struct world *world, uint64_t seed, const struct world_hooks *hooks, void *table,
                 uint64_t now_us);

/* Update the chips' capacitances after a change of the leads. */
void world_wired(struct world *world);

/* Cut the power and restore it, for all parts of the world. */
void world_power_cut(struct world *world);

/* Let time pass for the chips; `now_us` never falls. Before the time `world_next` they change only
 * by the bus or a command. */
void world_run(struct world *world, uint64_t now_us);
uint64_t world_next(const struct world *world);

/* True if the common interrupt line is low. */
bool world_interrupt(const struct world *world);

/* The bus, byte by byte, each with its time. `world_bus_start` is a start or repeated start with
 * the 7-bit address. It and `world_bus_write` return true if a chip acknowledges. */
bool world_bus_start(struct world *world, uint8_t address, bool reading, uint64_t now_us);
bool world_bus_write(struct world *world, uint8_t byte, uint64_t now_us);
uint8_t world_bus_read(struct world *world, uint64_t now_us);
void world_bus_stop(struct world *world);

/* Return the time until which a chip holds the data line low; not later than now if no chip does.
 * Nine clocks free the line. */
uint64_t world_bus_held_until(const struct world *world);
void world_bus_nine_clocks(struct world *world);

/* Execute one command of README.md. The returned answer is valid until the next command. A refused
 * command changes nothing. */
const char *world_command(struct world *world, const char *line, uint64_t now_us);

#endif

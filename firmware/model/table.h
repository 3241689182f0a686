/* A table that is not there: the controller with its three touch chips, its lights, and hands.
 *
 * One interface, two tables behind it. host/ runs the core itself, compiled for this machine;
 * rig/ runs the very binary for the ATmega328P in simavr. Both have the chips of mpr121.h and the
 * world of world.h, and neither knows a real clock: time passes only in `table_run`.
 *
 * Built twice as a shared library (build/libhosttable.so, build/libemulatedtable.so) for programs
 * that give the time, and twice as a program (build/host-table, build/emulated-table: serve.c)
 * that keeps to a real clock and serves a terminal device.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"

#define TABLE_LEDS LED_COUNT
#define TABLE_MEMORY MEMORY_BYTES /* of EEPROM */

struct table;

/* A table that is switched on at time 0. `firmware` is the ELF file for the chip; the host's table
 * needs none, and takes NULL. `memory` is the EEPROM's content (TABLE_MEMORY bytes), NULL: new.
 * `seed` is that of the noise. NULL if it cannot be made; why is on standard error. */
struct table *table_new(const char *firmware, const uint8_t *memory, uint64_t seed);
void table_free(struct table *table);

/* Let time pass until `until_us` (microseconds since the start); with `stop_early`, only until a
 * byte has come from the controller that ends a frame (0), or the lights have latched a frame.
 * Answers the time that it is then. */
uint64_t table_run(struct table *table, uint64_t until_us, bool stop_early);

/* The serial line. Written bytes arrive at the line's own pace, beginning now. */
void table_write(struct table *table, const uint8_t *bytes, size_t count);
size_t table_read(struct table *table, uint8_t *bytes, size_t room); /* bytes that came so far */

/* A frame that the lights have latched. The oldest not yet taken; false: there is none. */
struct shown {
    uint64_t begun_us; /* its first edge on the pin */
    uint64_t at_us;    /* when it was latched */
    uint32_t pulses[TABLE_LEDS]; /* of each LED, 0xRRGGBB */
    bool whole;        /* every light of the strip got data */
};
bool table_shown(struct table *table, struct shown *shown);

void table_memory(const struct table *table, uint8_t memory[TABLE_MEMORY]);

/* Give the world a command, one line of text from model/README.md. The answer is a line that begins
 * with "ok" or "no", valid until the next call. */
const char *table_command(struct table *table, const char *line);

#endif

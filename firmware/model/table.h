/* A simulated table: the controller with its three touch chips, its lights, and hands.
 *
 * There are two implementations of this interface. host/ runs the core, compiled for this machine;
 * rig/ runs the real binary for the ATmega328P in simavr. Both use mpr121_model.h and world.h.
 * Neither uses a real clock: time passes only in `table_run`.
 *
 * Each is built as a shared library for programs that give the time (build/libhosttable.so,
 * build/libemulatedtable.so), and as a program that uses a real clock and serves a terminal device
 * (build/host-table, build/emulated-table: serve.c).
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"

#define TABLE_LEDS LED_COUNT
#define TABLE_MEMORY MEMORY_BYTES /* size of the EEPROM */

struct table;

/* Return a new table, which is switched on at time 0. `firmware` is the chip's ELF file; NULL for
 * the table of host/, which needs none. `memory` is the EEPROM's content (TABLE_MEMORY bytes); NULL
 * for a new EEPROM. `seed` is for the noise. If it fails, prints the reason on standard error and
 * returns NULL. */
struct table *table_new(const char *firmware, const uint8_t *memory, uint64_t seed);
void table_free(struct table *table);

/* Let time pass until `until_us` (microseconds since the start). With `stop_early`, stop as soon as
 * a frame from the controller is complete, or the lights have latched a frame. Returns the new
 * time. */
uint64_t table_run(struct table *table, uint64_t until_us, bool stop_early);

/* The serial line. Written bytes arrive at the line's own pace, beginning now. */
void table_write(struct table *table, const uint8_t *bytes, size_t count);
size_t table_read(struct table *table, uint8_t *bytes, size_t room); /* bytes received so far */

/* A frame that the lights have latched. `table_shown` takes the oldest one; it returns false if
 * there is none. */
struct shown {
    uint64_t begun_us; /* its first edge on the pin */
    uint64_t at_us;    /* when it was latched */
    uint32_t pulses[TABLE_LEDS]; /* of each LED, 0xRRGGBB */
    bool whole;        /* every light of the strip received data */
};
bool table_shown(struct table *table, struct shown *shown);

void table_memory(const struct table *table, uint8_t memory[TABLE_MEMORY]);

/* Give the world a command, one line of text from model/README.md. The answer is a line that begins
 * with "ok" or "no", valid until the next call. */
const char *table_command(struct table *table, const char *line);

#endif

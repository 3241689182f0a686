/* The strip: the lights shown for the received bytes, and their current. */
#ifndef STRIP_H
#define STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table.h"
#include "wiring.h"

#define STRIP_BYTES (3 * WIRING_LIGHT_COUNT) /* green, red, blue of each light, in its order */
#define STRIP_KEPT 256 /* frames that wait to be taken; then the oldest goes */

/* Its faults; 0: none. */
struct strip_ills {
    uint32_t supply_ma; /* a frame that draws more breaks the supply down */
    unsigned reach;     /* lights that receive data; the others keep their colours */
};

struct strip {
    uint8_t lights[STRIP_BYTES]; /* what each light shows */
    struct shown shown[STRIP_KEPT];
    size_t first, count;
    uint64_t frames;           /* latched since the start */
    uint32_t current_worst_ma; /* the most that a frame has drawn */
    struct strip_ills ills;
};

/* True if it draws more than its supply gives. */
bool strip_overloads(const struct strip *strip);

/* Switch power on: every light is dark. Waiting frames and counts stay. */
void strip_power(struct strip *strip);

/* The strip latches a frame of `count` bytes. Fewer than there are lights: the others keep theirs,
 * and the frame is not whole. */
void strip_latch(struct strip *strip, const uint8_t *bytes, size_t count, uint64_t begun_us,
                 uint64_t at_us);

/* Take the oldest frame that waits; false: there is none. */
bool strip_take(struct strip *strip, struct shown *shown);

/* By the colours: 20 mA for each full channel, and 1 mA for each light at rest. */
uint32_t strip_current_ma(const struct strip *strip);

#endif

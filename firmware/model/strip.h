/* A model of the strip: the lights that the received bytes cause, and their current. */
#ifndef STRIP_H
#define STRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "table.h"
#include "wiring.h"

#define STRIP_BYTES (3 * WIRING_LIGHT_COUNT) /* of the strip of hardware/wiring.csv */
#define STRIP_ROWS 6 /* five rows of cells, and the pads: each has its own feed and ground */
#define STRIP_PAST 8 /* frames that are remembered for their crosstalk */
#define STRIP_KEPT 256 /* limit of waiting frames; the oldest is then dropped */

/* The strip's faults; 0: no fault. */
struct strip_ills {
    uint32_t supply_ma; /* a frame that draws more cuts the power */
    unsigned reach;     /* lights that receive data; the others keep their colours */
    unsigned dead;      /* this light (from 1) is dark and passes no data on */
    unsigned dark;      /* this light is dark, but passes data on */
    unsigned damages;   /* this light damages the data that it passes on */
    unsigned enter;     /* the data wire is at this light, not at the first */
};

/* What the lights showed from `at_us` on. */
struct strip_past {
    uint64_t begun_us, at_us;    /* first edge on the data line, and when it was latched */
    float ma[STRIP_ROWS];        /* current of each row */
    float switching[STRIP_ROWS]; /* number of the row's colours that are neither off nor full */
};

struct strip {
    const struct layout *layout;  /* NULL: the strip of hardware/wiring.csv */
    uint8_t lights[LAYOUT_BYTES]; /* what each light shows, in the order of its colours */
    struct shown shown[STRIP_KEPT];
    size_t first, count;
    struct strip_past past[STRIP_PAST];
    unsigned newest;     /* of `past` */
    bool sending;        /* a frame is on the data line, since `sending_us` */
    uint64_t sending_us;
    uint64_t frames;           /* latched since the start */
    uint32_t current_worst_ma; /* greatest current of a frame so far */
    struct strip_ills ills;
};

/* True if the strip draws more than its supply gives. */
bool strip_overloads(const struct strip *strip);

/* Switch power on: every light is dark. Waiting frames and counts stay. */
void strip_power(struct strip *strip);

/* The first edge of a frame is on the data line. */
void strip_begin(struct strip *strip, uint64_t now_us);

/* Return the frame that was latched so many frames ago (0 … STRIP_PAST - 1). */
const struct strip_past *strip_past(const struct strip *strip, unsigned back);

/* Let the strip latch a frame of `count` bytes. If it is too short for all lights, the others keep
 * their colours, and the frame is not whole. */
void strip_latch(struct strip *strip, const uint8_t *bytes, size_t count, uint64_t begun_us,
                 uint64_t at_us);

/* Return the number of lights, and the pulses 0xRRGGBB that a light shows. */
size_t strip_count(const struct strip *strip);
uint32_t strip_light(const struct strip *strip, size_t light);

/* Take the oldest waiting frame. Returns false if no frame waits. */
bool strip_take(struct strip *strip, struct shown *shown);

/* Return the strip's current: 20 mA for each channel at 255, and 1 mA for each light. */
uint32_t strip_current_ma(const struct strip *strip);

#endif

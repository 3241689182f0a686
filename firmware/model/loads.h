/* Loads on the pads, in counts by which a chip's filtered value falls. A pad's load is the sum of
 * its layers (each follows straight lines between points) and its drift. */
#ifndef LOADS_H
#define LOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "pads.h"

#define LOADS_LAYERS 16
#define LOADS_POINTS 32 /* limit for a shape */

struct loads_point {
    uint64_t at_us;
    float counts;
};

struct loads_shape {
    struct loads_point points[LOADS_POINTS + 1]; /* the first is the beginning of the shape */
    unsigned count;                              /* 0: no load */
};

struct loads_pad {
    struct loads_shape layers[LOADS_LAYERS];
    uint64_t still_us;  /* from this time on, no layer changes */
    float still_counts; /* sum of the layers from then on */
    uint64_t drift_us;  /* since when the drift has its present rate */
    float drift_from, drift_rate; /* counts at that time; counts a second */
};

struct loads {
    struct loads_pad pads[PAD_COUNT];
};

void loads_start(struct loads *loads, uint64_t now_us);

/* Let a layer's load on the pad follow these points from now on, beginning at its present load. The
 * points' times increase, and none is before now. */
void loads_shape(struct loads *loads, unsigned layer, unsigned pad,
                 const struct loads_point *points, unsigned count, uint64_t now_us);
void loads_clear(struct loads *loads, unsigned layer, uint64_t now_us);
void loads_drift(struct loads *loads, unsigned pad, float counts_a_second, uint64_t now_us);

/* Return the pad's load: the mean over `count` moments, `apart_us` apart, the last one at `at_us`.
 */
float loads_mean(const struct loads *loads, unsigned pad, uint64_t at_us, uint32_t apart_us,
                 unsigned count);

#endif

/* Loads on the pads, in counts by which a chip's filtered value falls: for each pad the sum of its
 * layers (straight lines between points), and its drift. */
#ifndef LOADS_H
#define LOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "pads.h"

#define LOADS_LAYERS 16
#define LOADS_POINTS 32 /* the most that a shape may have */

struct loads_point {
    uint64_t at_us;
    float counts;
};

struct loads_shape {
    struct loads_point points[LOADS_POINTS + 1]; /* the first is where the shape began */
    unsigned count;                              /* 0: loads nothing */
};

struct loads_pad {
    struct loads_shape layers[LOADS_LAYERS];
    uint64_t still_us;  /* from then on no layer moves any more */
    float still_counts; /* and their sum is this */
    uint64_t drift_us;  /* since when it drifts as it does now */
    float drift_from, drift_rate; /* counts then, counts a second */
};

struct loads {
    struct loads_pad pads[PAD_COUNT];
};

void loads_start(struct loads *loads, uint64_t now_us);

/* From now on the layer loads the pad along these points (their times rising, none before now),
 * from what it loads it now. */
void loads_shape(struct loads *loads, unsigned layer, unsigned pad,
                 const struct loads_point *points, unsigned count, uint64_t now_us);
void loads_clear(struct loads *loads, unsigned layer, uint64_t now_us);
void loads_drift(struct loads *loads, unsigned pad, float counts_a_second, uint64_t now_us);

/* The pad's load, as a mean over `count` moments `apart_us` apart, the last at `at_us`. */
float loads_mean(const struct loads *loads, unsigned pad, uint64_t at_us, uint32_t apart_us,
                 unsigned count);

#endif

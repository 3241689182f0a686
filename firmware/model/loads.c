#include "loads.h"

#include <string.h>

void loads_start(struct loads *loads, uint64_t now_us)
{
    memset(loads, 0, sizeof *loads);
    for (unsigned pad = 0; pad < PAD_COUNT; pad++)
        loads->pads[pad].still_us = loads->pads[pad].drift_us = now_us;
}

static float shape_at(const struct loads_shape *shape, uint64_t at_us)
{
    if (shape->count == 0)
        return 0;
    const struct loads_point *points = shape->points;
    unsigned next = 0;
    while (next < shape->count && points[next].at_us <= at_us)
        next++;
    if (next == 0 || next == shape->count)
        return points[next == 0 ? 0 : next - 1].counts;
    const struct loads_point *from = &points[next - 1], *to = &points[next];
    const float share = (float)(at_us - from->at_us) / (float)(to->at_us - from->at_us);
    return from->counts + share * (to->counts - from->counts);
}

static float layers_at(const struct loads_pad *pad, uint64_t at_us)
{
    float sum = 0;
    for (unsigned layer = 0; layer < LOADS_LAYERS; layer++)
        sum += shape_at(&pad->layers[layer], at_us);
    return sum;
}

/* Most pads have a constant load most of the time: store since when, and how much. */
static void settle(struct loads_pad *pad, uint64_t now_us)
{
    pad->still_us = now_us;
    for (unsigned layer = 0; layer < LOADS_LAYERS; layer++) {
        const struct loads_shape *shape = &pad->layers[layer];
        if (shape->count > 0 && shape->points[shape->count - 1].at_us > pad->still_us)
            pad->still_us = shape->points[shape->count - 1].at_us;
    }
    pad->still_counts = layers_at(pad, pad->still_us);
}

void loads_shape(struct loads *loads, unsigned layer, unsigned pad,
                 const struct loads_point *points, unsigned count, uint64_t now_us)
{
    struct loads_shape *shape = &loads->pads[pad].layers[layer];
    const struct loads_point from = {now_us, shape_at(shape, now_us)};
    shape->points[0] = from;
    memcpy(&shape->points[1], points, count * sizeof *points);
    shape->count = count + 1;
    settle(&loads->pads[pad], now_us);
}

void loads_clear(struct loads *loads, unsigned layer, uint64_t now_us)
{
    for (unsigned pad = 0; pad < PAD_COUNT; pad++) {
        if (loads->pads[pad].layers[layer].count == 0)
            continue;
        loads->pads[pad].layers[layer].count = 0;
        settle(&loads->pads[pad], now_us);
    }
}

static float drift_at(const struct loads_pad *pad, uint64_t at_us)
{
    const int64_t since_us = (int64_t)(at_us - pad->drift_us);
    return pad->drift_from + pad->drift_rate * (float)since_us * 1e-6F;
}

void loads_drift(struct loads *loads, unsigned pad, float counts_a_second, uint64_t now_us)
{
    struct loads_pad *drifting = &loads->pads[pad];
    drifting->drift_from = drift_at(drifting, now_us);
    drifting->drift_us = now_us;
    drifting->drift_rate = counts_a_second;
}

float loads_mean(const struct loads *loads, unsigned pad, uint64_t at_us, uint32_t apart_us,
                 unsigned count)
{
    const struct loads_pad *loaded = &loads->pads[pad];
    float sum = 0;
    if (at_us >= loaded->still_us + (uint64_t)apart_us * (count - 1)) {
        sum = loaded->still_counts * (float)count;
    } else {
        for (unsigned back = 0; back < count; back++)
            sum += layers_at(loaded, at_us - (uint64_t)apart_us * back);
    }
    return sum / (float)count + drift_at(loaded, at_us);
}

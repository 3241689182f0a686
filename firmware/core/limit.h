/* The current limit of a frame: all lights together never draw more. Add the pulses of each light,
 * set the limit, then shorten each pulse. */
#ifndef LIMIT_H
#define LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "colour.h"

/* A limit begins with {0}. */
struct limit {
    uint32_t sum;   /* of all channels of all lights */
    uint16_t least; /* the same if each pulse had its minimum */
    /* How the pulses are shortened: */
    bool starving;  /* true if they are shortened */
    bool nothing;   /* true if even the shortest pulses would be too much */
    uint16_t share; /* factor for each pulse beyond its minimum, in 65536ths */
};

/* A WS2812B, by its data sheet: 20 mA for each of three colours at full brightness, proportional to
 * the pulse; and the current of its own logic. */
#define CHANNEL_MA 20u
#define IDLE_MA 1u

/* Return the sum of a pulse's channels. */
static inline uint16_t limit_sum(struct colour pulse)
{
    return (uint16_t)(pulse.red + pulse.green + pulse.blue);
}

/* Add the pulses of a light. */
static inline void limit_add(struct limit *limit, struct colour pulse)
{
    limit->sum += limit_sum(pulse);
    limit->least += (uint16_t)((pulse.red > 0) + (pulse.green > 0) + (pulse.blue > 0));
}

/* Set the limit in milliamperes for so many lights. All pulses have been added. */
static inline void limit_set(struct limit *limit, uint16_t lights, uint16_t most_ma)
{
    const uint16_t idle_ma = (uint16_t)(IDLE_MA * lights);
    const uint16_t left_ma = most_ma > idle_ma ? (uint16_t)(most_ma - idle_ma) : 0;
    const uint32_t most = (uint32_t)left_ma * 255 / CHANNEL_MA;
    limit->starving = limit->sum > most;
    limit->nothing = limit->least > most;
    /* The share is below 1 and has 16 bits, because shifts by whole bytes are fast. Its last bit is
     * always 0: a share of 16 full bits would need 64-bit arithmetic. */
    if (limit->starving && !limit->nothing)
        limit->share = (uint16_t)(((most - limit->least) << 15) / (limit->sum - limit->least) << 1);
}

static inline uint8_t limit_shortened(uint8_t pulse, uint16_t share)
{
    return pulse == 0 ? 0 : (uint8_t)(1 + ((uint32_t)(pulse - 1) * share >> 16));
}

/* Return a pulse within the limit. Each channel keeps the minimum, so that no lit light goes out,
 * and the same share of the rest. */
static inline struct colour limit_pulse(const struct limit *limit, struct colour pulse)
{
    static const struct colour dark = {0, 0, 0};
    if (!limit->starving)
        return pulse;
    if (limit->nothing)
        return dark;
    pulse.red = limit_shortened(pulse.red, limit->share);
    pulse.green = limit_shortened(pulse.green, limit->share);
    pulse.blue = limit_shortened(pulse.blue, limit->share);
    return pulse;
}

/* Return the current of so many lights whose channels have this sum. */
static inline uint16_t limit_current_ma(uint16_t lights, uint32_t sum)
{
    return (uint16_t)(IDLE_MA * lights + (sum * CHANNEL_MA + 254) / 255);
}

#endif

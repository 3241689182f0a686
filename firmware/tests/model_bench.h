/* One model of the touch chip, whose pads are loaded by hand. */
#ifndef MODEL_BENCH_H
#define MODEL_BENCH_H

#include <string.h>

#include "check.h"
#include "mpr121_model.h"

#define MS 1000U
#define RUN_ALL 0x8C /* twelve electrodes; the baseline begins at the first value's upper 5 bits */
#define KEEP_ALL 0x4C /* twelve electrodes; the baseline stays as it was written */

struct bench {
    struct mpr121_model chip;
    float loads[MPR121_MODEL_CHANNELS];
    uint64_t now_us;
    uint32_t apart_us; /* what the last sample was a mean of */
    unsigned count;
};

static void feel(void *of, uint64_t at_us, uint32_t apart_us, unsigned count,
                 float loads[MPR121_MODEL_CHANNELS])
{
    struct bench *bench = of;
    (void)at_us;
    bench->apart_us = apart_us;
    bench->count = count;
    memcpy(loads, bench->loads, sizeof bench->loads);
}

static void pass(struct bench *bench, uint64_t us)
{
    bench->now_us += us;
    mpr121_model_run(&bench->chip, bench->now_us);
}

static void put(struct bench *bench, uint8_t at, uint8_t byte)
{
    check(mpr121_model_begin(&bench->chip, false, bench->now_us));
    mpr121_model_write(&bench->chip, at, bench->now_us);
    mpr121_model_write(&bench->chip, byte, bench->now_us);
}

static uint8_t get(struct bench *bench, uint8_t at)
{
    check(mpr121_model_begin(&bench->chip, false, bench->now_us));
    mpr121_model_write(&bench->chip, at, bench->now_us);
    check(mpr121_model_begin(&bench->chip, true, bench->now_us));
    return mpr121_model_read(&bench->chip);
}

static unsigned data(struct bench *bench, unsigned channel)
{
    const uint8_t at = (uint8_t)(0x04 + 2 * channel);
    return get(bench, at) | (unsigned)get(bench, (uint8_t)(at + 1)) << 8;
}

static void start(struct bench *bench)
{
    memset(bench, 0, sizeof *bench);
    mpr121_model_start(&bench->chip, feel, bench);
}

/* As a table uses it: 6 samples 1 ms apart, one value for debounce, auto-configuration at 3.3 V. */
static void start_configured(struct bench *bench)
{
    start(bench);
    for (uint8_t channel = 0; channel < MPR121_MODEL_CHANNELS; channel++) {
        put(bench, (uint8_t)(0x41 + 2 * channel), 7);
        put(bench, (uint8_t)(0x42 + 2 * channel), 4);
    }
    put(bench, 0x5B, 0x11);
    put(bench, 0x5D, 0x28);
    put(bench, 0x7B, 0x0B);
    put(bench, 0x7D, 201);
    put(bench, 0x7E, 130);
    put(bench, 0x7F, 180);
}

static void start_running(struct bench *bench)
{
    start_configured(bench);
    put(bench, 0x5E, RUN_ALL);
    pass(bench, 6 * MS);
}

#endif

/* Figures without a source are from the MPR121's data sheet, revision 4. */
#include "mpr121_setting.h"

#include <string.h>

enum { BASELINE_FILTER = 0x2B, THRESHOLDS = 0x41, DEBOUNCE = 0x5B, AUTO_CONFIGURATION = 0x7B };

/* Tracking of the baseline, registers MHD rising to FDL touched. Every FDL + 1 = 47 values, 4 ms
 * apart, the baseline moves by NHD = 1 towards the count. That is 5 counts a second: enough for
 * drift, but slower than any finger. Up and down have the same speed; otherwise the baseline would
 * follow the noise's peaks and come close to a touch. The half delta (MHD) is 1, the least that is
 * effective (1 to 63): each of these times, the baseline takes a value that is at most 2 counts away.
 * There is no tracking while touched. The baseline cannot follow when an object is lifted (mpr121.h:
 * lifted). */
static const uint8_t baseline_filter[] = {1, 1, 0, 46, /**/ 1, 1, 0, 46, /**/ 0, 0, 0};

/* Debounce: no more values for a touch, so that the chip calls at the first one, and the light can
 * answer it (`mpr121_suspect` waits for two more before it is a touch); 2 more for a release. First
 * filter: 10 samples; 16 µA and 0.5 µs until auto-configuration finds better values. Second filter:
 * 4 samples, 1 ms apart. So a release takes three values, 12 ms. They span more than half a wave of
 * the mains; two values of 6 ms could both be on a crest. Twelve electrodes need at most 1 ms with
 * up to 4 µs of charge. */
static const uint8_t measuring[] = {0x20, 0x50, 0x20};

/* Auto-configuration runs once at the start, with the same first filter; baselines are loaded as
 * the control register says. It does not run again later, because it would calibrate away a resting
 * palm. Upper limit at 3.3 V: 256 × (3.3 - 0.7) / 3.3; lower limit and target: 65 % and 90 % of it.
 */
static const uint8_t auto_configuration[] = {0x4D, 0x00, 201, 130, 180};

static uint8_t electrodes(const uint8_t *pads) /* number of measured channels, from channel 0 */
{
    uint8_t count = CHANNEL_COUNT;
    while (count > 1 && pads[count - 1] == NO_PAD)
        count--;
    return count;
}

uint8_t mpr121_control(const uint8_t *pads, uint8_t baselines)
{
    return (uint8_t)(baselines | electrodes(pads));
}

/* For the chip, a load above the register is a touch; in the settings, a load from `touch` on. */
static void thresholds(uint8_t pad, const struct settings *settings, uint8_t out[2])
{
    out[0] = pad == NO_PAD ? 0xFF : (uint8_t)(settings->touch[pad] - 1);
    out[1] = pad == NO_PAD ? 0xFE : settings->release[pad];
}

static uint8_t put(uint8_t *out, uint8_t address, const uint8_t *bytes, uint8_t count)
{
    out[0] = address;
    memcpy(out + 1, bytes, count);
    return (uint8_t)(count + 1);
}

static uint8_t put_thresholds(uint8_t *out, const uint8_t *pads, const struct settings *settings,
                              uint8_t channel, uint8_t count)
{
    out[0] = (uint8_t)(THRESHOLDS + 2 * channel);
    for (uint8_t i = 0; i < count; i++)
        thresholds(pads[channel + i], settings, out + 1 + 2 * i);
    return (uint8_t)(1 + 2 * count);
}

uint8_t mpr121_block(uint8_t block, const uint8_t *pads, const struct settings *settings,
                     uint8_t *out)
{
    const uint8_t half = CHANNEL_COUNT / 2;
    uint8_t control = mpr121_control(pads, MPR121_LOAD);
    switch (block) {
    case 0:
        return put(out, BASELINE_FILTER, baseline_filter, sizeof baseline_filter);
    case 1:
        return put_thresholds(out, pads, settings, 0, half);
    case 2:
        return put_thresholds(out, pads, settings, half, half);
    case 3:
        return put(out, DEBOUNCE, measuring, sizeof measuring);
    case 4:
        return put(out, AUTO_CONFIGURATION, auto_configuration, sizeof auto_configuration);
    default:
        return put(out, MPR121_CONTROL, &control, 1);
    }
}

bool mpr121_as_set(const uint8_t *pads, const struct settings *settings, const uint8_t *in)
{
    uint8_t set[MPR121_CHECKED_BYTES] = {0}; /* the proximity channel's thresholds stay 0 */
    const uint8_t last = MPR121_CHECKED_BYTES - 1;
    thresholds(pads[CHANNEL_COUNT - 1], settings, set);
    memcpy(set + (DEBOUNCE - MPR121_CHECKED), measuring, sizeof measuring);
    return memcmp(in, set, last) == 0 && (in[last] & 0x3F) == electrodes(pads);
}

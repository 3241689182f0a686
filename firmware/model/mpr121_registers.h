/* Addresses of the touch chip's registers. Only the model's files use this header. */
#ifndef MPR121_REGISTERS_H
#define MPR121_REGISTERS_H

#include "mpr121_model.h"

enum {
    TOUCH_LOW = 0x00,
    TOUCH_HIGH = 0x01,
    RANGE_LOW = 0x02,
    RANGE_HIGH = 0x03,
    DATA = 0x04,
    BASELINE = 0x1E,
    RISING = 0x2B, /* four registers: half delta, step, noise count, delay */
    FALLING = 0x2F,
    TOUCHED = 0x33, /* three: step, noise count, delay */
    THRESHOLDS = 0x41,
    DEBOUNCE = 0x5B,
    CURRENT = 0x5C,
    TIMING = 0x5D,
    ELECTRODES = 0x5E,
    CHANNEL_CURRENT = 0x5F,
    CHANNEL_TIME = 0x6C,
    PINS_DATA = 0x75,
    PINS_SET = 0x78,
    PINS_CLEAR = 0x79,
    PINS_TOGGLE = 0x7A,
    AUTO_CONTROL = 0x7B,
    AUTO_CONTROL_1 = 0x7C,
    AUTO_UPPER = 0x7D,
    AUTO_LOWER = 0x7E,
    AUTO_TARGET = 0x7F,
    SOFT_RESET = 0x80
};

#define OVER_CURRENT 0x80 /* in TOUCH_HIGH */

#define SUPPLY_VOLTS 3.3F

/* mpr121_channel.c: give a channel a new value, which is `load` counts lower than with an empty
 * pad. `fresh` is true for the first value since Stop mode. */
void mpr121_channel_sample(struct mpr121_model *chip, unsigned channel, float load, bool fresh);

#endif

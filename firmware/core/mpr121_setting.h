/* The values of the chip's registers for this table. */
#ifndef MPR121_SETTING_H
#define MPR121_SETTING_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

/* The control register: the number of measured electrodes, and in its upper two bits how baselines
 * change. If the number is not 0, the chip runs, and accepts no write to any other register. */
#define MPR121_CONTROL 0x5E
enum { MPR121_FOLLOW = 0x00, MPR121_FROZEN = 0x40, MPR121_LOAD = 0xC0 };

/* Return the control register's value. `pads` is the pad at each channel, or NO_PAD; `baselines`
 * is one of the values above. */
uint8_t mpr121_control(const uint8_t *pads, uint8_t baselines);

/* Write a block to `out` and return its length, at most PORT_BUS_OUT. All blocks are sent to the
 * chip, in order, after a reset; the last block lets the chip run. A block is the address of a
 * register, then the bytes for it and the registers after it. */
#define MPR121_BLOCKS 6
uint8_t mpr121_block(uint8_t block, const uint8_t *pads, const struct settings *settings,
                     uint8_t *out);

/* First register of those that are read to check that the chip still has its settings. */
#define MPR121_CHECKED 0x57
#define MPR121_CHECKED_BYTES (MPR121_CONTROL - MPR121_CHECKED + 1)
bool mpr121_as_set(const uint8_t *pads, const struct settings *settings, const uint8_t *in);

#endif

/* The chip's settings: the values of its registers at this table. */
#ifndef MPR121_SETTING_H
#define MPR121_SETTING_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

/* The control register: how many electrodes are measured, and in its upper two bits what becomes
 * of the baselines. Anything but no electrodes lets the chip run, and then it takes writes to no
 * other register. */
#define MPR121_CONTROL 0x5E
enum { MPR121_FOLLOW = 0x00, MPR121_FROZEN = 0x40, MPR121_LOAD = 0xC0 };

/* `pads`: the pad at each channel, or NO_PAD. `baselines`: one of the above. */
uint8_t mpr121_control(const uint8_t *pads, uint8_t baselines);

/* To be written after a reset, block after block; the last lets the chip run. Each is the address
 * of a register, and bytes from there on. Answers how many that are in all, at most PORT_BUS_OUT. */
#define MPR121_BLOCKS 6
uint8_t mpr121_block(uint8_t block, const uint8_t *pads, const struct settings *settings,
                     uint8_t *out);

/* Read from here on to see whether it is still as it was set. */
#define MPR121_CHECKED 0x57
#define MPR121_CHECKED_BYTES (MPR121_CONTROL - MPR121_CHECKED + 1)
bool mpr121_as_set(const uint8_t *pads, const struct settings *settings, const uint8_t *in);

#endif

#include <string.h>

#include "mpr121_registers.h"

#define RESET_WORD 0x63
#define RESET_US 1000

static bool runs(const struct mpr121_model *chip)
{
    return (chip->registers[ELECTRODES] & 0x3F) != 0;
}

static unsigned channels_on(const struct mpr121_model *chip)
{
    const unsigned count = chip->registers[ELECTRODES] & 0x0F;
    return count < MPR121_MODEL_CHANNELS ? count : MPR121_MODEL_CHANNELS;
}

static uint32_t apart_us(const struct mpr121_model *chip)
{
    return 1000U << (chip->registers[TIMING] & 7);
}

static unsigned samples(const struct mpr121_model *chip)
{
    static const uint8_t counts[] = {4, 6, 10, 18};
    return counts[chip->registers[TIMING] >> 3 & 3];
}

static void defaults(struct mpr121_model *chip)
{
    memset(chip->registers, 0, sizeof chip->registers);
    chip->registers[CURRENT] = 0x10;
    chip->registers[TIMING] = 0x24;
    for (unsigned at = 0; at < MPR121_MODEL_CHANNELS; at++) {
        struct mpr121_model_channel *channel = &chip->channels[at];
        *channel = (struct mpr121_model_channel){.picofarad = channel->picofarad};
    }
    chip->sample_us = MPR121_MODEL_NEVER;
    chip->fresh = false;
    chip->interrupt = false;
}

void mpr121_model_start(struct mpr121_model *chip, mpr121_model_feel *feel, void *pads)
{
    memset(chip, 0, sizeof *chip);
    chip->feel = feel;
    chip->pads = pads;
    /* Pads of 30 mm have about 20 pF. Each of these is charged to MPR121_MODEL_REST by a whole
     * number of microampere (40 … 59) in 1 µs, so that loads in counts are what they say. */
    for (unsigned at = 0; at < MPR121_MODEL_CHANNELS; at++)
        chip->channels[at].picofarad =
            (float)(40 + at * 7 % 20) * 1024 / (MPR121_MODEL_REST * SUPPLY_VOLTS);
    defaults(chip);
}

void mpr121_model_brown_out(struct mpr121_model *chip)
{
    defaults(chip);
    chip->ready_us = 0;
    chip->at = 0;
    chip->addressed = false;
}

void mpr121_model_over_current(struct mpr121_model *chip)
{
    chip->registers[TOUCH_HIGH] |= OVER_CURRENT;
    chip->registers[ELECTRODES] = 0;
    chip->sample_us = MPR121_MODEL_NEVER;
    chip->interrupt = true;
}

uint64_t mpr121_model_next(const struct mpr121_model *chip) { return chip->sample_us; }

uint16_t mpr121_model_status(const struct mpr121_model *chip)
{
    return (uint16_t)(chip->registers[TOUCH_HIGH] << 8 | chip->registers[TOUCH_LOW]);
}

static void sample(struct mpr121_model *chip)
{
    float loads[MPR121_MODEL_CHANNELS];
    chip->feel(chip->pads, chip->sample_us, apart_us(chip), samples(chip), loads);
    for (unsigned channel = 0; channel < channels_on(chip); channel++)
        mpr121_channel_sample(chip, channel, loads[channel], chip->fresh);
    chip->fresh = false;
}

void mpr121_model_run(struct mpr121_model *chip, uint64_t now_us)
{
    while (chip->sample_us <= now_us) {
        sample(chip);
        chip->sample_us += (uint64_t)apart_us(chip) * samples(chip);
    }
}

/* Writing */

static void write_electrodes(struct mpr121_model *chip, uint8_t byte, uint64_t now_us)
{
    if (chip->registers[TOUCH_HIGH] & OVER_CURRENT)
        return;
    const bool ran = runs(chip);
    chip->registers[ELECTRODES] = byte;
    if (!runs(chip)) {
        chip->sample_us = MPR121_MODEL_NEVER;
    } else if (!ran) {
        memset(&chip->registers[TOUCH_LOW], 0, 4);
        chip->fresh = true;
        chip->sample_us = now_us + (uint64_t)apart_us(chip) * samples(chip);
    }
}

static void write_pins(struct mpr121_model *chip, uint8_t at, uint8_t byte)
{
    uint8_t *data = &chip->registers[PINS_DATA];
    switch (at) {
    case PINS_SET: *data |= byte; break;
    case PINS_CLEAR: *data &= (uint8_t)~byte; break;
    case PINS_TOGGLE: *data ^= byte; break;
    default: chip->registers[at] = byte; break;
    }
}

static void write_register(struct mpr121_model *chip, uint8_t at, uint8_t byte, uint64_t now_us)
{
    if (at == SOFT_RESET) {
        if (byte == RESET_WORD) {
            defaults(chip);
            chip->ready_us = now_us + RESET_US;
        }
    } else if (at == TOUCH_HIGH) {
        if (byte & OVER_CURRENT)
            chip->registers[TOUCH_HIGH] &= (uint8_t)~OVER_CURRENT;
    } else if (at == ELECTRODES) {
        write_electrodes(chip, byte, now_us);
    } else if (at >= 0x73 && at <= PINS_TOGGLE) {
        write_pins(chip, at, byte);
    } else if (at >= BASELINE && at < SOFT_RESET && !runs(chip)) {
        chip->registers[at] = byte;
        if (at < BASELINE + MPR121_MODEL_CHANNELS)
            chip->channels[at - BASELINE].baseline = (uint16_t)(byte << 2);
    }
}

/* The bus */

bool mpr121_model_begin(struct mpr121_model *chip, bool reading, uint64_t now_us)
{
    chip->addressed = !reading;
    return now_us >= chip->ready_us;
}

void mpr121_model_write(struct mpr121_model *chip, uint8_t byte, uint64_t now_us)
{
    if (chip->addressed) {
        chip->at = byte;
        chip->addressed = false;
        return;
    }
    write_register(chip, chip->at, byte, now_us);
    chip->at = chip->at < 0x7F ? (uint8_t)(chip->at + 1) : 0;
}

uint8_t mpr121_model_read(struct mpr121_model *chip)
{
    const uint8_t at = chip->at;
    chip->at = at < 0x7F ? (uint8_t)(at + 1) : 0;
    if (at <= TOUCH_HIGH)
        chip->interrupt = false;
    return at < SOFT_RESET ? chip->registers[at] : 0;
}

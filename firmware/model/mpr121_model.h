/* A touch chip (NXP MPR121) at register level, in time that is told to it.
 *
 * It computes only when its filters give a new value (every SFI × ESI), so that hours of play can
 * be run through.
 *
 * Known, from NXP's data sheet (MPR121, revision 4), AN3892, AN3944 and open drivers: registers,
 * counts (1024 × I × T ÷ (C × supply)), thresholds with debounce, baseline rules,
 * auto-configuration, over-current. Not seen in the text itself: the upper bits of 0x5E, the tables
 * of SFI and ESI, the way out of over-current. Assumed:
 *
 * - For 1 ms after a soft reset the chip acknowledges nothing. The first value comes a full interval
 *   after 0x5E is written; every start auto-configures.
 * - A difference of at most twice the half delta moves the baseline at once. A larger one moves it a
 *   step per value after the noise count, which restarts when the value changes sides. The delay
 *   admits one value in (delay + 1).
 * - A pad has 17 to 25 pF, a bare pin 5 pF, and is charged to 720 counts by whole microamperes in
 *   1 µs. A chip grounds the channels that it does not measure (known); dirt passes nothing of that.
 * - Clocks are exact; real ones may be some percent off. The 13th channel and pins 4 to 11 as
 *   outputs are missing.
 */
#ifndef MPR121_MODEL_H
#define MPR121_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define MPR121_MODEL_CHANNELS 12
#define MPR121_MODEL_NEVER UINT64_MAX

/* The pads' loads at a sample: for each channel the counts by which its filtered value falls when
 * it is charged to MPR121_MODEL_REST. The sample is a mean over `count` moments `apart_us` apart,
 * the last at `at_us`. */
#define MPR121_MODEL_REST 720.0F
typedef void mpr121_model_feel(void *pads, uint64_t at_us, uint32_t apart_us, unsigned count,
                               float loads[MPR121_MODEL_CHANNELS]);

struct mpr121_model_channel {
    float picofarad;   /* of the pad with nothing on it */
    uint16_t data;     /* second filter: 10 bits */
    uint16_t baseline; /* third filter: 10 bits, of which the register shows the upper 8 */
    uint8_t noise_count, delay_count, debounce_count;
    bool rising; /* the data was above the baseline */
};

struct mpr121_model {
    uint8_t registers[0x80];
    struct mpr121_model_channel channels[MPR121_MODEL_CHANNELS];
    mpr121_model_feel *feel;
    void *pads;
    uint64_t ready_us;  /* from then on it acknowledges */
    uint64_t sample_us; /* the next sample */
    bool fresh;         /* the next sample is the first since Stop mode */
    bool interrupt;     /* its interrupt line is low */
    uint8_t at;         /* the register that is next */
    bool addressed;     /* the byte written next is the register's number */
};

/* Begin with everything as after switching on. */
void mpr121_model_start(struct mpr121_model *chip, mpr121_model_feel *feel, void *pads);

/* Its supply broke down and came back: all is as after switching on. */
void mpr121_model_brown_out(struct mpr121_model *chip);

/* It finds too much current in its reference resistor: it says so, and stops. */
void mpr121_model_over_current(struct mpr121_model *chip);

/* Let time pass; `now_us` never falls. */
void mpr121_model_run(struct mpr121_model *chip, uint64_t now_us);

/* When the next sample is due; MPR121_MODEL_NEVER in Stop mode. */
uint64_t mpr121_model_next(const struct mpr121_model *chip);

/* Return the status bits: 12, and over-current (bit 15), as in registers 0x00 and 0x01. */
uint16_t mpr121_model_status(const struct mpr121_model *chip);

/* Charging of a channel within each sample: the number of charges, their distance, and the delay of
 * the first, since channels take turns. */
struct mpr121_model_charging {
    unsigned charges;
    float every_us, begins_us;
};
struct mpr121_model_charging mpr121_model_charging(const struct mpr121_model *chip,
                                                   unsigned channel);

/* The bus. Call `mpr121_model_run` before, with the time of the byte. A (repeated) start with the
 * chip's address returns true if it acknowledges. */
bool mpr121_model_begin(struct mpr121_model *chip, bool reading, uint64_t now_us);
void mpr121_model_write(struct mpr121_model *chip, uint8_t byte, uint64_t now_us);
uint8_t mpr121_model_read(struct mpr121_model *chip);

#endif

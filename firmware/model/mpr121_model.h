/* A model of the touch chip (NXP MPR121) at register level. Its callers give it the time.
 *
 * It calculates only when its filters give a new value (every SFI × ESI), so that hours of play can
 * be simulated quickly.
 *
 * Known, from NXP's data sheet (MPR121, revision 4), AN3892, AN3944 and open drivers: registers,
 * counts (1024 × I × T ÷ (C × supply)), thresholds with debounce, baseline rules,
 * auto-configuration, over-current. Known only from other sources: the upper bits of 0x5E, the
 * tables of SFI and ESI, how over-current ends. Assumed:
 *
 * - For 1 ms after a soft reset the chip acknowledges nothing. The first value comes a full
 *   interval after 0x5E is written; every start auto-configures.
 * - A difference of at most twice the half delta moves the baseline at once. A larger one moves it
 *   by one step for each value after the noise count; the count restarts when the value changes
 *   sides. Of (delay + 1) values, one counts.
 * - A pad has 17 to 25 pF, a bare pin 5 pF, and is charged to 720 counts by whole microamperes in 1
 *   µs. A chip grounds the channels that it does not measure (known); dirt does not conduct this
 *   ground to other channels.
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
    float picofarad;   /* of the pad without an object on it */
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
    uint64_t ready_us;  /* the chip acknowledges from this time on */
    uint64_t sample_us; /* time of the next sample */
    bool fresh;         /* the next sample is the first since Stop mode */
    bool interrupt;     /* its interrupt line is low */
    uint8_t at;         /* number of the next register */
    bool addressed;     /* the next written byte is a register's number */
};

/* Initialize the chip as at power-on. */
void mpr121_model_start(struct mpr121_model *chip, mpr121_model_feel *feel, void *pads);

/* Simulate a short loss of supply: the chip is as at power-on. */
void mpr121_model_brown_out(struct mpr121_model *chip);

/* Simulate over-current in the chip's reference resistor: the chip reports it, and stops. */
void mpr121_model_over_current(struct mpr121_model *chip);

/* Let time pass; `now_us` never falls. */
void mpr121_model_run(struct mpr121_model *chip, uint64_t now_us);

/* Return the time of the next sample; MPR121_MODEL_NEVER in Stop mode. */
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

/* The bus. First call `mpr121_model_run` with the time of the byte. `mpr121_model_begin` is a start
 * or repeated start with the chip's address; it returns true if the chip acknowledges. */
bool mpr121_model_begin(struct mpr121_model *chip, bool reading, uint64_t now_us);
void mpr121_model_write(struct mpr121_model *chip, uint8_t byte, uint64_t now_us);
uint8_t mpr121_model_read(struct mpr121_model *chip);

#endif

/* Interprets the bytes read from a touch chip, from register 0 on. mpr121_reading.c explains the
 * steps. */
#ifndef MPR121_READING_H
#define MPR121_READING_H

#include "mpr121.h"

enum {
    MPR121_STATUS = 0x00,
    MPR121_OUT_OF_RANGE = 0x02,
    MPR121_FILTERED = 0x04,
    MPR121_BASELINE = 0x1E
};

#define MPR121_EXCESS 0x8000 /* in the status: over-current */

/* Return two registers as a word; the first is the low byte. */
uint16_t mpr121_word(const uint8_t *in);

/* True if a chip can have sent these bytes: all bits that are always 0 are 0. `counts` is true if
 * the bytes contain the filtered counts, which are then checked too. */
bool mpr121_possible(const uint8_t *in, bool counts);

void mpr121_take_counts(struct mpr121 *chip, const uint8_t *in);

/* Update `out_of_range`, after several equal readings. */
void mpr121_take_range(struct mpr121 *chip, const uint8_t *in);

/* True if each electrode in range has a count and a baseline. */
bool mpr121_all_measured(const struct mpr121 *chip);

/* Update `heavy`, `faint` and `lifted` from the stored counts and from earlier loads. */
void mpr121_weigh(struct mpr121 *chip, const struct settings *settings, uint32_t now_ms);

/* Update `noisy` by comparing the counts in `in` with the stored counts. Call it before
 * mpr121_take_counts, which stores the new ones. */
void mpr121_watch_noise(struct mpr121 *chip, const struct settings *settings, const uint8_t *in);

/* Update `perhaps` from the counts in `in` and the status of both reads. Return the channels that may
 * become touched now: those with the load of a touch in three values in a row, of which each read
 * between them had it too. */
uint16_t mpr121_suspect(struct mpr121 *chip, const struct settings *settings, const uint8_t *in,
                        uint32_t now_ms);

/* Return in how many milliseconds a reading sees the next value of a suspicion. The chip does not
 * call for it. 0 if there is no suspicion: then every reading begins one. */
uint8_t mpr121_value_ms(const struct mpr121 *chip, uint32_t now_ms);

/* Forget all suspicions. */
void mpr121_forget_suspicion(struct mpr121 *chip);

/* Forget all noise. */
void mpr121_forget_noise(struct mpr121 *chip);

/* Update `touched` after the third read, whose status is `third`. All three reads must agree, and
 * the counts must confirm a touch. */
void mpr121_decide(struct mpr121 *chip, const struct settings *settings, uint16_t third);

#endif

/* What is made of the bytes that are read, from register 0 on. */
#ifndef MPR121_READING_H
#define MPR121_READING_H

#include "mpr121.h"

enum {
    MPR121_STATUS = 0x00,
    MPR121_OUT_OF_RANGE = 0x02,
    MPR121_FILTERED = 0x04,
    MPR121_BASELINE = 0x1E
};

#define MPR121_EXCESS 0x8000 /* in a status: over-current */

/* Two registers, of which the first is the lower. */
uint16_t mpr121_word(const uint8_t *in);

/* Can a chip have sent this? Bits that are always 0 tell when it did not. */
bool mpr121_possible(const uint8_t *in, bool counts);

void mpr121_take_counts(struct mpr121 *chip, const uint8_t *in);

/* The electrodes that are out of range, once it has been told for a while. */
void mpr121_take_range(struct mpr121 *chip, const uint8_t *in);

/* Have all electrodes been measured, but those that are out of range? */
bool mpr121_all_measured(const struct mpr121 *chip);

/* What is heavy or faint, and what has been lifted: of the counts as they are, and as they were
 * before. */
void mpr121_weigh(struct mpr121 *chip, const struct settings *settings, uint32_t now_ms);

/* Which pads are noisy: of the counts that are read, and of those before. To be called before
 * mpr121_take_counts. */
void mpr121_watch_noise(struct mpr121 *chip, const struct settings *settings, const uint8_t *in);

/* Nothing is known of noise: begin to watch for it. */
void mpr121_forget_noise(struct mpr121 *chip);

/* After the third reading: what all three agree on is so, a touch only where the counts bear it
 * out. */
void mpr121_decide(struct mpr121 *chip, const struct settings *settings, uint16_t third);

#endif

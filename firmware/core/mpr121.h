/* One MPR121, as a state machine that takes turns on the bus.
 *
 * A turn is one transfer: `mpr121_begin` starts it, `mpr121_end` gets its result. Between two turns of
 * one chip others may have theirs, so a chip that is starting blocks nobody.
 *
 * A change of touch counts only if three reads in a row agree and the counts of the second confirm
 * it: a bit error on the bus is no finger.
 */
#ifndef MPR121_H
#define MPR121_H

#include <stdbool.h>
#include <stdint.h>

#include "pads.h"
#include "port.h"
#include "settings.h"

#define MPR121_CHANNELS 0x0FFF   /* all of them, in a mask */
#define MPR121_MAX_READ_BYTES 42 /* 0x00 … 0x29: status, filtered counts, baselines */

/* Cause of giving the chip up, as in STATE (../PROTOCOL.md). */
enum mpr121_fault {
    MPR121_NO_FAULT = 0,
    MPR121_NOT_ANSWERING = 1,
    MPR121_BROWN_OUT = 2,
    MPR121_OVER_CURRENT = 3
};

struct mpr121 {
    /* All flags, in one byte: results, */
    bool ready : 1;       /* what follows can be relied on */
    /* requests, */
    bool scan : 1;        /* read the touch bits; false again when done */
    bool counts : 1;      /* read the counts too; false again when done */
    bool frozen : 1;      /* keep the baselines as they are */
    /* and its own. */
    bool restart : 1, lost : 1, doubted : 1;

    /* Results. Masks have bit n for channel n. */
    uint16_t touched;
    uint16_t heavy;        /* touched by no finger: the load is too much, or came bit by bit */
    uint16_t faint;        /* touched with less load than a touch: noise holds it */
    uint16_t lifted;       /* far above the baseline: the object in the baseline has gone */
    uint16_t out_of_range; /* these cannot be read */
    uint16_t noisy;        /* their counts swing by a touch, to and fro: touches are unclear */
    uint16_t filtered[CHANNEL_COUNT];
    uint8_t baseline[CHANNEL_COUNT]; /* in fours */
    uint8_t fault;         /* the last */
    uint8_t started;       /* times it was started, with new baselines, wrapping */
    uint8_t found;         /* those of them that were for a fault, wrapping */

    /* Its own. */
    const uint8_t *pads;    /* the pad at each channel, or NO_PAD */
    uint8_t address;
    uint8_t control;        /* the electrode configuration register, as it was written last */
    uint8_t turn;           /* what the next turn is for, or the one under way */
    uint8_t block;          /* the next block of registers to be written */
    uint8_t range_readings; /* equal readings in a row */
    uint16_t first, second; /* status in the first two of three reads */
    uint16_t was_above, was_below, range;
    int8_t mean[CHANNEL_COUNT]; /* load above that of a touch while touched, in sixteenths */
    uint8_t before[CHANNEL_COUNT]; /* the least load of the span before, of this one in the low half */
    uint8_t held_ms;        /* a hand held something at last, in eights, by their last byte */
    uint8_t span_ms;        /* that span began, by the last byte of the clock */
    uint16_t rose, fell;    /* by a touch or more, with one of the last two readings, */
    uint16_t fresh;         /* and that with the last */
    uint16_t once, twice;   /* swung back lately; and twice or more often */
    uint8_t window;         /* readings left in it */
    uint16_t wait_ms;       /* before the next attempt after a fault */
    uint32_t due_ms;        /* of the next turn while it is not ready */
    uint32_t since_ms;      /* it has been ready, or settling */
    uint32_t checked_ms;
};

/* `pads`: the pad at each of its channels, or NO_PAD; it must stay valid. */
void mpr121_init(struct mpr121 *chip, uint8_t address, const uint8_t *pads);

/* Restart the chip with new baselines, without a fault. */
void mpr121_restart(struct mpr121 *chip);

/* Begin the due transfer, if there is one. Bytes read go to `in` (MPR121_MAX_READ_BYTES bytes), which
 * must stay untouched until mpr121_end. */
bool mpr121_begin(struct mpr121 *chip, struct port *port, const struct settings *settings,
                  uint8_t *in, uint32_t now_ms);

/* End that transfer with its `status`. */
void mpr121_end(struct mpr121 *chip, enum bus_status status, const struct settings *settings,
                const uint8_t *in, uint32_t now_ms);

#endif

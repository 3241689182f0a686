/* One MPR121 touch chip, as a state machine. The chips share the bus and use it in turns.
 *
 * A turn is one transfer: `mpr121_begin` starts it, `mpr121_end` gets its result. Between two turns
 * of one chip other chips may have theirs, so a chip that is starting blocks no other chip.
 *
 * A change of touch counts only if three reads in a row agree and the counts of the second read
 * confirm it. A bit error on the bus is therefore not taken for a finger. A touch also needs three
 * values of the chip; from the first on it is a suspicion.
 */
#ifndef MPR121_H
#define MPR121_H

#include <stdbool.h>
#include <stdint.h>

#include "pads.h"
#include "port.h"
#include "settings.h"

#define MPR121_CHANNELS 0x0FFF   /* a mask of all channels */
#define MPR121_MAX_READ_BYTES 42 /* 0x00 … 0x29: status, filtered counts, baselines */

/* Why the chip was given up and restarted, as in STATE (../PROTOCOL.md). */
enum mpr121_fault {
    MPR121_NO_FAULT = 0,
    MPR121_NOT_ANSWERING = 1,
    MPR121_BROWN_OUT = 2,
    MPR121_OVER_CURRENT = 3
};

struct mpr121 {
    /* Flags, in one byte. Results: */
    bool ready : 1;       /* the results below are valid */
    bool lost : 1;        /* given up because of `fault`, and not ready since */
    /* Requests: */
    bool scan : 1;        /* read the touch bits; false again when done */
    bool regular : 1;     /* this scan is one of those at equal times; false again when done */
    bool counts : 1;      /* read the counts too; false again when done */
    bool frozen : 1;      /* keep the baselines as they are */
    /* Private: */
    bool restart : 1, doubted : 1;

    /* Results. Masks have bit n for channel n. */
    uint16_t touched;
    uint16_t perhaps;      /* not touched, but the last value had the load of a touch */
    uint16_t heavy;        /* touched, but not by a finger: the load is too great, or came slowly */
    uint16_t faint;        /* touched for the chip, but with too little load for a finger */
    uint16_t lifted;       /* count far above the baseline: an object that was part of it is gone */
    uint16_t out_of_range; /* these cannot be read */
    uint16_t noisy;        /* counts swing up and down by a touch, so touches are uncertain */
    uint16_t filtered[CHANNEL_COUNT];
    uint8_t baseline[CHANNEL_COUNT]; /* in units of four counts */
    uint8_t fault;         /* the last fault (enum mpr121_fault) */
    uint8_t started;       /* number of starts, each with new baselines, wrapping */
    uint8_t found;         /* number of starts after a fault, wrapping */

    /* Private: */
    const uint8_t *pads;    /* the pad at each channel, or NO_PAD */
    uint8_t address;
    uint8_t control;        /* the control register's last written value */
    uint8_t turn;           /* purpose of the current or next turn */
    uint8_t block;          /* number of the next block of registers to write */
    uint8_t range_readings; /* equal readings in a row */
    uint16_t first, second; /* status in the first two of three reads */
    uint16_t twice;         /* `perhaps` in two values in a row */
    uint8_t suspected_ms;   /* when these two were last updated: low byte of the clock */
    uint16_t was_above, was_below, range;
    int8_t mean[CHANNEL_COUNT]; /* mean load above the touch threshold, in 1/8 counts */
    uint8_t before[CHANNEL_COUNT]; /* least load of the last span (high half), of this one (low) */
    uint8_t held_ms;        /* when `heavy` was last confirmed: units of 8 ms, low byte */
    uint8_t span_ms;        /* when the current span began: low byte of the clock */
    uint16_t rose, fell;    /* rose, fell by a touch at one of the last two readings */
    uint16_t fresh;         /* did so at the last reading */
    uint16_t swung, swung_again; /* swung back once; twice or more in this window */
    uint8_t window;         /* readings until the window ends */
    uint16_t wait_ms;       /* backoff: wait before the next attempt after a fault */
    uint32_t due_ms;        /* time of the next turn of a start; of the next check when ready */
    uint16_t since_ms;      /* when it became ready, or began to settle: low half of the clock */
};

/* `pads` is the pad at each channel, or NO_PAD. The array must stay valid. */
void mpr121_init(struct mpr121 *chip, uint8_t address, const uint8_t *pads);

/* Restart the chip with new baselines. This does not count as a fault. */
void mpr121_restart(struct mpr121 *chip);

/* Begin the due transfer; returns false if none is due. Bytes read go to `in`, which has room for
 * MPR121_MAX_READ_BYTES and must not be changed before mpr121_end. */
bool mpr121_begin(struct mpr121 *chip, struct port *port, const struct settings *settings,
                  uint8_t *in, uint32_t now_ms);

/* Return when the next transfer is due if no scan is requested before. */
uint32_t mpr121_next_ms(const struct mpr121 *chip, uint32_t now_ms);

/* Handle the end of that transfer; `status` is its result. */
void mpr121_end(struct mpr121 *chip, enum bus_status status, const struct settings *settings,
                const uint8_t *in, uint32_t now_ms);

#endif

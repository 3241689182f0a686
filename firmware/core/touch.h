/* Three touch chips as one table: which pads are touched, how heavily, and which cannot be read. */
#ifndef TOUCH_H
#define TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#include "mpr121.h"
#include "pads.h"
#include "port.h"
#include "settings.h"

#define COUNTER_BYTES ((PLACE_COUNT + 1) / 2)

/* The fields of STATE (../PROTOCOL.md). Masks have bit n for place n. */
struct felt {
    uint32_t touched, heavy, deaf;
    uint8_t chips;                 /* those that can be read, bit n for the chip at 0x5A + n */
    bool water, rim;
    uint8_t counters[COUNTER_BYTES]; /* of touches and lifts, 4 bits a place; their lowest bit: is
                                        touched */
    uint8_t causes;                /* cause of each chip's last restart, 2 bits each */
    uint8_t restarts;
};

struct touch {
    struct felt felt; /* for others to read */
    struct mpr121 chips[CHIP_COUNT];
    uint8_t in[MPR121_MAX_READ_BYTES]; /* of the transfer under way */
    bool under_way;
    uint8_t turn;                 /* the chip whose transfer it is, or was */
    uint8_t counted;              /* the chip whose counts were wanted last, touched or not */
    bool changed;                 /* something may be felt that is not in `felt` yet */
    uint8_t found[CHIP_COUNT], started[CHIP_COUNT]; /* as it was when last looked at */
    uint16_t masked[CHIP_COUNT];  /* channels held so long that they do not count */
    uint8_t held[CHIP_COUNT][CHANNEL_COUNT]; /* how long each has been touched, in HELD_MS */
    uint32_t begun_ms, scanned_ms, held_ms;
    uint32_t quiet_ms[CHIP_COUNT]; /* nothing of that chip has been touched since */
};

void touch_start(struct touch *touch, uint32_t now_ms);

/* Go on with whatever is under way on the bus. Answers whether there is more to do at once. */
bool touch_step(struct touch *touch, struct port *port, const struct settings *settings,
                uint32_t now_ms);

/* Restart every chip, for new settings or new baselines. */
void touch_restart(struct touch *touch);

/* The pads (bit n for pad n) that can be read, and whose counts noise swings by a touch. */
uint32_t touch_noisy(const struct touch *touch);

/* The raw counts of a pad; one that cannot be read has a filtered count of 0xFFFF. */
struct raw {
    uint16_t filtered, baseline;
};

/* Request the raw counts of all pads; `touch_raw_ready` is true when they are there. */
void touch_want_raw(struct touch *touch);
bool touch_raw_ready(const struct touch *touch);
struct raw touch_raw(const struct touch *touch, uint8_t pad);

#endif

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
    uint8_t chips;                 /* readable chips, bit n for the chip at 0x5A + n */
    bool water, rim;
    uint8_t counters[COUNTER_BYTES]; /* touches and lifts of each place, 4 bits each; the lowest
                                        bit is 1 while touched */
    uint8_t causes;                /* cause of each chip's latest fault, 2 bits each */
    uint8_t restarts;
};

struct touch {
    struct felt felt; /* the result, for other files */
    struct mpr121 chips[CHIP_COUNT];
    uint8_t in[MPR121_MAX_READ_BYTES]; /* bytes of the transfer under way */
    bool under_way : 1;
    bool changed : 1;             /* `felt` may be out of date */
    uint8_t turn;                 /* the chip of the current or last transfer */
    uint8_t counted;              /* the chip whose counts were requested last */
    uint8_t mistrusted;           /* regular scans until suspicions are told again */
    uint8_t found[CHIP_COUNT], started[CHIP_COUNT]; /* values of struct mpr121 when last checked */
    uint16_t masked[CHIP_COUNT];  /* channels held for so long that they are ignored */
    uint8_t held[CHIP_COUNT][CHANNEL_COUNT]; /* time touched, in units of HELD_MS */
    uint8_t begun_ms;             /* when the transfer began: low byte of the clock */
    uint8_t regular_ms;           /* when the last regular scan began: low byte of the clock */
    uint32_t scanned_ms, held_ms;
    uint16_t quiet_ms[CHIP_COUNT]; /* since when no channel of the chip is touched, at most QUIET_MS
                                      ago: low half of the clock */
};

void touch_start(struct touch *touch, uint32_t now_ms);

/* Continue the work on the bus. Returns true if there is more to do at once. */
bool touch_step(struct touch *touch, struct port *port, const struct settings *settings,
                uint32_t now_ms);

/* Return the time of the next step that is due if the port reports nothing before; at least one
 * millisecond from now. */
uint32_t touch_next_ms(const struct touch *touch, const struct port *port, uint32_t now_ms);

/* Restart every chip, for new settings or new baselines. */
void touch_restart(struct touch *touch);

/* Return the places (bit n for place n) that are not touched, but perhaps will be: their last value
 * had the load of a touch. None for a while after such a value that was no touch, so that noise does
 * not make the lights flicker. */
uint32_t touch_perhaps(const struct touch *touch);

/* Return the readable pads (bit n for pad n) whose noise is as large as a touch. */
uint32_t touch_noisy(const struct touch *touch);

/* The raw counts of a pad. `filtered` is 0xFFFF for an unreadable pad. */
struct raw {
    uint16_t filtered, baseline;
};

/* Request the raw counts of all pads. `touch_raw_ready` is true when they have arrived. */
void touch_want_raw(struct touch *touch);
bool touch_raw_ready(const struct touch *touch);
struct raw touch_raw(const struct touch *touch, uint8_t pad);

#endif

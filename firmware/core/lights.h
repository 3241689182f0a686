/* The lights: the Pi's order, or the controller's own pattern while the Pi is silent; never more
 * than the supply gives. */
#ifndef LIGHTS_H
#define LIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "colour.h"
#include "pads.h"
#include "port.h"

struct lights {
    struct colour ordered[LED_COUNT]; /* as they are to look */
    /* Of the frame shown: */
    uint16_t current_ma; /* by calculation */
    uint16_t check;      /* over the order at the time it was shown */
    bool own;            /* it is the controller's own pattern */
    bool starving;       /* it is darker than it was meant: it would have drawn too much */
    /* The rest is its own. */
    uint32_t missing;    /* places for which nothing has been ordered yet */
    bool half;           /* the order is incomplete */
    bool silent, changed;
};

/* Number of lights of the strip. */
uint16_t lights_count(void);

/* Nothing is ordered; the own pattern is due. */
void lights_start(struct lights *lights);

/* `ordered` was written for these places: show it, or wait for `more` of the frame, which another
 * order brings. Before each place has been ordered, the own pattern stays. */
void lights_order(struct lights *lights, uint32_t places, bool more);

/* True if the Pi is silent. */
void lights_silence(struct lights *lights, bool silent);

/* Show the frame again: the current limit has changed. */
void lights_again(struct lights *lights);

/* True if a frame is still to be sent to the strip. */
bool lights_waiting(const struct lights *lights);

/* Send the due frame, if the strip is ready. Returns true if it was sent. */
bool lights_step(struct lights *lights, struct port *port, uint16_t most_ma);

#endif

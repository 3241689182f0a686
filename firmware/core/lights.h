/* What the lights show: what the Pi has ordered, or the controller's own pattern while nobody tells;
 * never more than the supply gives.
 */
#ifndef LIGHTS_H
#define LIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "colour.h"
#include "pads.h"
#include "port.h"

struct lights {
    struct colour ordered[LED_COUNT]; /* as they are to look */
    /* Of what is shown: */
    uint16_t current_ma; /* by calculation */
    uint16_t check;      /* over what was ordered when it was shown */
    bool own;            /* it is the controller's own pattern */
    bool starving;       /* it is darker than it was meant: it would have drawn too much */
    /* The rest is its own. */
    uint32_t missing;    /* places for which nothing has been ordered yet */
    bool half;           /* what is ordered is not whole yet */
    bool silent, changed;
};

/* How many lights the strip has. */
uint16_t lights_count(void);

/* Nothing is ordered; the own pattern is due. */
void lights_start(struct lights *lights);

/* `ordered` was written for these places: show it, or wait for `more` of the frame, which another
 * order brings. Before each place has been ordered, the own pattern stays. */
void lights_order(struct lights *lights, uint32_t places, bool more);

/* Does the Pi keep silent? */
void lights_silence(struct lights *lights, bool silent);

/* Show again what is due: the greatest current has changed. */
void lights_again(struct lights *lights);

/* Has the strip still to be told what is due? */
bool lights_waiting(const struct lights *lights);

/* Tell the strip what is due, if it can be told now. Answers whether it was told. */
bool lights_step(struct lights *lights, struct port *port, uint16_t most_ma);

#endif

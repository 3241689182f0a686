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
    struct colour ordered[PLACE_COUNT];
    /* Of what is shown: */
    uint16_t current_ma; /* by calculation */
    bool own;            /* it is the controller's own pattern */
    bool starving;       /* it is darker than it was meant: it would have drawn too much */
    /* The rest is its own. */
    bool any;            /* has anything been ordered? */
    bool silent, changed;
};

/* How many lights the strip has. */
uint16_t lights_count(void);

/* Nothing is ordered; the own pattern is due. */
void lights_start(struct lights *lights);

/* `ordered` was written: show it. */
void lights_order(struct lights *lights);

/* Does the Pi keep silent? */
void lights_silence(struct lights *lights, bool silent);

/* Show again what is due: the greatest current has changed. */
void lights_again(struct lights *lights);

/* Has the strip still to be told what is due? */
bool lights_waiting(const struct lights *lights);

/* Tell the strip what is due, if it can be told now. Answers whether it was told. */
bool lights_step(struct lights *lights, struct port *port, uint16_t most_ma);

#endif

/* The leads from the touch chips' channels to the electrodes, and their faults: all that a maker
 * with a soldering iron can do wrong. */
#ifndef LEADS_H
#define LEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "loads.h"
#include "pads.h"

#define LEADS_OVERLAY_MM 3.0F /* thickness of the overlay for which loads are given */
#define LEADS_CARD_MM 0.4F    /* card and glue, as an equal thickness of acrylic */
#define LEADS_PIN_PF 5.0F     /* of a channel with a broken lead: a pin and some track */
#define LEADS_GROUND_PF 1e5F  /* of a channel that touches ground: too much for any charge */

struct leads {
    uint8_t to[CHIP_COUNT][CHANNEL_COUNT]; /* the electrode at each channel, or NO_PAD */
    uint8_t joined[PAD_COUNT];             /* the electrode to which it is joined, or NO_PAD */
    bool shorted[PAD_COUNT];               /* true if joined by metal, not by dirt */
    bool open[PAD_COUNT], grounded[PAD_COUNT];
    float share; /* share of a load that comes through the overlay; 1 at LEADS_OVERLAY_MM */
};

/* Set the leads as in hardware/wiring.csv, without faults. */
void leads_start(struct leads *leads);

/* Join two electrodes: by metal if `shorted` is true, else by dirt. An electrode is joined to at
 * most one other, so earlier joints of the two end. */
void leads_join(struct leads *leads, unsigned first, unsigned second, bool shorted);

/* Swap the channels of two electrodes. */
void leads_swap(struct leads *leads, unsigned first, unsigned second);

/* Swap all leads of two chips. */
void leads_swap_chips(struct leads *leads, unsigned first, unsigned second);

/* Return a channel's load; the arguments are those of `loads_mean`. */
float leads_load(const struct leads *leads, const struct loads *loads, unsigned chip,
                 unsigned channel, uint64_t at_us, uint32_t apart_us, unsigned count);

/* Return the capacitance that a channel charges. `own` is that of its electrode alone, in pF. */
float leads_picofarad(const struct leads *leads, unsigned chip, unsigned channel, float own);

#endif

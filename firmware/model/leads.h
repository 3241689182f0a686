/* The leads from the channels of the touch chips to the electrodes, and what may be wrong with them:
 * what somebody with a soldering iron can do to a table. */
#ifndef LEADS_H
#define LEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "loads.h"
#include "pads.h"

#define LEADS_OVERLAY_MM 3.0F /* the overlay for which loads are stated, */
#define LEADS_CARD_MM 0.4F    /* and the card and glue, as so much acrylic */
#define LEADS_PIN_PF 5.0F     /* of a channel whose lead is broken: a pin, and some track */
#define LEADS_GROUND_PF 1e5F  /* of one that touches ground: more than any charge fills */

struct leads {
    uint8_t to[CHIP_COUNT][CHANNEL_COUNT]; /* the electrode at each channel, or NO_PAD */
    uint8_t joined[PAD_COUNT];             /* the electrode that it is joined to, or NO_PAD */
    bool shorted[PAD_COUNT];               /* and that by metal, not by dirt */
    bool open[PAD_COUNT], grounded[PAD_COUNT];
    float share; /* how much of a load comes through the overlay; 1 with LEADS_OVERLAY_MM */
};

/* As hardware/wiring.csv has them. */
void leads_start(struct leads *leads);

/* `first` and `second` are joined: shorted by metal, or by dirt alone. Each is joined to one other
 * at most: what they were joined to before they no longer are. */
void leads_join(struct leads *leads, unsigned first, unsigned second, bool shorted);

/* The two electrodes hang on each other's channels. */
void leads_swap(struct leads *leads, unsigned first, unsigned second);

/* The two chips hang on each other's leads. */
void leads_swap_chips(struct leads *leads, unsigned first, unsigned second);

/* Return a channel's load; the arguments are those of `loads_mean`. */
float leads_load(const struct leads *leads, const struct loads *loads, unsigned chip,
                 unsigned channel, uint64_t at_us, uint32_t apart_us, unsigned count);

/* Return the capacity that a channel charges, if its electrode alone has `own` picofarad. */
float leads_picofarad(const struct leads *leads, unsigned chip, unsigned channel, float own);

#endif

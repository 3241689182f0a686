/* The lights: the colours that the Pi has sent, or the controller's own pattern while the Pi is
 * silent. They never draw more than the current limit. */
#ifndef LIGHTS_H
#define LIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "colour.h"
#include "pads.h"
#include "port.h"

struct lights {
    struct colour ordered[LED_COUNT]; /* the Pi's colours (sRGB) */
    /* About the frame shown: */
    uint16_t current_ma; /* calculated */
    uint16_t check;      /* CRC of `ordered` when the frame was sent */
    bool own;            /* true for the controller's own pattern */
    bool starving;       /* dimmed to the current limit */
    /* Private: */
    uint32_t missing;    /* places without a colour from the Pi yet */
    bool half;           /* more of the frame is to come */
    bool silent, changed;
};

/* Return the number of LEDs of a frame. */
uint16_t lights_count(void);

/* Begin without colours from the Pi; the own pattern is due. */
void lights_start(struct lights *lights);

/* Show `ordered`, in which the caller has changed these places. If `more` of the frame is to come,
 * show nothing yet. The own pattern stays until each place has a colour from the Pi. */
void lights_order(struct lights *lights, uint32_t places, bool more);

/* Set whether the Pi is silent. */
void lights_silence(struct lights *lights, bool silent);

/* Show the frame again: the current limit has changed, or the strip has refused it. */
void lights_again(struct lights *lights);

/* True if a frame is still to be sent to the strip. */
bool lights_waiting(const struct lights *lights);

/* Return the pulses that an LED (0 … LED_COUNT - 1) should have, without the current limit. */
struct colour lights_pulse(const struct lights *lights, uint8_t led);

/* Send the frame to the lights, within the current limit; set `current_ma` and `starving`. Not in
 * lights.c: wired.c and linux/laid.c know the lights. */
void lights_send(struct lights *lights, struct port *port, uint16_t most_ma);

/* Send the due frame if the strip is ready. Returns true if it was sent. */
bool lights_step(struct lights *lights, struct port *port, uint16_t most_ma);

#endif

/* Which LED each light of the string shows. pi_table/common/light_layout.py explains the file. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "colour.h"

#define LAYOUT_LIGHTS 256 /* maximum number of lights, with those that stay dark */
#define LAYOUT_BYTES (3 * LAYOUT_LIGHTS)
#define LAYOUT_DARK 0xFF

struct layout {
    uint16_t count;
    uint8_t order[3]; /* the colours on the data line: 0 is red, 1 green, 2 blue */
    uint8_t first[LAYOUT_LIGHTS]; /* the first LED of each light, or LAYOUT_DARK */
    uint8_t more[LAYOUT_LIGHTS];  /* bit N: it shows the LED `first` + 1 + N, too */
};

/* Why a file was refused. */
struct layout_fault {
    unsigned line; /* 0 if it is not one line */
    char what[120];
};

/* The strip of hardware/wiring.csv. */
extern const struct layout layout_wired;

/* Read a layout from a text or a file. Return false if it has an error. `layout` is then
 * undefined. */
bool layout_parse(struct layout *layout, const char *text, size_t count, struct layout_fault *fault);
bool layout_read(struct layout *layout, const char *path, struct layout_fault *fault);

/* Return the mean of the pulses that a light stands for. `pulses` has one for each LED. */
struct colour layout_mean(const struct layout *layout, uint16_t light, const struct colour *pulses);

#endif

/* Decodes the strip's line edge by edge: bits by the length of their highs, frames by a long low.
 * Measures the greatest deviation from the data sheet. */
#ifndef WAVEFORM_H
#define WAVEFORM_H

#include "cpu.h"
#include "strip.h"

struct waveform {
    struct unit unit;
    struct cpu *cpu;
    struct strip *strip;
    bool high;
    cycles edge;  /* the last one */
    cycles begun; /* the first one of the frame */
    bool one;     /* the bit whose low is under way */
    size_t bits;  /* of the frame so far */
    uint8_t bytes[STRIP_BYTES];
    uint64_t bit_worst_half_ns; /* how far a high or a low was from the data sheet */
    cycles gap_worst; /* the longest low between two lights of a frame */
};

void waveform_start(struct waveform *waveform, struct cpu *cpu, struct strip *strip);

/* The line is at this level from now on. */
void waveform_level(struct waveform *waveform, bool high);

#endif

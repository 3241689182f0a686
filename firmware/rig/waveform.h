/* Decodes the strip's line edge by edge. The length of a high gives the bit; a long low ends a
 * frame. Also measures the greatest deviation from the data sheet. */
#ifndef WAVEFORM_H
#define WAVEFORM_H

#include "cpu.h"
#include "strip.h"

struct waveform {
    struct unit unit;
    struct cpu *cpu;
    struct strip *strip;
    bool high;
    cycles edge;  /* time of the last edge */
    cycles begun; /* time of the frame's first edge */
    bool one;     /* value of the bit whose low has begun */
    size_t bits;  /* number of bits in the frame so far */
    uint8_t bytes[STRIP_BYTES];
    uint64_t bit_worst_half_ns; /* greatest deviation of a high or low from the data sheet */
    cycles gap_worst; /* the longest low between two lights of a frame */
};

void waveform_start(struct waveform *waveform, struct cpu *cpu, struct strip *strip);

/* Set the line's level from now on. */
void waveform_level(struct waveform *waveform, bool high);

#endif

#ifndef COLOUR_H
#define COLOUR_H

#include <stdint.h>

/* A colour in sRGB; or the lengths of an LED's pulses, which are proportional to its light. */
struct colour {
    uint8_t red, green, blue;
};

#endif

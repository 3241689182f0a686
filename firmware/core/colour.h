#ifndef COLOUR_H
#define COLOUR_H

#include <stdint.h>

/* As it is to look, in sRGB; or how long the pulses of an LED are. */
struct colour {
    uint8_t red, green, blue;
};

#endif

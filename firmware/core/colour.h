#ifndef COLOUR_H
#define COLOUR_H

#include <stdint.h>

struct colour {
    uint8_t red, green, blue;
};

#endif

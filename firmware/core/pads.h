/* Numbers of places and pads; ../PROTOCOL.md defines both. */
#ifndef PADS_H
#define PADS_H

#include "facts.h"

#define RIM_FIRST PLACE_COUNT
#define NO_PAD 0xFF

#endif

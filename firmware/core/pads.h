/* The places of the table and the pads that feel: ../PROTOCOL.md. */
#ifndef PADS_H
#define PADS_H

#include "facts.h"

#define RIM_FIRST PLACE_COUNT
#define NO_PAD 0xFF

#endif

/* The places of the table and the pads that feel: ../PROTOCOL.md. */
#ifndef PADS_H
#define PADS_H

#define CELL_COUNT 25
#define PLACE_COUNT 27 /* the cells, end-turn, hourglass */
#define RIM_FIRST PLACE_COUNT
#define PAD_COUNT 31 /* the places, then the rim: far, left, right, near */
#define NO_PAD 0xFF
#define CHIP_COUNT 3
#define CHANNEL_COUNT 12 /* electrodes of a chip */

#endif

/* Frames on the serial line (see ../PROTOCOL.md): COBS, a CRC-32, and a zero at the end. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#include "crc.h"

/* Length of the frame for a message of `count` bytes: a code before it, the CRC and a zero after
 * it. Messages are too short to need a second code. */
#define FRAME_BYTES(count) ((count) + CRC_BYTES + 2)

/* Turn the message of `count` bytes that begins at frame[1] into a frame, in place. Returns the
 * frame's length. */
uint8_t frame_encode(uint8_t frame[], uint8_t count);

struct frame_decoder {
    uint8_t *bytes;  /* the message; valid until the next byte */
    uint8_t dropped; /* number of dropped frames, wrapping */
    /* private: */
    uint8_t room, count, run, stage;
    uint32_t crc;
};

/* `bytes` has `room` for the longest expected message and its CRC. Longer messages are dropped. */
void frame_decoder_start(struct frame_decoder *decoder, uint8_t bytes[], uint8_t room);

/* Take a byte from the line. Returns the length of the message that this byte completes, or 0. */
uint8_t frame_decode(struct frame_decoder *decoder, uint8_t byte);

#endif

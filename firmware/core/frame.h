/* Frames on the serial line, as ../PROTOCOL.md defines them: COBS, a CRC-32, and a zero at the end. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#include "crc.h"

/* Bytes of the frame of a message of `count`: a code in front, the CRC and the zero behind it. No
 * run of bytes without a zero is long enough to need a second code. */
#define FRAME_BYTES(count) ((count) + CRC_BYTES + 2)

/* Make a frame in place of the `count` bytes of a message, which begin at frame[1]. Answers how many
 * bytes the frame has. */
uint8_t frame_encode(uint8_t frame[], uint8_t count);

struct frame_decoder {
    uint8_t *bytes;  /* the message, until the next byte comes */
    uint8_t dropped; /* frames, wrapping */
    /* the rest is its own */
    uint8_t room, count, run, stage;
    uint32_t crc;
};

/* `bytes` has room for the longest message that is wanted and CRC_BYTES; longer ones are dropped. */
void frame_decoder_start(struct frame_decoder *decoder, uint8_t bytes[], uint8_t room);

/* Take a byte of the line. Answers how long the message is that it completes, or 0. */
uint8_t frame_decode(struct frame_decoder *decoder, uint8_t byte);

#endif

#include "frame.h"

#include <stdbool.h>

enum stage {
    EMPTY, /* no byte of the frame yet */
    BEGUN,
    BROKEN /* not a valid frame: wait for its end */
};

uint8_t frame_encode(uint8_t frame[], uint8_t count)
{
    uint32_t crc = CRC_START;
    for (uint8_t at = 1; at <= count; at++)
        crc = crc_add(crc, frame[at]);
    crc = ~crc;
    uint8_t end = (uint8_t)(count + 1);
    for (uint8_t i = 0; i < CRC_BYTES; i++, crc >>= 8)
        frame[end++] = (uint8_t)crc;

    /* Replace each zero, and the code at the front, by the distance to the next zero. */
    frame[0] = frame[end] = 0;
    uint8_t next = end;
    for (uint8_t at = end; at-- > 0;) {
        if (frame[at] == 0) {
            frame[at] = (uint8_t)(next - at);
            next = at;
        }
    }
    return (uint8_t)(end + 1);
}

static void begin(struct frame_decoder *decoder)
{
    decoder->count = decoder->run = 0;
    decoder->stage = EMPTY;
    decoder->crc = CRC_START;
}

void frame_decoder_start(struct frame_decoder *decoder, uint8_t bytes[], uint8_t room)
{
    decoder->bytes = bytes;
    decoder->room = room;
    decoder->dropped = 0;
    begin(decoder);
}

static void append(struct frame_decoder *decoder, uint8_t byte)
{
    if (decoder->count == decoder->room) {
        decoder->stage = BROKEN;
        return;
    }
    decoder->bytes[decoder->count++] = byte;
    decoder->crc = crc_add(decoder->crc, byte);
}

static uint8_t end(struct frame_decoder *decoder)
{
    uint8_t count = decoder->count;
    bool intact = decoder->stage != BROKEN && decoder->run == 0 && count > CRC_BYTES &&
                  decoder->crc == CRC_OF_INTACT;
    if (decoder->stage != EMPTY && !intact)
        decoder->dropped++;
    begin(decoder);
    return intact ? (uint8_t)(count - CRC_BYTES) : 0;
}

uint8_t frame_decode(struct frame_decoder *decoder, uint8_t byte)
{
    if (byte == 0)
        return end(decoder);
    if (decoder->stage == BROKEN)
        return 0;
    if (decoder->run > 0) {
        decoder->run--;
        append(decoder, byte);
        return 0;
    }
    if (decoder->stage == EMPTY)
        decoder->stage = BEGUN;
    else
        append(decoder, 0); /* a zero was between the two runs */
    decoder->run = (uint8_t)(byte - 1);
    return 0;
}

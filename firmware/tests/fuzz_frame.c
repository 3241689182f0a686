/* Fuzzes the codec: what is encoded is decoded the same, and of any bytes exactly those frames are
 * found that are frames by their definition. */
#include <string.h>

#include "check.h"
#include "frame.h"
#include "reference.h"

#define MAX_STREAM_BYTES 8192

/* The input as a line: bytes as they are; but 0xFE, a number and so many bytes stand for the frame of
 * these, and 0xFD for such a frame with one byte changed. */
static size_t make_stream(const uint8_t *data, size_t size, uint8_t stream[MAX_STREAM_BYTES])
{
    size_t count = 0;
    while (size > 0 && count + FRAME_BYTES(FRAME_MAX_MESSAGE_BYTES) < MAX_STREAM_BYTES) {
        if (data[0] < 0xFD || size < 4) {
            stream[count++] = *data++;
            size--;
            continue;
        }
        uint8_t frame[FRAME_BYTES(FRAME_MAX_MESSAGE_BYTES)];
        bool damaged = data[0] == 0xFD;
        uint8_t where = data[2];
        size_t length = 1 + data[1] % FRAME_MAX_MESSAGE_BYTES;
        data += 3;
        size -= 3;
        length = length < size ? length : size;
        memcpy(frame + 1, data, length);
        uint8_t made = frame_encode(frame, (uint8_t)length);
        if (damaged)
            frame[where % made] ^= (uint8_t)(1 + where / made);
        memcpy(stream + count, frame, made);
        count += made;
        data += length;
        size -= length;
    }
    return count;
}

static void decode(const uint8_t *stream, size_t count)
{
    uint8_t bytes[FRAME_MAX_MESSAGE_BYTES + CRC_BYTES], message[MAX_STREAM_BYTES], dropped = 0;
    struct frame_decoder decoder;
    frame_decoder_start(&decoder, bytes, sizeof bytes);
    for (size_t at = 0, start = 0; at < count; at++) {
        uint8_t found = frame_decode(&decoder, stream[at]);
        if (stream[at] != 0) {
            check(found == 0);
            continue;
        }
        size_t length = reference_message(stream + start, at - start, message);
        check(found == length);
        check(memcmp(bytes, message, length) == 0);
        dropped += at > start && length == 0;
        check(decoder.dropped == dropped);
        start = at + 1;
    }
}

static void there_and_back(const uint8_t *data, size_t size)
{
    uint8_t frame[FRAME_BYTES(FRAME_MAX_MESSAGE_BYTES)], message[FRAME_BYTES(FRAME_MAX_MESSAGE_BYTES)];
    if (size == 0 || size > FRAME_MAX_MESSAGE_BYTES)
        return;
    memcpy(frame + 1, data, size);
    uint8_t made = frame_encode(frame, (uint8_t)size);
    check(made == FRAME_BYTES(size));
    check((const uint8_t *)memchr(frame, 0, made) == frame + made - 1);
    check(reference_message(frame, made - 1u, message) == size);
    check(memcmp(message, data, size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t stream[MAX_STREAM_BYTES];
    there_and_back(data, size);
    decode(stream, make_stream(data, size, stream));
    return 0;
}

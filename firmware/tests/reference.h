/* A second decoder of frames, written from the definitions and in another way than core/: a whole
 * frame at a time, the CRC by a table of 256. Tests check that core/ accepts only what this
 * accepts. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t reference_crc(const uint8_t *bytes, size_t count)
{
    static uint32_t table[256];
    if (table[1] == 0)
        for (uint32_t i = 0; i < 256; i++) {
            table[i] = i;
            for (unsigned bit = 0; bit < 8; bit++)
                table[i] = table[i] % 2 ? table[i] / 2 ^ 0xEDB88320 : table[i] / 2;
        }
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < count; i++)
        crc = table[(crc ^ bytes[i]) & 0xFF] ^ crc >> 8;
    return crc ^ 0xFFFFFFFF;
}

/* Decode a frame of `count` bytes (without its final zero) into `message`, which has the same size.
 * Returns the message's length, or 0 if the frame is not valid. */
static inline size_t reference_message(const uint8_t *frame, size_t count, uint8_t *message)
{
    size_t length = 0;
    for (size_t at = 0; at < count;) {
        size_t next = at + frame[at];
        if (next > count)
            return 0;
        bool zero = frame[at] < 255 && next < count;
        for (at++; at < next; at++)
            message[length++] = frame[at];
        if (zero)
            message[length++] = 0;
    }
    if (length < 5 || length > 204)
        return 0;
    uint32_t check = 0;
    for (size_t i = 0; i < 4; i++)
        check |= (uint32_t)message[length - 4 + i] << 8 * i;
    return check == reference_crc(message, length - 4) ? length - 4 : 0;
}

#endif

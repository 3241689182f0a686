#include "crc.h"

/* Bit by bit: an 8-bit chip shifts one place at a time anyway, so that a table of 16, in the emulator,
 * was slower, and it takes 64 bytes of RAM. */
uint32_t crc_add(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (uint8_t bit = 0; bit < 8; bit++) {
        uint8_t out = crc & 1;
        crc >>= 1;
        if (out)
            crc ^= UINT32_C(0xEDB88320);
    }
    return crc;
}

/* All eight bits at once: their feedback needs only shifts of whole and half bytes, and one by 5. */
uint16_t crc_16_add(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc >> 8 | crc << 8);
    crc ^= byte;
    crc ^= (uint16_t)((uint8_t)crc >> 4);
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((uint8_t)crc << 5);
    return crc;
}

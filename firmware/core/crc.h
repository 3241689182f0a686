/* The CRC-32 of Ethernet and zlib: reflected 0xEDB88320. Start with CRC_START, add all bytes, and
 * take the complement. */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#include "facts.h"

#define CRC_START UINT32_C(0xFFFFFFFF)

/* Result for intact data that are followed by their own CRC, least byte first. */
#define CRC_OF_INTACT UINT32_C(0xDEBB20E3)

uint32_t crc_add(uint32_t crc, uint8_t byte);

/* The CRC-16 of CCITT: 0x1021, highest bit first, no complement at the end. */
#define CRC_16_START 0xFFFFu

uint16_t crc_16_add(uint16_t crc, uint8_t byte);

#endif

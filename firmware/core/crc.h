/* CRC-32 as Ethernet and zlib have it: reflected 0xEDB88320. Start with CRC_START; the check itself
 * is the complement. */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#include "facts.h"

#define CRC_START UINT32_C(0xFFFFFFFF)

/* The check over data followed by their own check, least byte first. */
#define CRC_OF_INTACT UINT32_C(0xDEBB20E3)

uint32_t crc_add(uint32_t crc, uint8_t byte);

/* CRC-16 as CCITT has it: 0x1021, the highest bit first, no complement at the end. */
#define CRC_16_START 0xFFFFu

uint16_t crc_16_add(uint16_t crc, uint8_t byte);

#endif

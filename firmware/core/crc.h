/* CRC-32 as Ethernet and zlib have it: reflected 0xEDB88320. Start with CRC_START; the check itself
 * is the complement. */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#include "facts.h"

#define CRC_START UINT32_C(0xFFFFFFFF)

/* What it comes to over data and their check behind them, least byte first. */
#define CRC_OF_INTACT UINT32_C(0xDEBB20E3)

uint32_t crc_add(uint32_t crc, uint8_t byte);

#endif

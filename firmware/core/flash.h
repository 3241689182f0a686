/* Macros for tables that stay in flash. An AVR copies other constants to its small RAM. */
#ifndef FLASH_H
#define FLASH_H

#ifdef __AVR__
#include <avr/pgmspace.h>
#define IN_FLASH PROGMEM
#define flash_byte(at) pgm_read_byte(at)
#define flash_long(at) pgm_read_dword(at)
#else
#define IN_FLASH
#define flash_byte(at) (*(at))
#define flash_long(at) (*(at))
#endif

#endif

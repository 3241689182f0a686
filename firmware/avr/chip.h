/* Data shared by the ATmega328P's interrupts and the functions of port.h. There is one chip, so
 * there is one `struct port`, the variable `chip`. */
#ifndef CHIP_H
#define CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "port.h"

struct clock {
    volatile uint32_t ms;
};

struct bus {
    volatile enum bus_status status;
    uint8_t address;
    uint8_t out[PORT_BUS_OUT];
    volatile uint8_t out_left, in_left;
    const uint8_t *volatile next_out;
    uint8_t *volatile next_in;
};

/* A ring buffer is empty if head and tail are equal. The output buffer fits only one report,
 * because RAM is small: the next report is made when this one has left. The input buffer fits all
 * bytes that can arrive while a frame is sent to the strip; its 8-bit index wraps by itself. */
#define SERIAL_OUT 136

struct serial {
    volatile uint8_t in_head, in_tail;   /* index of the next byte to write, and to read */
    volatile uint8_t out_head, out_tail;
    volatile uint8_t lost;
    volatile uint8_t in[256];
    volatile uint8_t out[SERIAL_OUT];
};

struct strip {
    volatile uint8_t rest_ticks; /* clock ticks until the strip has latched its frame */
};

struct port {
    struct clock clock;
    struct bus bus;
    struct serial serial;
    struct strip strip;
    volatile bool stirred; /* an interrupt has given the main loop work */
};

extern struct port chip;

void clock_start(void);
uint32_t clock_ms(void);
void bus_start(void);
void serial_start(void);
void strip_start(void);

#endif

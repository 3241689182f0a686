/* port.h on this machine: a chip's units as a list of when each has something to do next. */
#ifndef PORT_HOST_H
#define PORT_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "port.h"
#include "queue.h"
#include "strip.h"
#include "table.h"
#include "world.h"

#define NEVER UINT64_MAX
#define SERIAL_BYTE_US (10 * 1000000 / SERIAL_BAUD) /* ten bits */
#define RING 255 /* bytes that the chip keeps, each way: as avr/ does */

struct ring {
    uint8_t bytes[RING];
    unsigned first, count;
};

/* A transfer runs byte by byte: the address, bytes to write, the address again, bytes to read. */
struct bus {
    enum bus_status status;
    uint64_t byte_us; /* when its next byte is over; NEVER: no transfer is under way */
    uint8_t address, out[PORT_BUS_OUT], *in;
    unsigned out_count, in_count, at;
};

struct serial {
    struct queue coming; /* what the Pi has sent, and is still on the line */
    struct ring in, out;
    struct queue gone; /* what has come to the Pi's end */
    uint64_t in_us, out_us; /* when the next byte is over */
    uint64_t overruns;
    uint8_t lost;
    bool cut;
};

struct port {
    uint64_t now_us, started_us;
    struct world world;
    struct bus bus;
    struct serial serial;
    struct strip strip;
    uint8_t told[STRIP_BYTES];
    size_t told_count; /* lights of the current frame that were sent */
    bool heeded;       /* the strip has latched the frame before */
    uint64_t told_us, latch_us; /* first edge; when it latches, NEVER: it has */
    uint8_t memory[TABLE_MEMORY];
    uint64_t memory_us; /* when the byte under way is written; NEVER: none is */
    uint16_t memory_at;
    uint8_t memory_byte;
    bool was_low;   /* the touch chips' interrupt line, when it was last looked at */
    bool deaf;      /* interrupts are off: a firmware that hangs */
    bool stirred;   /* something has come that the firmware is to see */
    bool out_heard; /* a frame has ended on the line to the Pi, or the lights have latched one */
};

/* Let time pass for everything but the firmware. */
void port_pass(struct port *port, uint64_t until_us);

/* Return the time of its next event. */
uint64_t port_next(const struct port *port);

/* The chip starts: its units are as after a reset. The EEPROM, the line and the world go on. */
void port_reset(struct port *port);

/* All power is gone: the lights are dark, the byte that the EEPROM was writing is lost. */
void port_power(struct port *port);

#endif

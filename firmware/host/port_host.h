/* port.h for this machine: it simulates a chip's units by the time of each unit's next event. */
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
#define RING 255 /* bytes that the ring buffer of each direction holds; in avr/ output holds 135 */

struct ring {
    uint8_t bytes[RING];
    unsigned first, count;
};

/* A transfer runs byte by byte: the address, bytes to write, the address again, bytes to read. */
struct bus {
    enum bus_status status;
    uint64_t byte_us; /* when the current byte ends; NEVER: no transfer is under way */
    uint8_t address, out[PORT_BUS_OUT], *in;
    unsigned out_count, in_count, at;
};

struct serial {
    struct queue coming; /* bytes from the Pi that are still on the line */
    struct ring in, out;
    struct queue gone; /* bytes that have reached the Pi */
    uint64_t in_us, out_us; /* when the current byte ends */
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
    bool heeded;       /* the strip has latched the previous frame */
    uint64_t told_us, latch_us; /* time of the first edge; time of latching, NEVER: done */
    uint8_t memory[TABLE_MEMORY];
    uint64_t memory_us; /* when the current byte is written; NEVER: no byte is */
    uint16_t memory_at;
    uint8_t memory_byte;
    bool was_low;   /* state of the touch chips' interrupt line at the last check */
    bool deaf;      /* interrupts are off, because the firmware hangs */
    bool stirred;   /* an event has come that the firmware must handle */
    bool out_heard; /* a frame has ended on the line to the Pi, or the lights have latched one */
};

/* Let time pass for everything but the firmware. */
void port_pass(struct port *port, uint64_t until_us);

/* Return the time of the port's next event. */
uint64_t port_next(const struct port *port);

/* Reset the chip's units. The EEPROM, the serial line and the world continue. */
void port_reset(struct port *port);

/* Cut all power: the lights are dark, and the EEPROM byte being written is lost. */
void port_power(struct port *port);

#endif

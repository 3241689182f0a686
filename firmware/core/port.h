/* The functions that the core needs from a chip. Each port (avr/, host/) defines these functions
 * and its own `struct port`. The core uses no register and never waits. To port the controller,
 * implement this file and call `controller_step`. */
#ifndef PORT_H
#define PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "colour.h"

struct port;

/* The I²C bus: one transfer at a time. A transfer runs in the background. */

enum bus_status {
    BUS_DONE,  /* the last transfer is complete; or there was none yet */
    BUS_BUSY,  /* a transfer is under way */
    BUS_NACK,  /* no answer to the address, or the chip refused a byte */
    BUS_ERROR  /* arbitration lost, or a start or stop out of place */
};

/* Begin a transfer: `out_count` bytes (at least 1) are written to the chip at the 7-bit `address`;
 * then, after a repeated start, `in_count` bytes are read into `in`, which must stay valid until
 * the status is no longer BUS_BUSY. `out` is copied; it is at most PORT_BUS_OUT bytes long. */
#define PORT_BUS_OUT 16
void port_bus_begin(struct port *port, uint8_t address, const uint8_t *out, uint8_t out_count,
                    uint8_t *in, uint8_t in_count);
enum bus_status port_bus_status(const struct port *port);

/* Give up the transfer under way, and free a bus whose data line is held low: nine clocks and a
 * stop. The status is BUS_ERROR afterwards if a transfer was under way. */
void port_bus_recover(struct port *port);

/* True if the touch chips' common interrupt line is low. */
bool port_touch_changed(const struct port *port);

/* The serial line. */

bool port_receive(struct port *port, uint8_t *byte); /* false: no byte is waiting */
uint8_t port_lost(struct port *port);                /* bytes lost by overrun so far, wrapping */
uint8_t port_room(const struct port *port);          /* bytes that can be sent without waiting; at
                                                        least 132 when none are on their way */
void port_send(struct port *port, const uint8_t *bytes, uint8_t count); /* at most port_room */

/* The lights. */

bool port_lights_ready(const struct port *port); /* true if the strip has latched its frame */
/* Call port_show_light for each light in the strip's order, without a pause, then port_show_end.
 * Bytes that arrive on the serial line meanwhile are not lost. */
void port_show_light(struct port *port, struct colour pulse);
void port_show_end(struct port *port);

/* Non-volatile memory: at least 512 bytes, 0xFF when new. A write has begun when it is accepted.
 * Writing the value that a byte already has causes no wear. A write that repeats the last one is
 * accepted when all writes before it are complete. */

uint8_t port_memory_read(struct port *port, uint16_t at);
bool port_memory_write(struct port *port, uint16_t at, uint8_t byte); /* false: ask again later */

#endif

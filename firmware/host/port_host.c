#include "port_host.h"

#include <string.h>

#define BUS_BYTE_US 25     /* nine clocks at 400 kHz, plus the time of the interrupt */
#define LIGHT_US 30        /* 24 bits of 1.25 µs */
#define LATCH_US 300       /* newer strips need 280 */
#define MEMORY_BYTE_US 3400
#define RECOVER_US 110     /* nine clocks and a stop at 100 kHz */

static void ring_put(struct ring *ring, uint8_t byte)
{
    ring->bytes[(ring->first + ring->count++) % RING] = byte;
}

static uint8_t ring_take(struct ring *ring)
{
    const uint8_t byte = ring->bytes[ring->first];
    ring->first = (ring->first + 1) % RING;
    ring->count--;
    return byte;
}

/* The I²C bus */

static void bus_end(struct port *port, enum bus_status status)
{
    world_bus_stop(&port->world);
    port->bus.status = status;
    port->bus.byte_us = NEVER;
    port->stirred = true;
}

/* Handle the end of the current byte. */
static void bus_byte(struct port *port)
{
    struct bus *bus = &port->bus;
    struct world *world = &port->world;
    const uint64_t at_us = bus->byte_us;
    const unsigned at = bus->at++;
    bool acknowledged = true;
    if (at == 0)
        acknowledged = world_bus_start(world, bus->address, false, at_us);
    else if (at <= bus->out_count)
        acknowledged = world_bus_write(world, bus->out[at - 1], at_us);
    else if (at == bus->out_count + 1)
        acknowledged = world_bus_start(world, bus->address, true, at_us);
    else
        *bus->in++ = world_bus_read(world, at_us);
    const unsigned last = bus->in_count > 0 ? bus->out_count + 1 + bus->in_count : bus->out_count;
    if (!acknowledged)
        bus_end(port, BUS_NACK);
    else if (at == last)
        bus_end(port, BUS_DONE);
    else
        bus->byte_us += BUS_BYTE_US;
}

/* If the data line is held low, a start waits, and a transfer under way fails. */
static void bus_pass(struct port *port, uint64_t until_us)
{
    struct bus *bus = &port->bus;
    while (!port->deaf && bus->byte_us <= until_us) {
        const uint64_t held_us = world_bus_held_until(&port->world);
        if (held_us <= bus->byte_us)
            bus_byte(port);
        else if (bus->at == 0)
            bus->byte_us = held_us + BUS_BYTE_US;
        else
            bus_end(port, BUS_ERROR);
    }
}

void port_bus_begin(struct port *port, uint8_t address, const uint8_t *out, uint8_t out_count,
                    uint8_t *in, uint8_t in_count)
{
    struct bus *bus = &port->bus;
    *bus = (struct bus){.status = BUS_BUSY, .byte_us = port->now_us + BUS_BYTE_US,
                        .address = address, .in = in, .out_count = out_count,
                        .in_count = in_count};
    memcpy(bus->out, out, out_count);
}

enum bus_status port_bus_status(const struct port *port) { return port->bus.status; }

void port_bus_recover(struct port *port)
{
    if (port->bus.status == BUS_BUSY)
        port->bus.status = BUS_ERROR;
    port->bus.byte_us = NEVER;
    port_pass(port, port->now_us + RECOVER_US);
    world_bus_nine_clocks(&port->world);
}

bool port_touch_changed(const struct port *port) { return world_interrupt(&port->world); }

/* The serial line */

static void serial_pass(struct port *port, uint64_t until_us)
{
    struct serial *serial = &port->serial;
    uint8_t byte = 0;
    while (serial->in_us <= until_us) {
        queue_take(&serial->coming, &byte, 1);
        if (port->deaf || serial->in.count == RING) {
            serial->lost++;
            serial->overruns++;
        } else {
            ring_put(&serial->in, byte);
        }
        serial->in_us = serial->coming.count > 0 ? serial->in_us + SERIAL_BYTE_US : NEVER;
        port->stirred = true;
    }
    while (!port->deaf && serial->out_us <= until_us) {
        byte = ring_take(&serial->out);
        if (!serial->cut) {
            queue_put(&serial->gone, &byte, 1);
            port->out_heard |= byte == 0;
        }
        serial->out_us = serial->out.count > 0 ? serial->out_us + SERIAL_BYTE_US : NEVER;
        port->stirred |= serial->out.count == 0;
    }
}

bool port_receive(struct port *port, uint8_t *byte)
{
    if (port->serial.in.count == 0)
        return false;
    *byte = ring_take(&port->serial.in);
    return true;
}

uint8_t port_lost(struct port *port) { return port->serial.lost; }

uint8_t port_room(const struct port *port) { return (uint8_t)(RING - port->serial.out.count); }

void port_send(struct port *port, const uint8_t *bytes, uint8_t count)
{
    struct serial *serial = &port->serial;
    if (count > 0 && serial->out.count == 0)
        serial->out_us = port->now_us + SERIAL_BYTE_US;
    for (unsigned at = 0; at < count && serial->out.count < RING; at++)
        ring_put(&serial->out, bytes[at]);
}

/* The lights */

bool port_lights_ready(const struct port *port) { return port->latch_us == NEVER; }

/* A strip that receives data before it has latched passes all of it on behind its last light. */
void port_show_light(struct port *port, struct colour pulse)
{
    const size_t at = 3 * port->told_count++;
    if (at == 0) {
        port->heeded = port_lights_ready(port);
        port->told_us = port->heeded ? port->now_us : port->told_us;
        strip_begin(&port->strip, port->now_us);
    }
    if (port->heeded && at < STRIP_BYTES) {
        port->told[at] = pulse.green;
        port->told[at + 1] = pulse.red;
        port->told[at + 2] = pulse.blue;
    }
    port->latch_us = port->now_us + LIGHT_US + LATCH_US;
    port_pass(port, port->now_us + LIGHT_US);
}

void port_show_end(struct port *port) { port->told_count = 0; }

static void lights_pass(struct port *port, uint64_t until_us)
{
    if (port->latch_us > until_us)
        return;
    strip_latch(&port->strip, port->told, sizeof port->told, port->told_us, port->latch_us);
    port->latch_us = NEVER;
    port->out_heard = port->stirred = true;
}

/* The EEPROM */

static void memory_pass(struct port *port, uint64_t until_us)
{
    if (port->memory_us > until_us)
        return;
    port->memory[port->memory_at] = port->memory_byte;
    port->memory_us = NEVER;
    port->stirred = true;
}

uint8_t port_memory_read(struct port *port, uint16_t at)
{
    if (port->memory_us != NEVER)
        port_pass(port, port->memory_us);
    return port->memory[at % TABLE_MEMORY];
}

bool port_memory_write(struct port *port, uint16_t at, uint8_t byte)
{
    if (port->memory_us != NEVER)
        return false;
    if (port_memory_read(port, at) == byte)
        return true;
    port->memory_at = at % TABLE_MEMORY;
    port->memory_byte = byte;
    port->memory[port->memory_at] = 0xFF; /* it is erased before it is written */
    port->memory_us = port->now_us + MEMORY_BYTE_US;
    return true;
}

/* All of it */

uint64_t port_next(const struct port *port)
{
    if (world_interrupt(&port->world) != port->was_low) /* by a command, between two passes */
        return port->now_us;
    const uint64_t all[] = {port->deaf ? NEVER : port->bus.byte_us, port->serial.in_us,
                            port->deaf ? NEVER : port->serial.out_us, port->latch_us,
                            port->memory_us, world_next(&port->world)};
    uint64_t next_us = all[0];
    for (size_t at = 1; at < sizeof all / sizeof *all; at++)
        next_us = all[at] < next_us ? all[at] : next_us;
    return next_us;
}

void port_pass(struct port *port, uint64_t until_us)
{
    serial_pass(port, until_us);
    lights_pass(port, until_us);
    memory_pass(port, until_us);
    bus_pass(port, until_us);
    world_run(&port->world, until_us);
    const bool low = world_interrupt(&port->world);
    port->stirred |= low && !port->was_low;
    port->was_low = low;
    port->now_us = until_us;
}

void port_reset(struct port *port)
{
    struct serial *serial = &port->serial;
    world_bus_stop(&port->world);
    port->bus = (struct bus){.status = BUS_DONE, .byte_us = NEVER};
    serial->in.count = serial->out.count = 0;
    serial->out_us = NEVER;
    serial->lost = 0;
    port->deaf = false;
    port->started_us = port->now_us;
}

void port_power(struct port *port)
{
    port_reset(port);
    strip_power(&port->strip);
    port->latch_us = NEVER;
    port->memory_us = NEVER;
}

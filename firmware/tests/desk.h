/* A chip for tests: the port of host/, whose time and faults the test controls. */
#ifndef DESK_H
#define DESK_H

#include <string.h>

#include "check.h"
#include "port_host.h"

/* Return a port at power-on with a new EEPROM. */
static inline struct port *desk_new(void)
{
    struct port *port = calloc(1, sizeof *port);
    check(port != NULL);
    memset(port->memory, 0xFF, sizeof port->memory);
    port->serial.in_us = NEVER;
    world_start(&port->world, 1, NULL, NULL, 0);
    port_power(port);
    return port;
}

static inline void desk_free(struct port *port)
{
    queue_free(&port->serial.coming);
    queue_free(&port->serial.gone);
    free(port);
}

static inline void desk_pass_ms(struct port *port, uint32_t ms)
{
    port_pass(port, port->now_us + 1000 * (uint64_t)ms);
}

#endif

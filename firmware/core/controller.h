/* The whole program as one function, controller_step: it gets the time, does what is due, and never
 * waits. */
#ifndef CONTROLLER_H
#define CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "kept.h"
#include "lights.h"
#include "link.h"
#include "port.h"
#include "settings.h"
#include "touch.h"

/* Cause of the chip's start, as in HELLO (../PROTOCOL.md). */
enum start_cause { START_POWER = 1, START_RESET_LINE = 2, START_BROWN_OUT = 4, START_WATCHDOG = 8 };

/* Fields of a STATE that are sent as soon as they change. The counters change with `touched`. */
struct marked {
    uint32_t touched, heavy, deaf, perhaps;
    uint8_t applied, chips, flags;
};

struct controller {
    struct port *port;
    struct settings settings;
    struct kept kept;
    struct touch touch;
    struct lights lights;
    struct link link;

    uint32_t start_ms;
    enum start_cause cause;
    bool started;  /* messages may be sent: see `settle` */
    uint8_t found; /* chips that answered before `started` */

    uint8_t applied; /* number of the last command applied; LIGHTS counts when the strip shows it */
    struct marked marked;
    uint32_t told_ms; /* when the last STATE was sent */
    uint16_t sequence;
    bool state_due : 1, hello_due : 1, raw_due : 1, settings_due : 1;
    bool states_turn : 1; /* the last message was an answer, so a STATE goes before the next answer */
    uint8_t raw_number, settings_number;
    enum verdict verdict;
};

/* Initialize all of `controller`. */
void controller_start(struct controller *controller, struct port *port, enum start_cause cause,
                      uint32_t now_ms);

/* Do what is due. `now_ms` may wrap and may jump forward. Returns true if there is more to do at
 * once. Otherwise the caller may sleep until the port has something new, or `controller_next_ms`.
 * A caller may also come every millisecond instead. */
bool controller_step(struct controller *controller, uint32_t now_ms);

/* Return the time of the next step that is due if nothing happens before. These events need a step at
 * once: the end of a transfer, the touch chips' interrupt, a byte received, all bytes sent, lights or
 * memory ready. */
uint32_t controller_next_ms(const struct controller *controller, uint32_t now_ms);

#endif

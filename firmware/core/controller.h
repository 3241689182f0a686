/* The whole program, as one step: it is told the time, does what is due, and never waits. */
#ifndef CONTROLLER_H
#define CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "port.h"

/* Why the chip started: as HELLO tells it (../PROTOCOL.md). */
enum start_cause { START_POWER = 1, START_RESET_LINE = 2, START_BROWN_OUT = 4, START_WATCHDOG = 8 };

struct controller;

/* Begin; nothing of what `controller` held before counts. */
void controller_start(struct controller *controller, struct port *port, enum start_cause cause,
                      uint32_t now_ms);

/* Do what is due. `now_ms` may wrap and may jump forward. Answers whether there is more to do at
 * once; if not, sleeping until the next interrupt or millisecond loses nothing. */
bool controller_step(struct controller *controller, uint32_t now_ms);

#endif

/* What works and what does not, for systemd and `pi-table doctor`: one line of text, such as
 * "bus: ok; interrupt: not wired; lights: No such device; settings: ok". */
#ifndef STATUS_H
#define STATUS_H

#include <stdbool.h>

enum part { PART_BUS, PART_INTERRUPT, PART_LIGHTS, PART_SETTINGS, PARTS };

/* Set the state of a part, from any thread: 0 means that it works, another number is the errno. */
void status_set(enum part part, int error);

/* Set the state of a part in words: a constant. */
void status_say(enum part part, const char *words);

/* Tell systemd's watchdog that the program runs; and the states, if one has changed. */
void status_tell(void);

#endif

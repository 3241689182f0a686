/* The line to the Pi: commands that come, each number once, and reports that go, the newest only. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"
#include "message.h"
#include "port.h"

struct link {
    struct frame_decoder in;
    uint8_t taken; /* number of the last command; 0: none yet */
    bool silent;   /* nothing was heard for LINK_SILENCE_MS */
    /* the rest is its own */
    uint8_t bytes[MESSAGE_COMMAND_MOST + CRC_BYTES];
    uint8_t room; /* there was never more */
    uint32_t heard_ms;
};

void link_start(struct link *link, struct port *port, uint32_t now_ms);

/* Take what has come, up to the next command that is to be obeyed or answered. `again`: its number
 * is that of the command before; it is to be answered only. False: there is none. */
bool link_receive(struct link *link, struct port *port, struct command *command, bool *again,
                  uint32_t now_ms);

/* Has all gone that was sent? Only then is the next report to be made, so that none waits and grows
 * old. */
bool link_free(struct link *link, const struct port *port);

/* Send the message of `count` bytes that begins at frame[1]; the frame is made in place. */
void link_send(struct port *port, uint8_t frame[], uint8_t count);

#endif

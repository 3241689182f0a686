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
    uint8_t bytes[MESSAGE_MAX_COMMAND_BYTES + CRC_BYTES];
    uint8_t room; /* there was never more */
    uint32_t heard_ms;
};

void link_start(struct link *link, struct port *port, uint32_t now_ms);

/* Read received bytes up to the next command to execute or answer. `again`: it has the number of
 * the command before, and is only answered. Returns false if there is none. */
bool link_receive(struct link *link, struct port *port, struct command *command, bool *again,
                  uint32_t now_ms);

/* True if everything sent is on the line. Make the next report only then, so that none grows old in
 * a queue. */
bool link_free(struct link *link, const struct port *port);

/* Send the message of `count` bytes that begins at frame[1]; the frame is made in place. */
void link_send(struct port *port, uint8_t frame[], uint8_t count);

#endif

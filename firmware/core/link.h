/* The serial line to the Pi. A repeated command is not executed twice; only the newest report is
 * sent. */
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
    bool silent;   /* no command was received for LINK_SILENCE_MS */
    /* private: */
    uint8_t bytes[MESSAGE_MAX_COMMAND_BYTES + CRC_BYTES];
    uint8_t room; /* maximum of port_room so far */
    uint32_t heard_ms;
};

void link_start(struct link *link, struct port *port, uint32_t now_ms);

/* Read received bytes up to the next command to execute or answer; return false if there is none.
 * `again` is set if the command has the same number as the last one: then only answer it. */
bool link_receive(struct link *link, struct port *port, struct command *command, bool *again,
                  uint32_t now_ms);

/* True if all sent bytes have left. Make the next report only then: a report in a queue would be
 * out of date when it is sent. */
bool link_free(struct link *link, const struct port *port);

/* Send the message of `count` bytes that begins at frame[1]; the frame is made in place. */
void link_send(struct port *port, uint8_t frame[], uint8_t count);

#endif

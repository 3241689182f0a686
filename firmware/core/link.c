#include "link.h"

void link_start(struct link *link, struct port *port, uint32_t now_ms)
{
    const uint8_t end = 0;
    frame_decoder_start(&link->in, link->bytes, sizeof link->bytes);
    link->taken = 0;
    link->silent = false;
    link->room = 0;
    link->heard_ms = now_ms;
    /* This zero ends a frame that the last run left unfinished. Otherwise HELLO would be lost with
     * that frame. */
    port_send(port, &end, 1);
}

/* False for a continuation whose beginning is missing: it would show half a frame. The caller drops
 * the continuation, and the Pi repeats both halves. */
static bool begins_or_follows(const struct command *command, uint8_t taken)
{
    uint8_t after = (uint8_t)(taken == UINT8_MAX ? 1 : taken + 1);
    return !message_is_rest(command) || command->number == taken ||
           (taken != 0 && command->number == after);
}

bool link_receive(struct link *link, struct port *port, struct command *command, bool *again,
                  uint32_t now_ms)
{
    uint8_t byte;
    while (port_receive(port, &byte)) {
        uint8_t count = frame_decode(&link->in, byte);
        if (count == 0)
            continue;
        if (!message_command(command, link->in.bytes, count) ||
            !begins_or_follows(command, link->taken)) {
            link->in.dropped++;
            continue;
        }
        link->silent = false;
        link->heard_ms = now_ms;
        *again = command->number == link->taken;
        link->taken = command->number;
        if (!*again || command->type == MESSAGE_ASK || command->type == MESSAGE_STORE)
            return true;
    }
    if (now_ms - link->heard_ms >= LINK_SILENCE_MS)
        link->silent = true; /* stored, so that it stays true when the time wraps */
    return false;
}

bool link_free(struct link *link, const struct port *port)
{
    uint8_t room = port_room(port);
    if (room > link->room)
        link->room = room;
    return room == link->room && room >= FRAME_BYTES(MESSAGE_MAX_REPORT_BYTES);
}

void link_send(struct port *port, uint8_t frame[], uint8_t count)
{
    port_send(port, frame, frame_encode(frame, count));
}

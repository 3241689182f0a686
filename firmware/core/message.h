/* The messages of ../PROTOCOL.md: packs reports, which the controller sends; checks and unpacks
 * commands, which it receives. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "colour.h"
#include "pads.h"
#include "settings.h"
#include "touch.h"

enum message_type {
    MESSAGE_HELLO = 0x01,
    MESSAGE_STATE = 0x02,
    MESSAGE_RAW = 0x03,
    MESSAGE_SETTINGS = 0x04,
    MESSAGE_LIGHTS = 0x11,
    MESSAGE_ASK = 0x12,
    MESSAGE_STORE = 0x13,
    MESSAGE_HERE = 0x14,
    MESSAGE_RESTART = 0x15
};

/* Lengths in bytes. */
#define MESSAGE_HELLO_BYTES 13
#define MESSAGE_STATE_BYTES 54
#define MESSAGE_RAW_BYTES (2 + 4 * PAD_COUNT)
#define MESSAGE_SETTINGS_BYTES (3 + SETTINGS_BYTES)
#define MESSAGE_LIGHTS_BYTES 6 /* plus three for each LED */
#define MESSAGE_STORE_BYTES (2 + SETTINGS_BYTES)

#define MESSAGE_MAX_REPORT_BYTES MESSAGE_RAW_BYTES    /* the longest report */
#define MESSAGE_MAX_COMMAND_BYTES MESSAGE_STORE_BYTES /* the longest command */

struct hello {
    uint8_t firmware[3]; /* major, minor, patch */
    uint16_t boot_id;
    uint8_t cause; /* enum start_cause */
    uint8_t chips; /* those that answered at the start */
    uint16_t light_count;
    enum settings_origin origin;
};

enum state_flag { STATE_WATER = 1, STATE_RIM = 2, STATE_DARK = 4, STATE_STARVING = 8 };

struct state {
    uint16_t boot_id, sequence;
    uint32_t uptime_ms;
    uint8_t applied; /* number of the last command applied; 0: none yet */
    uint8_t flags;   /* enum state_flag */
    const struct felt *felt;
    uint32_t noisy;  /* pads */
    uint32_t perhaps; /* places */
    uint8_t dropped, lost;
    uint16_t current_ma;
    uint16_t check; /* checksum of the Pi's colours */
};

enum verdict { VERDICT_IN_USE = 0, VERDICT_REFUSED = 1 };

/* Each function writes its message to `bytes` and returns the message's length. */
uint8_t message_hello(uint8_t bytes[], const struct hello *hello);
uint8_t message_state(uint8_t bytes[], const struct state *state);
uint8_t message_raw(uint8_t bytes[], uint8_t number); /* add each pad by message_raw_pad */
void message_raw_pad(uint8_t bytes[], uint8_t pad, struct raw raw);
uint8_t message_settings(uint8_t bytes[], uint8_t number, enum verdict verdict,
                         const struct settings *settings);

enum asked { ASKED_HELLO = 1, ASKED_RAW = 2, ASKED_SETTINGS = 3 };

struct command {
    uint8_t type;        /* MESSAGE_LIGHTS … MESSAGE_RESTART */
    uint8_t number;      /* 1 … 255 */
    const uint8_t *body; /* the bytes after the number, inside the message */
};

/* Fill `command` and return true if the message is a complete, known command. Its `body` points
 * into `bytes`. */
bool message_command(struct command *command, const uint8_t bytes[], uint8_t count);

/* True if this LIGHTS continues the previous command. */
bool message_is_rest(const struct command *command);

/* Copy the colours in the body of a LIGHTS into `colours`; other places keep theirs. Returns the
 * places in the body, and sets `more` if more of the frame is to come. */
uint32_t message_colours(struct colour colours[LED_COUNT], const uint8_t body[], bool *more);

#endif

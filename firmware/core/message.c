#include "message.h"

#include "frame.h"

#define CHECK(name, condition) typedef char check_##name[(condition) ? 1 : -1]
CHECK(raw_fits, MESSAGE_RAW_BYTES == 126 && MESSAGE_RAW_BYTES <= FRAME_MESSAGE_MOST);
CHECK(settings_fit, MESSAGE_SETTINGS_BYTES == 98 && MESSAGE_SETTINGS_BYTES <= MESSAGE_REPORT_MOST);
CHECK(lights_fit, MESSAGE_LIGHTS_BYTES == 83 && MESSAGE_LIGHTS_BYTES <= MESSAGE_COMMAND_MOST);
CHECK(store_fits, MESSAGE_STORE_BYTES == 97 && MESSAGE_COMMAND_MOST <= FRAME_MESSAGE_MOST);
CHECK(masks_hold_places, PLACE_COUNT <= 32 && CHIP_COUNT <= 4);

static uint8_t *put_16(uint8_t *at, uint16_t value)
{
    *at++ = (uint8_t)value;
    *at++ = (uint8_t)(value >> 8);
    return at;
}

static uint8_t *put_32(uint8_t *at, uint32_t value)
{
    return put_16(put_16(at, (uint16_t)value), (uint16_t)(value >> 16));
}

uint8_t message_hello(uint8_t bytes[], const struct hello *hello)
{
    uint8_t *at = bytes;
    *at++ = MESSAGE_HELLO;
    *at++ = PROTOCOL_VERSION;
    for (uint8_t i = 0; i < sizeof hello->firmware; i++)
        *at++ = hello->firmware[i];
    at = put_16(at, hello->boot_id);
    *at++ = hello->cause;
    *at++ = hello->chips;
    *at++ = PLACE_COUNT;
    at = put_16(at, hello->light_count);
    *at++ = (uint8_t)hello->origin;
    return (uint8_t)(at - bytes);
}

uint8_t message_state(uint8_t bytes[], const struct state *state)
{
    const struct felt *felt = state->felt;
    uint8_t *at = bytes;
    *at++ = MESSAGE_STATE;
    at = put_16(at, state->boot_id);
    at = put_16(at, state->sequence);
    at = put_32(at, state->uptime_ms);
    *at++ = state->applied;
    *at++ = felt->chips;
    *at++ = state->flags;
    at = put_32(at, felt->touched);
    at = put_32(at, felt->heavy);
    at = put_32(at, felt->deaf);
    for (uint8_t place = 0; place < PLACE_COUNT; place++) {
        if (place % 2 == 0)
            *at = felt->counters[place];
        else
            *at++ |= (uint8_t)(felt->counters[place] << 4);
    }
    at += PLACE_COUNT % 2;
    *at++ = felt->causes;
    *at++ = felt->restarts;
    *at++ = state->dropped;
    *at++ = state->lost;
    at = put_16(at, state->current_ma);
    return (uint8_t)(at - bytes);
}

uint8_t message_raw(uint8_t bytes[], uint8_t number, const uint16_t filtered[PAD_COUNT],
                    const uint16_t baseline[PAD_COUNT])
{
    uint8_t *at = bytes;
    *at++ = MESSAGE_RAW;
    *at++ = number;
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++)
        at = put_16(put_16(at, filtered[pad]), baseline[pad]);
    return (uint8_t)(at - bytes);
}

uint8_t message_settings(uint8_t bytes[], uint8_t number, enum verdict verdict,
                         const struct settings *settings)
{
    bytes[0] = MESSAGE_SETTINGS;
    bytes[1] = number;
    bytes[2] = (uint8_t)verdict;
    settings_pack(settings, bytes + 3);
    return MESSAGE_SETTINGS_BYTES;
}

/* How long a command is; 0: there is none of this type. */
static uint8_t length_of(uint8_t type)
{
    switch (type) {
    case MESSAGE_LIGHTS:
        return MESSAGE_LIGHTS_BYTES;
    case MESSAGE_ASK:
        return 2 + 1;
    case MESSAGE_STORE:
        return MESSAGE_STORE_BYTES;
    case MESSAGE_HERE:
    case MESSAGE_RESTART:
        return 2;
    default:
        return 0;
    }
}

bool message_command(struct command *command, const uint8_t bytes[], uint8_t count)
{
    if (count < 2 || count != length_of(bytes[0]) || bytes[1] == 0)
        return false;
    command->type = bytes[0];
    command->number = bytes[1];
    command->body = bytes + 2;
    return command->type != MESSAGE_ASK ||
           (command->body[0] >= ASKED_HELLO && command->body[0] <= ASKED_SETTINGS);
}

void message_colours(struct colour colours[PLACE_COUNT], const uint8_t body[])
{
    for (uint8_t place = 0; place < PLACE_COUNT; place++) {
        colours[place].red = *body++;
        colours[place].green = *body++;
        colours[place].blue = *body++;
    }
}

#include "message.h"

#include "frame.h"

#define CHECK(name, condition) typedef char check_##name[(condition) ? 1 : -1]
CHECK(raw_fits, MESSAGE_RAW_BYTES == 126 && MESSAGE_RAW_BYTES <= FRAME_MAX_MESSAGE_BYTES);
CHECK(settings_fit, MESSAGE_SETTINGS_BYTES == 98 && MESSAGE_SETTINGS_BYTES <= MESSAGE_MAX_REPORT_BYTES);
CHECK(lights_fit, MESSAGE_LIGHTS_BYTES + 3 * LIGHTS_MAX_LEDS <= MESSAGE_MAX_COMMAND_BYTES);
CHECK(leds_are_those_of_places, LED_COUNT == LEDS_OF_CELL * CELL_COUNT + LEDS_OF_PAD * (PLACE_COUNT - CELL_COUNT));
CHECK(store_fits, MESSAGE_STORE_BYTES == 97 && MESSAGE_MAX_COMMAND_BYTES <= FRAME_MAX_MESSAGE_BYTES);
CHECK(masks_hold_places, PAD_COUNT <= 32 && CHIP_COUNT <= 4);

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
    for (uint8_t i = 0; i < COUNTER_BYTES; i++)
        *at++ = felt->counters[i];
    *at++ = felt->causes;
    *at++ = felt->restarts;
    *at++ = state->dropped;
    *at++ = state->lost;
    at = put_16(at, state->current_ma);
    at = put_16(at, state->check);
    at = put_32(at, state->noisy);
    at = put_32(at, state->perhaps);
    return (uint8_t)(at - bytes);
}

uint8_t message_raw(uint8_t bytes[], uint8_t number)
{
    bytes[0] = MESSAGE_RAW;
    bytes[1] = number;
    return MESSAGE_RAW_BYTES;
}

void message_raw_pad(uint8_t bytes[], uint8_t pad, struct raw raw)
{
    put_16(put_16(bytes + 2 + 4 * pad, raw.filtered), raw.baseline);
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

static uint32_t number_32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint8_t leds_of(uint8_t place)
{
    return place < CELL_COUNT ? LEDS_OF_CELL : LEDS_OF_PAD;
}

#define LIGHTS_FLAGS (UINT32_C(1) << LIGHTS_REST_BIT | UINT32_C(1) << LIGHTS_MORE_BIT)

/* Return the length of a LIGHTS for these places; 0 if a place does not exist. */
static uint16_t length_of_lights(uint32_t places)
{
    uint16_t length = MESSAGE_LIGHTS_BYTES;
    if ((places & ~LIGHTS_FLAGS) >> PLACE_COUNT != 0)
        return 0;
    for (uint8_t place = 0; place < PLACE_COUNT; place++, places >>= 1)
        if (places & 1)
            length += (uint16_t)(3 * leds_of(place));
    return length;
}

/* Return the length that this command must have; 0 if its type is unknown. `count` is the number of
 * received bytes. */
static uint16_t length_of(const uint8_t bytes[], uint8_t count)
{
    switch (bytes[0]) {
    case MESSAGE_LIGHTS:
        return count < MESSAGE_LIGHTS_BYTES ? 0 : length_of_lights(number_32(bytes + 2));
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
    if (count < 2 || count != length_of(bytes, count) || bytes[1] == 0)
        return false;
    command->type = bytes[0];
    command->number = bytes[1];
    command->body = bytes + 2;
    return command->type != MESSAGE_ASK ||
           (command->body[0] >= ASKED_HELLO && command->body[0] <= ASKED_SETTINGS);
}

bool message_is_rest(const struct command *command)
{
    return command->type == MESSAGE_LIGHTS && number_32(command->body) >> LIGHTS_REST_BIT & 1;
}

uint32_t message_colours(struct colour colours[LED_COUNT], const uint8_t body[], bool *more)
{
    uint32_t places = number_32(body), left = places;
    body += sizeof places;
    for (uint8_t place = 0; place < PLACE_COUNT; place++, left >>= 1) {
        for (uint8_t led = leds_of(place); led > 0; led--, colours++) {
            if (!(left & 1))
                continue;
            colours->red = *body++;
            colours->green = *body++;
            colours->blue = *body++;
        }
    }
    *more = places >> LIGHTS_MORE_BIT & 1;
    return places & ~LIGHTS_FLAGS;
}

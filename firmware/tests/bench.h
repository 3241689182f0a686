/* A controller on the desk, with the Pi's side of its line: what comes in words, and what goes. */
#ifndef BENCH_H
#define BENCH_H

#include <stdarg.h>
#include <stddef.h>

#include "controller.h"
#include "desk.h"

struct bench {
    struct port *port;
    struct controller controller;
    uint32_t base_ms; /* what the controller's clock shows when the port's shows 0 */
    uint32_t jump_ms; /* how often the controller has a turn when nothing stirs it */

    uint8_t bytes[FRAME_MAX_MESSAGE_BYTES + CRC_BYTES];
    struct frame_decoder decoder;
    uint8_t hello[MESSAGE_HELLO_BYTES], settings[MESSAGE_SETTINGS_BYTES], raw[MESSAGE_RAW_BYTES];
    uint8_t state[MESSAGE_STATE_BYTES]; /* the last */
    unsigned states;                    /* so far */
    bool untimed;                       /* they need not come in time */
    char said[1024];                    /* what has gone, in words */
};

static inline uint32_t now_ms(const struct bench *bench)
{
    return (uint32_t)(bench->port->now_us / 1000) + bench->base_ms;
}

static inline void start(struct bench *bench, enum start_cause cause)
{
    bench->states = 0;
    bench->decoder = (struct frame_decoder){0};
    frame_decoder_start(&bench->decoder, bench->bytes, sizeof bench->bytes);
    controller_start(&bench->controller, bench->port, cause, now_ms(bench));
    bench->controller.lights.missing = 1; /* all but A1 are ordered: dark */
}

static inline struct bench *bench_new(uint32_t base_ms, uint32_t jump_ms)
{
    struct bench *bench = calloc(1, sizeof *bench);
    check(bench != NULL);
    bench->port = desk_new();
    bench->base_ms = base_ms;
    bench->jump_ms = jump_ms;
    start(bench, START_POWER);
    return bench;
}

static inline void bench_free(struct bench *bench)
{
    desk_free(bench->port);
    free(bench);
}

/* What goes */

static inline void say(struct bench *bench, const char *format, ...)
{
    size_t length = strlen(bench->said);
    va_list values;
    va_start(values, format);
    if (length > 0)
        length += (size_t)snprintf(bench->said + length, sizeof bench->said - length, ", ");
    vsnprintf(bench->said + length, sizeof bench->said - length, format, values);
    va_end(values);
}

static inline uint16_t number_16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t number_32(const uint8_t *at)
{
    return number_16(at) | (uint32_t)number_16(at + 2) << 16;
}

static inline uint32_t touched(const struct bench *bench)
{
    return number_32(bench->state + 12);
}

static inline void say_state(struct bench *bench, const uint8_t *state)
{
    static const char *const names[] = {" water", " rim", " dark", " starving"};
    char flags[40] = "", places[100] = "", chips[16] = "";
    for (unsigned flag = 0; flag < 4; flag++)
        if (state[11] & 1 << flag)
            strcat(flags, names[flag]);
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        if (number_32(state + 12) >> place & 1)
            sprintf(places + strlen(places), " @%u", place);
    if (state[10] != 7)
        sprintf(chips, " chips %u", state[10]);
    say(bench, "state %u%s%s%s", state[9], flags, places, chips);
}

/* What holds for every STATE; those with a change, and the first, are said. */
static inline void hear_state(struct bench *bench, const uint8_t *state)
{
    const uint8_t *last = bench->state;
    for (unsigned place = 0; place < PLACE_COUNT; place++) {
        uint8_t counter = state[24 + place / 2] >> 4 * (place % 2) & 15;
        check((counter & 1) == (number_32(state + 12) >> place & 1));
    }
    check(state[37] >> 4 == 0);
    check((number_32(state + 12) & number_32(state + 20)) == 0);
    check((number_32(state + 16) & ~number_32(state + 12)) == 0);
    check((number_32(state + 50) & (number_32(state + 12) | number_32(state + 20))) == 0);
    check(number_16(state + 1) == bench->controller.kept.boot_id);
    check(number_16(state + 3) == (uint16_t)bench->states);
    uint32_t uptime_ms = number_32(state + 5);
    bool change = bench->states == 0 || memcmp(state + 9, last + 9, 38 - 9) != 0;
    if (bench->states > 0 && bench->jump_ms == 1 && !bench->untimed) {
        uint32_t since_ms = uptime_ms - number_32(last + 5);
        uint32_t period_ms = number_32(last + 12) ? STATE_TOUCHED_MS : STATE_PERIOD_MS; /* while a place is touched */
        bool suspected = memcmp(state + 50, last + 50, 4) != 0;
        check(since_ms <= period_ms + 10 && (change || suspected || since_ms >= period_ms - 1));
    }
    if (change)
        say_state(bench, state);
    memcpy(bench->state, state, MESSAGE_STATE_BYTES);
    bench->states++;
}

static inline void hear(struct bench *bench, uint8_t count)
{
    const uint8_t *bytes = bench->bytes;
    switch (bytes[0]) {
    case MESSAGE_HELLO:
        check(count == MESSAGE_HELLO_BYTES);
        memcpy(bench->hello, bytes, count);
        say(bench, "hello");
        break;
    case MESSAGE_STATE:
        check(count == MESSAGE_STATE_BYTES);
        hear_state(bench, bytes);
        break;
    case MESSAGE_RAW:
        check(count == MESSAGE_RAW_BYTES);
        memcpy(bench->raw, bytes, count);
        say(bench, "raw %u", bytes[1]);
        break;
    case MESSAGE_SETTINGS:
        check(count == MESSAGE_SETTINGS_BYTES);
        memcpy(bench->settings, bytes, count);
        say(bench, "settings %u%s", bytes[1], bytes[2] == VERDICT_IN_USE ? "" : " refused");
        break;
    default:
        check(bytes[0] == 0 && "a known report");
    }
}

static inline void listen(struct bench *bench)
{
    struct shown shown;
    while (strip_take(&bench->port->strip, &shown)) {
        check(shown.whole);
        say(bench, "shown %06x", shown.pulses[0]);
    }
    for (uint8_t byte; queue_take(&bench->port->serial.gone, &byte, 1) == 1;) {
        uint8_t count = frame_decode(&bench->decoder, byte);
        if (count > 0)
            hear(bench, count);
    }
    check(bench->decoder.dropped == 0);
}

/* The controller's turn: it does all that there is to do now. */
static inline void turn(struct bench *bench)
{
    bench->port->stirred = false;
    for (unsigned steps = 0; controller_step(&bench->controller, now_ms(bench)); steps++)
        check(steps < 1000);
}

static inline void run(struct bench *bench, uint32_t ms)
{
    struct port *port = bench->port;
    uint64_t until_us = port->now_us + 1000 * (uint64_t)ms;
    while (port->now_us < until_us) {
        if (port->stirred || port->now_us / 1000 % bench->jump_ms == 0)
            turn(bench);
        listen(bench);
        desk_pass_ms(port, 1);
    }
    listen(bench);
}

/* What comes */

static inline void push(struct bench *bench, const uint8_t *bytes, unsigned count)
{
    struct ring *in = &bench->port->serial.in;
    check(in->count + count <= RING);
    while (count-- > 0)
        in->bytes[(in->first + in->count++) % RING] = *bytes++;
    bench->port->stirred = true;
}

static inline void send(struct bench *bench, const uint8_t *message, uint8_t count)
{
    uint8_t frame[FRAME_BYTES(FRAME_MAX_MESSAGE_BYTES)];
    memcpy(frame + 1, message, count);
    push(bench, frame, frame_encode(frame, count));
}

/* The four LEDs of A1 in this colour; `flags` as a LIGHTS has them. */
static inline void send_lights(struct bench *bench, unsigned number, unsigned colour, uint32_t flags)
{
    uint8_t message[MESSAGE_LIGHTS_BYTES + 3 * LEDS_OF_CELL] = {MESSAGE_LIGHTS, (uint8_t)number, 1};
    message[5] = (uint8_t)(flags >> 24);
    for (unsigned led = 0; led < LEDS_OF_CELL; led++) {
        message[6 + 3 * led] = (uint8_t)(colour >> 16);
        message[7 + 3 * led] = (uint8_t)(colour >> 8);
        message[8 + 3 * led] = (uint8_t)colour;
    }
    send(bench, message, sizeof message);
}

/* All LEDs in this colour: a frame in parts, of which the first has this number. */
static inline void send_all(struct bench *bench, unsigned number, unsigned colour)
{
    const unsigned most = LIGHTS_MAX_LEDS / LEDS_OF_CELL; /* places in a message */
    for (unsigned place = 0; place < PLACE_COUNT; place += most, number++) {
        uint8_t message[MESSAGE_LIGHTS_BYTES + 3 * LIGHTS_MAX_LEDS] = {MESSAGE_LIGHTS,
                                                                        (uint8_t)number};
        uint8_t *at = message + MESSAGE_LIGHTS_BYTES;
        uint32_t places = 0;
        for (unsigned told = place; told < place + most && told < PLACE_COUNT; told++) {
            places |= UINT32_C(1) << told;
            for (unsigned led = told < CELL_COUNT ? LEDS_OF_CELL : LEDS_OF_PAD; led > 0; led--) {
                *at++ = (uint8_t)(colour >> 16);
                *at++ = (uint8_t)(colour >> 8);
                *at++ = (uint8_t)colour;
            }
        }
        places |= place > 0 ? UINT32_C(1) << LIGHTS_REST_BIT : 0;
        places |= place + most < PLACE_COUNT ? UINT32_C(1) << LIGHTS_MORE_BIT : 0;
        for (unsigned byte = 0; byte < 4; byte++)
            message[2 + byte] = (uint8_t)(places >> 8 * byte);
        send(bench, message, (uint8_t)(at - message));
        turn(bench); /* its ring has no room for all of it */
    }
}

static inline void send_store(struct bench *bench, unsigned number, unsigned touch, unsigned most_ma)
{
    uint8_t message[MESSAGE_STORE_BYTES] = {MESSAGE_STORE, (uint8_t)number};
    struct settings settings;
    settings_defaults(&settings);
    memset(settings.touch, (int)touch, PAD_COUNT);
    settings.most_ma = (uint16_t)most_ma;
    settings_pack(&settings, message + 2);
    send(bench, message, sizeof message);
}

/* A line of a table: a command and its number (of lights: what A1 is to look like; "begin" and "rest"
 * are a frame in two parts, "all" is the whole table, in four); "noise", a damaged frame; or, behind a colon, what
 * the world is told. */
static inline void tell(struct bench *bench, const char *line)
{
    char word[16] = "";
    unsigned number = 0, value = 0, more = 2000;
    if (*line == ':') {
        check_row(line, world_command(&bench->port->world, line + 1, bench->port->now_us)[0] == 'o');
        return;
    }
    int found = sscanf(line, "%15s %u", word, &number);
    if (strcmp(word, "here") == 0 && found == 2) {
        send(bench, (const uint8_t[]){MESSAGE_HERE, (uint8_t)number}, 2);
    } else if (strcmp(word, "restart") == 0 && found == 2) {
        send(bench, (const uint8_t[]){MESSAGE_RESTART, (uint8_t)number}, 2);
    } else if (strcmp(word, "ask") == 0 && sscanf(line, "ask %u %u", &number, &value) == 2) {
        send(bench, (const uint8_t[]){MESSAGE_ASK, (uint8_t)number, (uint8_t)value}, 3);
    } else if (sscanf(line, "lights %u %x", &number, &value) == 2) {
        send_lights(bench, number, value, 0);
    } else if (sscanf(line, "all %u %x", &number, &value) == 2) {
        send_all(bench, number, value);
    } else if (sscanf(line, "begin %u %x", &number, &value) == 2) {
        send_lights(bench, number, value, UINT32_C(1) << LIGHTS_MORE_BIT);
    } else if (sscanf(line, "rest %u %x", &number, &value) == 2) {
        send_lights(bench, number, value, UINT32_C(1) << LIGHTS_REST_BIT);
    } else if (sscanf(line, "store %u %u %u", &number, &value, &more) >= 2) {
        send_store(bench, number, value, more);
    } else {
        check_row(line, strcmp(line, "noise") == 0);
        push(bench, (const uint8_t *)"\x05noise", 7);
    }
}

/* What goes after a start at which all is well. */
#define AT_FIRST "shown 060300, hello, state 0 dark"

#endif

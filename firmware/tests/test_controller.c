/* The controller as a whole: tables of {time, what comes, what goes}, in smooth and in jumping time,
 * and what no table can say. */
#include <stdarg.h>

#include "controller.h"
#include "desk.h"

/* A controller on the desk, with the Pi's side of its line. */
struct bench {
    struct port *port;
    struct controller controller;
    uint32_t base_ms; /* what the controller's clock shows when the port's shows 0 */
    uint32_t jump_ms; /* how often the controller has a turn when nothing stirs it */

    uint8_t bytes[FRAME_MESSAGE_MOST + CRC_BYTES];
    struct frame_decoder decoder;
    uint8_t hello[MESSAGE_HELLO_BYTES], settings[MESSAGE_SETTINGS_BYTES], raw[MESSAGE_RAW_BYTES];
    uint8_t state[MESSAGE_STATE_BYTES]; /* the last */
    unsigned states;                    /* so far */
    bool untimed;                       /* they need not come every 100 ms */
    char said[1024];                    /* what has gone, in words */
};

static uint32_t now_ms(const struct bench *bench)
{
    return (uint32_t)(bench->port->now_us / 1000) + bench->base_ms;
}

static void start(struct bench *bench, enum start_cause cause)
{
    bench->states = 0;
    bench->decoder = (struct frame_decoder){0};
    frame_decoder_start(&bench->decoder, bench->bytes, sizeof bench->bytes);
    controller_start(&bench->controller, bench->port, cause, now_ms(bench));
}

static struct bench *bench_new(uint32_t base_ms, uint32_t jump_ms)
{
    struct bench *bench = calloc(1, sizeof *bench);
    check(bench != NULL);
    bench->port = desk_new();
    bench->base_ms = base_ms;
    bench->jump_ms = jump_ms;
    start(bench, START_POWER);
    return bench;
}

static void bench_free(struct bench *bench)
{
    desk_free(bench->port);
    free(bench);
}

/* What goes */

static void say(struct bench *bench, const char *format, ...)
{
    size_t length = strlen(bench->said);
    va_list values;
    va_start(values, format);
    if (length > 0)
        length += (size_t)snprintf(bench->said + length, sizeof bench->said - length, ", ");
    vsnprintf(bench->said + length, sizeof bench->said - length, format, values);
    va_end(values);
}

static uint16_t number_16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t number_32(const uint8_t *at)
{
    return number_16(at) | (uint32_t)number_16(at + 2) << 16;
}

static uint32_t touched(const struct bench *bench)
{
    return number_32(bench->state + 12);
}

static void say_state(struct bench *bench, const uint8_t *state)
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
static void hear_state(struct bench *bench, const uint8_t *state)
{
    const uint8_t *last = bench->state;
    for (unsigned place = 0; place < PLACE_COUNT; place++) {
        uint8_t counter = state[24 + place / 2] >> 4 * (place % 2) & 15;
        check((counter & 1) == (number_32(state + 12) >> place & 1));
    }
    check(state[37] >> 4 == 0);
    check((number_32(state + 12) & number_32(state + 20)) == 0);
    check((number_32(state + 16) & ~number_32(state + 12)) == 0);
    check(number_16(state + 1) == bench->controller.kept.boot_id);
    check(number_16(state + 3) == (uint16_t)bench->states);
    uint32_t uptime_ms = number_32(state + 5);
    bool change = bench->states == 0 || memcmp(state + 9, last + 9, 38 - 9) != 0;
    if (bench->states > 0 && bench->jump_ms == 1 && !bench->untimed) {
        uint32_t since_ms = uptime_ms - number_32(last + 5);
        check(change ? since_ms <= 110 : since_ms >= 99 && since_ms <= 110);
    }
    if (change)
        say_state(bench, state);
    memcpy(bench->state, state, MESSAGE_STATE_BYTES);
    bench->states++;
}

static void hear(struct bench *bench, uint8_t count)
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

static void listen(struct bench *bench)
{
    struct shown shown;
    while (strip_take(&bench->port->strip, &shown)) {
        check(shown.whole);
        say(bench, "shown %06x", shown.colours[0]);
    }
    for (uint8_t byte; queue_take(&bench->port->serial.gone, &byte, 1) == 1;) {
        uint8_t count = frame_decode(&bench->decoder, byte);
        if (count > 0)
            hear(bench, count);
    }
    check(bench->decoder.dropped == 0);
}

/* The controller's turn: it does all that there is to do now. */
static void turn(struct bench *bench)
{
    bench->port->stirred = false;
    for (unsigned steps = 0; controller_step(&bench->controller, now_ms(bench)); steps++)
        check(steps < 1000);
}

static void run(struct bench *bench, uint32_t ms)
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

static void push(struct bench *bench, const uint8_t *bytes, unsigned count)
{
    struct ring *in = &bench->port->serial.in;
    check(in->count + count <= RING);
    while (count-- > 0)
        in->bytes[(in->first + in->count++) % RING] = *bytes++;
    bench->port->stirred = true;
}

static void send(struct bench *bench, const uint8_t *message, uint8_t count)
{
    uint8_t frame[FRAME_BYTES(FRAME_MESSAGE_MOST)];
    memcpy(frame + 1, message, count);
    push(bench, frame, frame_encode(frame, count));
}

static void send_lights(struct bench *bench, unsigned number, unsigned colour)
{
    uint8_t message[MESSAGE_LIGHTS_BYTES] = {MESSAGE_LIGHTS, (uint8_t)number};
    for (unsigned place = 0; place < PLACE_COUNT; place++) {
        message[2 + 3 * place] = (uint8_t)(colour >> 16);
        message[3 + 3 * place] = (uint8_t)(colour >> 8);
        message[4 + 3 * place] = (uint8_t)colour;
    }
    send(bench, message, sizeof message);
}

static void send_store(struct bench *bench, unsigned number, unsigned touch, unsigned most_ma)
{
    uint8_t message[MESSAGE_STORE_BYTES] = {MESSAGE_STORE, (uint8_t)number};
    struct settings settings;
    settings_defaults(&settings);
    memset(settings.touch, (int)touch, PAD_COUNT);
    settings.most_ma = (uint16_t)most_ma;
    settings_pack(&settings, message + 2);
    send(bench, message, sizeof message);
}

/* A line of a table: a command and its number; "noise", a damaged frame; or, behind a colon, what
 * the world is told. */
static void tell(struct bench *bench, const char *line)
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
        send_lights(bench, number, value);
    } else if (sscanf(line, "store %u %u %u", &number, &value, &more) >= 2) {
        send_store(bench, number, value, more);
    } else {
        check_row(line, strcmp(line, "noise") == 0);
        push(bench, (const uint8_t *)"\x05noise", 7);
    }
}

/* Tables */

struct row {
    uint32_t at_ms;
    const char *in;  /* commands, divided by "; " */
    const char *out; /* what goes from then until the next row, in its order */
};

static void play(const struct row rows[], size_t count, uint32_t base_ms, uint32_t jump_ms)
{
    struct bench *bench = bench_new(base_ms, jump_ms);
    for (size_t i = 0; i < count; i++) {
        uint32_t until_ms = i + 1 < count ? rows[i + 1].at_ms : rows[i].at_ms + 99;
        char in[200], name[300];
        snprintf(in, sizeof in, "%s", rows[i].in);
        for (char *line = strtok(in, ";"); line != NULL; line = strtok(NULL, ";"))
            tell(bench, line + (*line == ' '));
        bench->said[0] = 0;
        run(bench, until_ms - rows[i].at_ms);
        snprintf(name, sizeof name, "at %u (%s), which said \"%.200s\"", rows[i].at_ms, rows[i].in,
                 bench->said);
        check_row(name, strcmp(bench->said, rows[i].out) == 0);
    }
    bench_free(bench);
}

/* In smooth time, with turns far between, and while the milliseconds wrap. */
#define PLAY(rows)                                                                           \
    do {                                                                                     \
        play(rows, sizeof rows / sizeof *rows, 0, 1);                                        \
        play(rows, sizeof rows / sizeof *rows, 0, 10);                                       \
        play(rows, sizeof rows / sizeof *rows, 0u - 350u, 1);                                \
    } while (0)

#define AT_FIRST "shown 060300, hello, state 0 dark"

static void each_command_is_applied_once_and_told(void)
{
    static const struct row rows[] = {
        {0, "", AT_FIRST},
        {200, "here 1", "state 1 dark"},
        {250, "lights 2 0a141e", "shown 0a141e, state 2"},
        {300, "lights 2 ff0000", ""}, /* the number is that of the last */
        {350, "lights 3 0a141e", "shown 0a141e, state 3"},
        {400, "here 3", ""},
        {450, "restart 3", ""},
        {500, "lights 255 102030", "shown 102030, state 255"},
        {600, "here 1", "state 1"},
        {700, "here 0", ""}, /* there is no number 0 */
        {750, "here 9; here 9; here 10", "state 9, state 10"},
    };
    PLAY(rows);
}

static void what_is_asked_is_answered_every_time(void)
{
    static const struct row rows[] = {
        {0, "", AT_FIRST},
        {200, "ask 1 1", "hello, state 1 dark"},
        {300, "ask 1 1", "hello"},
        {400, "ask 2 3", "settings 2, state 2 dark"},
        {450, "ask 2 3", "settings 2"},
        {500, "ask 3 4", ""}, /* there is nothing of this name */
        {550, "ask 4 1; ask 5 3", "hello, state 5 dark, settings 5"},
        {700, "store 6 7", "settings 6, state 6 dark"},
        {800, "store 6 7", "settings 6"},
        {850, "store 7 3", "settings 7 refused, state 7 dark"},
        {950, "store 7 3", "settings 7 refused"},
    };
    static const struct row with_raw[] = {
        {0, "", AT_FIRST},
        {200, "ask 1 2", "state 1 dark, raw 1"},
        {300, "ask 1 2", "raw 1"},
    };
    play(rows, sizeof rows / sizeof *rows, 0, 1);
    play(with_raw, sizeof with_raw / sizeof *with_raw, 0, 1);
}

static void silence_makes_it_dark_until_somebody_is_heard(void)
{
    static const struct row rows[] = {
        {0, "", AT_FIRST},
        {100, "lights 1 0a141e", "shown 0a141e, state 1"},
        {200, "", ""},
        {590, "here 2", "state 2"},
        {1080, "", "shown 060300, state 2 dark"},
        {1200, "noise", ""}, /* that is nobody */
        {1300, "here 2", "shown 0a141e, state 2"},
        {1750, "", ""},
        {1790, "", "shown 060300, state 2 dark"},
        {1950, "lights 3 102030", "shown 102030, state 3"},
    };
    PLAY(rows);
}

static void a_finger_is_told_and_so_is_what_breaks(void)
{
    static const struct row rows[] = {
        {0, "", AT_FIRST},
        {300, ":shape 0 C2 20:30", "state 0 dark @7"},
        {500, ":shape 0 C2 20:0", "state 0 dark"},
        {700, ":shape 0 end-turn 20:30", "state 0 dark @25"},
        {900, ":clear 0", "state 0 dark"},
        {1100, ":chip 2 nack -", "state 0 dark chips 3"},
    };
    play(rows, sizeof rows / sizeof *rows, 0, 1);
    play(rows, sizeof rows / sizeof *rows, 0u - 450u, 1);
}

static void lights_that_come_too_quickly_are_shown_as_the_last_of_them(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 200);
    bench->said[0] = 0;
    tell(bench, "lights 1 010101");
    controller_step(&bench->controller, now_ms(bench)); /* the strip has been told; it latches */
    tell(bench, "lights 2 020202");
    tell(bench, "lights 3 030303");
    run(bench, 50);
    check(strcmp(bench->said, "shown 010101, state 1, shown 030303, state 3") == 0);

    /* Whatever comes behind lights that wait has the number that is told when they are shown. */
    bench->said[0] = 0;
    tell(bench, "lights 4 040404");
    controller_step(&bench->controller, now_ms(bench));
    tell(bench, "lights 5 050505");
    tell(bench, "here 6");
    run(bench, 50);
    check(strcmp(bench->said, "shown 040404, state 4, shown 050505, state 6") == 0);
    bench_free(bench);
}

static void lights_are_shown_in_the_turn_in_which_they_came(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 200);
    tell(bench, "lights 1 123456");
    uint64_t came_us = bench->port->now_us;
    controller_step(&bench->controller, now_ms(bench));
    desk_pass_ms(bench->port, 1);
    struct shown shown;
    check(strip_take(&bench->port->strip, &shown));
    check(shown.begun_us == came_us && shown.colours[26] == 0x123456);
    bench_free(bench);
}

/* What cannot go must not be lost */

static void the_newest_state_goes_when_there_is_room_and_every_answer(void)
{
    struct bench *bench = bench_new(0, 1);
    struct port *port = bench->port;
    run(bench, 200);
    bench->said[0] = 0;
    bench->untimed = true;
    tell(bench, "here 1");
    turn(bench);
    check(port->serial.out.count > 0);
    port->serial.out_us = NEVER; /* and there it stays */
    unsigned before = bench->states;
    tell(bench, "ask 2 1");
    run(bench, 50);
    tell(bench, "ask 3 2");
    tell(bench, "store 4 7");
    run(bench, 300);
    tell(bench, "here 5");
    run(bench, 50);
    check(bench->said[0] == 0);
    port->serial.out_us = port->now_us;
    run(bench, 60);
    check(strcmp(bench->said, "state 1 dark, hello, state 5 dark, settings 4, raw 3") == 0);
    check(bench->states == before + 2);
    bench_free(bench);
}

static void a_touch_and_lift_while_nothing_could_go_are_counted(void)
{
    struct bench *bench = bench_new(0, 1);
    struct port *port = bench->port;
    run(bench, 300);
    bench->untimed = true;
    tell(bench, "here 1");
    turn(bench);
    port->serial.out_us = NEVER;
    tell(bench, ":shape 0 A1 20:30 200:30 220:0");
    run(bench, 400);
    port->serial.out_us = port->now_us;
    bench->said[0] = 0;
    run(bench, 20);
    check(touched(bench) == 0 && bench->state[24] == 2);
    bench_free(bench);
}

/* What the reports hold */

static void hello_tells_why_and_with_what_it_started(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 200);
    const uint8_t first[] = {1, 1, 0, 1, 0, 1, 0, START_POWER, 7, 27, WIRING_LIGHT_COUNT, 0, 1};
    check(memcmp(bench->hello, first, sizeof first) == 0);

    static const enum start_cause causes[] = {START_RESET_LINE, START_BROWN_OUT, START_WATCHDOG};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        start(bench, causes[i]);
        run(bench, 200);
        check(bench->hello[5] == 2 + i && bench->hello[6] == 0 && bench->hello[7] == causes[i]);
    }

    tell(bench, "store 1 20");
    run(bench, 500);
    tell(bench, "ask 2 1");
    run(bench, 20);
    check(bench->hello[12] == SETTINGS_STORED);
    start(bench, START_POWER);
    run(bench, 200);
    check(bench->hello[12] == SETTINGS_STORED);
    bench->port->memory[KEPT_SLOT_AT(0) + 40] ^= 0x10;
    start(bench, START_POWER);
    run(bench, 200);
    check(bench->hello[12] == SETTINGS_DAMAGED);
    check(bench->controller.settings.touch[0] == 7);
    bench_free(bench);
}

static void a_chip_that_is_missing_at_the_start_is_missing_in_hello(void)
{
    struct bench *bench = bench_new(0, 1);
    tell(bench, ":chip 1 nack -");
    run(bench, 99);
    check(strcmp(bench->said, "shown 060300") == 0);
    run(bench, 200);
    check(bench->hello[8] == 5 && bench->state[10] == 5);
    tell(bench, ":chip 1 nack 0");
    run(bench, 30000);
    check(bench->state[10] == 7);
    tell(bench, "ask 1 1");
    run(bench, 20);
    check(bench->hello[8] == 5); /* it answered, but not at the start */
    bench_free(bench);
}

static void it_speaks_although_its_memory_takes_nothing(void)
{
    struct bench *bench = bench_new(0, 1);
    bench->port->memory_us = NEVER - 1;
    run(bench, 99);
    check(strcmp(bench->said, "shown 060300") == 0);
    run(bench, 50);
    check(strcmp(bench->said, AT_FIRST) == 0);
    bench_free(bench);
}

static void what_is_dropped_and_lost_is_counted(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 200);
    tell(bench, "noise");
    run(bench, 200);
    check(bench->state[40] == 1);
    tell(bench, "here 0");
    send(bench, (const uint8_t[]){0x77, 1}, 2);
    send(bench, (const uint8_t[]){MESSAGE_HERE, 1, 1}, 3);
    push(bench, (const uint8_t[]){0, 0, 0}, 3);
    run(bench, 200);
    check(bench->state[40] == 4 && bench->state[9] == 0);
    bench->port->serial.lost = 3;
    run(bench, 200);
    check(bench->state[41] == 3);
    bench_free(bench);
}

static void uptime_and_current_are_told(void)
{
    struct bench *bench = bench_new(0u - 100u, 1);
    run(bench, 1000);
    uint32_t uptime_ms = number_32(bench->state + 5);
    check(uptime_ms > 890 && uptime_ms <= 1000);
    check(number_16(bench->state + 42) == 141); /* 13 cells × 4 × 9/255 × 20 mA, and 104 */
    tell(bench, "lights 1 ffffff");
    run(bench, 50);
    check(number_16(bench->state + 42) > 1950 && number_16(bench->state + 42) <= 2000);
    check(bench->state[11] == STATE_STARVING);
    bench_free(bench);
}

static void raw_is_what_the_chips_count(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 300);
    tell(bench, ":shape 0 A1 20:30");
    tell(bench, ":chip 2 nack -");
    run(bench, 200);
    tell(bench, "ask 9 2");
    run(bench, 30);
    check(bench->raw[1] == 9);
    for (unsigned pad = 0; pad < PAD_COUNT; pad++) {
        uint16_t filtered = number_16(bench->raw + 2 + 4 * pad);
        uint16_t baseline = number_16(bench->raw + 4 + 4 * pad);
        bool unread = (pad >= 20 && pad < 27) || pad == 30; /* hardware/wiring.csv: chip 0x5C */
        check(unread ? filtered == 0xFFFF : filtered <= 1023 && baseline <= 1020);
        if (!unread)
            check(pad == 0 ? baseline - filtered > 20 : abs(baseline - filtered) < 8);
    }
    bench_free(bench);
}

/* Settings */

static void settings_are_used_at_once_and_kept(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 300);
    tell(bench, "lights 1 ffffff");
    run(bench, 20);
    tell(bench, "store 2 50 500");
    run(bench, 600);
    check(bench->settings[3] == 50 && bench->settings[3 + 93] == 500 % 256);
    check(number_16(bench->state + 42) <= 500); /* what was lit already is darker now */
    tell(bench, "here 3");
    tell(bench, ":shape 0 A1 20:30");
    run(bench, 300);
    check(touched(bench) == 0); /* 30 is less than 50 */
    tell(bench, ":shape 0 A1 20:58");
    run(bench, 200);
    check(touched(bench) == 1);
    start(bench, START_POWER);
    check(bench->controller.settings.touch[5] == 50 && bench->controller.settings.most_ma == 500);
    bench_free(bench);
}

static void refused_settings_change_nothing(void)
{
    static const char *const lines[] = {"store 9 3", "store 9 121", "store 9 4", "store 9 57",
                                        "store 9 20 99", "store 9 20 6501"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct bench *bench = bench_new(0, 1);
        run(bench, 200);
        tell(bench, "store 1 30 1500");
        run(bench, 600);
        uint8_t memory[TABLE_MEMORY], in_use[SETTINGS_BYTES];
        memcpy(memory, bench->port->memory, sizeof memory);
        settings_pack(&bench->controller.settings, in_use);
        uint8_t restarts = bench->state[39];

        bench->said[0] = 0;
        tell(bench, lines[i]);
        run(bench, 600);
        check_row(lines[i], strncmp(bench->said, "settings 9 refused, state 9", 27) == 0);
        check_row(lines[i], memcmp(bench->settings + 3, in_use, SETTINGS_BYTES) == 0);
        check_row(lines[i], memcmp(bench->port->memory, memory, sizeof memory) == 0);
        check_row(lines[i], bench->state[39] == restarts && bench->state[10] == 7);
        bench_free(bench);
    }
}

static void settings_that_are_in_use_disturb_nobody_but_are_kept(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 300);
    tell(bench, ":shape 0 A1 20:30");
    run(bench, 100);
    bench->said[0] = 0;
    tell(bench, "store 1 7 2000"); /* the defaults */
    run(bench, 600);
    check(strncmp(bench->said, "settings 1, state 1 dark @0", 27) == 0);
    check(strstr(bench->said, "chips") == NULL && touched(bench) == 1);
    start(bench, START_POWER);
    check(bench->controller.kept.origin == SETTINGS_STORED);
    bench_free(bench);
}

/* Time */

static void a_leap_of_time_is_one_silence_and_one_state(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 300);
    tell(bench, "lights 1 102030");
    run(bench, 50);
    bench->said[0] = 0;
    bench->untimed = true;
    unsigned before = bench->states;
    bench->base_ms += 3600000; /* an hour in which it had no turn */
    run(bench, 20);
    check(strcmp(bench->said, "shown 060300, state 1 dark") == 0);
    check(bench->states - before == 2); /* that it was due is told first */
    bench_free(bench);
}

int main(void)
{
    each_command_is_applied_once_and_told();
    what_is_asked_is_answered_every_time();
    silence_makes_it_dark_until_somebody_is_heard();
    a_finger_is_told_and_so_is_what_breaks();
    lights_that_come_too_quickly_are_shown_as_the_last_of_them();
    lights_are_shown_in_the_turn_in_which_they_came();
    the_newest_state_goes_when_there_is_room_and_every_answer();
    a_touch_and_lift_while_nothing_could_go_are_counted();
    hello_tells_why_and_with_what_it_started();
    a_chip_that_is_missing_at_the_start_is_missing_in_hello();
    it_speaks_although_its_memory_takes_nothing();
    what_is_dropped_and_lost_is_counted();
    uptime_and_current_are_told();
    raw_is_what_the_chips_count();
    settings_are_used_at_once_and_kept();
    refused_settings_change_nothing();
    settings_that_are_in_use_disturb_nobody_but_are_kept();
    a_leap_of_time_is_one_silence_and_one_state();
    return 0;
}

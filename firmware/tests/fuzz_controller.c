/* Fuzzes the controller with bytes, times, fingers and trouble. Whatever comes:
 * - it shows only what intact frames ordered, nothing from before what it showed last, nor half of a
 *   frame in two parts; or its own pattern; and never draws more than it may;
 * - it uses only settings that an intact frame stored;
 * - its STATEs do not contradict themselves, and count on by one;
 * - it writes to its memory only where it keeps something;
 * - no boot id that was told comes again.
 * What an intact frame is, is decided by reference.h.
 */
#include <math.h>
#include <string.h>

#include "controller.h"
#include "desk.h"
#include "reference.h"

#define MAX_ORDERS 1024
#define MAX_CAPS 16
#define MAX_BOOT_IDS 64
#define MAX_TIME_US 3000000 /* of one input */

/* How all LEDs are to be driven. */
struct order {
    uint8_t pulses[3 * LED_COUNT];
};

struct pi {
    uint8_t frame[4096]; /* of which the end has not come */
    size_t count;
    uint8_t last_number;
    bool numbers[256];
    uint8_t ordered[3 * LED_COUNT]; /* as they are to look */
    uint32_t places;                /* for which something was ordered since the start */
    struct order orders[MAX_ORDERS]; /* all that were intact and whole */
    size_t order_count, shown; /* orders[shown] is the oldest that may be shown now */
    uint8_t stored[MAX_ORDERS][SETTINGS_BYTES];
    size_t stored_count;
};

struct run {
    struct port *port;
    struct controller controller;
    struct pi pi;
    uint32_t leap_ms;   /* by which the controller's clock is before the port's */
    uint16_t caps_ma[MAX_CAPS]; /* that held during the last turn */
    size_t cap_count;
    uint8_t line[4096]; /* from the controller: what came of a frame */
    size_t line_count;
    bool heard;
    uint16_t sequence; /* of the next STATE */
    uint16_t told[MAX_BOOT_IDS]; /* boot ids */
    size_t told_count;
};

static uint32_t now_ms(const struct run *run)
{
    return (uint32_t)(run->port->now_us / 1000) + run->leap_ms;
}

static void start(struct run *run, enum start_cause cause)
{
    run->pi.count = run->line_count = 0;
    run->pi.last_number = 0;
    run->pi.places = 0;
    memset(run->pi.ordered, 0, sizeof run->pi.ordered);
    run->pi.shown = run->pi.order_count;
    memset(run->pi.numbers, 0, sizeof run->pi.numbers);
    run->pi.numbers[0] = true;
    run->heard = false;
    run->sequence = 0;
    controller_start(&run->controller, run->port, cause, now_ms(run));
}

/* What the Pi has sent */

static uint32_t number(const uint8_t *at, unsigned bytes)
{
    return bytes == 0 ? 0 : at[0] | number(at + 1, bytes - 1) << 8;
}

/* The pulses of an LED for its colour, by the standard; black is black alone. */
static void drive(uint8_t pulses[3], const uint8_t colour[3])
{
    uint8_t most = 0;
    for (unsigned at = 0; at < 3; at++) {
        double share = colour[at] / 255.0;
        most = colour[at] > most ? colour[at] : most;
        pulses[at] = (uint8_t)lround(255 * (share <= 0.04045 ? share / 12.92
                                                              : pow((share + 0.055) / 1.055, 2.4)));
    }
    for (unsigned at = 0; most > 0 && most < 7 && at < 3; at++)
        pulses[at] = colour[at] == most;
}

/* How long a message of this kind is; the places of lights stand in it. */
static size_t length_of(const uint8_t *message, size_t count)
{
    static const uint8_t lengths[] = {0, 3, 97, 2, 2};
    if (message[0] != 0x11)
        return lengths[message[0] - 0x11];
    uint32_t places = count < 6 ? 0 : number(message + 2, 4) & 0x3FFFFFFF;
    size_t length = 6;
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        length += places >> place & 1 ? (place < 25 ? 12 : 6) : 0;
    return places >> PLACE_COUNT ? 0 : length;
}

static void pi_ordered(struct pi *pi, const uint8_t *body)
{
    uint32_t places = number(body, 4);
    body += 4;
    for (unsigned led = 0; led < LED_COUNT; led++) {
        if (places >> (led < 100 ? led / 4 : led / 2 - 25) & 1) {
            memcpy(pi->ordered + 3 * led, body, 3);
            body += 3;
        }
    }
    pi->places |= places & 0x7FFFFFF;
    if (places >> 31 || pi->places != 0x7FFFFFF || pi->order_count == MAX_ORDERS)
        return;
    struct order *order = &pi->orders[pi->order_count++];
    for (unsigned led = 0; led < LED_COUNT; led++)
        drive(order->pulses + 3 * led, pi->ordered + 3 * led);
}

static void pi_sent(struct pi *pi, const uint8_t *message, size_t count)
{
    if (count < 2 || message[0] < 0x11 || message[0] > 0x15 || count != length_of(message, count) ||
        message[1] == 0 || (message[0] == 0x12 && (message[2] < 1 || message[2] > 3)))
        return;
    bool again = message[1] == pi->last_number;
    bool rest = message[0] == 0x11 && message[5] & 0x40;
    if (rest && !again && (pi->last_number == 0 || message[1] != pi->last_number % 255 + 1))
        return;
    pi->last_number = message[1];
    pi->numbers[message[1]] = true;
    if (message[0] == 0x11 && !again)
        pi_ordered(pi, message + 2);
    if (message[0] == 0x13 && pi->stored_count < MAX_ORDERS)
        memcpy(pi->stored[pi->stored_count++], message + 2, SETTINGS_BYTES);
}

/* A byte goes to the controller, if its ring has room. */
static void push(struct run *run, uint8_t byte)
{
    struct ring *in = &run->port->serial.in;
    struct pi *pi = &run->pi;
    uint8_t message[sizeof pi->frame];
    if (in->count == RING)
        return;
    in->bytes[(in->first + in->count++) % RING] = byte;
    if (byte == 0) {
        pi_sent(pi, message, reference_message(pi->frame, pi->count, message));
        pi->count = 0;
    } else if (pi->count < sizeof pi->frame) {
        pi->frame[pi->count++] = byte;
    }
}

/* What it shows */

static double draw_ma(const uint8_t pulses[3 * LED_COUNT])
{
    double ma = WIRING_LIGHT_COUNT;
    for (unsigned at = 0; at < 3 * LED_COUNT; at++)
        ma += pulses[at] * 20 / 255.0;
    return ma;
}

/* Is this the order; or because of a cap the order scaled by one measure, in which nothing goes out
 * but if it must all? */
static bool is_order(const struct run *run, const uint8_t shown[], const uint8_t order[])
{
    double idle = WIRING_LIGHT_COUNT, want = draw_ma(order) - idle;
    for (size_t i = 0; i < run->cap_count; i++) {
        double measure = run->caps_ma[i] > idle ? (run->caps_ma[i] - idle) / want : 0;
        if (want <= 0 || measure > 1)
            measure = 1;
        double least = 0;
        for (unsigned at = 0; at < 3 * LED_COUNT; at++)
            least += order[at] > 0 ? 20 / 255.0 : 0;
        bool nothing = measure < 1 && run->caps_ma[i] - idle < least - 20 / 255.0;
        double rounding = measure < 1 ? 1.5 : 0;
        unsigned at = 0;
        while (at < 3 * LED_COUNT && (nothing ? shown[at] == 0 : (shown[at] > 0) == (order[at] > 0) &&
               shown[at] <= order[at] * measure + (measure < 1 ? 1 : 0) &&
               shown[at] >= order[at] * measure - rounding))
            at++;
        if (at == 3 * LED_COUNT)
            return true;
    }
    return false;
}

static void look(struct run *run, const struct shown *shown)
{
    struct pi *pi = &run->pi;
    uint8_t pulses[3 * LED_COUNT], own[3 * LED_COUNT] = {0};
    uint16_t cap_ma = WIRING_LIGHT_COUNT;
    for (unsigned at = 0; at < sizeof pulses; at++)
        pulses[at] = (uint8_t)(shown->pulses[at / 3] >> (16 - 8 * (at % 3)));
    for (unsigned led = 0; led < 100; led++)
        if (led / 4 % 2 == 0)
            memcpy(own + 3 * led, (const uint8_t[]){6, 3, 0}, 3);
    for (size_t i = 0; i < run->cap_count; i++)
        cap_ma = run->caps_ma[i] > cap_ma ? run->caps_ma[i] : cap_ma;
    check(shown->whole);
    check(draw_ma(pulses) <= cap_ma);
    if (is_order(run, pulses, own))
        return;
    while (pi->shown < pi->order_count && !is_order(run, pulses, pi->orders[pi->shown].pulses))
        pi->shown++;
    check(pi->shown < pi->order_count);
}

/* What it says */

static void hear_state(struct run *run, const uint8_t *state)
{
    static const uint8_t pads[CHIP_COUNT][CHANNEL_COUNT] = WIRING_PADS;
    uint32_t touched = number(state + 12, 4), heavy = number(state + 16, 4);
    uint32_t deaf = number(state + 20, 4), perhaps = number(state + 50, 4);
    check(number(state + 3, 2) == run->sequence++);
    check(run->pi.numbers[state[9]]);
    check((heavy & ~touched) == 0 && (touched & deaf) == 0);
    check((perhaps & (touched | deaf)) == 0 && perhaps >> PLACE_COUNT == 0);
    check((touched | deaf) >> PLACE_COUNT == 0 && state[37] >> 4 == 0);
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        check((state[24 + place / 2] >> 4 * (place % 2) & 1u) == (touched >> place & 1));
    for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
        for (unsigned channel = 0; channel < CHANNEL_COUNT; channel++)
            if (!(state[10] >> chip & 1) && pads[chip][channel] < PLACE_COUNT)
                check(deaf >> pads[chip][channel] & 1);
}

static void hear_boot_id(struct run *run, uint16_t boot_id)
{
    check(boot_id != 0 && boot_id == run->controller.kept.boot_id);
    if (!run->heard)
        for (size_t i = 0; i < run->told_count; i++)
            check(run->told[i] != boot_id);
    run->heard = true;
}

static void hear(struct run *run, const uint8_t *message, size_t count)
{
    static const uint8_t lengths[] = {0, 13, 54, 126, 98};
    check(count > 0 && message[0] >= 1 && message[0] <= 4 && count == lengths[message[0]]);
    if (message[0] == 1)
        hear_boot_id(run, (uint16_t)number(message + 5, 2));
    if (message[0] == 2) {
        hear_boot_id(run, (uint16_t)number(message + 1, 2));
        hear_state(run, message);
    }
    if (message[0] >= 3)
        check(run->pi.numbers[message[1]]);
}

static void listen(struct run *run)
{
    uint8_t message[sizeof run->line];
    struct shown shown;
    while (strip_take(&run->port->strip, &shown))
        look(run, &shown);
    for (uint8_t byte; queue_take(&run->port->serial.gone, &byte, 1) == 1;) {
        if (byte != 0) {
            check(run->line_count < FRAME_BYTES(FRAME_MAX_MESSAGE_BYTES));
            run->line[run->line_count++] = byte;
        } else if (run->line_count > 0) { /* before a HELLO there is a zero more */
            hear(run, message, reference_message(run->line, run->line_count, message));
            run->line_count = 0;
        }
    }
}

/* What it keeps and uses */

static bool is_kept_at(unsigned at)
{
    return (at < 256 && at % 128 < KEPT_SLOT_BYTES) ||
           (at >= 256 && at < 256 + KEPT_RECORDS * KEPT_RECORD_BYTES);
}

static void inspect(const struct run *run)
{
    for (unsigned at = 0; at < TABLE_MEMORY; at++)
        check(is_kept_at(at) || run->port->memory[at] == 0x77);

    struct settings defaults;
    uint8_t in_use[SETTINGS_BYTES], known[SETTINGS_BYTES];
    settings_defaults(&defaults);
    settings_pack(&run->controller.settings, in_use);
    settings_pack(&defaults, known);
    bool found = memcmp(in_use, known, SETTINGS_BYTES) == 0;
    for (size_t i = 0; i < run->pi.stored_count; i++)
        found = found || memcmp(in_use, run->pi.stored[i], SETTINGS_BYTES) == 0;
    check(found && settings_in_range(in_use));
}

/* Time, and what the input does */

static void step(struct run *run)
{
    bool more = true;
    run->caps_ma[0] = run->controller.settings.most_ma;
    run->cap_count = 1;
    for (unsigned steps = 0; more; steps++) {
        check(steps < 2000);
        more = controller_step(&run->controller, now_ms(run));
        if (run->cap_count < MAX_CAPS)
            run->caps_ma[run->cap_count++] = run->controller.settings.most_ma;
    }
}

static void pass(struct run *run, unsigned ms)
{
    while (ms-- > 0 && run->port->now_us < MAX_TIME_US) {
        listen(run);
        step(run);
        desk_pass_ms(run->port, 1);
    }
    listen(run);
}

struct input {
    const uint8_t *data;
    size_t size;
};

static uint8_t take(struct input *input)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->data++;
}

/* A command whose body is drawn out of a few bytes; with `flip`, one of its bits is wrong. */
static void push_command(struct run *run, struct input *input, bool flip)
{
    uint8_t frame[FRAME_BYTES(97)] = {0}, kind = take(input) % 5, number_of = take(input);
    frame[1] = (uint8_t)(0x11 + kind);
    frame[2] = number_of;
    uint8_t first = take(input), step_by = take(input);
    for (unsigned at = 2; at < 97; at++)
        frame[1 + at] = (uint8_t)(first + at * step_by);
    if (kind == 0) { /* seven places in a row, which may be half of a frame */
        uint8_t flags = take(input);
        uint32_t places = UINT32_C(0x7F) << flags % 21 | (uint32_t)(flags & 0xC0) << 24;
        for (unsigned at = 0; at < 4; at++)
            frame[3 + at] = (uint8_t)(places >> 8 * at);
    }
    if (kind == 1)
        frame[3] = (uint8_t)(1 + first % 4);
    if (kind == 2) { /* mostly in range */
        struct settings settings;
        settings_defaults(&settings);
        settings.touch[step_by % PAD_COUNT] = first;
        settings.most_ma = (uint16_t)(first * step_by);
        settings_pack(&settings, frame + 3);
    }
    uint8_t count = frame_encode(frame, (uint8_t)length_of(frame + 1, 97));
    if (flip)
        frame[take(input) % count] ^= (uint8_t)(1 << take(input) % 8);
    for (unsigned at = 0; at < count; at++)
        push(run, frame[at]);
}

/* A frame over the whole table, in four parts, of which one may be lost. */
static void push_table(struct run *run, struct input *input)
{
    uint8_t number_of = take(input), colour = take(input), lost = take(input);
    for (unsigned part = 0; part < 4; part++) {
        uint8_t frame[FRAME_BYTES(97)] = {0, 0x11, (uint8_t)(number_of + part)};
        uint32_t places = (UINT32_C(0x7F) << 7 * part & 0x7FFFFFF) |
                          (uint32_t)(part > 0) << LIGHTS_REST_BIT |
                          (uint32_t)(part < 3) << LIGHTS_MORE_BIT;
        for (unsigned at = 0; at < 4; at++)
            frame[3 + at] = (uint8_t)(places >> 8 * at);
        memset(frame + 7, colour, 84);
        uint8_t count = frame_encode(frame, (uint8_t)length_of(frame + 1, 97));
        for (unsigned at = 0; at < count && part != lost; at++)
            push(run, frame[at]);
        pass(run, 1);
    }
}

static void trouble(struct run *run, struct input *input)
{
    static const char *const troubles[] = {"nack", "flip", "hold", "brown-out", "over-current"};
    char line[40];
    uint8_t which = take(input) % 5, chip = take(input) % CHIP_COUNT;
    int length = snprintf(line, sizeof line, "chip %u %s", chip, troubles[which]);
    if (which < 3)
        snprintf(line + length, sizeof line - (size_t)length, " %u", take(input));
    check(world_command(&run->port->world, line, run->port->now_us)[0] == 'o');
}

static void finger(struct run *run, struct input *input)
{
    static const char *const pads[] = {"A1", "B3", "E5", "D4", "end-turn", "far", "near", "all"};
    char line[60];
    unsigned layer = take(input) % 16, counts = take(input);
    snprintf(line, sizeof line, "shape %u %s 20:%u", layer, pads[layer % 8], counts);
    check(world_command(&run->port->world, line, run->port->now_us)[0] == 'o');
}

/* This one was told, so it must not come again: unless it was told because the memory kept it
 * waiting, or seemed to when the time leapt. */
static void note_boot_id(struct run *run)
{
    if (run->heard && kept_boot_id(&run->controller.kept) && run->told_count < MAX_BOOT_IDS)
        run->told[run->told_count++] = run->controller.kept.boot_id;
}

/* The power goes, and the byte that was being written is torn. */
static void power_cut(struct run *run, struct input *input)
{
    struct port *port = run->port;
    if (port->memory_us != NEVER)
        port->memory[port->memory_at] = take(input);
    listen(run);
    note_boot_id(run);
    port_power(port);
    start(run, START_POWER);
}

/* Only the controller starts anew; what the strip was told it shows. */
static void reset(struct run *run)
{
    desk_pass_ms(run->port, 1);
    listen(run);
    note_boot_id(run);
    port_reset(run->port);
    start(run, START_RESET_LINE);
}

/* Nothing more leaves the controller, until it does. */
static void hold_line(struct run *run, bool held)
{
    struct serial *serial = &run->port->serial;
    if (serial->out.count > 0)
        serial->out_us = held ? NEVER : run->port->now_us;
}

static void act(struct run *run, struct input *input)
{
    switch (take(input) % 14) {
    case 0:
        for (unsigned count = take(input) % 32; count > 0; count--)
            push(run, take(input));
        break;
    case 1:
    case 2:
        push_command(run, input, false);
        break;
    case 3:
        push_command(run, input, true);
        break;
    case 4:
        pass(run, 1);
        break;
    case 5:
        pass(run, 2u * take(input));
        break;
    case 6:
        run->leap_ms += (uint32_t)take(input) << take(input) % 25;
        break;
    case 7:
        finger(run, input);
        break;
    case 8:
        trouble(run, input);
        break;
    case 9:
        power_cut(run, input);
        break;
    case 10:
        reset(run);
        break;
    case 11:
        hold_line(run, take(input) % 2);
        break;
    case 12:
        run->port->memory[KEPT_SLOT_AT(take(input) % KEPT_SLOTS) + take(input) % KEPT_SLOT_BYTES] =
            take(input);
        break;
    case 13:
        push_table(run, input);
        break;
    }
}

/* The memory is new, or worthless, or keeps settings. */
static void fill_memory(struct run *run, uint8_t fill)
{
    uint8_t *slot = run->port->memory + KEPT_SLOT_AT(fill / 2 % KEPT_SLOTS);
    for (unsigned at = 0; at < TABLE_MEMORY; at++)
        run->port->memory[at] = is_kept_at(at) ? fill : 0x77;
    if (fill % 2 == 0 || fill == 0xFF)
        return;
    struct settings settings;
    settings_defaults(&settings);
    settings.touch[9] = 20;
    settings_pack(&settings, slot + 1);
    memcpy(run->pi.stored[run->pi.stored_count++], slot + 1, SETTINGS_BYTES);
    uint32_t crc = reference_crc(slot, 1 + SETTINGS_BYTES);
    for (unsigned i = 0; i < CRC_BYTES; i++)
        slot[1 + SETTINGS_BYTES + i] = (uint8_t)(crc >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run run;
    struct input input = {data, size};
    memset(&run, 0, sizeof run);
    run.port = desk_new();
    run.leap_ms = 0u - 200u; /* the milliseconds wrap soon */
    fill_memory(&run, take(&input));
    start(&run, START_POWER);
    while (input.size > 0 && run.port->now_us < MAX_TIME_US) {
        act(&run, &input);
        inspect(&run);
    }
    pass(&run, 20);
    inspect(&run);
    desk_free(run.port);
    return 0;
}

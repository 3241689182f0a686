#include "controller.h"

#include <string.h>

#include "message.h"

#define START_TIMEOUT_MS 100 /* a chip that answers later counts as missing */
#define STORE_TIMEOUT_MS 2000 /* a boot id that is not stored by then is used all the same */
#define ALL_CHIPS ((1 << CHIP_COUNT) - 1)

static const uint8_t firmware_version[3] = {0, 8, 0};

void controller_start(struct controller *controller, struct port *port, enum start_cause cause,
                      uint32_t now_ms)
{
    memset(controller, 0, sizeof *controller);
    controller->port = port;
    controller->start_ms = controller->told_ms = now_ms;
    controller->cause = cause;
    controller->hello_due = controller->state_due = true;
    kept_start(&controller->kept, port, &controller->settings);
    touch_start(&controller->touch, now_ms);
    lights_start(&controller->lights);
    link_start(&controller->link, port, now_ms);
}

/* New settings restart the touch chips, because the chips hold the thresholds. Settings that are
 * already in use restart nothing; they are stored only if they were in use as defaults. A repeated
 * STORE is only answered again. */
static void store(struct controller *controller, const struct command *command, bool again)
{
    if (!again && settings_in_range(command->body)) {
        bool changed = !settings_are(&controller->settings, command->body);
        if (changed) {
            settings_unpack(&controller->settings, command->body);
            touch_restart(&controller->touch);
            lights_again(&controller->lights);
        }
        if (changed || controller->kept.origin != SETTINGS_STORED)
            kept_store(&controller->kept);
    }
    controller->settings_due = true;
    controller->settings_number = command->number;
    controller->verdict =
        settings_are(&controller->settings, command->body) ? VERDICT_IN_USE : VERDICT_REFUSED;
}

static void answer(struct controller *controller, const struct command *command)
{
    switch ((enum asked)command->body[0]) {
    case ASKED_HELLO:
        controller->hello_due = true;
        break;
    case ASKED_RAW:
        controller->raw_due = true;
        controller->raw_number = command->number;
        touch_want_raw(&controller->touch);
        break;
    case ASKED_SETTINGS:
        controller->settings_due = true;
        controller->settings_number = command->number;
        controller->verdict = VERDICT_IN_USE;
        break;
    }
}

static void order_lights(struct controller *controller, const struct command *command)
{
    bool more;
    uint32_t places = message_colours(controller->lights.ordered, command->body, &more);
    lights_order(&controller->lights, places, more);
}

static void obey(struct controller *controller, const struct command *command, bool again)
{
    switch ((enum message_type)command->type) {
    case MESSAGE_LIGHTS:
        order_lights(controller, command);
        break;
    case MESSAGE_ASK:
        answer(controller, command);
        break;
    case MESSAGE_STORE:
        store(controller, command, again);
        break;
    case MESSAGE_RESTART:
        touch_restart(&controller->touch);
        break;
    default: /* HERE needs no action: receiving it is enough */
        break;
    }
}

/* HELLO reports the boot id and the touch chips found. It waits until the boot id is stored,
 * because otherwise the next start could use the same id; at most STORE_TIMEOUT_MS, because a memory
 * may be broken. It also waits until all chips have answered, at most START_TIMEOUT_MS. */
static void settle(struct controller *controller, uint32_t now_ms)
{
    if (controller->started)
        return;
    controller->found |= controller->touch.felt.chips;
    const uint32_t since_ms = now_ms - controller->start_ms;
    const bool stored = kept_boot_id(&controller->kept) || since_ms >= STORE_TIMEOUT_MS;
    controller->started =
        stored && (controller->found == ALL_CHIPS || since_ms >= START_TIMEOUT_MS);
}

static uint8_t flags(const struct controller *controller)
{
    uint8_t set = 0;
    if (controller->touch.felt.water)
        set |= STATE_WATER;
    if (controller->touch.felt.rim)
        set |= STATE_RIM;
    if (controller->lights.own)
        set |= STATE_DARK;
    if (controller->lights.starving)
        set |= STATE_STARVING;
    return set;
}

/* For the Pi, a STATE proves a touch only for a short time: with an older STATE the Pi completes no
 * hold. So STATEs are more frequent while a place is touched. */
static uint32_t period_ms(const struct controller *controller)
{
    return controller->touch.felt.touched ? STATE_TOUCHED_MS : STATE_PERIOD_MS;
}

/* Set `state_due` if a field in `marked` has changed, or if the period is over. Every step does
 * this, even while the line is busy. A change is then noticed even if it ends before it can be
 * sent. */
static void watch(struct controller *controller, uint32_t now_ms)
{
    const struct felt *felt = &controller->touch.felt;
    struct marked *last = &controller->marked;
    struct marked is = {.touched = felt->touched,
                        .heavy = felt->heavy,
                        .deaf = felt->deaf,
                        .perhaps = touch_perhaps(&controller->touch),
                        .chips = felt->chips,
                        .applied = controller->applied,
                        .flags = flags(controller)};
    if (is.touched != last->touched || is.heavy != last->heavy || is.deaf != last->deaf ||
        is.perhaps != last->perhaps || is.chips != last->chips || is.flags != last->flags || is.applied != last->applied ||
        now_ms - controller->told_ms >= period_ms(controller))
        controller->state_due = true;
    *last = is;
}

static uint8_t make_state(struct controller *controller, uint8_t bytes[], uint32_t now_ms)
{
    struct state state = {.boot_id = controller->kept.boot_id,
                          .sequence = controller->sequence++,
                          .uptime_ms = now_ms - controller->start_ms,
                          .applied = controller->marked.applied,
                          .flags = controller->marked.flags,
                          .felt = &controller->touch.felt,
                          .noisy = touch_noisy(&controller->touch),
                          .perhaps = controller->marked.perhaps,
                          .dropped = controller->link.in.dropped,
                          .lost = port_lost(controller->port),
                          .current_ma = controller->lights.current_ma,
                          .check = controller->lights.check};
    controller->state_due = false;
    controller->told_ms = now_ms;
    return message_state(bytes, &state);
}

static uint8_t make_hello(struct controller *controller, uint8_t bytes[])
{
    struct hello hello = {.boot_id = controller->kept.boot_id,
                          .cause = (uint8_t)controller->cause,
                          .chips = controller->found,
                          .light_count = lights_count(),
                          .origin = controller->kept.origin};
    memcpy(hello.firmware, firmware_version, sizeof hello.firmware);
    controller->hello_due = false;
    return message_hello(bytes, &hello);
}

static uint8_t make_raw(struct controller *controller, uint8_t bytes[])
{
    for (uint8_t pad = 0; pad < PAD_COUNT; pad++)
        message_raw_pad(bytes, pad, touch_raw(&controller->touch, pad));
    controller->raw_due = false;
    return message_raw(bytes, controller->raw_number);
}

static uint8_t make_settings(struct controller *controller, uint8_t bytes[])
{
    controller->settings_due = false;
    return message_settings(bytes, controller->settings_number, controller->verdict,
                            &controller->settings);
}

static uint8_t make_answer(struct controller *controller, uint8_t bytes[])
{
    if (controller->hello_due)
        return make_hello(controller, bytes);
    if (controller->settings_due)
        return make_settings(controller, bytes);
    if (controller->raw_due && touch_raw_ready(&controller->touch))
        return make_raw(controller, bytes);
    return 0;
}

/* Send one message if one is due and the line is free. If a STATE and an answer are due, they take
 * turns, so that neither blocks the other. */
static void tell(struct controller *controller, uint32_t now_ms)
{
    uint8_t frame[FRAME_BYTES(MESSAGE_MAX_REPORT_BYTES)];
    uint8_t count = 0;
    if (!controller->started || !link_free(&controller->link, controller->port))
        return;
    if (!controller->state_due || !controller->states_turn)
        count = make_answer(controller, frame + 1);
    controller->states_turn = count > 0;
    if (count == 0 && controller->state_due)
        count = make_state(controller, frame + 1, now_ms);
    if (count > 0)
        link_send(controller->port, frame, count);
}

bool controller_step(struct controller *controller, uint32_t now_ms)
{
    struct command command;
    bool again;
    bool more = touch_step(&controller->touch, controller->port, &controller->settings, now_ms);
    if (link_receive(&controller->link, controller->port, &command, &again, now_ms)) {
        obey(controller, &command, again);
        more = true;
    }
    lights_silence(&controller->lights, controller->link.silent);
    if (kept_step(&controller->kept, controller->port, &controller->settings))
        more = true;
    settle(controller, now_ms);
    watch(controller, now_ms);
    tell(controller, now_ms);
    /* The lights are last, because sending to the strip takes as long as a STATE on the line. */
    if (lights_step(&controller->lights, controller->port, controller->settings.most_ma))
        more = true;
    if (!lights_waiting(&controller->lights))
        controller->applied = controller->link.taken;
    return more;
}

uint32_t controller_next_ms(const struct controller *controller, uint32_t now_ms)
{
    const uint32_t times_ms[] = {controller->told_ms + period_ms(controller),
                                 controller->link.heard_ms + LINK_SILENCE_MS,
                                 controller->start_ms + START_TIMEOUT_MS,
                                 controller->start_ms + STORE_TIMEOUT_MS};
    uint32_t next_ms = touch_next_ms(&controller->touch, controller->port, now_ms);
    for (uint8_t at = 0; at < sizeof times_ms / sizeof *times_ms; at++)
        if ((int32_t)(times_ms[at] - now_ms) > 0 && (int32_t)(times_ms[at] - next_ms) < 0)
            next_ms = times_ms[at];
    return next_ms;
}

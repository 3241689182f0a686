/* Lights: what was ordered is shown as it is to look, or darker by one measure; never above the cap. */
#include <math.h>

#include "desk.h"
#include "lights.h"

#define FULL_MA (60u * WIRING_LIGHT_COUNT)
#define IDLE_MA (1u * WIRING_LIGHT_COUNT)
#define ALL ((UINT32_C(1) << PLACE_COUNT) - 1)

struct table {
    struct port *port;
    struct lights lights;
};

static struct table start(void)
{
    struct table table = {.port = desk_new()};
    lights_start(&table.lights);
    return table;
}

/* Let it show what is due, and take what has latched. */
static struct shown show(struct table *table, uint16_t most_ma)
{
    struct shown shown;
    check(lights_step(&table->lights, table->port, most_ma));
    desk_pass_ms(table->port, 1);
    check(strip_take(&table->port->strip, &shown));
    check(shown.whole);
    return shown;
}

static void order(struct lights *lights, uint8_t red, uint8_t green, uint8_t blue)
{
    for (unsigned led = 0; led < LED_COUNT; led++)
        lights->ordered[led] = (struct colour){red, green, blue};
    lights_order(lights, ALL, false);
}

/* What the lights draw, reckoned in another way than by the controller. */
static double draw_ma(const struct shown *shown)
{
    double ma = IDLE_MA;
    for (unsigned led = 0; led < LED_COUNT; led++) {
        uint32_t pulses = shown->pulses[led];
        ma += 20 / 255.0 * ((pulses >> 16) + (pulses >> 8 & 0xFF) + (pulses & 0xFF));
    }
    return ma;
}

/* The pulse for a channel of sRGB, by the standard. */
static unsigned pulse_of(unsigned channel)
{
    double share = channel / 255.0;
    return (unsigned)lround(255 * (share <= 0.04045 ? share / 12.92
                                                    : pow((share + 0.055) / 1.055, 2.4)));
}

static void every_channel_is_driven_as_srgb_has_it(void)
{
    struct table table = start();
    for (unsigned channel = 0; channel < 256; channel++) {
        order(&table.lights, 255, (uint8_t)channel, (uint8_t)(255 - channel));
        struct shown shown = show(&table, 6500);
        desk_pass_ms(table.port, 1);
        for (unsigned led = 0; led < LED_COUNT; led++)
            check(shown.pulses[led] ==
                  (0xFF0000 | pulse_of(channel) << 8 | pulse_of(255 - channel)));
    }
    desk_free(table.port);
}

static void a_colour_that_is_not_black_is_not_driven_as_black(void)
{
    static const struct {
        uint32_t colour, pulses;
    } rows[] = {
        {0x000000, 0x000000}, {0x010101, 0x010101}, {0x060606, 0x010101}, {0x010000, 0x010000},
        {0x000201, 0x000100}, {0x040506, 0x000001}, {0x050502, 0x010100}, {0x070101, 0x010000},
        {0x060700, 0x000100}, {0x202020, 0x040404},
    };
    struct table table = start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char row[32];
        snprintf(row, sizeof row, "row %zu", i);
        order(&table.lights, (uint8_t)(rows[i].colour >> 16), (uint8_t)(rows[i].colour >> 8),
              (uint8_t)rows[i].colour);
        struct shown shown = show(&table, 6500);
        desk_pass_ms(table.port, 1);
        check_row(row, shown.pulses[0] == rows[i].pulses);
    }
    desk_free(table.port);
}

static void each_led_shows_what_is_ordered_for_it(void)
{
    struct table table = start();
    for (unsigned led = 0; led < LED_COUNT; led++)
        table.lights.ordered[led] =
            (struct colour){(uint8_t)(100 + led), (uint8_t)(2 * led), (uint8_t)(150 - led)};
    lights_order(&table.lights, ALL, false);
    struct shown shown = show(&table, 6500);
    for (unsigned led = 0; led < LED_COUNT; led++)
        check(shown.pulses[led] ==
              (pulse_of(100 + led) << 16 | pulse_of(2 * led) << 8 | pulse_of(150 - led)));
    check(!table.lights.own && !table.lights.starving);
    desk_free(table.port);
}

static void it_never_draws_more_than_it_may(void)
{
    static const struct {
        uint8_t red, green, blue;
        uint16_t most_ma;
        bool starving;
    } rows[] = {
        {255, 255, 255, 6500, false}, {255, 255, 255, FULL_MA + IDLE_MA, false},
        {255, 255, 255, FULL_MA + IDLE_MA - 1, true}, {255, 255, 255, 2000, true},
        {255, 255, 255, 100, true},   {13, 13, 13, 100, true},   {13, 13, 13, IDLE_MA + 1, true},
        {0, 0, 0, 100, false},        {13, 0, 0, IDLE_MA + 9, false}, {255, 0, 0, 2000, true},
        {188, 137, 13, 1000, true},   {160, 96, 224, 105, true}, {188, 137, 13, IDLE_MA + 25, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct table table = start();
        char row[32];
        snprintf(row, sizeof row, "row %zu", i);
        order(&table.lights, rows[i].red, rows[i].green, rows[i].blue);
        struct shown shown = show(&table, rows[i].most_ma);
        double ma = draw_ma(&shown);
        check_row(row, table.lights.starving == rows[i].starving);
        check_row(row, ma <= rows[i].most_ma || shown.pulses[0] == 0);
        check_row(row, table.lights.current_ma >= ma && table.lights.current_ma < ma + 1);
        desk_free(table.port);
    }
}

/* The least that what is lit can draw: each pulse by itself is the least there is. */
static double least_ma(const struct lights *lights)
{
    const uint8_t *channels = (const uint8_t *)lights->ordered;
    unsigned lit = 0;
    for (unsigned at = 0; at < 3 * LED_COUNT; at++)
        lit += channels[at] > 6;
    return IDLE_MA + lit * 20 / 255.0;
}

static void any_frame_stays_below_any_cap_and_is_not_darker_than_needed(void)
{
    struct table table = start();
    struct chance chance;
    chance_seed(&chance, 11);
    for (unsigned i = 0; i < 20000; i++) {
        uint16_t most_ma = (uint16_t)(100 + chance_bits(&chance) % 6401);
        uint8_t mask = (uint8_t)chance_bits(&chance);
        uint8_t *channels = (uint8_t *)table.lights.ordered;
        for (unsigned at = 0; at < 3 * LED_COUNT; at++)
            channels[at] = (uint8_t)(chance_bits(&chance) | mask);
        lights_order(&table.lights, ALL, false);
        struct shown shown = show(&table, most_ma);
        double ma = draw_ma(&shown);
        check(ma <= most_ma || ma == IDLE_MA);
        /* Each of 312 channels loses less than one to rounding; the measure itself less than a
         * 32768th. */
        if (table.lights.starving && most_ma > least_ma(&table.lights) + 1)
            check(ma > most_ma - 2 - 312 * 20 / 255.0 - most_ma / 32768.0);
        desk_pass_ms(table.port, 1);
    }
    desk_free(table.port);
}

static void a_starving_frame_is_scaled_by_one_measure_and_nothing_of_it_goes_out(void)
{
    struct table table = start();
    order(&table.lights, 255, 255, 255);
    table.lights.ordered[3] = (struct colour){228, 168, 122}; /* pulses of 198, 100, 50 */
    table.lights.ordered[4] = (struct colour){0, 0, 0};
    table.lights.ordered[5] = (struct colour){13, 0, 22}; /* of 1, 0, 2 */
    struct shown shown = show(&table, 2000);
    unsigned white = shown.pulses[0] & 0xFF;
    check(white > 70 && white < 90);
    check((shown.pulses[3] >> 16) - 198 * white / 255 <= 1);
    check((shown.pulses[3] >> 8 & 0xFF) - 100 * white / 255 <= 1);
    check((shown.pulses[3] & 0xFF) - 50 * white / 255 <= 1);
    check(shown.pulses[4] == 0 && shown.pulses[5] == 0x010001);
    desk_free(table.port);
}

static void another_cap_changes_what_is_shown(void)
{
    struct table table = start();
    order(&table.lights, 255, 255, 255);
    show(&table, 2000);
    lights_again(&table.lights);
    struct shown shown = show(&table, 500);
    check(table.lights.starving && draw_ma(&shown) <= 500);
    lights_again(&table.lights);
    shown = show(&table, 6500);
    check(!table.lights.starving && shown.pulses[0] == 0xFFFFFF);
    desk_free(table.port);
}

static void a_strip_that_has_not_latched_is_not_told_and_then_the_newest_only(void)
{
    struct table table = start();
    struct shown shown;
    order(&table.lights, 1, 1, 1);
    check(lights_step(&table.lights, table.port, 6500));
    order(&table.lights, 20, 20, 20);
    check(!lights_step(&table.lights, table.port, 6500) && lights_waiting(&table.lights));
    order(&table.lights, 30, 30, 30);
    check(!lights_step(&table.lights, table.port, 6500) && lights_waiting(&table.lights));
    desk_pass_ms(table.port, 1);
    check(lights_step(&table.lights, table.port, 6500) && !lights_waiting(&table.lights));
    desk_pass_ms(table.port, 1);
    check(strip_take(&table.port->strip, &shown) && shown.pulses[0] == 0x010101);
    check(strip_take(&table.port->strip, &shown) && shown.pulses[0] == 0x030303);
    check(!strip_take(&table.port->strip, &shown));
    desk_free(table.port);
}

static void it_tells_the_strip_only_when_something_is_due(void)
{
    struct table table = start();
    show(&table, 2000);
    check(!lights_step(&table.lights, table.port, 2000));
    order(&table.lights, 9, 9, 9);
    show(&table, 2000);
    check(!lights_step(&table.lights, table.port, 2000));
    order(&table.lights, 9, 9, 9); /* the same again is told again */
    show(&table, 2000);
    desk_free(table.port);
}

/* The own pattern */

static void the_own_pattern_is_dim_and_depends_on_nothing(void)
{
    struct table table = start();
    struct shown first = show(&table, 2000);
    check(table.lights.own && !lights_waiting(&table.lights));
    static const uint8_t orders[][3] = {{255, 255, 255}, {0, 0, 0}, {255, 0, 0}, {1, 2, 3}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        lights_silence(&table.lights, false);
        order(&table.lights, orders[i][0], orders[i][1], orders[i][2]);
        show(&table, 2000);
        check(!table.lights.own);
        lights_silence(&table.lights, true);
        struct shown shown = show(&table, 2000);
        check(table.lights.own && !table.lights.starving);
        check(memcmp(shown.pulses, first.pulses, sizeof shown.pulses) == 0);
    }
    check(draw_ma(&first) < 150);
    unsigned lit = 0;
    for (unsigned led = 0; led < LED_COUNT; led++)
        lit += first.pulses[led] != 0;
    check(lit == 13 * LEDS_OF_CELL); /* every other cell */
    desk_free(table.port);
}

static void what_was_ordered_comes_back_when_the_silence_ends(void)
{
    struct table table = start();
    order(&table.lights, 10, 20, 30);
    show(&table, 2000);
    lights_silence(&table.lights, true);
    show(&table, 2000);
    lights_silence(&table.lights, false);
    check(lights_waiting(&table.lights));
    struct shown shown = show(&table, 2000);
    check(shown.pulses[7] == 0x010203);
    desk_free(table.port);
}

static void before_each_place_is_ordered_the_pattern_stays(void)
{
    struct table table = start();
    show(&table, 2000);
    lights_order(&table.lights, ALL >> 1, false);
    check(!lights_waiting(&table.lights) && table.lights.own);
    lights_order(&table.lights, 1 << 3, false);
    check(!lights_waiting(&table.lights) && table.lights.own);
    lights_silence(&table.lights, true);
    lights_silence(&table.lights, false);
    check(!lights_waiting(&table.lights) && table.lights.own);
    lights_order(&table.lights, 1 << 26, false);
    show(&table, 2000);
    check(!table.lights.own);
    desk_free(table.port);
}

static void half_a_frame_is_not_shown(void)
{
    struct table table = start();
    order(&table.lights, 10, 20, 30);
    show(&table, 2000);
    table.lights.ordered[0] = (struct colour){255, 0, 0};
    lights_order(&table.lights, ALL, true);
    check(!lights_waiting(&table.lights));
    lights_again(&table.lights); /* another cap */
    check(!lights_waiting(&table.lights));
    lights_silence(&table.lights, true);
    show(&table, 2000);
    check(table.lights.own);
    lights_silence(&table.lights, false);
    check(!lights_waiting(&table.lights) && table.lights.own);
    lights_order(&table.lights, ALL, false);
    struct shown shown = show(&table, 2000);
    check(shown.pulses[0] == 0xFF0000 && shown.pulses[1] == 0x010203);
    desk_free(table.port);
}

int main(void)
{
    check(lights_count() == WIRING_LIGHT_COUNT);
    every_channel_is_driven_as_srgb_has_it();
    a_colour_that_is_not_black_is_not_driven_as_black();
    each_led_shows_what_is_ordered_for_it();
    it_never_draws_more_than_it_may();
    any_frame_stays_below_any_cap_and_is_not_darker_than_needed();
    a_starving_frame_is_scaled_by_one_measure_and_nothing_of_it_goes_out();
    another_cap_changes_what_is_shown();
    a_strip_that_has_not_latched_is_not_told_and_then_the_newest_only();
    it_tells_the_strip_only_when_something_is_due();
    the_own_pattern_is_dim_and_depends_on_nothing();
    what_was_ordered_comes_back_when_the_silence_ends();
    before_each_place_is_ordered_the_pattern_stays();
    half_a_frame_is_not_shown();
    return 0;
}

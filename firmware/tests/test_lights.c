/* Lights: what was ordered is shown as it was, or darker by one measure; never above the cap. */
#include "desk.h"
#include "lights.h"

#define FULL_MA (60u * WIRING_LIGHT_COUNT)
#define IDLE_MA (1u * WIRING_LIGHT_COUNT)

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
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        lights->ordered[place] = (struct colour){red, green, blue};
    lights_order(lights);
}

/* What the lights draw, reckoned in another way than by the controller. */
static double draw_ma(const struct shown *shown)
{
    static const uint8_t lights_at[] = WIRING_LIGHTS_AT;
    double ma = 0;
    for (unsigned place = 0; place < PLACE_COUNT; place++) {
        uint32_t colour = shown->colours[place];
        ma += lights_at[place] *
              (1 + 20 / 255.0 * ((colour >> 16) + (colour >> 8 & 0xFF) + (colour & 0xFF)));
    }
    return ma;
}

static void what_is_ordered_is_shown(void)
{
    struct table table = start();
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        table.lights.ordered[place] =
            (struct colour){(uint8_t)(100 + place), (uint8_t)(2 * place), (uint8_t)(50 - place)};
    lights_order(&table.lights);
    struct shown shown = show(&table, 6500);
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        check(shown.colours[place] == ((100 + place) << 16 | (2 * place) << 8 | (50 - place)));
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
        {255, 255, 255, 100, true},   {1, 1, 1, 100, true},      {1, 1, 1, IDLE_MA + 1, true},
        {0, 0, 0, 100, false},        {1, 0, 0, IDLE_MA + 9, false}, {255, 0, 0, 2000, true},
        {128, 64, 3, 1000, true},     {90, 30, 200, 105, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct table table = start();
        char row[32];
        snprintf(row, sizeof row, "row %zu", i);
        order(&table.lights, rows[i].red, rows[i].green, rows[i].blue);
        struct shown shown = show(&table, rows[i].most_ma);
        double ma = draw_ma(&shown);
        check_row(row, table.lights.starving == rows[i].starving);
        check_row(row, ma <= rows[i].most_ma || shown.colours[0] == 0);
        check_row(row, table.lights.current_ma >= ma && table.lights.current_ma < ma + 1);
        desk_free(table.port);
    }
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
        for (unsigned at = 0; at < 3 * PLACE_COUNT; at++)
            channels[at] = (uint8_t)(chance_bits(&chance) | mask);
        lights_order(&table.lights);
        struct shown shown = show(&table, most_ma);
        double ma = draw_ma(&shown);
        check(ma <= most_ma || ma == IDLE_MA);
        /* Each of 81 channels loses less than one to rounding, of at most 4 lights; the measure
         * itself less than a 32768th. */
        if (table.lights.starving && most_ma > IDLE_MA)
            check(ma > most_ma - 2 - 81 * 4 * 20 / 255.0 - most_ma / 32768.0);
        desk_pass_ms(table.port, 1);
    }
    desk_free(table.port);
}

static void a_starving_frame_is_scaled_by_one_measure(void)
{
    struct table table = start();
    order(&table.lights, 255, 255, 255);
    table.lights.ordered[3] = (struct colour){200, 100, 50};
    table.lights.ordered[4] = (struct colour){0, 0, 0};
    struct shown shown = show(&table, 2000);
    unsigned white = shown.colours[0] & 0xFF;
    check(white > 70 && white < 90);
    check((shown.colours[3] >> 16) - 200 * white / 255 <= 1);
    check((shown.colours[3] >> 8 & 0xFF) - 100 * white / 255 <= 1);
    check((shown.colours[3] & 0xFF) - 50 * white / 255 <= 1);
    check(shown.colours[4] == 0);
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
    check(!table.lights.starving && shown.colours[0] == 0xFFFFFF);
    desk_free(table.port);
}

static void a_strip_that_has_not_latched_is_not_told_and_then_the_newest_only(void)
{
    struct table table = start();
    struct shown shown;
    order(&table.lights, 1, 1, 1);
    check(lights_step(&table.lights, table.port, 6500));
    order(&table.lights, 2, 2, 2);
    check(!lights_step(&table.lights, table.port, 6500) && lights_waiting(&table.lights));
    order(&table.lights, 3, 3, 3);
    check(!lights_step(&table.lights, table.port, 6500) && lights_waiting(&table.lights));
    desk_pass_ms(table.port, 1);
    check(lights_step(&table.lights, table.port, 6500) && !lights_waiting(&table.lights));
    desk_pass_ms(table.port, 1);
    check(strip_take(&table.port->strip, &shown) && shown.colours[0] == 0x010101);
    check(strip_take(&table.port->strip, &shown) && shown.colours[0] == 0x030303);
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
        check(memcmp(shown.colours, first.colours, sizeof shown.colours) == 0);
    }
    check(draw_ma(&first) < 150);
    unsigned lit = 0;
    for (unsigned place = 0; place < PLACE_COUNT; place++)
        lit += first.colours[place] != 0;
    check(lit > 0);
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
    check(shown.colours[7] == 0x0A141E);
    desk_free(table.port);
}

static void before_anything_is_ordered_the_pattern_stays(void)
{
    struct table table = start();
    show(&table, 2000);
    lights_silence(&table.lights, true);
    lights_silence(&table.lights, false);
    check(!lights_waiting(&table.lights) && table.lights.own);
    desk_free(table.port);
}

int main(void)
{
    check(lights_count() == WIRING_LIGHT_COUNT);
    what_is_ordered_is_shown();
    it_never_draws_more_than_it_may();
    any_frame_stays_below_any_cap_and_is_not_darker_than_needed();
    a_starving_frame_is_scaled_by_one_measure();
    another_cap_changes_what_is_shown();
    a_strip_that_has_not_latched_is_not_told_and_then_the_newest_only();
    it_tells_the_strip_only_when_something_is_due();
    the_own_pattern_is_dim_and_depends_on_nothing();
    what_was_ordered_comes_back_when_the_silence_ends();
    before_anything_is_ordered_the_pattern_stays();
    return 0;
}

/* Three chips as one table. */
#include "fake_chips.h"

#include "check.h"

enum { A1 = 0, B1, C1, D1, E1, A2, A3 = 10, B3, A5 = 20, NEAR = 30 };
enum { WATER = 1, RIM = 2 };
#define ALL_CHIPS 7
#define ON(place) (UINT32_C(1) << (place))

/* The places of each chip, as hardware/wiring.csv has them. */
#define CHIP_0 UINT32_C(0x00003FF)
#define CHIP_1 UINT32_C(0x00FFC00)
#define CHIP_2 UINT32_C(0x7F00000)

static struct touch touch;
static struct port port;
static struct settings settings;
static uint32_t touches[PLACE_COUNT]; /* and lifts, in all */

/* A row of a table, and what was told there. */
static const char *told(unsigned row)
{
    static char text[120];
    const struct felt *felt = &touch.felt;
    snprintf(text, sizeof text, "row %u (touched %lx heavy %lx deaf %lx chips %x water %d rim %d)",
             row, (unsigned long)felt->touched, (unsigned long)felt->heavy,
             (unsigned long)felt->deaf, felt->chips, felt->water, felt->rim);
    return text;
}

static void switch_on_at(uint32_t now_ms)
{
    settings_defaults(&settings);
    fake_power(&port, now_ms);
    memset(touches, 0, sizeof touches);
    touch_start(&touch, now_ms);
}

/* What must hold at any time, whatever happens. */
static void check_felt(const struct felt *was)
{
    const struct felt *is = &touch.felt;
    check((is->heavy & ~is->touched) == 0);
    check((is->touched & is->deaf) == 0);
    check((is->touched | is->deaf) >> PLACE_COUNT == 0);
    for (uint8_t place = 0; place < PLACE_COUNT; place++) {
        uint32_t changed = (is->touched ^ was->touched) >> place & 1;
        check((is->counters[place] & 1) == (is->touched >> place & 1));
        check(is->counters[place] == ((was->counters[place] + changed) & 15));
        touches[place] += changed;
    }
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        check(port.chips[i].ignored == 0);
}

/* A millisecond, of which the bus makes what it can. */
static void step(void)
{
    uint32_t left_us = 1000;
    fake_time(&port);
    while (touch_step(&touch, &port, &settings, port.now_ms) || port.left_us > 0) {
        uint32_t step_us = port.left_us < left_us ? port.left_us : left_us;
        if (port.status == BUS_BUSY) /* a line is held low: it takes for ever */
            return;
        port.left_us -= step_us;
        port.busy_us += step_us;
        left_us -= step_us;
        if (port.left_us > 0)
            return;
    }
}

static void pass(uint32_t ms)
{
    while (ms-- > 0) {
        struct felt was = touch.felt;
        step();
        check_felt(&was);
    }
}

static void switch_on(void)
{
    switch_on_at(0);
    pass(100);
}

static void load(uint8_t pad, uint16_t counts)
{
    for (uint8_t i = 0; i < CHIP_COUNT; i++)
        for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
            if (pads[i][channel] == pad)
                port.chips[i].load[channel] = counts;
}

enum in { NOTHING, LOAD, AWAY, BACK, BROWN_OUT, EXCESS, RANGE, HELD, RESTART };

struct row {
    uint32_t until_ms; /* since the table was switched on */
    enum in in;        /* what happens at once, to which pad or chip */
    uint8_t what;
    uint16_t value;
    uint32_t touched, heavy, deaf; /* and what is told then */
    uint8_t chips, flags;
};

static void happen(const struct row *row)
{
    struct fake_chip *chip = &port.chips[row->what % CHIP_COUNT];
    switch (row->in) {
    case NOTHING: break;
    case LOAD: load(row->what, row->value); break;
    case AWAY: chip->away = true; break;
    case BACK: chip->away = false; break;
    case BROWN_OUT: fake_reset(chip); break;
    case EXCESS: fake_over_current(chip); break;
    case RANGE: chip->registers[0x02] = (uint8_t)row->value; break;
    case HELD: port.held_until_ms = port.now_ms + row->value; break;
    case RESTART: touch_restart(&touch); break;
    }
}

static void play(const struct row rows[], unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        happen(row);
        pass(row->until_ms - port.now_ms);
        check_row(told(i), touch.felt.touched == row->touched);
        check_row(told(i), touch.felt.heavy == row->heavy);
        check_row(told(i), touch.felt.deaf == row->deaf);
        check_row(told(i), touch.felt.chips == row->chips);
        check_row(told(i), (touch.felt.water | touch.felt.rim << 1) == row->flags);
    }
}

#define PLAY(...)                                                   \
    do {                                                            \
        static const struct row rows[] = {__VA_ARGS__};             \
        play(rows, sizeof rows / sizeof rows[0]);                   \
    } while (0)

static void until_it_is_ready_all_is_deaf(void)
{
    switch_on_at(0);
    PLAY({10, NOTHING, 0, 0, 0, 0, CHIP_0 | CHIP_1 | CHIP_2, 0, 0},
         {40, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0});
    check(touch.felt.restarts == 0);
}

static void a_finger_is_felt_and_its_lift(void)
{
    switch_on();
    PLAY({125, LOAD, A1, 16, ON(A1), 0, 0, ALL_CHIPS, 0},
         {150, LOAD, B3, 16, ON(A1) | ON(B3), 0, 0, ALL_CHIPS, 0},
         {180, LOAD, A1, 0, ON(B3), 0, 0, ALL_CHIPS, 0},
         {210, LOAD, B3, 0, 0, 0, 0, ALL_CHIPS, 0});
    check(touches[A1] == 2);
    check(touches[B3] == 2);
}

static void a_touch_begins_at_the_threshold(void)
{
    switch_on();
    PLAY({200, LOAD, A1, 6, 0, 0, 0, ALL_CHIPS, 0},
         {300, LOAD, A1, 7, ON(A1), 0, 0, ALL_CHIPS, 0},
         {900, LOAD, A1, 6, ON(A1), 0, 0, ALL_CHIPS, 0},
         {1100, LOAD, A1, 5, 0, 0, 0, ALL_CHIPS, 0},
         {1300, LOAD, A1, 6, 0, 0, 0, ALL_CHIPS, 0},
         {1500, LOAD, A1, 8, ON(A1), 0, 0, ALL_CHIPS, 0},
         {1515, LOAD, A1, 3, 0, 0, 0, ALL_CHIPS, 0});
}

/* Two values of a load in turn, neither of which the chip takes for a lift three times running. */
static void what_noise_holds_is_not_felt_for_long(void)
{
    static const struct {
        uint16_t counts[2];
        bool felt;
    } rows[] = {{{16, 2}, true}, {{13, 3}, true}, {{9, 2}, false}, {{8, 2}, false}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on();
        load(A1, 9);
        pass(30);
        check_row(told(row), touch.felt.touched == ON(A1));
        for (unsigned sample = 0; sample < 100; sample++) {
            load(A1, rows[row].counts[sample % 2]);
            pass(SAMPLE_MS);
            check(touch.chips[0].touched == 1);
            if (rows[row].felt || sample > 50)
                check_row(told(row), touch.felt.touched == (rows[row].felt ? ON(A1) : 0));
        }
    }
}

/* Three values, 4 ms apart, and what the bus takes: whenever the finger comes. */
static void a_finger_and_its_lift_are_felt_within_15_ms(void)
{
    for (uint32_t phase = 0; phase < 30; phase++) {
        uint32_t took_ms = 0, lift_ms = 0;
        switch_on();
        pass(phase);
        load(A5, 16);
        while (!touch.felt.touched) {
            pass(1);
            took_ms++;
        }
        pass(phase);
        load(A5, 0);
        while (touch.felt.touched) {
            pass(1);
            lift_ms++;
        }
        check(took_ms <= 15);
        check(lift_ms <= 15);
    }
}

static void a_lost_edge_costs_ten_milliseconds(void)
{
    switch_on();
    load(A1, 16);
    for (int ms = 0; ms < 28; ms++) {
        pass(1);
        for (uint8_t i = 0; i < CHIP_COUNT; i++)
            port.chips[i].called = false;
    }
    check(touch.felt.touched == ON(A1));
}

static void what_is_heavy_stays_heavy_until_it_is_lifted(void)
{
    switch_on();
    PLAY({150, LOAD, A1, 61, ON(A1), ON(A1), 0, ALL_CHIPS, 0},
         {300, LOAD, A1, 10, ON(A1), ON(A1), 0, ALL_CHIPS, 0},
         {400, LOAD, A1, 0, 0, 0, 0, ALL_CHIPS, 0},
         {500, LOAD, A1, 16, ON(A1), 0, 0, ALL_CHIPS, 0},
         {600, LOAD, A1, 90, ON(A1), ON(A1), 0, ALL_CHIPS, 0});
}

static void a_chip_that_does_not_answer_is_deaf_and_the_others_play_on(void)
{
    switch_on();
    PLAY({130, LOAD, A1, 16, ON(A1), 0, 0, ALL_CHIPS, 0},
         {145, AWAY, 0, 0, 0, 0, CHIP_0, 6, 0},
         {170, LOAD, A3, 16, ON(A3), 0, CHIP_0, 6, 0},
         {5000, LOAD, A1, 0, ON(A3), 0, CHIP_0, 6, 0},
         {6060, BACK, 0, 0, ON(A3), 0, 0, ALL_CHIPS, 0},
         {6090, LOAD, B1, 16, ON(A3) | ON(B1), 0, 0, ALL_CHIPS, 0});
    check(touch.felt.restarts == 1);
    check(touch.felt.causes == MPR121_NOT_ANSWERING);
}

static void a_chip_that_is_missing_from_the_start_is_found_when_it_comes(void)
{
    switch_on_at(0);
    port.chips[2].away = true;
    PLAY({100, NOTHING, 0, 0, 0, 0, CHIP_2, 3, 0},
         {9000, LOAD, A1, 16, ON(A1), 0, CHIP_2, 3, 0},
         {10100, BACK, 2, 0, ON(A1), 0, 0, ALL_CHIPS, 0});
    check(touch.felt.restarts == 1);
    check(touch.felt.causes == MPR121_NOT_ANSWERING << 4);
}

static void a_chip_that_forgot_everything_is_started_anew(void)
{
    switch_on();
    PLAY({130, LOAD, A3, 16, ON(A3), 0, 0, ALL_CHIPS, 0},
         {330, BROWN_OUT, 1, 0, 0, 0, 0, ALL_CHIPS, 0},
         {400, LOAD, A3, 0, 0, 0, 0, ALL_CHIPS, 0},
         {450, LOAD, B3, 16, ON(B3), 0, 0, ALL_CHIPS, 0});
    check(touch.felt.restarts == 1);
    check(touch.felt.causes == MPR121_BROWN_OUT << 2);
    check(touches[A3] == 2);
}

static void too_much_current_is_cleared_and_tried_ever_more_seldom(void)
{
    switch_on();
    PLAY({115, EXCESS, 2, 0, 0, 0, CHIP_2, 3, 0},
         {180, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0},
         {200, LOAD, A5, 16, ON(A5), 0, 0, ALL_CHIPS, 0});
    check(touch.felt.restarts == 1);
    check(touch.felt.causes == MPR121_OVER_CURRENT << 4);
    for (int i = 0; i < 5000; i++) {
        if (fake_runs(&port.chips[2]) && port.chips[2].measured)
            fake_over_current(&port.chips[2]);
        pass(1);
    }
    check(port.chips[2].starts <= 14);
    pass(3000);
    check(touch.felt.chips == ALL_CHIPS);
}

static void an_electrode_that_is_out_of_range_is_deaf(void)
{
    switch_on();
    PLAY({130, LOAD, B1, 16, ON(B1), 0, 0, ALL_CHIPS, 0},
         {160, RANGE, 0, 0x02, ON(B1), 0, 0, ALL_CHIPS, 0},
         {250, NOTHING, 0, 0, 0, 0, ON(B1), ALL_CHIPS, 0},
         {300, LOAD, A1, 16, ON(A1), 0, ON(B1), ALL_CHIPS, 0},
         {420, RANGE, 0, 0x00, ON(A1) | ON(B1), 0, 0, ALL_CHIPS, 0});
    check(touches[B1] == 3);
}

static void what_is_out_of_range_is_tried_again_every_ten_seconds(void)
{
    switch_on();
    port.chips[0].registers[0x02] = 1;
    pass(9000);
    check(port.chips[0].starts == 1);
    for (int i = 0; i < 40000; i++) {
        pass(1);
        if (port.chips[0].starts < 4 && fake_runs(&port.chips[0]))
            port.chips[0].registers[0x02] = 1;
    }
    check(port.chips[0].starts == 4);
    check(touch.felt.deaf == 0);
    check(touch.felt.restarts == 0);
}

static void more_than_three_places_are_water_until_nothing_was_touched_for_a_second(void)
{
    switch_on();
    load(A1, 16), load(B1, 16), load(A3, 16);
    PLAY({150, LOAD, NEAR, 16, ON(A1) | ON(B1) | ON(A3), 0, 0, ALL_CHIPS, RIM},
         {200, LOAD, NEAR, 0, ON(A1) | ON(B1) | ON(A3), 0, 0, ALL_CHIPS, 0},
         {300, LOAD, A5, 16, ON(A1) | ON(B1) | ON(A3) | ON(A5), 0, 0, ALL_CHIPS, WATER},
         {400, LOAD, A5, 0, ON(A1) | ON(B1) | ON(A3), 0, 0, ALL_CHIPS, WATER});
    load(A1, 0), load(B1, 0), load(A3, 0);
    PLAY({1000, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, WATER},
         {1100, LOAD, NEAR, 9, 0, 0, 0, ALL_CHIPS, WATER | RIM},
         {1200, LOAD, NEAR, 0, 0, 0, 0, ALL_CHIPS, WATER},
         {2100, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, WATER},
         {2300, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0});
}

static void the_rim_counts_only_while_something_lies_there(void)
{
    switch_on();
    PLAY({130, LOAD, NEAR, 16, 0, 0, 0, ALL_CHIPS, RIM},
         {160, LOAD, NEAR, 0, 0, 0, 0, ALL_CHIPS, 0});
}

static void baselines_are_frozen_everywhere_while_a_hand_is_there(void)
{
    static const struct {
        uint32_t until_ms;
        uint8_t pad;
        uint16_t counts;
        uint8_t control[CHIP_COUNT];
    } rows[] = {
        {150, A1, 16, {0x4C, 0x4B, 0x48}},
        {200, A5, 16, {0x4C, 0x4B, 0x48}},
        {250, A1, 0, {0x4C, 0x4B, 0x48}},
        {300, A5, 0, {0x0C, 0x0B, 0x08}},
        {350, NEAR, 16, {0x4C, 0x4B, 0x48}},
        {400, NEAR, 0, {0x0C, 0x0B, 0x08}},
        {5300, B1, 90, {0x4C, 0x4B, 0x48}}, /* a glass is put down, */
        {5600, B1, 90, {0x0C, 0x0B, 0x08}}, /* and stands there */
        {6000, A1, 16, {0x4C, 0x4B, 0x48}},
        {6100, A1, 0, {0x0C, 0x0B, 0x08}},
    };
    switch_on();
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        load(rows[row].pad, rows[row].counts);
        pass(rows[row].until_ms - port.now_ms);
        for (uint8_t i = 0; i < CHIP_COUNT; i++)
            check_row(told(row), port.chips[i].registers[0x5E] == rows[row].control[i]);
    }
}

static void what_stands_there_for_long_is_masked_and_then_calibrated_away(void)
{
    switch_on();
    PLAY({24900, LOAD, A1, 90, ON(A1), ON(A1), 0, ALL_CHIPS, 0},
         {25300, NOTHING, 0, 0, 0, 0, ON(A1), ALL_CHIPS, 0},
         {25900, LOAD, B1, 16, ON(B1), 0, ON(A1), ALL_CHIPS, 0},
         {26400, LOAD, B1, 0, 0, 0, ON(A1), ALL_CHIPS, 0},
         {26700, LOAD, A3, 16, ON(A3), 0, ON(A1), ALL_CHIPS, 0},
         {26800, LOAD, A3, 0, 0, 0, ON(A1), ALL_CHIPS, 0},
         {26890, NOTHING, 0, 0, 0, 0, ON(A1), ALL_CHIPS, 0},
         {26990, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0},
         {29000, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0});
    check(touches[A1] == 2);
    check(touches[B1] == 2);
    check(port.chips[0].starts == 2);
    check(port.chips[1].starts == 1);
    check(touch.felt.restarts == 0);
}

/* Somebody goes on playing beside it, so that it cannot be calibrated away. */
static void what_is_masked_counts_again_a_second_after_its_lift(void)
{
    switch_on();
    load(A1, 90);
    pass(24400);
    PLAY({25300, LOAD, B1, 16, ON(B1), 0, ON(A1), ALL_CHIPS, 0},
         {26200, LOAD, A1, 0, ON(B1), 0, ON(A1), ALL_CHIPS, 0},
         {26500, NOTHING, 0, 0, ON(B1), 0, 0, ALL_CHIPS, 0},
         {26600, LOAD, A1, 16, ON(A1) | ON(B1), 0, 0, ALL_CHIPS, 0});
    check(touches[A1] == 3);
    check(port.chips[0].starts == 1);
}

static void what_was_calibrated_away_may_be_lifted(void)
{
    switch_on();
    load(A1, 90);
    pass(27000);
    check(port.chips[0].baseline[0] == REST - 90);
    PLAY({30000, LOAD, A1, 0, 0, 0, 0, ALL_CHIPS, 0},
         {30100, LOAD, A1, 16, ON(A1), 0, 0, ALL_CHIPS, 0});
    check(port.chips[0].starts == 3);
    check(port.chips[0].baseline[0] == REST);
    check(touches[A1] == 3);
}

static void what_lies_on_the_rim_for_long_blocks_no_longer(void)
{
    switch_on();
    PLAY({24900, LOAD, NEAR, 90, 0, 0, 0, ALL_CHIPS, RIM},
         {25300, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0},
         {27000, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0},
         {28000, LOAD, NEAR, 0, 0, 0, 0, ALL_CHIPS, 0});
    check(port.chips[2].starts == 3);
}

static void after_a_restart_what_is_touched_has_a_new_baseline(void)
{
    switch_on();
    PLAY({200, LOAD, A1, 16, ON(A1), 0, 0, ALL_CHIPS, 0},
         {202, RESTART, 0, 0, 0, 0, CHIP_0 | CHIP_1 | CHIP_2, 0, 0},
         {260, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0},
         {300, LOAD, A1, 0, 0, 0, 0, ALL_CHIPS, 0});
    check(touches[A1] == 2);
    check(touch.felt.restarts == 0);
}

static void new_settings_reach_the_chips(void)
{
    switch_on();
    settings.touch[A1] = 30;
    settings.release[A1] = 20;
    PLAY({200, RESTART, 0, 0, 0, 0, 0, ALL_CHIPS, 0},
         {300, LOAD, A1, 29, 0, 0, 0, ALL_CHIPS, 0},
         {400, LOAD, A1, 30, ON(A1), 0, 0, ALL_CHIPS, 0},
         {500, LOAD, A1, 19, 0, 0, 0, ALL_CHIPS, 0});
}

/* Wherever in what is read they begin, and however many bytes in a row have one. */
static void flipped_bits_neither_touch_nor_lift(void)
{
    uint32_t chance = 1;
    for (unsigned count = 1; count < 70; count++)
        for (unsigned after = 0; after < 60; after++) {
            switch_on();
            load(B1, 16);
            pass(40);
            port.chance = chance += 0x9E3779B9;
            port.flip_after = after;
            port.flips = count;
            pass(60);
            check(touches[B1] == 1);
            for (uint8_t place = 0; place < PLACE_COUNT; place++)
                check(place == B1 || touches[place] == 0);
            check((touch.felt.heavy | touch.felt.deaf) == 0);
        }
}

static void a_bus_that_tells_nonsense_for_long_is_deaf(void)
{
    switch_on();
    port.flips = 1000000;
    pass(500);
    check(touch.felt.chips == 0);
    pass(10000);
    check(touch.felt.touched == 0);
    check(touch.felt.chips == 0);
    for (uint8_t place = 0; place < PLACE_COUNT; place++)
        check(touches[place] == 0);
    port.flips = 0;
    pass(1200);
    check(touch.felt.chips == ALL_CHIPS);
}

static void a_line_that_is_held_low_is_freed(void)
{
    switch_on();
    PLAY({130, HELD, 0, 40, 0, 0, CHIP_0 | CHIP_1 | CHIP_2, 0, 0},
         {220, NOTHING, 0, 0, 0, 0, 0, ALL_CHIPS, 0},
         {250, LOAD, A1, 16, ON(A1), 0, 0, ALL_CHIPS, 0});
    check(port.recovered > 0);
}

static void counts_are_told_when_asked_for(void)
{
    uint16_t filtered[PAD_COUNT], baseline[PAD_COUNT];
    switch_on();
    port.chips[1].away = true;
    load(B1, 16);
    load(NEAR, 5);
    pass(100);
    touch_want_raw(&touch);
    check(!touch_raw_ready(&touch));
    pass(5);
    check(touch_raw_ready(&touch));
    touch_raw(&touch, filtered, baseline);
    static const struct {
        uint8_t pad;
        uint16_t filtered, baseline;
    } rows[] = {{A1, REST, REST}, {B1, REST - 16, REST}, {A3, 0xFFFF, 0}, {NEAR, REST - 5, REST}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        check_row(told(row), filtered[rows[row].pad] == rows[row].filtered);
        check_row(told(row), baseline[rows[row].pad] == rows[row].baseline);
    }
}

static void time_may_wrap(void)
{
    switch_on_at(UINT32_MAX - 300);
    pass(290);
    load(A1, 90);
    pass(100);
    check(touch.felt.touched == ON(A1));
    pass(30000);
    check((touch.felt.touched | touch.felt.deaf) == 0);
}

static void a_quiet_table_leaves_the_bus_alone(void)
{
    switch_on();
    port.busy_us = 0;
    pass(10000);
    check(port.busy_us < 10000 * 100); /* a tenth of it */
    load(A1, 16);
    pass(100);
    port.busy_us = 0;
    pass(10000);
    check(port.busy_us < 10000 * 250);
}

/* A wire that touches ground: the line calls and calls. */
static void a_line_that_always_calls_is_answered_once_a_millisecond(void)
{
    switch_on();
    port.stuck = true;
    port.busy_us = 0;
    pass(1000);
    check(port.busy_us < 1000 * 650);
    load(A5, 16);
    pass(20);
    check(touch.felt.touched == ON(A5));
}

static uint32_t chance(uint32_t below)
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)state * below >> 32);
}

/* Loads and faults in any order: check_felt holds all the time, and in the end all is well. */
static void whatever_happens_it_comes_back(void)
{
    for (int evening = 0; evening < 60; evening++) {
        switch_on();
        for (int i = 0; i < 60; i++) {
            struct row row = {.in = (enum in)chance(RESTART + 1)};
            row.what = (uint8_t)chance(row.in == LOAD ? PAD_COUNT : CHIP_COUNT);
            row.value = (uint16_t)chance(row.in == HELD ? 60 : 250);
            happen(&row);
            port.flip_after = chance(50);
            port.flips = chance(4) ? 0 : chance(200);
            pass(chance(chance(8) ? 100 : 3000));
        }
        for (uint8_t pad = 0; pad < PAD_COUNT; pad++)
            load(pad, 0);
        for (uint8_t i = 0; i < CHIP_COUNT; i++) {
            port.chips[i].away = false;
            port.chips[i].registers[0x02] = 0;
        }
        port.flips = 0;
        pass(4000);
        check(touch.felt.chips == ALL_CHIPS);
        check((touch.felt.touched | touch.felt.heavy | touch.felt.deaf) == 0);
        check(!touch.felt.water && !touch.felt.rim);
        load(A1, 16);
        pass(30);
        check(touch.felt.touched == ON(A1));
    }
}

int main(void)
{
    until_it_is_ready_all_is_deaf();
    a_finger_is_felt_and_its_lift();
    a_touch_begins_at_the_threshold();
    what_noise_holds_is_not_felt_for_long();
    a_finger_and_its_lift_are_felt_within_15_ms();
    a_lost_edge_costs_ten_milliseconds();
    what_is_heavy_stays_heavy_until_it_is_lifted();
    a_chip_that_does_not_answer_is_deaf_and_the_others_play_on();
    a_chip_that_is_missing_from_the_start_is_found_when_it_comes();
    a_chip_that_forgot_everything_is_started_anew();
    too_much_current_is_cleared_and_tried_ever_more_seldom();
    an_electrode_that_is_out_of_range_is_deaf();
    what_is_out_of_range_is_tried_again_every_ten_seconds();
    more_than_three_places_are_water_until_nothing_was_touched_for_a_second();
    the_rim_counts_only_while_something_lies_there();
    baselines_are_frozen_everywhere_while_a_hand_is_there();
    what_stands_there_for_long_is_masked_and_then_calibrated_away();
    what_is_masked_counts_again_a_second_after_its_lift();
    what_was_calibrated_away_may_be_lifted();
    what_lies_on_the_rim_for_long_blocks_no_longer();
    after_a_restart_what_is_touched_has_a_new_baseline();
    new_settings_reach_the_chips();
    flipped_bits_neither_touch_nor_lift();
    a_bus_that_tells_nonsense_for_long_is_deaf();
    a_line_that_is_held_low_is_freed();
    counts_are_told_when_asked_for();
    time_may_wrap();
    a_quiet_table_leaves_the_bus_alone();
    a_line_that_always_calls_is_answered_once_a_millisecond();
    whatever_happens_it_comes_back();
    return 0;
}

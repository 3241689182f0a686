/* Three chips as one table: what is felt. */
#include "touch_table.h"

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
         {300, LOAD, A1, 0, 0, 0, 0, ALL_CHIPS, 0},
         {400, LOAD, A1, 7, ON(A1), 0, 0, ALL_CHIPS, 0},
         {900, LOAD, A1, 6, ON(A1), 0, 0, ALL_CHIPS, 0},
         {1100, LOAD, A1, 5, 0, 0, 0, ALL_CHIPS, 0},
         {1300, LOAD, A1, 0, 0, 0, 0, ALL_CHIPS, 0},
         {1500, LOAD, A1, 8, ON(A1), 0, 0, ALL_CHIPS, 0},
         {1515, LOAD, A1, 3, 0, 0, 0, ALL_CHIPS, 0});
}

/* Drops that fall into one cell, half a second apart at most: they are a touch in the end, and no
 * finger's; nor is what falls on top of them. */
static void what_comes_bit_by_bit_is_no_finger(void)
{
    for (uint16_t drop = 3; drop <= 5; drop++)
        for (uint32_t apart_ms = 130; apart_ms <= 500; apart_ms += 37) {
            switch_on();
            for (uint16_t lies = drop; lies <= 25; lies = (uint16_t)(lies + drop)) {
                load(A1, lies);
                for (uint32_t ms = 0; ms < apart_ms; ms++) {
                    pass(1);
                    check_row(told(lies), touch.felt.heavy == touch.felt.touched);
                }
            }
            check(touch.felt.heavy == ON(A1));
            load(A1, 0);
            pass(150);
            check(touch.felt.touched == 0);
            load(A1, 16);
            pass(40);
            check(touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
        }
}

/* What a wet finger leaves is too little for a touch, and enough for the chip to hold one. */
static void a_finger_on_a_drop_is_felt_and_another_drop_is_no_finger(void)
{
    for (int finger = 0; finger <= 1; finger++) {
        switch_on();
        load(A1, 30);
        pass(300);
        load(A1, 5);
        pass(300);
        check(touch.felt.touched == 0 && touch.chips[0].touched == 1);
        load(A1, finger ? 5 + 10 : 5 + 4);
        pass(100);
        check(touch.felt.touched == ON(A1));
        check(touch.felt.heavy == (finger ? 0 : ON(A1)));
    }
}

/* A drop that lies there, and a splash beside it that is a touch for a moment. */
static void a_splash_that_draws_itself_together_is_no_finger(void)
{
    switch_on();
    load(A1, 5);
    pass(200);
    load(A1, 5 + 7);
    pass(30);
    check(touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
    load(A1, 5 + 4);
    pass(150);
    check(touch.felt.touched == ON(A1) && touch.felt.heavy == ON(A1));
}

/* Light ones too, whenever the spans begin by whose least load they are told from drops. */
static void a_finger_that_takes_60_ms_to_come_down_is_felt(void)
{
    for (uint16_t finger = 8; finger <= 12; finger++)
        for (uint32_t phase = 0; phase < 90; phase++) {
            switch_on();
            pass(phase);
            for (uint32_t ms = 1; ms <= 60; ms++) {
                load(A1, (uint16_t)(finger * ms / 60));
                pass(1);
            }
            pass(30);
            for (uint32_t ms = 0; ms < 500; ms++) {
                check_row(told(phase), touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
                pass(1);
            }
        }
}

/* What lay there is in the new baselines: it says nothing of the finger that comes next. */
static void a_chip_that_starts_anew_has_forgotten_what_lay_there(void)
{
    switch_on();
    load(A1, 6);
    pass(300);
    touch_restart(&touch);
    do_until(touch.chips[0].ready, 1000, pass(1));
    load(A1, 6 + 8);
    pass(50);
    check(touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
}

/* It has long begun: what is asked of its beginning is not asked again with each change beside it. */
static void a_finger_that_is_lifted_a_little_is_none_the_worse_for_another(void)
{
    switch_on();
    pass(200);
    load(A1, 16);
    pass(100);
    load(A1, 5);
    pass(20);
    load(B1, 16);
    for (uint32_t ms = 0; ms < 120; ms++) {
        pass(1);
        check(touch.felt.touched & ON(A1) && touch.felt.heavy == 0);
    }
    check(touch.felt.touched == (ON(A1) | ON(B1)));
}

/* Drift has left the baseline too low: less than nothing lies there, and it counts as nothing. */
static void a_finger_on_a_pad_whose_baseline_is_too_low_is_felt(void)
{
    switch_on();
    port.chips[0].baseline[0] = REST - 12;
    pass(300);
    load(A1, 12 + 10);
    pass(50);
    check(touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
}

/* A count of what lies there may be noise, or the two bits that the chip keeps to itself. */
static void a_light_finger_where_a_count_lies_is_felt(void)
{
    for (uint16_t lies = 0; lies <= 2; lies++) {
        switch_on();
        load(A1, lies);
        pass(300);
        load(A1, 7);
        pass(50);
        check_row(told(lies), touch.felt.touched == ON(A1));
        check_row(told(lies), touch.felt.heavy == (lies < 2 ? 0 : ON(A1)));
    }
}

/* What counts is the average, from its first reading on. */
static void a_finger_that_trembles_on_a_drop_is_felt(void)
{
    for (uint32_t phase = 0; phase < 30; phase++) {
        switch_on();
        load(A1, 5);
        pass(300 + phase);
        load(A1, 5 + 10);
        do_until(touch.felt.touched, 1000, pass(1));
        for (unsigned sample = 0; sample < 100; sample++) {
            load(A1, sample % 2 ? 5 + 8 : 5 + 5);
            pass(SAMPLE_MS);
            check_row(told(phase), touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
        }
    }
}

/* Switch on, with this touch threshold for A1. */
static void switch_on_with(uint8_t threshold)
{
    switch_on();
    settings.touch[A1] = threshold;
    settings.release[A1] = (uint8_t)(threshold - 3);
    settings.heavy[A1] = 200;
    touch_restart(&touch);
    do_until(touch.chips[0].ready, 1000, pass(1));
}

/* Just above the pad, a finger is almost a touch already. It is then felt through one low reading, at
 * each threshold. */
static void a_finger_that_hovered_is_felt_through_a_low_reading(void)
{
    for (uint8_t threshold = 5; threshold <= 40; threshold++)
        for (uint32_t phase = 0; phase < 30; phase++) {
            const uint16_t hovers = (uint16_t)(threshold - 1), finger = (uint16_t)(2 * threshold + hovers);
            switch_on_with(threshold);
            load(A1, hovers);
            pass(300 + phase);
            check(touch.felt.touched == 0);
            load(A1, finger);
            pass(200);
            check(touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
            load(A1, (uint16_t)(threshold - 2));
            pass(SAMPLE_MS);
            load(A1, finger);
            for (uint32_t ms = 0; ms < 200; ms++) {
                pass(1);
                check_row(told(threshold), touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
            }
        }
}

/* On a pad with a high threshold, too: a drop lies there, and the splash on it lasts for a moment. */
static void a_splash_is_no_finger_on_a_pad_with_a_high_threshold(void)
{
    for (uint8_t threshold = 12; threshold <= 40; threshold++) {
        const uint16_t drop = (uint16_t)(threshold - 1);
        switch_on_with(threshold);
        load(A1, drop);
        pass(300);
        load(A1, (uint16_t)(drop + threshold));
        pass(40);
        check_row(told(threshold), touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
        load(A1, (uint16_t)(threshold + 9));
        pass(150);
        check_row(told(threshold), touch.felt.touched == ON(A1) && touch.felt.heavy == ON(A1));
    }
}

/* However far: it counts for no more than a few counts below a touch. */
static void one_value_that_is_far_out_lifts_no_finger(void)
{
    for (uint32_t phase = 0; phase < 10; phase++) {
        switch_on();
        load(A1, 16);
        pass(200 + phase);
        for (uint16_t below = 20; below < 300; below = (uint16_t)(below + 13)) {
            load(A1, (uint16_t)-below);
            pass(SAMPLE_MS);
            load(A1, 16);
            for (uint32_t ms = 0; ms < 100; ms++) {
                pass(1);
                check_row(told(below), touch.felt.touched == ON(A1));
            }
        }
    }
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

/* A value for the suspicion, 4 ms apart, and two readings more for the touch, 5 ms apart; three values
 * for the lift; and what the bus takes: whenever the finger comes. */
static void a_finger_is_suspected_within_6_ms_and_felt_within_19(void)
{
    for (uint32_t phase = 0; phase < 30; phase++) {
        uint32_t suspected_ms = 0, took_ms = 0, lift_ms = 0;
        switch_on();
        pass(phase);
        load(A5, 16);
        do_until(touch.felt.touched, 1000, {
            pass(1);
            took_ms++;
            suspected_ms += (touch_perhaps(&touch) | touch.felt.touched) == 0;
            check(touch_perhaps(&touch) == 0 || touch_perhaps(&touch) == ON(A5));
        });
        check(touch_perhaps(&touch) == 0);
        pass(phase);
        load(A5, 0);
        do_until(!touch.felt.touched, 1000, (pass(1), lift_ms++));
        check(suspected_ms <= 6);
        check(took_ms <= 19);
        check(lift_ms <= 15);
    }
}

/* A value that looks like a finger, and is none: noise, which may bring more of them. */
static void after_a_suspicion_that_was_none_no_other_is_told_for_2500_ms(void)
{
    switch_on();
    pass(200);
    load(A1, 16);
    do_until(touch_perhaps(&touch) == ON(A1), 100, pass(1));
    load(A1, 0);
    pass(30);
    check(touch.felt.touched == 0 && touches[A1] == 0);
    for (unsigned finger = 0; finger < 3; finger++) {
        load(A5, 16);
        for (uint32_t ms = 0; ms < 30; ms++) {
            pass(1);
            check(touch_perhaps(&touch) == 0);
        }
        check(touch.felt.touched == ON(A5));
        load(A5, 0);
        pass(700);
    }
    pass(500);
    load(A5, 16);
    do_until(touch_perhaps(&touch) == ON(A5), 100, pass(1));
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

static void what_is_heavy_stays_heavy_for_a_second_or_until_it_is_lifted(void)
{
    switch_on();
    PLAY({150, LOAD, A1, 61, ON(A1), ON(A1), 0, ALL_CHIPS, 0},
         {300, LOAD, A1, 10, ON(A1), ON(A1), 0, ALL_CHIPS, 0},
         {400, LOAD, A1, 0, 0, 0, 0, ALL_CHIPS, 0},
         {500, LOAD, A1, 16, ON(A1), 0, 0, ALL_CHIPS, 0},
         {600, LOAD, A1, 90, ON(A1), ON(A1), 0, ALL_CHIPS, 0});
}

#define MIN_LET_GO_MS 980
#define MAX_LET_GO_MS 1030

/* For how long it is told as heavy, up to so many milliseconds. */
static uint32_t heavy_for(uint8_t place, uint32_t most_ms)
{
    uint32_t ms = 0;
    for (; ms < most_ms && touch.felt.heavy == ON(place); ms++)
        pass(1);
    return ms;
}

/* A glass that a hand holds comes bit by bit, and is heavy; one that stands there is lighter. */
static void a_glass_that_is_let_go_of_is_no_longer_heavy(void)
{
    static const uint8_t of_each_chip[CHIP_COUNT] = {A1, A3, A5};
    for (uint32_t phase = 0; phase < 1024; phase += 93) {
        const uint8_t pad = of_each_chip[phase / 93 % CHIP_COUNT];
        switch_on();
        pass(phase);
        for (uint16_t part = 1; part <= 100; part++) {
            load(pad, part);
            pass(7);
        }
        check(heavy_for(pad, 5000) == 5000);
        load(pad, 42);
        const uint32_t ms = heavy_for(pad, 5000);
        check_row(told(phase), ms >= MIN_LET_GO_MS && ms <= MAX_LET_GO_MS);
        check_row(told(phase), touch.felt.touched == ON(pad));
        load(pad, 100); /* taken hold of again */
        pass(50);
        check_row(told(phase), touch.felt.heavy == ON(pad));
    }
}

static void what_is_loaded_almost_so_much_now_and_then_stays_heavy(void)
{
    static const struct {
        uint16_t lies, peak; /* the peak for 40 ms of each 900 */
        bool let_go;
    } rows[] = {{42, 42, true}, {42, 43, false}, {20, 58, false}, {43, 43, false}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on();
        load(A1, 100);
        pass(100);
        check(touch.felt.heavy == ON(A1));
        for (unsigned time = 0; time < 10; time++) {
            load(A1, rows[row].peak);
            pass(40);
            load(A1, rows[row].lies);
            pass(860);
        }
        check_row(told(row), touch.felt.heavy == (rows[row].let_go ? 0 : ON(A1)));
    }
}

/* No hand held it. */
static void what_came_bit_by_bit_stays_heavy(void)
{
    switch_on();
    for (uint16_t part = 1; part <= 40; part++) {
        load(A1, part);
        pass(30);
    }
    check(heavy_for(A1, 10000) == 10000);
    load(A1, 9);
    check(heavy_for(A1, 5000) == 5000);
    load(A1, 30); /* what comes on top of it is no hand either */
    check(heavy_for(A1, 5000) == 5000);
    load(A1, 90); /* but now one does, with a cloth */
    pass(100);
    load(A1, 20);
    check(heavy_for(A1, 5000) <= MAX_LET_GO_MS);
}

static void a_glass_beside_what_came_bit_by_bit_is_let_go_of(void)
{
    switch_on();
    for (uint16_t part = 1; part <= 50; part++) {
        load(B1, part);
        pass(30);
    }
    load(A1, 100);
    pass(100);
    check(touch.felt.heavy == (ON(A1) | ON(B1)));
    load(A1, 30);
    pass(MIN_LET_GO_MS);
    check(touch.felt.heavy == (ON(A1) | ON(B1)));
    pass(MAX_LET_GO_MS - MIN_LET_GO_MS);
    check(touch.felt.heavy == ON(B1));
}

/* It began as drops do, or was on average what drops are: what comes then is not asked. */
static void what_began_bit_by_bit_stays_heavy_whatever_comes_on_top(void)
{
    switch_on();
    for (uint16_t ms = 0; touch.felt.touched == 0; ms++) {
        load(A1, ms / 30);
        pass(1);
    }
    load(A1, 30);
    pass(20);
    check(heavy_for(A1, 5000) == 5000);

    switch_on();
    load(A1, 5);
    pass(200);
    load(A1, 5 + 7);
    pass(30);
    check(touch.felt.touched == ON(A1) && touch.felt.heavy == 0);
    load(A1, 5 + 4);
    do_until(touch.felt.heavy, 1000, pass(1));
    load(A1, 30);
    check(heavy_for(A1, 5000) == 5000);
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
         {400, LOAD, A1, 0, 0, 0, 0, ALL_CHIPS, 0},
         {450, LOAD, A1, 30, ON(A1), 0, 0, ALL_CHIPS, 0},
         {500, LOAD, A1, 19, 0, 0, 0, ALL_CHIPS, 0});
}

static void counts_are_told_when_asked_for(void)
{
    switch_on();
    port.chips[1].away = true;
    load(B1, 16);
    load(NEAR, 5);
    pass(100);
    touch_want_raw(&touch);
    check(!touch_raw_ready(&touch));
    pass(5);
    check(touch_raw_ready(&touch));
    static const struct {
        uint8_t pad;
        uint16_t filtered, baseline;
    } rows[] = {{A1, REST, REST}, {B1, REST - 16, REST}, {A3, 0xFFFF, 0}, {NEAR, REST - 5, REST}};
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct raw raw = touch_raw(&touch, rows[row].pad);
        check_row(told(row), raw.filtered == rows[row].filtered);
        check_row(told(row), raw.baseline == rows[row].baseline);
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
    check(port.busy_us < 10000 * 200); /* a fifth of it, for what lies there before a touch */
    load(A1, 16);
    pass(100);
    port.busy_us = 0;
    pass(10000);
    check(port.busy_us < 10000 * 350);
}

static void what_was_not_looked_at_for_40_ms_may_have_been_lifted_and_counts_anew(void)
{
    for (uint32_t away_ms = 1; away_ms <= 100; away_ms++) {
        switch_on();
        load(A1, 16);
        load(B3, 16);
        pass(93);
        load(B3, 0);
        pass(100);
        const uint32_t unseen_ms = port.now_ms + away_ms - touch.scanned_ms;
        const uint8_t lifted = counter(&touch.felt, B3), held = counter(&touch.felt, A1);
        port.now_ms += away_ms - 1;
        step();
        const uint8_t counted = unseen_ms < 40 ? 0 : 2;
        check_row(told(away_ms), counter(&touch.felt, A1) == ((held + counted) & 15));
        check_row(told(away_ms), counter(&touch.felt, B3) == lifted);
        check(touch.felt.touched == ON(A1));
    }
}

/* Nobody is there: three chips are looked at every 10 ms, and each look takes a few turns. */
static void a_quiet_table_needs_few_steps(void)
{
    unsigned steps = 0;
    switch_on();
    pass(500);
    for (const uint32_t end_ms = port.now_ms + 1000; port.now_ms < end_ms; steps++) {
        const uint32_t next_ms = touch_next_ms(&touch, &port, port.now_ms);
        check(next_ms > port.now_ms && next_ms <= port.now_ms + 10);
        port.now_ms = next_ms - 1;
        step();
    }
    check(steps < 350);
    load(A1, 16);
    fake_time(&port);
    check(touch_next_ms(&touch, &port, port.now_ms) <= port.now_ms + 10);
}

int main(void)
{
    what_was_not_looked_at_for_40_ms_may_have_been_lifted_and_counts_anew();
    a_quiet_table_needs_few_steps();
    until_it_is_ready_all_is_deaf();
    a_finger_is_felt_and_its_lift();
    a_touch_begins_at_the_threshold();
    what_comes_bit_by_bit_is_no_finger();
    a_finger_on_a_drop_is_felt_and_another_drop_is_no_finger();
    a_splash_that_draws_itself_together_is_no_finger();
    a_finger_that_takes_60_ms_to_come_down_is_felt();
    a_chip_that_starts_anew_has_forgotten_what_lay_there();
    a_finger_that_is_lifted_a_little_is_none_the_worse_for_another();
    a_finger_on_a_pad_whose_baseline_is_too_low_is_felt();
    a_light_finger_where_a_count_lies_is_felt();
    a_finger_that_trembles_on_a_drop_is_felt();
    a_finger_that_hovered_is_felt_through_a_low_reading();
    a_splash_is_no_finger_on_a_pad_with_a_high_threshold();
    one_value_that_is_far_out_lifts_no_finger();
    what_noise_holds_is_not_felt_for_long();
    a_finger_is_suspected_within_6_ms_and_felt_within_19();
    after_a_suspicion_that_was_none_no_other_is_told_for_2500_ms();
    a_lost_edge_costs_ten_milliseconds();
    what_is_heavy_stays_heavy_for_a_second_or_until_it_is_lifted();
    a_glass_that_is_let_go_of_is_no_longer_heavy();
    what_is_loaded_almost_so_much_now_and_then_stays_heavy();
    what_came_bit_by_bit_stays_heavy();
    a_glass_beside_what_came_bit_by_bit_is_let_go_of();
    what_began_bit_by_bit_stays_heavy_whatever_comes_on_top();
    more_than_three_places_are_water_until_nothing_was_touched_for_a_second();
    the_rim_counts_only_while_something_lies_there();
    baselines_are_frozen_everywhere_while_a_hand_is_there();
    what_stands_there_for_long_is_masked_and_then_calibrated_away();
    what_is_masked_counts_again_a_second_after_its_lift();
    what_was_calibrated_away_may_be_lifted();
    what_lies_on_the_rim_for_long_blocks_no_longer();
    after_a_restart_what_is_touched_has_a_new_baseline();
    new_settings_reach_the_chips();
    counts_are_told_when_asked_for();
    time_may_wrap();
    a_quiet_table_leaves_the_bus_alone();
    return 0;
}

/* What becomes of three chips as one table when something is wrong with them or their bus. */
#include "touch_table.h"

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

static void why_a_chip_is_away_is_told_while_it_is_away(void)
{
    struct fake_chip *chip = &port.chips[2];
    switch_on();
    for (int i = 0; i < 5000; i++) {
        if (fake_runs(chip))
            fake_over_current(chip);
        pass(1);
    }
    check(touch.felt.chips == 3);
    check(touch.felt.restarts == 0);
    check(touch.felt.causes == MPR121_OVER_CURRENT << 4);
    pass(3000);
    check(touch.felt.chips == ALL_CHIPS);
    check(touch.felt.restarts == 1);
    check(touch.felt.causes == MPR121_OVER_CURRENT << 4);
    chip->away = true; /* its wire breaks */
    pass(100);
    check(touch.felt.chips == 3);
    check(touch.felt.restarts == 1);
    check(touch.felt.causes == MPR121_NOT_ANSWERING << 4);
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

/* A wire that touches ground: the line calls and calls. */
static void a_line_that_always_calls_is_answered_once_a_millisecond(void)
{
    switch_on();
    port.stuck = true;
    port.busy_us = 0;
    pass(1000);
    check(port.busy_us < 1000 * 660);
    load(A5, 16);
    pass(22);
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
    a_chip_that_does_not_answer_is_deaf_and_the_others_play_on();
    a_chip_that_is_missing_from_the_start_is_found_when_it_comes();
    a_chip_that_forgot_everything_is_started_anew();
    too_much_current_is_cleared_and_tried_ever_more_seldom();
    why_a_chip_is_away_is_told_while_it_is_away();
    an_electrode_that_is_out_of_range_is_deaf();
    what_is_out_of_range_is_tried_again_every_ten_seconds();
    flipped_bits_neither_touch_nor_lift();
    a_bus_that_tells_nonsense_for_long_is_deaf();
    a_line_that_is_held_low_is_freed();
    a_line_that_always_calls_is_answered_once_a_millisecond();
    whatever_happens_it_comes_back();
    return 0;
}

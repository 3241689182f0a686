/* Three chips as one table: which pads are noisy. */
#include "touch_table.h"

#define USUAL_DELAY_MS 200 /* of a pad that is read every 10 ms: as a rule, */
#define MAX_DELAY_MS 600   /* and surely */
#define REST_MS 3000       /* of one that is read only now and then */
#define OVER_MS 1000       /* three windows */

/* For so long, the pad's load is one or the other at each value, by chance; answers after how long
 * it was noisy, 0: it never was. */
static uint32_t shake(uint8_t pad, uint16_t low, uint16_t high, uint32_t ms)
{
    static uint32_t chance = 1;
    for (uint32_t at = 0; at < ms; at++) {
        if (at % SAMPLE_MS == 0) {
            chance = chance * 1664525 + 1013904223;
            load(pad, chance >> 31 ? high : low);
        }
        pass(1);
        check((touch_noisy(&touch) & ~ON(pad)) == 0);
        if (touch_noisy(&touch))
            return at + 1;
    }
    return 0;
}

static void swings_of_a_touch_are_noise_and_smaller_ones_are_none(void)
{
    static const struct {
        uint8_t pad, touch;
        uint16_t low, high;
        bool noisy;
    } rows[] = {
        {A1, 7, 0, 6, false},   {A1, 7, 0, 7, true},  {A1, 7, 20, 26, false},
        {A1, 7, 20, 27, true},  {A5, 7, 0, 60, true}, {A1, 30, 0, 29, false},
        {A1, 30, 0, 30, true},  {B3, 4, 0, 3, false}, {B3, 4, 0, 4, true},
        {NEAR, 7, 0, 6, false}, {NEAR, 7, 0, 40, true},
    };
    for (unsigned row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        switch_on();
        settings.touch[rows[row].pad] = rows[row].touch;
        settings.release[rows[row].pad] = 2;
        touch_restart(&touch);
        pass(200);
        check_row(told(row), (shake(rows[row].pad, rows[row].low, rows[row].high, REST_MS) > 0) ==
                                 rows[row].noisy);
    }
}

/* It would take 400 ms for a guess. Of noise that knows two values only each other swing is one in
 * which two readings differ. */
static void under_a_finger_noise_is_found_soon(void)
{
    unsigned soon = 0;
    for (unsigned phase = 0; phase < 100; phase++) {
        switch_on();
        load(A1, 16);
        pass(100 + phase % 40);
        check(touch.felt.touched == ON(A1) && touch_noisy(&touch) == 0);
        const uint32_t after_ms = shake(A1, 8, 24, MAX_DELAY_MS);
        check(after_ms > 0);
        soon += after_ms <= USUAL_DELAY_MS;
    }
    check(soon >= 90);
}

static void it_is_over_when_two_windows_had_no_swing(void)
{
    switch_on();
    check(shake(A1, 0, 20, REST_MS) > 0);
    load(A1, 0);
    pass(250);
    check(touch_noisy(&touch) == ON(A1));
    pass(OVER_MS - 250);
    check(touch_noisy(&touch) == 0);
    port.busy_us = 0;
    pass(5000);
    check(port.busy_us < 5000 * 200); /* nothing is read more often for it any more */
    for (unsigned time = 0; time < 10; time++) { /* while it goes on it does not come and go */
        check(time > 0 || shake(A1, 0, 20, REST_MS) > 0);
        load(A1, time % 2 ? 20 : 0);
        pass(10);
        check(touch_noisy(&touch) == ON(A1));
    }
}

static void fingers_that_come_and_go_are_no_noise(void)
{
    switch_on();
    for (unsigned tap = 0; tap < 100; tap++) {
        load(A1, 40);
        pass(45 + tap % 7);
        load(A1, 0);
        pass(45 + tap % 5);
        check(touch_noisy(&touch) == 0);
    }
}

/* A cloth is above a pad for one reading, and away at the next. */
static void what_passes_now_and_then_is_no_noise(void)
{
    switch_on();
    load(B1, 16);
    for (unsigned time = 0; time < 50; time++) {
        load(A1, 60);
        pass(8);
        load(A1, 0);
        pass(392);
        check(touch_noisy(&touch) == 0);
    }
}

static void what_cannot_be_read_is_not_noisy(void)
{
    switch_on();
    check(shake(A1, 0, 20, REST_MS) > 0);
    port.chips[0].away = true;
    pass(50);
    check(touch_noisy(&touch) == 0);
    port.chips[0].away = false;
    load(A1, 0);
    pass(200);
    check(touch.felt.deaf == 0 && touch_noisy(&touch) == 0);

    check(shake(A1, 0, 20, REST_MS) > 0);
    port.chips[0].registers[0x02] = 1;
    pass(150);
    check(touch.felt.deaf == ON(A1) && touch_noisy(&touch) == 0);

    switch_on();
    load(A1, 90);
    pass(25300);
    check(touch.felt.deaf == ON(A1));
    check(shake(A1, 60, 90, 700) == 0);
}

/* A hum that all pads have looks as if more than a finger was lifted, again and again. A baseline
 * that began at its crest would be a touch when it ends. */
static void while_there_is_noise_no_chip_is_started_anew(void)
{
    static uint32_t chance = 5;
    switch_on();
    port.chips[0].baseline[0] = port.chips[0].baseline[1] = REST - 15; /* the hum's middle */
    for (uint32_t at = 0; at < 8000; at++) {
        chance = chance * 1664525 + 1013904223;
        for (uint8_t pad = A1; at % SAMPLE_MS == 0 && pad <= B1; pad++)
            load(pad, chance >> 31 ? 30 : 0);
        pass(1);
    }
    check(touch_noisy(&touch) == (ON(A1) | ON(B1)));
    check(port.chips[0].starts == 1);
    load(A1, 0), load(B1, 0);
    pass(OVER_MS);
    check(touch_noisy(&touch) == 0);
    for (uint32_t at = 0; at < 3000; at++) { /* it was under the noise from the start, and goes */
        const uint16_t under = touch.chips[0].started == 1 ? 40 : 0;
        port.chips[0].baseline[0] = (uint16_t)(REST - under);
        pass(1);
    }
    check(port.chips[0].starts == 2);
}

/* A phone in a call that lies there: when it is taken up, it reaches where no noise is. */
static void what_is_heavy_and_noisy_stays_heavy(void)
{
    static uint32_t chance = 11;
    switch_on();
    load(A1, 90);
    pass(100);
    for (uint32_t at = 0; at < 5000; at++) {
        chance = chance * 1664525 + 1013904223;
        if (at % SAMPLE_MS == 0)
            load(A1, chance >> 31 ? 35 : 15);
        pass(1);
        check(touch.felt.heavy == ON(A1));
    }
    check(touch_noisy(&touch) == ON(A1));
}

/* The same phone across the rim: it lies on a place too, with so little that no noise is seen there. */
static void what_is_heavy_blocks_from_a_noisy_rim_too(void)
{
    static uint32_t chance = 13;
    switch_on();
    load(NEAR, 90);
    pass(100);
    for (uint32_t at = 0; at < 5000; at++) {
        chance = chance * 1664525 + 1013904223;
        if (at % SAMPLE_MS == 0)
            load(NEAR, chance >> 31 ? 120 : 90);
        pass(1);
        check(touch.felt.rim);
    }
    load(NEAR, 0);
    pass(2000);
    check(!touch.felt.rim);
}

static void noise_is_neither_water_nor_an_arm_on_the_rim_for_long(void)
{
    static uint32_t chance = 7;
    static const uint8_t shaken[] = {A1, B1, C1, D1, E1, NEAR};
    uint32_t blocked = 0, touched = 0;
    switch_on();
    for (uint32_t at = 0; at < 6000; at++) {
        chance = chance * 1664525 + 1013904223;
        for (unsigned i = 0; at % (3 * SAMPLE_MS) == 0 && i < sizeof shaken; i++)
            load(shaken[i], chance >> 24 & 1 ? 30 : 0);
        pass(1);
        blocked += at >= 2000 && (touch.felt.water || touch.felt.rim);
        touched += at >= 2000 && touch.felt.touched != 0;
    }
    check(touched > 500); /* what the chips take for a touch is told all the same */
    check(blocked < 400);
}

/* Three places that are noisy, and a finger beside them: one place is touched, and the others play on. */
static void noise_beside_a_finger_is_no_water(void)
{
    static uint32_t chance = 3;
    uint32_t together = 0;
    switch_on();
    for (uint32_t at = 0; at < 6000; at++) {
        chance = chance * 1664525 + 1013904223;
        for (uint8_t pad = A1; at % (3 * SAMPLE_MS) == 0 && pad <= C1; pad++)
            load(pad, chance >> (24 + pad) & 1 ? 30 : 0);
        load(A5, at % 2000 < 1000 ? 0 : 16);
        pass(1);
        if (at < 1000) /* before all three are known to be noisy it may be water */
            continue;
        together += touch.felt.touched == (ON(A1) | ON(B1) | ON(C1) | ON(A5));
        check((touch_noisy(&touch) & ~(ON(A1) | ON(B1) | ON(C1))) == 0);
        check(!touch.felt.water || at < 2000);
    }
    check(together > 50);
}

/* The baseline has followed the crests: what is left looks like a finger. */
static void what_noise_leaves_behind_is_masked_and_calibrated_away(void)
{
    switch_on();
    check(shake(A1, 0, 40, REST_MS) > 0);
    port.chips[0].baseline[0] = REST + 12;
    load(A1, 0);
    for (uint32_t at = 0; at < OVER_MS && touch.felt.deaf == 0; at++) {
        pass(1);
        check(touch.felt.touched == 0 || touch_noisy(&touch) == ON(A1));
    }
    check(touch.felt.deaf == ON(A1));
    pass(2000);
    check(port.chips[0].starts == 2);
    check((touch.felt.touched | touch.felt.deaf) == 0 && touch_noisy(&touch) == 0);
}

/* Nothing tells how long a window is but readings: a line that always calls makes them short. */
static void so_is_it_where_the_line_always_calls(void)
{
    for (uint32_t phase = 0; phase < 100; phase += 7) {
        switch_on();
        check(shake(A1, 0, 40, REST_MS) > 0);
        pass(phase);
        port.stuck = true;
        port.chips[0].baseline[0] = REST + 12;
        load(A1, 0);
        pass(2 * OVER_MS);
        check(touch.felt.touched == 0);
    }
}

static void a_flipped_bit_is_no_noise(void)
{
    switch_on();
    load(A1, 16);
    pass(100);
    for (unsigned time = 0; time < 100; time++) {
        port.flip_after = time % 40;
        port.flips = 1;
        pass(200);
        check(touch_noisy(&touch) == 0);
    }
}

int main(void)
{
    swings_of_a_touch_are_noise_and_smaller_ones_are_none();
    under_a_finger_noise_is_found_soon();
    it_is_over_when_two_windows_had_no_swing();
    fingers_that_come_and_go_are_no_noise();
    what_passes_now_and_then_is_no_noise();
    what_cannot_be_read_is_not_noisy();
    while_there_is_noise_no_chip_is_started_anew();
    what_is_heavy_and_noisy_stays_heavy();
    what_is_heavy_blocks_from_a_noisy_rim_too();
    noise_is_neither_water_nor_an_arm_on_the_rim_for_long();
    noise_beside_a_finger_is_no_water();
    what_noise_leaves_behind_is_masked_and_calibrated_away();
    so_is_it_where_the_line_always_calls();
    a_flipped_bit_is_no_noise();
    return 0;
}

/* The controller: tables of {time, what comes, what goes}, in smooth and in jumping time, and what no
 * table can say. */
#include "bench.h"

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

static void each_command_is_applied_once_and_told(void)
{
    static const struct row rows[] = {
        {0, "", AT_FIRST},
        {200, "here 1", "state 1 dark"},
        {250, "lights 2 0a141e", "shown 010203, state 2"},
        {300, "lights 2 ff0000", ""}, /* the number is that of the last */
        {350, "lights 3 0a141e", "shown 010203, state 3"},
        {400, "here 3", ""},
        {450, "restart 3", ""},
        {500, "lights 255 102030", "shown 010408, state 255"},
        {600, "here 1", "state 1"},
        {700, "here 0", ""}, /* there is no number 0 */
        {750, "here 9; here 9; here 10", "state 9, state 10"},
    };
    PLAY(rows);
}

static void a_frame_in_two_parts_is_shown_when_both_are_there(void)
{
    static const struct row rows[] = {
        {0, "", AT_FIRST},
        {200, "begin 1 102030", "state 1 dark"}, /* applied, and nothing to see of it */
        {300, "rest 2 0a141e", "shown 010203, state 2"},
        {350, "rest 2 102030", ""}, /* said again */
        {400, "begin 1 102030; rest 2 102030", "state 1, shown 010408, state 2"},
        {500, "rest 4 ff0000", ""}, /* its begin is lost */
        {550, "begin 3 ff0000; lights 5 0a141e", "state 3, shown 010203, state 5"},
        {650, "begin 255 ff0000; rest 1 ff0000", "state 255, shown ff0000, state 1"},
        {750, "rest 3 0a141e", ""},
    };
    static const struct row first[] = {{0, "", AT_FIRST}, {200, "rest 1 ff0000", ""}};
    PLAY(rows);
    PLAY(first);
}

static void half_a_frame_is_not_shown_whatever_else_is_due(void)
{
    static const struct row rows[] = {
        {0, "", AT_FIRST},
        {200, "lights 1 0a141e", "shown 010203, state 1"},
        {300, "begin 2 ff0000; store 3 7", "settings 3, state 3"}, /* a new cap */
        {790, "", "shown 060300, state 3 dark"},
        {900, "here 4", "state 4 dark"}, /* heard, but of the frame there is only a half */
        {1000, "begin 5 ff0000; rest 6 ff0000", "shown ff0000, state 6"},
    };
    play(rows, sizeof rows / sizeof *rows, 0, 1);
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
        {100, "lights 1 0a141e", "shown 010203, state 1"},
        {200, "", ""},
        {590, "here 2", "state 2"},
        {1085, "", "shown 060300, state 2 dark"},
        {1110, "noise", ""}, /* that is nobody */
        {1300, "here 2", "shown 010203, state 2"},
        {1750, "", ""},
        {1790, "", "shown 060300, state 2 dark"},
        {1950, "lights 3 102030", "shown 010408, state 3"},
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

static void the_chips_are_started_anew_when_that_is_asked_for(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 300);
    bench->said[0] = 0;
    tell(bench, "restart 1");
    run(bench, 200);
    check(strstr(bench->said, "state 1 dark chips 0") != NULL && bench->state[10] == 7);
    bench->said[0] = 0;
    tell(bench, "restart 1");
    run(bench, 200);
    check(bench->said[0] == 0);
    bench_free(bench);
}

static void whatever_is_marked_is_told_at_once_when_it_changes(void)
{
    static const size_t marked[] = {offsetof(struct marked, touched), offsetof(struct marked, heavy),
                                    offsetof(struct marked, deaf),    offsetof(struct marked, applied),
                                    offsetof(struct marked, chips),   offsetof(struct marked, flags)};
    struct bench *bench = bench_new(0, 1);
    bench->untimed = true;
    run(bench, 300);
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
        unsigned before = bench->states;
        do_until(bench->states > before, 200, run(bench, 1));
        run(bench, 20); /* the next would come in 80 ms */
        before = bench->states;
        ((uint8_t *)&bench->controller.marked)[marked[i]] ^= 1; /* it was something else before */
        run(bench, 4);
        check(bench->states == before + 1);
    }
    bench_free(bench);
}

static void lights_that_come_too_quickly_are_shown_as_the_last_of_them(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 200);
    bench->said[0] = 0;
    tell(bench, "lights 1 202020");
    controller_step(&bench->controller, now_ms(bench)); /* the strip has been told */
    bench->port->latch_us += 50000;                     /* and is slow to latch */
    tell(bench, "lights 2 303030");
    tell(bench, "lights 3 404040");
    run(bench, 30);
    check(strcmp(bench->said, "state 1") == 0);
    run(bench, 50);
    check(strcmp(bench->said, "state 1, shown 040404, shown 0d0d0d, state 3") == 0);

    /* Whatever comes behind lights that wait has the number that is told when they are shown. */
    bench->said[0] = 0;
    tell(bench, "lights 4 505050");
    controller_step(&bench->controller, now_ms(bench));
    tell(bench, "lights 5 606060");
    tell(bench, "here 6");
    run(bench, 50);
    check(strcmp(bench->said, "shown 141414, state 4, shown 1e1e1e, state 6") == 0);
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
    check(shown.begun_us == came_us && shown.pulses[3] == 0x020918);
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
    a_frame_in_two_parts_is_shown_when_both_are_there();
    half_a_frame_is_not_shown_whatever_else_is_due();
    what_is_asked_is_answered_every_time();
    silence_makes_it_dark_until_somebody_is_heard();
    a_finger_is_told_and_so_is_what_breaks();
    the_chips_are_started_anew_when_that_is_asked_for();
    whatever_is_marked_is_told_at_once_when_it_changes();
    lights_that_come_too_quickly_are_shown_as_the_last_of_them();
    lights_are_shown_in_the_turn_in_which_they_came();
    the_newest_state_goes_when_there_is_room_and_every_answer();
    a_touch_and_lift_while_nothing_could_go_are_counted();
    a_leap_of_time_is_one_silence_and_one_state();
    return 0;
}

/* What the reports hold, and what settings that are stored do. */
#include "bench.h"

static void hello_tells_why_and_with_what_it_started(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 200);
    const uint8_t first[] = {1, 4, 0, 8, 0, 1, 0, START_POWER, 7, 27, WIRING_LIGHT_COUNT, 0, 1};
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
    run(bench, 1999);
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
    tell(bench, "all 1 ffffff");
    run(bench, 50);
    check(number_16(bench->state + 42) > 1950 && number_16(bench->state + 42) <= 2000);
    check(bench->state[11] == STATE_STARVING);
    bench_free(bench);
}

/* CRC-16 of CCITT, bit by bit. */
static uint16_t check_of(const uint8_t *bytes, size_t count)
{
    uint16_t crc = 0xFFFF;
    for (size_t at = 0; at < 8 * count; at++) {
        bool out = (crc >> 15 ^ bytes[at / 8] >> (7 - at % 8)) & 1;
        crc = (uint16_t)(crc << 1 ^ (out ? 0x1021 : 0));
    }
    return crc;
}

static void the_check_of_what_was_ordered_is_told_when_it_is_shown(void)
{
    uint8_t ordered[3 * LED_COUNT] = {0};
    struct bench *bench = bench_new(0, 1);
    run(bench, 300);
    check(number_16(bench->state + 44) == check_of(ordered, sizeof ordered));
    tell(bench, "begin 1 102030");
    run(bench, 50);
    check(number_16(bench->state + 44) == check_of(ordered, sizeof ordered));
    tell(bench, "rest 2 010203");
    run(bench, 50);
    for (unsigned at = 0; at < 3 * LEDS_OF_CELL; at++)
        ordered[at] = (uint8_t)(1 + at % 3); /* as they are to look, not as they are driven */
    check(number_16(bench->state + 44) == check_of(ordered, sizeof ordered));
    tell(bench, "all 3 ffffff");
    run(bench, 50);
    memset(ordered, 0xFF, sizeof ordered);
    check(number_16(bench->state + 44) == check_of(ordered, sizeof ordered));
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
    tell(bench, "all 1 ffffff");
    run(bench, 20);
    bench->said[0] = 0;
    tell(bench, "store 2 50 500");
    run(bench, 120);
    check(bench->settings[3] == 50 && bench->settings[3 + 93] == 500 % 256);
    check(number_16(bench->state + 42) > 450 && number_16(bench->state + 42) <= 500);
    check(strstr(bench->said, "chips 0") != NULL && bench->state[10] == 7);
    run(bench, 500);
    tell(bench, "here 3");
    tell(bench, ":shape 0 A1 20:30");
    run(bench, 300);
    check(touched(bench) == 0); /* 30 is less than 50 */
    tell(bench, ":shape 0 A1 20:0");
    run(bench, 200);
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

static void settings_that_are_changed_again_are_kept_too(void)
{
    struct bench *bench = bench_new(0, 1);
    run(bench, 200);
    tell(bench, "store 1 30");
    run(bench, 600);
    tell(bench, "store 2 40");
    run(bench, 600);
    start(bench, START_POWER);
    check(bench->controller.settings.touch[5] == 40);
    bench_free(bench);
}

static void settings_that_are_kept_are_not_written_again(void)
{
    struct bench *bench = bench_new(0, 1);
    uint8_t memory[TABLE_MEMORY];
    run(bench, 200);
    tell(bench, "store 1 30");
    run(bench, 600);
    memcpy(memory, bench->port->memory, sizeof memory);
    tell(bench, "store 2 30");
    run(bench, 600);
    check(bench->settings[1] == 2 && bench->settings[2] == VERDICT_IN_USE);
    check(memcmp(memory, bench->port->memory, sizeof memory) == 0);
    bench_free(bench);
}

int main(void)
{
    hello_tells_why_and_with_what_it_started();
    a_chip_that_is_missing_at_the_start_is_missing_in_hello();
    it_speaks_although_its_memory_takes_nothing();
    what_is_dropped_and_lost_is_counted();
    uptime_and_current_are_told();
    the_check_of_what_was_ordered_is_told_when_it_is_shown();
    raw_is_what_the_chips_count();
    settings_are_used_at_once_and_kept();
    refused_settings_change_nothing();
    settings_that_are_in_use_disturb_nobody_but_are_kept();
    settings_that_are_changed_again_are_kept_too();
    settings_that_are_kept_are_not_written_again();
    return 0;
}

/* The table over the core itself: time, starts and what several tables have in common: nothing. */
#include <string.h>

#include "check.h"
#include "frame.h"
#include "table.h"

#define SECOND 1000000U
#define HELLO 0x01
#define STATE 0x02
#define STATE_LONG 54

/* What came from a table: bytes (their STATEs tell the time), frames of light, a sum of each. */
struct heard {
    uint64_t byte_sum, shown_sum;
    unsigned bytes, shown;
};

static void hear(struct table *table, struct heard *heard)
{
    uint8_t bytes[256];
    struct shown shown;
    for (size_t count; (count = table_read(table, bytes, sizeof bytes)) > 0;)
        for (size_t at = 0; at < count; at++, heard->bytes++)
            heard->byte_sum = heard->byte_sum * 31 + bytes[at];
    for (; table_shown(table, &shown); heard->shown++)
        heard->shown_sum = heard->shown_sum * 31 + shown.at_us + shown.pulses[0];
}

/* The last message of this type; its length, 0: there was none. */
static unsigned last_message(struct table *table, uint8_t type, uint8_t *message)
{
    struct frame_decoder decoder;
    uint8_t bytes[FRAME_MAX_MESSAGE_BYTES + CRC_BYTES], byte = 0;
    unsigned length = 0;
    frame_decoder_start(&decoder, bytes, sizeof bytes);
    while (table_read(table, &byte, 1) == 1) {
        const uint8_t count = frame_decode(&decoder, byte);
        if (count > 0 && bytes[0] == type) {
            length = count;
            memcpy(message, bytes, count);
        }
    }
    return length;
}

static struct table *make(uint64_t seed)
{
    struct table *table = table_new(NULL, NULL, seed);
    check(table != NULL);
    return table;
}

static void tell(struct table *table, const char *line)
{
    check(strncmp(table_command(table, line), "ok", 2) == 0);
}

static bool stats_have(struct table *table, const char *part)
{
    return strstr(table_command(table, "stats"), part) != NULL;
}

static void it_stops_early_where_a_frame_ends_or_lights_latch_and_else_at_its_time(void)
{
    struct table *table = make(1);
    struct shown shown;
    uint8_t bytes[256];
    uint64_t now_us = 0;
    unsigned frames = 0, latched = 0;
    for (unsigned turns = 0; (now_us = table_run(table, SECOND, true)) < SECOND; turns++) {
        check(turns < 1000); /* or it stops early for nothing */
        const size_t count = table_read(table, bytes, sizeof bytes);
        const bool shows = table_shown(table, &shown);
        check(shows || (count > 0 && bytes[count - 1] == 0));
        check(!shows || shown.at_us == now_us);
        check(memchr(bytes, 0, count) == NULL || memchr(bytes, 0, count) == bytes + count - 1);
        frames += count > 0;
        latched += shows;
    }
    check(frames >= 10 && latched >= 1);
    check(table_run(table, SECOND, false) == SECOND);
    table_free(table);
}

static void whole_run(struct table *table, struct heard *heard, unsigned slice_us, bool stop_early)
{
    static const struct {
        unsigned at_ms;
        const char *line;
    } script[] = {{100, "noise 1.5"}, {700, "shape 0 A1 20:30"},      {1100, "shape 0 A1 20:0"},
                  {1500, "hang"},     {2300, "chip 1 over-current"},  {2600, "power-cut"},
                  {2900, "drift C3 4"}, {3300, "chip 0 hold 100"}};
    uint64_t now_us = 0;
    for (size_t at = 0; at <= sizeof script / sizeof *script; at++) {
        const bool end = at == sizeof script / sizeof *script;
        const uint64_t until_us = end ? 4 * SECOND : script[at].at_ms * 1000U;
        for (unsigned turns = 0; now_us < until_us; turns++) {
            const uint64_t end_us = now_us + slice_us;
            check(turns < 4 * SECOND); /* or its time stands still */
            now_us = table_run(table, end_us < until_us ? end_us : until_us, stop_early);
            hear(table, heard);
        }
        if (!end)
            tell(table, script[at].line);
    }
}

static void it_is_the_same_however_time_is_cut(void)
{
    struct heard first = {0};
    for (unsigned row = 0; row < 4; row++) {
        static const unsigned slices[] = {4 * SECOND, 777, 4 * SECOND, 13};
        struct heard heard = {0};
        struct table *table = make(3);
        whole_run(table, &heard, slices[row], row % 2 == 1);
        if (row == 0)
            first = heard;
        check(heard.bytes > 1000 && heard.shown > 1);
        check(heard.bytes == first.bytes && heard.shown == first.shown);
        check(heard.byte_sum == first.byte_sum && heard.shown_sum == first.shown_sum);
        table_free(table);
    }
}

static void two_tables_in_one_program_know_nothing_of_each_other(void)
{
    struct table *one = make(3), *other = make(4), *alone = make(3);
    struct heard of_one = {0}, of_other = {0}, of_alone = {0};
    whole_run(alone, &of_alone, SECOND, false);
    tell(other, "shape 0 all 0:40");
    table_run(other, SECOND, false);
    whole_run(one, &of_one, SECOND, false);
    hear(other, &of_other);
    check(of_one.byte_sum == of_alone.byte_sum && of_one.shown_sum == of_alone.shown_sum);
    check(of_other.byte_sum != of_alone.byte_sum);
    table_free(one);
    table_free(other);
    table_free(alone);
}

static void it_tells_why_it_started(void)
{
    static const struct {
        const char *line;
        uint8_t cause;
    } rows[] = {{"stats", 1}, {"reset", 2}, {"hang", 8}, {"power-cut", 1}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        uint8_t message[FRAME_MAX_MESSAGE_BYTES];
        struct table *table = make(1);
        table_run(table, SECOND, false);
        check(last_message(table, HELLO, message) == 13 && message[7] == 1);
        tell(table, rows[row].line);
        table_run(table, 2 * SECOND, false);
        if (row == 0)
            check_row(rows[row].line, last_message(table, HELLO, message) == 0);
        else
            check_row(rows[row].line, last_message(table, HELLO, message) == 13);
        check_row(rows[row].line, message[7] == rows[row].cause);
        table_free(table);
    }
}

static void the_watchdog_bites_half_a_second_after_it_hangs(void)
{
    struct table *table = make(1);
    table_run(table, SECOND, false);
    tell(table, "hang");
    table_run(table, SECOND + 400000, false);
    tell(table, "hang"); /* more than hang it cannot */
    table_run(table, SECOND + 499999, false);
    check(stats_have(table, "starts=1 watchdog=0"));
    table_run(table, SECOND + 500000, false);
    check(stats_have(table, "starts=2 watchdog=1"));
    table_run(table, 60 * SECOND, false); /* and never otherwise */
    check(stats_have(table, "starts=2 watchdog=1"));
    table_free(table);
}

static void no_byte_is_lost_while_it_works_and_all_are_while_it_hangs(void)
{
    static const uint8_t bytes[10000] = {1};
    struct table *table = make(1);
    table_write(table, bytes, sizeof bytes);
    table_run(table, SECOND, false);
    check(stats_have(table, "overruns=0 "));
    tell(table, "hang");
    table_write(table, bytes, 1000);
    table_run(table, SECOND + 100000, false);
    check(stats_have(table, "overruns=1000 "));
    table_free(table);
}

static void an_unplugged_line_carries_nothing_and_the_table_goes_on(void)
{
    uint8_t message[FRAME_MAX_MESSAGE_BYTES];
    const uint8_t byte = 0;
    struct table *table = make(1);
    table_run(table, SECOND, false);
    check(last_message(table, STATE, message) == STATE_LONG);
    tell(table, "unplug");
    table_write(table, &byte, 1);
    table_run(table, 2 * SECOND, false);
    check(table_read(table, message, 1) == 0);
    tell(table, "plug");
    table_run(table, 3 * SECOND, false);
    check(last_message(table, STATE, message) == STATE_LONG);
    check(stats_have(table, "starts=1 "));
    table_free(table);
}

static void what_is_on_the_way_when_it_is_unplugged_is_lost(void)
{
    static const uint8_t bytes[1000] = {1};
    struct table *table = make(1);
    table_run(table, SECOND, false);
    table_write(table, bytes, sizeof bytes);
    table_run(table, SECOND + 400, false); /* ten of them have come */
    tell(table, "unplug");
    tell(table, "plug");
    tell(table, "hang");
    table_run(table, SECOND + 100000, false);
    check(stats_have(table, "overruns=0 "));
    table_write(table, bytes, 5);
    table_run(table, SECOND + 200000, false);
    check(stats_have(table, "overruns=5 "));
    table_free(table);
}

/* A new table writes its boot id at once: a byte of it is under way for the first 3.4 ms. */
static void a_power_cut_loses_the_byte_under_way_and_a_reset_does_not(void)
{
    static const char *const lines[] = {"power-cut", "reset"};
    for (unsigned row = 0; row < 2; row++) {
        uint8_t memory[TABLE_MEMORY], written = 0xFF;
        struct table *table = make(1);
        table_run(table, 2000, false);
        tell(table, lines[row]);
        table_run(table, 4000, false);
        table_memory(table, memory);
        for (size_t at = 0; at < TABLE_MEMORY; at++)
            written &= memory[at];
        check_row(lines[row], (written != 0xFF) == (row == 1));
        table_free(table);
    }
}

static void what_the_memory_holds_is_there_after_the_next_start(void)
{
    uint8_t memory[TABLE_MEMORY], message[FRAME_MAX_MESSAGE_BYTES];
    struct table *table = make(1);
    table_run(table, SECOND, false);
    check(last_message(table, HELLO, message) == 13);
    const uint8_t boot = message[5];
    tell(table, "memory 1000 0x5A");
    table_memory(table, memory);
    check(memory[1000] == 0x5A);
    table_free(table);
    table = table_new(NULL, memory, 1);
    table_run(table, SECOND, false);
    check(last_message(table, HELLO, message) == 13);
    check(message[5] == (uint8_t)(boot + 1)); /* the boot id is kept there */
    table_memory(table, memory);
    check(memory[1000] == 0x5A);
    table_free(table);
}

int main(void)
{
    it_stops_early_where_a_frame_ends_or_lights_latch_and_else_at_its_time();
    it_is_the_same_however_time_is_cut();
    two_tables_in_one_program_know_nothing_of_each_other();
    it_tells_why_it_started();
    the_watchdog_bites_half_a_second_after_it_hangs();
    no_byte_is_lost_while_it_works_and_all_are_while_it_hangs();
    an_unplugged_line_carries_nothing_and_the_table_goes_on();
    what_is_on_the_way_when_it_is_unplugged_is_lost();
    a_power_cut_loses_the_byte_under_way_and_a_reset_does_not();
    what_the_memory_holds_is_there_after_the_next_start();
    return 0;
}

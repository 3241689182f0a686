/* A simulated table for a caller on another kind of machine: the functions of model/table.h, by lines
 * on standard input and output. Bytes are in hexadecimal.
 *
 *     new SEED MEMORY    → ok                  run UNTIL_US EARLY → the new time
 *     write BYTES        → ok                  read               → BYTES
 *     shown              → BEGUN_US AT_US WHOLE PULSES …, or none
 *     memory             → BYTES               tell LINE          → the answer
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define LINE_BYTES (2 * TABLE_MEMORY + 64)

static size_t from_hex(const char *text, uint8_t *bytes, size_t room)
{
    size_t count = 0;
    unsigned byte = 0;
    while (count < room && sscanf(text + 2 * count, "%2x", &byte) == 1)
        bytes[count++] = (uint8_t)byte;
    return count;
}

static void put_hex(const uint8_t *bytes, size_t count)
{
    for (size_t at = 0; at < count; at++)
        printf("%02x", bytes[at]);
    putchar('\n');
}

static void put_shown(struct table *table)
{
    struct shown shown;
    if (!table_shown(table, &shown)) {
        puts("none");
        return;
    }
    printf("%" PRIu64 " %" PRIu64 " %d", shown.begun_us, shown.at_us, shown.whole);
    for (size_t led = 0; led < TABLE_LEDS; led++)
        printf(" %" PRIu32, shown.pulses[led]);
    putchar('\n');
}

static struct table *make_table(const char *rest)
{
    static uint8_t memory[TABLE_MEMORY];
    char *hex = NULL;
    const uint64_t seed = strtoull(rest, &hex, 10);
    const size_t count = *hex == ' ' ? from_hex(hex + 1, memory, sizeof memory) : 0;
    return table_new(NULL, count == sizeof memory ? memory : NULL, seed);
}

static void obey(struct table *table, const char *word, const char *rest)
{
    static uint8_t bytes[TABLE_MEMORY];
    uint64_t until_us = 0;
    unsigned early = 0;
    if (strcmp(word, "run") == 0 && sscanf(rest, "%" SCNu64 " %u", &until_us, &early) == 2) {
        printf("%" PRIu64 "\n", table_run(table, until_us, early != 0));
    } else if (strcmp(word, "write") == 0) {
        table_write(table, bytes, from_hex(rest, bytes, sizeof bytes));
        puts("ok");
    } else if (strcmp(word, "read") == 0) {
        put_hex(bytes, table_read(table, bytes, sizeof bytes));
    } else if (strcmp(word, "shown") == 0) {
        put_shown(table);
    } else if (strcmp(word, "memory") == 0) {
        table_memory(table, bytes);
        put_hex(bytes, sizeof bytes);
    } else if (strcmp(word, "tell") == 0) {
        puts(table_command(table, rest));
    } else {
        puts("no: unknown");
    }
}

int main(void)
{
    static char line[LINE_BYTES];
    struct table *table = NULL;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *rest = strchr(line, ' ');
        if (rest != NULL)
            *rest++ = '\0';
        if (table == NULL) {
            table = make_table(rest == NULL ? "1" : rest);
            if (table == NULL)
                return 1;
            puts("ok");
        } else {
            obey(table, line, rest == NULL ? "" : rest);
        }
        fflush(stdout);
    }
    table_free(table);
    return 0;
}

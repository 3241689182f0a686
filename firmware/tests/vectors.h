/* Reads ../vectors/frames.txt, whose head describes its lines. */
#ifndef VECTORS_H
#define VECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

#define VECTORS "vectors/frames.txt"
#define PARTS 4

struct vector {
    char text[8192];   /* the line, cut into its parts */
    char *kind, *name; /* the first part in two */
    char *parts[PARTS];
    unsigned count;
};

struct bytes {
    uint8_t at[2100];
    size_t count;
};

static inline FILE *vectors_open(void)
{
    FILE *file = fopen(VECTORS, "r");
    check(file != NULL);
    return file;
}

/* The next line that is no comment; false: there is none. */
static inline bool vectors_next(FILE *file, struct vector *vector)
{
    do {
        if (fgets(vector->text, sizeof vector->text, file) == NULL)
            return false;
        check(strchr(vector->text, '\n') != NULL);
    } while (vector->text[0] == '#');
    *strchr(vector->text, '\n') = 0;
    vector->count = 0;
    for (char *part = vector->text; part != NULL;) {
        check(vector->count < PARTS);
        char *end = strstr(part, " |");
        vector->parts[vector->count++] = part;
        part = end == NULL ? NULL : end + 2 + (end[2] == ' ');
        if (end != NULL)
            *end = 0;
    }
    vector->kind = vector->parts[0];
    vector->name = strchr(vector->kind, ' ');
    check(vector->name != NULL);
    *vector->name++ = 0;
    return true;
}

/* Bytes in hex, up to the end or a comma. */
static inline struct bytes vectors_bytes(const char *hex)
{
    struct bytes bytes = {.count = 0};
    for (unsigned byte; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        check(bytes.count < sizeof bytes.at);
        bytes.at[bytes.count++] = (uint8_t)byte;
    }
    check(*hex == 0 || *hex == ',');
    return bytes;
}

/* The `count` numbers of a field. */
static inline void vectors_numbers(const struct vector *vector, const char *field, unsigned count,
                                   uint32_t numbers[])
{
    char start[32];
    snprintf(start, sizeof start, "%s=", field);
    const char *at = vector->parts[1];
    while (at != NULL && strncmp(at, start, strlen(start)) != 0) {
        at = strchr(at, ' ');
        at += at != NULL;
    }
    check_row(vector->name, at != NULL);
    at += strlen(start);
    for (unsigned i = 0; i < count; i++) {
        char *end;
        numbers[i] = (uint32_t)strtoul(at, &end, 0);
        check_row(vector->name, end != at && *end == (i + 1 < count ? ',' : *end));
        at = end + 1;
    }
    check_row(vector->name, at[-1] == 0 || at[-1] == ' ');
}

static inline uint32_t vectors_number(const struct vector *vector, const char *field)
{
    uint32_t number;
    vectors_numbers(vector, field, 1, &number);
    return number;
}

#endif

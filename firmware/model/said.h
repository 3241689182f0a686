/* A command line for the simulated world, split into words. */
#ifndef SAID_H
#define SAID_H

#include <stdbool.h>
#include <stdint.h>

#include "loads.h"

#define SAID_WORDS (LOADS_POINTS + 3)
#define SAID_LINE 1024
#define MAX_COUNTS 2000.0

struct said {
    char text[SAID_LINE];
    char *words[SAID_WORDS];
    unsigned count;
};

/* Split the line. Returns false if it is too long, or has too many words. */
bool said_take_apart(struct said *said, const char *line);

bool said_number(const char *word, double least, double most, double *number);
bool said_whole(const char *word, uint64_t most, uint64_t *number);

/* Read all numbers after the first word. Returns false unless each is from 0 to its maximum in
 * `most`. */
bool said_numbers(const struct said *said, double *numbers, const double *most);

#endif

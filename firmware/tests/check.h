/* Macros for all tests in C: checks that report where they failed, and a wait with a limit. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define check(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: in %s: not so: %s\n", __FILE__, __LINE__, __func__,      \
                    #condition);                                                             \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

/* The same for a test with a table; `row` is the name or number of the row, as text. */
#define check_row(row, condition)                                                            \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: in %s, %s: not so: %s\n", __FILE__, __LINE__, __func__,  \
                    row, #condition);                                                        \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

/* Repeat `step` until `condition` is true. The test fails after `most` repetitions. */
#define do_until(condition, most, step)                                                      \
    do {                                                                                     \
        for (unsigned long times = 0; !(condition); times++) {                               \
            if (times == (most)) {                                                           \
                fprintf(stderr, "%s:%d: in %s: waited %lu times for what did not come: %s\n", \
                        __FILE__, __LINE__, __func__, times, #condition);                    \
                exit(1);                                                                     \
            }                                                                                \
            step;                                                                            \
        }                                                                                    \
    } while (0)

#endif

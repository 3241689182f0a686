/* What every test in C needs: a check that says where it failed, and a wait that ends. */
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

/* The same within a table: `row` is its row's name or number in words. */
#define check_row(row, condition)                                                            \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: in %s, %s: not so: %s\n", __FILE__, __LINE__, __func__,  \
                    row, #condition);                                                        \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

/* Do this until that is so; `most` is how often before it counts as never. */
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

/* Pseudo-random numbers, repeatable by seed: xoshiro256** (Blackman, Vigna), seeded by splitmix64.
 */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

struct chance {
    uint64_t state[4];
};

void chance_seed(struct chance *chance, uint64_t seed);
uint64_t chance_bits(struct chance *chance);
float chance_unit(struct chance *chance);   /* 0 to 1, without 1 */
float chance_normal(struct chance *chance); /* mean 0, standard deviation 1 */

#endif

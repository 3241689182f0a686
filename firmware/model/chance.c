#include "chance.h"

static uint64_t turned(uint64_t bits, unsigned by) { return bits << by | bits >> (64 - by); }

void chance_seed(struct chance *chance, uint64_t seed)
{
    for (unsigned at = 0; at < 4; at++) {
        seed += 0x9E3779B97F4A7C15U;
        uint64_t bits = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EBU;
        chance->state[at] = bits ^ bits >> 31;
    }
}

uint64_t chance_bits(struct chance *chance)
{
    uint64_t *state = chance->state;
    const uint64_t bits = turned(state[1] * 5, 7) * 9, shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = turned(state[3], 45);
    return bits;
}

float chance_unit(struct chance *chance)
{
    return (float)(chance_bits(chance) >> 40) * 0x1p-24F;
}

/* The number of set bits among 64 is binomial, so nearly normal (standard deviation 4) up to eight
 * deviations. A uniform fraction fills the steps between whole numbers (variance 1/12). */
float chance_normal(struct chance *chance)
{
    const int set = __builtin_popcountll(chance_bits(chance));
    return ((float)(set - 32) + chance_unit(chance) - 0.5F) * 0.24935F; /* 1 / √(16 + 1/12) */
}

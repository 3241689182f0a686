/* The world's commands about noise: lines of README.md. */
#ifndef NOISE_COMMAND_H
#define NOISE_COMMAND_H

#include "noise.h"
#include "said.h"

/* Do what the line says, and answer; NULL: it is not about noise. */
const char *noise_command(struct noise *noise, const struct said *said, uint64_t now_us);

#endif

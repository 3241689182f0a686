/* The commands of README.md about noise. */
#ifndef NOISE_COMMAND_H
#define NOISE_COMMAND_H

#include "noise.h"
#include "said.h"

/* Execute the command and return the answer; NULL if the command is not about noise. */
const char *noise_command(struct noise *noise, const struct said *said, uint64_t now_us);

#endif

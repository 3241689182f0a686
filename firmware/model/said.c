#include "said.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool said_take_apart(struct said *said, const char *line)
{
    const size_t length = strlen(line);
    if (length >= SAID_LINE)
        return false;
    memcpy(said->text, line, length + 1);
    said->count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(said->text, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (said->count == SAID_WORDS)
            return false;
        said->words[said->count++] = word;
    }
    return true;
}

bool said_number(const char *word, double least, double most, double *number)
{
    char *end = NULL;
    *number = strtod(word, &end);
    return end != word && *end == '\0' && isfinite(*number) && *number >= least && *number <= most;
}

bool said_whole(const char *word, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    if (word[0] < '0' || word[0] > '9')
        return false;
    errno = 0;
    *number = strtoull(word, &end, 0);
    return *end == '\0' && errno == 0 && *number <= most;
}

bool said_numbers(const struct said *said, double *numbers, const double *most)
{
    for (unsigned at = 1; at < said->count; at++)
        if (!said_number(said->words[at], 0, most[at - 1], &numbers[at - 1]))
            return false;
    return true;
}

#include "noise_command.h"

#include <string.h>

#define MAX_HZ 1e6
#define MAX_NUMBERS 4

static const char *normal(struct noise *noise, const double told[])
{
    noise->counts = (float)told[0];
    return "ok";
}

static const char *hum(struct noise *noise, const double told[])
{
    noise->hum_counts = (float)told[0];
    noise->hum_hz = (float)told[1];
    noise->hum_third = (float)told[2];
    noise->hum_fifth = (float)told[3];
    return "ok";
}

static const char *common(struct noise *noise, const double told[])
{
    noise->common_counts = (float)told[0];
    noise->common_hz = told[1];
    noise->common_swing_hz = (float)told[2];
    return "ok";
}

static const char *bursts(struct noise *noise, const double told[])
{
    if (told[1] * told[2] > 1e6)
        return "no: such bursts are not over before the next";
    noise->bursts_counts = (float)told[0];
    noise->bursts_hz = (float)told[1];
    noise->bursts_us = (float)told[2];
    return "ok";
}

static const char *tdma(struct noise *noise, const double told[])
{
    noise->tdma_counts = (float)told[0];
    return "ok";
}

static const char *warmth(struct noise *noise, const struct said *said, uint64_t now_us)
{
    double counts = 0, seconds = 0;
    if (said->count != 3 || !said_number(said->words[1], -MAX_COUNTS, MAX_COUNTS, &counts) ||
        !said_number(said->words[2], 0.1, 1e6, &seconds))
        return "no: warmth COUNTS SECONDS, 0.1 or more of these";
    noise_warm(noise, (float)counts, (float)seconds, now_us);
    return "ok";
}

const char *noise_command(struct noise *noise, const struct said *said, uint64_t now_us)
{
    static const struct {
        const char *word, *usage;
        const char *(*tell)(struct noise *noise, const double told[]);
        unsigned least, numbers;
        double most[MAX_NUMBERS];
    } rows[] = {
        {"noise", "no: noise COUNTS, 0 or more", normal, 1, 1, {MAX_COUNTS}},
        {"hum", "no: hum COUNTS HZ [THIRD [FIFTH]], none below 0, the last two to 1", hum, 2, 4,
         {MAX_COUNTS, MAX_HZ, 1, 1}},
        {"common", "no: common COUNTS HZ [SWING], none below 0", common, 2, 3,
         {MAX_COUNTS, MAX_HZ, MAX_HZ}},
        {"bursts", "no: bursts COUNTS HZ US, none below 0", bursts, 3, 3,
         {MAX_COUNTS, MAX_HZ, 1e7}},
        {"tdma", "no: tdma COUNTS, 0 or more", tdma, 1, 1, {MAX_COUNTS}},
    };
    const char *word = said->words[0];
    if (strcmp(word, "warmth") == 0)
        return warmth(noise, said, now_us);
    for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++) {
        double told[MAX_NUMBERS] = {0};
        if (strcmp(word, rows[row].word) != 0)
            continue;
        const unsigned numbers = said->count - 1;
        if (numbers < rows[row].least || numbers > rows[row].numbers ||
            !said_numbers(said, told, rows[row].most))
            return rows[row].usage;
        return rows[row].tell(noise, told);
    }
    return NULL;
}

/* The commands of README.md. Each line is checked completely before it is executed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noise_command.h"
#include "said.h"
#include "world.h"

static const char *answer(struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *answer(struct world *world, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(world->answer, sizeof world->answer, format, values);
    va_end(values);
    return world->answer;
}

/* The pads that a name means: `count` pads from `first` on. */
static bool pads_of(const char *name, unsigned *first, unsigned *count)
{
    static const char *const others[] = {"end-turn", "hourglass", "far", "left", "right", "near"};
    *count = 1;
    if (name[0] >= 'A' && name[0] <= 'E' && name[1] >= '1' && name[1] <= '5' && name[2] == '\0') {
        *first = (unsigned)(name[1] - '1') * 5 + (unsigned)(name[0] - 'A');
        return true;
    }
    for (unsigned other = 0; other < sizeof others / sizeof *others; other++)
        if (strcmp(name, others[other]) == 0) {
            *first = CELL_COUNT + other;
            return true;
        }
    *first = 0;
    *count = PAD_COUNT;
    return strcmp(name, "all") == 0;
}

static bool point_of(const char *word, uint64_t now_us, struct loads_point *point)
{
    char time[32];
    const char *colon = strchr(word, ':');
    double ms = 0, counts = 0;
    if (colon == NULL || (size_t)(colon - word) >= sizeof time)
        return false;
    memcpy(time, word, (size_t)(colon - word));
    time[colon - word] = '\0';
    if (!said_number(time, 0, 1e9, &ms) || !said_number(colon + 1, -MAX_COUNTS, MAX_COUNTS, &counts))
        return false;
    *point = (struct loads_point){now_us + (uint64_t)(ms * 1000), (float)counts};
    return true;
}

static const char *shape(struct world *world, const struct said *said, uint64_t now_us)
{
    struct loads_point points[LOADS_POINTS];
    unsigned first = 0, pads = 0;
    uint64_t layer = 0;
    if (said->count < 4)
        return answer(world, "no: shape LAYER PAD MS:COUNTS …");
    if (!said_whole(said->words[1], LOADS_LAYERS - 1, &layer))
        return answer(world, "no: the layer is to be 0 … %d", LOADS_LAYERS - 1);
    if (!pads_of(said->words[2], &first, &pads))
        return answer(world, "no: there is no pad %s", said->words[2]);
    const unsigned count = said->count - 3;
    for (unsigned at = 0; at < count; at++) {
        if (!point_of(said->words[3 + at], now_us, &points[at]))
            return answer(world, "no: %s is no MS:COUNTS", said->words[3 + at]);
        if (at > 0 && points[at].at_us < points[at - 1].at_us)
            return answer(world, "no: %s is before the point ahead of it", said->words[3 + at]);
    }
    for (unsigned pad = first; pad < first + pads; pad++)
        loads_shape(&world->loads, (unsigned)layer, pad, points, count, now_us);
    return answer(world, "ok");
}

static const char *clear(struct world *world, const struct said *said, uint64_t now_us)
{
    uint64_t layer = 0;
    if (said->count != 2 || !said_whole(said->words[1], LOADS_LAYERS - 1, &layer))
        return answer(world, "no: clear LAYER, 0 … %d", LOADS_LAYERS - 1);
    loads_clear(&world->loads, (unsigned)layer, now_us);
    return answer(world, "ok");
}

static const char *drift(struct world *world, const struct said *said, uint64_t now_us)
{
    unsigned first = 0, pads = 0;
    double rate = 0;
    if (said->count != 3 || !said_number(said->words[2], -MAX_COUNTS, MAX_COUNTS, &rate))
        return answer(world, "no: drift PAD COUNTS");
    if (!pads_of(said->words[1], &first, &pads))
        return answer(world, "no: there is no pad %s", said->words[1]);
    for (unsigned pad = first; pad < first + pads; pad++)
        loads_drift(&world->loads, pad, (float)rate, now_us);
    return answer(world, "ok");
}

static const char *crosstalk(struct world *world, const struct said *said)
{
    unsigned first = 0, pads = 0;
    double ground = 0, data = 0;
    if (said->count < 3 || said->count > 4 ||
        !said_number(said->words[2], 0, MAX_COUNTS, &ground) ||
        (said->count == 4 && !said_number(said->words[3], 0, MAX_COUNTS, &data)))
        return answer(world, "no: crosstalk PAD GROUND [DATA], none below 0");
    if (!pads_of(said->words[1], &first, &pads))
        return answer(world, "no: there is no pad %s", said->words[1]);
    for (unsigned pad = first; pad < first + pads; pad++) {
        world->crosstalk.ground[pad] = (float)ground;
        world->crosstalk.data[pad] = (float)data;
    }
    return answer(world, "ok");
}

static const char *chip(struct world *world, const struct said *said, uint64_t now_us)
{
    uint64_t number = 0, count = 0;
    if (said->count < 3 || !said_whole(said->words[1], CHIP_COUNT - 1, &number))
        return answer(world, "no: chip N WHAT, N being 0 … %d", CHIP_COUNT - 1);
    struct world_chip *told = &world->chips[number];
    const char *what = said->words[2], *much = said->count == 4 ? said->words[3] : NULL;
    const bool counted = much != NULL && said_whole(much, UINT32_MAX, &count);
    if (said->count == 3 && strcmp(what, "brown-out") == 0)
        mpr121_model_brown_out(&told->model);
    else if (said->count == 3 && strcmp(what, "over-current") == 0)
        mpr121_model_over_current(&told->model);
    else if (counted && strcmp(what, "nack") == 0)
        told->nacks = count;
    else if (much != NULL && strcmp(what, "nack") == 0 && strcmp(much, "-") == 0)
        told->nacks = UINT64_MAX;
    else if (counted && strcmp(what, "hold") == 0)
        told->held_us = now_us + count * 1000;
    else if (counted && strcmp(what, "flip") == 0)
        told->flips = (unsigned)count;
    else
        return answer(world, "no: it knows brown-out, over-current, nack N, hold MS, flip N");
    return answer(world, "ok");
}

static bool one_pad(const struct said *said, unsigned at, unsigned *pad)
{
    unsigned count = 0;
    return at < said->count && pads_of(said->words[at], pad, &count) && count == 1;
}

/* Commands about leads: each changes the capacitances that the chips charge. */
static const char *lead(struct world *world, const struct said *said)
{
    struct leads *leads = &world->leads;
    const char *word = said->words[0];
    const unsigned most = strcmp(word, "open") == 0 || strcmp(word, "ground") == 0 ? 1 : 2;
    unsigned pads[2] = {0, 0};
    if (said->count != 1 + most || !one_pad(said, 1, &pads[0]) ||
        (most == 2 && (!one_pad(said, 2, &pads[1]) || pads[0] == pads[1])))
        return answer(world, most == 2 ? "no: %s PAD PAD, two of them" : "no: %s PAD", word);
    if (strcmp(word, "short") == 0 || strcmp(word, "couple") == 0)
        leads_join(leads, pads[0], pads[1], strcmp(word, "short") == 0);
    else if (strcmp(word, "swap") == 0)
        leads_swap(leads, pads[0], pads[1]);
    else if (strcmp(word, "open") == 0)
        leads->open[pads[0]] = true;
    else
        leads->grounded[pads[0]] = true;
    world_wired(world);
    return answer(world, "ok");
}

static const char *swap_chips(struct world *world, const struct said *said)
{
    uint64_t first = 0, second = 0;
    if (said->count != 3 || !said_whole(said->words[1], CHIP_COUNT - 1, &first) ||
        !said_whole(said->words[2], CHIP_COUNT - 1, &second) || first == second)
        return answer(world, "no: swap-chips N N, two of 0 … %d", CHIP_COUNT - 1);
    leads_swap_chips(&world->leads, (unsigned)first, (unsigned)second);
    world_wired(world);
    return answer(world, "ok");
}

static const char *overlay(struct world *world, const struct said *said)
{
    double mm = 0;
    if (said->count != 2 || !said_number(said->words[1], 0.5, 50, &mm))
        return answer(world, "no: overlay MM, 0.5 … 50");
    world->leads.share = (LEADS_OVERLAY_MM + LEADS_CARD_MM) / ((float)mm + LEADS_CARD_MM);
    return answer(world, "ok");
}

#define MIN_SUPPLY_MA 150 /* with less than the current of dark lights, it would never start */

/* `supply MA`, and the faults of a string's light N; `-` means no fault. */
static const char *of_strip(struct world *world, const struct said *said)
{
    struct strip_ills *strip = &world->strip;
    const struct {
        const char *name;
        unsigned *light;
    } faults[] = {{"strip", &strip->reach},
                  {"dead", &strip->dead},
                  {"dark", &strip->dark},
                  {"damages", &strip->damages},
                  {"enter", &strip->enter}};
    const bool supply = strcmp(said->words[0], "supply") == 0;
    uint64_t value = 0;
    if (said->count != 2 ||
        (strcmp(said->words[1], "-") != 0 &&
         (!said_whole(said->words[1], supply ? 100000 : LAYOUT_LIGHTS, &value) ||
          value < (supply ? MIN_SUPPLY_MA : 1))))
        return answer(world, supply ? "no: supply MA, 150 or more, or -" : "no: N, a light, or -");
    if (supply)
        strip->supply_ma = (uint32_t)value;
    for (size_t at = 0; at < sizeof faults / sizeof *faults; at++)
        if (strcmp(said->words[0], faults[at].name) == 0)
            *faults[at].light = (unsigned)value;
    return answer(world, "ok");
}

static bool is_of_strip(const char *word)
{
    static const char *const words[] = {"supply", "strip", "dead", "dark", "damages", "enter"};
    for (size_t at = 0; at < sizeof words / sizeof *words; at++)
        if (strcmp(word, words[at]) == 0)
            return true;
    return false;
}

static const char *mend(struct world *world)
{
    leads_start(&world->leads);
    world->strip = (struct strip_ills){0};
    world_wired(world);
    return answer(world, "ok");
}

static const char *memory(struct world *world, const struct said *said)
{
    uint64_t at = 0, byte = 0;
    if (said->count != 3 || !said_whole(said->words[1], 1023, &at) ||
        !said_whole(said->words[2], 255, &byte))
        return answer(world, "no: memory AT BYTE, 0 … 1023 and 0 … 255");
    world->hooks->memory(world->table, (uint16_t)at, (uint8_t)byte);
    return answer(world, "ok");
}

static const char *stall(struct world *world, const struct said *said)
{
    uint64_t ms = 0;
    if (said->count != 2 || !said_whole(said->words[1], 10000, &ms) || ms == 0)
        return answer(world, "no: stall MS, 1 … 10000");
    world->hooks->stall(world->table, ms * 1000);
    return answer(world, "ok");
}

static const char *touched(struct world *world, const struct said *said)
{
    uint64_t number = 0;
    if (said->count != 2 || !said_whole(said->words[1], CHIP_COUNT - 1, &number))
        return answer(world, "no: touched N, 0 … %d", CHIP_COUNT - 1);
    return answer(world, "ok 0x%04x", mpr121_model_status(&world->chips[number].model));
}

static const char *stats(struct world *world)
{
    struct world_stats stats = {0};
    world->hooks->stats(world->table, &stats);
#define U(name) (unsigned long long)stats.name
    return answer(world,
                  "ok starts=%llu watchdog=%llu frames=%llu bit_worst_ns=%llu gap_worst_us=%llu "
                  "off_worst_us=%llu awake_us=%llu overruns=%llu flash=%llu ram=%llu current_worst_ma=%llu",
                  U(starts), U(watchdog), U(frames), U(bit_worst_ns), U(gap_worst_us),
                  U(off_worst_us), U(awake_us), U(overruns), U(flash), U(ram),
                  U(current_worst_ma));
#undef U
}

static const char *order(struct world *world, enum world_order what)
{
    if (what == WORLD_POWER_CUT)
        world_power_cut(world);
    else
        world->hooks->order(world->table, what);
    return answer(world, "ok");
}

const char *world_command(struct world *world, const char *line, uint64_t now_us)
{
    static const char *const orders[] = {"hang", "reset", "power-cut", "unplug", "plug"};
    struct said said;
    if (!said_take_apart(&said, line))
        return answer(world, "no: the line is too long");
    if (said.count == 0)
        return answer(world, "no: the line is empty");
    world_run(world, now_us);
    const char *word = said.words[0];
    if (strcmp(word, "shape") == 0)
        return shape(world, &said, now_us);
    if (strcmp(word, "clear") == 0)
        return clear(world, &said, now_us);
    const char *of_noise = noise_command(&world->noise, &said, now_us);
    if (of_noise != NULL)
        return of_noise;
    if (strcmp(word, "drift") == 0)
        return drift(world, &said, now_us);
    if (strcmp(word, "crosstalk") == 0)
        return crosstalk(world, &said);
    if (strcmp(word, "chip") == 0)
        return chip(world, &said, now_us);
    if (strcmp(word, "memory") == 0)
        return memory(world, &said);
    if (strcmp(word, "stall") == 0)
        return stall(world, &said);
    if (strcmp(word, "touched") == 0)
        return touched(world, &said);
    if (strcmp(word, "open") == 0 || strcmp(word, "ground") == 0 || strcmp(word, "short") == 0 ||
        strcmp(word, "couple") == 0 || strcmp(word, "swap") == 0)
        return lead(world, &said);
    if (strcmp(word, "swap-chips") == 0)
        return swap_chips(world, &said);
    if (strcmp(word, "overlay") == 0)
        return overlay(world, &said);
    if (is_of_strip(word))
        return of_strip(world, &said);
    if (said.count == 1 && strcmp(word, "mend") == 0)
        return mend(world);
    if (said.count == 1 && strcmp(word, "stats") == 0)
        return stats(world);
    for (unsigned at = 0; said.count == 1 && at < sizeof orders / sizeof *orders; at++)
        if (strcmp(word, orders[at]) == 0)
            return order(world, (enum world_order)at);
    return answer(world, "no: there is no command %s", word);
}

#include "world.h"

#include <string.h>

static float noise_of(struct world_chip *chip, unsigned channel, unsigned pad, float load,
                      uint64_t at_us, uint32_t apart_us, unsigned count)
{
    const struct world *world = chip->world;
    const struct mpr121_model_charging charging = mpr121_model_charging(&chip->model, channel);
    return noise_mean(&world->noise, pad, load, at_us, apart_us, count, charging, &chip->noise) +
           crosstalk_mean(&world->crosstalk, world->lights, pad, at_us, apart_us, count, charging,
                          &chip->noise);
}

static void feel(void *of_chip, uint64_t at_us, uint32_t apart_us, unsigned count,
                 float loads[MPR121_MODEL_CHANNELS])
{
    struct world_chip *chip = of_chip;
    const struct world *world = chip->world;
    for (unsigned channel = 0; channel < CHANNEL_COUNT; channel++) {
        const uint8_t pad = world->leads.to[chip->number][channel];
        float load = leads_load(&world->leads, &world->loads, chip->number, channel, at_us,
                                apart_us, count);
        if (pad != NO_PAD && !world->leads.open[pad])
            load += noise_of(chip, channel, pad, load, at_us, apart_us, count);
        loads[channel] = load + noise_of_chip(&world->noise, &chip->noise);
    }
}

void world_start(struct world *world, uint64_t seed, const struct world_hooks *hooks, void *table,
                 uint64_t now_us)
{
    memset(world, 0, sizeof *world);
    world->hooks = hooks;
    world->table = table;
    world->addressed = WORLD_NO_CHIP;
    chance_seed(&world->chance, seed);
    loads_start(&world->loads, now_us);
    noise_start(&world->noise, chance_bits(&world->chance));
    leads_start(&world->leads);
    for (unsigned number = 0; number < CHIP_COUNT; number++) {
        struct world_chip *chip = &world->chips[number];
        chip->world = world;
        chip->number = number;
        /* One generator for each chip: a chip's noise must not depend on when others are read. */
        chance_seed(&chip->noise, chance_bits(&world->chance));
        mpr121_model_start(&chip->model, feel, chip);
        for (unsigned channel = 0; channel < CHANNEL_COUNT; channel++)
            chip->picofarad[channel] = chip->model.channels[channel].picofarad;
    }
}

void world_wired(struct world *world)
{
    for (unsigned number = 0; number < CHIP_COUNT; number++)
        for (unsigned channel = 0; channel < CHANNEL_COUNT; channel++)
            world->chips[number].model.channels[channel].picofarad = leads_picofarad(
                &world->leads, number, channel, world->chips[number].picofarad[channel]);
}

void world_power_cut(struct world *world)
{
    for (unsigned number = 0; number < CHIP_COUNT; number++) {
        mpr121_model_brown_out(&world->chips[number].model);
        world->chips[number].held_us = 0;
    }
    world->hooks->order(world->table, WORLD_POWER_CUT);
}

void world_run(struct world *world, uint64_t now_us)
{
    for (unsigned number = 0; number < CHIP_COUNT; number++)
        mpr121_model_run(&world->chips[number].model, now_us);
}

uint64_t world_next(const struct world *world)
{
    uint64_t next_us = MPR121_MODEL_NEVER;
    for (unsigned number = 0; number < CHIP_COUNT; number++) {
        const uint64_t its_us = mpr121_model_next(&world->chips[number].model);
        next_us = its_us < next_us ? its_us : next_us;
    }
    return next_us;
}

bool world_interrupt(const struct world *world)
{
    for (unsigned number = 0; number < CHIP_COUNT; number++)
        if (world->chips[number].model.interrupt)
            return true;
    return false;
}

bool world_bus_start(struct world *world, uint8_t address, bool reading, uint64_t now_us)
{
    world_run(world, now_us);
    world->addressed = WORLD_NO_CHIP;
    const unsigned number = (unsigned)address - CHIP_FIRST_ADDRESS;
    if (number >= CHIP_COUNT)
        return false;
    struct world_chip *chip = &world->chips[number];
    if (chip->nacks > 0) {
        if (chip->nacks != UINT64_MAX)
            chip->nacks--;
        return false;
    }
    if (!mpr121_model_begin(&chip->model, reading, now_us))
        return false;
    world->addressed = number;
    return true;
}

bool world_bus_write(struct world *world, uint8_t byte, uint64_t now_us)
{
    if (world->addressed == WORLD_NO_CHIP)
        return false;
    world_run(world, now_us);
    mpr121_model_write(&world->chips[world->addressed].model, byte, now_us);
    return true;
}

uint8_t world_bus_read(struct world *world, uint64_t now_us)
{
    if (world->addressed == WORLD_NO_CHIP)
        return 0xFF;
    world_run(world, now_us);
    struct world_chip *chip = &world->chips[world->addressed];
    const uint8_t byte = mpr121_model_read(&chip->model);
    if (chip->flips == 0)
        return byte;
    chip->flips--;
    return byte ^ (uint8_t)(1U << (chance_bits(&world->chance) & 7));
}

void world_bus_stop(struct world *world) { world->addressed = WORLD_NO_CHIP; }

uint64_t world_bus_held_until(const struct world *world)
{
    uint64_t until_us = 0;
    for (unsigned number = 0; number < CHIP_COUNT; number++)
        if (world->chips[number].held_us > until_us)
            until_us = world->chips[number].held_us;
    return until_us;
}

void world_bus_nine_clocks(struct world *world)
{
    world_bus_stop(world);
    for (unsigned number = 0; number < CHIP_COUNT; number++)
        world->chips[number].held_us = 0;
}

/* table.h with the ATmega328P's binary in simavr. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "eeprom_unit.h"
#include "pins.h"
#include "strip.h"
#include "table.h"
#include "twi_unit.h"
#include "uart_unit.h"
#include "waveform.h"
#include "world.h"

struct table {
    struct cpu cpu;
    struct eeprom_unit eeprom;
    struct twi_unit twi;
    struct uart_unit uart;
    struct waveform waveform;
    struct pins pins;
    struct strip strip;
    struct world world;
};

static void obey(void *self, enum world_order order)
{
    struct table *table = self;
    switch (order) {
    case WORLD_HANG:
        cpu_hang(&table->cpu);
        break;
    case WORLD_RESET:
        cpu_reset(&table->cpu);
        break;
    case WORLD_POWER_CUT:
        cpu_switch_on(&table->cpu);
        break;
    case WORLD_UNPLUG:
    case WORLD_PLUG:
        uart_unit_plug(&table->uart, order == WORLD_PLUG);
    }
}

static void stall(void *self, uint64_t us)
{
    struct table *table = self;
    cpu_stall(&table->cpu, us * CPU_CYCLES_A_US);
}

static void put_in_memory(void *self, uint16_t at, uint8_t byte)
{
    struct table *table = self;
    table->eeprom.bytes[at] = byte;
}

static uint64_t us_rounded_up(cycles length)
{
    return (length + CPU_CYCLES_A_US - 1) / CPU_CYCLES_A_US;
}

static void tell_stats(const void *self, struct world_stats *stats)
{
    const struct table *table = self;
    const struct cpu *cpu = &table->cpu;
    *stats = (struct world_stats){
        .starts = cpu->starts,
        .watchdog = cpu->watchdog,
        .frames = table->strip.frames,
        .bit_worst_ns = (table->waveform.bit_worst_half_ns + 1) / 2,
        .gap_worst_us = us_rounded_up(table->waveform.gap_worst),
        .off_worst_us = us_rounded_up(cpu->off_worst),
        .awake_us = us_rounded_up(cpu->awake),
        .overruns = table->uart.overruns,
        .flash = cpu->flash_bytes,
        .ram = cpu_ram(cpu),
        .current_worst_ma = table->strip.current_worst_ma,
    };
}

static const struct world_hooks hooks = {
    .order = obey, .stall = stall, .memory = put_in_memory, .stats = tell_stats};

struct table *table_new(const char *firmware, const uint8_t *memory, uint64_t seed)
{
    struct table *table = calloc(1, sizeof *table);
    if (!firmware || !table || !cpu_make(&table->cpu, firmware)) {
        if (!firmware)
            fputs("The emulated table needs the firmware's ELF file.\n", stderr);
        free(table);
        return NULL;
    }
    world_start(&table->world, seed, &hooks, table, 0);
    table->world.lights = &table->strip;
    eeprom_unit_start(&table->eeprom, &table->cpu, memory);
    twi_unit_start(&table->twi, &table->cpu, &table->world);
    uart_unit_start(&table->uart, &table->cpu);
    waveform_start(&table->waveform, &table->cpu, &table->strip);
    pins_start(&table->pins, &table->cpu, &table->world, &table->waveform);
    cpu_switch_on(&table->cpu);
    return table;
}

void table_free(struct table *table)
{
    if (!table)
        return;
    uart_unit_free(&table->uart);
    cpu_free(&table->cpu);
    free(table);
}

uint64_t table_run(struct table *table, uint64_t until_us, bool stop_early)
{
    const cycles until = until_us * CPU_CYCLES_A_US;
    do {
        cpu_run(&table->cpu, until);
        if (strip_overloads(&table->strip))
            world_power_cut(&table->world);
    } while (!stop_early && table->cpu.avr->cycle < until);
    return cpu_now_us(&table->cpu);
}

void table_write(struct table *table, const uint8_t *bytes, size_t count)
{
    uart_unit_write(&table->uart, bytes, count);
}

size_t table_read(struct table *table, uint8_t *bytes, size_t room)
{
    return uart_unit_read(&table->uart, bytes, room);
}

bool table_shown(struct table *table, struct shown *shown)
{
    return strip_take(&table->strip, shown);
}

void table_memory(const struct table *table, uint8_t memory[TABLE_MEMORY])
{
    memcpy(memory, table->eeprom.bytes, TABLE_MEMORY);
}

const char *table_command(struct table *table, const char *line)
{
    const char *answer = world_command(&table->world, line, cpu_now_us(&table->cpu));
    table->strip.ills = table->world.strip;
    return answer;
}

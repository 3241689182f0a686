/* table.h with the core compiled for this machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller.h"
#include "port_host.h"
#include "table.h"

#define WATCHDOG_US 500000
#define MAX_TURNS 1000000 /* steps at one moment; more are an endless loop */
#define STEP_US 10        /* approximate time of a step on the chip */

struct table {
    struct port port;
    struct controller controller;
    uint64_t step_us;     /* when the firmware's next step is due */
    uint64_t stalled_us;  /* the firmware gets no turn before */
    uint64_t watchdog_us; /* when the watchdog resets; only if the firmware hangs or stalls */
    uint64_t starts, watchdog_starts;
};

static uint32_t clock_ms(const struct table *table)
{
    return (uint32_t)((table->port.now_us - table->port.started_us) / 1000);
}

static void start(struct table *table, enum start_cause cause)
{
    port_reset(&table->port);
    table->starts++;
    table->watchdog_starts += cause == START_WATCHDOG;
    table->watchdog_us = NEVER;
    table->step_us = table->port.now_us;
    table->stalled_us = 0;
    controller_start(&table->controller, &table->port, cause, clock_ms(table));
}

/* Run a step of the firmware. Then the firmware sleeps until its next step is due, or until an event. */
static void step(struct table *table)
{
    struct port *port = &table->port;
    const uint32_t now_ms = clock_ms(table);
    port->stirred = false;
    const bool more = controller_step(&table->controller, now_ms);
    const uint32_t rest_ms = controller_next_ms(&table->controller, now_ms) - now_ms;
    const uint64_t since_us = port->now_us - port->started_us;
    table->step_us = more || port->stirred
                         ? port->now_us + STEP_US
                         : port->started_us + (since_us / 1000 + rest_ms) * 1000;
}

static void unplug(struct table *table, bool cut)
{
    struct serial *serial = &table->port.serial;
    serial->cut = cut;
    queue_clear(&serial->coming);
    serial->in_us = NEVER;
}

static void hook_order(void *of, enum world_order order)
{
    struct table *table = of;
    switch (order) {
    case WORLD_HANG:
        if (table->port.deaf)
            break;
        table->port.deaf = true;
        table->step_us = NEVER;
        table->watchdog_us = table->port.now_us + WATCHDOG_US;
        break;
    case WORLD_RESET: start(table, START_RESET_LINE); break;
    case WORLD_POWER_CUT:
        port_power(&table->port);
        start(table, START_POWER);
        break;
    case WORLD_UNPLUG: unplug(table, true); break;
    case WORLD_PLUG: unplug(table, false); break;
    }
}

static void hook_stall(void *of, uint64_t us)
{
    struct table *table = of;
    const uint64_t now_us = table->port.now_us;
    if (table->watchdog_us != NEVER)
        return;
    table->stalled_us = now_us + us;
    table->watchdog_us = us < WATCHDOG_US ? NEVER : now_us + WATCHDOG_US;
}

static void hook_memory(void *of, uint16_t at, uint8_t byte)
{
    ((struct table *)of)->port.memory[at] = byte;
}

static void hook_stats(const void *of, struct world_stats *stats)
{
    const struct table *table = of;
    stats->starts = table->starts;
    stats->watchdog = table->watchdog_starts;
    stats->frames = table->port.strip.frames;
    stats->overruns = table->port.serial.overruns;
    stats->current_worst_ma = table->port.strip.current_worst_ma;
}

struct table *table_new(const char *firmware, const uint8_t *memory, uint64_t seed)
{
    static const struct world_hooks hooks = {
        .order = hook_order, .stall = hook_stall, .memory = hook_memory, .stats = hook_stats};
    (void)firmware;
    struct table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    struct port *port = &table->port;
    if (memory == NULL)
        memset(port->memory, 0xFF, sizeof port->memory);
    else
        memcpy(port->memory, memory, sizeof port->memory);
    port->serial.in_us = NEVER;
    world_start(&port->world, seed, &hooks, table, 0);
    port->world.lights = &port->strip;
    port_power(port);
    start(table, START_POWER);
    return table;
}

void table_free(struct table *table)
{
    queue_free(&table->port.serial.coming);
    queue_free(&table->port.serial.gone);
    free(table);
}

uint64_t table_run(struct table *table, uint64_t until_us, bool stop_early)
{
    struct port *port = &table->port;
    unsigned turns = 0;
    port->out_heard = false;
    while (port->now_us < until_us && !(stop_early && port->out_heard)) {
        uint64_t next_us = port_next(port);
        const uint64_t step_us =
            table->step_us > table->stalled_us ? table->step_us : table->stalled_us;
        next_us = step_us < next_us ? step_us : next_us;
        next_us = table->watchdog_us < next_us ? table->watchdog_us : next_us;
        next_us = until_us < next_us ? until_us : next_us;
        turns = next_us > port->now_us ? 0 : turns + 1;
        if (turns > MAX_TURNS) {
            fprintf(stderr, "The host table stands still at %llu us: something is due for ever.\n",
                    (unsigned long long)port->now_us);
            abort();
        }
        port_pass(port, next_us > port->now_us ? next_us : port->now_us);
        if (strip_overloads(&port->strip))
            world_power_cut(&port->world);
        else if (table->watchdog_us <= port->now_us)
            start(table, START_WATCHDOG);
        else if (!port->deaf && port->now_us >= table->stalled_us &&
                 (port->stirred || table->step_us <= port->now_us))
            step(table);
    }
    return port->now_us;
}

void table_write(struct table *table, const uint8_t *bytes, size_t count)
{
    struct serial *serial = &table->port.serial;
    if (count == 0 || serial->cut)
        return;
    if (serial->coming.count == 0)
        serial->in_us = table->port.now_us + SERIAL_BYTE_US;
    queue_put(&serial->coming, bytes, count);
}

size_t table_read(struct table *table, uint8_t *bytes, size_t room)
{
    return queue_take(&table->port.serial.gone, bytes, room);
}

bool table_shown(struct table *table, struct shown *shown)
{
    return strip_take(&table->port.strip, shown);
}

void table_memory(const struct table *table, uint8_t memory[TABLE_MEMORY])
{
    memcpy(memory, table->port.memory, TABLE_MEMORY);
}

const char *table_command(struct table *table, const char *line)
{
    const char *answer = world_command(&table->port.world, line, table->port.now_us);
    table->port.strip.ills = table->port.world.strip;
    return answer;
}

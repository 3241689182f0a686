/* table.h with the core and the port of linux/, whose time is virtual. The I²C bus and the lights are
 * linux/'s own code, whose calls come here. The terminal, the file of settings and the thread for
 * the lights are simulated, because the kernel would not keep to a virtual time. */
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "controller.h"
#include "kernel.h"
#include "port_linux.h"
#include "queue.h"
#include "table.h"

#define NEVER UINT64_MAX
#define MAX_TURNS 1000000  /* steps at one moment; more are an endless loop */
#define STEP_US 10         /* approximate time of a step */
#define FILE_US 30000      /* a write of the file, on a card */
#define WATCHDOG_US 1000000 /* systemd's watchdog, and its restart of the process */
#define RESTART_US 1000000
#define FIRST_FD 1000000   /* descriptors that are not this process's */

struct table {
    struct port port; /* first, so that a port's address is its table's */
    struct controller controller;
    struct kernel kernel;
    struct queue coming, gone;
    uint8_t file[MEMORY_BYTES];
    struct layout layout; /* what the controller has been told of the string */
    bool cut, heard;
    bool in_background;  /* a call's time is the lights' thread's, not the controller's */
    uint64_t now_us, started_us;
    uint64_t step_us;    /* when the next step is due */
    uint64_t stopped_us; /* no step before */
    bool ended;          /* the process starts anew then */
    uint64_t lights_us, file_us; /* when the job of each thread is done; NEVER: it has none */
    uint64_t starts, watchdog_starts;
    int next_fd;
};

/* The table that has the turn; its calls come here. */
static __thread struct table *current;

static void advance(struct table *table, uint64_t until_us)
{
    while (table->now_us < until_us) {
        const uint64_t next_us = kernel_next(&table->kernel);
        table->now_us = next_us > table->now_us && next_us < until_us ? next_us : until_us;
        kernel_pass(&table->kernel, table->now_us);
    }
}

static bool stirred(const struct table *table)
{
    return table->kernel.fell || (!table->cut && table->coming.count > 0);
}

/* linux/'s calls */

static int failed(int result)
{
    errno = -result;
    return -1;
}

int open(const char *path, int flags, ...)
{
    const enum kernel_device device = kernel_device_at(path);
    (void)flags;
    if (device == KERNEL_DEVICES)
        return failed(-ENOENT);
    return current->kernel.fds[device] = FIRST_FD + current->next_fd++;
}

int close(int fd)
{
    kernel_close(&current->kernel, fd);
    return 0;
}

int fcntl(int fd, int command, ...)
{
    (void)fd;
    (void)command;
    return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *data = va_arg(rest, void *);
    va_end(rest);
    struct table *table = current;
    uint64_t until_us = table->now_us;
    if (request == GPIO_V2_GET_LINE_IOCTL) {
        kernel_request_line(&table->kernel, data, FIRST_FD + table->next_fd++);
        return 0;
    }
    const int result = kernel_ioctl(&table->kernel, fd, request, data, &until_us);
    if (table->in_background)
        table->lights_us = until_us;
    else
        advance(table, until_us);
    return result < 0 ? failed(result) : result;
}

/* worker.h, for the lights alone */

bool worker_start(struct worker *worker, void (*job)(void *context), void *context, int wake)
{
    *worker = (struct worker){.job = job, .context = context, .wake = wake};
    return true;
}

bool worker_busy(struct worker *worker)
{
    (void)worker;
    return current->lights_us != NEVER;
}

void worker_go(struct worker *worker)
{
    current->lights_us = current->now_us;
    current->in_background = true;
    worker->job(worker->context);
    current->in_background = false;
}

bool worker_wait(struct worker *worker, unsigned ms)
{
    (void)worker;
    (void)ms;
    return true;
}

bool complain(const char *what, const char *name)
{
    fprintf(stderr, "%s %s: %s.\n", what, name, strerror(errno));
    return false;
}

/* The terminal: bytes come at once, and whoever reads has read all of them. */

bool port_receive(struct port *port, uint8_t *byte)
{
    struct table *table = (struct table *)port;
    return !table->cut && queue_take(&table->coming, byte, 1) == 1;
}

uint8_t port_lost(struct port *port)
{
    (void)port;
    return 0;
}

uint8_t port_room(const struct port *port)
{
    (void)port;
    return LINE_BYTES;
}

void port_send(struct port *port, const uint8_t *bytes, uint8_t count)
{
    struct table *table = (struct table *)port;
    if (table->cut)
        return;
    queue_put(&table->gone, bytes, count);
    table->heard |= memchr(bytes, 0, count) != NULL;
}

/* The file of settings */

uint8_t port_memory_read(struct port *port, uint16_t at)
{
    return port->memory.bytes[at % MEMORY_BYTES];
}

bool port_memory_write(struct port *port, uint16_t at, uint8_t byte)
{
    struct memory *memory = &port->memory;
    at %= MEMORY_BYTES;
    if (memory->bytes[at] == byte)
        return !memory->changed && ((struct table *)port)->file_us == NEVER;
    memory->bytes[at] = byte;
    memory->changed = true;
    return true;
}

static void write_file(struct table *table)
{
    struct memory *memory = &table->port.memory;
    if (!memory->changed || table->file_us != NEVER)
        return;
    memcpy(memory->written, memory->bytes, sizeof memory->written);
    memory->changed = false;
    table->file_us = table->now_us + FILE_US;
}

/* All of it */

static uint32_t clock_ms(const struct table *table)
{
    return (uint32_t)((table->now_us - table->started_us) / 1000);
}

static void start(struct table *table)
{
    struct port *port = &table->port;
    memset(port, 0, sizeof *port);
    memcpy(port->memory.bytes, table->file, sizeof port->memory.bytes);
    table->starts++;
    table->ended = false;
    table->stopped_us = 0;
    table->lights_us = table->file_us = NEVER;
    table->started_us = table->step_us = table->now_us;
    queue_clear(&table->coming);
    bus_open(&port->bus, "/dev/i2c-1");
    irq_open(&port->irq, "GPIO26");
    port->layout = table->layout;
    leds_open(&port->leds, "spi:/dev/spidev0.0", &port->layout, -1);
    controller_start(&table->controller, port, START_POWER, clock_ms(table));
}

static void stop(struct table *table, uint64_t us, bool ends)
{
    if (table->ended)
        return;
    table->stopped_us = table->now_us + us;
    table->ended = ends;
}

static void obey(void *of, enum world_order order)
{
    struct table *table = of;
    switch (order) {
    case WORLD_HANG:
        table->watchdog_starts += !table->ended;
        stop(table, WATCHDOG_US + RESTART_US, true);
        break;
    case WORLD_POWER_CUT:
        strip_power(&table->kernel.strip);
        table->kernel.sent.under_way = false;
        start(table);
        break;
    case WORLD_RESET: start(table); break;
    case WORLD_UNPLUG:
    case WORLD_PLUG:
        table->cut = order == WORLD_UNPLUG;
        queue_clear(&table->coming);
    }
}

static void stall(void *of, uint64_t us)
{
    stop(of, us, us >= WATCHDOG_US);
}

static void put_in_memory(void *of, uint16_t at, uint8_t byte)
{
    struct table *table = of;
    table->file[at] = table->port.memory.bytes[at] = byte;
}

static void tell_stats(const void *of, struct world_stats *stats)
{
    const struct table *table = of;
    *stats = (struct world_stats){.starts = table->starts, .watchdog = table->watchdog_starts,
                                  .frames = table->kernel.strip.frames,
                                  .current_worst_ma = table->kernel.strip.current_worst_ma};
}

struct table *table_new(const char *firmware, const uint8_t *memory, uint64_t seed)
{
    static const struct world_hooks hooks = {
        .order = obey, .stall = stall, .memory = put_in_memory, .stats = tell_stats};
    (void)firmware;
    struct table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    current = table;
    if (memory == NULL)
        memset(table->file, 0xFF, sizeof table->file);
    else
        memcpy(table->file, memory, sizeof table->file);
    kernel_start(&table->kernel, seed, &hooks, table, 0);
    table->layout = layout_wired;
    start(table);
    return table;
}

void table_free(struct table *table)
{
    queue_free(&table->coming);
    queue_free(&table->gone);
    free(table);
}

static void step(struct table *table)
{
    const uint32_t now_ms = clock_ms(table);
    table->kernel.fell = false;
    const bool more = controller_step(&table->controller, now_ms);
    const uint32_t rest_ms = controller_next_ms(&table->controller, now_ms) - now_ms;
    write_file(table);
    table->step_us = more ? table->now_us + STEP_US
                          : table->started_us + ((uint64_t)now_ms + rest_ms) * 1000;
}

/* End the threads' jobs that are done by now; each wakes the controller. */
static void end_jobs(struct table *table)
{
    if (table->lights_us <= table->now_us) {
        table->lights_us = NEVER;
        table->heard = true;
        table->step_us = table->now_us;
    }
    if (table->file_us <= table->now_us) {
        table->file_us = NEVER;
        memcpy(table->file, table->port.memory.written, sizeof table->file);
        table->step_us = table->now_us;
    }
}

static uint64_t earlier(uint64_t one_us, uint64_t other_us)
{
    return one_us < other_us ? one_us : other_us;
}

uint64_t table_run(struct table *table, uint64_t until_us, bool stop_early)
{
    unsigned turns = 0;
    current = table;
    table->heard = false;
    while (table->now_us < until_us && !(stop_early && table->heard)) {
        const uint64_t before_us = table->now_us;
        const uint64_t step_us = stirred(table) ? table->now_us : table->step_us;
        uint64_t next_us = step_us > table->stopped_us ? step_us : table->stopped_us;
        next_us = earlier(next_us, earlier(table->lights_us, table->file_us));
        next_us = earlier(earlier(next_us, kernel_next(&table->kernel)), until_us);
        advance(table, next_us);
        end_jobs(table);
        if (strip_overloads(&table->kernel.strip))
            world_power_cut(&table->kernel.world);
        else if (table->now_us < table->stopped_us)
            ;
        else if (table->ended)
            start(table);
        else if (stirred(table) || table->step_us <= table->now_us)
            step(table);
        turns = table->now_us > before_us ? 0 : turns + 1;
        if (turns > MAX_TURNS) {
            fprintf(stderr, "The virtual Pi stands still at %llu us: something is due for ever.\n",
                    (unsigned long long)table->now_us);
            abort();
        }
    }
    return table->now_us;
}

void table_write(struct table *table, const uint8_t *bytes, size_t count)
{
    if (!table->cut && !table->ended)
        queue_put(&table->coming, bytes, count);
}

size_t table_read(struct table *table, uint8_t *bytes, size_t room)
{
    return queue_take(&table->gone, bytes, room);
}

bool table_shown(struct table *table, struct shown *shown)
{
    return strip_take(&table->kernel.strip, shown);
}

void table_memory(const struct table *table, uint8_t memory[TABLE_MEMORY])
{
    memcpy(memory, table->file, TABLE_MEMORY);
}

/* Start the controller with this layout. */
static const char *restart_with(struct table *table, const char *path)
{
    static char answer[200];
    struct layout layout;
    struct layout_fault fault;
    if (!layout_read(&layout, path, &fault)) {
        snprintf(answer, sizeof answer, "no: line %u: %s", fault.line, fault.what);
        return answer;
    }
    table->layout = layout;
    start(table);
    return "ok";
}

/* A command of kernel.h; or `layout FILE`: as if the controller were started with --layout FILE. */
const char *table_command(struct table *table, const char *line)
{
    current = table;
    if (strncmp(line, "layout ", 7) == 0)
        return restart_with(table, line + 7);
    return kernel_command(&table->kernel, line);
}

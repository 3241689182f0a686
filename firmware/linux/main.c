/* The controller as a process of a Raspberry Pi. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "controller.h"
#include "notify.h"
#include "port_linux.h"
#include "status.h"

/* Period of the message to systemd's watchdog, whose timeout is 1 s, and of a refused frame. */
#define WATCHDOG_MS 250

struct options {
    const char *tty, *i2c, *irq, *memory, *lights, *layout, *priority;
};

static volatile sig_atomic_t ending;
static int wake = -1;

/* A signal that comes just before `poll` has to end it too, so it is also written to `wake`. */
static void end(int signal)
{
    const uint64_t one = 1;
    (void)signal;
    ending = 1;
    (void)!write(wake, &one, sizeof one);
}

bool complain(const char *what, const char *name)
{
    fprintf(stderr, "pi-table: %s %s: %s.\n", what, name, strerror(errno));
    return false;
}

static void usage(const char *program, const char *what, const char *which)
{
    fprintf(stderr,
            "pi-table: %s%s.\n"
            "usage: %s --tty LINK [--i2c /dev/i2c-1] [--irq GPIO26 | --irq /dev/gpiochip0:26]\n"
            "       [--memory FILE] [--lights spi:/dev/spidev0.0 | pio:/dev/leds0 | none]\n"
            "       [--layout FILE] [--priority 1 … 99]\n",
            what, which, program);
    exit(2);
}

static bool names_lights(const char *lights)
{
    return strcmp(lights, "none") == 0 || (strncmp(lights, "spi:", 4) == 0 && lights[4] != '\0') ||
           (strncmp(lights, "pio:", 4) == 0 && lights[4] != '\0');
}

static bool is_priority(const char *value)
{
    char *rest = NULL;
    const long number = strtol(value, &rest, 10);
    return value[0] >= '1' && value[0] <= '9' && *rest == '\0' && number <= 99;
}

static struct options options_of(int count, char **words)
{
    struct options options = {.i2c = "/dev/i2c-1", .lights = "none"};
    const struct {
        const char *name, **value;
    } known[] = {{"--tty", &options.tty},       {"--i2c", &options.i2c},
                 {"--irq", &options.irq},       {"--memory", &options.memory},
                 {"--lights", &options.lights}, {"--layout", &options.layout},
                 {"--priority", &options.priority}};
    for (int at = 1; at < count; at += 2) {
        size_t of = 0;
        while (of < sizeof known / sizeof *known && strcmp(words[at], known[of].name) != 0)
            of++;
        if (of == sizeof known / sizeof *known)
            usage(words[0], "There is no option ", words[at]);
        if (at + 1 == count)
            usage(words[0], "There is no value for ", words[at]);
        *known[of].value = words[at + 1];
    }
    if (options.tty == NULL)
        usage(words[0], "--tty is missing", "");
    if (!names_lights(options.lights))
        usage(words[0], "--lights must be spi:DEVICE, pio:DEVICE or none, not ", options.lights);
    if (options.priority != NULL && !is_priority(options.priority))
        usage(words[0], "--priority must be 1 … 99, not ", options.priority);
    return options;
}

/* Read the layout of the lights; without a file, it is that of hardware/wiring.csv. */
static bool read_layout(struct layout *layout, const char *path)
{
    struct layout_fault fault;
    *layout = layout_wired;
    if (path == NULL || layout_read(layout, path, &fault))
        return true;
    if (fault.line > 0)
        fprintf(stderr, "pi-table: The layout of the lights %s, line %u: %s\n", path, fault.line,
                fault.what);
    else
        fprintf(stderr, "pi-table: The layout of the lights %s: %s\n", path, fault.what);
    return false;
}

static int64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Run before every ordinary process, and keep all memory in RAM. The threads inherit this. */
static void take_priority(const char *priority)
{
    if (priority == NULL)
        return;
    const struct sched_param param = {.sched_priority = atoi(priority)};
    if (sched_setscheduler(0, SCHED_FIFO, &param) != 0)
        complain("The system does not give the controller the priority", priority);
    else if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        complain("The controller's memory may be swapped out,", "mlockall");
}

/* Open everything. Without its terminal or with a wrong layout the controller is of no use. Without
 * another device it continues: the core reports the places that cannot be felt. */
static bool open_all(struct port *port, const struct options *options)
{
    port->wake = wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake < 0)
        return complain("There can be no", "eventfd");
    const struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    bus_open(&port->bus, options->i2c);
    irq_open(&port->irq, options->irq);
    return read_layout(&port->layout, options->layout) &&
           memory_open(&port->memory, options->memory, port->wake) &&
           leds_open(&port->leds, options->lights, &port->layout, port->wake) &&
           line_open(&port->line, options->tty);
}

/* Sleep for so long, or until an event comes that the core must handle. Without any time to sleep,
 * it still looks for events: a bus that never rests must not keep the line from being read. */
static void sleep_for(struct port *port, int64_t us)
{
    if (us < 0)
        us = 0;
    const struct timespec rest = {.tv_sec = (time_t)(us / 1000000),
                                  .tv_nsec = (long)(us % 1000000 * 1000)};
    struct line *line = &port->line;
    struct pollfd fds[] = {
        {.fd = port->irq.fd, .events = POLLIN},
        {.fd = line->ours, .events = (short)(POLLIN | (line->out_count > 0 ? POLLOUT : 0))},
        {.fd = port->wake, .events = POLLIN},
    };
    uint64_t told;
    if (ppoll(fds, sizeof fds / sizeof *fds, &rest, NULL) <= 0)
        return;
    if (fds[0].revents & POLLIN)
        irq_drain(&port->irq);
    line->readable |= (fds[1].revents & POLLIN) != 0;
    line_flush(line);
    if (fds[2].revents & POLLIN)
        (void)!read(port->wake, &told, sizeof told);
}

static void run(struct port *port)
{
    static struct controller controller;
    const int64_t started_us = clock_us();
    uint32_t told_ms = 0;
    controller_start(&controller, port, START_POWER, 0);
    notify("READY=1");
    puts("ready");
    fflush(stdout);
    /* At the end, settings that have just arrived are completed, or they would count as damaged. */
    while (!ending || !(kept_boot_id(&controller.kept) && kept_settings(&controller.kept))) {
        const int64_t now_ms = (clock_us() - started_us) / 1000;
        const uint32_t core_ms = (uint32_t)now_ms; /* wraps, as the core allows */
        bool more = controller_step(&controller, core_ms);
        memory_step(&port->memory);
        if (core_ms - told_ms >= WATCHDOG_MS) {
            told_ms = core_ms;
            irq_check(&port->irq, controller.touch.felt.touched != 0);
            status_tell();
            if (leds_failed(&port->leds)) {
                lights_again(&controller.lights);
                more = true;
            }
        }
        const uint32_t rest_ms = more ? 0 : controller_next_ms(&controller, core_ms) - core_ms;
        sleep_for(port, started_us + 1000 * (now_ms + rest_ms) - clock_us());
    }
}

int main(int count, char **words)
{
    static struct port port;
    const struct options options = options_of(count, words);
    take_priority(options.priority);
    if (!open_all(&port, &options))
        return 1;
    run(&port);
    notify("STOPPING=1");
    leds_close(&port.leds);
    memory_close(&port.memory);
    line_close(&port.line);
    return 0;
}

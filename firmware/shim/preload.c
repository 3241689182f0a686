/* A Raspberry Pi for one process, which loads this first (LD_PRELOAD): its calls to the devices of
 * kernel.h get there. The time is this machine's own.
 *
 * PI_CONTROL names the socket for the commands of model/README.md. PI_STRING names the file with the
 * layout of the string on the line; without it, that is the strip of hardware/wiring.csv. If
 * PI_PARENT is set, the process ends with its parent. If PI_PROGRAM is set, only the program of that name gets the devices: a
 * service sets its environment for all its commands.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clients.h"
#include "kernel.h"

#define OURS __attribute__((visibility("default")))
#define LOOK_US 1000 /* interval of looking for commands */

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_ioctl)(int, unsigned long, ...);
static ssize_t (*real_write)(int, const void *, size_t);

static bool has_devices;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* of all below */
static struct kernel kernel;
static struct clients clients;
static int events = -1; /* the end of the interrupt line's pipe to which its events are written */
static uint64_t starts = 1;

static uint64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void sleep_until(uint64_t until_us)
{
    const struct timespec until = {.tv_sec = (time_t)(until_us / 1000000),
                                   .tv_nsec = (long)(until_us % 1000000 * 1000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

/* Bring the devices up to now. An event that has no room is lost, as in the kernel. */
static void pass(void)
{
    kernel_pass(&kernel, clock_us());
    if (!kernel.fell)
        return;
    kernel.fell = false;
    const struct gpio_v2_line_event event = {.id = GPIO_V2_LINE_EVENT_FALLING_EDGE,
                                             .timestamp_ns = kernel.now_us * 1000};
    (void)!real_write(events, &event, sizeof event);
}

static void tell_shown(void)
{
    struct shown shown;
    while (strip_take(&kernel.strip, &shown)) {
        char line[64 + 7 * TABLE_LEDS];
        int length = snprintf(line, sizeof line, "shown %llu %llu", (unsigned long long)shown.at_us,
                              (unsigned long long)shown.begun_us);
        for (unsigned led = 0; led < TABLE_LEDS; led++)
            length += snprintf(line + length, sizeof line - (size_t)length, " %06X",
                               (unsigned)shown.pulses[led]);
        clients_tell_watchers(&clients, line);
    }
}

/* `now` answers the time of this machine's clock, which `shown` uses. */
static const char *answer(void *context, const char *line)
{
    static const char *const by_signals[] = {"hang", "reset", "unplug", "plug", "stall", "memory"};
    static char time[32];
    (void)context;
    for (size_t at = 0; at < sizeof by_signals / sizeof *by_signals; at++)
        if (strncmp(line, by_signals[at], strlen(by_signals[at])) == 0)
            return "no: stop, end or start the program itself; its settings are in its file";
    if (strcmp(line, "now") != 0)
        return kernel_command(&kernel, line);
    snprintf(time, sizeof time, "ok %llu", (unsigned long long)kernel.now_us);
    return time;
}

static void *keep(void *context)
{
    struct pollfd fds[MAX_CLIENTS + 1];
    (void)context;
    for (;;) {
        pthread_mutex_lock(&mutex);
        pass();
        clients_serve(&clients, answer, NULL);
        tell_shown();
        clients_poll(&clients, fds);
        const uint64_t next_us = kernel_next(&kernel), now_us = clock_us();
        pthread_mutex_unlock(&mutex);
        const uint64_t rest_us = next_us <= now_us             ? 0
                                 : next_us - now_us < LOOK_US ? next_us - now_us
                                                              : LOOK_US;
        const struct timespec rest = {.tv_nsec = (long)rest_us * 1000};
        ppoll(fds, MAX_CLIENTS + 1, &rest, NULL);
    }
    return NULL;
}

/* A power cut takes the devices' power alone: the process goes on. */
static void obey(void *table, enum world_order order)
{
    (void)table;
    if (order == WORLD_POWER_CUT)
        strip_power(&kernel.strip);
}

static void stall(void *table, uint64_t us)
{
    (void)table;
    (void)us; /* refused: see `answer` */
}

static void put_in_memory(void *table, uint16_t at, uint8_t byte)
{
    (void)table;
    (void)at;
    (void)byte; /* refused: see `answer` */
}

static void tell_stats(const void *table, struct world_stats *stats)
{
    (void)table;
    *stats = (struct world_stats){.starts = starts, .frames = kernel.strip.frames,
                                  .current_worst_ma = kernel.strip.current_worst_ma};
}

/* Hang the string of this layout on the line. Without one, there is nothing to do. */
static bool hang_string(const char *path)
{
    char line[PATH_MAX + 8];
    if (path == NULL)
        return true;
    snprintf(line, sizeof line, "string %s", path);
    const char *said = kernel_command(&kernel, line);
    if (strcmp(said, "ok") == 0)
        return true;
    fprintf(stderr, "PI_STRING: %s\n", said);
    return false;
}

static void __attribute__((constructor)) start(void)
{
    static const struct world_hooks hooks = {
        .order = obey, .stall = stall, .memory = put_in_memory, .stats = tell_stats};
    const char *control = getenv("PI_CONTROL"), *program = getenv("PI_PROGRAM");
    pthread_t thread;
    *(void **)&real_open = dlsym(RTLD_NEXT, "open");
    *(void **)&real_close = dlsym(RTLD_NEXT, "close");
    *(void **)&real_ioctl = dlsym(RTLD_NEXT, "ioctl");
    *(void **)&real_write = dlsym(RTLD_NEXT, "write");
    if (program != NULL && strcmp(program, program_invocation_short_name) != 0)
        return;
    has_devices = true;
    unsetenv("LD_PRELOAD");
    signal(SIGPIPE, SIG_IGN);
    if (getenv("PI_PARENT") != NULL)
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    kernel_start(&kernel, 1, &hooks, NULL, clock_us());
    if (control == NULL || !hang_string(getenv("PI_STRING")) ||
        !clients_open(&clients, control) || pthread_create(&thread, NULL, keep, NULL) != 0)
        exit(1);
}

static void __attribute__((destructor)) finish(void)
{
    if (!has_devices)
        return;
    pthread_mutex_lock(&mutex);
    if (kernel.sent.under_way)
        sleep_until(kernel.sent.ends_us);
    pass();
    tell_shown();
    clients_serve(&clients, answer, NULL);
    clients_close(&clients);
}

/* The calls */

static int failed(int result)
{
    errno = -result;
    return -1;
}

OURS int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    const enum kernel_device device = kernel_device_at(path);
    if (!has_devices || device == KERNEL_DEVICES)
        return real_open(path, flags, mode);
    pthread_mutex_lock(&mutex);
    const int fd = kernel.fds[device] = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_unlock(&mutex);
    return fd;
}

OURS int close(int fd)
{
    if (!has_devices)
        return real_close(fd);
    pthread_mutex_lock(&mutex);
    kernel_close(&kernel, fd);
    pthread_mutex_unlock(&mutex);
    return real_close(fd);
}

/* The interrupt line's descriptor is a pipe: its events can be waited for and read. */
static int request_line(struct gpio_v2_line_request *request)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    pthread_mutex_lock(&mutex);
    kernel_request_line(&kernel, request, ends[0]);
    events = ends[1];
    pthread_mutex_unlock(&mutex);
    return 0;
}

OURS int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *data = va_arg(rest, void *);
    va_end(rest);
    if (!has_devices)
        return real_ioctl(fd, request, data);
    pthread_mutex_lock(&mutex);
    if (!kernel_owns(&kernel, fd)) {
        pthread_mutex_unlock(&mutex);
        return real_ioctl(fd, request, data);
    }
    if (request == GPIO_V2_GET_LINE_IOCTL) {
        pthread_mutex_unlock(&mutex);
        return request_line(data);
    }
    uint64_t until_us = 0;
    pass();
    const int result = kernel_ioctl(&kernel, fd, request, data, &until_us);
    const bool waits = until_us > kernel.now_us;
    pthread_mutex_unlock(&mutex);
    if (waits)
        sleep_until(until_us);
    return result < 0 ? failed(result) : result;
}

OURS ssize_t write(int fd, const void *bytes, size_t count)
{
    if (!has_devices)
        return real_write(fd, bytes, count);
    pthread_mutex_lock(&mutex);
    const bool ours = fd >= 0 && fd == kernel.fds[KERNEL_LEDS];
    int result = 0;
    if (ours) {
        pass();
        result = kernel_write(&kernel, bytes, count);
    }
    pthread_mutex_unlock(&mutex);
    return ours ? result : real_write(fd, bytes, count);
}

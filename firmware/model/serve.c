/* A table as a program: table.h kept to a real clock, behind a terminal device and a socket. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "clients.h"
#include "table.h"
#include "tty.h"

#define SLICE_US 1000 /* interval of calls to the world */
#define BYTE_US (10 * 1000000 / SERIAL_BAUD)
#define ON_THE_LINE_US 10000 /* how far ahead of time bytes are read from the terminal */
#define MAX_LATE_US 20000    /* limit of the table's delay behind real time; more is skipped */

struct arguments {
    const char *tty, *control, *memory, *elf;
    uint64_t seed;
    double speed; /* 0: as fast as possible */
    bool with_parent;
};

struct server {
    struct table *table;
    struct tty tty;
    struct clients clients;
    const struct arguments *arguments;
    uint8_t memory[TABLE_MEMORY];
    uint64_t now_us;  /* of the table */
    uint64_t line_us; /* of the table: until then the line to it is taken */
};

static volatile sig_atomic_t ending;

static void end(int signal)
{
    (void)signal;
    ending = 1;
}

static void usage(const char *program, const char *what, const char *which)
{
    fprintf(stderr,
            "%s%s.\nusage: %s --tty LINK --control SOCKET [--memory FILE] [--elf FILE] [--seed N]\n"
            "       [--speed 1.0|free] [--with-parent]\n",
            what, which, program);
    exit(2);
}

static uint64_t seed_of(const char *program, const char *value)
{
    char *rest = NULL;
    errno = 0;
    const uint64_t seed = strtoull(value, &rest, 10);
    if (value[0] < '0' || value[0] > '9' || *rest != '\0' || errno != 0)
        usage(program, "--seed is to be a whole number, not ", value);
    return seed;
}

static double speed_of(const char *program, const char *value)
{
    char *rest = NULL;
    if (strcmp(value, "free") == 0)
        return 0;
    const double speed = strtod(value, &rest);
    if (rest == value || *rest != '\0' || !(speed >= 0.001 && speed <= 1000))
        usage(program, "--speed is to be 0.001 to 1000, or free, not ", value);
    return speed;
}

static struct arguments arguments_of(int count, char **words)
{
    struct arguments arguments = {.seed = 1, .speed = 1};
    for (int at = 1; at < count; at++) {
        const char *name = words[at];
        if (strcmp(name, "--with-parent") == 0) {
            arguments.with_parent = true;
            continue;
        }
        const char *value = ++at < count ? words[at] : NULL;
        if (value == NULL)
            usage(words[0], "There is no value for ", name);
        else if (strcmp(name, "--tty") == 0)
            arguments.tty = value;
        else if (strcmp(name, "--control") == 0)
            arguments.control = value;
        else if (strcmp(name, "--memory") == 0)
            arguments.memory = value;
        else if (strcmp(name, "--elf") == 0)
            arguments.elf = value;
        else if (strcmp(name, "--seed") == 0)
            arguments.seed = seed_of(words[0], value);
        else if (strcmp(name, "--speed") == 0)
            arguments.speed = speed_of(words[0], value);
        else
            usage(words[0], "There is no option ", name);
    }
    if (arguments.tty == NULL || arguments.control == NULL)
        usage(words[0], "--tty and --control are needed", "");
    return arguments;
}

/* The EEPROM's file. Without a file the EEPROM is new, and is lost when the program ends. */

static bool load_memory(const char *path, uint8_t memory[TABLE_MEMORY])
{
    memset(memory, 0xFF, TABLE_MEMORY);
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (file == NULL)
        return path == NULL || errno == ENOENT;
    const size_t count = fread(memory, 1, TABLE_MEMORY, file);
    const bool more = fgetc(file) != EOF;
    fclose(file);
    return count == TABLE_MEMORY && !more;
}

static bool write_whole(const char *path, const uint8_t memory[TABLE_MEMORY])
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    const size_t count = fwrite(memory, 1, TABLE_MEMORY, file);
    return fclose(file) == 0 && count == TABLE_MEMORY;
}

static void keep_memory(struct server *server)
{
    const char *path = server->arguments->memory;
    uint8_t memory[TABLE_MEMORY];
    char beside[4096];
    table_memory(server->table, memory);
    if (path == NULL || memcmp(memory, server->memory, sizeof memory) == 0)
        return;
    memcpy(server->memory, memory, sizeof memory);
    snprintf(beside, sizeof beside, "%s.new", path);
    if (!write_whole(beside, memory) || rename(beside, path) != 0)
        fprintf(stderr, "The memory cannot be kept in %s: %s.\n", path, strerror(errno));
}

/* Answer one line of a client. `plug` and `unplug` are executed here, other commands by the table.
 */
static const char *answer(void *context, const char *line)
{
    struct server *server = context;
    const char *said = table_command(server->table, line);
    char word[16] = "";
    sscanf(line, "%15s", word);
    if (strncmp(said, "ok", 2) != 0)
        return said;
    if (strcmp(word, "unplug") == 0)
        tty_unplug(&server->tty);
    else if (strcmp(word, "plug") == 0 && server->tty.ours < 0 &&
             !tty_plug(&server->tty, server->arguments->tty))
        return "no: the terminal device cannot be made";
    return said;
}

static void tell_shown(struct server *server)
{
    struct shown shown;
    while (table_shown(server->table, &shown)) {
        char line[64 + 7 * TABLE_LEDS];
        int length = snprintf(line, sizeof line, "shown %llu %llu", (unsigned long long)shown.at_us,
                              (unsigned long long)shown.begun_us);
        for (unsigned led = 0; led < TABLE_LEDS; led++)
            length += snprintf(line + length, sizeof line - (size_t)length, " %06X",
                               (unsigned)shown.pulses[led]);
        clients_tell_watchers(&server->clients, line);
    }
}

static void pass_on(struct server *server)
{
    uint8_t bytes[4096];
    for (size_t count; (count = table_read(server->table, bytes, sizeof bytes)) > 0;)
        tty_write(&server->tty, bytes, count);
    tell_shown(server);
    keep_memory(server);
}

/* Read no more bytes than the line can carry. The rest waits in the terminal device, as with a real
 * serial port. */
static bool line_open(const struct server *server)
{
    return server->line_us < server->now_us + ON_THE_LINE_US;
}

static void take_in(struct server *server)
{
    uint8_t bytes[ON_THE_LINE_US / BYTE_US];
    const size_t count = line_open(server) ? tty_read(&server->tty, bytes, sizeof bytes) : 0;
    if (server->line_us < server->now_us)
        server->line_us = server->now_us;
    server->line_us += count * BYTE_US;
    table_write(server->table, bytes, count);
}

static void wait_for(const struct server *server, int wait_ms)
{
    struct pollfd fds[MAX_CLIENTS + 2];
    clients_poll(&server->clients, fds);
    fds[MAX_CLIENTS + 1] =
        (struct pollfd){.fd = line_open(server) ? server->tty.ours : -1, .events = POLLIN};
    poll(fds, MAX_CLIENTS + 2, wait_ms);
}

static int64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Return the time up to which the table must run now. A delay that is too long is skipped. */
static uint64_t due_us(const struct server *server, int64_t *began_us)
{
    const double speed = server->arguments->speed;
    if (speed == 0)
        return server->now_us + SLICE_US;
    const double due = (double)(clock_us() - *began_us) * speed;
    const double most = (double)(server->now_us + MAX_LATE_US);
    if (due <= most)
        return (uint64_t)due;
    *began_us += (int64_t)((due - most) / speed);
    return (uint64_t)most;
}

/* Run until the program must end. */
static void serve(struct server *server)
{
    int64_t began_us = clock_us(); /* when the table was switched on, had it kept up since */
    while (!ending) {
        take_in(server);
        clients_serve(&server->clients, answer, server);
        server->now_us = table_run(server->table, due_us(server, &began_us), false);
        pass_on(server);
        wait_for(server, server->arguments->speed == 0 ? 0 : SLICE_US / 1000);
    }
}

static void listen_for_the_end(bool with_parent, pid_t parent)
{
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    if (!with_parent)
        return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) /* the parent died before this */
        ending = 1;
}

int main(int count, char **words)
{
    static struct server server;
    const pid_t parent = getppid();
    const struct arguments arguments = arguments_of(count, words);
    listen_for_the_end(arguments.with_parent, parent);
    server.arguments = &arguments;
    if (!load_memory(arguments.memory, server.memory)) {
        fprintf(stderr, "%s cannot be read, or does not hold %d bytes.\n", arguments.memory,
                TABLE_MEMORY);
        return 1;
    }
    server.table = table_new(arguments.elf, server.memory, arguments.seed);
    if (server.table == NULL || !clients_open(&server.clients, arguments.control))
        return 1;
    const bool plugged = tty_plug(&server.tty, arguments.tty);
    if (plugged) {
        puts("ready");
        fflush(stdout);
        serve(&server);
    }
    keep_memory(&server);
    tty_unplug(&server.tty);
    clients_close(&server.clients);
    table_free(server.table);
    return plugged ? 0 : 1;
}

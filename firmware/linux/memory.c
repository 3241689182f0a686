/* The settings: a file instead of an EEPROM.
 *
 * The file is always written as a whole, under another name, and renamed when it is on the disk. So
 * it has the bytes of one moment, whenever the power fails. One write may contain several bytes that
 * the core has written meanwhile: a card needs up to 100 ms for each write.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "port_linux.h"
#include "status.h"

#define LAST_WRITE_MS 2000

static bool sync_folder(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    const int fd = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool write_whole(const char *path, const uint8_t bytes[MEMORY_BYTES])
{
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.new", path);
    const int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    const bool ok = write(fd, bytes, MEMORY_BYTES) == MEMORY_BYTES && fsync(fd) == 0;
    return close(fd) == 0 && ok && rename(beside, path) == 0 && sync_folder(path);
}

/* The worker's job. The table plays on if the file cannot be written: its settings are then lost
 * with the next restart. */
static void put(void *context)
{
    struct memory *memory = context;
    errno = 0;
    const bool ok = write_whole(memory->path, memory->written);
    const int error = errno;
    if (!ok && !memory->failed)
        complain("The controller's settings cannot be kept in", memory->path);
    status_set(PART_SETTINGS, ok ? 0 : error == 0 ? EIO : error);
    memory->failed = !ok;
}

/* Settings that cannot be read now may be intact: they are not overwritten. */
static bool leave_alone(struct memory *memory)
{
    const int error = errno;
    complain("The controller's settings cannot be read from", memory->path);
    status_set(PART_SETTINGS, error);
    memset(memory->bytes, 0xFF, sizeof memory->bytes);
    memory->path = NULL;
    return true;
}

bool memory_open(struct memory *memory, const char *path, int wake)
{
    memset(memory, 0, sizeof *memory);
    memset(memory->bytes, 0xFF, sizeof memory->bytes);
    memory->path = path;
    if (path == NULL) {
        status_say(PART_SETTINGS, "not kept");
        return true;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno != ENOENT)
        return leave_alone(memory);
    if (fd >= 0) {
        const ssize_t count = read(fd, memory->bytes, MEMORY_BYTES);
        close(fd);
        if (count < 0)
            return leave_alone(memory);
        /* What is missing at the end of a shortened file reads as new; the core checks the rest. */
        if (count < MEMORY_BYTES)
            fprintf(stderr, "%s is shorter than %d bytes.\n", path, MEMORY_BYTES);
    }
    return worker_start(&memory->worker, put, memory, wake);
}

void memory_step(struct memory *memory)
{
    if (!memory->changed || memory->path == NULL || worker_busy(&memory->worker))
        return;
    memcpy(memory->written, memory->bytes, sizeof memory->written);
    memory->changed = false;
    worker_go(&memory->worker);
}

void memory_close(struct memory *memory)
{
    if (memory->path == NULL || !worker_wait(&memory->worker, LAST_WRITE_MS))
        return;
    memory_step(memory);
    worker_wait(&memory->worker, LAST_WRITE_MS);
}

uint8_t port_memory_read(struct port *port, uint16_t at)
{
    return port->memory.bytes[at % MEMORY_BYTES];
}

/* Only a repeat of the last write waits for the card. If every equal byte did, settings with some new
 * bytes among equal ones would need a write of the whole file for each. */
bool port_memory_write(struct port *port, uint16_t at, uint8_t byte)
{
    struct memory *memory = &port->memory;
    at %= MEMORY_BYTES;
    if (memory->bytes[at] != byte) {
        memory->bytes[at] = byte;
        memory->changed = true;
    } else if (at == memory->last && memory->path != NULL &&
               (memory->changed || worker_busy(&memory->worker))) {
        return false;
    }
    memory->last = at;
    return true;
}

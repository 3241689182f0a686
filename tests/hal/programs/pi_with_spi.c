/* A Raspberry Pi with SPI, as far as a program can tell that opens its files: preloaded into one, it
 * stands between that and the system.
 *
 * Files that lie in the folder PI_ROOT are opened there. /dev/spidev0.0 and /dev/gpiomem are made up,
 * unless PI_LACKS names them. What is told to SPI is written to the file descriptor PI_WITNESS: a
 * letter and a number of four bytes, the low byte first. `s`: the speed. `m`: a message, of which so
 * many bytes follow. `c`: it was closed. A writer waits until the witness reads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REGISTERS_END (INT64_C(1) << 32) /* beyond those of every board */

static int spi = -1;

static void put(const void *data, size_t size)
{
    const char *at = data;
    int witness = atoi(getenv("PI_WITNESS"));
    while (size > 0) {
        ssize_t done = write(witness, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            abort();
        at += done;
        size -= (size_t)done;
    }
}

static void tell(char what, uint32_t number)
{
    put(&what, 1);
    put(&number, 4);
}

/* Where a file lies that a program wants to open. */
static const char *found(const char *path, char *room, size_t size)
{
    const char *root = getenv("PI_ROOT");
    if (root == NULL || path == NULL || path[0] != '/')
        return path;
    snprintf(room, size, "%s%s", root, path);
    return access(room, F_OK) == 0 ? room : path;
}

static int opened(const char *symbol, const char *path, int flags, mode_t mode)
{
    const char *lacks = getenv("PI_LACKS");
    if (strcmp(path, "/dev/spidev0.0") == 0 || strcmp(path, "/dev/gpiomem") == 0) {
        if (lacks != NULL && strstr(lacks, path) != NULL) {
            errno = ENOENT;
            return -1;
        }
        int made = memfd_create(path, MFD_CLOEXEC);
        if (strcmp(path, "/dev/spidev0.0") == 0)
            spi = made;
        else if (ftruncate(made, REGISTERS_END) != 0)
            abort();
        return made;
    }
    int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, symbol);
    char room[4096];
    return next(found(path, room, sizeof room), flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened("open64", path, flags, mode);
}

FILE *fopen(const char *path, const char *how)
{
    FILE *(*next)(const char *, const char *) =
        (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");
    char room[4096];
    return next(found(path, room, sizeof room), how);
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (fd != spi || fd < 0) {
        int (*next)(int, unsigned long, ...) =
            (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
        return next(fd, request, argument);
    }
    if (request == SPI_IOC_WR_MAX_SPEED_HZ)
        tell('s', *(uint32_t *)argument);
    if (request != SPI_IOC_MESSAGE(1))
        return 0;
    if (getenv("PI_SPI_FAILS") != NULL && access(getenv("PI_SPI_FAILS"), F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    struct spi_ioc_transfer *message = argument;
    tell('m', message->len);
    put((const void *)(uintptr_t)message->tx_buf, message->len);
    return (int)message->len;
}

int close(int fd)
{
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
    if (fd >= 0 && fd == spi) {
        spi = -1;
        tell('c', 0);
    }
    return next(fd);
}

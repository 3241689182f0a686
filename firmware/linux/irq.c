/* The touch chips' interrupt line, by the GPIO character device of Linux 5.10 and later. libgpiod is
 * not used, because its versions 1 and 2 have different interfaces. */
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port_linux.h"
#include "status.h"

#define MAX_CHIPS 64 /* a Raspberry Pi 5 numbers its chips up to 15 */

/* Return the offset of a line with this name, or -1. The number of the chip with the header's pins
 * depends on the board and on the kernel; the lines' names (GPIO0 …) do not. */
static int offset_of(int chip, const char *name)
{
    struct gpiochip_info info;
    if (ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, &info) != 0)
        return -1;
    for (unsigned offset = 0; offset < info.lines; offset++) {
        struct gpio_v2_line_info line = {.offset = offset};
        if (ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &line) == 0 && strcmp(line.name, name) == 0)
            return (int)offset;
    }
    return -1;
}

/* Open the chip with the line of this name. Returns its descriptor, or -1. */
static int find(const char *name, unsigned *offset)
{
    for (unsigned number = 0; number < MAX_CHIPS; number++) {
        char path[sizeof "/dev/gpiochip99"];
        snprintf(path, sizeof path, "/dev/gpiochip%u", number);
        const int chip = open(path, O_RDWR | O_CLOEXEC);
        const int found = chip < 0 ? -1 : offset_of(chip, name);
        if (found >= 0) {
            *offset = (unsigned)found;
            return chip;
        }
        if (chip >= 0)
            close(chip);
    }
    errno = ENXIO;
    return -1;
}

static int open_chip(const char *name, unsigned *offset)
{
    char path[64];
    const char *colon = strrchr(name, ':');
    if (colon == NULL)
        return find(name, offset);
    snprintf(path, sizeof path, "%.*s", (int)(colon - name), name);
    *offset = (unsigned)strtoul(colon + 1, NULL, 10);
    return open(path, O_RDWR | O_CLOEXEC);
}

bool irq_open(struct irq *irq, const char *name)
{
    *irq = (struct irq){.fd = -1};
    if (name == NULL) {
        status_say(PART_INTERRUPT, "not wired");
        return true;
    }
    unsigned offset = 0;
    const int chip = open_chip(name, &offset);
    struct gpio_v2_line_request request = {
        .offsets = {offset},
        .num_lines = 1,
        .consumer = "pi-table touch",
        .config = {.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_UP |
                            GPIO_V2_LINE_FLAG_EDGE_FALLING},
    };
    const bool ok = chip >= 0 && ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) == 0;
    if (!ok) {
        status_set(PART_INTERRUPT, errno);
        complain("The touch chips' interrupt line cannot be used:", name);
    }
    if (chip >= 0)
        close(chip);
    if (!ok)
        return false;
    irq->fd = request.fd;
    return fcntl(irq->fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(irq->fd, F_SETFD, FD_CLOEXEC) == 0;
}

void irq_drain(struct irq *irq)
{
    struct gpio_v2_line_event events[16];
    ssize_t bytes;
    do {
        bytes = irq->fd < 0 ? 0 : read(irq->fd, events, sizeof events);
        irq->fell |= bytes > 0;
    } while (bytes == (ssize_t)sizeof events);
}

void irq_check(struct irq *irq, bool touched)
{
    if (irq->fd >= 0)
        status_say(PART_INTERRUPT, irq->fell || !irq->missed ? "ok" : "no signal");
    irq->missed |= touched;
}

bool port_touch_changed(const struct port *port)
{
    struct gpio_v2_line_values values = {.mask = 1};
    return port->irq.fd >= 0 &&
           ioctl(port->irq.fd, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) == 0 && !(values.bits & 1);
}

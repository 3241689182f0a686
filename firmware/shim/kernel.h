/* The devices of a Raspberry Pi that is not there: /dev/i2c-1, /dev/gpiochip0, /dev/spidev0.0 and
 * /dev/leds0, as the controller of linux/ uses them. Behind them are the touch chips, the pads and
 * the lights of model/.
 *
 * These functions never wait. They return until when the caller has to, so that the time may be real
 * (preload.c) or virtual (virtual_table.c).
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strip.h"
#include "world.h"

enum kernel_device { KERNEL_I2C, KERNEL_GPIO, KERNEL_SPI, KERNEL_LEDS, KERNEL_DEVICES };

/* A frame on its way to the lights. */
struct sent {
    bool under_way;
    uint8_t bytes[LAYOUT_BYTES];
    size_t count;
    uint64_t begun_us, ends_us;
};

struct kernel {
    struct world world;
    struct strip strip;
    struct layout string; /* what hangs on the line, if it is not the strip of hardware/wiring.csv */
    struct sent sent;
    uint8_t brightness;   /* of ws2812-pio */
    uint64_t now_us;
    int fds[KERNEL_DEVICES]; /* descriptors of the open devices; -1 */
    int line;                /* descriptor of the requested line; -1: none */
    bool line_is_wired;      /* the touch chips' interrupt wire is at that line */
    bool was_low;            /* the interrupt line, at the last check */
    bool fell;               /* it is requested, and has fallen since this was last cleared */
    uint64_t byte_ns;        /* time of a byte on the I²C bus */
    uint64_t transfers, bus_us; /* number of transfers, and their time on the bus */
};

void kernel_start(struct kernel *kernel, uint64_t seed, const struct world_hooks *hooks, void *table,
                  uint64_t now_us);

/* Let time pass until `until_us`. */
void kernel_pass(struct kernel *kernel, uint64_t until_us);

/* Return the time of the next change that comes by itself. */
uint64_t kernel_next(const struct kernel *kernel);

/* Return the number of the device with this path; KERNEL_DEVICES for none. */
enum kernel_device kernel_device_at(const char *path);

/* True if this descriptor is one of the kernel's devices, or the interrupt line. */
bool kernel_owns(const struct kernel *kernel, int fd);

/* Give the program a line of the GPIO chip, with this descriptor. A line without a wire stays high. */
struct gpio_v2_line_request;
void kernel_request_line(struct kernel *kernel, struct gpio_v2_line_request *request, int fd);

/* The calls. They return the call's result, or the negative number of the error. `*until_us` is when
 * the call returns. */
int kernel_ioctl(struct kernel *kernel, int fd, unsigned long request, void *data,
                 uint64_t *until_us);
int kernel_write(struct kernel *kernel, const uint8_t *bytes, size_t count);
void kernel_close(struct kernel *kernel, int fd);

/* Execute one command: of model/README.md, or `bus HZ`, `transfers`, `string FILE` (a string of this
 * layout hangs on the line) or `lights` (answers what each light of the string shows, as RRGGBB). */
const char *kernel_command(struct kernel *kernel, const char *line);

#endif

#include "kernel.h"

#include <errno.h>
#include <linux/gpio.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRANSFER_US 30 /* what the kernel's driver adds to a transfer (assumed) */
#define TIMEOUT_US 20000
#define CLOCKS_A_BYTE 9
#define HEADER_LINES 54
#define WIRED_LINE 26 /* the touch chips' interrupt wire is at GPIO26 */
#define LIGHT_US 30 /* of ws2812-pio: 24 bits of 1.25 µs */
#define LATCH_US 280
#define FULL_BRIGHTNESS 255 /* of ws2812-pio at its start */

void kernel_start(struct kernel *kernel, uint64_t seed, const struct world_hooks *hooks, void *table,
                  uint64_t now_us)
{
    memset(kernel, 0, sizeof *kernel);
    for (unsigned device = 0; device < KERNEL_DEVICES; device++)
        kernel->fds[device] = -1;
    kernel->line = -1;
    kernel->brightness = FULL_BRIGHTNESS;
    kernel->now_us = now_us;
    kernel->byte_ns = UINT64_C(1000000000) * CLOCKS_A_BYTE / 400000;
    world_start(&kernel->world, seed, hooks, table, now_us);
    kernel->world.lights = &kernel->strip;
    strip_power(&kernel->strip);
}

void kernel_pass(struct kernel *kernel, uint64_t until_us)
{
    struct sent *sent = &kernel->sent;
    if (until_us > kernel->now_us)
        kernel->now_us = until_us;
    world_run(&kernel->world, kernel->now_us);
    if (sent->under_way && sent->ends_us <= kernel->now_us) {
        strip_latch(&kernel->strip, sent->bytes, sent->count, sent->begun_us, sent->ends_us);
        sent->under_way = false;
    }
    const bool low = world_interrupt(&kernel->world);
    kernel->fell |= low && !kernel->was_low && kernel->line >= 0 && kernel->line_is_wired;
    kernel->was_low = low;
}

uint64_t kernel_next(const struct kernel *kernel)
{
    const uint64_t next_us = world_next(&kernel->world);
    const struct sent *sent = &kernel->sent;
    return sent->under_way && sent->ends_us < next_us ? sent->ends_us : next_us;
}

enum kernel_device kernel_device_at(const char *path)
{
    static const char *const paths[KERNEL_DEVICES] = {"/dev/i2c-1", "/dev/gpiochip0",
                                                      "/dev/spidev0.0", "/dev/leds0"};
    unsigned device = 0;
    while (device < KERNEL_DEVICES && strcmp(path, paths[device]) != 0)
        device++;
    return (enum kernel_device)device;
}

bool kernel_owns(const struct kernel *kernel, int fd)
{
    bool owns = fd >= 0 && fd == kernel->line;
    for (unsigned device = 0; device < KERNEL_DEVICES; device++)
        owns |= fd >= 0 && fd == kernel->fds[device];
    return owns;
}

void kernel_request_line(struct kernel *kernel, struct gpio_v2_line_request *request, int fd)
{
    request->fd = kernel->line = fd;
    kernel->line_is_wired = request->offsets[0] == WIRED_LINE;
}

void kernel_close(struct kernel *kernel, int fd)
{
    for (unsigned device = 0; device < KERNEL_DEVICES; device++)
        if (kernel->fds[device] == fd)
            kernel->fds[device] = -1;
    if (kernel->line == fd)
        kernel->line = -1;
}

/* Transfer byte by byte, each at its time on the bus. A chip that holds the data line stops it. */
static int transfer(struct kernel *kernel, const struct i2c_rdwr_ioctl_data *all, uint64_t *until_us)
{
    struct world *world = &kernel->world;
    const uint64_t begun_us = kernel->now_us;
    uint64_t at_ns = begun_us * 1000;
    int error = world_bus_held_until(world) > begun_us ? ETIMEDOUT : 0;
    for (unsigned number = 0; number < all->nmsgs && error == 0; number++) {
        const struct i2c_msg *message = &all->msgs[number];
        const bool reads = message->flags & I2C_M_RD;
        at_ns += kernel->byte_ns;
        if (!world_bus_start(world, (uint8_t)message->addr, reads, at_ns / 1000))
            error = EREMOTEIO;
        for (unsigned at = 0; at < message->len && error == 0; at++) {
            at_ns += kernel->byte_ns;
            if (reads)
                message->buf[at] = world_bus_read(world, at_ns / 1000);
            else if (!world_bus_write(world, message->buf[at], at_ns / 1000))
                error = EREMOTEIO;
        }
    }
    world_bus_stop(world);
    kernel_pass(kernel, at_ns / 1000); /* the chips' time must not fall behind */
    kernel->transfers++;
    kernel->bus_us += at_ns / 1000 - begun_us;
    *until_us = error == ETIMEDOUT ? begun_us + TIMEOUT_US : at_ns / 1000 + TRANSFER_US;
    return error == 0 ? (int)all->nmsgs : -error;
}

static int of_i2c(struct kernel *kernel, unsigned long request, void *data, uint64_t *until_us)
{
    if (request == I2C_FUNCS)
        *(unsigned long *)data = I2C_FUNC_I2C;
    return request == I2C_RDWR ? transfer(kernel, data, until_us) : 0;
}

static int of_gpio(unsigned long request, void *data)
{
    struct gpiochip_info *chip = data;
    struct gpio_v2_line_info *line = data;
    switch (request) {
    case GPIO_GET_CHIPINFO_IOCTL:
        chip->lines = HEADER_LINES;
        return 0;
    case GPIO_V2_GET_LINEINFO_IOCTL:
        snprintf(line->name, sizeof line->name, "GPIO%u", line->offset);
        return 0;
    default:
        return -ENOTTY;
    }
}

static int of_line(const struct kernel *kernel, unsigned long request, void *data)
{
    struct gpio_v2_line_values *values = data;
    if (request != GPIO_V2_LINE_GET_VALUES_IOCTL)
        return -ENOTTY;
    values->bits = !(kernel->line_is_wired && world_interrupt(&kernel->world));
    return 0;
}

/* Three bits on the line are one of a light: 110 or 100. Return false for any other signal. */
static bool read_light_byte(const uint8_t *in, uint8_t *byte)
{
    const uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
    *byte = 0;
    for (unsigned at = 0; at < 8; at++) {
        const uint32_t three = bits >> (21 - 3 * at) & 7;
        if (three != 6 && three != 4)
            return false;
        *byte = (uint8_t)(*byte << 1 | (three == 6));
    }
    return true;
}

/* The lights see low, then their bits, then low for long enough to latch. */
static int of_spi(struct kernel *kernel, unsigned long request, const void *data, uint64_t *until_us)
{
    const struct spi_ioc_transfer *spi = data;
    struct sent sent = {.under_way = true, .begun_us = kernel->now_us};
    if (request != SPI_IOC_MESSAGE(1))
        return 0;
    const uint8_t *in = (const uint8_t *)(uintptr_t)spi->tx_buf;
    size_t at = 0;
    while (at < spi->len && in[at] == 0)
        at++;
    while (at + 3 <= spi->len && sent.count < LAYOUT_BYTES &&
           read_light_byte(in + at, &sent.bytes[sent.count])) {
        sent.count++;
        at += 3;
    }
    size_t low = 0;
    while (at + low < spi->len && in[at + low] == 0)
        low++;
    if (at + low != spi->len || low * 8 * 1000000 / spi->speed_hz < LATCH_US)
        return -EPROTO;
    sent.ends_us = kernel->now_us + spi->len * UINT64_C(8000000) / spi->speed_hz;
    kernel->sent = sent;
    strip_begin(&kernel->strip, sent.begun_us);
    *until_us = sent.ends_us;
    return (int)spi->len;
}

int kernel_ioctl(struct kernel *kernel, int fd, unsigned long request, void *data,
                 uint64_t *until_us)
{
    *until_us = kernel->now_us;
    if (fd == kernel->line)
        return of_line(kernel, request, data);
    if (fd == kernel->fds[KERNEL_I2C])
        return of_i2c(kernel, request, data, until_us);
    if (fd == kernel->fds[KERNEL_SPI])
        return of_spi(kernel, request, data, until_us);
    return of_gpio(request, data);
}

/* ws2812-pio dims each byte by its brightness and then by a curve of its own, unless the brightness
 * is 0. */
static uint8_t dimmed(const struct kernel *kernel, uint8_t byte)
{
    const unsigned bright = byte * kernel->brightness / 255u;
    return kernel->brightness == 0 ? byte : (uint8_t)(255 * pow(bright / 255.0, 1 / 0.45));
}

/* ws2812-pio takes the bytes at once, and sends three of four by itself: the second comes first. A
 * single byte is the brightness. */
int kernel_write(struct kernel *kernel, const uint8_t *bytes, size_t count)
{
    struct sent *sent = &kernel->sent;
    if (count == 1) {
        kernel->brightness = bytes[0];
        return 1;
    }
    *sent = (struct sent){.under_way = true, .begun_us = kernel->now_us};
    for (size_t at = 0; at + 4 <= count && sent->count < LAYOUT_BYTES; at += 4) {
        sent->bytes[sent->count++] = dimmed(kernel, bytes[at + 1]);
        sent->bytes[sent->count++] = dimmed(kernel, bytes[at]);
        sent->bytes[sent->count++] = dimmed(kernel, bytes[at + 2]);
    }
    strip_begin(&kernel->strip, sent->begun_us);
    sent->ends_us = sent->begun_us + sent->count / 3 * LIGHT_US + LATCH_US;
    return (int)count;
}

/* Hang a string of this layout on the line. All its lights are dark. */
static const char *hang(struct kernel *kernel, const char *path)
{
    static char answer[200];
    struct layout string;
    struct layout_fault fault;
    if (!layout_read(&string, path, &fault)) {
        snprintf(answer, sizeof answer, "no: line %u: %s", fault.line, fault.what);
        return answer;
    }
    kernel->string = string;
    kernel->strip.layout = &kernel->string;
    strip_power(&kernel->strip);
    return "ok";
}

static const char *tell_lights(const struct kernel *kernel)
{
    static char answer[8 + 7 * LAYOUT_LIGHTS];
    size_t at = (size_t)snprintf(answer, sizeof answer, "ok");
    for (size_t light = 0; light < strip_count(&kernel->strip); light++)
        at += (size_t)snprintf(answer + at, sizeof answer - at, " %06lX",
                               (unsigned long)strip_light(&kernel->strip, light));
    return answer;
}

const char *kernel_command(struct kernel *kernel, const char *line)
{
    static char answer[80];
    char rest = 0;
    unsigned long hz = 0;
    if (sscanf(line, "bus %lu%c", &hz, &rest) == 1 && hz >= 1000 && hz <= 1000000) {
        kernel->byte_ns = UINT64_C(1000000000) * CLOCKS_A_BYTE / hz;
        return "ok";
    }
    if (strncmp(line, "string ", 7) == 0)
        return hang(kernel, line + 7);
    if (strcmp(line, "lights") == 0)
        return tell_lights(kernel);
    if (strcmp(line, "transfers") == 0) {
        snprintf(answer, sizeof answer, "ok count=%llu bus_us=%llu",
                 (unsigned long long)kernel->transfers, (unsigned long long)kernel->bus_us);
        return answer;
    }
    const char *said = world_command(&kernel->world, line, kernel->now_us);
    kernel->strip.ills = kernel->world.strip;
    return said;
}

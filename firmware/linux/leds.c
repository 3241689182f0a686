/* The lights: a strip at SPI (Raspberry Pi 3, 4, Zero 2 W), at the kernel's ws2812-pio (Pi 5), or
 * none here, if the engine drives them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port_linux.h"
#include "status.h"

/* At 2.4 MHz, three bits on the line are one bit of a light: 110 is a one (0.83 µs high), 100 a zero
 * (0.42 µs). The zeros before a frame keep the line low until the clock is steady. Those after it,
 * 320 µs, make the strip latch. */
#define DARK_MS 500 /* at the end, the lights get so long to become dark */
#define SPI_HZ 2400000
#define SPI_LEAD 4
#define SPI_LATCH 96
#define SPI_BYTES (SPI_LEAD + 3 * LAYOUT_BYTES + SPI_LATCH)

static bool open_spi(struct leds *leds)
{
    const uint32_t hz = SPI_HZ;
    const uint8_t mode = SPI_MODE_0;
    if (leds->fd < 0)
        leds->fd = open(leds->device, O_RDWR | O_CLOEXEC);
    return leds->fd >= 0 && ioctl(leds->fd, SPI_IOC_WR_MODE, &mode) == 0 &&
           ioctl(leds->fd, SPI_IOC_WR_MAX_SPEED_HZ, &hz) == 0;
}

static bool put_spi(struct leds *leds)
{
    if (leds->fd < 0 && !open_spi(leds))
        return false;
    uint8_t bytes[SPI_BYTES] = {0};
    uint8_t *next = bytes + SPI_LEAD;
    for (size_t at = 0; at < 3u * leds->layout->count; at++) {
        uint32_t bits = 0;
        for (unsigned bit = 0x80; bit != 0; bit >>= 1)
            bits = bits << 3 | (leds->pulses[at] & bit ? 6 : 4);
        *next++ = (uint8_t)(bits >> 16);
        *next++ = (uint8_t)(bits >> 8);
        *next++ = (uint8_t)bits;
    }
    next += SPI_LATCH;
    struct spi_ioc_transfer transfer = {.tx_buf = (uintptr_t)bytes, .len = (uint32_t)(next - bytes),
                                        .speed_hz = SPI_HZ, .bits_per_word = 8};
    return ioctl(leds->fd, SPI_IOC_MESSAGE(1), &transfer) >= 0;
}

/* A write has to begin at the first light, so the device is opened for each. */
static bool write_pio(const struct leds *leds, const uint8_t *bytes, size_t count)
{
    const int fd = open(leds->device, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    errno = EIO; /* unless the device has another reason */
    const bool ok = write(fd, bytes, count) == (ssize_t)count;
    const int error = errno;
    close(fd);
    errno = error;
    return ok;
}

/* ws2812-pio takes four bytes of each light, and sends the second, the first and the third. A single
 * byte is its brightness. It starts with another than 0, and then a curve of its own comes on top of
 * the core's: dim lights would be dark. With 0 it sends the bytes as they are. A device that has
 * failed may be a new one, with the brightness of its start. */
static bool put_pio(struct leds *leds)
{
    static const uint8_t as_it_is = 0;
    uint8_t bytes[4 * LAYOUT_LIGHTS] = {0};
    for (size_t light = 0; light < leds->layout->count; light++) {
        bytes[4 * light] = leds->pulses[3 * light + 1];
        bytes[4 * light + 1] = leds->pulses[3 * light];
        bytes[4 * light + 2] = leds->pulses[3 * light + 2];
    }
    leds->prepared = leds->prepared || write_pio(leds, &as_it_is, 1);
    leds->prepared = leds->prepared && write_pio(leds, bytes, 4u * leds->layout->count);
    return leds->prepared;
}

/* The worker's job: send the frame once. If it is refused, the strip is ready all the same: the core
 * goes on, and sends its newest frame again while leds_failed is true. */
static void put(void *context)
{
    struct leds *leds = context;
    const bool ok = leds->kind == LEDS_SPI ? put_spi(leds) : put_pio(leds);
    status_set(PART_LIGHTS, ok ? 0 : errno);
    if (!ok && !leds->failed)
        complain("The lights take no frame at", leds->device);
    if (ok && leds->failed)
        fprintf(stderr, "The lights at %s are back.\n", leds->device);
    leds->failed = !ok;
}

bool leds_open(struct leds *leds, const char *lights, const struct layout *layout, int wake)
{
    const char *colon = strchr(lights, ':');
    *leds = (struct leds){.device = colon == NULL ? "" : colon + 1, .layout = layout, .fd = -1};
    leds->kind = strncmp(lights, "spi:", 4) == 0    ? LEDS_SPI
                  : strncmp(lights, "pio:", 4) == 0 ? LEDS_PIO
                                                     : LEDS_NONE;
    if (leds->kind == LEDS_NONE)
        status_say(PART_LIGHTS, "not here");
    return leds->kind == LEDS_NONE || worker_start(&leds->worker, put, leds, wake);
}

void leds_close(struct leds *leds)
{
    if (leds->kind == LEDS_NONE || !worker_wait(&leds->worker, DARK_MS))
        return;
    memset(leds->pulses, 0, sizeof leds->pulses);
    worker_go(&leds->worker);
    worker_wait(&leds->worker, DARK_MS);
}

bool leds_failed(struct leds *leds)
{
    return leds->kind != LEDS_NONE && !worker_busy(&leds->worker) && leds->failed;
}

bool port_lights_ready(const struct port *port)
{
    return port->leds.kind == LEDS_NONE || !worker_busy((struct worker *)&port->leds.worker);
}

void port_show_light(struct port *port, struct colour pulse)
{
    struct leds *leds = &port->leds;
    const uint8_t channels[] = {pulse.red, pulse.green, pulse.blue};
    if (leds->count + sizeof channels > sizeof leds->pulses)
        return;
    for (size_t at = 0; at < sizeof channels; at++)
        leds->pulses[leds->count++] = channels[leds->layout->order[at]];
}

void port_show_end(struct port *port)
{
    port->leds.count = 0;
    if (port->leds.kind != LEDS_NONE)
        worker_go(&port->leds.worker);
}

/* port.h for a Linux machine that has the touch chips on its own I²C bus: a Raspberry Pi without a
 * microcontroller. The core runs as an ordinary process. The engine opens a pseudo-terminal instead
 * of a serial port.
 *
 * One thread runs the core. A transfer on the I²C bus blocks it, for a millisecond or less. What can
 * take longer, the lights and the file of settings, has a thread each (worker.h).
 */
#ifndef PORT_LINUX_H
#define PORT_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "layout.h"
#include "port.h"
#include "worker.h"

#define LINE_BYTES 255 /* size of each direction's buffer */

struct bus {
    const char *device;
    int fd; /* -1: cannot be opened at the moment */
    enum bus_status status;
};

struct irq {
    int fd;      /* -1: not wired; the core then scans the chips every 10 ms */
    bool fell;   /* the line has worked at least once */
    bool missed; /* a touch was felt before the latest check */
};

struct line {
    int ours, theirs; /* both ends stay open, so that this end is never hung up */
    const char *link;
    bool readable;
    uint8_t in[LINE_BYTES], out[LINE_BYTES];
    size_t in_at, in_count, out_count;
};

enum leds_kind { LEDS_NONE, LEDS_SPI, LEDS_PIO };

struct leds {
    enum leds_kind kind;
    const char *device;
    int fd;
    const struct layout *layout;
    uint8_t pulses[LAYOUT_BYTES]; /* of each light, in the order of its colours on the line */
    size_t count;                /* bytes of the current frame so far */
    bool failed;                 /* the last frame was refused */
    bool prepared;               /* ws2812-pio sends the bytes as they are */
    struct worker worker;
};

struct memory {
    const char *path; /* NULL: the settings are lost when the process ends */
    uint8_t bytes[MEMORY_BYTES];   /* as the core has written them */
    uint8_t written[MEMORY_BYTES]; /* the copy that the thread writes */
    uint16_t last;                 /* where the core has written last */
    bool changed;                  /* `bytes` differ from `written` */
    bool failed;                   /* the last write to the file failed */
    struct worker worker;
};

struct port {
    int wake; /* an eventfd to which a worker writes when it has finished */
    struct bus bus;
    struct irq irq;
    struct line line;
    struct layout layout; /* of the lights */
    struct leds leds;
    struct memory memory;
};

/* Print "pi-table: WHAT NAME: errno's reason." on standard error; returns false. */
bool complain(const char *what, const char *name);

/* The functions below return false if the device cannot be used; the reason is then on standard
 * error. */

/* Open the I²C bus, such as /dev/i2c-1. */
bool bus_open(struct bus *bus, const char *device);

/* Open the touch chips' interrupt line: the name of a GPIO line, such as GPIO26, or CHIP:OFFSET,
 * such as /dev/gpiochip0:26. NULL: it is not wired. */
bool irq_open(struct irq *irq, const char *name);
void irq_drain(struct irq *irq); /* read the events that have come */

/* Check the line every now and then. Its wire is missing if a place was already `touched` at an
 * earlier check, and the line has never fallen. */
void irq_check(struct irq *irq, bool touched);

/* Make a pseudo-terminal, and a link to it. */
bool line_open(struct line *line, const char *link);
void line_close(const struct line *line);
void line_flush(struct line *line); /* send what waits, as far as there is room */

/* Use these lights: "spi:DEVICE", "pio:DEVICE" or "none". The first frame opens the device. */
bool leds_open(struct leds *leds, const char *lights, const struct layout *layout, int wake);
void leds_close(struct leds *leds); /* leaves them dark */
bool leds_failed(struct leds *leds); /* true if the last frame was refused */

/* Read the file of settings. A file that is missing is written with the first change. */
bool memory_open(struct memory *memory, const char *path, int wake);
void memory_step(struct memory *memory);  /* begin the write that is due, if any */
void memory_close(struct memory *memory); /* complete all writes */

#endif

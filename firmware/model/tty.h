/* A terminal device in place of the table's plug: a symlink to the end that others open. */
#ifndef TTY_H
#define TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tty {
    const char *link;
    int ours, theirs; /* -1: unplugged. Theirs is kept open, so that a reader may come and go */
};

/* Makes the device and the link; false: why is on standard error. */
bool tty_plug(struct tty *tty, const char *link);
void tty_unplug(struct tty *tty);

/* Neither ever waits. What a reader that stalls has no room for is lost, as on a wire. */
size_t tty_read(const struct tty *tty, uint8_t *bytes, size_t room);
void tty_write(const struct tty *tty, const uint8_t *bytes, size_t count);

#endif

/* A terminal device that replaces the table's USB plug: a symlink to the end that other programs
 * open. */
#ifndef TTY_H
#define TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tty {
    const char *link;
    int ours, theirs; /* -1: unplugged. Theirs stays open, so that readers may come and go */
};

/* Make the device and the link. If it fails, print the reason on standard error and return false.
 */
bool tty_plug(struct tty *tty, const char *link);
void tty_unplug(struct tty *tty);

/* Neither function waits. Bytes are lost if a stalled reader has no room for them, as on a wire. */
size_t tty_read(const struct tty *tty, uint8_t *bytes, size_t room);
void tty_write(const struct tty *tty, const uint8_t *bytes, size_t count);

#endif

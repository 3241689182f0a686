#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Make the link. It replaces a link left by an earlier run, but no other file with this name. */
static bool make_link(const char *device, const char *link)
{
    struct stat there;
    if (lstat(link, &there) == 0 && S_ISLNK(there.st_mode))
        unlink(link);
    if (symlink(device, link) == 0)
        return true;
    fprintf(stderr, "The link %s cannot be made: %s.\n", link, strerror(errno));
    return false;
}

bool tty_plug(struct tty *tty, const char *link)
{
    struct termios raw;
    char device[64];
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CLOCAL;
    *tty = (struct tty){.link = link, .ours = -1, .theirs = -1};
    if (openpty(&tty->ours, &tty->theirs, NULL, &raw, NULL) != 0 ||
        ttyname_r(tty->theirs, device, sizeof device) != 0) {
        fprintf(stderr, "No terminal device can be had: %s.\n", strerror(errno));
        return false;
    }
    fcntl(tty->ours, F_SETFL, O_NONBLOCK);
    fcntl(tty->ours, F_SETFD, FD_CLOEXEC);
    fcntl(tty->theirs, F_SETFD, FD_CLOEXEC);
    if (make_link(device, link))
        return true;
    close(tty->ours);
    close(tty->theirs);
    tty->ours = tty->theirs = -1;
    return false;
}

void tty_unplug(struct tty *tty)
{
    if (tty->ours < 0)
        return;
    unlink(tty->link);
    close(tty->ours);
    close(tty->theirs);
    tty->ours = tty->theirs = -1;
}

size_t tty_read(const struct tty *tty, uint8_t *bytes, size_t room)
{
    const ssize_t count = tty->ours < 0 ? 0 : read(tty->ours, bytes, room);
    return count > 0 ? (size_t)count : 0;
}

void tty_write(const struct tty *tty, const uint8_t *bytes, size_t count)
{
    while (tty->ours >= 0 && count > 0) {
        const ssize_t done = write(tty->ours, bytes, count);
        if (done <= 0)
            return;
        bytes += done;
        count -= (size_t)done;
    }
}

/* The serial line: a pseudo-terminal, which has no speed and loses no byte. */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port_linux.h"

/* Make the link under another name first, so that it appears at once and replaces a link that an
 * earlier run has left. Any other file with this name stays. */
static bool make_link(const char *device, const char *link)
{
    struct stat there;
    char new[4096];
    if (lstat(link, &there) == 0 && !S_ISLNK(there.st_mode))
        errno = EEXIST;
    else if ((size_t)snprintf(new, sizeof new, "%s.new", link) >= sizeof new)
        errno = ENAMETOOLONG;
    else if ((unlink(new) == 0 || errno == ENOENT) && symlink(device, new) == 0 &&
             rename(new, link) == 0)
        return true;
    return complain("The link to the terminal cannot be made:", link);
}

bool line_open(struct line *line, const char *link)
{
    struct termios raw;
    char device[64];
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CLOCAL;
    *line = (struct line){.link = link};
    if (openpty(&line->ours, &line->theirs, NULL, &raw, NULL) != 0 ||
        ttyname_r(line->theirs, device, sizeof device) != 0)
        return complain("There is no terminal device for", link);
    fcntl(line->ours, F_SETFL, O_NONBLOCK);
    fcntl(line->ours, F_SETFD, FD_CLOEXEC);
    fcntl(line->theirs, F_SETFD, FD_CLOEXEC);
    /* The group may open it. The link is made after that: the engine does not follow a link that is
     * older than the device's last change. */
    if (fchown(line->theirs, (uid_t)-1, getegid()) != 0 || fchmod(line->theirs, 0660) != 0)
        complain("The group cannot open", device);
    return make_link(device, link);
}

void line_close(const struct line *line)
{
    unlink(line->link);
    close(line->ours);
    close(line->theirs);
}

bool port_receive(struct port *port, uint8_t *byte)
{
    struct line *line = &port->line;
    if (line->in_at == line->in_count && line->readable) {
        const ssize_t count = read(line->ours, line->in, sizeof line->in);
        line->in_at = 0;
        line->in_count = count > 0 ? (size_t)count : 0;
        line->readable = count > 0;
    }
    if (line->in_at == line->in_count)
        return false;
    *byte = line->in[line->in_at++];
    return true;
}

/* The kernel keeps what this end has not read; the writer waits. */
uint8_t port_lost(struct port *port)
{
    (void)port;
    return 0;
}

uint8_t port_room(const struct port *port) { return (uint8_t)(LINE_BYTES - port->line.out_count); }

void port_send(struct port *port, const uint8_t *bytes, uint8_t count)
{
    struct line *line = &port->line;
    memcpy(line->out + line->out_count, bytes, count);
    line->out_count += count;
    line_flush(line);
}

/* If nobody reads, `out` fills up. The core then makes no report until there is room again, and that
 * report is the newest. */
void line_flush(struct line *line)
{
    if (line->out_count == 0)
        return;
    const ssize_t done = write(line->ours, line->out, line->out_count);
    if (done <= 0)
        return;
    line->out_count -= (size_t)done;
    memmove(line->out, line->out + done, line->out_count);
}

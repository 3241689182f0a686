/* Clients of the table's control socket: each line is answered by a line. */
#ifndef CLIENTS_H
#define CLIENTS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#define MAX_CLIENTS 16
#define MAX_LINE_BYTES 1024     /* limit for a received line */
#define MAX_WAITING_BYTES 65536 /* limit of the output buffer of a slow client */

struct client {
    int socket; /* -1: no client */
    bool watches;
    size_t heard_count, waiting_count;
    char heard[MAX_LINE_BYTES], waiting[MAX_WAITING_BYTES];
};

struct clients {
    const char *path;
    int door;
    struct client all[MAX_CLIENTS];
};

/* Open the socket, for this user only. If it fails, print the reason on standard error and return
 * false. */
bool clients_open(struct clients *clients, const char *path);
void clients_close(struct clients *clients);

/* Fill in the descriptors to wait for: MAX_CLIENTS + 1 entries. */
void clients_poll(const struct clients *clients, struct pollfd *fds);

/* Accept, read and write without waiting; `answer` is called for each line. A client is dropped if
 * it sends too long a line, or does not read its answers. The caller must ignore SIGPIPE. */
void clients_serve(struct clients *clients, const char *(*answer)(void *context, const char *line),
                   void *context);

/* Send a line to all clients that watch. A client whose buffer is full misses it. */
void clients_tell_watchers(struct clients *clients, const char *line);

#endif

#include "clients.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* True if the socket is left over from an earlier run: it then refuses connections. */
static bool left_behind(const struct sockaddr_un *address)
{
    const int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    const bool refused = connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 &&
                         errno == ECONNREFUSED;
    close(probe);
    return refused;
}

bool clients_open(struct clients *clients, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memset(clients, 0, sizeof *clients);
    clients->path = path;
    for (unsigned at = 0; at < MAX_CLIENTS; at++)
        clients->all[at].socket = -1;
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "The name of the socket %s is too long.\n", path);
        return false;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (left_behind(&address))
        unlink(path);
    clients->door = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const mode_t before = umask(0177);
    const int bound = bind(clients->door, (const struct sockaddr *)&address, sizeof address);
    umask(before);
    if (bound == 0 && listen(clients->door, MAX_CLIENTS) == 0)
        return true;
    fprintf(stderr, "The socket %s cannot be made: %s.\n", path, strerror(errno));
    close(clients->door);
    return false;
}

static void put_out(struct client *client)
{
    close(client->socket);
    client->socket = -1;
}

void clients_close(struct clients *clients)
{
    unlink(clients->path);
    close(clients->door);
    for (unsigned at = 0; at < MAX_CLIENTS; at++)
        if (clients->all[at].socket >= 0)
            put_out(&clients->all[at]);
}

void clients_poll(const struct clients *clients, struct pollfd *fds)
{
    bool full = true;
    for (unsigned at = 0; at < MAX_CLIENTS; at++) {
        const struct client *client = &clients->all[at];
        full &= client->socket >= 0;
        const short events = client->waiting_count > 0 ? POLLIN | POLLOUT : POLLIN;
        fds[1 + at] = (struct pollfd){.fd = client->socket, .events = events};
    }
    fds[0] = (struct pollfd){.fd = full ? -1 : clients->door, .events = POLLIN};
}

static void let_in(struct clients *clients)
{
    for (unsigned at = 0; at < MAX_CLIENTS; at++) {
        struct client *client = &clients->all[at];
        if (client->socket >= 0)
            continue;
        client->socket = accept(clients->door, NULL, NULL);
        if (client->socket < 0)
            return;
        fcntl(client->socket, F_SETFL, O_NONBLOCK);
        fcntl(client->socket, F_SETFD, FD_CLOEXEC);
        client->watches = false;
        client->heard_count = client->waiting_count = 0;
    }
}

static void flush(struct client *client)
{
    if (client->waiting_count == 0)
        return;
    const ssize_t done = send(client->socket, client->waiting, client->waiting_count, 0);
    if (done > 0) {
        client->waiting_count -= (size_t)done;
        memmove(client->waiting, client->waiting + done, client->waiting_count);
    } else if (done < 0 && errno != EAGAIN && errno != EINTR) {
        put_out(client);
    }
}

static bool tell(struct client *client, const char *line)
{
    const size_t length = strlen(line);
    if (client->waiting_count + length + 1 > MAX_WAITING_BYTES)
        return false;
    memcpy(client->waiting + client->waiting_count, line, length);
    client->waiting_count += length;
    client->waiting[client->waiting_count++] = '\n';
    flush(client);
    return true;
}

/* Answer each complete line that was received. */
static void listen_to(struct client *client,
                      const char *(*answer)(void *context, const char *line), void *context)
{
    char *end = NULL;
    while (client->socket >= 0 &&
           (end = memchr(client->heard, '\n', client->heard_count)) != NULL) {
        *end = '\0';
        const size_t length = (size_t)(end - client->heard) + 1;
        client->watches |= strcmp(client->heard, "watch") == 0;
        if (!tell(client, strcmp(client->heard, "watch") == 0 ? "ok"
                                                              : answer(context, client->heard)))
            put_out(client);
        client->heard_count -= length;
        memmove(client->heard, end + 1, client->heard_count);
    }
}

static void hear(struct client *client, const char *(*answer)(void *context, const char *line),
                 void *context)
{
    const ssize_t count = recv(client->socket, client->heard + client->heard_count,
                               MAX_LINE_BYTES - client->heard_count, 0);
    if (count > 0) {
        client->heard_count += (size_t)count;
        listen_to(client, answer, context);
    }
    const bool gone = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
    if (client->socket >= 0 && (gone || client->heard_count == MAX_LINE_BYTES))
        put_out(client);
}

void clients_serve(struct clients *clients, const char *(*answer)(void *context, const char *line),
                   void *context)
{
    let_in(clients);
    for (unsigned at = 0; at < MAX_CLIENTS; at++) {
        struct client *client = &clients->all[at];
        if (client->socket >= 0)
            hear(client, answer, context);
        if (client->socket >= 0)
            flush(client);
    }
}

void clients_tell_watchers(struct clients *clients, const char *line)
{
    for (unsigned at = 0; at < MAX_CLIENTS; at++)
        if (clients->all[at].socket >= 0 && clients->all[at].watches)
            tell(&clients->all[at], line);
}

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

static void make_room(struct bytes *bytes, size_t count)
{
    if (bytes->count > 0)
        memmove(bytes->at, bytes->at + bytes->first, bytes->count);
    bytes->first = 0;
    while (bytes->room < bytes->count + count)
        bytes->room = bytes->room ? 2 * bytes->room : 1024;
    bytes->at = realloc(bytes->at, bytes->room);
    if (!bytes->at)
        abort();
}

void bytes_put(struct bytes *bytes, const uint8_t *from, size_t count)
{
    if (bytes->first + bytes->count + count > bytes->room)
        make_room(bytes, count);
    if (count > 0)
        memcpy(bytes->at + bytes->first + bytes->count, from, count);
    bytes->count += count;
}

size_t bytes_take(struct bytes *bytes, uint8_t *to, size_t room)
{
    size_t count = bytes->count < room ? bytes->count : room;
    if (count > 0)
        memcpy(to, bytes->at + bytes->first, count);
    bytes->first += count;
    bytes->count -= count;
    return count;
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){0};
}

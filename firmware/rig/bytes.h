/* A queue of bytes that grows. */
#ifndef BYTES_H
#define BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *at; /* from malloc */
    size_t first, count, room;
};

void bytes_put(struct bytes *bytes, const uint8_t *from, size_t count);
size_t bytes_take(struct bytes *bytes, uint8_t *to, size_t room);
void bytes_free(struct bytes *bytes); /* empty again */

#endif

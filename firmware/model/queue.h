/* A queue of bytes without a limit. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct queue {
    uint8_t *bytes;
    size_t first, count, room;
};

/* Append bytes. Ends the program if there is no memory. */
void queue_put(struct queue *queue, const uint8_t *bytes, size_t count);
size_t queue_take(struct queue *queue, uint8_t *bytes, size_t most);
void queue_clear(struct queue *queue);
void queue_free(struct queue *queue);

#endif

#include "queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void queue_put(struct queue *queue, const uint8_t *bytes, size_t count)
{
    if (queue->first + queue->count + count > queue->room) {
        if (queue->count > 0)
            memmove(queue->bytes, queue->bytes + queue->first, queue->count);
        queue->first = 0;
    }
    if (queue->count + count > queue->room) {
        queue->room = 2 * (queue->count + count);
        queue->bytes = realloc(queue->bytes, queue->room);
        if (queue->bytes == NULL) {
            fprintf(stderr, "There is no memory for %zu bytes.\n", queue->room);
            exit(1);
        }
    }
    if (count > 0)
        memcpy(queue->bytes + queue->first + queue->count, bytes, count);
    queue->count += count;
}

size_t queue_take(struct queue *queue, uint8_t *bytes, size_t most)
{
    const size_t count = most < queue->count ? most : queue->count;
    if (count > 0)
        memcpy(bytes, queue->bytes + queue->first, count);
    queue->first += count;
    queue->count -= count;
    return count;
}

void queue_clear(struct queue *queue) { queue->first = queue->count = 0; }

void queue_free(struct queue *queue)
{
    free(queue->bytes);
    *queue = (struct queue){0};
}

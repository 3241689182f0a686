/* A thread that executes one job at a time, which may block. */
#ifndef WORKER_H
#define WORKER_H

#include <pthread.h>
#include <stdbool.h>

struct worker {
    void (*job)(void *context);
    void *context;
    int wake; /* an eventfd that is written to when a job is done */
    bool busy;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

/* Start the thread. Returns false if there can be none; the reason is then on standard
 * error. */
bool worker_start(struct worker *worker, void (*job)(void *context), void *context, int wake);

bool worker_busy(struct worker *worker);
void worker_go(struct worker *worker);   /* begin the job; the worker must not be busy */

/* Wait until the job is done. Returns false if it is not done after so long. */
bool worker_wait(struct worker *worker, unsigned ms);

#endif

#include "worker.h"

#include <errno.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "port_linux.h"

static void *serve(void *context)
{
    struct worker *worker = context;
    const uint64_t one = 1;
    pthread_mutex_lock(&worker->mutex);
    for (;;) {
        while (!worker->busy)
            pthread_cond_wait(&worker->changed, &worker->mutex);
        pthread_mutex_unlock(&worker->mutex);
        worker->job(worker->context);
        pthread_mutex_lock(&worker->mutex);
        worker->busy = false;
        pthread_cond_broadcast(&worker->changed);
        /* This fails only if the counter is full, and then the reader is woken anyway. */
        (void)!write(worker->wake, &one, sizeof one);
    }
    return NULL;
}

bool worker_start(struct worker *worker, void (*job)(void *context), void *context, int wake)
{
    pthread_t thread;
    pthread_condattr_t monotonic;
    *worker = (struct worker){.job = job, .context = context, .wake = wake};
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&worker->changed, &monotonic);
    errno = pthread_create(&thread, NULL, serve, worker);
    return errno == 0 ? pthread_detach(thread) == 0 : complain("There can be no", "thread");
}

bool worker_busy(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    const bool busy = worker->busy;
    pthread_mutex_unlock(&worker->mutex);
    return busy;
}

void worker_go(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    worker->busy = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
}

bool worker_wait(struct worker *worker, unsigned ms)
{
    struct timespec until;
    int waited = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    until.tv_sec += (time_t)(ms / 1000) + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&worker->mutex);
    while (worker->busy && waited == 0)
        waited = pthread_cond_timedwait(&worker->changed, &worker->mutex, &until);
    const bool done = !worker->busy;
    pthread_mutex_unlock(&worker->mutex);
    return done;
}

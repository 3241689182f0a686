#include "status.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "notify.h"

#define WORDS 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of the two below */
static char states[PARTS][WORDS] = {"ok", "ok", "ok", "ok"};
static bool changed = true;

void status_say(enum part part, const char *words)
{
    pthread_mutex_lock(&mutex);
    if (strncmp(states[part], words, WORDS - 1) != 0) {
        snprintf(states[part], WORDS, "%s", words);
        changed = true;
    }
    pthread_mutex_unlock(&mutex);
}

void status_set(enum part part, int error) { status_say(part, error == 0 ? "ok" : strerror(error)); }

void status_tell(void)
{
    char text[PARTS * (WORDS + 16)];
    pthread_mutex_lock(&mutex);
    if (changed)
        snprintf(text, sizeof text,
                 "WATCHDOG=1\nSTATUS=bus: %s; interrupt: %s; lights: %s; settings: %s",
                 states[PART_BUS], states[PART_INTERRUPT], states[PART_LIGHTS],
                 states[PART_SETTINGS]);
    else
        snprintf(text, sizeof text, "WATCHDOG=1");
    changed = false;
    pthread_mutex_unlock(&mutex);
    notify(text);
}

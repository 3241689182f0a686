/* The settings of the controller on a Raspberry Pi on a card that is slower than the core: each
 * write to the card lasts until the core must wait for it, or has written everything.
 */
#include <stdio.h>

#include "kept.h"
#include "port_linux.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of the three below */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool core_waits;
static unsigned syncs;

static struct port port;
static struct kept kept;
static struct settings settings;

/* Instead of the system's */
int fsync(int fd)
{
    (void)fd;
    pthread_mutex_lock(&mutex);
    syncs++;
    while (!core_waits)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

bool complain(const char *what, const char *name)
{
    perror(name);
    (void)what;
    return false;
}

static unsigned let_core(bool wait)
{
    pthread_mutex_lock(&mutex);
    core_waits = wait;
    pthread_cond_broadcast(&changed);
    const unsigned count = syncs;
    pthread_mutex_unlock(&mutex);
    return count;
}

/* Write all that is due. Print how many times a file or a folder was synced until the core was done,
 * and until everything was on the card. */
static void write_all(void)
{
    const unsigned before = let_core(false);
    while (!kept_boot_id(&kept) || !kept_settings(&kept)) {
        let_core(!kept_step(&kept, &port, &settings));
        memory_step(&port.memory);
    }
    const unsigned done = let_core(true) - before;
    memory_close(&port.memory);
    printf("%u %u\n", done, let_core(true) - before);
}

/* Write the number of this start, then settings three times. The third have every second threshold changed. */
int main(int count, char **words)
{
    uint8_t bytes[SETTINGS_BYTES];
    if (count != 2 || !memory_open(&port.memory, words[1], -1))
        return 1;
    kept_start(&kept, &port, &settings);
    write_all();
    for (unsigned time = 0; time < 3; time++) {
        settings_pack(&settings, bytes);
        for (unsigned at = 0; time == 2 && at < SETTINGS_BYTES - 2; at += 2)
            bytes[at] ^= 1;
        settings_unpack(&settings, bytes);
        kept_store(&kept);
        write_all();
    }
    return 0;
}

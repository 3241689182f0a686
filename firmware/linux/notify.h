/* Messages to systemd. */
#ifndef NOTIFY_H
#define NOTIFY_H

/* Send a message, such as "READY=1" or "WATCHDOG=1". Without systemd this does nothing. */
void notify(const char *text);

#endif

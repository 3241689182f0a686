"""Real-time priority for the threads that must not wait."""

import os
from contextlib import suppress
from typing import Final

MIN_PRIORITY: Final = 1
"""The lowest real-time priority. It is above the priority of every ordinary program (sched(7))."""


def use_realtime_priority() -> None:
    """Give the calling thread real-time priority (SCHED_RR), if the system allows it.

    Threads that the calling thread starts have ordinary priority, unless systemd has given the
    whole service this priority. Threads of the same priority take turns. The kernel leaves five
    percent of each second to all other threads (sched(7)), so a program that never rests cannot
    stop the machine.
    """
    with suppress(OSError, AttributeError):  # not allowed, or not supported
        if os.sched_getscheduler(0) != os.SCHED_RR:
            os.sched_setscheduler(
                0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(MIN_PRIORITY)
            )


def follow_main_thread() -> None:
    """Give the calling thread real-time priority if the program's main thread has it.

    A thread of lower priority would block the other threads while it holds the interpreter's lock
    and waits for the processor.
    """
    with suppress(OSError, AttributeError):
        if os.sched_getscheduler(os.getpid()) & ~os.SCHED_RESET_ON_FORK == os.SCHED_RR:
            use_realtime_priority()


def use_ordinary_priority(program: int) -> None:
    """Give ordinary priority to a program that was just started. ``program`` is its process id."""
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(program, os.SCHED_OTHER, os.sched_param(0))

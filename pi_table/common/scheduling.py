"""Who has the processor first, where several programs want it at the same time."""

import os
from contextlib import suppress
from typing import Final

LOWEST: Final = 1
"""The lowest of the priorities that come before every ordinary program (sched(7))."""


def come_first() -> None:
    """Let the calling thread run before all ordinary programs, where the system allows that.

    Threads that it starts are ordinary ones again, unless systemd has let the whole service come
    first. What comes first takes turns with its like, and the kernel leaves a twentieth of each
    second to all others (sched(7)), so that a program that never rests cannot stop the machine.
    """
    with suppress(OSError, AttributeError):  # not allowed, or a system that has no such thing
        if os.sched_getscheduler(0) != os.SCHED_RR:
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(LOWEST))


def follow() -> None:
    """Let the calling thread come first, if the program's first thread does: a thread that the
    interpreter's lock is with, and that waits for its turn, keeps all others waiting."""
    with suppress(OSError, AttributeError):
        if os.sched_getscheduler(os.getpid()) & ~os.SCHED_RESET_ON_FORK == os.SCHED_RR:
            come_first()


def be_ordinary(program: int) -> None:
    """Let a program that was just started, known by its process id, come after all of ours."""
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(program, os.SCHED_OTHER, os.sched_param(0))

"""Crash handling: end the process at once, log where it crashed, write no memory to disk."""

import faulthandler
import resource
import signal

PR_SET_DUMPABLE = 4
"""Option of prctl(2). The option sets whether a core dump of the process may be made, and whether
processes of the same user may inspect it."""


def forbid_core_dumps() -> None:
    """Prevent core dumps of this process, whatever the settings of the system are. A dump could
    contain the key of a game.

    Where the system supports it, other processes of the same user cannot inspect this process
    either.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A program in core_pattern gets dumps despite that limit, so the process is made undumpable.
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def crash_at_once() -> None:
    """Make a crash end this process at once, with a traceback on standard error.

    This replaces handlers of libraries. pygame installs handlers when it is imported; they call
    Python and SDL. If a process crashes while it allocates memory, such a handler would wait for
    ever, and the last picture would stay on the screen.
    """
    for crash in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE):
        signal.signal(crash, signal.SIG_DFL)
    faulthandler.enable()

"""Crash handling: end the process at once, log where it crashed, write no memory to disk."""

import faulthandler
import resource
import signal

PR_SET_DUMPABLE = 4
"""Option of prctl(2): whether a process may be dumped, or inspected by its user's processes."""


def forbid_core_dumps() -> None:
    """Prevent core dumps of this process, which could contain a key, however the system is set up.

    Where the system supports it, other processes of the same user cannot inspect this one either.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A program in core_pattern gets dumps despite that limit, so the process is made undumpable.
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def crash_at_once() -> None:
    """Make a crash end this process at once, and write the running lines of code to standard error.

    This replaces handlers of libraries. pygame installs handlers when it is imported; they call
    Python and SDL. A process that crashes inside an allocation would wait for itself for ever in
    such a handler, with its last picture still on the screen.
    """
    for crash in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE):
        signal.signal(crash, signal.SIG_DFL)
    faulthandler.enable()

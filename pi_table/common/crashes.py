"""What a crash may do: end its process at once, say where that was, and keep none of its memory."""

import faulthandler
import resource
import signal

PR_SET_DUMPABLE = 4
"""prctl(2): may the process be dumped, and looked into by others of its user?"""


def forbid_core_dumps() -> None:
    """Let no crash of this process write its memory, a key among it, whatever the system is set up
    to do.

    Where the system knows of it, no other process of the same user may look into this one either.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A program that the kernel hands its dumps to gets them whatever that limit is.
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def crash_at_once() -> None:
    """Let a crash end this process there and then, whatever handlers a library has for it, and
    leave on standard error which lines of code it was at.

    pygame's handlers, in force since its import, call Python and SDL: a process that crashes while
    it asks for memory waits there for itself for ever, with its last picture still on the screen.
    """
    for crash in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE):
        signal.signal(crash, signal.SIG_DFL)
    faulthandler.enable()

"""No core dumps: a crash writes nothing of what a process has in its memory, a key among it."""

import resource

PR_SET_DUMPABLE = 4
"""prctl(2): may the process be dumped, and looked into by others of its user?"""


def forbid_core_dumps() -> None:
    """Let no crash of this process write its memory, whatever the system is set up to do.

    Where the system knows of it, no other process of the same user may look into this one either.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A program that the kernel hands its dumps to gets them whatever that limit is.
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)

"""Waiting for what a program of its own ought to do."""

import time
from collections.abc import Callable

from patience import PATIENCE


def waited_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait for the condition, at most so many seconds; return True if it holds."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True

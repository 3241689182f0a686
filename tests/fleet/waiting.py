"""Waiting for what a program of its own ought to do."""

import time
from collections.abc import Callable

from patience import PATIENCE


def waited_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Look until it is so. Is it, in the end?"""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True

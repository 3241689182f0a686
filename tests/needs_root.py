"""Marks for tests that only root can run; an ordinary user sees them skipped, with the reason."""

import os
from typing import Final

import pytest


def needs_root(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(os.geteuid() != 0, reason=f"only root can {reason}")


looks_inside: Final = needs_root("look into a process that hides its memory")

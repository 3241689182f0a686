"""The sources of requests, and the permissions that acts need. The table of acts is
in `acts.py`."""

import enum
from typing import Final, Literal

from pi_table.common.house_settings import GuestAct


class Asker(enum.Enum):
    """The source of a request."""

    CONSOLE = enum.auto()
    """The hidden screen. Its requests name a seat; for the operator's acts, it must be the
    operator's."""
    PHONE = enum.auto()
    DESK = enum.auto()
    """The desk, which is the operator's web page. Its connection is encrypted, and it asks for the
    PIN."""
    HOUSE = enum.auto()
    """A program that manages several tables. It uses a local socket."""
    TABLE = enum.auto()
    """The table itself, which pairs agents with their phones and ends these pairs."""


PIN: Final = "pin"
Need = GuestAct | Literal["pin"] | None
"""The requirement of an act if the table has a PIN.

A `GuestAct` needs the PIN, unless the house allows this act to guests. ``pin`` always needs the
PIN. None needs nothing.
"""

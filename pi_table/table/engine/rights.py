"""The sources of requests, and the permissions that acts need. The table of acts is
in `acts.py`."""

import enum
from typing import Final, Literal

from pi_table.common.house_settings import GuestAct


class Asker(enum.Enum):
    """The source of a request."""

    CONSOLE = enum.auto()
    """The hidden screen. Each request names a seat. To request an act of the operator, the request
    must name the operator's seat."""
    PHONE = enum.auto()
    DESK = enum.auto()
    """The desk, which is the operator's web page. Its connection is encrypted, and it asks for the
    PIN."""
    HOUSE = enum.auto()
    """A program that manages several tables. It uses a local socket."""
    TABLE = enum.auto()
    """The table itself, which pairs agents with their phones and unpairs them."""


PIN: Final = "pin"
Need = GuestAct | Literal["pin"] | None
"""The requirement of an act if the table has a PIN.

With a `GuestAct`, the act needs the PIN unless the house allows it to guests. With ``pin``, the act
always needs the PIN. With None, it never does.
"""

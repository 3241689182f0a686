"""The askers of acts, and the permission that an act may need. `acts.py` has the table of acts."""

import enum
from typing import Final, Literal

from pi_table.common.house_settings import GuestAct


class Asker(enum.Enum):
    """The kind of source from which a request comes."""

    CONSOLE = enum.auto()
    """The hidden screen, in any seat. The operator's own acts need the operator's seat."""
    PHONE = enum.auto()
    DESK = enum.auto()
    """The operator at the desk: a page with a sealed connection, and the PIN."""
    HOUSE = enum.auto()
    """A program that looks after several tables, over a socket of the machine."""
    TABLE = enum.auto()
    """The table itself, for acts that pair agents with their phones."""


PIN: Final = "pin"
Need = GuestAct | Literal["pin"] | None
"""The requirement of an act if a PIN is set.

With a `GuestAct`: the PIN, unless the house allows the act to guests. With ``pin``: always the PIN.
With None: nothing.
"""

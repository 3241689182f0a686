"""Who asks for something, and what an act may need. The table of acts is in `acts.py`."""

import enum
from typing import Final, Literal

from pi_table.common.house import GuestAct


class Asker(enum.Enum):
    """Who asks for something, and where."""

    CONSOLE = enum.auto()
    """Somebody at the hidden screen, in any seat; what only the operator may, in the operator's."""
    PHONE = enum.auto()
    """Whoever has the phone of a seat."""
    DESK = enum.auto()
    """The operator at the desk: a page with a sealed line, and the PIN."""
    HOUSE = enum.auto()
    """Whoever looks after several tables, over a socket of the machine."""
    TABLE = enum.auto()
    """The table itself, which does an act of the rules that follows from who has a phone."""


PIN: Final = "pin"
Need = GuestAct | Literal["pin"] | None
"""What an act needs where a PIN is set: a permission of guests, or the PIN, as it does without that
permission; None: nothing."""

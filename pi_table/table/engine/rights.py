"""Who may ask for what, and what that needs: one row an act, whoever asks.

When an act makes sense is judged by what does it (`door.decide`), on the table as it stands. The
answers to everything that can be asked, in every state, are in `tests/engine/who_may.txt`.
"""

import enum
from typing import Final

import msgspec

from pi_table.common.house import GuestAct
from pi_table.games.rules.seat import Role


class Asker(enum.Flag):
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


CONSOLE, DESK, HOUSE = Asker.CONSOLE, Asker.DESK, Asker.HOUSE
SPYMASTER, OPERATIVES, AGENT = Role.SPYMASTER, Role.OPERATIVES, Role.AGENT


class Right(msgspec.Struct, frozen=True):
    """The right to ask for an act."""

    act: str
    who: Asker = CONSOLE
    phones: tuple[Role, ...] = ()
    """The roles whose phones may ask for it. A guess is a finger on a card: nobody makes one from
    elsewhere."""
    guests: GuestAct | None = None
    """The permission that guests need, where a PIN is set; None: none. At the hidden screen an open
    operator's page does as well."""
    needs_pin: bool = False
    """True for what is never left to guests: where a PIN is set, the operator's page is open."""
    is_limited: bool = False
    """True where a phone may ask for it a few times a minute: the rules allow it again and again,
    and each is kept and told to everybody."""
    while_locked: bool = False
    """True where a desk may ask for it before the PIN was entered."""
    by_itself: bool = False
    """True for what a desk's page asks for by itself: it does not keep the desk open."""


RIGHTS: Final = (
    # The table's own acts.
    Right("start", guests="start"),
    Right("next", guests="start"),
    Right("record", CONSOLE | DESK, guests="record"),
    Right("tally", CONSOLE | DESK),
    Right("here"),
    Right("look"),
    Right("clues"),
    Right("peek"),
    Right("unpeek"),
    Right("mark", phones=(OPERATIVES,)),
    Right("judge", Asker(0), (SPYMASTER,)),
    Right("phone"),
    Right("let-go"),
    Right("unlock", CONSOLE | DESK, while_locked=True),
    Right("lock", CONSOLE | DESK),
    Right("try-again"),
    Right("set-aside", needs_pin=True),
    Right("house", CONSOLE | DESK, needs_pin=True),
    Right("packs", CONSOLE | DESK, needs_pin=True),
    Right("doctor", CONSOLE | DESK, needs_pin=True),
    Right("service", CONSOLE | DESK, needs_pin=True),
    Right("leave-service", CONSOLE | DESK),
    Right("shutdown", CONSOLE | DESK, needs_pin=True),
    Right("set-pin", needs_pin=True),
    Right("desk", needs_pin=True),
    Right("close-desk", needs_pin=True),
    # The desk's own.
    Right("state", DESK, while_locked=True, by_itself=True),
    Right("pads", DESK, by_itself=True),
    *(Right(act, DESK) for act in ("change-pin", "settings", "rule", "games", "statistics")),
    *(Right(act, DESK) for act in ("pack", "put", "check-pack", "read-list", "save-pack")),
    *(Right(act, DESK) for act in ("remove-pack", "backup", "get", "check-backup", "restore")),
    Right("drop", DESK),
    # What is ordered from afar.
    *(Right(act, HOUSE) for act in ("locate", "set", "closing", "keep-free", "finished")),
    # Acts of the rules. Those that have no row may be asked for at the hidden screen alone.
    Right("clue", phones=(SPYMASTER,)),
    *(Right(act, phones=(SPYMASTER,)) for act in ("challenge", "allow", "uphold")),
    *(Right(act, phones=(SPYMASTER,)) for act in ("cover", "decline")),
    Right("hourglass", phones=(SPYMASTER,), is_limited=True),
    Right("pause", phones=(SPYMASTER, AGENT), guests="pause", is_limited=True),
    Right("resume", phones=(SPYMASTER, AGENT), is_limited=True),
    Right("new-key", phones=(SPYMASTER,), guests="new-key", is_limited=True),
    Right("reveal", phones=(SPYMASTER, AGENT), guests="reveal"),
    Right("correct", guests="correct"),
    Right("abandon", guests="abandon"),
    Right("new-code", guests="new-key"),
    Right("unpair", guests="new-key"),
    *(Right(act, phones=(AGENT,)) for act in ("ready", "choose-code", "enter-code")),
    *(Right(act, phones=(AGENT,)) for act in ("send", "hack", "ask", "extort", "attempt", "done")),
)
_BY_NAME: Final = {right.act: right for right in RIGHTS}


def right_to(act: object) -> Right:
    """The right to an act of this name, which may be anything that was sent."""
    name = act if isinstance(act, str) else ""
    return _BY_NAME.get(name) or Right(name)

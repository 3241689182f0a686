"""A peek: the hidden screen shows hidden information for a limited time.

The hidden screen receives hidden information only during a peek, which must be requested. A peek
shows one secret: a word game's key, or an agent's secrets in one visit. It ends as soon as the seat
may no longer see that secret. The code of the game's family decides which secret it is. A peek at a
key also ends after a time limit, unless it is renewed. ``now`` is in seconds of the table's clock.
"""

from typing import Final

import msgspec

from pi_table.games.rules.games import AnyState
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.messages import Peeking
from pi_table.table.engine.families.registry import family_of

PEEK_SECONDS: Final = 180.0
"""Seconds that a peek at a key lasts by default."""


class Peek(msgspec.Struct, frozen=True):
    """A peek at the secret that ``seat`` may see."""

    seat: Seat
    game: int
    sight: object
    """Identifies the visible secret. It changes when that secret changes."""
    ends: float | None
    """Time at which the peek ends by itself; None without a limit."""

    @property
    def wakes(self) -> float | None:
        """Time at which `current_peek` ends the peek; None without a limit."""
        return self.ends


def begin(state: AnyState, game: int, seat: Seat, now: float, seconds: float) -> Peek:
    """Return a peek of ``seat`` that begins, or is renewed, at ``now``. ``game`` is the game's
    number.

    A peek at a key lasts for ``seconds``; 0 means no limit. An agent's secrets stay visible until
    the visit ends. Raises Refused if the seat has nothing to see.
    """
    sight = family_of(state.board).sight(state, seat)
    timed = seat.role is Role.SPYMASTER and seconds > 0.0
    return Peek(seat, game, sight, now + seconds if timed else None)


def current_peek(
    peek: Peek | None, state: AnyState | None, game: int | None, now: float
) -> Peek | None:
    """Return the peek if it is still valid at ``now`` in this game; otherwise None."""
    if peek is None or state is None or peek.game != game:
        return None
    if peek.ends is not None and now >= peek.ends:
        return None
    try:
        sight = family_of(state.board).sight(state, peek.seat)
    except Refused:
        return None
    return peek if sight == peek.sight else None


def may_be_told(peek: Peek | None, seat: Seat) -> bool:
    """True if ``seat`` may receive hidden information now. A spymaster may request the key at any
    time; an agent receives secrets only during their own current ``peek``."""
    return seat.role is not Role.AGENT or (peek is not None and peek.seat is seat)


def for_the_console(peek: Peek | None, now: float) -> Peeking | None:
    """Return the peek as a part of the console's message; None if there is no peek."""
    if peek is None:
        return None
    left = None if peek.ends is None else round(max(0.0, peek.ends - now), 3)
    return Peeking(peek.seat, left)

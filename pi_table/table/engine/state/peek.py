"""A peek: somebody at the hidden screen looks at what is hidden, and for how long.

The table sends what is hidden only while a peek is on. A peek is asked for, looks at one thing (a
word game's key, or what an agent may see in one visit), and is over as soon as that thing is not to
be seen any more, whatever the reason. What that thing is, its family of games says. A peek at a key
is over after a while, too, unless it is renewed. Nothing here has a clock: ``now`` is in seconds of
the table's.
"""

from typing import Final

import msgspec

from pi_table.games.rules.games import AnyState
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.messages import Peeking
from pi_table.table.engine.families.families import family_of

PEEK_SECONDS: Final = 180.0
"""How long a peek at a key lasts unless the configuration says otherwise."""


class Peek(msgspec.Struct, frozen=True):
    """Somebody looks, in a ``seat``."""

    seat: Seat
    game: int
    """The number of the game in the journal."""
    sight: object
    """What is looked at, without the secret itself. The value is the same for as long as the thing
    that is looked at."""
    ends: float | None
    """The instant at which the peek is over by itself; None: never."""

    @property
    def wakes(self) -> float | None:
        """When `passed` is due next, None if time alone changes nothing."""
        return self.ends


def begin(state: AnyState, game: int, seat: Seat, now: float, seconds: float) -> Peek:
    """Look from a ``seat`` at what is hidden in a game; to look again renews a peek.

    ``game`` is the number of the game in the journal. ``seconds`` is how long a key is seen, 0:
    without end. An agent's secrets are seen for as long as the visit goes on. Raises Refused where
    there is nothing to look at.
    """
    sight = family_of(state.board).sight(state, seat)
    timed = seat.role is Role.SPYMASTER and seconds > 0.0
    return Peek(seat, game, sight, now + seconds if timed else None)


def passed(peek: Peek | None, state: AnyState | None, game: int | None, now: float) -> Peek | None:
    """What is left of a peek at ``now``, as the game stands then: the whole peek, or None."""
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
    """May what is hidden be told to ``seat`` now? A spymaster who asks may be told the key at any
    time; an agent is told something while that agent peeks. ``peek`` is one that has not passed."""
    return seat.role is not Role.AGENT or (peek is not None and peek.seat is seat)


def for_the_console(peek: Peek | None, now: float) -> Peeking | None:
    """A peek as the message to the console has it; None where nobody peeks."""
    if peek is None:
        return None
    left = None if peek.ends is None else round(max(0.0, peek.ends - now), 3)
    return Peeking(peek.seat, left)

"""An announcement tells everybody at the table about one event.

Lights, sound, speech, captions and pages are all made from announcements. An announcement is made
only from public information, so it cannot leak a secret.
"""

import enum
from typing import Final

import msgspec

from pi_table.common.language import Words
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity


class What(enum.Enum):
    """The kinds of announcement. The kind decides which lights, sound and speech are used."""

    BEGINS = "begins"
    GOES_ON = "goes-on"
    """The table has restarted, and its game goes on."""
    LAY = "lay"
    """The table asks a team to lay one of the team's own cards (DU-2)."""
    HAND = "hand"
    """The table asks a team to lay the selected card of its hand, or another card of the hand
    (DU-2)."""
    CHOSEN = "chosen"
    LAID_OUT = "laid-out"
    NEW_KEY = "new-key"
    TURN = "turn"
    """A team's turn begins, and its spymaster must give a clue."""
    CLUE = "clue"
    REVEALING = "revealing"
    """A guess is about to be answered. The answer itself is in the next announcement."""
    RIGHT = "right"
    """A team found one of the cells that it must find."""
    BYSTANDER = "bystander"
    WRONG = "wrong"
    """A team found one of the cells that the other team must find."""
    ASSASSIN = "assassin"
    NUKE = "nuke"
    COVERED = "covered"
    """A spymaster covered a cell (CN-18, NC-4)."""
    LAST_ONE = "last-one"
    GUESSES = "guesses"
    NUKE_ARMED = "nuke-armed"
    CHALLENGE = "challenge"
    ALLOWED = "allowed"
    PENALTY = "penalty"
    COVER = "cover"
    """In a game with one group, the group's spymaster must cover a cell of the absent team (NC-4).
    """
    CORRECTION = "correction"
    HURRY = "hurry"
    TIME_UP = "time-up"
    PAUSE = "pause"
    RESUMED = "resumed"
    WIN = "win"
    LOSS = "loss"
    """A game ended without a winner: both teams lost, or the group that played alone lost."""
    STOPPED = "stopped"
    REVEALED = "revealed"
    """After the end of a game, its hidden information is shown to everybody."""

    PHASE = "phase"
    """A part of a Codex game begins: sending messages, reading them, or the vote."""
    CALLED = "called"
    """An agent is called to the hidden screen, or several agents to their phones. ``place`` is set
    only for a single agent."""
    LONGER = "longer"
    DISCUSS = "discuss"
    VOTE = "vote"
    VOTED = "voted"
    MACHINE = "machine"
    NOBODY = "nobody"
    FACT = "fact"
    NEW_CODE = "new-code"

    EXPLAIN = "explain"
    REFUSED = "refused"
    PEEK = "peek"
    """A word game's key is shown on the hidden screen."""
    PHONE = "phone"
    """A seat got or lost a phone, which can show what that seat may see."""
    STILL_PLAYING = "still-playing"
    """Nobody has touched the table for a long time, so it asks whether anybody still plays."""
    SLEEPS = "sleeps"
    """Nobody answered `STILL_PLAYING`, so the table puts the game aside."""
    JOIN = "join"
    """Somebody begins to use a table that was in attract mode."""
    WIPE = "wipe"
    """The table is wet, or an arm lies on its rim."""
    SERVICE = "service"
    CLOSING = "closing"
    CLOSED = "closed"
    """The table is out of service: no game can begin."""
    FAULT = "fault"
    """The table is out of order: nobody can play."""
    IN_ORDER = "in-order"
    """The table can be used again after a fault, service mode, or being out of service."""

    __hash__ = object.__hash__


class Announcement(msgspec.Struct, frozen=True):
    """Something that everybody at the table should learn."""

    what: What
    words: Words
    """The sentence that people read or hear. It is translated when it is shown."""
    after: float = 0.0
    """Seconds from the event to its announcement. The answer to a guess is delayed for suspense,
    always by the same time, so that the delay does not reveal the answer."""
    place: int | None = None
    """The place (cell or pad, 0 … 26) of the event; None for an event without a place."""
    team: Team | None = None
    """The team that the event concerns; None if it concerns no team or both teams."""
    identity: Identity | None = None
    """The identity of the cell that was found or covered; None for any other event."""

    @property
    def spoken(self) -> bool:
        return self.what not in UNSPOKEN


UNSPOKEN: Final = frozenset({What.REVEALING, What.PEEK, What.LAY, What.VOTE})
"""Kinds of announcement that are not spoken, because they come too often or the next sentence says
the same."""
CANCEL_OTHERS: Final = frozenset({What.BEGINS, What.NEW_KEY, What.CORRECTION, What.STOPPED})
"""Kinds of announcement that cancel all pending announcements. The pending ones concern a game or
guess that no longer counts."""
TENSION: Final = 1.0
"""Seconds of suspense from a guess to its answer. Lights, sound and pages wait this long.
The drum roll's `TENSION_SECONDS` in ``devices/sound/scores.py`` must have the same value."""
ECHO: Final = 0.9
"""Seconds between the answer to a guess and the next announcement."""
FACT_ECHO: Final = 3.0
"""Seconds between the truth machine's result, which people must understand, and the next
announcement."""
PART_ECHO: Final = 1.5
"""Seconds between announcing a part of a Codex phase and calling the first agent."""
ARMED_ECHO: Final = 2.7
"""Seconds from the arming of the nuke to the next announcement: the length of the light show."""
FATAL_ECHO: Final = 4.0
"""Seconds from an answer that ends the game to the next announcement, so that people can react."""
WIN_ECHO: Final = 5.0
"""Seconds from the winner's announcement to the explanation of the end: the length of the fanfare.
Without this delay the table would drop the explanation as too late, because the fanfare and the
winner's name are played first."""
CAPTION_SECONDS: Final = 6.0
"""Seconds that a sentence stays on a screen if no other sentence follows."""

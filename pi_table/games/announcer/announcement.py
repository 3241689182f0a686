"""An announcement: something that everybody at the table is to learn, as a value.

Lights, sound, speech, captions and pages are all made of announcements, and announcements are made
of what is public alone: so none of those can tell what is hidden.
"""

import enum
from typing import Final

import msgspec

from pi_table.common.language import Words
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity


class What(enum.Enum):
    """What happened. Its lights, its sound, and whether it is spoken follow from it."""

    BEGINS = "begins"
    """A game begins."""
    GOES_ON = "goes-on"
    """The table has come back, and a game goes on."""
    LAY = "lay"
    """A team is to lay a card of its own (DU-2)."""
    HAND = "hand"
    """A team is to lay a card of its hand, of which one is chosen (DU-2)."""
    CHOSEN = "chosen"
    """A team chose another card of its hand."""
    LAID_OUT = "laid-out"
    """All cards lie, and the key is drawn."""
    NEW_KEY = "new-key"
    TURN = "turn"
    """A team's turn begins; its clue is awaited."""
    CLUE = "clue"
    REVEALING = "revealing"
    """A guess is about to be answered: what it is, only its announcement tells."""
    RIGHT = "right"
    """A team found what it looks for."""
    BYSTANDER = "bystander"
    WRONG = "wrong"
    """A team found what the other one looks for."""
    ASSASSIN = "assassin"
    NUKE = "nuke"
    COVERED = "covered"
    """A spymaster covered a cell (CN-18, NC-4)."""
    LAST_ONE = "last-one"
    """A team has a single one left to find."""
    GUESSES = "guesses"
    """How many guesses are left."""
    NUKE_ARMED = "nuke-armed"
    CHALLENGE = "challenge"
    ALLOWED = "allowed"
    PENALTY = "penalty"
    COVER = "cover"
    """A group's spymaster is to cover a cell of the absent team (NC-4)."""
    CORRECTION = "correction"
    HURRY = "hurry"
    """Little time is left."""
    TIME_UP = "time-up"
    PAUSE = "pause"
    RESUMED = "resumed"
    WIN = "win"
    LOSS = "loss"
    """A group lost, or both teams did."""
    STOPPED = "stopped"
    """A game was ended before its end."""
    REVEALED = "revealed"
    """What was hidden is open to everybody, after the end."""

    PHASE = "phase"
    """A part of a game of Codex begins."""
    CALLED = "called"
    """An agent is called to the hidden screen, or several to their phones, at no place."""
    LONGER = "longer"
    """A visit lasts longer."""
    DISCUSS = "discuss"
    VOTE = "vote"
    """An agent is to vote."""
    VOTED = "voted"
    MACHINE = "machine"
    """An agent goes to the truth machine."""
    NOBODY = "nobody"
    """Nobody goes to the truth machine."""
    FACT = "fact"
    """The truth machine brought something to light."""
    NEW_CODE = "new-code"

    EXPLAIN = "explain"
    """What people do now, for those who play for the first time."""
    REFUSED = "refused"
    """A touch was refused."""
    PEEK = "peek"
    """The key is on the hidden screen."""
    PHONE = "phone"
    """A seat has a phone now, which can show what that seat may see; or has none any more."""
    STILL_PLAYING = "still-playing"
    """Nobody has touched the table for long: it asks."""
    SLEEPS = "sleeps"
    """Nobody answered: the game is set apart."""
    JOIN = "join"
    """Somebody has come to a table that slept."""
    WIPE = "wipe"
    """The table is wet, or an arm lies on its rim."""
    SERVICE = "service"
    """The table is in service: its parts are tried."""
    CLOSING = "closing"
    """The house closes soon."""
    CLOSED = "closed"
    """No game begins at the table: it is out of service."""
    FAULT = "fault"
    """The table cannot be played at."""
    IN_ORDER = "in-order"
    """The table can be played at again."""

    __hash__ = object.__hash__


class Announcement(msgspec.Struct, frozen=True):
    """Something that everybody at the table is to learn."""

    what: What
    words: Words
    """The sentence for people, to be written in their language."""
    after: float = 0.0
    """The seconds from what happened until it is told. A guess is answered after a while of
    tension, which is as long for whatever it is."""
    place: int | None = None
    """The place (0 … 26) at which it happened; None where it happened at none."""
    team: Team | None = None
    """The team that it is about; None where it is about none, or about both."""
    identity: Identity | None = None
    """What a cell was found to be; None where none was."""

    @property
    def spoken(self) -> bool:
        """May the sentence be spoken aloud?"""
        return self.what not in UNSPOKEN


UNSPOKEN: Final = frozenset({What.REVEALING, What.PEEK, What.LAY, What.VOTE})
"""What is not spoken: what comes too often, and what the next sentence tells."""
AFRESH: Final = frozenset({What.BEGINS, What.NEW_KEY, What.CORRECTION, What.STOPPED})
"""What ends whatever else is still to be told: it is of a game, or a guess, that is no more."""
TENSION: Final = 1.0
"""Seconds from a guess to its answer."""
ECHO: Final = 0.9
"""Seconds from the answer of a guess to what follows from it."""
FACT_ECHO: Final = 3.0
"""Seconds from what came of the truth machine to what follows: people need to take it in."""
PART_ECHO: Final = 1.5
"""Seconds from the part of a phase that begins to who is called first in it."""
ARMED_ECHO: Final = 2.7
"""Seconds from the arming of the nuke to what follows: its lights take so long."""
FATAL_ECHO: Final = 4.0
"""Seconds from an answer that ends everything to what follows: people need a moment."""
CAPTION_SECONDS: Final = 6.0
"""How long a sentence stands on a screen, to be read, if nothing follows it."""

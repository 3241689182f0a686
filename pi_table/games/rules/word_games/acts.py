"""The acts of word games. If an act needs a new key, the key is drawn first, and the act contains
it."""

import msgspec

from pi_table.games.rules.word_games.board import Number
from pi_table.games.rules.word_games.key import Key


class Act(msgspec.Struct, frozen=True, gc=False, tag_field="act"):
    """One act of one seat. Its tag is the act's name for people and programs."""


class Choose(Act, frozen=True, tag="choose"):
    """Choose which card of the team's hand is laid next."""

    word: str


class Place(Act, frozen=True, tag="place"):
    """Lay a card on an empty cell: the card with this word, the selected card, or your own card."""

    cell: int
    word: str | None = None
    key: Key | None = None
    """The key of the game. Only the act that lays the last card has it; other acts have None."""


class GiveClue(Act, frozen=True, tag="clue"):
    """Give the clue of this turn: a number, and a word if the screens should show it."""

    number: Number
    word: str | None = None


class Guess(Act, frozen=True, tag="guess"):
    """Guess a cell by touching it."""

    cell: int


class Stop(Act, frozen=True, tag="stop"):
    """End the turn of your team."""


class Challenge(Act, frozen=True, tag="challenge"):
    """Say that the other team's clue is invalid."""


class Allow(Act, frozen=True, tag="allow"):
    """Decide that the challenged clue is valid."""


class Uphold(Act, frozen=True, tag="uphold"):
    """Decide that the challenged clue is invalid."""


class Cover(Act, frozen=True, tag="cover"):
    """Cover a cell that a penalty allows, or a cell of the absent team."""

    cell: int


class Decline(Act, frozen=True, tag="decline"):
    """Decline the penalty: cover no cell."""


class TurnHourglass(Act, frozen=True, tag="hourglass"):
    """Turn the hourglass over, to hurry a slow team."""


class Pause(Act, frozen=True, tag="pause"):
    """Stop the game and its time."""


class Resume(Act, frozen=True, tag="resume"):
    """Go on after a pause."""


class Correct(Act, frozen=True, tag="correct"):
    """Correct the clue's number, undo the latest guess or card, or continue an abandoned game."""

    number: Number | None = None


class NewKey(Act, frozen=True, tag="new-key"):
    """Draw another key for the same words, because somebody saw this one."""

    key: Key


class Abandon(Act, frozen=True, tag="abandon"):
    """End the game without a winner."""


class Reveal(Act, frozen=True, tag="reveal"):
    """Show everybody the key of a finished game."""


def name_of(kind: type[Act]) -> str:
    """Return the name of an act for people and programs: its tag."""
    return str(kind.__struct_config__.tag)

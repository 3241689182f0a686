"""The acts of word games. Chance is data: an act that needs a drawn key contains it."""

import msgspec

from pi_table.games.rules.word_games.board import Number
from pi_table.games.rules.word_games.key import Key


class Act(msgspec.Struct, frozen=True, gc=False, tag_field="act"):
    """One act of one seat. Its tag is the name that people and programs use for it."""


class Choose(Act, frozen=True, tag="choose"):
    """Choose the card of the team's hand that is laid next."""

    word: str


class Place(Act, frozen=True, tag="place"):
    """Lay a card on an empty cell: that of the word, else the chosen one, or one of one's own."""

    cell: int
    word: str | None = None
    key: Key | None = None
    """The key of the game. Only the card that fills the grid brings it; None with other cards."""


class GiveClue(Act, frozen=True, tag="clue"):
    """Give the turn's clue: a number, and its word if it is wanted on the screens."""

    number: Number
    word: str | None = None


class Guess(Act, frozen=True, tag="guess"):
    """Touch a cell."""

    cell: int


class Stop(Act, frozen=True, tag="stop"):
    """End the turn."""


class Challenge(Act, frozen=True, tag="challenge"):
    """Say that the other team's clue is invalid."""


class Allow(Act, frozen=True, tag="allow"):
    """Let a challenged clue stand."""


class Uphold(Act, frozen=True, tag="uphold"):
    """Agree that the challenged clue is invalid."""


class Cover(Act, frozen=True, tag="cover"):
    """Cover the cell that a penalty allows, or one of the absent team."""

    cell: int


class Decline(Act, frozen=True, tag="decline"):
    """Leave the penalty."""


class TurnHourglass(Act, frozen=True, tag="hourglass"):
    """Turn the hourglass over for whoever is slow."""


class Pause(Act, frozen=True, tag="pause"):
    """Stop the game and its time."""


class Resume(Act, frozen=True, tag="resume"):
    """Go on after a pause."""


class Correct(Act, frozen=True, tag="correct"):
    """Take back an abandon, else the latest guess or card; with a number: change the clue's."""

    number: Number | None = None


class NewKey(Act, frozen=True, tag="new-key"):
    """Lay another key over the same words: somebody saw this one."""

    key: Key


class Abandon(Act, frozen=True, tag="abandon"):
    """End the game with nobody winning."""


class Reveal(Act, frozen=True, tag="reveal"):
    """Show everybody the key of a game that is over."""


def name_of(kind: type[Act]) -> str:
    """Return the name of an act for people and programs."""
    return str(kind.__struct_config__.tag)

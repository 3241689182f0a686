"""The key: the identity of each of the 25 cells. A key hides its contents when it is printed.

A game's `Layout` says which identities there are. As text, a key has 25 letters, in the order of
the cells: ``r`` and ``b`` for the agents (Alias 24: assets) of red and blue, ``n`` for a bystander
or decoy, ``a`` for the assassin or nuke, ``-`` for a cell without a card.
"""

import enum
from typing import Any, Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT, CELLS
from pi_table.common.language import say
from pi_table.games.rules.profile import PROFILES, Family
from pi_table.games.rules.team import BLUE, RED, Team

NO_CARD: Final = "-"


class Identity(enum.Enum):
    """The identity of a cell, for example bystander or assassin."""

    RED = "red", "r", Team.RED
    BLUE = "blue", "b", Team.BLUE
    BYSTANDER = "bystander", "n", None
    ASSASSIN = "assassin", "a", None
    DECOY = "decoy", "n", None
    NUKE = "nuke", "a", None

    letter: str
    """The letter for the identity in a key that is written as text."""
    team: Team | None

    def __new__(cls, value: str, letter: str, team: Team | None) -> "Identity":
        identity = object.__new__(cls)
        identity._value_ = value
        identity.letter = letter
        identity.team = team
        return identity

    __hash__ = object.__hash__


AGENT_OF: Final = {each.team: each for each in Identity if each.team is not None}
"""The identity of the cells of each team."""


class Layout(msgspec.Struct, frozen=True, eq=False):
    """The identities of a game's cells, and whose cells each team must find."""

    more: int
    """Number of cells of the team that has more cells than the other team."""
    fewer: int
    """Number of cells of the team that has fewer cells than the other team."""
    harmless: int
    """Number of cells that belong to nobody. Finding one of them ends the turn."""
    of_nobody: Identity
    """Identity of a cell that belongs to nobody: a bystander, or a decoy."""
    fatal: Identity
    """Identity of the cell whose finder loses the game: the assassin, or the nuke."""
    without_card: int | None = None
    """The number of the cell without a card; None if every cell has a card."""
    hostile: bool = False
    """True if each team looks for the other team's cells (AL-3), False if for its own cells."""
    by_letter: dict[str, Identity] = msgspec.field(default_factory=dict)
    """The identity for each letter of a key except `NO_CARD`. Computed from the other fields."""

    def __post_init__(self) -> None:
        for identity in (Identity.RED, Identity.BLUE, self.of_nobody, self.fatal):
            self.by_letter[identity.letter] = identity

    def quarry(self, team: Team) -> Team:
        """Return the team whose cells ``team`` looks for. It is also the team that looks for the
        cells of ``team``."""
        return team.other if self.hostile else team

    @property
    def cards(self) -> int:
        """Number of cells that hold a card."""
        return self.more + self.fewer + self.harmless + 1


CLASSIC: Final = Layout(9, 8, 7, Identity.BYSTANDER, Identity.ASSASSIN)
"""The layout of the classic game (CN-2)."""
ALIAS: Final = Layout(9, 8, 6, Identity.DECOY, Identity.NUKE, CELLS.index("C3"), hostile=True)
"""The layout of Alias 24 (AL-1)."""
_UNLIKE_THE_CLASSIC: Final = {"alias-24": ALIAS}
LAYOUTS: Final = {
    profile.id: _UNLIKE_THE_CLASSIC.get(profile.id, CLASSIC)
    for profile in PROFILES.values()
    if profile.family is Family.WORDS
}
"""The layout of each word game, by profile, such as ``codenames``."""


def layout_of(letters: str) -> Layout:
    """Return the layout of a key, given its letters. Alias 24 is recognized by its cell without a
    card."""
    return ALIAS if NO_CARD in letters else CLASSIC


def identity_at(letters: str, cell: int) -> Identity | None:
    """Return the identity of a cell (0 … 24) of a key given as letters; None if it has no card."""
    return layout_of(letters).by_letter.get(letters[cell])


class Key(msgspec.Struct, frozen=True, gc=False):
    """The identity of each cell. Printing a key never shows its contents.

    pickle and msgspec store ``letters`` unencrypted. The letters are not checked here; input from
    outside must go through ``Key.read``.
    """

    letters: str

    @classmethod
    def read(cls, text: object, layout: Layout = CLASSIC) -> "Key":
        """Return the key with these 25 letters, after checking them against the layout.

        Raises InputError. Its message never quotes the text: even a key with a typing error may
        give away the real one.
        """
        if not isinstance(text, str) or not _are_letters_of(text, layout):
            wrong = say("has other letters than it can have")
            if not isinstance(text, str) or len(text) != CELL_COUNT:
                wrong = say("is not {cell_count} letters", cell_count=CELL_COUNT)
            raise InputError(
                say(
                    "The key {wrong}. Give one small letter for each cell, in the order A1 B1 C1 "
                    "D1 E1 A2 … E5: r (red), b (blue), n ({value}) or a "
                    "({value_2}){but_for_the_cell_without_card}.",
                    wrong=wrong,
                    value=layout.of_nobody.value,
                    value_2=layout.fatal.value,
                    but_for_the_cell_without_card=_but_for_the_cell_without_card(layout),
                )
            )
        of_teams = {text.count(team.letter) for team in Team}
        if of_teams != {layout.more, layout.fewer} or text.count("n") != layout.harmless:
            raise InputError(
                say(
                    "The key has the wrong number of some letter. Give {more} cells to one team, "
                    "{fewer} to the other; {harmless} are n ({value}), and 1 is a ({value_2}).",
                    more=layout.more,
                    fewer=layout.fewer,
                    harmless=layout.harmless,
                    value=layout.of_nobody.value,
                    value_2=layout.fatal.value,
                )
            )
        return cls(text)

    def identity(self, cell: int) -> Identity:
        """Return the identity of a cell (0 … 24). Raises KeyError if the cell has no card."""
        letters = self.letters
        return layout_of(letters).by_letter[letters[cell]]

    @property
    def starts(self) -> Team:
        """The team that starts, which has more cells to find than the other team."""
        layout = layout_of(self.letters)
        red_has_more = self.letters.count(RED.letter) == layout.more
        return layout.quarry(RED if red_has_more else BLUE)

    def __repr__(self) -> str:
        return "Key(hidden)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("letters", "hidden")]  # for rich; msgspec's own method would show the letters


def _are_letters_of(text: str, layout: Layout) -> bool:
    """True if each cell has a letter of the layout, or `NO_CARD` if the cell has no card."""
    without = layout.without_card
    letters = text if without is None else text[:without] + text[without + 1 :]
    no_card = without is None or text[without : without + 1] == NO_CARD
    return len(text) == CELL_COUNT and no_card and layout.by_letter.keys() >= {*letters}


def _but_for_the_cell_without_card(layout: Layout) -> str:
    without = layout.without_card
    return (
        ""
        if without is None
        else say(
            "; and {no_card} for {cells}, which holds no card",
            no_card=NO_CARD,
            cells=CELLS[without],
        )
    )

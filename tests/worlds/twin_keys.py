"""A second key that nobody but a spymaster could tell from the first.

Two worlds are a pair of keys. They agree on all that play has disclosed, and differ elsewhere.
"""

from collections.abc import Iterable, Mapping, Set
from random import Random

import msgspec

from pi_table.geometry import CELL_COUNT
from pi_table.rules import events
from pi_table.rules.key import Key, Team, draw
from pi_table.rules.refusal import Reason

TRIES = 200


class Told(msgspec.Struct):
    """What play has disclosed of one key that was in force."""

    cells: set[int]
    """Cells whose identity was shown at any time."""
    refused: dict[int, set[str]]
    """Cells whose cover was refused on the hidden screen, and the letters they cannot have."""


def in_force(happened: Iterable[events.Event]) -> dict[str, Told]:
    """The keys of a game in which these events happened, by their letters, the last one last."""
    told: dict[str, Told] = {}
    letters = ""
    for event in happened:
        match event:
            case events.Dealt(key=key) | events.KeyRedrawn(key=key):
                letters = key.letters
                told[letters] = Told(set(), {})
            case events.Guessed(cell=cell) | events.Covered(cell=cell):
                told[letters].cells.add(cell)
            case events.Revealed():
                told[letters].cells.update(range(CELL_COUNT))
    return told


def note_refusal(told: Told, cell: int, team: Team, reason: Reason) -> None:
    """A cover of a hidden cell that was refused says that the cell is not the team's."""
    if reason is Reason.NOT_OWN_AGENT and cell not in told.cells:
        told.refused.setdefault(cell, set()).add(team.letter)


def twin(letters: str, told: Told, chance: Random) -> str | None:
    """Another key of the same counts that agrees with all that was told; None if there is none.

    Each is equally likely: the hidden letters are shuffled until they fit.
    """
    hidden = [cell for cell in range(CELL_COUNT) if cell not in told.cells]
    for _ in range(TRIES):
        others = [letters[cell] for cell in hidden]
        chance.shuffle(others)
        found = list(letters)
        for cell, letter in zip(hidden, others, strict=True):
            found[cell] = letter
        if found != [*letters] and _fits(found, told.refused):
            return "".join(found)
    return None


def _fits(letters: list[str], refused: Mapping[int, Set[str]]) -> bool:
    return all(letters[cell] not in wrong for cell, wrong in refused.items())


def other_world(
    drawn: Iterable[str], told: Mapping[str, Told], chance: Random
) -> tuple[str, ...] | None:
    """For every key drawn in world A the one drawn in world B; None if no key can differ.

    A key that was never in force, because the act that brought it was refused, may be any other.
    """
    found = tuple(
        (twin(letters, told[letters], chance) or letters)
        if letters in told
        else draw(chance.randrange).letters
        for letters in drawn
    )
    differs = any(one != other for one, other in zip(drawn, found, strict=True) if one in told)
    return found if differs else None


def key_source(letters: Iterable[str]) -> "KeySource":
    return KeySource(letters)


class KeySource:
    """Keys one after the other, for whoever draws."""

    def __init__(self, letters: Iterable[str]) -> None:
        self._letters = iter(letters)
        self.drawn: list[str] = []

    def __call__(self) -> Key:
        self.drawn.append(next(self._letters))
        return Key(self.drawn[-1])

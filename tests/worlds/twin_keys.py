"""A second key that nobody but a spymaster could tell from the first.

Two worlds are a pair of keys: they agree on all that play has disclosed, and differ elsewhere.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from given_keys import GivenKeys, drawn

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules.events import Event, Revealed
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.key import CLASSIC, NO_CARD, Key, Layout, layout_of

TRIES = 200


@dataclass
class Told:
    """The disclosed facts of one key that was in force."""

    cells: set[int] = field(default_factory=set)
    """Cells whose identity was shown at any time."""
    not_letters: dict[int, set[str]] = field(default_factory=dict)
    """Hidden cells whose cover was refused, which only the spymasters saw: what they are not."""

    def refused(self, cell: int, team: Team) -> None:
        """The team's spymaster tried to cover this cell, and could not."""
        self.not_letters.setdefault(cell, set()).add(team.letter)

    def allows(self, letters: str) -> bool:
        """True if the same covers would have been refused with this key."""
        return all(letters[cell] not in wrong for cell, wrong in self.not_letters.items())


def told_by(happened: Iterable[Event]) -> dict[str, Told]:
    """Return the facts that a game's events disclosed of each key, by letters, in order."""
    told: dict[str, Told] = {}
    letters = ""
    for event in happened:
        match event:
            case (
                events.Dealt(key=Key(letters=letters))  # or one that is kept until all cards lie
                | events.KeyDrawn(key=Key(letters=letters))
                | events.KeyRedrawn(key=Key(letters=letters))
            ):
                told[letters] = Told()
            case events.Guessed(cell=cell) | events.Covered(cell=cell):
                told[letters].cells.add(cell)
            case Revealed():
                told[letters].cells.update(range(CELL_COUNT))
    return told


def twin(letters: str, told: Told, chance: Random) -> str | None:
    """Another key of the same counts that agrees with all that was told; None if none was found.

    Each such key is equally likely: the hidden letters are shuffled until they fit.
    """
    cells = [cell for cell, letter in enumerate(letters) if letter != NO_CARD]
    hidden = [cell for cell in cells if cell not in told.cells]
    others = [letters[cell] for cell in hidden]
    for _ in range(TRIES):
        chance.shuffle(others)
        found = list(letters)
        for cell, letter in zip(hidden, others, strict=True):
            found[cell] = letter
        other = "".join(found)
        if other != letters and told.allows(other):
            return other
    return None


def other_world(
    drawn: Iterable[str], told: Mapping[str, Told], chance: Random
) -> tuple[str, ...] | None:
    """For every key drawn in world A the one drawn in world B; None if none in force can differ.

    A key that was never in force, because the act that brought it was refused, may be any other.
    """
    twins = {letters: twin(letters, known, chance) for letters, known in told.items()}
    if not any(twins.values()):
        return None
    return tuple(
        (twins[letters] or letters) if letters in twins else _like(letters, chance)
        for letters in drawn
    )


def _like(letters: str, chance: Random) -> str:
    """Any key of the same layout, under which the same team starts."""
    return drawn(chance.randrange, layout_of(letters), Key(letters).starts).letters


class KeySource(GivenKeys):
    """Keys one after the other, for whoever draws; ``drawn`` are the letters of those taken.

    Where another game is played than the next key is for, it stands for one that is. Which of two
    teams starts, if that is drawn alone, is what ``coin`` says.
    """

    def __init__(self, letters: Iterable[str], coin: int = 0) -> None:
        self._letters: Iterator[str] = iter(letters)
        self._coin = coin
        self.drawn: list[str] = []

    def below(self, count: int) -> int:
        return self._coin % count

    def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
        key = Key(next(self._letters))
        if layout_of(key.letters) is not layout or starts not in (None, key.starts):
            key = drawn(Random(key.letters).randrange, layout, starts)
        self.drawn.append(key.letters)
        return key

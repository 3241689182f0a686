"""A month of evenings at a table, as its journal has them: some fifty games of two kinds."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.events import Event
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.seat import Role, seat_of
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.drawing import EveryKey
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.words.pack import pack_named
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

NIGHTS: Final = 30
FIRST: Final = datetime(2026, 10, 20, 19, 30, tzinfo=UTC)
KINDS: Final = (("codenames", "english"), ("nome-in-codice", "italiano"))


def write_games(folder: Path) -> int:
    """Write the month into the journal of a table that is not running; how many games it has."""
    random = Random(20)
    nights = [random.choice((0, 1, 2, 2, 4)) for _ in range(NIGHTS)]
    with closing(_new_journal(folder)) as journal:
        for night, number in enumerate(nights):
            kinds = (random.choice(KINDS) for _ in range(number))
            _play(journal, random, FIRST + timedelta(days=night), kinds)
    return sum(nights)


def write_games_of(folder: Path, kinds: Iterable[tuple[str, str]]) -> None:
    """Write a game of each of these kinds into the journal of a table that is not running."""
    with closing(_new_journal(folder)) as journal:
        _play(journal, Random(20), FIRST, kinds)


def _new_journal(folder: Path) -> Journal:
    (folder / "state").mkdir()
    return Journal.open(folder / "state/journal.sqlite")


def _play(
    journal: Journal, random: Random, begun: datetime, kinds: Iterable[tuple[str, str]]
) -> None:
    for kind in kinds:
        happened = [*_game(random, *kind)]
        entries = [Entry(event.at, games.encode(event)) for event in happened]
        journal.begin(entries, begun.isoformat(timespec="milliseconds"))
        begun += timedelta(seconds=happened[-1].at + 300)


def _game(random: Random, profile: str, pack: str) -> Iterator[Event]:
    """The events of a game that is played as people do: more right than wrong, some slowly."""
    key = Chance().one_of(EveryKey())
    every = pack_named(pack).words
    words = tuple(random.sample(every, 25))
    clues = random.sample(sorted({*every} - {*words}), 20)
    opening = events.Dealt(0.0, profile, PROFILES[profile].defaults, words, key)
    yield opening
    state, at = evolve(None, opening), 0.0
    while state.board.phase is not Phase.OVER:
        board = state.board
        act: acts.GiveClue | acts.Guess
        if board.phase is Phase.CLUE:
            at += random.lognormvariate(3.8, 0.7)
            role, act = Role.SPYMASTER, acts.GiveClue(random.randint(1, 3), clues.pop())
        else:
            at += random.uniform(5, 60)
            left = [cell for cell in range(25) if cell not in board.covered]
            right = [cell for cell in left if key.identity(cell).value == board.turn.value]
            cell = random.choice(right if random.random() < 0.7 else left)
            role, act = Role.OPERATIVES, acts.Guess(cell)
        state, new = games.step(state, seat_of(board.turn, role), act, at)
        yield from new

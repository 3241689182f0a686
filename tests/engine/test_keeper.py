"""What the keeper writes into the journal tells nothing by its length."""

from contextlib import closing
from pathlib import Path

import pytest

from pi_table.engine.keeper import LEAST_BYTES, padded, store
from pi_table.rules import games
from pi_table.rules.chance import Chance
from pi_table.store.journal import Journal

NAMES = ["Ada", "Bo", "Cleo", "Dino", "Eva", "Fio"]
GAMES = {
    "a key": {"profile": "alias-24"},
    "six dossiers": {"profile": "codex"},
    "six dossiers of agents with names": {"profile": "codex", "nicknames": NAMES},
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_deal_is_as_long_as_any_other_of_the_same_game(game: dict[str, object]) -> None:  # ALL-1
    deals = [games.encode(games.read_opening(game, Chance())) for _ in range(300)]
    assert len({*deals}) == 300
    assert len({len(padded(deal)) for deal in deals}) == 1


@pytest.mark.parametrize("length", [1, 40, LEAST_BYTES, LEAST_BYTES + 1, 979, 1024, 1025])
def test_what_is_stored_is_read_again_and_is_no_longer_than_twice(length: int) -> None:
    body = b'"' + b"x" * (length - 2) + b'"'
    stored = padded(body)
    assert stored.rstrip(b" ") == body
    assert len(stored) in (LEAST_BYTES, 512, 1024, 2048)
    assert len(stored) < max(2 * length, LEAST_BYTES + 1)


def test_that_is_how_events_are_stored(tmp_path: Path) -> None:
    opening = games.read_opening({"profile": "codex"}, Chance())
    with closing(Journal.open(tmp_path / "journal.sqlite")) as journal:
        game = store(journal, None, [opening], "2026-11-22T12:00:00Z")
        (entry,) = journal.read(game).entries
    assert entry.body == padded(games.encode(opening))
    assert games.decode(entry.body) == opening

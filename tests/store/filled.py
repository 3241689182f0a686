"""Journals with something in them, for the tests of what can go wrong with one."""

import traceback
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pi_table.common.errors import TableError
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

NOW: Final = "2026-11-21T08:15:00Z"
SECRET: Final = "rrbnSECRETbbrn"


def entries(count: int, size: int = 40) -> list[Entry]:
    return [
        Entry(float(n), f'{{"key":"{SECRET}","n":{n}}}'.ljust(size).encode()) for n in range(count)
    ]


def filled(path: Path, games: int = 3, events: int = 5) -> None:
    """A closed journal of so many games, each of so many events."""
    journal = Journal.open(path)
    for _ in range(games):
        number = journal.begin(entries(1), NOW)
        journal.append(number, entries(events - 1), NOW)
    journal.note_time(games, 9.0)
    journal.close()


def whole(error: BaseException) -> str:
    """All that a log could show of an error, with what caused it."""
    return "".join(traceback.format_exception(error))


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def count_in(path: Path, game: int = 1) -> int:
    """Return the number of a game's events that a table finds when it opens the journal."""
    with closing(Journal.open(path)) as journal:
        return len(journal.read(game).entries)


def assert_refused(
    journal: Journal, game: int, kind: type[TableError], match: str | None = None
) -> None:
    """Neither another game is begun, nor anything added to this one."""
    for act in (
        lambda: journal.begin(entries(1), NOW),
        lambda: journal.append(game, entries(1), NOW),
        lambda: journal.note_time(game, 9.0),
    ):
        with pytest.raises(kind, match=match):
            act()

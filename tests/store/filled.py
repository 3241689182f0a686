"""Journals with something in them, for the tests of what can go wrong with one."""

import traceback
from pathlib import Path
from typing import Final

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

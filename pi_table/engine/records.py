"""The record of finished games, read from the journal (ALL-4).

What was hidden is told only of a game in which nothing can be corrected any more: one that was
revealed after its end, or that another game has followed. What a game's events say is its family's
to tell (`engine.families`).
"""

from pathlib import Path

from pi_table.engine.families import family_of
from pi_table.errors import InputError, StorageError
from pi_table.ipc.records import Line, Record, Summary
from pi_table.language import Lang, say, written
from pi_table.rules import games
from pi_table.rules.events import Event
from pi_table.store.entries import Listed, StoredGame
from pi_table.store.journal import Journal


class Records:
    """The finished games of the journal at ``path``.

    What the list says of a game is remembered, and read again only when there is more of that game:
    who asks for the list again and again takes little time from whoever else wants to work.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[Listed, Summary | None] = {}
        """What the list says of each game, None where the game is not finished."""

    def games(self, most: int = 50) -> list[Summary]:
        """The latest finished games, newest first. Raises StorageError."""
        journal = Journal.open_to_read(self._path)
        try:
            listed = journal.games()
            known = {game: self._known[game] for game in listed if game in self._known}
            self._known = known
            found: list[Summary] = []
            for game in reversed(listed):
                if game not in known:
                    known[game] = _summary(journal.read(game.number))
                summary = known[game]
                if summary is not None:
                    found.append(summary)
                if len(found) == most:
                    break
            return found
        finally:
            journal.close()

    def record(self, number: int, lang: Lang | None = None) -> Record:
        """One finished game, told in ``lang``, or in its own language.

        Raises InputError if there is none of that number, StorageError.
        """
        journal = Journal.open_to_read(self._path)
        try:
            numbers = [listed.number for listed in journal.games()]
            if number not in numbers:
                raise InputError("There is no game of that number in the record.")
            is_latest = number == numbers[-1]
            stored = journal.read(number)
        finally:
            journal.close()
        history = _history(stored)
        state = games.replay(history)
        assert state is not None
        if state.board.outcome is None:
            raise InputError(
                "That game is still being played: its record can be read when it is over."
            )
        family = family_of(state.board)
        said = [*family.sentences(history)]
        end = stored.entries[-1].at
        if is_latest and not family.is_open(state.board):
            said.append((end, say("What is hidden is still hidden: the console can reveal it.")))
        else:
            said += [(end, words) for words in family.hidden(state)]
        lang = lang or state.board.settings.lang
        lines = tuple(Line(at, written(words, lang)) for at, words in said)
        return Record(number, stored.begun, lines)


def _summary(stored: StoredGame) -> Summary | None:
    """What the list says of a game, None where it is not finished."""
    state = games.replay(_history(stored))
    assert state is not None
    board = state.board
    if board.outcome is None:
        return None
    return Summary(stored.number, stored.begun, board.profile, board.outcome)


def _history(stored: StoredGame) -> list[Event]:
    try:
        return [games.decode(entry.body) for entry in stored.entries]
    except ValueError:
        raise StorageError(
            f"Game {stored.number} of the journal holds an event that this version of pi-table "
            "cannot read. Read it with the version that wrote it."
        ) from None

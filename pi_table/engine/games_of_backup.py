"""The games of a backup, looked through before the backup takes the place of what a table has."""

from pi_table.engine.history import UnreadableGameError
from pi_table.engine.records import check_that_it_can_be_told
from pi_table.engine.trial import found
from pi_table.errors import InputError
from pi_table.store.journal import Journal


def check_games(journal: Journal) -> None:
    """Plays back every game of a backup's journal. Raises InputError for one that this table could
    not go on with, or not tell of, and StorageError for damage."""
    for number in range(1, journal.latest_number() + 1):
        stored = journal.read(number)
        try:
            found(stored)
            check_that_it_can_be_told(stored)
        except UnreadableGameError:
            raise InputError(
                f"The backup cannot be used here: game {number} in it holds events that this "
                "version of pi-table cannot read. Nothing was changed. Take another backup, or "
                "install the version that wrote this one."
            ) from None

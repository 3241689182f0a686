"""Opening the journal, and going on with the game that is in it.

A journal that cannot be opened is no reason to die, for the table would only be restarted into
the same trouble: it is a fault that the table shows, until somebody mends it. Only one that another
table is using is: that is the other one's table.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from pi_table.engine.dealing import Dealer
from pi_table.engine.recorder import Recorder
from pi_table.engine.session import Session
from pi_table.errors import StorageError
from pi_table.store.faults import JournalInUseError
from pi_table.store.journal import Journal

MakeRecorder = Callable[[Journal], Recorder]


def open_game(
    session: Session, dealer: Dealer, path: Path, make_recorder: MakeRecorder, now: float
) -> None:
    """Open the journal at ``path`` and go on with its latest game.

    What goes wrong becomes the session's fault. Raises JournalInUseError.
    """
    try:
        journal = Journal.open(path)
    except JournalInUseError:
        raise
    except StorageError as error:
        session.fault = str(error)
        return
    try:
        dealer.remember(lambda: _openings(path))
        session.attach(make_recorder(journal), journal.latest(), now)
    except StorageError as error:
        session.fault = str(error)
        journal.close()
    except ValueError:
        session.fault = (
            f"The journal {path} holds events that this version of pi-table cannot read. Go back "
            "to the version that wrote it, or set the journal aside and begin a new one."
        )
        journal.close()


def _openings(path: Path) -> Iterator[bytes]:
    """The first events of the games at ``path``, newest first, read beside whoever writes there."""
    with closing(Journal.open_to_read(path)) as journal:
        yield from journal.openings()

"""Checks the contents of a backup before a restore, with the code that reads these files after the
restore.

Run as a program, this module checks a backup that is unpacked in the given folder. The program
writes the reason for a refusal, or nothing if it accepts the backup. It is a separate process with
limits of processor time and memory, because a malicious file may need any amount of both.
"""

import resource
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from pi_table.common.errors import InputError, StorageError, TableError
from pi_table.common.house_settings import House
from pi_table.common.language import as_line, say
from pi_table.games.words import pack
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.storage import house_files
from pi_table.table.engine.storage.history import UnreadableGameError
from pi_table.table.engine.storage.pin import MAX_COUNTED_WRONG
from pi_table.table.engine.storage.records import check_that_it_can_be_told
from pi_table.table.store.disk import mark_of
from pi_table.table.store.faults import JournalDamagedError
from pi_table.table.store.journal import Journal
from pi_table.table.store.mark import MARK_BYTES

COMMAND: Final = (sys.executable, "-P", "-m", "pi_table.table.engine.process.backup_contents")
"""The command that checks a backup; append the folder and the seconds of processor time."""
START_SECONDS: Final = 30
"""Limit of processor time, in seconds, for reading the files that a table reads at each start."""
MAX_REFUSAL_LENGTH: Final = 2000
"""Maximum length in characters of the reason to refuse a backup. A badly damaged journal causes a
longer reason, which is cut to this length."""
MAX_MEMORY_BYTES: Final = 512 << 20
"""Limit of address space, in bytes, for the check of a backup."""


def check_contents(folder: Path) -> None:
    """Check a backup that is unpacked in ``folder``, except the configuration. Raises
    InputError."""
    _check_house(folder)
    _check_journal(folder)


def check_games(journal: Journal) -> None:
    """Replay every game of a backup's journal. Raises InputError if this table could not continue a
    game or show its record, and StorageError if the journal is damaged."""
    for number in range(1, journal.latest_number() + 1):
        stored = journal.read(number)
        try:
            try_replay(stored)
            check_that_it_can_be_told(stored)
        except UnreadableGameError:
            raise InputError(
                say(
                    "The backup cannot be used here: game {number} in it holds events that this "
                    "version of pi-table cannot read. Nothing was changed. Take another backup, "
                    "or install the version that wrote this one.",
                    number=number,
                )
            ) from None


def _check_journal(folder: Path) -> None:
    file = folder / "state" / "journal.sqlite"
    if not file.exists():
        return
    if (found := mark_of(file).stat().st_size) != MARK_BYTES:
        raise _refusal(
            say(
                "the mark of its journal has {found} bytes instead of {mark_bytes}",
                found=f"{found:,}",
                mark_bytes=f"{MARK_BYTES:,}",
            )
        )
    try:
        with closing(Journal.open_to_read(file)) as journal:
            journal.check()
            check_games(journal)
    except JournalDamagedError as damage:
        raise _refusal(say("its journal is damaged: {finding}", finding=damage.finding)) from None
    except StorageError:
        raise _refusal(
            say("its journal is of another program or version, or cannot be read")
        ) from None


def _check_house(folder: Path) -> None:
    _check_settings(folder)
    _check_pin(folder)
    _check_packs(folder)


def _check_settings(folder: Path) -> None:
    try:
        house_files.read_settings(folder / "state" / house_files.SETTINGS, House())
    except (TableError, ValueError):
        raise _refusal(
            say("its file house.json is damaged, or is not the settings of a house")
        ) from None


def _check_pin(folder: Path) -> None:
    try:
        kept = house_files.read_pin(folder / "state" / house_files.PIN)
    except (StorageError, ValueError):
        raise _refusal(say("its file pin.json is damaged, or holds no PIN")) from None
    if kept is not None and kept.wrong > MAX_COUNTED_WRONG:
        raise _refusal(say("its file pin.json counts more wrong PINs than anybody can have tried"))


def _check_packs(folder: Path) -> None:
    packs = folder / "packs"
    if not packs.is_dir():
        return
    for file in sorted(packs.iterdir()):
        if (fault := pack.fault_of_file(file)) is not None:
            why = fault.rstrip(".")
            raise _refusal(
                say("its word pack {name} is not a word pack: {why}", name=file.name, why=why)
            )
    pack.packs(packs)  # a start reads all packs together; this has the same time limit


def _refusal(why: str) -> InputError:
    return InputError(
        say(
            "The backup cannot be used here: {why}. Nothing was changed. Take another copy of "
            "it, or an older backup.",
            why=why,
        )
    )


def judge(
    folder: Path,
    seconds: int,
    check_house: Callable[[Path], None] = _check_house,
    check_journal: Callable[[Path], None] = _check_journal,
) -> str:
    """Return the reason to refuse the backup in ``folder``; empty if the backup is accepted. The
    operating system ends the process after ``seconds`` of processor time."""
    limits = {
        resource.RLIMIT_AS: MAX_MEMORY_BYTES,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for limit, most in limits.items():
        resource.setrlimit(limit, (most, most))
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (min(seconds, START_SECONDS), seconds))
        check_house(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        check_journal(folder)
    except TableError as error:
        why = str(error)
        return why if len(why) <= MAX_REFUSAL_LENGTH else why[:MAX_REFUSAL_LENGTH]
    except MemoryError:
        return str(_refusal(say("checking it takes more memory than allowed")))
    return ""


if __name__ == "__main__":
    if why := judge(Path(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(f"{why}\0{as_line(why)}")

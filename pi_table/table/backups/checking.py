"""Checks backups in a separate process. A malicious file could make a check run for ever, so the
process is stopped at a time limit."""

import signal
from pathlib import Path
from threading import Lock
from typing import Final

from pi_table.common.bounded_process import BoundedProcess
from pi_table.common.errors import InputError, StorageError
from pi_table.common.language import from_line, say, system_says

SECONDS: Final = 60.0
"""Limit of processor time in seconds for a small backup."""
BYTES_A_SECOND: Final = 200_000
"""Number of bytes of a backup that add one second to the limit of processor time. This is ample: an
x86 core verifies and replays 3,700,000 bytes a second."""
WALL_TIME_FACTOR: Final = 4.0
"""Limit of wall-clock time, as a multiple of the limit of processor time. On a busy machine, a
check takes longer than its processor time."""
MAX_ANSWER_BYTES: Final = 16 * 1024


class BackupChecker:
    """Checks backups, one at a time."""

    def __init__(self, command: tuple[str, ...], seconds: float = SECONDS) -> None:
        """``command`` is a program that judges a backup.

        Its arguments are the folder with the unpacked backup, and its limit of processor time in
        whole seconds. If it refuses the backup, it writes the reason, U+0000, and the reason's id
        and fields (`as_line`). If it accepts the backup, it writes nothing.
        """
        self._command = command
        self._seconds = seconds
        self._lock = Lock()
        self._process: BoundedProcess | None = None
        self._stopped = False

    def look(self, folder: Path) -> None:
        """Check the backup that was unpacked in ``folder``. Raises InputError if the backup is
        refused, and StorageError if the check itself failed."""
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        seconds = self._seconds + size // BYTES_A_SECOND
        process = self._start(folder, seconds)
        try:
            answer = process.answer(b"", WALL_TIME_FACTOR * seconds, MAX_ANSWER_BYTES)
        except (TimeoutError, OverflowError):
            raise _endless_error() from None
        finally:
            self._process = None
        if self._stopped:
            raise stop_error()
        if answer.output:
            why, _, text = answer.output.decode(errors="replace").partition("\0")
            raise InputError(from_line(text, why))
        if -answer.status in (signal.SIGKILL, signal.SIGXCPU):
            raise _endless_error()
        if answer.status:
            raise StorageError(
                say(
                    "The backup could not be checked: the process that does it ended with "
                    "{status}. Nothing was changed. Try again; if that does not help, take "
                    "another copy of the backup, or an older one.",
                    status=answer.status,
                )
            )

    def stop(self) -> None:
        """End the running check, and refuse all later checks."""
        with self._lock:
            self._stopped = True
            process = self._process
        if process is not None:
            process.stop()

    def _start(self, folder: Path, seconds: float) -> BoundedProcess:
        with self._lock:
            if self._stopped:
                raise stop_error()
            try:
                command = (*self._command, str(folder), str(int(seconds)))
                self._process = process = BoundedProcess(command)
            except OSError as error:
                raise StorageError(
                    say(
                        "The backup could not be checked: no process can be started for it "
                        "({strerror}). Nothing was changed. Try again when the machine has less "
                        "to do.",
                        strerror=system_says(error),
                    )
                ) from None
            return process


def _endless_error() -> InputError:
    return InputError(
        say(
            "Checking the backup takes longer than allowed, so it is refused. Nothing was "
            "changed. Take another copy of it, or an older backup."
        )
    )


def stop_error() -> StorageError:
    return StorageError(say("The backup was not checked, because the table is stopping."))

"""An update, from the check whether it may begin until the table answers again."""

import enum
import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from pi_table.common.config import PathsSection
from pi_table.common.errors import TableError
from pi_table.common.house_settings import TimeOfDay
from pi_table.common.language import say, system_says
from pi_table.fleet.updating.asking import (
    ASK_SECONDS,
    NOTHING_HEALTHY,
    Away,
    Refused,
    Reserved,
    TableHealth,
    house_settings,
    keep_free,
    why_not_up,
)
from pi_table.fleet.updating.hours import may_begin, seconds_up, update_hours
from pi_table.fleet.updating.packages import Packages

LOCK: Final = Path("/run/pi-table-update.lock")
NO_PACKAGE: Final = say("pi-table is not installed here as a package: install it first.")
LAST: Final = say("The updater is not running, so this would be the last version of this table.")


class Status(enum.IntEnum):
    """The exit statuses of an update."""

    DONE = 0
    """The table is up to date, or this is not the time for updates."""
    FAILED = 1
    LATER = 75
    """People are playing: the caller should try again later."""


def watch_for_sigterm() -> Callable[[], bool]:
    """Return a function that returns True after SIGTERM.

    A step that has begun to change packages is still completed. After SIGTERM the new version is
    not judged, because the table itself is being stopped.
    """
    signals: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: signals.append(number))
    return lambda: bool(signals)


class Update:
    """An update of the table whose sockets are at ``paths``. ``tell`` is called with each sentence
    for the user.

    - ``stopped`` returns True if this process must end.
    - ``at`` is the time of day, ``up`` the seconds since boot; None means the real values.
    - ``by_hand`` is True if a person, not a timer, waits for an explanation.
    - ``why_not`` returns the reason why the table does not come up, as `why_not_up` does.
    - ``patience`` is the number of seconds without an answer after which the table is away.
    """

    def __init__(
        self,
        paths: PathsSection,
        tell: Callable[[str], None],
        packages: Packages,
        stopped: Callable[[], bool] = lambda: False,
        at: TimeOfDay | None = None,
        up: float | None = None,
        *,
        by_hand: bool = True,
        why_not: Callable[[Path, TableHealth, Callable[[], bool]], str | None],
        patience: float = ASK_SECONDS,
    ) -> None:
        self._paths = paths
        self._tell = tell
        self._packages = packages
        self._stopped = stopped
        self._at = at or time.strftime("%H:%M")
        self._up = seconds_up() if up is None else up
        self._by_hand = by_hand
        self._why_not_up = why_not
        self._patience = patience

    def run(self, command: Sequence[str], *, at_once: bool) -> Status:
        """Install a newer version, or run ``command`` instead if it is not empty. Without a
        command, if the last update was not judged yet, only judge it. Raises TableError.

        Without ``at_once``, install or run something only if `may_begin` allows an update now.
        """
        packages = self._packages
        if (
            not command
            and packages.fallback_version() is not None
            and not packages.is_interrupted()
        ):
            return self._judge()  # an earlier update ended before its check
        if not at_once:
            house = house_settings(self._paths.house_socket, self._patience)
            if not may_begin(house, self._at, self._up):
                start, end = update_hours(house)
                if self._by_hand:
                    self._tell(
                        say(
                            "The table is updated from {start} to {end}, and soon after it is "
                            "switched on; --now does it at once.",
                            start=start,
                            end=end,
                        )
                    )
                return Status.DONE
        return self._by_command(command) if command else self._by_packages()

    def _by_command(self, command: Sequence[str]) -> Status:
        with self._reserve() as asked:
            if isinstance(asked, Refused):
                return Status.LATER
            status = subprocess.run(command, check=False).returncode
            if status != 0:
                self._tell(
                    say(
                        "The update by {command} ended with {status}.",
                        command=command[0],
                        status=status,
                    )
                )
            if isinstance(asked, Reserved) and (why := self._why_not(asked.health)) is not None:
                self._tell(say("The table does not start after the update. {why}", why=why))
                return Status.FAILED
            return Status.FAILED if status else Status.DONE

    def _by_packages(self) -> Status:
        packages = self._packages
        cut_short = packages.is_interrupted()
        if cut_short:
            if (finished := self._finish_interrupted()) is not None:
                return finished
            self._tell(
                say("The update that was cut short could not be finished: it is fetched again.")
            )
        before = packages.installed_version()
        if before is None:
            raise TableError(NO_PACKAGE)
        if not packages.refresh_sources():
            self._tell(
                say(
                    "Not every package source answered, or could be trusted: the messages of "
                    "apt-get are above. The lists from before are used."
                )
            )
        new = packages.newer() or (before if cut_short else None)
        if new is None:
            self._tell(
                say("There is nothing newer than pi-table {before} for this table.", before=before)
            )
            return Status.DONE
        can_go_back = packages.fetch(new, before)
        if self._stopped():
            return Status.LATER
        with self._reserve() as asked:
            if isinstance(asked, Refused):
                return Status.LATER
            # An interrupted update has already begun its trial.
            if packages.fallback_version() is None:
                # If the table was away before, no earlier health is known, so there is no trial.
                if isinstance(asked, Reserved) and can_go_back:
                    packages.begin_trial(asked.health)
                elif not can_go_back:
                    self._tell(
                        say(
                            "There is no way back: pi-table {before} is not kept here, and no "
                            "package source has it.",
                            before=before,
                        )
                    )
            done = packages.install()
            status = self._judge()
            return status if done else Status.FAILED

    def _finish_interrupted(self) -> Status | None:
        """Complete an interrupted update, and judge the new version; return None if it cannot be
        completed."""
        if self._stopped():
            return Status.LATER
        with self._reserve() as asked:
            if isinstance(asked, Refused):
                return Status.LATER
            return self._judge() if self._packages.finish() else None

    def _judge(self) -> Status:
        """Check that the table comes up and can be updated; otherwise restore the old version.

        During a game, the new version stays on trial.
        """
        packages = self._packages
        before, now = packages.fallback_version(), packages.installed_version()
        health_before = NOTHING_HEALTHY if before is None else packages.health_before()
        why = self._why_not(health_before)
        if why is None and before != now and not packages.can_update():
            why = LAST
        if why is None:
            packages.end_trial()
            self._tell(say("The table answers, with pi-table {now}.", now=now))
            return Status.DONE
        if self._stopped():
            return Status.FAILED
        if before is None or now is None or now == before:
            packages.end_trial()
            self._tell(
                say(
                    "The table does not work as it should with pi-table {now}. {why}",
                    now=now,
                    why=why,
                )
            )
            return Status.FAILED
        # An engine that restarted is no longer reserved, so guests may have begun a game.
        with self._reserve(tell_away=False) as asked:
            if isinstance(asked, Refused):
                return Status.LATER
            if self._stopped():
                return Status.FAILED
            return self._put_back(before, now, why, health_before)

    def _put_back(self, before: str, now: str, why: str, health_before: TableHealth) -> Status:
        """Reject the version ``now``, and restore the version ``before``. Raises TableError."""
        packages = self._packages
        self._tell(
            say(
                "pi-table {now} is rejected: pi-table {before} is put back. {why}",
                now=now,
                before=before,
                why=why,
            )
        )
        try:
            packages.block_version(now)
        except OSError as error:
            self._tell(
                say(
                    "It may be tried again, because this cannot be stored: {strerror}.",
                    strerror=system_says(error),
                )
            )
        if not packages.roll_back():
            raise TableError(
                say(
                    "pi-table {before} could not be put back: the messages of dpkg are above. "
                    "The next update tries again.",
                    before=before,
                )
            )
        still = self._why_not(health_before)
        if self._stopped():
            return Status.FAILED
        packages.end_trial()
        if still is None:
            self._tell(say("The table answers again, with pi-table {before}.", before=before))
        else:
            self._tell(
                say(
                    "The table does not work as it should with pi-table {before} either. {why}",
                    before=before,
                    why=still,
                )
            )
        return Status.FAILED

    def _why_not(self, health_before: TableHealth) -> str | None:
        return self._why_not_up(self._paths.house_socket, health_before, self._stopped)

    @contextmanager
    def _reserve(self, *, tell_away: bool = True) -> Iterator[Reserved | Refused | Away]:
        """Reserve the table within the context; yield the table's answer."""
        socket = self._paths.house_socket
        asked = keep_free(socket, patience=self._patience)
        if isinstance(asked, Refused):
            self._tell(say("The table is not updated now. {sentence}", sentence=asked.sentence))
        elif isinstance(asked, Away) and tell_away:
            self._tell(
                say("The table does not answer, so nobody plays: it is updated all the same.")
            )
        try:
            yield asked
        finally:
            if isinstance(asked, Reserved):
                keep_free(socket, 0, self._patience)


def check(tell: Callable[[str], None]) -> Status:
    """Tell the version that an update would install, as far as it is known without a network.

    After an update, the old version runs this command of the new version. If that fails, the new
    version is rolled back. Raises TableError.
    """
    packages = Packages()
    before = packages.installed_version()
    if before is None:
        raise TableError(NO_PACKAGE)
    if packages.is_interrupted():
        tell(say("An update was cut short, and has to be finished."))
    newer = packages.newer()
    if newer is None:
        tell(say("There is nothing newer than pi-table {before} for this table.", before=before))
    else:
        tell(
            say(
                "There is pi-table {newer} for this table, which has pi-table {before}.",
                newer=newer,
                before=before,
            )
        )
    return Status.DONE


def update(
    paths: PathsSection,
    command: Sequence[str],
    *,
    at_once: bool,
    within: float,
    tell: Callable[[str], None],
    by_hand: bool,
) -> Status:
    """Update the table by packages or by ``command``. After that, the table must answer within
    ``within`` seconds. ``by_hand`` is as in `Update`. Raises TableError."""
    make = partial(
        Update,
        paths,
        tell,
        by_hand=by_hand,
        why_not=partial(why_not_up, seconds=within),
        patience=min(within, ASK_SECONDS),
    )
    if command:
        return make(Packages()).run(command, at_once=at_once)
    if os.geteuid() != 0:
        raise TableError(say("Only root can install packages: sudo pi-table update."))
    with _alone():
        return make(Packages(), watch_for_sigterm()).run((), at_once=at_once)


@contextmanager
def _alone() -> Iterator[None]:
    """Return a context manager that only one update can enter. Raises TableError during another
    update."""
    with open(LOCK, "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TableError(say("The table is being updated already: wait for that.")) from None
        yield

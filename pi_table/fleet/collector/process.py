"""The collector's process, which takes turns between one broker and one database.

In each turn, the process collects messages until no more arrive or its buffer is full. It stores
them in the database, and only then acknowledges them. While the database is away no message is
acknowledged, so the broker keeps them all.
"""

import logging
import signal
import time
from pathlib import Path
from typing import Final

from pi_table.common.errors import TableError
from pi_table.common.files import write_whole
from pi_table.common.log import begin_log
from pi_table.common.notify import Heartbeat, notify
from pi_table.common.pacing import Backoff
from pi_table.fleet.collector.database import Database, DatabaseAwayError
from pi_table.fleet.collector.health import Health, text
from pi_table.fleet.collector.ingest import keep
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.settings import Settings
from pi_table.fleet.collector.subscription import (
    AT_BROKER,
    DROPPED,
    FIRST_RETRY_SECONDS,
    MAX_RETRY_SECONDS,
    Subscription,
)
from pi_table.fleet.connection_errors import fetch_certificate_end, own_certificate_end
from pi_table.fleet.prometheus_text import FILE_MODE

log = logging.getLogger("pi_table")

TURN_SECONDS: Final = 1.0
"""Longest wait in seconds for the first message of a turn."""
NEXT_MESSAGE_SECONDS: Final = 0.005
"""Longest wait in seconds for each further message of a turn."""
QUIET_SECONDS: Final = 3.0
"""Seconds without a message after which a collector with ``--once`` ends."""
LOOK_SECONDS: Final = 15.0
"""Seconds between two checks of the database. The metrics are written after each check."""
CERTIFICATE_SECONDS: Final = 3600.0
"""Seconds between two checks whether the broker has renewed a certificate that expires soon."""
CERTIFICATE_WARNING_SECONDS: Final = 30 * 86400.0
"""Seconds of validity left to the broker's certificate when the checks for a renewal begin."""
MAX_AWAY_SECONDS: Final = 60.0
"""Seconds without a usable broker or database after which a collector with ``--once`` gives up."""


def main(settings: Settings, once: bool) -> int:
    """Collect messages until SIGTERM or SIGINT; with ``once``, until no more messages arrive.
    Return the exit status. Raises InputError if the settings or the database cannot be used. With
    ``once``, raises TableError if the broker or the database is away."""
    begin_log()
    stopped = False

    def stop(*_: object) -> None:
        nonlocal stopped
        stopped = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    collector = Collector(settings)
    heartbeat = Heartbeat()
    notify("READY=1")
    try:
        while not stopped and not (once and collector.is_quiet()):
            collector.turn()
            if once and collector.is_away():
                raise TableError(
                    f"The broker or the database could not be used for {MAX_AWAY_SECONDS:.0f} s: "
                    "the log above says why. The next run collects what is missing."
                )
            heartbeat.beat(time.monotonic())
    finally:
        notify("STOPPING=1")
        collector.close()
    return 0


class Collector:
    """Receives, stores and acknowledges messages. Raises InputError for unusable settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._subscription = Subscription(settings)
        self._backoff = Backoff(FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
        self._database: Database | None = None
        self._latest = time.monotonic()
        """The last time at which a message waited, or at which the collector was not subscribed.
        `is_quiet` counts from this time."""
        self._well = time.monotonic()
        """The last time at which both the broker and the database could be used."""
        self._look_due = time.monotonic()
        self._certificate_due = time.monotonic() + CERTIFICATE_SECONDS
        self._noted: object = None
        """The result of `_notable` when the metrics were last written. As soon as it changes, the
        metrics are written again."""
        self._committed = 0
        self._rejected = 0
        self._last_commit: float | None = None
        self._of_figures = Backoff(FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)

    def turn(self) -> None:
        """Receive, store and acknowledge messages once. Raises InputError if a newer program made
        the database."""
        here = self._open_if_due()
        before = len(self._subscription.waiting)
        self._subscription.turn(NEXT_MESSAGE_SECONDS if here and before else TURN_SECONDS)
        waiting = self._subscription.waiting
        if not self._subscription.ready or waiting:
            self._latest = time.monotonic()
        if self._subscription.ready and here:
            self._well = time.monotonic()
        if waiting and here and (len(waiting) <= before or self._subscription.is_full):
            self._keep()
        self._look()

    def is_quiet(self) -> bool:
        """True if no message has arrived for `QUIET_SECONDS`, and all are stored."""
        return time.monotonic() - self._latest > QUIET_SECONDS

    def is_away(self) -> bool:
        """True if the broker or the database could not be used for `MAX_AWAY_SECONDS`."""
        return time.monotonic() - self._well > MAX_AWAY_SECONDS

    def close(self) -> None:
        self._subscription.close()
        if self._database is not None:
            self._database.close()

    def _open_if_due(self) -> bool:
        """Connect to the database if a retry is due; return True if the database is connected."""
        if self._database is None and self._backoff.seconds_left(time.monotonic()) == 0:
            try:
                self._database = open_database(self._settings.database)
            except DatabaseAwayError as error:
                self._tell_away(error)
        return self._database is not None

    def _keep(self) -> None:
        assert self._database is not None
        waiting = self._subscription.waiting
        try:
            rejected = keep(self._database, self._settings.prefixes, waiting)
        except DatabaseAwayError as error:
            self._leave(error)
            return
        for sentence in rejected:
            log.warning("%s", sentence)
        self._committed += len(waiting)
        self._rejected += len(rejected)
        self._last_commit = time.time()
        self._backoff.on_success()
        self._subscription.acknowledge(len(waiting))

    def _look(self) -> None:
        """Check the database and write the metrics, every `LOOK_SECONDS`. After an important
        change, write the metrics at once."""
        if time.monotonic() >= self._look_due:
            self._look_due = time.monotonic() + LOOK_SECONDS
            if self._database is not None:
                try:
                    self._database.check()
                except DatabaseAwayError as error:
                    self._leave(error)
            self._look_at_certificate()
        elif self._notable() == self._noted:
            return
        self._noted = self._notable()
        self._write_figures()

    def _look_at_certificate(self) -> None:
        ends = self._subscription.certificate_ends
        is_soon = ends is not None and ends - time.time() < CERTIFICATE_WARNING_SECONDS
        if is_soon and time.monotonic() >= self._certificate_due:
            self._certificate_due = time.monotonic() + CERTIFICATE_SECONDS
            self._subscription.certificate_ends = fetch_certificate_end(self._settings) or ends

    def _notable(self) -> object:
        dropped = self._subscription.figures.get(DROPPED)
        return self._subscription.ready, self._database is not None, self._rejected, dropped

    def _write_figures(self) -> None:
        if not self._settings.metrics:
            return
        health = Health(
            at=time.time(),
            broker=self._subscription.ready,
            database=self._database is not None,
            waiting=len(self._subscription.waiting),
            committed=self._committed,
            rejected=self._rejected,
            last_commit=self._last_commit,
            broker_certificate_ends=self._subscription.certificate_ends,
            own_certificate_ends=own_certificate_end(self._settings),
            at_broker=self._subscription.figures.get(AT_BROKER),
            dropped=self._subscription.figures.get(DROPPED),
        )
        try:
            write_whole(Path(self._settings.metrics), [text(health).encode()], FILE_MODE)
        except OSError as error:
            self._of_figures.say_once(
                f"The figures cannot be written to {self._settings.metrics}: {error.strerror}. "
                "Check metrics in the settings, and the rights of its folder."
            )
        else:
            self._of_figures.on_success()

    def _leave(self, error: DatabaseAwayError) -> None:
        """Close the connection to the database. A later turn opens it again."""
        assert self._database is not None
        self._database.close()
        self._database = None
        self._tell_away(error)

    def _tell_away(self, error: DatabaseAwayError) -> None:
        self._backoff.on_failure(time.monotonic())
        self._backoff.say_once(
            f"{error} Until it can, nothing is acknowledged, so nothing is lost."
        )

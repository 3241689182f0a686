"""A collector in a process of its own, and what tests ask of it and of its database."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg
from mosquitto import Mosquitto
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from patience import PATIENCE

from pi_table.fleet.collector.record import Record

CLIENT: Final = "pi-table-collector"


class Collecting:
    """A collector with these settings, besides the broker and the database."""

    def __init__(self, folder: Path, port: int, database: str, **settings: str | list[str]) -> None:
        self.settings = folder / "collector.toml"
        self.log = folder / "collector.log"
        broker = f"mqtt://127.0.0.1:{port}"
        values = {"broker": broker, "database": database, "username": "", **settings}
        self.settings.write_text("".join(f"{name} = {value!r}\n" for name, value in values.items()))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The number of the collector's process."""
        assert self._process is not None
        return self._process.pid

    def start(self, *options: str, program: tuple[str, ...] = ("-m", "pi_table")) -> None:
        """Start it. ``program``: what Python is told to run."""
        assert self._process is None
        command = [sys.executable, *program, "collect", "--config", str(self.settings)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def kill(self) -> None:
        """End it as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)
        self._process = None

    def stop(self) -> int:
        """End it as systemd does; the answer is its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        """Wait until it ends by itself; the answer is its exit status."""
        assert self._process is not None
        status = self._process.wait(PATIENCE)
        self._process = None
        return status

    def said(self) -> str:
        return self.log.read_text()

    def close(self) -> None:
        """End it however it stands."""
        if self._process is not None:
            self.kill()


class Teller:
    """Bridges of tables, as far as the broker sees them. It comes back where it is cut off, and
    tells again what was not acknowledged."""

    def __init__(self, broker: Mosquitto) -> None:
        self._taken: set[int] = set()
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        self._client.on_publish = lambda client, userdata, mid, *_: self._taken.add(mid)
        self._client.reconnect_delay_set(1, 1)
        self._client.max_inflight_messages_set(0)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def tell(self, topic: str, payload: bytes, kept: bool = False) -> Callable[[], bool]:
        """Publish something; what is given back says whether the broker has it."""
        told = self._client.publish(topic, payload, 1, kept)
        return lambda: told.mid in self._taken

    def tell_unacknowledged(self, topic: str, payload: bytes, kept: bool) -> None:
        """Publish something by QoS 0, as programs do that are told nothing else."""
        self._client.publish(topic, payload, 0, kept).wait_for_publish(PATIENCE)

    def tell_records(self, records: Iterable[Record]) -> Callable[[], bool]:
        """Publish records, each in its table's topic."""
        taken = [self.tell(topic_of(record), msgspec.json.encode(record)) for record in records]
        return lambda: all(each() for each in taken)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def topic_of(record: Record) -> str:
    return f"pi-table/{record.table}/record"


def has_subscribed(broker: Mosquitto) -> bool:
    """True if the collector has told the broker what it hears."""
    return f"Sending SUBACK to {CLIENT}" in broker.log.read_text()


def acknowledged(broker: Mosquitto) -> int:
    """Return the number of messages that the collector has acknowledged."""
    return broker.log.read_text().count(f"Received PUBACK from {CLIENT}")


def until(condition: Callable[[], object], what: str = "it", patience: float = PATIENCE) -> None:
    """Wait until a condition holds. Raises TimeoutError where it never does."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} never came.")
        time.sleep(0.002)


def asked(address: str, sql: str) -> list[tuple[Any, ...]]:
    """Return the database's answer; disturb it as little as possible."""
    if address.startswith("sqlite"):
        with closing(sqlite3.connect(address.removeprefix("sqlite://"))) as of_sqlite:
            return of_sqlite.execute(sql).fetchall()
    with psycopg.connect(address) as of_postgres:
        rows: list[tuple[Any, ...]] = of_postgres.execute(sql.encode()).fetchall()
        return rows

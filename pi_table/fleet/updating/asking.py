"""Requests that an update sends to the table over the house socket. They reserve the table, and
read its health before and after the installation."""

import select
import socket as sockets
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common.language import say
from pi_table.protocols.ipc.client import Client, Connected, Disconnected
from pi_table.protocols.ipc.house import MAX_FREE_SECONDS, HouseMessage, HouseSettings, Order
from pi_table.protocols.ipc.messages import Answer, Busy

ASK_SECONDS: Final = 20.0
"""Timeout in seconds for an answer. No game is played at a table that is silent for so long,
because the watchdog restarts an engine after 10 s."""
STEADY_SECONDS: Final = 5.0
"""Seconds for which a table must keep answering in good health before it counts as up."""
LOOK_SECONDS: Final = 0.5
AWAY: Final = say("It does not answer.")


class TableHealth(msgspec.Struct, frozen=True, tag_field="kind", tag="house"):
    """The health by which a new version is judged: a few fields of `HouseMessage`. A field that a
    later version leaves out counts as healthy."""

    link: bool = True
    """True if the touch controller answers."""
    can_store: bool = True
    out_of_order: bool = False

    def worse(self, now: "TableHealth") -> str | None:
        """Return a sentence about a problem in the health ``now`` that this earlier health lacks.
        None if there is no such problem."""
        if self.can_store and not now.can_store:
            return say("It cannot store a game, which it could before.")
        if self.link and not now.link:
            return say("It does not reach the touch device, which it did before.")
        if now.out_of_order and not self.out_of_order:
            return say("It is out of order, which it was not before.")
        return None


NOTHING_HEALTHY: Final = TableHealth(link=False, can_store=False, out_of_order=True)
"""The health to compare with if a table's earlier health is unknown. No later health is worse."""


class Reserved(msgspec.Struct, frozen=True):
    """The result of `keep_free` if the table starts no game until it is released or restarted."""

    health: TableHealth = NOTHING_HEALTHY


class Refused(msgspec.Struct, frozen=True):
    sentence: str


class Away(msgspec.Struct, frozen=True):
    """The result of `keep_free` if the table does not answer."""


def house_settings(socket: Path, seconds: float = ASK_SECONDS) -> HouseSettings | None:
    """Return the settings of the venue; None if the table does not answer."""
    with closing(Client(socket, _READ.decode)) as client:
        for told in _messages(client, seconds):
            if isinstance(told, HouseMessage):
                return told.settings
            if isinstance(told, Busy):
                break
    return None


def keep_free(
    socket: Path, seconds: int = MAX_FREE_SECONDS, patience: float = ASK_SECONDS
) -> Reserved | Refused | Away:
    """Ask the table to start no game for this many seconds; 0 allows games again."""
    if _is_forbidden(socket):
        return Refused(
            say("This user may not ask whether somebody plays: run this as root (sudo).")
        )
    do = {"act": Order.KEEP_FREE.value, "seat": "operator", "seconds": seconds}
    health = NOTHING_HEALTHY
    with closing(Client(socket, _READ.decode)) as client:
        for told in _messages(client, patience):
            match told:
                case Connected():
                    client.send(msgspec.json.encode({"id": 1, "do": do}) + b"\n")
                case HouseMessage(link=link, can_store=can_store, out_of_order=out_of_order):
                    health = TableHealth(link, can_store, out_of_order)
                case Answer(ok=True):
                    return Reserved(health)
                case Answer(sentence=sentence):
                    return Refused(sentence or say("The table refuses, and does not say why."))
                case Busy(sentence=sentence):
                    return Refused(sentence)
    return Away()


def why_not_up(
    socket: Path,
    before: TableHealth = NOTHING_HEALTHY,
    stopped: Callable[[], bool] = lambda: False,
    *,
    seconds: float,
    steady: float = STEADY_SECONDS,
) -> str | None:
    """Return the reason why the table does not come up, as a sentence; None if it comes up.

    The table comes up if it answers at the house ``socket`` within ``seconds``, is as healthy as
    ``before``, and stays so for ``steady`` seconds. The check ends early when ``stopped`` returns
    True.
    """
    why: str | None = AWAY
    with closing(Client(socket, _READ_HEALTH.decode)) as client:
        began, since = time.monotonic(), None
        while not stopped():
            now = time.monotonic()
            for heard in client.poll(now):
                if isinstance(heard, TableHealth):
                    why = before.worse(heard)
                elif isinstance(heard, Disconnected | Busy):
                    why = AWAY
                if why is not None:
                    since = None
                elif since is None:
                    since = now
            if since is not None and now >= since + steady:
                return None
            if since is None and now >= began + seconds:
                return why
            _wait(client, LOOK_SECONDS)
    return why or say("It was not watched for long enough.")


def _is_forbidden(socket: Path) -> bool:
    """True if this user may not open the socket. The table's state is then unknown."""
    with sockets.socket(sockets.AF_UNIX) as trying:
        trying.setblocking(False)
        try:
            trying.connect(str(socket))
        except PermissionError:
            return True
        except OSError:
            return False
    return False


def _messages(client: "Client[_Told]", seconds: float) -> "Iterator[Connected | _Told]":
    """Yield the table's messages for this many seconds. If the engine restarts, connect to it
    again."""
    until = time.monotonic() + seconds
    while (now := time.monotonic()) < until:
        for heard in client.poll(now):
            if not isinstance(heard, Disconnected):
                yield heard
        _wait(client, min(LOOK_SECONDS, until - now) if client.fileno() is None else until - now)


def _wait(client: Client[Any], seconds: float) -> None:
    """Wait at most this many seconds until the connection has data to read."""
    descriptor = client.fileno()
    select.select([] if descriptor is None else [descriptor], [], [], seconds)


_Told = HouseMessage | Answer | Busy
_READ: Final[msgspec.json.Decoder[_Told]] = msgspec.json.Decoder(_Told)
_READ_HEALTH: Final[msgspec.json.Decoder[TableHealth | Busy]] = msgspec.json.Decoder(
    TableHealth | Busy
)

"""What an update asks of the table, over its sockets: may it begin, and does the table answer?"""

import select
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from pi_table.ipc.client import Client, Connected, Disconnected
from pi_table.ipc.house import MOST_FREE_SECONDS, HouseMessage, HouseSettings, Order
from pi_table.ipc.messages import Answer, Busy

ASK_SECONDS: Final = 20.0
"""A table that is silent for longer than its watchdog allows (10 s) is none that plays."""
STEADY_SECONDS: Final = 5.0
"""For so long a table has to be there, and not to fall over, that has come up."""
LOOK_SECONDS: Final = 0.5

_Told = HouseMessage | Answer | Busy
_READ: Final[msgspec.json.Decoder[_Told]] = msgspec.json.Decoder(_Told)


class KeptFree(msgspec.Struct, frozen=True):
    """No game is played, and none begins until the table is given free, or is started anew."""


class Refused(msgspec.Struct, frozen=True):
    """The table is there, and may not be updated now."""

    sentence: str


class Away(msgspec.Struct, frozen=True):
    """The table cannot be asked."""


def house_settings(socket: Path, seconds: float = ASK_SECONDS) -> HouseSettings | None:
    """The settings of the house, as the table tells them; None: it cannot be asked."""
    with closing(Client(socket, _READ.decode)) as client:
        for told in _told(client, seconds):
            if isinstance(told, HouseMessage):
                return told.settings
            if isinstance(told, Busy):
                break
    return None


def keep_free(
    socket: Path, seconds: int = MOST_FREE_SECONDS, patience: float = ASK_SECONDS
) -> KeptFree | Refused | Away:
    """Ask that no game begins for so many seconds; 0: give the table free again."""
    do = {"act": Order.KEEP_FREE.value, "seat": "operator", "seconds": seconds}
    with closing(Client(socket, _READ.decode)) as client:
        for told in _told(client, patience):
            match told:
                case Connected():
                    client.send(msgspec.json.encode({"id": 1, "do": do}) + b"\n")
                case Answer(ok=True):
                    return KeptFree()
                case Answer(sentence=sentence):
                    return Refused(sentence or "The table refuses, and does not say why.")
                case Busy(sentence=sentence):
                    return Refused(sentence)
    return Away()


def comes_up(
    socket: Path,
    stopped: Callable[[], bool] = lambda: False,
    *,
    seconds: float,
    steady: float = STEADY_SECONDS,
) -> bool:
    """Does the table answer at its public ``socket`` within so many ``seconds``, and is it still
    there after a ``steady`` while? Looking ends where ``stopped`` says so."""
    with closing(Client(socket, lambda line: line)) as client:
        began, since = time.monotonic(), None
        while not stopped():
            now = time.monotonic()
            for heard in client.poll(now):
                if isinstance(heard, Disconnected):
                    since = None
                elif isinstance(heard, bytes) and since is None:
                    since = now
            if since is not None and now >= since + steady:
                return True
            if since is None and now >= began + seconds:
                return False
            _wait(client, LOOK_SECONDS)
    return False


def _told(client: Client[_Told], seconds: float) -> Iterator[Connected | _Told]:
    """What the table tells for so many seconds, however often it ends meanwhile: an engine that
    falls over is started anew, and goes on with its game."""
    until = time.monotonic() + seconds
    while (now := time.monotonic()) < until:
        for heard in client.poll(now):
            if not isinstance(heard, Disconnected):
                yield heard
        _wait(client, min(LOOK_SECONDS, until - now) if client.fileno() is None else until - now)


def _wait(client: Client[_Told] | Client[bytes], seconds: float) -> None:
    """Wait until there is something to read, for so many seconds at most."""
    descriptor = client.fileno()
    select.select([] if descriptor is None else [descriptor], [], [], seconds)

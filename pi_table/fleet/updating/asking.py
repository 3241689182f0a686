"""What an update asks of the table, over the socket of the house: may it begin, and is the table as
well afterwards as it was before?"""

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
from pi_table.protocols.ipc.house import MOST_FREE_SECONDS, HouseMessage, HouseSettings, Order
from pi_table.protocols.ipc.messages import Answer, Busy

ASK_SECONDS: Final = 20.0
"""A table that is silent for longer than its watchdog allows (10 s) is none that plays."""
STEADY_SECONDS: Final = 5.0
"""For so long a table has to be there, and not to fall over, that has come up."""
LOOK_SECONDS: Final = 0.5
AWAY: Final = say("It does not answer.")


class Fares(msgspec.Struct, frozen=True, tag_field="kind", tag="house"):
    """How a table fares, by what a version is judged: of `HouseMessage` no more than that. What a
    later version may leave out is taken to be well."""

    link: bool = True
    """Does the device that feels touches answer?"""
    can_store: bool = True
    out_of_order: bool = False

    def worse(self, now: "Fares") -> str | None:
        """What is not well now, and was before, in a sentence; None: nothing."""
        if self.can_store and not now.can_store:
            return say("It cannot store a game, which it could before.")
        if self.link and not now.link:
            return say("It does not reach the device that feels touches, which it did before.")
        if now.out_of_order and not self.out_of_order:
            return say("It is out of order, which it was not before.")
        return None


NOTHING_WELL: Final = Fares(link=False, can_store=False, out_of_order=True)
"""Of a table of which nothing is known: no version is worse."""


class KeptFree(msgspec.Struct, frozen=True):
    """No game is played, and none begins until the table is given free, or is started anew."""

    fares: Fares = NOTHING_WELL
    """How the table fared when it answered so."""


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
    if _is_forbidden(socket):
        return Refused(say("This user may not ask whether somebody plays: let root do it (sudo)."))
    do = {"act": Order.KEEP_FREE.value, "seat": "operator", "seconds": seconds}
    fares = NOTHING_WELL
    with closing(Client(socket, _READ.decode)) as client:
        for told in _told(client, patience):
            match told:
                case Connected():
                    client.send(msgspec.json.encode({"id": 1, "do": do}) + b"\n")
                case HouseMessage(link=link, can_store=can_store, out_of_order=out_of_order):
                    fares = Fares(link, can_store, out_of_order)
                case Answer(ok=True):
                    return KeptFree(fares)
                case Answer(sentence=sentence):
                    return Refused(sentence or say("The table refuses, and does not say why."))
                case Busy(sentence=sentence):
                    return Refused(sentence)
    return Away()


def why_not_up(
    socket: Path,
    before: Fares = NOTHING_WELL,
    stopped: Callable[[], bool] = lambda: False,
    *,
    seconds: float,
    steady: float = STEADY_SECONDS,
) -> str | None:
    """Why the table does not come up, in a sentence; None: it does. It answers at the ``socket`` of
    the house within so many ``seconds``, is as well as it was ``before``, and is so still after a
    ``steady`` while. Looking ends where ``stopped`` says so."""
    why: str | None = AWAY
    with closing(Client(socket, _READ_FARES.decode)) as client:
        began, since = time.monotonic(), None
        while not stopped():
            now = time.monotonic()
            for heard in client.poll(now):
                if isinstance(heard, Fares):
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
    return why or say("It was not looked at for long enough.")


def _is_forbidden(socket: Path) -> bool:
    """Is there a socket, perhaps, that this user may not open? Who may not ask knows nothing."""
    with sockets.socket(sockets.AF_UNIX) as trying:
        trying.setblocking(False)
        try:
            trying.connect(str(socket))
        except PermissionError:
            return True
        except OSError:
            return False
    return False


def _told(client: "Client[_Told]", seconds: float) -> "Iterator[Connected | _Told]":
    """What the table tells for so many seconds, however often it ends meanwhile: an engine that
    falls over is started anew, and goes on with its game."""
    until = time.monotonic() + seconds
    while (now := time.monotonic()) < until:
        for heard in client.poll(now):
            if not isinstance(heard, Disconnected):
                yield heard
        _wait(client, min(LOOK_SECONDS, until - now) if client.fileno() is None else until - now)


def _wait(client: Client[Any], seconds: float) -> None:
    """Wait until there is something to read, for so many seconds at most."""
    descriptor = client.fileno()
    select.select([] if descriptor is None else [descriptor], [], [], seconds)


_Told = HouseMessage | Answer | Busy
_READ: Final[msgspec.json.Decoder[_Told]] = msgspec.json.Decoder(_Told)
_READ_FARES: Final[msgspec.json.Decoder[Fares | Busy]] = msgspec.json.Decoder(Fares | Busy)

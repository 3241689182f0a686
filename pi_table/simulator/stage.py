"""A whole table in virtual time: the real engine, journal and console in one process.

Nothing sleeps or waits. Time passes only in `Stage.advance`, and each event happens when it is due.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, Self

import msgspec

from pi_table.common.errors import InputError, TableError
from pi_table.common.language import in_english
from pi_table.devices.hal.contracts import HEARTBEAT, LightFrame, Lights, TouchGrid
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.lights.picture import Picture
from pi_table.games.rules.seat import Seat
from pi_table.games.words.pack import packs
from pi_table.protocols.ipc.messages import Answer, AnyView, Request
from pi_table.protocols.sealing.frames import KNOCK, as_text, from_text, pack_up
from pi_table.protocols.sealing.handshake import HELLO_BYTES
from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES, seal
from pi_table.screens.console.console import Console
from pi_table.simulator import scenario
from pi_table.simulator.public_screen import PublicScreen
from pi_table.table.engine.dealing import Cards, Dealer, Shelf, WordSource
from pi_table.table.engine.outputs import Audience, Verdict
from pi_table.table.engine.process.builder import build
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.table import Callbacks
from pi_table.table.engine.touches.intents import Intents

ADDRESS = "http://table.local"
"""Address of the pages for phones. In virtual time nothing serves these pages."""
EPOCH = "2000-01-01T00:00:00Z"
"""The date and time of the wall clock, which never change."""


class Device(TouchGrid, Lights, Protocol):
    """The hardware of a table in virtual time (seconds), with functions to touch it and see its
    lights."""

    shown: LightFrame
    on_show: Callable[[LightFrame], None] | None

    @property
    def now(self) -> float: ...

    def touch(self, place: int, /) -> None: ...

    def release(self, place: int, /) -> None: ...

    def advance(self, until: float) -> None:
        """Let time pass until ``until`` (seconds), or until the device has reported a touch."""


class InstantTable(SimulatedTable):
    """A simulated table that feels touches and shows frames without delay. While a place is
    touched, it reports the touches every `HEARTBEAT` seconds."""

    now = 0.0

    def advance(self, until: float) -> None:
        self.now = min(until, self.now + HEARTBEAT) if self.is_touched else until
        self.read()


class Stage:
    def __init__(
        self,
        cards: Cards = "dealt",
        shelf: Shelf | None = None,
        device: Device | None = None,
        folder: Path | None = None,
    ) -> None:
        """The table's files are in ``folder``, or by default in a temporary folder."""
        self.console = Console(self._ask)
        self.device = device or InstantTable()
        self.screen = PublicScreen()
        self._published: list[tuple[float, AnyView]] = []
        self._seen: AnyView | None = None
        self._stack = ExitStack()
        if folder is None:
            folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="pi-table-")))
        dealer = Dealer(shelf or Shelf(packs().packs))
        self._table = build(
            Storage(folder / "journal.sqlite", dealer, lambda: EPOCH, try_replay),
            intents=Intents(),
            lights=self.device,
            cards=cards,
            clock=lambda: self.now,
            callbacks=Callbacks(publish=self._publish, measure=self.device.measure),
        )
        self._stack.callback(self._table.close)
        self.device.start(self._table.on_touch_frame)
        for audience in Audience:
            self._publish(audience)

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def now(self) -> float:
        return self.device.now

    @property
    def picture(self) -> Picture:
        return self._table.picture

    @property
    def view(self) -> AnyView | None:
        return self._table.public_message().view

    def advance(self, to: float) -> None:
        """Let time pass until ``to``, in seconds. ``to`` must not be in the past."""
        while True:
            wakes = self._table.wakes
            if wakes is not None and wakes <= self.now:
                self._table.on_timer()
            elif self.now < to:
                self.device.advance(to if wakes is None else min(wakes, to))
            else:
                return

    def perform(self, what: scenario.What) -> str | None:
        """Perform an event now. If the table refuses it, return the table's sentence; otherwise
        None.

        Raises InputError for a game that cannot be started. Pictures and sentences do nothing here.
        """
        if isinstance(what, scenario.Start):
            return self._start(what.game)
        if isinstance(what, scenario.Touch):
            self.device.touch(what.place)
        elif isinstance(what, scenario.Release):
            self.device.release(what.place)
        elif isinstance(what, scenario.Console):
            self.console.happen(what.given, self.now)
        elif isinstance(what, scenario.Act):
            return self._act(what.do)
        elif isinstance(what, scenario.Phone):
            return self._scan(what.seat)
        return None

    def take_published(self) -> list[tuple[float, AnyView]]:
        """Return the public views that were published since the last call, each with its time."""
        taken, self._published = self._published, []
        return taken

    def _start(self, game: object) -> str | None:
        answers: list[TableError | None] = []
        self._table.begin(game, WordSource("own"), answers.append)
        (refusal,) = answers
        if isinstance(refusal, InputError):
            raise refusal
        if refusal is not None:
            return str(refusal)
        if self._table.game is not None:  # the console gets the game's language
            self.console.speak(self._table.game.board.settings.lang)
        return None

    def _act(self, do: Mapping[str, Any]) -> str | None:
        if do.get("act") == "tick":
            return None  # the time has already passed
        verdicts: list[Verdict] = []
        self._table.ask(do, verdicts.append)
        return verdicts[0].sentence

    def _scan(self, seat: str) -> str | None:
        """Show the code of a seat, and scan it with a phone. The phone sends nothing more."""
        self._table.on_relayed((), ADDRESS)
        verdicts: list[Verdict] = []
        do = {"act": "phone", "seat": Seat.OPERATOR.value, "for": seat}
        self._table.ask(do, verdicts.append)
        (verdict,) = verdicts
        if not verdict.ok:
            return verdict.sentence
        key = from_text(verdict.told["link"].partition("#")[2], KEY_BYTES)
        assert key is not None
        knock = {"k": as_text(os.urandom(KEY_BYTES)), "h": as_text(os.urandom(HELLO_BYTES))}
        plain = pack_up(msgspec.json.encode(knock))
        self._table.on_relayed((seal(plain, KNOCK, os.urandom(NONCE_BYTES), key),), None)
        return None

    def _publish(self, audience: Audience) -> None:
        if audience is Audience.CONSOLE:
            self.console.happen(self._table.console_message(), self.now)
            return
        message = self._table.public_message()
        self.screen.take(message, self.now)
        if message.view is not None and message.view != self._seen:
            self._seen = message.view
            self._published.append((self.now, message.view))

    def _ask(self, request: Request) -> None:
        def on_verdict(verdict: Verdict) -> None:
            told = msgspec.to_builtins(
                verdict.told, enc_hook=in_english
            )  # as a socket would deliver it
            answer = Answer(request.id, verdict.ok, verdict.reason, verdict.sentence, told)
            self.console.happen(answer, self.now)

        self._table.ask(request.do, on_verdict)

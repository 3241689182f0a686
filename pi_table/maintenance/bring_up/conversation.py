"""A conversation with the controller: one question after the other, each waited for.

The engine's driver does the same without waiting; both leave the protocol to
`pi_table.devices.wire`.
"""

from collections.abc import Iterator
from typing import Final, Protocol, TypeVar

from pi_table.common.errors import DeviceError
from pi_table.common.language import say
from pi_table.devices.hal import controller_trouble
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.wire.commands import Ask, Restart, Store, Tell
from pi_table.devices.wire.link import Event, Link
from pi_table.devices.wire.messages import Hello, Raw, SettingsTold, State
from pi_table.devices.wire.settings import Settings
from pi_table.maintenance.bring_up.raw_touch import Reading

GREETING_SECONDS: Final = 3.0
"""How long the controller may take to say hello: opening its port starts a Nano anew, and its boot
loader comes first."""
ANSWER_SECONDS: Final = 3.0
"""How long the controller may take to answer, even if the link is lost and comes back meanwhile."""


class Line(Protocol):
    """A serial line to a controller, and the clock that goes with it."""

    def now(self) -> float:
        """The time in seconds, by a clock that never goes back."""

    def send(self, data: bytes) -> None:
        """Send bytes. Raises DeviceError if the line has gone."""

    def receive(self, seconds: float) -> bytes:
        """The bytes that have come. Waits for the first one, ``seconds`` at most. Raises
        DeviceError if the line has gone."""


Answer = TypeVar("Answer", Raw, SettingsTold)


class Conversation:
    """Speaks with the controller at ``line``; ``where`` names it in errors.

    Every method raises DeviceError for whatever goes wrong. A link that is lost and comes back is
    no error.
    """

    def __init__(self, line: Line, where: str) -> None:
        """Waits until the controller has said hello."""
        self._line = line
        self._where = where
        self._link = Link()
        self._link.opened()
        self._said_nothing = controller_trouble.silent
        self._greet(line.now() + GREETING_SECONDS)
        self._said_nothing = controller_trouble.fallen_silent

    @property
    def hello(self) -> Hello:
        """What the controller has said of itself, at its latest start."""
        assert self._link.hello is not None
        return self._link.hello

    def now(self) -> float:
        """The time in seconds, by the line's clock."""
        return self._line.now()

    def state(self) -> State:
        """The next state that the controller tells, and none from while nobody listened."""
        before, until = self._link.state, self._line.now() + ANSWER_SECONDS
        while self._link.state is None or self._link.state is before or self._link.is_behind:
            self._exchange(until)
        return self._link.state

    def raw(self) -> Raw:
        """The counts of all pads, now."""
        return self._answer(Ask(Tell.RAW), Raw)

    def listen(self, seconds: float) -> tuple[list[Raw], frozenset[int]]:
        """The counts of all pads again and again for so long, once at least; and the pads
        (0 … 30) of which the controller tells meanwhile that noise swings them by a touch."""
        raws, noisy, until = [self.raw()], frozenset[int](), self._line.now() + seconds
        while self._line.now() < until:
            raws.append(self.raw())
            if self._link.state is not None:
                noisy |= self._link.state.noisy
        return raws, noisy

    def readings(self) -> Iterator[Reading]:
        """The counts of all pads again and again, as fast as they come."""
        while True:
            yield Reading(self._line.now(), self.raw().filtered)

    def settings(self) -> Settings:
        """The settings that are in use."""
        return self._answer(Ask(Tell.SETTINGS), SettingsTold).settings

    def store(self, settings: Settings) -> None:
        """Have these settings used and kept."""
        if self._answer(Store(settings), SettingsTold).refused:
            raise DeviceError(
                say(
                    "The controller at {where} refused the settings and keeps those that it has. "
                    "Its firmware may be older than this program: `pi-table flash` writes ours.",
                    where=self._where,
                )
            )

    def show(self, frame: LightFrame) -> None:
        """Let the lights look like this, as soon as the next question is asked."""
        self._link.show(frame)

    def restart(self) -> None:
        """Have the touch chips started anew, before the next question: nobody may be touching."""
        self._link.request(Restart())

    def pause(self, seconds: float) -> None:
        """Let time pass, and go on speaking: a Pi that is silent is taken for gone."""
        until = self._line.now() + seconds
        while self._line.now() < until:
            self._exchange(until)

    def _answer(self, request: Ask | Store, kind: type[Answer]) -> Answer:
        until = self._line.now() + ANSWER_SECONDS
        while True:
            self._greet(until)
            self._link.request(request)
            while self._link.is_up:
                for event in self._exchange(until):
                    if isinstance(event, kind):
                        return event

    def _greet(self, until: float) -> None:
        while not self._link.is_up:
            self._exchange(until)

    def _exchange(self, until: float) -> list[Event]:
        """Send and hear what there is, waiting until the instant ``until`` at most; answer with
        what was heard. Raises DeviceError if it is later than that, or if the controller speaks
        another protocol."""
        now = self._line.now()
        if self._link.other_protocol is not None:
            raise DeviceError(
                controller_trouble.other_protocol(self._where, self._link.other_protocol)
            )
        if now >= until:
            raise DeviceError(self._said_nothing(self._where))
        if data := self._link.to_send(now):
            self._line.send(data)
        wakes = self._link.wakes
        heard = self._line.receive(max(0.0, min(until, until if wakes is None else wakes) - now))
        now = self._line.now()
        return self._link.receive(heard, now) if heard else self._link.tick(now)

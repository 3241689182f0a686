"""Sounds of a world: each clip that its loudspeaker plays, with its begin and end.

The clips are the real ones: of the synthesis, and of the program that speaks. Only the threads that
make them belong to the test: so making a clip takes the same time in both worlds. Results that
depend on their arguments alone are made once for all worlds.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Any, Final
from unittest import mock

import msgspec

from pi_table.common.realtime import follow_main_thread
from pi_table.devices.hal import registry
from pi_table.devices.hal.contracts import SILENCE, Clip
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.sound import studio
from pi_table.devices.sound.loudness import at_volume
from pi_table.devices.sound.settings import Speech as Spoken
from pi_table.devices.sound.speech import Speech
from pi_table.devices.sound.synthesis import synthesise
from pi_table.table.engine.process import daemon

KEPT: Final = 400
"""Clips that are kept for the next worlds, of each kind: some 30 MiB."""
Saw = Callable[[str, object], None]
Loop = Callable[[], asyncio.AbstractEventLoop]


class Sound(msgspec.Struct, frozen=True):
    """The house's sound settings for an evening, and the delay of its machine."""

    volume: int
    speech: Spoken
    stall: float
    """Seconds that a spoken line takes to be made."""


def sound_of(seed: str) -> Sound:
    """The sound of the evening with this seed."""
    chance = Random(f"{seed}/sound")
    return Sound(
        chance.choice((60, 100, 100)),
        chance.choice(("off", "off", "game", "both")),
        chance.choice((0.0, 0.0, 0.3, 2.0)),
    )


def fingerprint(clip: Clip) -> tuple[int, str]:
    """Return the number of a clip's bytes, and a digest that no other clip has."""
    return len(clip.samples), _digest(clip.samples)


@lru_cache(KEPT)
def _digest(samples: bytes) -> str:
    return blake2b(samples, digest_size=12).hexdigest()


class Sounder:
    """Notes what a loudspeaker plays."""

    def __init__(self, saw: Saw) -> None:
        self.saw = saw
        self.clip: Clip = SILENCE
        self.ends: asyncio.TimerHandle | None = None

    def plays(self, clip: Clip) -> None:
        """A clip begins, and so ends whatever was to be heard still."""
        if self.ends is not None:
            self.ends.cancel()
            self.over("cut short")
        self.saw("sound", ("begins", *fingerprint(clip)))
        if clip != SILENCE:
            self.clip = clip
            loop = asyncio.get_running_loop()
            self.ends = loop.call_later(clip.seconds, self.over, "ends")

    def over(self, how: str) -> None:
        self.ends = None
        self.saw("sound", (how, *fingerprint(self.clip)))


@contextmanager
def listening_to_sounders(saw: Saw, loop: Loop, stall: float) -> Iterator[None]:
    """Hear the simulated loudspeaker of every daemon, where a line takes ``stall`` to be made."""

    def open_hardware(*given: Any) -> Any:
        hardware = registry.open_hardware(*given)
        assert isinstance(hardware.sounder, SimulatedTable)
        hardware.sounder.on_play = Sounder(saw).plays
        return hardware

    def workshop(
        max_workers: int, thread_name_prefix: str, initializer: Callable[[], None]
    ) -> Workshop:
        assert (max_workers, initializer) == (1, follow_main_thread)
        return Workshop(loop(), stall if thread_name_prefix == "lines" else 0.0)

    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(daemon, "open_hardware", open_hardware))
        stack.enter_context(mock.patch.object(studio, "ThreadPoolExecutor", workshop))
        for name, (real, once) in _ONCE.items():
            if getattr(studio, name) is real:  # and no fault is planted there
                stack.enter_context(mock.patch.object(studio, name, once))
        if Speech.speak is _SPEAK:
            stack.enter_context(mock.patch.object(Speech, "speak", _speak))
        yield


class Workshop:
    """A thread's work, one thing after another, in virtual time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self.loop = loop
        self.seconds = seconds
        self.free = 0.0
        """When all is done that was given so far."""
        self.given: list[Future[Any]] = []

    def submit(self, do: Callable[..., object], *given: object) -> "Future[Any]":
        order: Future[Any] = Future()
        if not self.seconds:
            self.work(order, do, given)
            return order
        self.free = max(self.free, self.loop.time()) + self.seconds
        self.given = [*(each for each in self.given if not each.done()), order]
        self.loop.call_at(self.free, self.work, order, do, given)
        return order

    def work(self, order: "Future[Any]", do: Callable[..., object], given: Any) -> None:
        if not order.set_running_or_notify_cancel():
            return
        try:
            order.set_result(do(*given))
        except Exception as error:  # whoever ordered it is told
            order.set_exception(error)

    def shutdown(self, wait: bool, cancel_futures: bool) -> None:
        assert wait
        assert cancel_futures
        for order in self.given:
            order.cancel()


_SPEAK = Speech.speak
_ONCE = {
    real.__name__: (real, lru_cache(KEPT)(real))  # type: ignore[attr-defined]
    for real in (synthesise, at_volume)
}


@lru_cache(KEPT)
def _line_spoken(command: tuple[str, ...], line: Any) -> Clip:
    return _SPEAK(Speech(command), line)


def _speak(speech: Speech, line: Any) -> Clip:
    return _line_spoken(speech._command, line)

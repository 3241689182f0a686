"""Makes clips: sounds by synthesis, spoken lines with the speech program.

Making a clip takes from a few milliseconds to some tenths of a second, which is too long for the
event loop. So clips are made on other threads. The clips are cached up to a limit.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Protocol

from pi_table.common.errors import DeviceError
from pi_table.common.language import say
from pi_table.common.realtime import follow_main_thread
from pi_table.devices.hal.contracts import Clip
from pi_table.devices.sound.loudness import at_volume
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.speech import Speech
from pi_table.devices.sound.synthesis import synthesise
from pi_table.devices.sound.utterance import Line, Part

SOUNDS_KEPT: Final = 2 << 20
"""Maximum number of bytes of sounds cached at the volumes in use. All sounds of one volume fit:
together they have 1.5 million bytes."""
LINES_KEPT: Final = 1 << 20
"""Maximum number of bytes of cached spoken lines: about 20 s of speech."""
MAX_WAITING_ORDERS: Final = 8
"""Maximum number of waiting orders. If there are more, the oldest order is cancelled: its callback
receives None."""

Made = Callable[[Clip | None], None]
"""A callback that receives the clip, or None if the clip cannot be made."""


class Maker:
    """Makes clips and caches them. Only one of its methods may run at a time."""

    def __init__(self, speech: Speech, most: int) -> None:
        """``most`` is the maximum number of bytes in the cache."""
        self._speech = speech
        self._most = most
        self._kept: OrderedDict[tuple[Part, int], Clip] = OrderedDict()
        self._bytes = 0
        self._synthesised: dict[Sound, Clip] = {}
        """Each sound at full volume. Synthesis is slow, so another volume only scales this clip."""
        self.trouble: str | None = None
        """Why the last line could not be spoken; None if it was spoken."""

    def clip(self, part: Part, volume: int) -> Clip | None:
        """Return a clip at this volume, from 0 to 100; None if the clip cannot be made."""
        kept = self._kept.get((part, volume))
        # A cached line does not show whether the speech program works. So while the program fails,
        # each line tries it again, and a success ends the fault. A cached clip is used anyway.
        tries_again = self.trouble is not None and isinstance(part, Line)
        if kept is None or tries_again:
            made = self._make(part)
            if kept is None:
                if made is None:
                    return None
                kept = self._keep((part, volume), at_volume(made, volume))
        self._kept.move_to_end((part, volume))
        return kept

    def _make(self, part: Part) -> Clip | None:
        if isinstance(part, Sound):
            if part not in self._synthesised:
                self._synthesised[part] = synthesise(SCORES[part])
            return self._synthesised[part]
        try:
            clip = self._speech.speak(part)
        except DeviceError as error:
            self.trouble = str(error)
            return None
        self.trouble = None
        return clip

    def _keep(self, name: tuple[Part, int], clip: Clip) -> Clip:
        self._kept[name] = clip
        self._bytes += len(clip.samples)
        while self._bytes > self._most:
            self._bytes -= len(self._kept.popitem(last=False)[1].samples)
        return clip


class Studio(Protocol):
    def order(self, part: Part, volume: int, made: Made) -> None:
        """Order a clip. ``made`` is called with the clip, at once or later, on the caller's
        thread."""

    @property
    def trouble(self) -> str | None:
        """Sentences for the staff that say why speech fails; None if speech works."""

    def close(self) -> None:
        """Stop making clips. No callbacks follow. A second call has no effect."""


class OnThreads:
    """A studio with one thread for sounds and one for lines. So no sound waits for a speech program
    that hangs."""

    def __init__(self, speech: Speech, loop: asyncio.AbstractEventLoop) -> None:
        self._speech = speech
        self._loop = loop
        self._closed = False
        self._sounds = _Thread("sounds", Maker(speech, SOUNDS_KEPT))
        self._lines = _Thread("lines", Maker(speech, LINES_KEPT))

    def order(self, part: Part, volume: int, made: Made) -> None:
        if not self._closed:
            thread = self._sounds if isinstance(part, Sound) else self._lines
            self._when_done(thread.order(part, volume), made)

    def warm(self, volume: int) -> None:
        """Cache every sound, so that the first sound of a game plays without delay. An order that
        arrives meanwhile waits for at most one of these sounds."""
        sounds = iter(SCORES)

        def another(_: Clip | None = None) -> None:
            sound = next(sounds, None)
            if sound is not None and not self._closed:
                self._when_done(self._sounds.order(sound, volume), another)

        another()

    @property
    def trouble(self) -> str | None:
        return self._lines.maker.trouble

    def close(self) -> None:
        self._closed = True
        self._speech.close()
        self._sounds.close()
        self._lines.close()

    def _when_done(self, order: "Future[Clip | None]", made: Made) -> None:
        """Make the event loop call ``made`` when the order is complete or cancelled."""

        def on_done(_: object) -> None:
            if not self._closed:
                self._loop.call_soon_threadsafe(self._tell, order, made)

        order.add_done_callback(on_done)

    def _tell(self, order: "Future[Clip | None]", made: Made) -> None:
        if self._closed:
            return
        mistake = None if order.cancelled() else order.exception()
        if mistake is not None:  # a bug must become visible
            self._loop.call_exception_handler(
                {"message": say("A clip could not be made."), "exception": mistake}
            )
        else:
            made(None if order.cancelled() else order.result())


class _Thread:
    def __init__(self, name: str, maker: Maker) -> None:
        self.maker = maker
        self._thread = ThreadPoolExecutor(1, name, follow_main_thread)
        self._orders: list[Future[Clip | None]] = []

    def order(self, part: Part, volume: int) -> "Future[Clip | None]":
        """Order a clip. If too many orders wait, the oldest order is cancelled."""
        order = self._thread.submit(self.maker.clip, part, volume)
        self._orders = [*(each for each in self._orders if not each.done()), order]
        for late in self._orders[:-MAX_WAITING_ORDERS]:
            late.cancel()
        return order

    def close(self) -> None:
        """Wait for the clip in progress, and cancel all other orders."""
        self._thread.shutdown(wait=True, cancel_futures=True)

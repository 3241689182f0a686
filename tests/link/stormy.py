"""A controller and the Pi's end of its link, in virtual time, with a storm on the wire between.

Hands touch the table by chance and lights are ordered by chance. What the controller puts on the
wire is read undamaged here, and is the truth that everything told by the link is held against; what
the lights latch is held against what was ordered.
"""

import random
import re
from collections import deque
from typing import NamedTuple

from channel import Harm, harmed
from peer import OWN_PULSES
from sly import sly

from pi_table.common.geometry import PLACE_COUNT, PLACES, leds_of
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.wire.codec import Deframer
from pi_table.devices.wire.link import DOUBT_SECONDS, Event, Link, Standing
from pi_table.devices.wire.messages import State, read
from pi_table.devices.wire.touches import NOTHING_READ, Touches, touches_in_doubt
from pi_table.simulator.emulated import Build, EmulatedTable

SECOND = 1_000_000
BURSTS = [Harm.FLIP, Harm.DROP, Harm.INSERT, Harm.NOISE]
WEATHERS = (0.05, 0.3, 0.7)
"""Shares of damaged bytes on the wire."""
BETWEEN = 0.1
"""Share of that damage while nothing is sent."""
A_WHILE = 300
"""Steps that the weather lasts."""
REMEMBERED = 4000
"""Bytes of which the wire repeats some later."""
ON_THE_LINE = 0.01
"""Seconds at most from when a state is made, by which time is judged, until it has come."""
MANY = 300
"""More messages than there are in them."""

Frame = tuple[int, ...]
LEVELS = 16
"""Of brightness. An LED is driven otherwise for each, and all are dim enough for the current."""


def frame_of(number: int) -> Frame:
    """Lights that tell their number (below 16 million). From one to the next five cells differ, and
    from each fourth to the next all places do."""
    digits = [number // LEVELS**digit % LEVELS for digit in range(6)]
    return tuple(
        0x0A0000 * digits[place % 6] + 0x2000 + 0x800 * (number // 4 % 2) + 0x10 * of_place + 0x0F
        for place in range(PLACE_COUNT)
        for of_place, _ in enumerate(leds_of(place))
    )


def pulses_of(number: int) -> Frame:
    """Return the pulses of the LEDs for those."""
    return tuple(map(pulses_of_colour, frame_of(number)))


RED_PULSES = [pulses_of_colour(0x0A0000 * level) >> 16 for level in range(LEVELS)]


def number_of(shown: Frame) -> int | None:
    """The number of the lights of which the LEDs are driven so; None: they are no such lights."""
    reds = [shown[leds_of(digit)[0]] >> 16 for digit in range(6)]
    if not {*reds} <= {*RED_PULSES}:
        return None
    number = sum(RED_PULSES.index(red) * LEVELS**digit for digit, red in enumerate(reds))
    return number if shown == pulses_of(number) else None


class Felt(NamedTuple):
    """The contents of a state, and its sending time in seconds."""

    at: float
    state: State


class Figures(NamedTuple):
    """The figures of a storm."""

    bursts: int
    into_frames: int
    """Of the bursts, those that struck a frame; the others came between."""
    seconds: float
    states_sent: int
    states_heard: int
    touches: int
    gaps: int
    starts: int
    lights_ordered: int
    lights_shown: int

    def __str__(self) -> str:
        return ", ".join(f"{name} {value:,.0f}" for name, value in self._asdict().items())


class Storm:
    """Everything that is wrong is an AssertionError."""

    def __init__(self, build: Build, seed: int) -> None:
        self.chance = random.Random(seed)
        self.table = EmulatedTable(build, seed=seed)
        self.link = Link()
        self.link.on_open()
        self.bursts = self.strikes = self.gaps = self.sent = self.heard = self.touches = 0
        self.starts = 0
        self.share = 0.0
        self._step = 0
        self._told = Deframer()
        self._begun = b""
        self._cut = False
        self._ears = Deframer()
        self._sent: deque[bytes] = deque(maxlen=MANY)
        self._lately = b""
        self._truth: dict[tuple[int, int], Felt] = {}
        self._last: State | None = None
        self._greeting_since = 0.0
        self._newest = (0, -1)
        self._last_sent_at = 0.0
        self._ordered = 0
        self._shown = 0
        self._shown_count = 0
        self._seen = OWN_PULSES
        self._reset_at = -1.0
        self._pressed: dict[int, float] = {}
        self._lifted_at = [-1.0] * PLACE_COUNT

    @property
    def now(self) -> float:
        return self.table.now_us / SECOND

    def rage(self, bursts: int) -> Figures:
        """So many bursts; then the wire is whole again, and soon all is as it should be."""
        bursts += self.bursts
        while self.bursts < bursts:
            if self._step % A_WHILE == 0:
                self.share = self.chance.choice(WEATHERS)
            self._live()
            self.step()
        self.share = 0.0
        for place in [*self._pressed]:
            self._lift(place)
        self._show()
        end = self.now + 3.0
        while self.now < end:
            self.step()
        assert self.link.standing is Standing.UP
        assert self.link.state is not None
        assert not self.link.state.touched
        assert self._shown == self._ordered
        return Figures(
            bursts=self.bursts,
            into_frames=self.strikes,
            seconds=self.now,
            states_sent=self.sent,
            states_heard=self.heard,
            touches=self.touches,
            gaps=self.gaps,
            starts=self.starts,
            lights_ordered=self._ordered,
            lights_shown=self._shown_count,
        )

    def step(self) -> None:
        """A few milliseconds at most."""
        self._step += 1
        said = self.link.to_send(self.now)
        if said := self._damaged(said, [*BURSTS]):
            self.table.write(said)
        wakes = self.link.wakes
        assert wakes is not None
        until = min(self.table.now_us + 5000, max(round(wakes * SECOND), self.table.now_us + 100))
        self.table.run(until, stop_early=True)
        self._see()
        heard = self._damaged(self._come(), [*BURSTS, Harm.DUPLICATE])
        for message in self._ears.feed(heard):
            assert message in self._sent
        self._hear(self.link.tick(self.now))
        for piece in re.findall(rb"[^\0]*\0|[^\0]+", heard):  # by frames: it is known which tells
            self._hear(self.link.receive(piece, self.now))

    # The world

    def _live(self) -> None:
        dice = self.chance.random()
        if dice < 0.05:
            if len(self._pressed) > self.chance.randrange(4):
                self._lift(self.chance.choice([*self._pressed]))
            else:
                self._press(self.chance.randrange(PLACE_COUNT))
        elif dice < 0.55:
            self._show()
        elif dice < 0.5503:
            self.table.tell("reset")
            self._cut, self._reset_at = True, self.now

    def _press(self, place: int) -> None:
        self.table.tell(f"shape 0 {PLACES[place]} 5:20")
        self._pressed[place] = self.now

    def _lift(self, place: int) -> None:
        self.table.tell(f"shape 0 {PLACES[place]} 5:0")
        self._lifted_at[place] = self.now
        del self._pressed[place]

    def _show(self) -> None:
        self._ordered += 1
        self.link.show(frame_of(self._ordered))

    def _see(self) -> None:
        """No light that was not ordered, and none that is older than what was shown already. Where
        the controller was reset while it told the strip, the rest shows what it showed."""
        for shown in self.table.new_frames():
            self._shown_count += 1
            if not shown.whole:
                assert self.now < self._reset_at + 0.02
                newer = [pulses_of(number) for number in range(self._shown + 1, self._ordered + 1)]
                for led, pulses in enumerate(shown.pulses):
                    assert pulses in {frame[led] for frame in (self._seen, OWN_PULSES, *newer)}
            elif shown.pulses != OWN_PULSES:
                number = number_of(shown.pulses)
                assert number is not None
                assert self._shown <= number <= self._ordered
                self._shown = number
            self._seen = shown.pulses

    # The wire

    def _damaged(self, data: bytes, harms: list[Harm]) -> bytes:
        if self.chance.random() >= (self.share if data else self.share * BETWEEN):
            return data
        self.bursts += 1
        if not data:
            return harmed(b"", Harm.NOISE, self.chance) + self.chance.choice((b"", b"\0", b"\0"))
        self.strikes += 1
        harm = self.chance.choice(harms)
        if harm is Harm.DUPLICATE:
            begin = self.chance.randrange(len(self._lately))
            return data + b"\0" + self._lately[begin : begin + 300] + b"\0"
        if harm is Harm.FLIP and self.chance.random() < 0.3:
            return b"".join(sly(message, self.chance) for message in Deframer().feed(data))
        return harmed(data, harm, self.chance)

    def _come(self) -> bytes:
        """Whole frames that the controller has put on the wire; what they tell is remembered."""
        came = self.table.read()
        if self._cut:  # it has started again in the middle of a frame
            self._begun, self._cut = self._begun + b"\0", False
        whole, end, self._begun = (self._begun + came).rpartition(b"\0")
        whole += end
        self._lately = (self._lately + whole)[-REMEMBERED:] or b"\0"
        for message in self._told.feed(whole):
            self._sent.append(message)
            match read(message):
                case State() as state:
                    self.sent += 1
                    self._truth[state.boot, state.sequence] = Felt(self.now, state)
                    if len(self._truth) > MANY:
                        del self._truth[next(iter(self._truth))]
                    assert all(self._was_touched(place) for place in state.touched)
                case _:
                    self.starts += message[0] == 1
        return whole

    def _was_touched(self, place: int) -> bool:
        return place in self._pressed or self.now < self._lifted_at[place] + 0.1

    # What comes of it

    def _hear(self, events: list[Event]) -> None:
        for event in events:
            assert isinstance(event, Touches)
        if self._last and self._last.touched and touches_in_doubt(self._last) in events[:1]:
            assert self.now >= self._last_sent_at + DOUBT_SECONDS - ON_THE_LINE
            events = events[1:]
        if NOTHING_READ in events:
            assert events == [NOTHING_READ]
            self._last, self._greeting_since = None, self.now
            self.gaps += 1
        elif events:
            self._compare([event for event in events if isinstance(event, Touches)])

    def _compare(self, told: list[Touches]) -> None:
        assert self.link.state is not None
        at = self.link.state.boot, self.link.state.sequence
        sent_at, state = self._truth[at]
        assert self.link.state == state
        assert at > self._newest
        assert told[-1] == Touches(
            state.touched,
            state.heavy,
            state.deaf,
            state.water or state.rim,
            perhaps=state.perhaps,
        )
        if self._last is None:
            assert sent_at >= self._greeting_since
            assert len(told) == 1
        else:
            again = {
                place
                for place in self._last.touched & state.touched
                if self._last.counters[place] != state.counters[place]
            }
            between = [self._last.touched - again] if again else []
            assert [each.touched for each in told[:-1]] == between
            self.touches += len(state.touched - self._last.touched) + len(again)
        self._last, self._last_sent_at, self._newest = state, sent_at, at
        self.heard += 1

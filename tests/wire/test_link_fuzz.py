"""The link and a controller with a wire between them that does its worst."""

import random
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import pytest
from channel import Channel, Harm
from hypothesis import event, given, settings
from hypothesis import strategies as st
from peer import Colours, Peer

from pi_table.common.geometry import leds_of
from pi_table.devices.wire import codec, link, touches
from pi_table.devices.wire.commands import Ask, Tell
from pi_table.devices.wire.link import DOUBT_SECONDS, Link, Standing
from pi_table.devices.wire.messages import State
from pi_table.devices.wire.touches import NOTHING_READ, Touches

TICK = 0.002
IN_ORDER = [Harm.FLIP, Harm.DROP, Harm.INSERT, Harm.NOISE]
harms = st.lists(st.sampled_from(Harm), min_size=1, unique=True)


class Felt(NamedTuple):
    """The contents of a state, and its time."""

    at: float
    touched: frozenset[int]
    counters: tuple[int, ...]


class Pair:
    """Both ends, hands that touch by chance and lights that change by chance; every touch that is
    told and every light that is shown is compared with what was."""

    def __init__(self, seed: int, harms: list[Harm], share: float) -> None:
        self.chance = random.Random(seed)
        self.to_pi = Channel(self.chance, harms, share)
        self.to_peer = Channel(self.chance, harms, share)
        self.in_order = {*harms} <= {*IN_ORDER}
        self.now = 0.0
        self.link = Link()
        self.link.on_open()
        self.peer = Peer(boot=1)
        self.history: dict[tuple[int, int], Felt] = {}
        self.shown: list[Colours] = []
        self.last: Felt | None = None
        """The newest that was told, since the gap."""
        self.newest = (0, -1)
        """Its boot id and sequence number."""
        self.greeting_since = 0.0
        self.told = 0

    def run(self, seconds: float, lively: bool = True) -> None:
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            if lively:
                self._live()
            self._hear(self.link.tick(self.now))
            data = self.link.to_send(self.now)
            if data:
                self.to_peer.send(data, self.now)
            for come in self.to_peer.come(self.now):
                self._obey(come)
            before = self.peer._sequence
            sent = self.peer.to_send(self.now)
            if self.peer._sequence != before:
                felt = Felt(self.now, self.peer.touched, (*self.peer.counters,))
                self.history[self.peer.boot, before] = felt
            for each in sent:
                self.to_pi.send(each, self.now)
            for come in self.to_pi.come(self.now):
                self._hear(self.link.receive(come, self.now))

    def _live(self) -> None:
        if self.chance.random() < 0.05:
            place = self.chance.randrange(27)
            (self.peer.lift if place in self.peer.touched else self.peer.touch)(place)
        if self.peer.touched and self.chance.random() < 0.05:
            place = self.chance.choice(sorted(self.peer.touched))
            self.peer.lift(place)
            self.peer.touch(place)
        if self.chance.random() < 0.05:
            self.shown.append(self._newer())
            self.link.show(self.shown[-1])
        if self.chance.random() < 0.001:
            touched, boot = self.peer.touched, self.peer.boot + 1
            self.peer = Peer(boot)
            self.peer.touch(*touched)

    def _newer(self) -> Colours:
        """Lights that are like no others: those before with some places otherwise, few or many."""
        lights = [*self.shown[-1]] if self.shown else [0] * 104
        for place in self.chance.sample(range(27), self.chance.choice((1, 1, 2, 27))):
            for led in leds_of(place):
                lights[led] = len(self.shown) + 1 << 8 | led
        return tuple(lights)

    def _obey(self, data: bytes) -> None:
        """No light that was not ordered; and where the wire keeps the order, no frame that was not,
        nor one that is older than one that was shown."""
        before = len(self.peer.applied)
        was = self.peer.lights
        self.peer.receive(data)
        for _, _, colours in self.peer.applied[before:]:
            if colours is not None:
                for led, ordered in enumerate(zip(*self.shown, strict=True)):
                    assert colours[led] in ordered
                if self.in_order:
                    assert colours in self.shown
                    assert was is None or self.shown.index(colours) >= self.shown.index(was)
                was = colours

    def _hear(self, events: list[link.Event]) -> None:
        """Check that the link reports the real touches.

        Each report is of a later state; the first is of a state after the greeting. If a finger was
        lifted since the last report, none of its holds continues.
        """
        if self.last and self.last.touched and Touches(deaf=self.last.touched) in events[:1]:
            assert self.now >= self.last.at + DOUBT_SECONDS
            events = events[1:]
        if NOTHING_READ in events:
            assert events == [NOTHING_READ]
            self.last, self.greeting_since = None, self.now
        elif events:
            state, told = self.link.state, events[-1]
            assert state is not None
            at = state.boot, state.sequence
            now = self.history[at]
            assert at > self.newest
            assert told.touched == now.touched  # type: ignore[union-attr]
            if self.last is None:
                assert now.at >= self.greeting_since
                assert len(events) == 1
            else:
                between = self._lifted(self.last, now)
                assert [event.touched for event in events[:-1]] == between  # type: ignore[union-attr]
            self.last, self.newest = now, at
            self.told += 1

    def _lifted(self, before: Felt, now: Felt) -> list[frozenset[int]]:
        again = {
            place
            for place in before.touched & now.touched
            if before.counters[place] != now.counters[place]
        }
        return [before.touched - again] if again else []

    def settle(self) -> None:
        """On a wire that is whole again all is soon as it should be, also where it brought an old
        frame once more: the controller tells what it has."""
        self.to_pi.share = self.to_peer.share = 0.0
        self.run(2.0, lively=False)
        assert self.link.standing is Standing.UP
        assert self.link.state is not None
        assert self.link.state.touched == self.peer.touched
        assert self.shown == [] or self.peer.lights == self.shown[-1]


@settings(max_examples=15)
@given(st.integers(0, 1 << 32), harms, st.sampled_from([0.02, 0.2, 0.6]))
def test_nothing_wrong_doubled_or_reordered_comes_through_and_all_is_well_after(
    seed: int, harms: list[Harm], share: float
) -> None:
    pair = Pair(seed, harms, share)
    pair.run(3.0)
    pair.settle()


def test_a_good_wire_lets_everything_through() -> None:
    pair = Pair(1, [], 0.0)
    pair.run(20.0)
    assert pair.told > 500
    assert pair.link.dropped == 0
    pair.settle()


SAY = ["hello", "state", "state", "raw", "settings", "other protocol"]
ACTS = [*SAY, *SAY, "tick", "show", "ask", "close"]
acts = st.lists(
    st.tuples(st.sampled_from(ACTS), st.integers(0, 4), st.booleans()), min_size=20, max_size=80
)


def said(peer: Peer, what: str, which: int, number: int) -> bytes:
    """A message by a controller of the wildest sort."""
    peer.touched, peer.counters = frozenset(), [0] * 27
    peer.touch(*range(which))
    peer.taken = number
    peer._sequence = (peer._sequence + (0, 1, -1, 5, 32768)[which]) % 65536
    match what:
        case "hello":
            return peer.hello()
        case "state":
            return peer.state(0.0)
        case "raw":
            return peer.raw()
        case "settings":
            return peer.told_settings()
        case _:
            return Peer(protocol=which + 2).hello()


@settings(max_examples=50)
@given(acts)
def test_whatever_comes_in_whatever_order_it_keeps_its_word(
    acts: list[tuple[str, int, bool]],
) -> None:
    pi, now, up = Link(), 0.0, False
    peers = [Peer(boot=1), Peer(boot=2)]
    pi.on_open()
    for act, which, usual in acts:
        assert len(codec.Deframer().feed(pi.to_send(now))) <= 4
        came: list[link.Event] = []
        match act:
            case "tick":
                now += (0.0, 0.01, 0.06, 0.25, 0.6)[which]
                came = pi.tick(now)
            case "show":
                pi.show((which,) * 104)
            case "ask":
                pi.request(Ask(Tell.RAW))
            case "close":
                came = pi.on_close()
                pi.on_open()
            case _:
                peer = peers[not usual]
                number = pi._outbox.number if which else 7
                came = pi.receive(codec.frame(said(peer, act, which, number)), now)
        for each in came:
            if each == NOTHING_READ:
                assert up
                up = False
            elif isinstance(each, touches.Touches):
                event("up")
                up = True
            else:
                event("answered")
                assert up
        assert up == pi.is_up
        assert up == (pi.state is not None)
        assert pi.hello is not None or not up
        assert pi.wakes is not None


Heard = Callable[[Link, State, float], list[link.Event]]
Plant = Callable[[pytest.MonkeyPatch], None]


def careless(before: Callable[[Link, State], None]) -> Plant:
    """A link that does this to itself before it judges a state."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        heard: Heard = Link._on_state

        def on_state(self: Link, state: State, now: float) -> list[link.Event]:
            before(self, state)
            return heard(self, state, now)

        patch.setattr(Link, "_on_state", on_state)

    plant.__name__ = before.__name__
    return plant


@careless
def any_sequence(self: Link, state: State) -> None:
    if self.state is not None:
        earlier = (state.sequence - 1) % 65536
        self.state = msgspec.structs.replace(self.state, sequence=earlier)


@careless
def any_boot(self: Link, state: State) -> None:
    if self.hello is not None:
        self.hello = msgspec.structs.replace(self.hello, boot=state.boot)
    if self.state is not None:
        self.state = msgspec.structs.replace(self.state, uptime_ms=state.uptime_ms)


@careless
def no_greeting(self: Link, state: State) -> None:
    if self.standing is Standing.MET:
        self._outbox.number, self._outbox.due_at = state.applied, 0.0


def no_crc(patch: pytest.MonkeyPatch) -> None:
    def message(frame: bytes) -> bytes | None:
        text = codec._uncobs(frame)
        return text[:-4] if text is not None and len(text) > 4 else None

    patch.setattr(codec, "_message", message)


def no_lifts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(touches, "COUNTERS", 1)


@pytest.mark.parametrize("plant", [any_sequence, any_boot, no_greeting, no_crc, no_lifts])
def test_it_would_be_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    def many() -> None:
        for seed in range(60):
            Pair(seed, [*Harm], 0.3).run(3.0)

    with pytest.raises(AssertionError):
        many()

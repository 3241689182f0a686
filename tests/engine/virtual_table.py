"""A whole table in virtual time, with a real journal, for the tests of the engine.

Unless a test says otherwise its house never asks whether anybody is there: hours pass in a moment.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from given_keys import GivenKeys
from lit_cells import lit_as
from shipped_packs import shipped_pack

from pi_table.common.geometry import leds_of, place_named
from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import HEARTBEAT, Readings, TouchFrame
from pi_table.devices.hal.simulated import SimulatedTable, of_places
from pi_table.devices.lights.colours import AMBER
from pi_table.devices.lights.light import FRAME_SECONDS
from pi_table.devices.lights.scenes import REFUSED_SECONDS, SCENES
from pi_table.games.announcer.announcement import ECHO, TENSION, What
from pi_table.games.rules import games
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import CLASSIC, Identity, Key, Layout
from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage
from pi_table.protocols.ipc.sealed import BEAT_SECONDS
from pi_table.protocols.sealing.seal import NONCE_BYTES
from pi_table.table.engine.dealing import Cards, Dealer, Shelf
from pi_table.table.engine.outputs import Audience, TrySound, Verdict
from pi_table.table.engine.phones.phones import BLOCK_BYTES
from pi_table.table.engine.presentation.light_player import FRAMES_PER_SECOND
from pi_table.table.engine.process.builder import build
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.peek import PEEK_SECONDS
from pi_table.table.engine.storage.backups import Backups
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import Store
from pi_table.table.engine.storage.packs import PackFolder
from pi_table.table.engine.storage.results import Result
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce, Hear, Workers
from pi_table.table.engine.table import Callbacks, Referee, nobody_judges
from pi_table.table.engine.touches.intents import MOVEMENT_SECONDS, Intents, Mode
from pi_table.table.store.journal import Journal

ADDRESS = "http://192.168.1.7:8080"
"""Where the pages are, when somebody serves them."""
WALL = "2026-01-01T00:00:00.000+00:00"
RED_KEY = Key.read("rrrrrrrrrbbbbbbbbnnnnnnna")
"""Red starts: A1 … D2 are red's, E2 … B4 blue's, C4 … D5 bystanders, E5 the assassin."""
BLUE_KEY = Key.read("bbbbbbbbbrrrrrrrrnnnnnnna")
HOLD = 0.4
DRAWN_SECONDS = 30.0
"""Seconds at the end of a long time in which every frame of the lights is drawn."""
ANSWERED = TENSION + SCENES[What.RIGHT].seconds + FRAME_SECONDS
"""Seconds from a guess until its cell stands as what it was found to be."""
SEEN_OUT = TENSION + ECHO + max(scene.seconds for scene in SCENES.values()) + FRAME_SECONDS
"""Seconds after which the lights play nothing any more of what was announced."""


class HeldDisk(AtOnce):
    """A disk that takes its time: nothing is stored before `let_go`."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage)
        self._held: list[tuple[Order, Hear]] = []

    @property
    def busy(self) -> bool:
        return bool(self._held)

    def give(self, order: Order, hear: Hear) -> None:
        if isinstance(order, Store):
            assert not self._held, "one thing at a time"
            self._held.append((order, hear))
        else:
            super().give(order, hear)

    def result_of(self, order: Order) -> Result | None:
        return None if self.busy else super().result_of(order)

    def let_go(self) -> None:
        """The disk has done what it was asked for."""
        super().give(*self._held.pop())


class VirtualTable:
    """A table, the hands at it, and what can be seen of it; ``now`` is in seconds."""

    def __init__(
        self,
        path: Path,
        *,
        now: float = 1000.3,
        mode: Mode = "hold",
        cards: Cards = "own",
        keys: list[Key] | None = None,
        make_workers: Callable[[Storage], Workers] = AtOnce,
        shelf: Shelf | None = None,
        keep: Callable[[str, Sequence[str]], None] = lambda lang, words: None,
        device: SimulatedTable | None = None,
        dealer: Dealer | None = None,
        peek_seconds: float = PEEK_SECONDS,
        frames_per_second: int = FRAMES_PER_SECOND,
        house: House | None = None,
        ask_referee: Referee = nobody_judges,
        packs: PackFolder | None = None,
        backups: Backups | None = None,
        has_screen: bool = True,
    ) -> None:
        self.now = now
        self.path = path
        self.lights: list[tuple[float, tuple[int, ...]]] = []
        """The colours of the places, and when they were shown."""
        self.public: list[tuple[float, AnyPublicMessage]] = []
        self.told = 0
        """Number of new messages to the hidden screen."""
        self.fares: list[HouseMessage] = []
        """The health messages sent to the house."""
        self.measured: list[tuple[bool, bool]] = []
        """Calls that start or stop the touch grid's measuring: True for a start, and True if the
        value of each pad is requested."""
        self.tried: list[TrySound] = []
        """The sounds requested for a test of the loudspeaker."""
        self.block: tuple[bytes, ...] = ()
        """The frames sent to phones at the latest beat."""
        self.ticks = 0
        """Number of calls that the table had requested."""
        drawn = list(keys or [RED_KEY])

        class Keys(GivenKeys):
            def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
                if layout is not CLASSIC:
                    return super().key(layout, starts)
                return drawn.pop(0) if len(drawn) > 1 else drawn[0]

        dealer = dealer or Dealer(shelf or Shelf((shipped_pack("english"),)), Keys(), keep=keep)
        storage = Storage(
            path,
            dealer,
            lambda: WALL,
            try_replay,
            house or House(idle_minutes=0),
            packs=packs,
            backups=backups,
        )
        self.ended = 0
        """Number of times the table ended to be started again."""
        self.workers = make_workers(storage)
        self.device = device or SimulatedTable()
        self.device.on_show = lambda frame: self.lights.append((self.now, frame))
        self.table = build(
            storage,
            self.workers,
            intents=Intents(mode, HOLD),
            lights=self.device,
            cards=cards,
            clock=lambda: self.now,
            callbacks=Callbacks(
                publish=lambda audience: self.publish(audience),
                after=self.after,
                measure=self.measure,
                try_sound=self.tried.append,
                send_block=self.send_block,
                ask_referee=ask_referee,
                end=self.end,
            ),
            peek_seconds=peek_seconds,
            has_screen=has_screen,
            frames_per_second=frames_per_second,
        )
        self._felt, self._felt_at = TouchFrame(), now
        self.device.start(self.feel)

    def publish(self, audience: Audience) -> None:
        """An audience has something new to be told."""
        if audience is Audience.CONSOLE:
            self.told += 1
        elif audience is Audience.HOUSE:
            self.fares.append(self.table.house_message())
        else:
            self.public.append((self.now, self.table.public_message()))

    def measure(self, tell: Callable[[Readings], None] | None, pads: bool) -> None:
        """The touch grid is to measure, or no longer."""
        self.measured.append((tell is not None, pads))
        self.device.measure(tell, pads)

    def send_block(self, frames: tuple[bytes, ...]) -> None:
        """Phones are sent something."""
        self.block = frames

    def beat(self, *frames: bytes) -> tuple[bytes, ...]:
        """Let a beat pass, in which these frames were relayed; what is sent at its end."""
        self.table.on_relayed(frames, ADDRESS)
        self.advance(BEAT_SECONDS)
        self.block = ()
        if self.table.beats:
            self.table.beat(os.urandom(BLOCK_BYTES))
        return self.block

    def end(self) -> None:
        """The table is to end."""
        self.ended += 1

    def after(self) -> None:
        """The table has been at work."""

    # Time

    def advance(self, seconds: float) -> None:
        """Let time pass, and everything happen that falls due on the way, at its own instant. While
        a place is touched its frame comes again in time. Of a long time the lights draw the end in
        full, and before it one frame a second."""
        to = self.now + seconds
        if seconds > DRAWN_SECONDS:
            player = self.table._player
            in_full, player._between = player._between, 1.0
            self._advance(to - DRAWN_SECONDS)
            player._between = in_full
        self._advance(to)

    def _advance(self, to: float) -> None:
        again = 0
        while True:
            wakes = self.table.wakes
            due = to if wakes is None else min(to, wakes)
            if self._felt.touched and self._felt_at + HEARTBEAT < due:
                self.now = self._felt_at + HEARTBEAT
                self.feel(self._felt)
            elif wakes is not None and wakes <= to:
                again = 0 if wakes > self.now else again + 1
                assert again < 100, f"The table wants to be called at {wakes} again and again."
                self.ticks += 1
                self.now = max(self.now, wakes)
                self.table.on_timer()
            else:
                self.now = to
                return

    # Hands

    def touch(self, *names: str) -> None:
        self.device.touch(*map(place, names))

    def release(self, *names: str) -> None:
        self.device.release(*map(place, names))

    def feel(self, frame: TouchFrame) -> None:
        """Let the table take this frame now, whatever its simulated device feels."""
        self._felt, self._felt_at = frame, self.now
        self.table.on_touch_frame(frame)

    def hold(self, name: str) -> None:
        """Hold a place for long enough, let go of it, and take the hand away."""
        self.touch(name)
        self.advance(HOLD)
        self.release(name)
        self.advance(MOVEMENT_SECONDS)

    # The console

    def asking(self, act: str, seat: str = "operator", **fields: Any) -> list[Verdict]:
        """Ask for something; the list that is returned will hold the answer."""
        answers: list[Verdict] = []
        do = {"act": act, "seat": seat, **fields}
        self.table.ask(do, answers.append)
        return answers

    def ask(self, act: str, seat: str = "operator", **fields: Any) -> Verdict:
        """Ask for something, and have the answer."""
        (verdict,) = self.asking(act, seat, **fields)
        return verdict

    def desk_called(self, sealed: bytes) -> bytes:
        """Somebody at a desk asks something sealed, and has the answer."""
        replies: list[bytes] = []
        self.table.on_desk_call(sealed, os.urandom(NONCE_BYTES), replies.append)
        (reply,) = replies
        return reply

    def do(self, act: str, seat: str = "operator", **fields: Any) -> None:
        """Ask for something that is accepted."""
        verdict = self.ask(act, seat, **fields)
        assert verdict.ok, verdict.sentence

    def start(self, **options: Any) -> None:
        self.do("start", profile="codenames", options=options)

    def clue(self, number: int | str = 2, team: str = "red", word: str | None = None) -> None:
        self.do("clue", f"{team}-spymaster", number=number, word=word)

    def let_go(self) -> None:
        """The held recorder's disk has done what it was asked for."""
        assert isinstance(self.workers, HeldDisk)
        self.workers.let_go()

    def switch_off(self) -> None:
        """Close it as a table is closed that goes on later: nothing more is stored."""
        self.table.close()

    # What is seen

    @property
    def game(self) -> GameInPlay:
        """The game in play, with all that it hides."""
        game = self.table.game
        assert game is not None
        return game

    @property
    def time(self) -> float:
        """Seconds of the game in play."""
        return self.game.time(self.now)

    @property
    def view(self) -> Any:
        return self.table.public_message().view

    @property
    def message(self) -> Any:
        return self.table.console_message()

    @property
    def key(self) -> str | None:
        """The key's letters, as a spymaster is told them who looks."""
        spymasters = [seat for seat in self.message.may if seat.endswith("-spymaster")]
        letters: str | None = self.ask("look", spymasters[0]).told.key if spymasters else None
        return letters

    @property
    def known(self) -> dict[str, Any]:
        """The message for the hidden screen as JSON, with the key, and with what every seat may do
        (which the table tells nobody of the agent at the screen)."""
        known: dict[str, Any] = msgspec.to_builtins(self.message)
        if self.table.game is None:
            return known
        state = self.table.game.state
        may = {seat.value: games.may(state, seat) for seat in games.seats(state.board)}
        return {**known, "key": self.key, "may": {**may, "operator": known["may"]["operator"]}}

    @property
    def covered(self) -> dict[str, str]:
        """The covered cells and what they were."""
        return {name: cell.covered.value for name, cell in self.view.cells.items() if cell.covered}

    def light(self, name: str) -> int:
        """The colour of a place now: the mean of its LEDs."""
        return of_places(self.device.shown)[place(name)]

    def lit_as(self, name: str) -> Identity | None:
        """Return the identity that a cell shows now; None if it shows none."""
        return lit_as(tuple(self.device.shown[led] for led in leds_of(place(name))))

    def flashes(self, name: str) -> bool:
        """True if this place is being refused: it is amber, then dark, and continues as before."""
        if self.light(name) != AMBER:
            return False
        self.advance(REFUSED_SECONDS * 0.3)
        dark = self.light(name) == 0
        self.advance(REFUSED_SECONDS)
        return dark and self.light(name) != AMBER

    def stored(self) -> int:
        """Return the number of events of the latest game in the journal."""
        journal = Journal.open_to_read(self.path)
        try:
            listed = journal.games()
            return listed[-1].count if listed else 0
        finally:
            journal.close()


def place(name: str) -> int:
    number = place_named(name)
    assert number is not None, name
    return number

"""The table in a bar, in virtual time: the firmware, the link, the engine, and an evening of abuse.

What was meant by the engine's opinion is compared with what was meant by the evening's plan.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from evenings_of_abuse import (
    CALM,
    FAINT,
    HELD,
    HOLD,
    LEFT_OF_IT,
    NEVER_ANEW,
    Evening,
    Loads,
    Touch,
    lookalikes,
)
from given_keys import GivenKeys
from shipped_packs import shipped_pack
from surface import SAMPLE

from pi_table.common.geometry import CELL_COUNT, END_TURN, PLACES
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.games.rules.seat import Role, seat_of
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import CLASSIC, Key, Layout
from pi_table.games.words.pack import Pack
from pi_table.simulator.emulated import Build, EmulatedTable
from pi_table.simulator.virtual_controller import VirtualController
from pi_table.table.engine.dealing import Dealer, Shelf
from pi_table.table.engine.outputs import Verdict
from pi_table.table.engine.process import builder
from pi_table.table.engine.process.replay_check import try_replay
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.table import Callbacks
from pi_table.table.engine.touches.intents import Hands, Intents, Mode

WALL = "2026-01-01T00:00:00.000+00:00"
LATE = 0.1
"""Seconds after its lift at which a touch may still be meant: the way through filters and link."""
AT_ONCE = 1e-5
"""Seconds in which what lies there is read."""
QUIET = 2.2
"""Seconds after abuse in which nobody need be felt: water is waited for, and then it settles."""
RIM_BESIDE = {"far": "A1", "left": "A1", "right": "A3", "near": "A5"}
"""A place that is measured by the same chip as a strip of the rim: hardware/wiring.csv."""

MakeIntents = Callable[[], Intents]


class WatchedIntents(Intents):
    """The policy, and what it took for meant."""

    def __init__(self, mode: Mode = "hold") -> None:
        super().__init__(mode)
        self.meant: list[tuple[float, int]] = []

    def frame(self, frame: TouchFrame, now: float) -> int | None:
        return self._watched(super().frame(frame, now), now)

    def tick(self, now: float) -> int | None:
        return self._watched(super().tick(now), now)

    def _watched(self, meant: int | None, now: float) -> int | None:
        if meant is not None:
            self.meant.append((now, meant))
        return meant


@dataclass
class Played:
    """The outcome of an evening."""

    evening: Evening
    false: list[tuple[float, int]] = field(default_factory=list)
    """Guesses that nobody meant: time and place."""
    unseen: list[tuple[float, int]] = field(default_factory=list)
    """The same, where the rest of what lay there was on places that could not be read."""
    alike: list[tuple[float, int]] = field(default_factory=list)
    """The same, where drops came and stayed as a finger does, or dried under a hand that then
    seemed to come as one: for these there is no rule."""
    fair: list[Touch] = field(default_factory=list)
    """Touches that were meant, with the table ready and no abuse about."""
    missed: list[Touch] = field(default_factory=list)
    """Those of them of which nothing came."""

    def blame(self, at: float) -> str:
        """The kinds of abuse that were going on then, or had been just before."""
        about = sorted(
            incident.kind
            for incident in self.evening.incidents
            if incident.begins <= at <= incident.ends + QUIET
        )
        return " + ".join(about) or "nothing"


def play(evening: Evening, build: Build = "host", intents: MakeIntents = WatchedIntents) -> Played:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="abuse-", dir=_memory())))
        table = stack.enter_context(EmulatedTable(build, seed=Random(evening.seed).getrandbits(32)))
        return _Game(evening, table, folder, intents()).played


class _Keys(GivenKeys):
    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
        return _key(self._chance)


class _Game:
    def __init__(
        self, evening: Evening, table: EmulatedTable, folder: Path, intents: Intents
    ) -> None:
        self._intents = intents
        self._world = table
        self._controller = VirtualController(table)
        self._now = self._controller.now
        dealer = Dealer(Shelf((_pack(),)), _Keys(Random(f"{evening.seed}/keys")))
        self._table = builder.build(
            Storage(folder / "journal.sqlite", dealer, lambda: WALL, try_replay),
            intents=intents,
            lights=self._controller,
            cards="own",
            clock=lambda: max(self._now, self._controller.now),
            callbacks=Callbacks(publish=lambda audience: None),
        )
        self._stalls = [*evening.stalls]
        """Those that are not over, the next first."""
        self._deaf: frozenset[int] = frozenset()
        self._deaf_at: list[tuple[float, frozenset[int]]] = []
        self._controller.start(self._felt)
        self.played = Played(evening)
        self._touchable: dict[float, bool] = {}
        self._ready: dict[float, bool] = {}
        try:
            self._spend(evening)
        finally:
            self._table.close()
        self._judge()

    # The evening

    def _spend(self, evening: Evening) -> None:
        happens: list[tuple[float, Callable[[], object]]] = []
        for at, line in evening.lines:
            happens.append((at, lambda line=line: self._world.tell(line)))  # type: ignore[misc]
        for touch in evening.touches:
            happens.append((touch.begins, lambda touch=touch: self._see(touch)))  # type: ignore[misc]
        happens.append((evening.seconds, lambda: None))
        self._keep_playing()
        for at, happen in sorted(happens, key=lambda happening: happening[0]):
            self._run(at)
            happen()

    def _felt(self, frame: TouchFrame) -> None:
        if frame.deaf != self._deaf:
            self._deaf_at.append((self._controller.now, self._deaf))
            self._deaf = frame.deaf
        self._table.on_touch_frame(frame)

    def _run(self, until: float) -> None:
        while self._now < until:
            wakes = self._table.wakes
            due = until if wakes is None else max(self._now, min(until, wakes))
            if self._stalls and self._stalls[0].begins <= due:
                if self._now >= self._stalls[0].begins:
                    self._stand_still(until)
                    continue
                due = self._stalls[0].begins
            self._controller.advance(due)
            # It may have been felt before; and the controller's time goes in microseconds.
            self._now = max(self._now, min(due, self._controller.now))
            if wakes is not None and wakes <= self._controller.now:
                self._now = max(self._now, self._controller.now)
                self._table.on_timer()
            elif self._controller.now >= due:
                self._now = max(self._now, due)
            self._keep_playing()

    def _stand_still(self, until: float) -> None:
        """Be away until the stall's end, or until something else happens in the world."""
        stall = self._stalls[0]
        self._now = min(until, stall.ends)
        self._controller.stand_still(self._now, stall.room)
        if self._now == stall.ends:
            del self._stalls[0]
            if stall.timers_first:
                self._table.on_timer()
            else:
                self._controller.advance(self._now + AT_ONCE)

    def _keep_playing(self) -> None:
        """Whatever is awaited of the console is done, so that fingers can always guess."""
        game = self._table.game
        board = None if game is None else game.board
        if board is None:
            self._ask("operator", "start", profile="codenames", options={"timer": "hourglass"})
        elif board.phase is Phase.OVER:
            self._ask("operator", "next")
        elif board.phase is Phase.CLUE:
            self._ask(seat_of(board.turn, Role.SPYMASTER).value, "clue", number="unlimited")
        else:
            return
        self._keep_playing()

    def _ask(self, seat: str, act: str, **fields: Any) -> None:
        def answered(verdict: Verdict) -> None:
            assert verdict.ok, verdict.sentence

        self._table.ask({"seat": seat, "act": act, **fields}, answered)

    def _see(self, touch: Touch) -> None:
        """Record, at somebody's look at the table before a touch, whether it could be a guess."""
        assert self._table.game is not None
        board = self._table.game.board
        if touch.place < CELL_COUNT:
            possible = touch.place not in board.covered
        else:
            possible = touch.place != END_TURN or board.guesses > 0
        self._touchable[touch.begins] = possible
        self._ready[touch.begins] = self._intents.hands is Hands.AWAY
        if touch.place in self._deaf:
            self._touchable[touch.begins] = False  # and dark

    # What came of it

    def _unseen(self, at: float) -> bool:
        """True if something was, just before this instant, at a place that could not be read."""
        since = at - CALM - HOLD
        deaf = self._deaf.union(*(before for until, before in self._deaf_at if until >= since))
        span = slice(max(0, round(since / SAMPLE)), round(at / SAMPLE) + 1)
        return any(
            max(counts[span], default=0.0) > FAINT
            for pad, counts in self.played.evening.abuse.items()
            if PLACES.index(RIM_BESIDE.get(pad, pad)) in deaf
        )

    def _alike(self, at: float, place: int) -> bool:
        """True if drops loaded this place like a finger, for a hold that ended at this instant."""
        return any(
            pad == PLACES[place] and HOLD - LATE <= at - begins <= HOLD + LATE
            for felt in self._felt_of_drops(at, PLACES[place])
            for pad, begins in lookalikes(felt, HELD)
        )

    def _felt_of_drops(self, at: float, pad: str) -> Iterator[Loads]:
        """Yield the loads that the controller may have felt, if drops lie there or have dried.

        The baseline of a pad follows a drop. If the drop dries under a hand, the baseline stays:
        the hand then seems lighter, until it is lifted, by up to the counts of the drop. A hand
        that is hardly felt can seem to be lifted, and to come again as a finger does. No rule
        tells it from a finger on what a hand left behind.
        """
        abuse, now = self.played.evening.abuse, round(at / SAMPLE)
        for incident in self.played.evening.incidents:
            if incident.kind != NEVER_ANEW or incident.begins > at:
                continue
            if at <= incident.ends + LATE:
                yield abuse
                continue
            counts, dried = abuse.get(pad, []), round(incident.ends / SAMPLE)
            if min(counts[dried:now], default=0.0) > LEFT_OF_IT:
                for less in range(1, math.floor(max(incident.loads.get(pad, [0.0]))) + 1):
                    lighter = [max(0.0, count - less) for count in counts[dried:]]
                    yield {**abuse, pad: counts[:dried] + lighter}

    def _judge(self) -> None:
        played, evening = self.played, self.played.evening
        meant = getattr(self._intents, "meant", [])
        for at, place in meant:
            if not any(
                touch.place == place and touch.begins <= at <= touch.ends + LATE
                for touch in evening.touches
            ):
                if self._unseen(at):
                    kind = played.unseen
                else:
                    kind = played.alike if self._alike(at, place) else played.false
                kind.append((at, place))
        excused: Touch | None = None
        for touch in evening.touches:
            if self._excused(touch, excused):
                excused = touch
                continue
            played.fair.append(touch)
            if not any(
                place == touch.place and touch.begins <= at <= touch.ends + LATE
                for at, place in meant
            ):
                played.missed.append(touch)

    def _excused(self, touch: Touch, excused: Touch | None) -> bool:
        """True if the table may ignore this touch. ``excused`` is the latest touch that it may
        ignore."""
        evening = self.played.evening
        if not self._touchable[touch.begins] or _overlapped(evening, touch):
            return True
        if excused is not None and touch.begins < excused.ends + CALM + LATE:
            return True  # too soon after what the table did not take for a finger
        return not self._ready[touch.begins] and _hurried(evening, touch)


def _overlapped(evening: Evening, touch: Touch) -> bool:
    return any(
        not incident.spares
        and incident.begins <= touch.ends + LATE
        and touch.begins <= incident.ends + QUIET
        for incident in evening.incidents
    )


def _hurried(evening: Evening, touch: Touch) -> bool:
    """True if the touch began while or soon after another one, at a table that asked for a pause.

    Otherwise the table has had time enough, and should have been ready.
    """
    return any(other.begins < touch.begins < other.ends + QUIET for other in evening.touches)


@cache
def _pack() -> Pack:
    return shipped_pack("english")


@cache
def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _key(chance: Random) -> Key:
    letters = [*"rrrrrrrrrbbbbbbbbnnnnnnna"]
    chance.shuffle(letters)
    return Key.read("".join(letters))

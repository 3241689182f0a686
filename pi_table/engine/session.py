"""The game in play: acts become events, the journal stores them, and only then the game moves.

A session does one thing at a time and in order. While something is being stored, whatever else is
asked for waits; it is decided on the game as it stands when its turn comes.
"""

import math
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

import msgspec

from pi_table.engine.dealing import Dealer, Wish, again
from pi_table.engine.recorder import Recorder
from pi_table.errors import StorageError, TableError
from pi_table.ipc.messages import OfferedPack
from pi_table.rules import events, games
from pi_table.rules.chance import Chance
from pi_table.rules.countdown import Countdown
from pi_table.rules.games import AnyAct, AnyBoard, AnyState, Opening
from pi_table.rules.seat import Seat
from pi_table.store.entries import StoredGame
from pi_table.store.faults import JournalFailingError

NOTE_SECONDS: Final = 5.0
"""How often a running countdown is noted: what a power cut can give back of it."""
RETRY_SECONDS: Final = 1.0
"""How soon what time brought about is stored again after it could not be."""

Done = Callable[[TableError | None, float], None]
"""Told what became of it (None: done, and stored if there was anything to store), and the time."""


class Unable(TableError):  # noqa: N818 - an answer, not a fault
    """The table, not the rules, refuses something; ``reason`` is a short name for programs."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Move(msgspec.Struct, frozen=True):
    """What an act brings about, not yet stored: the next state, and the events on the way."""

    state: AnyState
    happened: tuple[events.Event, ...]
    begins: float | None = None
    """The instant at which a new game begins with it, None for the game in play."""
    told: Any = None
    """What the seat alone is told of it."""


Work = Callable[[float], Move | None]
"""Decides at an instant what moves; None: nothing does. Raises TableError to refuse."""


class _Job(msgspec.Struct, frozen=True):
    work: Work
    done: Done
    begun: float


class Session:
    """The game in play and its time. ``now`` is always in seconds of the table's clock."""

    def __init__(self, dealer: Dealer) -> None:
        self._recorder: Recorder | None = None
        self._dealer = dealer
        self._jobs: deque[_Job] = deque()
        self._storing = False
        self._zero = 0.0
        self._noted = 0.0
        self._retry_at: float | None = None
        self.state: AnyState | None = None
        self.game: int | None = None
        self._opened: Opening | None = None
        """The first event of the game in play."""
        self.fault: str | None = "The table has no journal yet."
        """Why nothing can be stored, and so nothing be played; None if all is well."""
        self.held_since: float | None = None
        """Since when a finger is being held: what it means counts as begun in time (CN-24)."""
        self.on_change: Callable[[float], None] = lambda now: None

    def attach(self, recorder: Recorder, stored: StoredGame | None, now: float) -> None:
        """Store with ``recorder`` from now on, and go on with the latest game of its journal, whose
        time stood still while the power was off.

        Raises ValueError for events that this version cannot read.
        """
        if stored is None:
            self.state = self.game = self._opened = None
        else:
            history = [games.decode(entry.body) for entry in stored.entries]
            self.state = games.replay(history)
            self._opened = games.opening_of(history)
            self.game = stored.number
            self._zero = now - stored.noted_at
            self._noted = stored.noted_at
        self._recorder = recorder
        self.fault = None

    def close(self) -> None:
        """Finish storing what was begun, and let go of the journal. May be called again."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.close()

    @property
    def closed(self) -> bool:
        """Is there no journal to store anything in?"""
        return self._recorder is None

    @property
    def board(self) -> AnyBoard | None:
        return None if self.state is None else self.state.board

    def time(self, now: float) -> float:
        """Seconds of game time."""
        return now - self._zero

    def playing(self) -> AnyState:
        """The game in play. Raises Unable before the first."""
        if self.state is None:
            raise Unable("no-game", "No game has begun yet: start one on the console.")
        return self.state

    @property
    def packs(self) -> tuple[OfferedPack, ...]:
        """The word packs that games may be dealt from."""
        return self._dealer.shelf.offered()

    @property
    def chance(self) -> Chance:
        """Where what an act draws comes from."""
        return self._dealer.chance

    # What can be asked for

    def begin(self, game: object, wish: Wish, now: float, done: Done) -> None:
        """Begin a game, given as JSON, unless one is being played."""
        self.do(partial(self.opening, game, wish), now, done)

    def same_again(self, now: float) -> Move:
        """The beginning of a game like the one in play. Raises Unable."""
        if self._opened is None:
            raise Unable("no-game", "No game has begun yet: start one on the console.")
        return self.opening(*again(self._opened), now)

    def act(
        self, seat: Seat, act: AnyAct, now: float, done: Done, begun: float | None = None
    ) -> None:
        """Let ``seat`` do ``act``."""
        self.do(partial(self.move, seat, act), now, done, begun)

    def do(self, work: Work, now: float, done: Done, begun: float | None = None) -> None:
        """Decide and store something, after all that was asked for before.

        What was ``begun`` (by default now) before time ran out was begun in time.
        """
        self._jobs.append(_Job(work, done, now if begun is None else begun))
        self._pump(now)

    def opening(self, game: object, wish: Wish, now: float) -> Move:
        """The beginning of a game. Raises InputError, or Unable while one is being played."""
        board = self.board
        if board is not None and board.outcome is None:
            raise Unable("game-in-progress", "A game is being played: end it first.")
        dealt = self._dealer.deal(game, wish)
        return Move(games.evolved(None, dealt), (dealt,), begins=now)

    def move(self, seat: Seat, act: AnyAct, now: float) -> Move:
        """What comes of an act. Raises Refused or Unable."""
        state, happened = games.step(self.playing(), seat, act, self.time(now))
        return Move(state, happened, told=games.told(state, seat, happened))

    # Time

    def tick(self, now: float) -> None:
        """Let time pass."""
        if self._storing or (self._retry_at is not None and now < self._retry_at):
            return
        self._retry_at = None
        lapsed = self._lapsed(now)
        if lapsed is None:
            self._note(now)
        else:
            self._store(lapsed, self._lapse_stored, now)

    def _lapse_stored(self, fault: TableError | None, now: float) -> None:
        if fault is not None:
            self._retry_at = now + RETRY_SECONDS

    def _note(self, now: float) -> None:
        countdown = self._running
        if countdown is None or now < self._note_due(countdown):
            return
        self._noted = self.time(now)
        if self._recorder is not None and self.game is not None:
            self._recorder.note_time(self.game, self._noted)

    @property
    def wakes(self) -> float | None:
        """When `tick` has something to do next, None if only an act can change anything."""
        if self._storing:
            return None
        if self._retry_at is not None:
            return self._retry_at
        countdown = self._running
        return None if countdown is None else self._note_due(countdown)

    @property
    def _running(self) -> Countdown | None:
        """The countdown, while it has not run out yet, as far as was noted."""
        countdown = self.board and self.board.countdown
        if not countdown or countdown.ends is None or countdown.ends <= self._noted:
            return None
        return countdown

    def _note_due(self, countdown: Countdown) -> float:
        """The instant of the next note: every few seconds, and when the countdown runs out."""
        due = self._noted + NOTE_SECONDS
        ends = countdown.ends
        if ends is None or due < ends:
            return self._zero + due
        now = self._zero + ends
        while self.time(now) < ends or countdown.remaining(self.time(now)) > 0.0:
            now = math.nextafter(now, math.inf)  # the sum was rounded down
        return now

    def _lapsed(self, until: float) -> Move | None:
        """What time alone has brought about by ``until``, None for nothing."""
        if self.state is None or self._recorder is None:
            return None
        if self.held_since is not None:
            until = min(until, self.held_since)
        state, happened = games.settle(self.state, self.time(until))
        return Move(state, happened) if happened else None

    # Storing

    def _pump(self, now: float) -> None:
        """Do what is waiting, up to the first thing that has to be stored."""
        while self._jobs and not self._storing:
            job = self._jobs.popleft()
            move = self._lapsed(job.begun)
            done: Done = partial(self._go_on, job)
            try:
                if move is None:
                    move, done = job.work(now), job.done
                if move is not None and self._recorder is None:
                    raise Unable("out-of-order", self.fault or "The table has no journal.")
            except TableError as refusal:
                job.done(refusal, now)
            else:
                if move is None:
                    job.done(None, now)
                else:
                    self._store(move, done, now)

    def _go_on(self, job: _Job, fault: TableError | None, now: float) -> None:
        """Go on with a job, now that what time brought about before it is stored, or is not."""
        if fault is None:
            self._jobs.appendleft(job)
        else:
            job.done(fault, now)

    def _store(self, move: Move, done: Done, now: float) -> None:
        def stored(result: int | StorageError, now: float) -> None:
            self._storing = False
            if isinstance(result, StorageError):
                self.fault = str(result)
                if isinstance(result, JournalFailingError):
                    # Whether it was stored is not known; opening the journal again will tell.
                    with suppress(StorageError):
                        self.close()
                done(result, now)
            else:
                self.fault = None
                self._moved(move, result)
                done(None, now)
            self.on_change(now)
            self._pump(now)

        assert self._recorder is not None
        self._storing = True
        game = self.game if move.begins is None else None
        self._recorder.record(game, move.happened, now, stored)

    def _moved(self, move: Move, game: int) -> None:
        self.state, self.game = move.state, game
        if move.begins is not None:
            self._zero, self._noted = move.begins, 0.0
            self._opened = games.opening_of(move.happened)
            self._dealer.begun(self._opened)

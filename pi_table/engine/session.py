"""The game in play: acts become events, the journal stores them, and only then the game moves.

A session does one thing at a time and in order. While something is being stored, further acts
wait; they are decided on the game as it stands when their turn comes.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from pi_table.engine.dealing import Cards, Dealer
from pi_table.engine.recorder import Recorder
from pi_table.errors import StorageError, TableError
from pi_table.rules import acts, events
from pi_table.rules.board import Board, Phase, State
from pi_table.rules.evolve import evolve, replay
from pi_table.rules.game import settle, step
from pi_table.rules.seat import Seat
from pi_table.store.entries import StoredGame

NOTE_SECONDS: Final = 5.0
"""How often a running countdown is noted: what a power cut can give back of it."""
RETRY_SECONDS: Final = 1.0
"""How soon what time brought about is stored again after it could not be."""

Done = Callable[[TableError | None, float], None]
"""Told what became of an act (None: accepted and stored), and the time."""


class Unable(TableError):  # noqa: N818 - an answer, not a fault
    """The table, not the rules, refuses something; ``reason`` is a short name for programs."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class _Move(msgspec.Struct, frozen=True):
    """What an act brings about, not yet stored: the next state, and the events on the way."""

    state: State
    happened: tuple[events.Event, ...]
    begins: float | None = None
    """The instant at which a new game begins with it, None for the game in play."""


class _Job(msgspec.Struct, frozen=True):
    work: Callable[[float], _Move]
    done: Done
    begun: float | None


class Session:
    """The game in play and its time. ``now`` is always in seconds of the table's clock."""

    def __init__(self, dealer: Dealer) -> None:
        self._recorder: Recorder | None = None
        self._dealer = dealer
        self._jobs: deque[_Job] = deque()
        self._storing = False
        self._zero = 0.0
        self._noted = 0.0
        self._not_before = 0.0
        self.state: State | None = None
        self.game: int | None = None
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
        if stored is not None:
            self.state = replay(events.decode(entry.body) for entry in stored.entries)
            self.game = stored.number
            self._zero = now - stored.noted_at
            self._noted = stored.noted_at
        self._recorder = recorder
        self.fault = None

    def close(self) -> None:
        """Finish storing what was begun, and let go of the journal."""
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None

    @property
    def closed(self) -> bool:
        """Is there no journal to store anything in?"""
        return self._recorder is None

    @property
    def board(self) -> Board | None:
        return None if self.state is None else self.state.board

    def time(self, now: float) -> float:
        """Seconds of game time."""
        return now - self._zero

    def begin(self, game: object, cards: Cards, now: float, done: Done) -> None:
        """Begin a game, given as JSON, unless one is being played."""

        def work(now: float) -> _Move:
            board = self.board
            if board is not None and board.phase is not Phase.OVER:
                raise Unable("game-in-progress", "A game is being played: end it first.")
            dealt = self._dealer.deal(game, cards)
            return _Move(evolve(None, dealt), (dealt,), begins=now)

        self._add(_Job(work, done, None), now)

    def act(
        self, seat: Seat, act: acts.Act, now: float, done: Done, begun: float | None = None
    ) -> None:
        """Let ``seat`` do ``act``. What was ``begun`` before time ran out was begun in time."""

        def work(now: float) -> _Move:
            state, happened = step(self.playing(), seat, act, self.time(now))
            return _Move(state, happened)

        self._add(_Job(work, done, begun), now)

    def playing(self) -> State:
        """The game in play. Raises Unable before the first."""
        if self.state is None:
            raise Unable("no-game", "No game has begun yet: start one on the console.")
        return self.state

    def draw_key(self) -> acts.NewKey:
        return acts.NewKey(self._dealer.draw_key())

    def tick(self, now: float) -> None:
        """Let time pass."""
        if self._storing or self._jobs or now < self._not_before:
            return
        self._lapse(now if self.held_since is None else min(now, self.held_since), now)
        countdown = self.board and self.board.countdown
        if countdown and countdown.ends is not None and self.time(now) >= self._note_due:
            self._noted = self.time(now)
            if self._recorder is not None and self.game is not None:
                self._recorder.note_time(self.game, self._noted)

    @property
    def _note_due(self) -> float:
        return self._noted + NOTE_SECONDS

    @property
    def wakes(self) -> float | None:
        """When `tick` has something to do next, None if only an act can change anything."""
        countdown = self.board and self.board.countdown
        if not countdown or countdown.ends is None or self._storing:
            return None
        # Where time has run out and nothing follows from it, only the note is left to be made.
        over = countdown.ends <= self._noted
        due = self._note_due if over else min(countdown.ends, self._note_due)
        return max(self._zero + due, self._not_before)

    def _add(self, job: _Job, now: float) -> None:
        self._jobs.append(job)
        self._pump(now)

    def _pump(self, now: float) -> None:
        """Do what is waiting, up to the first thing that has to be stored."""
        while self._jobs and not self._storing:
            job = self._jobs[0]
            if self._lapse(now if job.begun is None else job.begun, now):
                continue
            self._jobs.popleft()
            try:
                move = job.work(now)
                self._store(move, job.done, now)
            except TableError as refusal:
                job.done(refusal, now)

    def _lapse(self, until: float, now: float) -> bool:
        """Store what time alone brought about by ``until``, if anything."""
        if self.state is None or self._recorder is None:
            return False
        state, happened = settle(self.state, self.time(until))
        if not happened:
            return False
        self._store(_Move(state, happened), lambda refusal, now: None, now)
        return True

    def _store(self, move: _Move, done: Done, now: float) -> None:
        if self._recorder is None:
            raise Unable("out-of-order", self.fault or "The table has no journal.")

        def stored(result: int | StorageError, now: float) -> None:
            self._storing = False
            if isinstance(result, StorageError):
                self.fault = str(result)
                self._not_before = now + RETRY_SECONDS
                done(result, now)
            else:
                self.fault = None
                self._moved(move, result)
                done(None, now)
            self.on_change(now)
            self._pump(now)

        self._storing = True
        game = self.game if move.begins is None else None
        self._recorder.record(game, move.happened, now, stored)

    def _moved(self, move: _Move, game: int) -> None:
        self.state, self.game = move.state, game
        if move.begins is not None:
            self._zero, self._noted = move.begins, 0.0
            dealt = move.happened[0]
            assert isinstance(dealt, events.Dealt)
            self._dealer.dealt(dealt)

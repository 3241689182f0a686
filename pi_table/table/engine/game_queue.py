"""The game queue: it does one job after another, and shows no result before it is stored (ALL-2).

Jobs wait in this queue for their turn. While the disk stores an act, only `_Storing` has the next
state, and no other part can see it. The game gets this state when the act is stored, and not
earlier. ``now`` and ``until`` are in seconds of the table's clock.
"""

from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.errors import TableError
from pi_table.common.language import say
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.games import Opening
from pi_table.games.rules.outcome import Why
from pi_table.table.engine.idle import OngoingGame
from pi_table.table.engine.inputs import Task
from pi_table.table.engine.snapshot import ongoing_game
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.moves import (
    Move,
    move_of_time,
    move_to_begin,
    move_to_end,
    move_to_set_apart,
)
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import Deal, MarkDealt, Note, Open, Settle, Store
from pi_table.table.engine.storage.results import (
    Dealt,
    NotFetched,
    NotOpened,
    NotSettled,
    NotStored,
    Opened,
    Stored,
)
from pi_table.table.engine.touches.intents import Hold


class Job(msgspec.Struct, frozen=True):
    """A touch or a request that waits for its turn or for the disk."""

    what: Task
    begun: float
    """Time at which the touch or request began, in seconds. A countdown that ran out after this
    time does not prevent the act (CN-24)."""
    screen: int = 0
    """The number of the hidden screen that was connected when the job began
    (`HiddenScreen.number`)."""
    unsettled: TableError | None = None
    """Why the disk could not store the move that time caused before this job; None if it could.
    After such a failure, only acts that need the disk are refused; others, such as `unpeek`, must
    still work."""

    @property
    def to(self) -> object:
        """Identifies the request; None for a touch and for the table's own acts."""
        return None if isinstance(self.what, Hold) else self.what.to


class Done(msgspec.Struct, frozen=True):
    job: Job
    refusal: TableError | None = None
    """The reason for a refusal; None if the job was done."""
    told: object = None
    """The requested data as JSON. Only the seat that asked receives it."""


RETRY_SECONDS: Final = 1.0
"""Seconds between attempts to store a move that time alone caused."""
REOPEN_SECONDS: Final = 30.0
"""Seconds between attempts to open the journal while the disk is full. The operating system's
clean-up may free space meanwhile."""

Effects = list[Order | Done]
"""Orders for the disk and finished jobs, in the sequence to process them."""


class _Storing(msgspec.Struct, frozen=True):
    """A move that the disk is storing now."""

    move: Move
    job: Job | None
    """The job that caused the move; None if time alone caused it."""
    first: bool
    """True if time alone caused the move, and ``job`` must be done after the move. If the move
    cannot be stored, the job is done with `Job.unsettled`."""
    then: Move | None = None
    """The next move to store for the same job."""


class _Dealing(msgspec.Struct, frozen=True):
    job: Job


class _Reopening(msgspec.Struct, frozen=True):
    job: Job | None
    """The job that asked to open the journal; None for an automatic retry."""


class GameQueue:
    """The game in play, its journal, and the jobs that wait for them. The journal counts as closed
    until the result `Opened` arrives."""

    def __init__(self, chance: Chance) -> None:
        """``chance`` supplies the random draws of acts."""
        self._chance = chance
        self._jobs: deque[Job] = deque()
        self._waits_for: _Storing | _Dealing | _Reopening | None = None
        self._retry_at: float | None = None
        """Time of the next attempt to store a move that time alone has caused; None if no attempt
        has failed."""
        self._reopen_at: float | None = None
        """Time of the next attempt to open a journal that failed because of a full disk; otherwise
        None."""
        self.game: GameInPlay | None = None
        """The game in play, including hidden information; None before the first game."""
        self.played: OngoingGame | None = None
        """The facts about the game in play on which `Idle` depends; None if no game is in play."""
        self.closed = True
        """True if the journal is not open, so that acts cannot be stored."""
        self.fault: str | None = say("The table has no journal yet.")
        """The fault of the journal as a sentence; None if it works."""

    @property
    def waits(self) -> bool:
        """True while the disk works for this queue. Meanwhile no job is started."""
        return self._waits_for is not None

    @property
    def gives_up(self) -> bool:
        """True while the disk stores the end of an abandoned game."""
        waits = self._waits_for
        if not isinstance(waits, _Storing) or waits.job is not None:
            return False
        outcome = waits.move.state.board.outcome
        return outcome is not None and outcome.why is Why.STOPPED

    def deals_for(self, to: object) -> bool:
        return isinstance(self._waits_for, _Dealing) and self._waits_for.job.to is to

    # Jobs and orders

    def add(self, job: Job) -> None:
        self._jobs.append(job)

    def next(self) -> Job | None:
        """Take the next job; None if no job waits, or the disk is busy."""
        return self._jobs.popleft() if self._jobs and self._waits_for is None else None

    def store(
        self, move: Move, job: Job | None, first: bool = False, then: Move | None = None
    ) -> Store:
        """Start to store a move; return the order that does it. `_Storing` explains
        the arguments."""
        self._waits_for = _Storing(move, job, first, then)
        number = None if move.begins is not None or self.game is None else self.game.number
        return Store(number, move.happened)

    def deal(self, order: Deal, job: Job) -> Deal:
        """Start to deal a new game that a job requested; return the ``order`` that does it."""
        self._waits_for = _Dealing(job)
        return order

    def reopen(self, order: Open, job: Job | None) -> Open:
        """Start to open the journal again, for a job or as an automatic retry; return the
        ``order``."""
        self._waits_for, self._reopen_at = _Reopening(job), None
        self.closed = True
        return order

    # Results

    def take(
        self,
        result: Stored | NotStored | NotSettled | Dealt | NotFetched | Opened | NotOpened,
        now: float,
    ) -> Effects:
        """Apply the result of an order, success or failure."""
        match self._waits_for, result:
            case _Storing() as storing, Stored(game=number):
                return self._on_stored(storing, number)
            case _Storing(job=job, first=first), NotStored(why=why, closed=closed):
                self._waits_for, self.fault = None, str(why)
                self.closed = self.closed or closed
                if job is not None and first:
                    self._jobs.appendleft(replace(job, unsettled=why))
                    return []
                if job is not None:
                    return [Done(job, why)]
                self._retry_at = now + RETRY_SECONDS
            case _, NotSettled(why=why, closed=closed):
                self.fault = str(why)
                self.closed = self.closed or closed
            case _Dealing(job=job), Dealt(to=to, opening=opening) if to is job.to:
                return [self._begin(opening, job, now)]
            case _Dealing(job=job), NotFetched(to=to, why=why) if to is job.to:
                self._waits_for = None
                return [Done(job, why)]
            case _, Opened(game=found):
                self._set_game(None if found is None else GameInPlay.resume(found, now))
                self.closed, self.fault = False, None
                return self._on_opened(None)
            case _, NotOpened(fault=fault, refused=refused, is_full=is_full):
                self.closed, self.fault = True, fault or self.fault
                self._reopen_at = now + REOPEN_SECONDS if is_full else None
                return self._on_opened(refused)
            case _:
                raise AssertionError(f"Nothing waits for a {type(result).__name__}.")
        return []

    def _on_stored(self, storing: _Storing, number: int) -> Effects:
        self._waits_for, self.fault = None, None
        came: Effects = [*self._apply_move(storing.move, number), Settle()]
        if storing.then is not None:
            came.append(self.store(storing.then, storing.job))
        elif storing.first and storing.job is not None:
            self._jobs.appendleft(storing.job)
        elif storing.job is not None:
            came.append(Done(storing.job, told=storing.move.told))
        return came

    def _apply_move(self, move: Move, number: int) -> list[MarkDealt]:
        if move.begins is None:
            assert self.game is not None
            self._set_game(replace(self.game, state=move.state))
            return []
        opening = games.opening_of(move.happened)
        self._set_game(GameInPlay(number, opening, move.state, zero=move.begins, noted=0.0))
        return [MarkDealt(number, opening)]

    def _set_game(self, game: GameInPlay | None) -> None:
        self.game, self.played = game, None if game is None else ongoing_game(game)

    def _begin(self, opening: Opening, job: Job, now: float) -> Store:
        """Store the start of a new game. If another game is in play, store its end first."""
        new, game = move_to_begin(opening, now), self.game
        if game is None or game.board.outcome is not None:
            return self.store(new, job)
        return self.store(move_to_end(game, self._chance, now), job, then=new)

    def _on_opened(self, refused: TableError | None) -> Effects:
        """Finish an attempt to open the journal. If a job asked for it, report the result to that
        job."""
        waited, self._waits_for = self._waits_for, None
        if not isinstance(waited, _Reopening) or waited.job is None:
            return []
        return [Done(waited.job, refused)]

    # Time

    def timed_move(self, until: float) -> Move | None:
        """Return the move that time alone has caused by ``until``; None if there is none."""
        return None if self.game is None or self.closed else move_of_time(self.game, until)

    def let_time_pass(
        self, until: float, abandoned_at: float | None, now: float
    ) -> Store | Note | Open | None:
        """Start one piece of work that is due because time has passed. Return its order, or None if
        nothing is due.

        The work is to open the journal again, to store a move that time has caused by ``until``, or
        to store the time of a game with a countdown. ``abandoned_at`` is the time at which a game
        that people have left counts as abandoned.
        """
        if self.waits or (self._retry_at is not None and now < self._retry_at):
            return None
        if self._reopen_at is not None and now >= self._reopen_at:
            return self.reopen(Open(aside=False), None)
        self._retry_at = None
        move = self.timed_move(until)
        if move is None and abandoned_at is not None and self.game is not None and not self.closed:
            move = move_to_set_apart(self.game, now >= abandoned_at, self._chance, now)
        if move is not None:
            return self.store(move, None)
        due = None if self.game is None else self.game.note_due
        if self.game is None or due is None or now < due:
            return None
        noted = self.game.time(now)
        self._set_game(replace(self.game, noted=noted))
        return None if self.closed else Note(self.game.number, noted)

    def wakes(self, abandoned_at: float | None) -> float | None:
        """Return the time at which `let_time_pass` is due; None if time changes nothing."""
        if self.waits:
            return None
        if self._reopen_at is not None:
            return self._reopen_at
        if self.game is None:
            return None
        if self._retry_at is not None:
            return self._retry_at
        due = self.game.note_due
        if abandoned_at is None or self.closed:
            return due
        return abandoned_at if due is None else min(due, abandoned_at)

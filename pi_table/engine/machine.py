"""The table as a machine: what happens goes in, with its time, and what is to be done comes out.

Until what an act brought about is stored, nothing of it leaves but the order to store it: while the
machine waits for the disk it knows the next state only as `_Storing`, of which nothing is shown,
published or answered. The light that says "felt you" is made of the touch alone, and does not wait.

The machine does one thing at a time and in order: what is asked for while it waits is judged on the
game as it stands when its turn comes. It has no clock, no file and no callback. ``now`` is in
seconds of the table's clock; `wakes` says when `take` wants to be given `Passed`.
"""

from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.announcer.standing import RefusedTouch
from pi_table.engine import messages
from pi_table.engine.appearance import Appearance
from pi_table.engine.dealing import Cards
from pi_table.engine.families import family_of
from pi_table.engine.game_in_play import GameInPlay
from pi_table.engine.idle import Idle, Played, abandons, awake, changes
from pi_table.engine.idle import begun as idle_begun
from pi_table.engine.idle import passed as idle_passed
from pi_table.engine.inputs import (
    Asked,
    Begin,
    Dealt,
    Felt,
    Fetched,
    HouseChanged,
    Input,
    Left,
    NotFetched,
    NotOpened,
    NotSettled,
    NotStored,
    Opened,
    Passed,
    PinSet,
    PinTried,
    Result,
    SoundAils,
    Stored,
    TimeOfDay,
)
from pi_table.engine.intents import Hands, Hold, Intents
from pi_table.engine.lock import Lock, is_the_operators, left, tried, used, wrong_pin
from pi_table.engine.lock import passed as lock_passed
from pi_table.engine.moves import (
    Move,
    Unable,
    acted,
    begun,
    check_that_it_can_be_stored,
    check_that_none_is_played,
    playing,
)
from pi_table.engine.outputs import (
    Answer,
    Begun,
    Deal,
    Note,
    Open,
    Output,
    SetPin,
    Settle,
    Store,
    TryPin,
    Verdict,
)
from pi_table.engine.peek import PEEK_SECONDS, Peek, passed
from pi_table.engine.refused_touch import why_refused
from pi_table.engine.requests import SetLock, SetPeek, Tell, Work, verdict_of, work_of
from pi_table.engine.situation import Situation, played
from pi_table.errors import TableError
from pi_table.hal.contracts import TouchFrame
from pi_table.house import House
from pi_table.ipc.messages import AnyPublicMessage, AnyTableMessage, OfferedPack, Presence
from pi_table.lights.attention import Attention, Held
from pi_table.rules import games
from pi_table.rules.chance import Chance
from pi_table.rules.games import AnyAct
from pi_table.rules.seat import Seat

RETRY_SECONDS: Final = 1.0
"""How soon what time brought about is stored again after it could not be."""


class _Meant(msgspec.Struct, frozen=True):
    """A touch that was meant waits for its turn, or for the disk."""

    hold: Hold


class _Job(msgspec.Struct, frozen=True):
    """A touch that was meant, or a request, that waits for its turn or for the disk."""

    what: _Meant | Asked | Begin
    begun: float
    """When the job was begun, in seconds: what was begun before time ran out counts (CN-24)."""
    screen: int = 0
    """Which hidden screen was there then: how many had hung up before it."""

    @property
    def to(self) -> object:
        """The name of the request, None for a touch."""
        return None if isinstance(self.what, _Meant) else self.what.to


class _Storing(msgspec.Struct, frozen=True):
    """The machine waits for the disk to store a move."""

    move: Move
    job: _Job | None
    """What brought the move about; None where time alone did."""
    first: bool
    """Did time alone bring the move about, before the job, which is to be done after it?"""
    then: Move | None = None
    """What is to be stored after this move, for the same job; None where that is nothing."""


class _Dealing(msgspec.Struct, frozen=True):
    """The machine waits for the opening of a new game."""

    job: _Job


class _Reopening(msgspec.Struct, frozen=True):
    """The machine waits for the journal to be opened again."""

    job: _Job


class Machine:
    """A table: fingers and the console on one side, lights and messages on the other, a game
    between. Its journal is closed until it is given `Opened`."""

    def __init__(
        self,
        intents: Intents,
        *,
        cards: Cards,
        chance: Chance,
        packs: tuple[OfferedPack, ...],
        peek_seconds: float = PEEK_SECONDS,
        house: House | None = None,
        house_fault: str | None = None,
        pin_fault: str | None = None,
        lock: Lock | None = None,
    ) -> None:
        """``cards`` is how games get their words unless it is said otherwise, ``packs`` are the
        word packs of the table, and ``chance`` is where what an act draws comes from. A peek at a
        key lasts ``peek_seconds`` (0: without end). ``house`` is how the house wants its table, and
        ``house_fault`` and ``pin_fault`` what is wrong with what it keeps of that and of its PIN.
        ``lock`` is that of the operator's page."""
        self._intents = intents
        self._cards: Cards = cards
        self._chance = chance
        self._packs = packs
        self._peek_seconds = peek_seconds
        self._house = house or House()
        self._house_fault = house_fault
        self._pin_fault = pin_fault
        self._lock = lock or Lock()
        self._idle = Idle()
        self._time_of_day: str | None = None
        self._peek: Peek | None = None
        self._screen = 0
        """Which hidden screen is there: how many have hung up."""
        self._pin_of = 0
        """The hidden screen at which a PIN was entered, or set, last."""
        self._game: GameInPlay | None = None
        self._closed = True
        self._fault: str | None = "The table has no journal yet."
        self._jobs: deque[_Job] = deque()
        self._waits_for: _Storing | _Dealing | _Reopening | None = None
        self._retry_at: float | None = None
        self._touch = TouchFrame()
        self._being_stored: Hold | None = None
        """The hold that was meant and is not on the disk yet."""
        self._refused: RefusedTouch | None = None
        """The touch that was refused last; None once another finger has come."""
        self._looked_at: tuple[Hold, object] | None = None
        """The hold that was judged last, and the state by which it was judged."""
        self._sound_trouble: str | None = None
        self._appearance = Appearance()
        self._out: list[Output] = []

    # What goes in and comes out

    def take(self, given: Input, now: float) -> list[Output]:
        """Let something happen at ``now``; answer with what is to be done. ``now`` never falls."""
        self._out = []
        self._lock = lock_passed(self._lock, now)
        if not self._closed:  # a table that cannot be played at does not invite
            self._idle = idle_passed(self._idle, self._house, self._played, now)
        wakes = self._idle.presence is Presence.IDLE
        if self._shows_somebody(given):
            self._idle = awake(now)
        wakes = wakes and self._idle.presence is Presence.PLAYING
        match given:
            case Felt(frame=frame):
                self._felt(frame, now, wakes)
            case Asked() | Begin():
                if isinstance(given, Asked) and is_the_operators(given.do.get("act")):
                    self._lock = used(self._lock, now)
                self._jobs.append(_Job(given, now, self._screen))
            case Passed():
                self._passed(now)
            case Left():
                self._peek = None
                self._screen += 1
                self._lock = left(self._lock)
            case SoundAils(trouble=trouble):
                self._sound_trouble = trouble
            case TimeOfDay(at=at):
                self._time_of_day = at
            case _:
                self._result(given, now)
        self._go_on(now)
        self._look_at_hold(now)
        situation = self._situation(now)
        self._peek = situation.peek
        self._out += self._appearance.news(situation, self._attended(), self._refused, now)
        return self._out

    @property
    def wakes(self) -> float | None:
        """When `Passed` is due next, None if nothing will change by itself."""
        due = [self._intents.wakes, self._appearance.wakes, self._lock.wakes]
        due.append(None if self._peek is None else self._peek.wakes)
        if not self._closed:
            due.append(changes(self._idle, self._house, self._played))
        if self._waits_for is None and self._game is not None:
            if self._retry_at is None and not self._closed:
                due.append(abandons(self._idle, self._house, self._played))
            due.append(self._game.note_due if self._retry_at is None else self._retry_at)
        return min((at for at in due if at is not None), default=None)

    def public_message(self, now: float) -> AnyPublicMessage:
        """What everybody may see."""
        return messages.to_everybody(self._situation(now), self._appearance.said, now)

    def console_message(self, now: float) -> AnyTableMessage:
        """What the hidden screen shows."""
        return messages.to_the_console(self._situation(now), self._appearance.said, now)

    @property
    def house(self) -> House:
        """How the house wants its table."""
        return self._house

    @property
    def fault(self) -> str | None:
        """Why nothing can be stored, and so nothing be played; None if all is well."""
        return self._fault

    @property
    def trouble(self) -> str | None:
        """What is wrong with the device that feels the touches, None if nothing is."""
        return self._touch.trouble

    @property
    def game(self) -> GameInPlay | None:
        """The game in play, with all that it hides; None before the first."""
        return self._game

    # Fingers and time

    def _shows_somebody(self, given: Input) -> bool:
        """Does this show that somebody is there? A look does not: programs take it."""
        match given:
            case Felt(frame=frame):
                return not frame.touched <= self._touch.touched
            case Asked(do=do):
                return do.get("act") != "look"
        return isinstance(given, Begin)

    def _felt(self, frame: TouchFrame, now: float, wakes: bool) -> None:
        """Take up a frame; one that ``wakes`` the table does nothing else."""
        hold = self._intents.hold
        meant = self._intents.frame(frame, now)
        self._touch = frame
        if wakes:
            self._intents.withdraw()
        elif meant is not None:
            self._mean(Hold(meant, now, None))
        elif self._intents.hold is not None and self._intents.hold is not hold:
            self._refused = None
        self._go_on(now)
        self._let_time_pass(now)

    def _passed(self, now: float) -> None:
        hold = self._intents.hold
        meant = self._intents.tick(now)
        if meant is not None:
            assert hold is not None
            self._mean(hold)
            self._go_on(now)
        self._let_time_pass(now)

    def _mean(self, hold: Hold) -> None:
        """Take up that somebody meant to touch a place."""
        self._being_stored, self._refused = hold, None
        self._jobs.append(_Job(_Meant(hold), hold.begun))

    def _touched(self, place: int, chance: Chance) -> tuple[Seat, AnyAct]:
        """The act that touching a place is, and its seat. Raises Unable where there is none."""
        game = playing(self._game)
        meant = family_of(game.board).touched(place, game.state, chance)
        if meant is None:
            raise Unable("nothing-here", "A touch means nothing here at the moment.")
        return meant

    def _look_at_hold(self, now: float) -> None:
        """Refuse at once what would be refused at the end of the hold (CN-21)."""
        hold = self._intents.hold
        if hold is None or self._being_stored is not None:
            self._looked_at = None
            return
        state = None if self._game is None else self._game.state
        if self._looked_at is not None:
            looked_at, as_it_stood = self._looked_at
            if looked_at is hold and as_it_stood is state:
                return
        self._looked_at = hold, state
        try:
            meant = self._touched(hold.place, Chance())  # of which nothing will come yet
            game = playing(self._game)
            games.decided(game.state, *meant, game.time(now))
        except TableError as refusal:
            self._intents.withdraw()
            self._refuse(hold.place, refusal, now)

    def _refuse(self, place: int, refusal: TableError, now: float) -> None:
        self._refused = RefusedTouch(place, now, why_refused(refusal))

    def _let_time_pass(self, now: float) -> None:
        """Store what time alone has brought about, or note how far a countdown has run."""
        if self._waits_for is not None or (self._retry_at is not None and now < self._retry_at):
            return
        self._retry_at = None
        lapsed = self._lapsed(self._in_time(now))
        if lapsed is not None:
            self._store(lapsed, None)
        elif (unattended := self._unattended(now)) is not None:
            self._store(unattended, None)
        elif self._game is not None:
            due = self._game.note_due
            if due is not None and now >= due:
                self._game = replace(self._game, noted=self._game.time(now))
                if not self._closed:
                    self._out.append(Note(self._game.number, self._game.noted))

    def _unattended(self, now: float) -> Move | None:
        """What the table does about a game that is set apart: it pauses the game, and in the end
        abandons it. None if that is nothing now."""
        due = abandons(self._idle, self._house, self._played)
        if due is None or self._game is None or self._closed:
            return None
        name = "abandon" if now >= due else "pause"
        state = self._game.state
        if name not in games.may(state, Seat.OPERATOR):
            return None
        act = games.read_act({"act": name}, state, self._chance)
        return acted(self._game, Seat.OPERATOR, act, now)

    @property
    def _played(self) -> Played | None:
        return None if self._game is None else played(self._game)

    def _in_time(self, until: float) -> float:
        """The instant to which time may run: not beyond the beginning of a hold (CN-24)."""
        hold = self._intents.hold
        return until if hold is None or hold.ends is None else min(until, hold.begun)

    def _lapsed(self, until: float) -> Move | None:
        """What time alone has brought about by ``until``; None if that is nothing."""
        if self._game is None or self._closed:
            return None
        state, happened = self._game.lapsed(until)
        return Move(state, happened) if happened else None

    # One thing after another

    def _go_on(self, now: float) -> None:
        """Do what waits its turn, up to the first thing that the disk is needed for."""
        while self._jobs and self._waits_for is None:
            job = self._jobs.popleft()
            lapsed = self._lapsed(self._in_time(job.begun))
            if lapsed is not None:
                self._store(lapsed, job, first=True)
                continue
            try:
                self._do(job, self._work(job.what, now))
            except TableError as refusal:
                self._end(job, refusal, now)

    def _work(self, what: _Meant | Asked | Begin, now: float) -> Work:
        """What is to be done about a touch or a request. Raises TableError to refuse it."""
        match what:
            case _Meant(hold=hold):
                return acted(playing(self._game), *self._touched(hold.place, self._chance), now)
            case Begin(to=to, game=game, wish=wish):
                check_that_none_is_played(self._game)
                return Deal(to, game, wish)
            case Asked():
                return work_of(what, self._situation(now), now)

    def _do(self, job: _Job, work: Work) -> None:
        """Begin to do a job. Raises Unable where there is no journal to store it in."""
        if isinstance(work, Move | Deal):
            check_that_it_can_be_stored(self._closed, self._fault)
        match work:
            case Tell(told=what):
                self._answer(job.what, Verdict(ok=True, told=what))
            case SetPeek(peek=peek):
                if job.screen == self._screen:  # the next one has not asked to see anything
                    self._peek = peek
                self._answer(job.what, Verdict(ok=True))
            case Move():
                self._store(work, job)
            case Deal():
                self._waits_for = _Dealing(job)
                self._out.append(work)
            case Open():
                self._waits_for = _Reopening(job)
                self._closed = True
                self._out.append(work)
            case SetLock(lock=set_lock):
                self._lock = set_lock
                self._answer(job.what, Verdict(ok=True))
            case TryPin(to=to):
                self._lock, self._pin_of = replace(self._lock, judged=to), job.screen
                self._out.append(work)
            case SetPin():
                self._pin_of = job.screen
                self._out.append(work)
            case _:
                self._out.append(work)  # it is answered when it was fetched

    def _ended_for_the_next(self, now: float) -> Move | None:
        """The end of the game that is still played when another one is to begin: whoever asked for
        that one said so. None where none is played."""
        game = self._game
        if game is None or game.board.outcome is not None:
            return None
        act = games.read_act({"act": "abandon"}, game.state, self._chance)
        return acted(game, Seat.OPERATOR, act, now)

    def _store(
        self, move: Move, job: _Job | None, first: bool = False, then: Move | None = None
    ) -> None:
        self._waits_for = _Storing(move, job, first, then)
        number = None if move.begins is not None or self._game is None else self._game.number
        self._out.append(Store(number, move.happened))

    def _result(self, result: Result, now: float) -> None:
        """Take up that an order was carried out, or could not be."""
        match self._waits_for, result:
            case _Storing() as storing, Stored(game=number):
                self._waits_for, self._fault = None, None
                self._moved(storing.move, number)
                self._out.append(Settle())
                if storing.then is not None:
                    self._store(storing.then, storing.job)
                elif storing.first and storing.job is not None:
                    self._jobs.appendleft(storing.job)
                elif storing.job is not None:
                    self._end(storing.job, None, now, storing.move.told)
            case _Storing(job=job), NotStored(why=why, closed=closed):
                self._waits_for, self._fault = None, str(why)
                self._closed = self._closed or closed
                if job is None:
                    self._retry_at = now + RETRY_SECONDS
                else:
                    self._end(job, why, now)
            case _, NotSettled(why=why, closed=closed):
                self._fault = str(why)
                self._closed = self._closed or closed
            case _Dealing(job=job), Dealt(to=to, opening=opening) if to is job.to:
                self._waits_for = None
                new = begun(opening, now)
                ended = self._ended_for_the_next(now)
                self._store(ended or new, job, then=new if ended else None)
            case _Dealing(job=job), NotFetched(to=to, why=why) if to is job.to:
                self._waits_for = None
                self._end(job, why, now)
            case _, Fetched(to=to, what=what):
                self._out.append(Answer(to, Verdict(ok=True, told=what)))
            case _, HouseChanged(to=to, house=house):
                self._house, self._house_fault = house, None
                self._out.append(Answer(to, Verdict(ok=True)))
            case _, PinTried(to=to, is_right=is_right, wrong=wrong):
                self._lock = self._unless_left(tried(self._lock, is_right, wrong, now))
                refusal = None if is_right else wrong_pin(self._lock, now)
                verdict = Verdict(ok=True) if refusal is None else verdict_of(refusal)
                self._out.append(Answer(to, verdict, refusal))
            case _, PinSet(to=to, is_set=is_set):
                lock = used(Lock(is_set, open_until=now), now) if is_set else Lock()
                self._lock = self._unless_left(lock)
                self._out.append(Answer(to, Verdict(ok=True)))
            case _, NotFetched(to=to, why=why):
                if self._lock.judged is to:
                    self._lock = replace(self._lock, judged=None)
                self._out.append(Answer(to, verdict_of(why), why))
            case waits_for, Opened(game=found):
                self._closed, self._fault, self._waits_for = False, None, None
                self._game = None if found is None else GameInPlay.gone_on_with(found, now)
                self._idle = idle_begun(self._played, self._house, now)
                if isinstance(waits_for, _Reopening):
                    self._idle = awake(now)
                    self._end(waits_for.job, None, now)
            case waits_for, NotOpened(fault=fault, refused=refused):
                self._fault, self._waits_for = fault or self._fault, None
                self._idle = awake(now)
                if isinstance(waits_for, _Reopening):
                    self._end(waits_for.job, refused, now)
            case _:
                raise AssertionError(f"Nothing waits for a {type(result).__name__}.")

    def _unless_left(self, lock: Lock) -> Lock:
        """The lock after a PIN was looked at or set: the page is open for whoever did that at the
        hidden screen, and for nobody who came to it meanwhile."""
        return lock if self._pin_of == self._screen else left(lock)

    def _moved(self, move: Move, number: int) -> None:
        """Take up that a move is stored: the game stands as the move says."""
        if move.begins is None:
            assert self._game is not None
            self._game = replace(self._game, state=move.state)
        else:
            opening = games.opening_of(move.happened)
            self._game = GameInPlay(number, opening, move.state, zero=move.begins, noted=0.0)
            self._out.append(Begun(number, opening))

    def _end(self, job: _Job, refusal: TableError | None, now: float, told: object = None) -> None:
        """Say that a job is done, or refused."""
        if isinstance(job.what, _Meant):
            hold = job.what.hold
            if self._being_stored is hold:
                self._being_stored = None
            if refusal is not None:
                self._refuse(hold.place, refusal, now)
        elif refusal is None:
            self._answer(job.what, Verdict(ok=True, told=told))
        else:
            self._out.append(Answer(job.what.to, verdict_of(refusal), refusal))

    def _answer(self, what: _Meant | Asked | Begin, verdict: Verdict) -> None:
        if not isinstance(what, _Meant):
            self._out.append(Answer(what.to, verdict))

    # How the table stands

    def _situation(self, now: float) -> Situation:
        game = self._game
        return Situation(
            game=game,
            closed=self._closed,
            fault=self._fault,
            touch=self._touch,
            sound_trouble=self._sound_trouble,
            cards=self._cards,
            every_pack=self._packs,
            chance=self._chance,
            peek=self._peeks(now),
            peek_seconds=self._peek_seconds,
            house=self._house,
            time_of_day=self._time_of_day,
            house_faults=tuple(filter(None, (self._house_fault, self._pin_fault))),
            idle=self._idle,
            lock=self._lock,
            pin_wait=self._lock.wait(now),
        )

    def _peeks(self, now: float) -> Peek | None:
        """Who looks at what is hidden; nobody does where nobody seems to be."""
        if self._game is None or self._idle.presence is not Presence.PLAYING:
            return None
        return passed(self._peek, self._game.state, self._game.number, now)

    def _attended(self) -> Attention:
        """Where hands are, and what the lights have to say about them."""
        hands = self._intents.hands
        return Attention(
            hold=_held(self._intents.hold),
            storing=_held(self._being_stored),
            unclear=self._intents.touched if hands is Hands.UNCLEAR else frozenset(),
            waiting=hands in (Hands.UNCLEAR, Hands.SETTLING),
            blocked=self._touch.blocked,
            deaf=self._touch.deaf,
        )


def _held(hold: Hold | None) -> Held | None:
    return None if hold is None else Held(hold.place, hold.begun, hold.ends)

"""The table's state machine: it takes inputs with their time, and returns outputs.

This module decides the order of events; the parts that it uses do not know each other. `Fingers`
finds the intended touches. `Idle` tracks whether people are present. `HiddenScreen` has the
operator's page, the peek and service mode. `GameQueue` holds the game, queues every job, and shows
no result before it is stored. `Presenter` finds new pictures, announcements and messages. The light
that confirms a touch depends on the touch alone, so it does not wait for the disk.

`take` processes each input in two passes. The first pass runs only the parts that the light depends
on: fingers, the game queue and the picture. Then the light is shown. The second pass runs all the
rest: texts, messages, desk and counters. So an unused desk does not delay the light. This matters
after a pause: code that has not run for a while takes three or four times as long.

The machine has no clock, no file and no callback. A request is judged when its turn comes, by the
state that the game has at that moment. ``now`` is in seconds of the table's clock; `wakes` is the
time at which `take` needs a `TimePassed`.
"""

import math
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from pi_table.common.errors import InputError, TableError
from pi_table.common.house_settings import House
from pi_table.common.language import say
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.protocols.ipc.house import NIGHT, HouseMessage
from pi_table.protocols.ipc.messages import (
    AnyPublicMessage,
    AnyTableMessage,
    OfferedPack,
    Presence,
)
from pi_table.protocols.ipc.service import TILES
from pi_table.table.engine.counting import NO_FAULTS, count_fault
from pi_table.table.engine.dealing import Cards
from pi_table.table.engine.desk.line import DeskRequest
from pi_table.table.engine.desk_session import DeskSession
from pi_table.table.engine.game_queue import Done, GameQueue, Job
from pi_table.table.engine.idle import (
    DESK_ACTS_THAT_WAKE,
    Idle,
    abandoned_at,
    advance_idle,
    awake,
    idle_at_start,
    next_change_at,
    shows_somebody,
)
from pi_table.table.engine.inputs import (
    Beat,
    Begin,
    ButtonHeld,
    DeskCalled,
    Input,
    Judged,
    ReadingsTaken,
    Relayed,
    RelayLeft,
    Request,
    ScreenLeft,
    SoundFault,
    TimeOfDay,
    TimePassed,
    TouchFelt,
)
from pi_table.table.engine.outputs import Answer, AskReferee, End, Measure, Output, Show, Verdict
from pi_table.table.engine.phone_sessions import PhoneSessions
from pi_table.table.engine.phones.links import Keeps, Links
from pi_table.table.engine.phones.phones import Claim, PhoneRequest
from pi_table.table.engine.presentation import messages
from pi_table.table.engine.presentation.hidden_screen import HiddenScreen
from pi_table.table.engine.presentation.presenter import Presenter
from pi_table.table.engine.requests.console import verdict_of
from pi_table.table.engine.requests.door import decide
from pi_table.table.engine.requests.game import no_opinion
from pi_table.table.engine.requests.outcome import (
    AnswerOnly,
    LockDesk,
    Outcome,
    SetDeskService,
    SetLock,
    SetMarks,
    SetOrders,
    SetPeek,
    SetService,
    StateChange,
)
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.state.house_orders import HouseOrders, advance_orders
from pi_table.table.engine.state.lock import Lock, wrong_pin
from pi_table.table.engine.state.marks import Marks, current_marks
from pi_table.table.engine.state.moves import (
    Move,
    act_of_touch,
    playing,
)
from pi_table.table.engine.state.peek import PEEK_SECONDS
from pi_table.table.engine.state.service import Service
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import (
    ChangePin,
    Deal,
    FindLatest,
    MarkDealt,
    Open,
    Restore,
    SetPin,
    SwitchOff,
    TryPin,
)
from pi_table.table.engine.storage.results import (
    Fetched,
    HalfRestored,
    HouseChanged,
    LatestFound,
    LinksKept,
    LinksNotKept,
    NotFetched,
    NotOpened,
    NotRestored,
    Opened,
    PacksChanged,
    PinSet,
    PinTried,
    Restored,
    Result,
    Stored,
)
from pi_table.table.engine.touches.fingers import Fingers
from pi_table.table.engine.touches.intents import Hold, Intents


class Machine:
    """A table's state machine. The journal counts as closed until the input `Opened` arrives."""

    def __init__(
        self,
        intents: Intents,
        *,
        cards: Cards,
        chance: Chance,
        packs: tuple[OfferedPack, ...],
        peek_seconds: float = PEEK_SECONDS,
        has_screen: bool = True,
        string: tuple[tuple[int, ...], ...] = TILES,
        house: House | None = None,
        house_fault: str | None = None,
        pin_fault: str | None = None,
        links_fault: str | None = None,
        lock: Lock | None = None,
        session: bytes = b"",
        links: Links | None = None,
    ) -> None:
        """``cards`` is the default source of words; ``chance`` supplies the random draws of acts.

        A peek at a key lasts ``peek_seconds`` (0: no limit). ``has_screen`` is True if the table
        has a hidden screen. ``string`` has the LEDs that each light shows. Each ``…_fault``
        argument is a sentence if the stored settings, PIN or links could not be read. ``lock`` is
        the lock of the operator's page. ``session`` identifies this start of the engine to phones:
        `handshake.SESSION_BYTES` random bytes.
        """
        self._fingers = Fingers(intents)
        self._queue = GameQueue(chance)
        self._screen = HiddenScreen(lock or Lock())
        links = Links() if links is None else links
        self._phones = PhoneSessions(session, links)
        self._desk = DeskSession(session, links.desk)
        self._keeps = Keeps.NONE
        """Which phones keep their seats in the next game, which is being dealt."""
        self._idle = Idle()
        self._began = math.inf
        """Time of the first attempt to open the journal; infinite before it."""
        self._presenter = Presenter()
        self._marks = Marks()
        self._in_force = HouseOrders()
        self._finished = LatestFound()
        self._evening_ends: float | None = None
        """Time at which the evening counts as over, so that its games are forgotten; None if no
        game has finished this evening."""
        self._over: int | None = None
        """The value of `_over_now` at the last `FindLatest` order. A new search is due if
        `_over_now` changes."""
        self._cards: Cards = cards
        self._chance = chance
        self._packs = packs
        self._peek_seconds = peek_seconds
        self._has_screen = has_screen
        self._string = string
        self._house = house or House()
        self._house_fault = house_fault
        self._pin_fault = pin_fault
        self._links_fault = links_fault
        self._time_of_day: str | None = None
        self._sound_trouble: str | None = None
        self._counts = NO_FAULTS
        self._measures = Measure(on=False)
        """The last `Measure` order. A new order is given only if it differs from this order."""
        self._out: list[Output] = []
        self._changes: float | None = -math.inf
        """Next moment at which a part outside the first pass changes without an input; None if
        there is none. The second pass computes it, so that the first pass need not check those
        parts."""
        self._now = 0.0
        self.out_of_order = False
        """True if a fault prevents play."""
        self.ails = False
        """True if there is any fault that the staff should see."""

    # Inputs and outputs

    def take(self, given: Input, now: float) -> Iterator[Output]:
        """Process an input at ``now``; yield the outputs: orders, then the light, then all others.
        ``now`` must never decrease. The caller must consume all outputs before the next input."""
        self._now, felt = now, self._fingers.frame

        # First pass: everything that a finger waits for.
        if self._changes is not None and now >= self._changes:
            self._let_time_pass(now)
        self._take_up(given, now)
        self._go_on(now)
        yield from self._flush()  # the disk starts before the light is computed
        self._judge_hold(now)
        self._close_what_is_over()
        snapshot, fingers = self.snapshot(now), self._fingers
        picture = self._presenter.look(snapshot, fingers.attention, fingers.refused, now)
        if picture is not None:
            yield Show(picture)

        # Second pass: everything else.
        self._counts = count_fault(self._counts, given, felt)
        if snapshot.peek is None:
            self._screen = self._screen.without_peek()
        self._measure_what_is_tried()
        if self._desk.take_closed() and not self._has_screen:
            self._out += self._phones.end_unused()  # only the desk showed their codes
        self._out += self._desk.take_outputs()
        snapshot = self.snapshot(now)
        self.out_of_order, self.ails = snapshot.out_of_order, bool(snapshot.faults)
        self._out += self._presenter.news(snapshot, now)
        self._look_what_is_finished(now)
        self._changes = self._next_change()
        yield from self._flush()

    def _flush(self) -> list[Output]:
        out, self._out = self._out, []
        return out

    def _let_time_pass(self, now: float) -> None:
        """Advance the parts that the light does not depend on: locks, links, orders, presence."""
        self._screen = self._screen.advance(now)
        self._desk.advance(now)
        self._in_force = advance_orders(self._in_force, now)
        if self._evening_ends is not None and now >= self._evening_ends:
            self._know_finished(replace(self._finished, tonight=()), now)
        self._out += self._phones.advance(now)
        if not self._queue.closed:  # no attract mode without a journal
            self._idle = advance_idle(self._idle, self._house, self._queue.played, now)

    def _take_up(self, given: Input, now: float) -> None:
        wakes = self._look_who_is_there(given, now)
        match given:
            case TouchFelt(frame=frame):
                in_service = self.is_in_service
                self._queue_touch(self._fingers.on_frame(frame, now, wakes or in_service), now)
            case TimePassed():
                self._queue_touch(self._fingers.tick(now), now)
            case Request() | Begin():
                if isinstance(given, Request) and given.by is Asker.CONSOLE:
                    self._screen = self._screen.on_request(given.do.get("act"), now)
                self._queue.add(Job(given, now, self._screen.number))
            case DeskCalled():
                for asked in self._desk.on_call(given, now):
                    self._queue.add(Job(asked, now))
            case Relayed():
                self._hear_phones(given, now)
            case RelayLeft():
                self._phones.on_relay_left()
            case Beat(random=random):
                self._send_to_phones(random, now)
            case ButtonHeld(to=to):
                self._out.append(SwitchOff(to))
            case ScreenLeft():
                self._screen = self._screen.next_screen()
                self._out += self._phones.end_unused()
                self._desk.end_unused(now)
            case ReadingsTaken(readings=readings):
                self._screen = self._screen.with_readings(readings)
                self._desk.on_readings(readings)
            case SoundFault(trouble=trouble):
                self._sound_trouble = trouble
            case TimeOfDay(at=at):
                self._time_of_day = at
            case _:
                self._result(given, now)
        if isinstance(given, Relayed) or self._phones.let_go:
            self._move_by_itself(now)

    @property
    def wakes(self) -> float | None:
        """Time at which `TimePassed` is due; None if nothing changes by itself."""
        due = [
            self._fingers.wakes,
            self._presenter.wakes,
            None if self._over_now == self._over else self._presenter.answered,
            self._queue.wakes(self._abandoned_at),
            self._changes,
        ]
        return min([at for at in due if at is not None], default=None)

    def _next_change(self) -> float | None:
        """Return the time at which `_let_time_pass` is due or a peek ends; None if there is no such
        time."""
        peek, service, queue = self._screen.peek, self._service, self._queue
        due = [
            self._screen.lock.wakes,
            self._desk.wakes(self._now),
            self._phones.phones.wakes,
            self._in_force.wakes,
            self._evening_ends,
            None if peek is None else peek.wakes,
            None if service is None else service.wakes,
            None if queue.closed else next_change_at(self._idle, self._house, queue.played),
        ]
        return min([at for at in due if at is not None], default=None)

    def public_message(self, now: float) -> AnyPublicMessage:
        """Return the message that everybody may see."""
        return messages.to_everybody(self.snapshot(now), self._presenter.said, now)

    def console_message(self, now: float) -> AnyTableMessage:
        """Return the message for the hidden screen, with hidden information only during a peek."""
        return messages.to_the_console(self.snapshot(now), self._presenter.said, now)

    def house_message(self) -> HouseMessage:
        return messages.to_the_house(self.snapshot(self._now))

    @property
    def heard_of_phones(self) -> tuple[object, ...]:
        """A value that changes with each accepted frame from a phone that has a seat. Callers
        compare it to see whether a frame was accepted."""
        phones = self._phones.phones.phones
        return tuple((phone.handshake.hello, phone.count) for phone in phones if phone)

    @property
    def beats(self) -> bool:
        """True if phones are served, so that the input `Beat` is due every
        `sealed.BEAT_SECONDS`."""
        return self._phones.phones.is_served

    @property
    def house(self) -> House:
        return self._house

    @property
    def fault(self) -> str | None:
        return self._queue.fault

    @property
    def trouble(self) -> str | None:
        return self._fingers.frame.trouble

    @property
    def game(self) -> GameInPlay | None:
        return self._queue.game

    # Fingers, and time

    def _look_who_is_there(self, given: Input, now: float) -> bool:
        """Update presence; return True if this input wakes the table."""
        slept = self._idle.presence is Presence.IDLE
        is_somebody = shows_somebody(given, self._fingers.frame)
        is_in_service = self.is_in_service
        if is_somebody and is_in_service:
            self._screen = self._screen.on_use(now)
            self._desk.on_use(now)
        if is_somebody or is_in_service:
            self._idle = awake(now)  # the table does not sleep in service mode
        return slept and self._idle.presence is Presence.PLAYING

    def _queue_touch(self, hold: Hold | None, now: float) -> None:
        """Queue ``hold``, the touch that is now complete, if any. Then start the work that is due
        now."""
        if hold is not None:
            self._queue.add(Job(hold, hold.begun))
            self._go_on(now)
        if self._queue.waits:
            return
        until = self._fingers.in_time(now)
        order = self._queue.let_time_pass(until, self._abandoned_at, now)
        if order is not None:
            self._out.append(order)

    def _look_what_is_finished(self, now: float) -> None:
        """If the last finished game may have changed, order a search for it. The search waits until
        people have seen how the current game ended."""
        if self._over_now != self._over and now >= self._presenter.answered:
            self._over = self._over_now
            self._out.append(FindLatest())

    def _know_finished(self, found: LatestFound, now: float) -> None:
        """Keep the finished games that a search found. This evening's games are forgotten after
        `NIGHT`, unless another game finishes before then."""
        self._finished = found
        self._evening_ends = now + NIGHT.total_seconds() if found.tonight else None

    @property
    def _over_now(self) -> int | None:
        """The number of the current game if it is over; None otherwise."""
        game = self._queue.game
        return None if game is None or game.board.outcome is None else game.number

    def _close_what_is_over(self) -> None:
        """End service mode if a game is in play now, and drop marks of earlier turns."""
        if self._queue.played is not None and self._service is not None:
            self._screen = self._screen.without_service()
            self._desk.end_service()
        self._marks = current_marks(self._marks, self._queue.game)

    def _measure_what_is_tried(self) -> None:
        """Order the readings of the touch grid for service mode, if the needed readings have
        changed."""
        service = self._service
        measures = Measure(on=False) if service is None else service.measures
        if measures != self._measures:
            self._measures = measures
            self._out.append(measures)

    @property
    def is_in_service(self) -> bool:
        """True in service mode."""
        return self._service is not None

    @property
    def _service(self) -> Service | None:
        """The state of service mode, which the hidden screen or the desk has started; None outside
        it."""
        return self._screen.service or self._desk.desk.service

    def _judge_hold(self, now: float) -> None:
        """If a hold would be refused at its end, refuse it now (CN-21)."""
        game = self._queue.game
        hold = self._fingers.to_be_judged(None if game is None else game.state)
        if hold is None:
            return
        try:
            # This is only a trial, so it has its own random source.
            meant = act_of_touch(game, hold.place, Chance())
            game = playing(game)
            games.decide(game.state, *meant, game.time(now))
        except TableError as refusal:
            self._fingers.withdraw(hold, refusal, now)

    @property
    def _abandoned_at(self) -> float | None:
        return abandoned_at(self._idle, self._house, self._queue.played)

    # Phones

    def _hear_phones(self, relayed: Relayed, now: float) -> None:
        """Process frames from phones.

        A connected phone counts as a present person, whatever the phone sends. Otherwise the time
        of the question whether anybody still plays would reveal requests and held fingers of phones
        (ALL-1).
        """
        for heard in self._phones.on_frames(relayed, now):
            if isinstance(heard, Request):
                self._queue.add(Job(heard, now))
            else:
                self._out.append(heard)
        if self._phones.phones.is_heard(now):
            self._idle = awake(now)

    def _send_to_phones(self, random: bytes, now: float) -> None:
        snapshot = self.snapshot(now)
        self._out.append(
            self._phones.beat(random, lambda phone: messages.to_a_phone(phone, snapshot, now), now)
        )

    def _move_by_itself(self, now: float) -> None:
        """Queue the requests that the table makes itself, for agents and their phones."""
        game, queue = self._queue.game, self._queue
        if game is not None and not queue.waits and not queue.closed:
            for asked in self._phones.due_requests(game, now):
                queue.add(Job(asked, now))

    # The queue

    def _go_on(self, now: float) -> None:
        """Do the queued jobs, up to the first job that needs the disk."""
        while (job := self._queue.next()) is not None:
            lapsed = self._queue.timed_move(self._fingers.in_time(job.begun))
            if lapsed is not None and job.unsettled is None:
                self._out.append(self._queue.store(lapsed, job, first=True))
                continue
            snapshot = replace(self.snapshot(now), unsettled=job.unsettled)
            try:
                self._do(job, decide(job.what, snapshot, now), now)
            except TableError as refusal:
                self._finish_job(Done(job, refusal), now)
            except RecursionError:  # even its repr is nested too deeply
                self._finish_job(Done(job, InputError(say("This is nested too deeply."))), now)

    def _do(self, job: Job, outcome: Outcome, now: float) -> None:
        match outcome:
            case AnswerOnly(what=what):
                self._finish_job(Done(job, told=what), now)
            case StateChange():
                self._become(outcome, job.screen)
                self._finish_job(Done(job), now)
            case Move():
                self._out.append(self._queue.store(outcome, job))
            case Deal():
                self._keeps = outcome.keeps
                self._out.append(self._queue.deal(outcome, job))
            case Open():
                self._out.append(self._queue.reopen(outcome, job))
            case _:
                self._expect(outcome, job.screen)
                self._out.append(outcome)  # the answer is sent when its result arrives

    def _become(self, part: StateChange, screen: int) -> None:
        """Apply a change of the table's state. ``screen`` is the number of the hidden screen that
        was connected when the change was requested."""
        match part:
            case SetPeek(peek=peek):
                self._screen = self._screen.with_peek(peek, screen)
            case SetLock(lock=lock):
                self._screen = self._screen.with_lock(lock)
            case LockDesk():
                self._desk.lock()
            case SetMarks(marks=marks):
                self._marks = marks
            case SetService(service=service, sound=sound):
                self._screen = self._screen.with_service(service, screen)
                if sound is not None:
                    self._out.append(sound)
            case SetDeskService(service=service):
                self._desk.set_service(service)
            case SetOrders(in_force=in_force):
                self._in_force = in_force

    def _expect(self, order: Order | AskReferee, screen: int) -> None:
        """Prepare for the result of an order. For example, no second PIN is accepted while a PIN is
        checked."""
        match order:
            case TryPin(to=to, at_desk=True) | ChangePin(to=to):
                self._screen = self._screen.with_pin_check_at_desk(to)
            case TryPin(to=to):
                self._screen = self._screen.with_pin_check(to, screen)
            case SetPin():
                self._screen = self._screen.with_pin_change(screen)
            case Restore(to=to):
                self._desk.note_restore(to)

    def _on_pin_check(self, tried: PinTried, now: float) -> None:
        """Apply the result of a PIN check. Hidden screen and desk each count their own
        wrong PINs."""
        to, is_right = tried.to, tried.is_right
        if isinstance(to, DeskRequest):
            self._screen = self._screen.after_pin_check_at_desk(is_right)
            self._answer(to, self._desk.on_pin_check(to, is_right, tried.wrong, now))
            if self._desk.desk.is_spent:
                self._desk.end(now)
            return
        self._screen = self._screen.after_pin_check(is_right, tried.wrong, now)
        self._answer(to, None if is_right else wrong_pin(self._screen.lock.wait(now)))

    def _on_pin_change(self, to: object, is_set: bool, now: float) -> None:
        """Apply the change or removal of the PIN. The desk locks itself. Without a PIN, the desk's
        link ends."""
        if isinstance(to, DeskRequest):
            self._screen = self._screen.after_pin_change_at_desk(is_set)
        else:
            self._screen = self._screen.after_pin_change(is_set, now)
        self._desk.lock()
        self._answer(to)
        if not is_set:
            self._desk.end(now)

    def _on_links_result(self, result: LinksKept | LinksNotKept, now: float) -> None:
        self._phones.on_links_result(result, now)
        self._desk.on_links_result(result, now)
        asked = result.to is not None and not isinstance(result.to, Claim)
        match result:
            case LinksKept(to=to, told=told):
                self._links_fault = None
                if asked:
                    self._answer(to, told=told)
            case LinksNotKept(to=to, why=why) if asked:
                self._answer(to, why)

    def _result(self, result: Result | Judged, now: float) -> None:
        if isinstance(result, Opened | NotOpened):
            self._began = min(self._began, now)
        match result:
            case Fetched(to=to, what=what):
                if to is not None:
                    self._answer(to, told=what)
            case HouseChanged(to=to, house=house):
                self._house, self._house_fault = house, None
                self._answer(to)
            case PinTried():
                self._on_pin_check(result, now)
            case PinSet(to=to, is_set=is_set):
                self._on_pin_change(to, is_set, now)
            case PacksChanged(to=to, told=told, packs=packs):
                self._packs = packs
                self._answer(to, told=told)
            case Restored(to=to):
                self._answer(to)
                self._out += [*self._desk.take_outputs(), End()]
            case HalfRestored(to=to, why=why):
                self._answer(to, why)
                self._out += [*self._desk.take_outputs(), End()]
            case NotRestored(to=to, why=why, opened=opened):
                self._result(opened, now)
                self._idle = awake(now)  # somebody asked for the restore
                self._result(NotFetched(to, why), now)
            case NotFetched(to=to, why=why) if not self._queue.deals_for(to):
                self._screen = self._screen.on_failure(to)
                self._desk.on_failure(to)
                if to is not None:
                    self._answer(to, why)
            case LinksKept() | LinksNotKept():
                self._on_links_result(result, now)
            case LatestFound():
                self._know_finished(result, now)
            case Judged(to=to, opinion=opinion):
                self._answer(to, None if opinion is not None else no_opinion(), opinion)
            case Opened():
                came = self._queue.take(result, now)
                self._know_finished(result.finished, now)
                self._over = self._over_now
                # Without a job, this is the start, or a full disk has room again. People may have
                # used the table before the disk got room: do not sleep in front of them.
                was_seen = self._idle.since > self._began
                begins = idle_at_start(self._queue.played, self._house, now)
                self._idle = awake(now) if came or was_seen else begins
                self._take_effects(came, now)
                self._out += self._phones.resume_game(self._queue.game, now)
            case Stored() if self._queue.gives_up:
                self._take_effects(self._queue.take(result, now), now)
                self._out += self._phones.end()
            case _:
                self._take_effects(self._queue.take(result, now), now)

    def _take_effects(self, came: Iterable[Order | Done], now: float) -> None:
        for each in came:
            if isinstance(each, Done):
                self._finish_job(each, now)
            else:
                self._out.append(each)
                if isinstance(each, MarkDealt):
                    self._out += self._phones.begin_game(each.game, self._keeps, now)

    def _finish_job(self, done: Done, now: float) -> None:
        if isinstance(done.job.what, Hold):
            self._fingers.on_result(done.job.what, done.refusal, now)
        elif done.job.to is not None:
            self._answer(done.job.to, done.refusal, done.told)
        match done.job.what:
            case Request(by=Asker.DESK, do={"act": str(act)}) if act in DESK_ACTS_THAT_WAKE:
                if done.refusal is None:
                    self._idle = awake(now)

    def _answer(self, to: object, refusal: TableError | None = None, told: object = None) -> None:
        verdict = Verdict(ok=True, told=told) if refusal is None else verdict_of(refusal)
        if isinstance(to, DeskRequest):
            self._desk.answer(to, verdict, self._now)
            return
        if isinstance(to, PhoneRequest):
            self._phones.answer(to, messages.answer_to_phone(to.id, verdict, refusal))
            return
        self._out.append(Answer(to, verdict, refusal))

    # Snapshot

    def snapshot(self, now: float) -> Snapshot:
        game, screen = self._queue.game, self._screen
        # Hidden information is shown only while people are present.
        seen = game if self._idle.presence is Presence.PLAYING else None
        return Snapshot(
            game=game,
            closed=self._queue.closed,
            fault=self._queue.fault,
            touch=self._fingers.frame,
            sound_trouble=self._sound_trouble,
            cards=self._cards,
            every_pack=self._packs,
            chance=self._chance,
            peek=screen.peek_at(seen, now),
            peek_seconds=self._peek_seconds,
            has_screen=self._has_screen,
            string=self._string,
            house=self._house,
            time_of_day=self._time_of_day,
            house_faults=tuple(
                filter(None, (self._house_fault, self._pin_fault, self._links_fault))
            ),
            idle=self._idle,
            lock=screen.lock,
            pin_wait=screen.lock.wait(now),
            service=self._service,
            counts=self._counts,
            desk=self._desk.desk,
            line=self._desk.line,
            in_force=self._in_force,
            latest=self._finished.latest,
            tonight=self._finished.tonight,
            phones=self._phones.phones,
            marks=self._marks,
        )

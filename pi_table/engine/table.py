"""The table: fingers and the console on one side, lights and views on the other, a game between.

Touches become intents, intents and requests become acts of a seat, and what comes of them is
published. Nothing here waits, and every method is told the time (``now``: seconds of the table's
clock); after each call, `wakes` says when `tick` is due.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from pi_table.engine.archive import Archive
from pi_table.engine.dealing import CARDS, Cards
from pi_table.engine.intents import Hands, Hold, Intents
from pi_table.engine.lighting import Attention, light
from pi_table.engine.session import Done, Move, Session, Unable
from pi_table.errors import InputError, TableError, did_you_mean
from pi_table.geometry import CELLS, END_TURN, HOURGLASS, PLACE_COUNT, PLACES
from pi_table.hal.contracts import LightFrame, Lights, TouchFrame
from pi_table.ipc.messages import PublicMessage, TableMessage
from pi_table.rules import acts, text
from pi_table.rules.board import Board, Phase
from pi_table.rules.decide import decide
from pi_table.rules.phases import may
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Role, Seat, seat_of
from pi_table.rules.views import OperatorView, public_view, view


class Verdict(msgspec.Struct, frozen=True):
    """What became of a request: accepted (and stored), with what its seat is ``told``; or why
    not, as a short ``reason`` for programs and a sentence for people."""

    ok: bool
    reason: str | None = None
    sentence: str | None = None
    told: Any = None

    def __repr__(self) -> str:
        return f"Verdict({'ok' if self.ok else self.reason})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("ok", self.ok), ("reason", self.reason)]  # not what is told


ReadyToAnswer = Callable[[Verdict, float], None]


class Table:
    """A table with its devices. ``reopen`` tries again to open the journal after a fault, having
    set the old one aside if it is told to; it raises StorageError."""

    def __init__(
        self,
        session: Session,
        intents: Intents,
        lights: Lights,
        archive: Archive,
        cards: Cards,
        reopen: Callable[[bool], None],
    ) -> None:
        self._session = session
        self._intents = intents
        self._lights = lights
        self._archive = archive
        self._cards: Cards = cards
        self._reopen = reopen
        self._touch = TouchFrame()
        self._attention = Attention()
        self._shown: LightFrame | None = None
        self._lights_wake: float | None = None
        self._urging = False
        self.publish: Callable[[float], None] = lambda now: None
        """Called whenever `public_message` or `table_message` has something new to say."""
        session.on_change = self._changed

    # Fingers

    def frame(self, frame: TouchFrame, now: float) -> None:
        """Take a frame of the touch grid."""
        before, self._touch = self._touch, frame
        held = self._intents.hold
        meant = self._intents.frame(frame, now)
        if meant is not None:
            self._meant(Hold(meant, now, None), now)
        elif self._intents.hold is not None and self._intents.hold is not held:
            self._attention = msgspec.structs.replace(self._attention, refused=None)
            self._check_hold(now)
        self.tick(now)
        if (frame.deaf, frame.trouble) != (before.deaf, before.trouble):
            self.publish(now)

    def tick(self, now: float) -> None:
        """Let time pass: holds complete, clocks run down, lights move."""
        hold = self._intents.hold
        meant = self._intents.tick(now)
        if meant is not None:
            assert hold is not None
            self._meant(hold, now)
        hold = self._intents.hold
        self._session.held_since = None if hold is None or hold.ends is None else hold.begun
        self._session.tick(now)
        urging_changed = self._urge(now)
        self._show(now)
        if urging_changed:
            self.publish(now)

    def _meant(self, hold: Hold, now: float) -> None:
        """Somebody meant to touch a place."""
        state = self._session.state
        if state is None:
            self._refuse(hold.place, now)
            return
        self._attention = msgspec.structs.replace(self._attention, storing=hold, refused=None)

        def done(refusal: TableError | None, now: float) -> None:
            if self._attention.storing is hold:
                self._attention = msgspec.structs.replace(self._attention, storing=None)
            if refusal is not None:
                self._refuse(hold.place, now)
            self._show(now)

        seat, act = _touched(hold.place, state.board)
        self._session.act(seat, act, now, done, hold.begun)

    def _check_hold(self, now: float) -> None:
        """Refuse at once what would be refused at the end of the hold (CN-21)."""
        hold = self._intents.hold
        if hold is None or self._attention.storing is not None:
            return
        state = self._session.state
        try:
            if state is None:
                raise Unable("no-game", "No game has begun yet.")
            decide(state, *_touched(hold.place, state.board), self._session.time(now))
        except TableError:
            self._intents.withdraw()
            self._refuse(hold.place, now)

    def _refuse(self, place: int, now: float) -> None:
        self._attention = msgspec.structs.replace(self._attention, refused=place, refused_at=now)

    # The console

    def ask(self, do: Mapping[str, Any], now: float, answer: ReadyToAnswer) -> None:
        """Do what somebody asks for at the console; ``do`` is an act as JSON."""
        told: object = None

        def work(now: float) -> Move | None:
            nonlocal told
            asked = self._asked(do, now)
            if isinstance(asked, Move):
                return asked
            told = asked
            return None

        def done(refusal: TableError | None, now: float) -> None:
            answer(Verdict(ok=True, told=told) if refusal is None else _refusal(refusal), now)
            self._show(now)

        self._session.do(work, now, done)

    def start(self, game: object, now: float, done: Done, cards: Cards | None = None) -> None:
        """Begin a game, given as JSON; ``done`` is told of an InputError if it makes none."""
        self._session.begin(game, cards or self._cards, now, done)

    def _asked(self, do: Mapping[str, Any], now: float) -> object:
        """The move that is asked for, or what is told. Raises TableError."""
        if not isinstance(do.get("act"), str):
            raise Refused(Reason.UNKNOWN_ACT)
        seat = text.read_seat(do.get("seat"))
        own = _OWN_ACTS.get(do["act"])
        if own is not None:
            if seat is not Seat.OPERATOR:
                raise Refused(Reason.WRONG_SEAT)
            return own(self, do, now)
        if do["act"] == "look":
            seen = view(self._session.playing(), seat, self._session.time(now))
            if isinstance(seen, OperatorView):
                return msgspec.structs.replace(seen, faults=self._faults())
            return seen
        if do["act"] == "clues":
            return self._session.playing().board.clues
        act = text.read_act(do, lambda: self._session.draw_key().key)
        return self._session.move(seat, act, now)

    def _ask_start(self, do: Mapping[str, Any], now: float) -> Move:
        cards = do.get("cards", self._cards)
        if cards not in CARDS:
            raise InputError(f"There are no cards {cards!r}; {did_you_mean(str(cards), CARDS)}")
        game = {"profile": do.get("profile"), "options": do.get("options")}
        return self._session.opening(game, cards, now)

    def _ask_next(self, do: Mapping[str, Any], now: float) -> Move:
        """CN-23: the same game again, with other cards and another key."""
        board = self._session.playing().board
        options = msgspec.structs.asdict(board.settings)
        cards: Cards = "own" if board.words is None else "dealt"
        game = {"profile": board.profile, "options": options}
        return self._session.opening(game, cards, now)

    def _ask_record(self, do: Mapping[str, Any], now: float) -> object:
        number = do.get("game")
        if number is None:
            return self._archive.games()
        if isinstance(number, bool) or not isinstance(number, int):
            raise Refused(Reason.BAD_NUMBER)
        return self._archive.record(number)

    def _ask_try_again(self, do: Mapping[str, Any], now: float) -> None:
        if self._session.fault is None:
            raise Unable("nothing-to-mend", "The journal is in order.")
        self._mend(now, aside=False)

    def _ask_set_aside(self, do: Mapping[str, Any], now: float) -> None:
        if not self._session.closed:
            raise Unable("nothing-to-mend", "The journal is open.")
        self._mend(now, aside=True)

    def _mend(self, now: float, aside: bool) -> None:
        self._session.close()
        try:
            self._reopen(aside)
        finally:
            self._changed(now)

    # What is seen

    def public_message(self, now: float) -> PublicMessage:
        board = self._session.board
        seen = None if board is None else public_view(board, self._session.time(now))
        return PublicMessage(seen, self._out_of_order)

    def table_message(self, now: float) -> TableMessage:
        """What the spymasters' screen shows: it holds the key."""
        state = self._session.state
        doable = {seat.value: () if state is None else may(state.board, seat) for seat in Seat}
        doable[Seat.OPERATOR.value] += self._own_acts_possible()
        return TableMessage(
            public=None if state is None else public_view(state.board, self._session.time(now)),
            key=None if state is None else state.key.letters,
            may=doable,
            settings=None if state is None else state.board.settings,
            game=self._session.game,
            cards=self._cards,
            faults=self._faults(),
        )

    def _own_acts_possible(self) -> tuple[str, ...]:
        if self._session.closed:
            return ("try-again", "set-aside")
        board = self._session.board
        acts: tuple[str, ...] = ("record",)
        if board is None:
            acts = ("start", "record")
        elif board.phase is Phase.OVER:
            acts = ("start", "next", "record")
        return acts if self._session.fault is None else (*acts, "try-again")

    def _faults(self) -> tuple[str, ...]:
        faults = [fault for fault in (self._session.fault, self._touch.trouble) if fault]
        if self._touch.deaf and not self._touch.trouble:  # which would name them too
            names = ", ".join(PLACES[place] for place in sorted(self._touch.deaf))
            faults.append(f"These places cannot feel a finger at the moment: {names}.")
        return tuple(faults)

    @property
    def trouble(self) -> str | None:
        """What is wrong with the device that feels the touches, None if nothing is."""
        return self._touch.trouble

    @property
    def _out_of_order(self) -> bool:
        return self._session.fault is not None or len(self._touch.deaf) == PLACE_COUNT

    @property
    def wakes(self) -> float | None:
        """When `tick` is due next, None if nothing will change by itself."""
        due = (self._intents.wakes, self._session.wakes, self._lights_wake)
        return min((at for at in due if at is not None), default=None)

    def _changed(self, now: float) -> None:
        """The game has moved: what a finger was about to do may not be possible any more."""
        self._check_hold(now)
        self._urge(now)
        self._show(now)
        self.publish(now)

    def _urge(self, now: float) -> bool:
        """See whether time has run out; answer whether that is new."""
        board, before = self._session.board, self._urging
        self._urging = board is not None and board.urging(self._session.time(now))
        return self._urging is not before

    def _show(self, now: float) -> None:
        hands = self._intents.hands
        attention = msgspec.structs.replace(
            self._attention,
            hold=self._intents.hold,
            unclear=self._intents.touched if hands is Hands.UNCLEAR else frozenset(),
            waiting=hands in (Hands.UNCLEAR, Hands.SETTLING),
            blocked=self._touch.blocked,
            deaf=self._touch.deaf,
            out_of_order=self._out_of_order,
        )
        lighting = light(self._session.board, attention, self._urging, now)
        self._lights_wake = lighting.wakes
        if lighting.frame != self._shown:
            self._shown = lighting.frame
            self._lights.show(lighting.frame)


def _touched(place: int, board: Board) -> tuple[Seat, acts.Act]:
    """Who does what by touching a place: fingers are the operatives' whose turn it is."""
    seat = seat_of(board.turn, Role.OPERATIVES)
    if place == END_TURN:
        return seat, acts.Stop()
    if place == HOURGLASS:
        return seat, acts.TurnHourglass()
    assert place < len(CELLS)
    return seat, acts.Guess(place)


def _refusal(refusal: TableError) -> Verdict:
    if isinstance(refusal, Refused):
        reason = refusal.reason.value
    elif isinstance(refusal, Unable):
        reason = refusal.reason
    else:
        reason = "cannot-store" if isinstance(refusal, OSError) else "unusable"
    return Verdict(ok=False, reason=reason, sentence=str(refusal))


_OWN_ACTS: Final[dict[str, Callable[[Table, Mapping[str, Any], float], object]]] = {
    "start": Table._ask_start,
    "next": Table._ask_next,
    "record": Table._ask_record,
    "try-again": Table._ask_try_again,
    "set-aside": Table._ask_set_aside,
}
"""What the table itself can be asked for by its operator; all other acts are the rules'."""

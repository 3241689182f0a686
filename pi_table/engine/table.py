"""The table: fingers and the console on one side, lights and views on the other, a game between.

Touches become intents, intents and requests become acts of a seat, and what comes of them is
published. Nothing here waits, and every method is told the time (``now``: seconds of the table's
clock); after each call, `wakes` says when `tick` is due.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pi_table.engine.archive import Archive
from pi_table.engine.dealing import Cards, Wish
from pi_table.engine.intents import Hands, Hold, Intents
from pi_table.engine.lighting import Attention, light
from pi_table.engine.requests import Requests
from pi_table.engine.session import Done, Move, Session, Unable
from pi_table.engine.showing import on_the_hidden_screen, to_everybody
from pi_table.engine.touching import touched
from pi_table.errors import TableError
from pi_table.geometry import PLACE_COUNT, PLACES
from pi_table.hal.contracts import LightFrame, Lights, TouchFrame
from pi_table.ipc.messages import AnyPublicMessage, AnyTableMessage
from pi_table.rules import games
from pi_table.rules.chance import Chance
from pi_table.rules.refusal import Refused
from pi_table.rules.seat import Seat
from pi_table.rules.word_games.board import Board


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
        self._cards: Cards = cards
        self._requests = Requests(
            session, archive, cards, self._faults, reopen, lambda now: self._changed(now)
        )
        self._touch = TouchFrame()
        self._attention = Attention()
        self._shown: LightFrame | None = None
        self._lights_wake: float | None = None
        self._urging = False
        self._told: tuple[games.AnyBoard | None, bool, bool] = (None, False, False)
        self.publish: Callable[[float], None] = lambda now: None
        """Called whenever `table_message` has something new to say."""
        self.publish_public: Callable[[float], None] = lambda now: None
        """Called whenever `public_message` has: what an agent enters is no news for others."""
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
            self._publish(now)

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
            self._publish(now)

    def _meant(self, hold: Hold, now: float) -> None:
        """Somebody meant to touch a place."""
        self._attention = msgspec.structs.replace(self._attention, storing=hold, refused=None)

        def work(now: float) -> Move:
            return self._session.move(*self._touched(hold.place, self._session.chance), now)

        def done(refusal: TableError | None, now: float) -> None:
            if self._attention.storing is hold:
                self._attention = msgspec.structs.replace(self._attention, storing=None)
            if refusal is not None:
                self._refuse(hold.place, now)
            self._show(now)

        self._session.do(work, now, done, hold.begun)

    def _touched(self, place: int, chance: Chance) -> tuple[Seat, games.AnyAct]:
        """Who does what by touching a place. Raises Unable where that means nothing."""
        meant = touched(place, self._session.playing(), chance)
        if meant is None:
            raise Unable("nothing-here", "A touch means nothing here at the moment.")
        return meant

    def _check_hold(self, now: float) -> None:
        """Refuse at once what would be refused at the end of the hold (CN-21)."""
        hold = self._intents.hold
        if hold is None or self._attention.storing is not None:
            return
        try:
            meant = self._touched(hold.place, Chance())  # of which nothing will come yet
            games.decided(self._session.playing(), *meant, self._session.time(now))
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
            asked = self._requests.asked(do, now)
            if isinstance(asked, Move):
                told = asked.told
                return asked
            told = asked
            return None

        def done(refusal: TableError | None, now: float) -> None:
            answer(Verdict(ok=True, told=told) if refusal is None else _refusal(refusal), now)
            self._show(now)

        self._session.do(work, now, done)

    def start(self, game: object, now: float, done: Done, cards: Cards | None = None) -> None:
        """Begin a game, given as JSON; ``done`` is told of an InputError if it makes none."""
        self._session.begin(game, Wish(cards or self._cards), now, done)

    # What is seen

    def public_message(self, now: float) -> AnyPublicMessage:
        """What everybody may see."""
        time = self._session.time(now)
        return to_everybody(self._session.board, time, self._out_of_order)

    def table_message(self, now: float) -> AnyTableMessage:
        """What the hidden screen shows."""
        return on_the_hidden_screen(
            self._session,
            self._session.time(now),
            self._requests.of_the_operator,
            cards=self._cards,
            faults=self._faults(),
        )

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
        self._publish(now)

    def _publish(self, now: float) -> None:
        told, before = (self._session.board, self._out_of_order, self._urging), self._told
        if told[0] is not before[0] or told[1:] != before[1:]:
            self._told = told
            self.publish_public(now)
        self.publish(now)

    def _urge(self, now: float) -> bool:
        """See whether time has run out; answer whether that is new."""
        board, before = self._session.board, self._urging
        self._urging = isinstance(board, Board) and board.urging(self._session.time(now))
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


def _refusal(refusal: TableError) -> Verdict:
    if isinstance(refusal, Refused):
        reason = refusal.reason.value
    elif isinstance(refusal, Unable):
        reason = refusal.reason
    else:
        reason = "cannot-store" if isinstance(refusal, OSError) else "unusable"
    return Verdict(ok=False, reason=reason, sentence=str(refusal))

"""The table: the machine, and all that its outputs go to.

`Table` gives the machine what happens, and does what comes out: lights, answers and messages at
once, orders to the disk by its workers, whose results it gives to the machine in turn.
"""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pi_table.common.errors import TableError
from pi_table.common.house import House
from pi_table.common.language import Lang
from pi_table.devices.hal.contracts import Lights, Readings, TouchFrame
from pi_table.devices.lights.picture import Picture
from pi_table.games.announcer.announcement import Announcement
from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage, AnyTableMessage
from pi_table.table.engine.dealing import Wish
from pi_table.table.engine.inputs import (
    Beat,
    Begin,
    ButtonHeld,
    DeskCalled,
    Felt,
    Input,
    Judged,
    Left,
    Measured,
    Passed,
    Relayed,
    RelayLeft,
    Request,
    SoundAils,
    TimeOfDay,
)
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import (
    Announce,
    Answer,
    AskReferee,
    Audience,
    End,
    Immediate,
    Measure,
    Publish,
    ReplyToDesk,
    SendBlock,
    Show,
    TrySound,
    Verdict,
)
from pi_table.table.engine.presentation.light_player import FRAMES_PER_SECOND, LightPlayer
from pi_table.table.engine.rights import Asker
from pi_table.table.engine.state.game_in_play import GameInPlay
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import EndLinks, FindLatest, Settle, Store
from pi_table.table.engine.storage.results import NotOpened, Opened, Stored
from pi_table.table.engine.storage.workers import Workers

Clock = Callable[[], float]
"""Seconds of the table's clock."""
Referee = Callable[[AskReferee, Callable[[Judged], None]], None]
"""Has a clue judged, and gives the function what came of it, at once or later."""
Later = Callable[[Callable[[], None]], None]
"""Calls something when what was published has gone out."""


Tell = Callable[[tuple[Announcement, ...], Lang | None], None]
"""Is given what is to be said to everybody, and the language of the game."""


HaveMeasured = Callable[[Callable[[Readings], None] | None, bool], None]
"""Has what the touch grid measures told to a function, and with true what each pad reads; with None
to nobody any more."""


def nothing_is_measured(tell: Callable[[Readings], None] | None, pads: bool) -> None:
    """Measure nothing: where there is no touch grid."""


def nothing_is_tried(what: TrySound) -> None:
    """Try nothing: where there is no loudspeaker."""


def nothing_is_said(said: tuple[Announcement, ...], lang: Lang | None) -> None:
    """Say nothing: where there is no loudspeaker."""


def nothing_is_sent(frames: tuple[bytes, ...]) -> None:
    """Send nothing: where nobody relays."""


def nobody_judges(ask: AskReferee, hear: Callable[[Judged], None]) -> None:
    """Have no opinion: where there is no referee."""
    hear(Judged(ask.to, None))


def nothing_ends() -> None:
    """Go on: where nobody would start the table again."""


def at_once(call: Callable[[], None]) -> None:
    """Call it now: where publishing is done when it is asked for."""
    call()


class Table:
    """A table with its devices. Its methods are called from one thread."""

    def __init__(
        self,
        machine: Machine,
        workers: Workers,
        lights: Lights,
        clock: Clock,
        publish: Callable[[Audience], None],
        after: Callable[[], None],
        later: Later,
        opened: Opened | NotOpened,
        frames_per_second: int = FRAMES_PER_SECOND,
        announce: Tell = nothing_is_said,
        measure: HaveMeasured = nothing_is_measured,
        try_sound: Callable[[TrySound], None] = nothing_is_tried,
        send_block: Callable[[tuple[bytes, ...]], None] = nothing_is_sent,
        ask_referee: Referee = nobody_judges,
        end: Callable[[], None] = nothing_ends,
    ) -> None:
        """``publish`` is called when an audience has something new to be told, ``announce`` when
        something is to be said to everybody, ``try_sound`` when the loudspeaker is to be tried,
        ``measure`` when the touch grid is to tell what it measures, ``send_block`` with the frames
        that phones are to be sent at the next beat, ``ask_referee`` to have a clue judged,
        ``after`` whenever the machine
        has been at work: `wakes` may be another. ``later`` calls something when what was published
        has gone out; ``end`` is called when the table is to end. ``opened`` is what came of opening
        the journal."""
        self._machine = machine
        self._workers = workers
        self._player = LightPlayer(lights, frames_per_second)
        self._clock = clock
        self._publish = publish
        self._announce = announce
        self._measure = measure
        self._try_sound = try_sound
        self._send_block = send_block
        self._ask_referee = ask_referee
        self._end = end
        self._after = after
        self._later = later
        self._happened: deque[Input] = deque()
        self._busy = False
        self._closed = False
        begun = [*machine.take(opened, clock())]
        for output in begun:
            if isinstance(output, Show):
                self._player.show(output.picture, clock())
            elif isinstance(output, Announce):
                announce(output.said, output.lang)
        for output in begun:
            if isinstance(output, EndLinks):  # of phones whose guests have gone meanwhile
                self._give(output)

    # What happens

    def felt(self, frame: TouchFrame) -> None:
        """Take a frame of the touch grid."""
        self._happen(Felt(frame))

    def time_passed(self) -> None:
        """Learn that it is as late as `wakes` said, or later."""
        now, due = self._clock(), self._machine.wakes
        if (
            self._player.wakes is None
            or now < self._player.wakes
            or (due is not None and now >= due)
        ):
            self._happen(Passed())
        if not self._closed:
            self._player.play(now)
            self._after()

    def time_of_day(self, at: str) -> None:
        """Learn what time it is in the house: ``22:30``."""
        self._happen(TimeOfDay(at))

    def ask(self, do: Mapping[str, Any], answer: Callable[[Verdict], None]) -> None:
        """Take a request from the console. ``do`` is an act as JSON; ``answer`` is given its
        verdict."""
        self._happen(Request(Asker.CONSOLE, _Reply(lambda verdict, refusal: answer(verdict)), do))

    def ordered(self, do: Mapping[str, Any], answer: Callable[[Verdict], None]) -> None:
        """Take an order of the house, as JSON; ``answer`` is given its verdict."""
        self._happen(Request(Asker.HOUSE, _Reply(lambda verdict, refusal: answer(verdict)), do))

    def desk_called(self, sealed: bytes, nonce: bytes, answer: Callable[[bytes], None]) -> None:
        """Take something sealed from an operator's desk, or from somebody who says so. ``nonce`` is
        `NONCE_BYTES` of chance; ``answer`` is given what goes back, empty for what nobody could
        open."""
        self._happen(DeskCalled(_Caller(answer), sealed, nonce))

    def begin(self, game: object, wish: Wish, answer: Callable[[TableError | None], None]) -> None:
        """Begin a game, given as JSON; ``answer`` is given an InputError if it makes none."""
        self._happen(Begin(_Reply(lambda verdict, refusal: answer(refusal)), game, wish))

    def switch_off(self, answer: Callable[[Verdict], None]) -> None:
        """Learn that the button on the case was held; ``answer`` is given what became of it."""
        self._happen(ButtonHeld(_Reply(lambda verdict, refusal: answer(verdict))))

    def measured(self, readings: Readings) -> None:
        """Take what the touch grid measures."""
        self._happen(Measured(readings))

    def sound_ails(self, trouble: str | None) -> None:
        """Learn what is wrong with the loudspeaker, in sentences for the staff; None: nothing."""
        self._happen(SoundAils(trouble))

    def relayed(self, frames: tuple[bytes, ...], address: str | None) -> None:
        """Take what phones sent since the last beat, as somebody relays it; and, if they say so,
        the address of the pages."""
        self._happen(Relayed(frames, address))

    def relay_left(self) -> None:
        """Learn that nobody relays any more."""
        self._happen(RelayLeft())

    def beat(self, random: bytes) -> None:
        """Make what phones are sent at the next beat, of `phones.BLOCK_BYTES` of chance."""
        self._happen(Beat(random))

    def console_left(self) -> None:
        """Learn that the hidden screen has hung up."""
        self._happen(Left())

    def _happen(self, given: Input) -> None:
        """Let something happen, and all that comes of it at once."""
        if self._closed:
            return  # what the disk did at the last is told to nobody
        self._happened.append(given)
        if self._busy:
            return  # whoever is at it takes it up
        self._busy = True
        try:
            while self._happened:
                seen, after_that = self._taken()
                self._perform(seen)
                for order in after_that:
                    self._later(partial(self._give, order))
        finally:
            self._busy = False
        self._after()

    def _taken(self) -> tuple[list[Immediate], list[Store | Settle | FindLatest]]:
        """Give the machine what happened, and the workers its orders, until nothing more happens at
        once. Answer with the outputs that are done at once, and with what is to be done after that.

        A finger waits for the light, and for nothing else: it is shown here, before the machine's
        second pass, unless something newer has happened by then. What follows on something that was
        stored waits until that was shown. Otherwise a power cut could find two acts on the disk of
        which nothing was seen (ALL-2).
        """
        seen: list[Immediate] = []
        after_that: list[Store | Settle | FindLatest] = []
        picture: Picture | None = None
        while self._happened:
            given = self._happened.popleft()
            for output in self._machine.take(given, self._clock()):
                if isinstance(output, Show):
                    picture = output.picture
                    if not self._happened:
                        self._player.show(picture, self._clock())
                        picture = None
                elif isinstance(output, Immediate):
                    seen.append(output)
                elif isinstance(output, Store | Settle | FindLatest) and isinstance(given, Stored):
                    after_that.append(output)
                else:
                    self._give(output)
        if picture is not None:
            self._player.show(picture, self._clock())
        return seen, after_that

    def _give(self, order: Order) -> None:
        if not self._closed:
            self._workers.give(order, self._happen)

    def _perform(self, seen: list[Immediate]) -> None:
        """Do what can be seen besides the lights: answers come first, then what is said; then each
        audience is told once."""
        for output in seen:
            if isinstance(output, Answer):
                assert isinstance(output.to, _Reply)
                output.to.give(output.verdict, output.refusal)
        for output in seen:
            if isinstance(output, Announce):
                self._announce(output.said, output.lang)
            elif isinstance(output, TrySound):
                self._try_sound(output)
            elif isinstance(output, SendBlock):
                self._send_block(output.frames)
            elif isinstance(output, AskReferee):
                self._ask_referee(output, self._happen)
            elif isinstance(output, ReplyToDesk):
                assert isinstance(output.to, _Caller)
                output.to.answer(output.sealed)
            elif isinstance(output, End):
                self._end()
            elif isinstance(output, Measure):
                self._measure(self.measured if output.on else None, output.pads)
        for audience in dict.fromkeys(output.to for output in seen if isinstance(output, Publish)):
            self._publish(audience)

    # What is seen

    def public_message(self) -> AnyPublicMessage:
        """What everybody may see."""
        return self._machine.public_message(self._clock())

    def console_message(self) -> AnyTableMessage:
        """What the hidden screen shows."""
        return self._machine.console_message(self._clock())

    def house_message(self) -> HouseMessage:
        """How the table fares, for whoever looks after several."""
        return self._machine.house_message()

    @property
    def picture(self) -> Picture:
        """What the lights are to show."""
        return self._player.picture

    @property
    def game(self) -> GameInPlay | None:
        """The game in play, with all that it hides; None before the first."""
        return self._machine.game

    @property
    def heard_of_phones(self) -> tuple[object, ...]:
        """A value that changes with every frame that is taken of a phone with a seat."""
        return self._machine.heard_of_phones

    @property
    def beats(self) -> bool:
        """Are phones to be sent something at each beat?"""
        return self._machine.beats

    @property
    def house(self) -> House:
        """How the house wants its table."""
        return self._machine.house

    @property
    def fault(self) -> str | None:
        """Why nothing can be stored, and so nothing be played; None if all is well."""
        return self._machine.fault

    @property
    def trouble(self) -> str | None:
        """What is wrong with the device that feels the touches, None if nothing is."""
        return self._machine.trouble

    @property
    def out_of_order(self) -> bool:
        """Can the table not be played at?"""
        return self._machine.out_of_order

    @property
    def ails(self) -> bool:
        """Is anything wrong with the table that the staff is told?"""
        return self._machine.ails

    @property
    def wakes(self) -> float | None:
        """When `time_passed` is due next, None if nothing will change by itself."""
        due = (self._machine.wakes, self._player.wakes)
        return min((at for at in due if at is not None), default=None)

    def close(self) -> None:
        """Finish storing what was begun, and let go of the journal. May be called again."""
        self._closed = True
        self._workers.close()


class _Reply:
    """Where the answer to a request goes."""

    def __init__(self, give: Callable[[Verdict, TableError | None], None]) -> None:
        self.give = give


class _Caller:
    """Where what a desk is answered goes."""

    def __init__(self, answer: Callable[[bytes], None]) -> None:
        self.answer = answer

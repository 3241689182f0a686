"""The table: the state machine, and the devices that its outputs go to.

`Table` passes inputs to the machine and carries out the machine's outputs. Lights, answers and
messages are carried out at once; orders to the disk go through the workers. The results of orders
become inputs.
"""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from pi_table.common.errors import TableError
from pi_table.common.house_settings import House
from pi_table.common.language import Lang
from pi_table.devices.hal.contracts import Lights, Readings, TouchFrame
from pi_table.devices.lights.picture import Picture
from pi_table.games.announcer.announcement import Announcement
from pi_table.protocols.ipc.house import HouseMessage
from pi_table.protocols.ipc.messages import AnyPublicMessage, AnyTableMessage
from pi_table.table.engine.dealing import WordSource
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
"""A function that returns seconds of the table's clock."""
Referee = Callable[[AskReferee, Callable[[Judged], None]], None]
"""A function that judges a clue, and passes the opinion to its second argument, at once
or later."""


def nobody_judges(ask: AskReferee, hear: Callable[[Judged], None]) -> None:
    """Answer without an opinion. This is the default for a table that has no referee."""
    hear(Judged(ask.to, None))


class Callbacks(msgspec.Struct, frozen=True, kw_only=True):
    """The functions that a table calls. The defaults are for a table without these devices."""

    publish: Callable[[Audience], None]
    """Called when there is a new message for an audience."""
    after: Callable[[], None] = lambda: None
    """Called after the table has processed inputs, because `Table.wakes` may have changed."""
    later: Callable[[Callable[[], None]], None] = lambda call: call()
    """Calls its argument after all published messages have been sent."""
    announce: Callable[[tuple[Announcement, ...], Lang | None], None] = lambda said, lang: None
    """Receives the announcements for everybody, and the language of the game."""
    measure: Callable[[Callable[[Readings], None] | None, bool], None] = lambda tell, pads: None
    """Starts readings of the touch grid. The first argument receives the readings; if it is None,
    they stop. If the second argument is True, the readings include each single pad."""
    try_sound: Callable[[TrySound], None] = lambda what: None
    send_block: Callable[[tuple[bytes, ...]], None] = lambda frames: None
    """Receives the next frames for the phones."""
    ask_referee: Referee = nobody_judges
    end: Callable[[], None] = lambda: None
    """Called when the engine's process must end. The system restarts it."""


class Table:
    """A table with its devices. All methods must be called from one thread."""

    def __init__(
        self,
        machine: Machine,
        workers: Workers,
        lights: Lights,
        clock: Clock,
        opened: Opened | NotOpened,
        callbacks: Callbacks,
        frames_per_second: int = FRAMES_PER_SECOND,
    ) -> None:
        """``opened`` is the result of opening the journal."""
        self._machine = machine
        self._workers = workers
        self._player = LightPlayer(lights, frames_per_second)
        self._clock = clock
        self._callbacks = callbacks
        self._happened: deque[Input] = deque()
        self._busy = False
        self._closed = False
        begun = [*machine.take(opened, clock())]
        for output in begun:
            if isinstance(output, Show):
                self._player.show(output.picture, clock())
            elif isinstance(output, Announce):
                callbacks.announce(output.said, output.lang)
        for output in begun:
            if isinstance(output, EndLinks):  # these phones were linked before the restart
                self._give(output)

    # Inputs

    def on_touch_frame(self, frame: TouchFrame) -> None:
        self._happen(TouchFelt(frame))

    def on_timer(self) -> None:
        """Process the passing of time. Call this at the time `wakes`."""
        now, due = self._clock(), self._machine.wakes
        if (
            self._player.wakes is None
            or now < self._player.wakes
            or (due is not None and now >= due)
        ):
            self._happen(TimePassed())
        if not self._closed:
            self._player.play(now)
            self._callbacks.after()

    def on_time_of_day(self, at: str) -> None:
        self._happen(TimeOfDay(at))

    def ask(self, do: Mapping[str, Any], answer: Callable[[Verdict], None]) -> None:
        """Process a request from the console, as JSON; ``answer`` receives its verdict."""
        self._happen(Request(Asker.CONSOLE, _Reply(lambda verdict, refusal: answer(verdict)), do))

    def on_house_order(self, do: Mapping[str, Any], answer: Callable[[Verdict], None]) -> None:
        """Process an order of the house, as JSON; ``answer`` receives its verdict."""
        self._happen(Request(Asker.HOUSE, _Reply(lambda verdict, refusal: answer(verdict)), do))

    def on_desk_call(self, sealed: bytes, nonce: bytes, answer: Callable[[bytes], None]) -> None:
        """Process an encrypted message that claims to come from the operator's desk.

        ``nonce`` are `NONCE_BYTES` random bytes. ``answer`` receives the encrypted answer, empty if
        the message could not be decrypted.
        """
        self._happen(DeskCalled(_Caller(answer), sealed, nonce))

    def begin(
        self, game: object, source: WordSource, answer: Callable[[TableError | None], None]
    ) -> None:
        """Begin a game given as JSON. ``answer`` receives None or the refusal, such as InputError
        for invalid JSON."""
        self._happen(Begin(_Reply(lambda verdict, refusal: answer(refusal)), game, source))

    def switch_off(self, answer: Callable[[Verdict], None]) -> None:
        """Process a hold of the button on the case; ``answer`` receives the verdict."""
        self._happen(ButtonHeld(_Reply(lambda verdict, refusal: answer(verdict))))

    def on_readings(self, readings: Readings) -> None:
        self._happen(ReadingsTaken(readings))

    def on_sound_fault(self, trouble: str | None) -> None:
        """Set the fault of the loudspeaker, in sentences for the staff; None if it works."""
        self._happen(SoundFault(trouble))

    def on_relayed(self, frames: tuple[bytes, ...], address: str | None) -> None:
        """Process frames that the relay received from phones. ``address`` is the new address of the
        web pages; None if it has not changed."""
        self._happen(Relayed(frames, address))

    def on_relay_left(self) -> None:
        self._happen(RelayLeft())

    def beat(self, random: bytes) -> None:
        """Make the next frames for the phones. ``random`` are `phones.BLOCK_BYTES` random bytes."""
        self._happen(Beat(random))

    def on_console_left(self) -> None:
        self._happen(ScreenLeft())

    def _happen(self, given: Input) -> None:
        if self._closed:
            return  # late results of the disk are dropped
        if isinstance(given, Stored):
            self._player.answer()
        self._happened.append(given)
        if self._busy:
            return  # the running loop will process it
        self._busy = True
        try:
            while self._happened:
                seen, after_that = self._take_all()
                self._perform(seen)
                for order in after_that:
                    self._callbacks.later(partial(self._give, order))
        finally:
            self._busy = False
        self._callbacks.after()

    def _take_all(self) -> tuple[list[Immediate], list[Store | Settle | FindLatest]]:
        """Pass inputs to the machine, and its orders to the workers, until no input is left.

        Returns the immediate outputs, and the orders to give after them. A finger waits for the
        light, so the light is shown before the machine's second pass. If another input waits, the
        light is shown after that input. Orders that follow a stored move must wait until people can
        see that move. Otherwise a power cut could leave two acts on the disk that nobody saw
        (ALL-2).
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
        if self._closed:
            return
        if isinstance(order, Store):
            self._player.expect_answer(order.guessed)
        self._workers.give(order, self._happen)
        # The light that begins the answer to a guess waits for nothing but the disk.
        is_guess = isinstance(order, Store) and order.guessed is not None
        if is_guess and isinstance(self._workers.result_of(order), Stored):
            self._player.answer()

    def _perform(self, seen: list[Immediate]) -> None:
        """Carry out the immediate outputs, except the light. Answers come first, and messages last:
        one for each audience."""
        for output in seen:
            if isinstance(output, Answer):
                assert isinstance(output.to, _Reply)
                output.to.give(output.verdict, output.refusal)
        for output in seen:
            if isinstance(output, Announce):
                self._callbacks.announce(output.said, output.lang)
            elif isinstance(output, TrySound):
                self._callbacks.try_sound(output)
            elif isinstance(output, SendBlock):
                self._callbacks.send_block(output.frames)
            elif isinstance(output, AskReferee):
                self._callbacks.ask_referee(output, self._happen)
            elif isinstance(output, ReplyToDesk):
                assert isinstance(output.to, _Caller)
                output.to.answer(output.sealed)
            elif isinstance(output, End):
                self._callbacks.end()
            elif isinstance(output, Measure):
                self._callbacks.measure(self.on_readings if output.on else None, output.pads)
        for audience in dict.fromkeys(output.to for output in seen if isinstance(output, Publish)):
            self._callbacks.publish(audience)

    # Messages and state

    def public_message(self) -> AnyPublicMessage:
        return self._machine.public_message(self._clock())

    def console_message(self) -> AnyTableMessage:
        return self._machine.console_message(self._clock())

    def house_message(self) -> HouseMessage:
        return self._machine.house_message()

    @property
    def picture(self) -> Picture:
        return self._player.picture

    @property
    def game(self) -> GameInPlay | None:
        return self._machine.game

    @property
    def heard_of_phones(self) -> tuple[object, ...]:
        return self._machine.heard_of_phones

    @property
    def beats(self) -> bool:
        return self._machine.beats

    @property
    def house(self) -> House:
        return self._machine.house

    @property
    def fault(self) -> str | None:
        """The fault of the journal as a sentence; None if the journal works. While there is a
        fault, the table counts as out of order."""
        return self._machine.fault

    @property
    def trouble(self) -> str | None:
        return self._machine.trouble

    @property
    def out_of_order(self) -> bool:
        return self._machine.out_of_order

    @property
    def is_in_service(self) -> bool:
        return self._machine.is_in_service

    @property
    def ails(self) -> bool:
        return self._machine.ails

    @property
    def wakes(self) -> float | None:
        """Time at which `on_timer` is due; None if nothing changes by itself."""
        due = (self._machine.wakes, self._player.wakes)
        return min((at for at in due if at is not None), default=None)

    def close(self) -> None:
        """Finish the pending writes and close the journal. May be called again."""
        self._closed = True
        self._workers.close()


class _Reply:
    def __init__(self, give: Callable[[Verdict, TableError | None], None]) -> None:
        self.give = give


class _Caller:
    def __init__(self, answer: Callable[[bytes], None]) -> None:
        self.answer = answer

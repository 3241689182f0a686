"""The Pi's end of the link to the controller, without the wire: bytes and the time are given.

It greets first: until the controller has said hello, in our version of the protocol, and a state of
that very start of it tells that the greeting was heard, nothing that it feels counts. That state
cannot be older than the greeting, however long bytes lay about on the way; and from it on only a
state with a later sequence number counts. So nothing comes through that is old, doubled or out of
order.

What is asked of the controller is said one thing at a time, again and again until the controller
tells its number; then the newest lights, or whatever else is wanted by then. Only lights do not
wait for lights: newer ones overtake those under way, once, or what a cell was would wait until the
last frame of its filling has been shown. Not twice: as much as that the controller has room for.

Where a state fails to come, what was touched counts as unread, for a finger may have been lifted.
Where half a second passes without an intact state, or with a command that is not answered, the link
is lost: everything is deaf, and it greets anew. So it does when the controller has started again.
"""

import enum
import math
from collections import deque
from typing import Final

from pi_table.geometry import PLACE_COUNT
from pi_table.wire.codec import Deframer, frame
from pi_table.wire.commands import (
    MOST_NUMBER,
    Ask,
    Command,
    Here,
    Light,
    Restart,
    Store,
    Tell,
    write,
)
from pi_table.wire.messages import Hello, OtherProtocol, Raw, SettingsTold, State, read
from pi_table.wire.touches import NOTHING_READ, Touches, told, unread

LOST_AFTER: Final = 0.5
"""Seconds without an intact state, or without an answer."""
DOUBTED_AFTER: Final = 0.15
"""Seconds without an intact state, so that one has failed to come: what was touched is unread. A
finger may have been lifted meanwhile, and what it held would be taken for meant."""
HERE_AFTER: Final = 0.2
"""Seconds in which nothing was said."""
SAY_AGAIN: Final = 0.05
"""Seconds until a command that was not answered is said again."""
GREET_AGAIN: Final = 0.25
SEQUENCES: Final = 1 << 16
AT_ONCE: Final = -math.inf


class Standing(enum.Enum):
    """How the link stands."""

    CLOSED = "closed"
    """There is no wire."""
    GREETING = "greeting"
    """There is one, and it is not known who is at its other end, or not any more."""
    OTHER_PROTOCOL = "other-protocol"
    """A controller is, with another version of the protocol; it is greeted all the same."""
    UP = "up"


Event = Touches | Raw | SettingsTold
"""What comes of what the controller tells: how it is touched, or an answer."""


class Link:
    """One end of the wire. Times are in seconds, of one clock that never goes back."""

    def __init__(self) -> None:
        self._standing = Standing.CLOSED
        self._deframer = Deframer()
        self._hello: Hello | None = None
        self._state: State | None = None
        self._heard_at = 0.0
        self._doubted = False
        self._number = 0
        self._command: Command | None = None
        self._answer: Raw | SettingsTold | None = None
        self._begun_at = self._spoken_at = 0.0
        self._due_at = AT_ONCE
        self._requests: deque[Command] = deque()
        self._lights: Light | None = None
        self._lights_due = False
        self._overtaken = False
        """Have the lights under way been overtaken once already?"""
        self._other_protocol: int | None = None

    @property
    def standing(self) -> Standing:
        """How the link stands."""
        return self._standing

    @property
    def hello(self) -> Hello | None:
        """Who is at the other end, once it has said so."""
        return self._hello

    @property
    def other_protocol(self) -> int | None:
        """The version in which the controller said hello, where that is not ours."""
        return self._other_protocol

    @property
    def state(self) -> State | None:
        """The newest one, while the link is up."""
        return self._state

    @property
    def dropped(self) -> int:
        """Frames that came damaged since the wire was opened."""
        return self._deframer.dropped

    # The wire

    def opened(self) -> None:
        """There is a wire now."""
        self._deframer = Deframer()
        self._greet()

    def closed(self) -> list[Event]:
        """There is no wire any more; what follows from that."""
        return self._lose(Standing.CLOSED)

    def receive(self, data: bytes, now: float) -> list[Event]:
        """These bytes have come; what follows from them, in order."""
        events = self.tick(now)  # what lay about for too long is of before the gap
        for message in self._deframer.feed(data):
            match read(message):
                case State() as state:
                    events += self._on_state(state, now)
                case Hello() as hello:
                    events += self._on_hello(hello)
                case OtherProtocol(version):
                    events += self._on_other_protocol(version)
                case Raw() | SettingsTold() as answer:
                    events += self._on_answer(answer)
        return events

    def tick(self, now: float) -> list[Event]:
        """Let time pass; what follows from it."""
        if self._standing is not Standing.UP:
            return []
        unanswered = self._command is not None and now >= self._begun_at + LOST_AFTER
        if unanswered or now >= self._heard_at + LOST_AFTER:
            return self._greet()
        if self._doubted or now < self._heard_at + DOUBTED_AFTER:
            return []
        self._doubted = True
        assert self._state is not None
        return [unread(self._state)] if self._state.touched else []

    def to_send(self, now: float) -> bytes:
        """What is to be put on the wire now, if anything: it counts as said, whether or not it
        arrives."""
        if self._standing is Standing.CLOSED:
            return b""
        if self._command is None or isinstance(self._command, Here):
            wanted = self._wanted()
            if wanted is None and self._command is None and now >= self._due_at:
                wanted = Here()
            if wanted is not None:
                self._begin(wanted)
        elif isinstance(self._command, Light) and not self._overtaken and self._lights_due:
            self._begin(self._newest_lights(), overtakes=True)
        if self._command is None or now < self._due_at:
            return b""
        if self._due_at == AT_ONCE and not self._overtaken:
            self._begun_at = now
        self._spoken_at = now
        self._due_at = now + (SAY_AGAIN if self._standing is Standing.UP else GREET_AGAIN)
        return frame(write(self._command, self._number))

    def last_words(self) -> bytes:
        """What is to be put on the wire before it is closed: the lights are to be dark, whatever
        is under way. If it is lost, the controller finds out by itself that nobody is here."""
        if self._standing is not Standing.UP:
            return b""
        self._number = self._number % MOST_NUMBER + 1
        return frame(write(Light((0,) * PLACE_COUNT), self._number))

    @property
    def wakes(self) -> float | None:
        """When `tick` or `to_send` has something to do, if nothing comes and nothing is wanted."""
        if self._standing is Standing.CLOSED:
            return None
        if self._standing is Standing.UP:
            patience = LOST_AFTER if self._doubted else DOUBTED_AFTER
            return min(self._due_at, self._heard_at + patience)
        return self._due_at

    # What is wanted of the controller

    def show(self, colours: tuple[int, ...]) -> None:
        """Light it like this: 0xRRGGBB for each of the 27 places. The newest counts."""
        self._lights, self._lights_due = Light(colours), True

    def request(self, command: Ask | Store | Restart) -> None:
        """Say this too, while the link is up; what answers to Ask or Store comes as an event. When
        the link is lost, what was requested is forgotten."""
        self._requests.append(command)

    # What is said

    def _wanted(self) -> Command | None:
        if self._lights_due:
            return self._newest_lights()
        return self._requests.popleft() if self._requests else None

    def _newest_lights(self) -> Light:
        assert self._lights is not None
        self._lights_due = False
        return self._lights

    def _begin(self, command: Command, overtakes: bool = False) -> None:
        self._number = self._number % MOST_NUMBER + 1
        self._command, self._answer, self._due_at = command, None, AT_ONCE
        self._overtaken = overtakes

    def _end(self) -> list[Event]:
        """Finish the command under way if that can be; the answer to it, if it has one."""
        assert self._state is not None
        command, answer = self._command, self._answer
        if command is None or self._state.applied != self._number:
            return []
        if answer is None and _expects(command):
            return []
        self._command, self._due_at = None, self._spoken_at + HERE_AFTER
        return [] if answer is None else [answer]

    # What is heard

    def _on_state(self, state: State, now: float) -> list[Event]:
        if self._hello is None:
            return []
        if state.boot != self._hello.boot:
            return self._greet() if self._standing is Standing.UP else []
        if self._state is None:
            if self._due_at == AT_ONCE or state.applied != self._number:
                return []  # it cannot have heard the greeting yet
            self._standing = Standing.UP
            self._command, self._due_at = None, self._spoken_at + HERE_AFTER
            self._lights_due = self._lights is not None
        elif not 0 < (state.sequence - self._state.sequence) % SEQUENCES < SEQUENCES // 2:
            return []
        events: list[Event] = [*told(self._state, state)]
        self._state, self._heard_at, self._doubted = state, now, False
        other = self._command is None and state.applied != self._number
        if other or (state.dark and not isinstance(self._command, Light)):
            self._lights_due = self._lights is not None  # it shows others than those
        return events + self._end()

    def _on_hello(self, hello: Hello) -> list[Event]:
        if self._standing is Standing.UP:
            if self._hello is not None and hello.boot == self._hello.boot:
                return []
            events = self._greet()
        else:
            events = []
            self._standing, self._other_protocol = Standing.GREETING, None
        self._hello = hello
        return events

    def _on_other_protocol(self, version: int) -> list[Event]:
        events = self._greet() if self._standing is Standing.UP else []
        self._standing, self._other_protocol = Standing.OTHER_PROTOCOL, version
        self._hello = None
        return events

    def _on_answer(self, answer: Raw | SettingsTold) -> list[Event]:
        if self._standing is not Standing.UP or self._command is None:
            return []
        if answer.number != self._number or not isinstance(answer, _expects(self._command)):
            return []
        self._answer = answer
        return self._end()

    def _greet(self) -> list[Event]:
        events = self._lose(Standing.GREETING)
        self._begin(Ask(Tell.HELLO))
        return events

    def _lose(self, standing: Standing) -> list[Event]:
        was_up = self._standing is Standing.UP
        self._standing = standing
        self._hello = self._other_protocol = None
        self._state = self._command = self._answer = None
        self._requests.clear()
        return [NOTHING_READ] if was_up else []


def _expects(command: Command) -> tuple[type[Raw] | type[SettingsTold], ...]:
    """What a command is answered with, besides its number."""
    match command:
        case Ask(Tell.RAW):
            return (Raw,)
        case Ask(Tell.SETTINGS) | Store():
            return (SettingsTold,)
        case _:
            return ()

"""The Pi's end of the link to the controller. It has no wire: it is given bytes, and the time.

`TABLE` is the state machine: which sign leads from which standing to which. `Link` finds the signs,
in what it hears and in time; `Outbox` has what is said. `diagram` draws the table; the README shows
what it draws.

The link greets first. The controller answers with a hello, in a version of the protocol. Then the
link waits for a state that the controller made after it had read the greeting: it has the boot id
of that hello, and the greeting's number. Bytes can lie about on the way for long, but such a state
is newer than the greeting. Only from it on does it count what the controller feels, and of the
states after it each counts whose sequence number is later. So nothing comes through that is old,
doubled or out of order.

Where states fail to come, a finger may have been lifted that nobody heard of: what was touched
counts as unread. Where half a second passes without an intact state, or with a command that is not
answered, the link is lost: nothing can be read, and the link greets anew. It does so too when the
controller has started again.

A program that stood still has missed nothing of what lies at the port: the sequence numbers and the
controller's own time tell whether states have failed to come. But the newest that lies there may be
old, for what there was no room for is gone. So the link says something new at once. A state that
answers it was made since, and until that comes all that is heard is late.
"""

import enum
from typing import Final

from pi_table.devices.wire.codec import Deframer
from pi_table.devices.wire.commands import Ask, Restart, Store
from pi_table.devices.wire.counts import Counting
from pi_table.devices.wire.messages import Hello, OtherProtocol, Raw, SettingsTold, State, read
from pi_table.devices.wire.outbox import Answer, Outbox
from pi_table.devices.wire.touches import NOTHING_READ, Touches, told, unread

LOST_AFTER: Final = 0.5
"""After how many seconds without an intact state, or without an answer, the link is lost."""
DOUBTED_AFTER: Final = 0.15
"""After how many seconds without an intact state several have failed to come."""
STOOD_STILL_AFTER: Final = 0.2
"""After how many seconds in which nobody looked at the port what lies there may be old."""
LATE_AFTER: Final = 0.05
"""After how many seconds in which nobody looked at the port a state from there may be as old as
that, although nobody stood still."""
SAY_AGAIN: Final = 0.05
"""After how many seconds a command that was not applied is said again."""
GREET_AGAIN: Final = 0.25
"""After how many seconds a greeting that was not answered is said again."""
SEQUENCES: Final = 1 << 16
UPTIMES: Final = 1 << 32


class Standing(enum.Enum):
    """How the link stands."""

    CLOSED = "closed"
    """There is no wire."""
    GREETING = "greeting"
    """There is a wire. Nobody knows who is at its other end."""
    OTHER_PROTOCOL = "other_protocol"
    """A controller said hello in another version of the protocol. The link goes on greeting."""
    MET = "met"
    """A controller said hello. Nobody knows whether it has read the greeting."""
    UP = "up"
    """What the controller feels counts."""
    BEHIND = "behind"
    """Nobody looked at the port for a while: what is heard may be old, though all of it counts."""
    DOUBTED = "doubted"
    """States have failed to come: a place that was touched may not be touched any more."""


class Sign(enum.Enum):
    """What tells that the link stands otherwise now."""

    OPENED = "opened"
    """There is a wire."""
    CLOSED = "closed"
    """There is no wire any more."""
    HELLO = "hello"
    """A controller says hello, in our version of the protocol."""
    OTHER_HELLO = "other hello"
    """A controller says hello, in another version."""
    HEARD_US = "heard us"
    """A state has the boot id of the hello and the number of the greeting."""
    STATE = "state"
    """A state comes that is later than the newest."""
    NO_STATE = "no state"
    """No intact state came for `DOUBTED_AFTER`."""
    STOOD_STILL = "stood still"
    """Nobody looked at the port for `STOOD_STILL_AFTER`."""
    CAUGHT_UP = "caught up"
    """A state has the number of a command that was said since."""
    LOST = "lost"
    """No intact state came for `LOST_AFTER`; or a command was not applied for as long; or states
    of so long a time are missing."""
    NEW_HELLO = "new hello"
    """A controller has started since the link came up, and says hello."""
    NEW_STATE = "new state"
    """A controller has started since the link came up, and its hello was lost."""


_GREETED: Final = (Standing.GREETING, Standing.OTHER_PROTOCOL, Standing.MET)
_LINKED: Final = (Standing.UP, Standing.BEHIND, Standing.DOUBTED)

TABLE: Final[dict[Sign, dict[Standing, Standing]]] = {
    Sign.OPENED: {Standing.CLOSED: Standing.GREETING},
    Sign.CLOSED: dict.fromkeys((*_GREETED, *_LINKED), Standing.CLOSED),
    Sign.HELLO: {Standing.GREETING: Standing.MET, Standing.OTHER_PROTOCOL: Standing.MET},
    Sign.OTHER_HELLO: dict.fromkeys(
        (Standing.GREETING, Standing.MET, *_LINKED), Standing.OTHER_PROTOCOL
    ),
    Sign.HEARD_US: {Standing.MET: Standing.UP},
    Sign.STATE: {Standing.DOUBTED: Standing.UP},
    Sign.NO_STATE: {Standing.UP: Standing.DOUBTED, Standing.BEHIND: Standing.DOUBTED},
    Sign.STOOD_STILL: {Standing.UP: Standing.BEHIND, Standing.DOUBTED: Standing.BEHIND},
    Sign.CAUGHT_UP: {Standing.BEHIND: Standing.UP},
    Sign.LOST: dict.fromkeys(_LINKED, Standing.GREETING),
    Sign.NEW_HELLO: dict.fromkeys(_LINKED, Standing.MET),
    Sign.NEW_STATE: dict.fromkeys(_LINKED, Standing.GREETING),
}
"""Where each sign leads; from a standing that it does not name it leads nowhere."""

Event = Touches | Answer
"""What follows from what was heard: how the table is touched, or an answer to a command."""


class Link:
    """The Pi's end of the wire. Times are in seconds, of one clock that never goes back."""

    def __init__(self) -> None:
        self._standing = Standing.CLOSED
        self._deframer = Deframer()
        self._outbox = Outbox()
        self._counting = Counting()
        self._damaged = 0
        """How many frames came damaged before the wire was opened last."""
        self._hello: Hello | None = None
        self._other_protocol: int | None = None
        self._state: State | None = None
        self._heard_at = 0.0
        """When the newest state came, or since when it is waited for, in seconds."""
        self._looked_at: float | None = None
        """When somebody looked at the port last, in seconds; None: never since it was opened."""
        self._unseen = 0.0
        """For how many seconds nobody had looked when somebody did last."""
        self._late = False
        """Had nobody looked for `LATE_AFTER` when the newest state came?"""

    @property
    def standing(self) -> Standing:
        """How the link stands."""
        return self._standing

    @property
    def is_up(self) -> bool:
        """Does what the controller feels count, as far as it is known?"""
        return self._standing in _LINKED

    @property
    def is_behind(self) -> bool:
        """Did nobody look at the port for a while, and has nothing new been answered since?"""
        return self._standing is Standing.BEHIND

    @property
    def is_late(self) -> bool:
        """May what is told as touched be of more than `LATE_AFTER` ago?"""
        return self._late or self.is_behind

    @property
    def hello(self) -> Hello | None:
        """The hello of the controller at the other end; None before it comes."""
        return self._hello

    @property
    def other_protocol(self) -> int | None:
        """The version of the protocol in which the controller said hello; None where that is
        ours."""
        return self._other_protocol

    @property
    def state(self) -> State | None:
        """The newest state; None while the link is not up."""
        return self._state

    @property
    def dropped(self) -> int:
        """How many frames came damaged since the wire was opened."""
        return self._deframer.dropped

    @property
    def counts(self) -> dict[str, int]:
        """How often each thing has gone wrong since the link was made, by the name of the thing
        (`pi_table.devices.hal.contracts.Counts`)."""
        return {**self._counting.counts, "frames_damaged": self._damaged + self.dropped}

    # The wire

    def opened(self) -> None:
        """Learn that there is a wire now."""
        self._damaged += self.dropped
        self._deframer = Deframer()
        self._looked_at = None
        self._see(Sign.OPENED)

    def closed(self) -> list[Event]:
        """Learn that there is no wire any more; answer with what follows from that."""
        self._counting.unplugged()
        return self._see(Sign.CLOSED)

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Take all bytes that lay at the port; answer with what follows from them, in order."""
        if self._standing is Standing.CLOSED:
            return []
        self._look(now)
        events: list[Event] = []
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
        return events + self._pass(now)

    def tick(self, now: float) -> list[Event]:
        """Let time pass in which nothing has come: the port was looked at, and is empty. Answer
        with what follows from that."""
        if self._standing is Standing.CLOSED:
            return []
        self._look(now)
        return self._pass(now)

    def _look(self, now: float) -> None:
        """Learn that somebody looks at the port, and whether nobody did for long. Silence counts
        only from then on: nobody knows yet what would have been heard."""
        self._unseen = 0.0 if self._looked_at is None else now - self._looked_at
        self._looked_at = now
        if self._unseen <= STOOD_STILL_AFTER:
            return
        self._see(Sign.STOOD_STILL)
        if self.is_up:
            self._heard_at = now
            self._outbox.stood_still(now)
        else:
            self._outbox.greet()

    def _pass(self, now: float) -> list[Event]:
        """Let time pass after all was read; answer with what follows from that."""
        if not self.is_up:
            return []
        silent = now >= self._heard_at + LOST_AFTER
        if silent or self._outbox.is_unanswered(now, LOST_AFTER):
            return self._see(Sign.LOST)
        if now >= self._heard_at + DOUBTED_AFTER:
            return self._see(Sign.NO_STATE)
        return []

    def to_send(self, now: float) -> bytes:
        """The bytes that are to be put on the wire now; empty if there are none. They count as
        said, whether or not they arrive."""
        if self._standing is Standing.CLOSED:
            return b""
        return self._outbox.to_send(now, SAY_AGAIN if self.is_up else GREET_AGAIN)

    def last_words(self) -> bytes:
        """The bytes that are to be put on the wire before it is closed: the lights are to be dark.
        If they are lost, the controller finds out by itself that nobody is here."""
        return self._outbox.farewell() if self.is_up else b""

    @property
    def wakes(self) -> float | None:
        """When `tick` or `to_send` is due next, in seconds, if nothing comes and nothing is wanted
        before; None while there is no wire."""
        if self._standing is Standing.CLOSED:
            return None
        due = [self._outbox.due_at]
        if self._looked_at is not None:
            due.append(self._looked_at + DOUBTED_AFTER)  # well before it would have stood still
        if self._standing is Standing.DOUBTED:
            due.append(self._heard_at + LOST_AFTER)
        elif self.is_up:
            due.append(self._heard_at + DOUBTED_AFTER)
        return min(due)

    # What is wanted of the controller

    def show(self, frame: tuple[int, ...]) -> None:
        """Want these lights: 0xRRGGBB for each of the 104 LEDs. The newest are what counts."""
        self._outbox.show(frame)

    def request(self, command: Ask | Store | Restart) -> None:
        """Want a command to be said while the link is up. The answer to Ask or Store comes as an
        event. If the link is lost, what was requested is forgotten."""
        self._outbox.request(command)

    # The signs

    def _see(self, sign: Sign) -> list[Event]:
        """Stand as the table says for a sign; answer with what follows from that."""
        was = self._standing
        self._standing = TABLE[sign].get(was, was)
        if sign is Sign.LOST and was in _LINKED:
            self._counting.lost()
        if self._standing in (was, Standing.UP, Standing.BEHIND):
            return []
        if self._standing is Standing.DOUBTED:
            return self._doubted()
        if was in (Standing.CLOSED, *_LINKED) or self._standing is Standing.CLOSED:
            self._part()
        return [NOTHING_READ] if was in _LINKED else []

    def _doubted(self) -> list[Event]:
        assert self._state is not None
        return [unread(self._state)] if self._state.touched else []

    def _part(self) -> None:
        """Forget who was at the other end."""
        self._hello = self._other_protocol = self._state = None
        if self._standing is Standing.CLOSED:
            self._outbox.forget()
        else:
            self._outbox.greet()

    # What is heard

    def _on_state(self, state: State, now: float) -> list[Event]:
        if self._hello is None:
            return []
        if state.boot != self._hello.boot:
            return self._see(Sign.NEW_STATE)
        if self._state is None:
            if not self._outbox.is_said or state.applied != self._outbox.number:
                return []  # it cannot have heard the greeting yet
            self._see(Sign.HEARD_US)
            self._outbox.show_all()
        elif not 0 < (state.sequence - self._state.sequence) % SEQUENCES < SEQUENCES // 2:
            return []
        missing = 0.0 if self._state is None else _missing(self._state, state)
        if missing >= LOST_AFTER:
            return self._see(Sign.LOST)
        doubted = missing >= DOUBTED_AFTER and self._standing is not Standing.DOUBTED
        events = self._doubted() if doubted else []
        if self._outbox.is_since(state.applied):
            self._see(Sign.CAUGHT_UP)
        self._see(Sign.STATE)
        held = self._state is not None and bool(self._state.touched)
        self._late = held and self._unseen > LATE_AFTER
        events += told(self._state, state)
        self._counting.state(state, follows=self._state is not None)
        self._state, self._heard_at = state, now
        if state.dark and not self._outbox.shows:
            self._outbox.show_all()
        return events + self._outbox.applied(state.applied, state.check)

    def _on_hello(self, hello: Hello) -> list[Event]:
        if self.is_up and self._hello is not None and hello.boot == self._hello.boot:
            return []
        events = self._see(Sign.NEW_HELLO if self.is_up else Sign.HELLO)
        self._counting.hello(hello)
        self._hello, self._other_protocol = hello, None
        return events

    def _on_other_protocol(self, version: int) -> list[Event]:
        events = self._see(Sign.OTHER_HELLO)
        self._hello, self._other_protocol = None, version
        return events

    def _on_answer(self, answer: Answer) -> list[Event]:
        if self._state is None:
            return []
        return [*self._outbox.answered(answer, self._state.applied, self._state.check)]


def _missing(before: State, after: State) -> float:
    """The time between two states, in seconds, if there were others between them that have failed
    to come; 0.0 if there were none."""
    if (after.sequence - before.sequence) % SEQUENCES == 1:
        return 0.0
    return (after.uptime_ms - before.uptime_ms) % UPTIMES / 1000

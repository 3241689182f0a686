"""The Pi's end of the link to the controller. It does no I/O: callers pass in bytes and the time.

`TABLE` is the state machine: it maps each sign (an event) and standing (a state of the link) to the
next standing. `Link` derives the signs from received messages and from time; `Outbox` decides which
bytes to send. The README draws the table; a test compares the two. In this package, "state" is the
controller's message about all places of the table.

How the link comes up:
- The link sends a greeting. The controller answers with a hello, which names its boot id and
  protocol version.
- The link then waits for a state with that boot id and with the greeting's command number. Old
  bytes can wait in buffers for a long time, but such a state must be newer than the greeting.
- From that state on, touches count. Later states count only if their sequence number is higher. So
  old, duplicated or reordered states are ignored.

How the link goes down:
- If states are missing, a finger may have been lifted unnoticed. The places that were touched count
  as unreadable until the next state.
- If no intact state arrives for half a second, or a command stays unanswered for half a second, the
  link is lost. Then no place can be read, and the link sends a new greeting. It also sends a new
  greeting after the controller has restarted.

After the Pi has stalled (its process did not run for a while):
- Bytes that arrived meanwhile still wait at the port. Sequence numbers and the controller's uptime
  show whether states are missing.
- But even the newest waiting state may be old, because bytes that found no room in the buffer are
  lost. So the link sends a new command at once. Until a state acknowledges that command, all
  touches are reported as late.
"""

import enum
from typing import Final

from pi_table.devices.wire.codec import Deframer
from pi_table.devices.wire.commands import Ask, Restart, Store
from pi_table.devices.wire.fault_counters import FaultCounters
from pi_table.devices.wire.messages import Hello, OtherProtocol, Raw, SettingsReply, State, read
from pi_table.devices.wire.outbox import Answer, Outbox
from pi_table.devices.wire.touches import NOTHING_READ, Touches, touches_between, touches_in_doubt

LOST_SECONDS: Final = 0.5
"""Seconds without an intact state after which the link is lost. The link is also lost if a command
stays unanswered for this time."""
DOUBT_SECONDS: Final = 0.15
"""Seconds without an intact state after which touched places count as unreadable."""
STALL_SECONDS: Final = 0.2
"""Seconds without a read of the port after which the waiting bytes may be old."""
LATE_SECONDS: Final = 0.05
"""Seconds without a read of the port after which the next state counts as late."""
RESEND_SECONDS: Final = 0.05
"""Seconds after which a command that was not applied is sent again."""
GREET_AGAIN_SECONDS: Final = 0.25
"""Seconds after which an unanswered greeting is sent again."""
SEQUENCES: Final = 1 << 16
UPTIMES: Final = 1 << 32


class Standing(enum.Enum):
    """The states of the link's state machine."""

    CLOSED = "closed"
    GREETING = "greeting"
    """The port is open, and the link sends greetings. The device at the other end is unknown."""
    OTHER_PROTOCOL = "other_protocol"
    """The controller uses another protocol version. The link keeps greeting."""
    MET = "met"
    """A controller has sent its hello, but may not have read the link's greeting yet."""
    UP = "up"
    """The link is up: touches count."""
    BEHIND = "behind"
    """The port was not read for a while: touches count, but may be old."""
    DOUBTED = "doubted"
    """States of the table are missing: a finger may have been lifted unnoticed."""


class Sign(enum.Enum):
    """The events that change the link's standing."""

    OPENED = "opened"
    """The port was opened."""
    CLOSED = "closed"
    """The port was closed or has disappeared."""
    HELLO = "hello"
    """A hello with our protocol version arrived."""
    OTHER_HELLO = "other hello"
    """A hello with another protocol version arrived."""
    HEARD_US = "heard us"
    """A state arrived that answers our greeting: it contains the greeting's command number, and the
    boot id from the controller's hello."""
    STATE = "state"
    """A state arrived that is newer than all states before it."""
    NO_STATE = "no state"
    """No intact state arrived for `DOUBT_SECONDS`."""
    STOOD_STILL = "stood still"
    """The port was not read for `STALL_SECONDS`."""
    CAUGHT_UP = "caught up"
    """A state acknowledges a command that was sent after the Pi stalled."""
    LOST = "lost"
    """No intact state arrived for `LOST_SECONDS`, or a command stayed unanswered for that time. Or
    a state arrived after a gap: the states of at least `LOST_SECONDS` before it are missing."""
    NEW_HELLO = "new hello"
    """A hello shows that the controller has restarted since the link came up."""
    NEW_STATE = "new state"
    """A state shows that the controller has restarted; its hello was lost."""


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
"""The next standing, by sign and current standing. A sign has no effect in standings that are not
listed for it."""

Event = Touches | Answer
"""New touches, or the answer to a command."""


class Link:
    """The Pi's end of the link. Times are in seconds of one monotonic clock."""

    def __init__(self) -> None:
        self.standing = Standing.CLOSED
        self._deframer = Deframer()
        self._outbox = Outbox()
        self._faults = FaultCounters()
        self._damaged = 0
        """Number of damaged frames that arrived before the port was last opened."""
        self.hello: Hello | None = None
        self.other_protocol: int | None = None
        """The controller's protocol version if it differs from ours; None otherwise."""
        self.state: State | None = None
        """The newest state of the table; None while the link is not up."""
        self._heard_at = 0.0
        """Time in seconds at which the newest state arrived, or at which the wait for a state
        began."""
        self._looked_at: float | None = None
        """Time in seconds of the last read of the open port; None before the first."""
        self._unseen = 0.0
        """Seconds between the last two reads of the port."""
        self._late = False
        """True if the port had not been read for `LATE_SECONDS` when the newest state arrived."""

    @property
    def is_up(self) -> bool:
        """True if the link is up. Then touches count, except on places that cannot be read."""
        return self.standing in _LINKED

    @property
    def is_behind(self) -> bool:
        """True if the controller has not yet acknowledged a command sent after a stall."""
        return self.standing is Standing.BEHIND

    @property
    def is_late(self) -> bool:
        """True if the reported touches may be more than `LATE_SECONDS` old."""
        return self._late or self.is_behind

    @property
    def dropped(self) -> int:
        """Number of frames that arrived damaged since the port was opened."""
        return self._deframer.dropped

    @property
    def counts(self) -> dict[str, int]:
        """Number of faults of each kind since the link was created. The names are those of
        `devices.hal.contracts.Counts`."""
        return {**self._faults.counts, "frames_damaged": self._damaged + self.dropped}

    # The wire

    def on_open(self) -> None:
        """Begin to greet the controller, because the port was opened."""
        self._damaged += self.dropped
        self._deframer = Deframer()
        self._looked_at = None
        self._apply(Sign.OPENED)

    def on_close(self) -> list[Event]:
        """Take the link down, because the port was closed or has disappeared."""
        self._faults.on_unplugged()
        return self._apply(Sign.CLOSED)

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Process all bytes that waited at the port. Return the events in order."""
        if self.standing is Standing.CLOSED:
            return []
        # 1. Note a stall first: it decides how old these bytes may be.
        self._note_read(now)
        # 2. Handle every message, in order. All waiting bytes are read before time may pass, so no
        #    deadline is missed because of a state that already waits at the port.
        events: list[Event] = []
        for message in self._deframer.feed(data):
            match read(message):
                case State() as state:
                    events += self._on_state(state, now)
                case Hello() as hello:
                    events += self._on_hello(hello)
                case OtherProtocol(version):
                    events += self._on_other_protocol(version)
                case Raw() | SettingsReply() as answer:
                    events += self._on_answer(answer)
        # 3. Only then check the deadlines.
        return events + self._check_deadlines(now)

    def tick(self, now: float) -> list[Event]:
        """Process the passing of time, after the port was read and found empty."""
        if self.standing is Standing.CLOSED:
            return []
        self._note_read(now)
        return self._check_deadlines(now)

    def _note_read(self, now: float) -> None:
        """Record that the port is being read, and whether the Pi had stalled."""
        self._unseen = 0.0 if self._looked_at is None else now - self._looked_at
        self._looked_at = now
        if self._unseen <= STALL_SECONDS:
            return
        self._apply(Sign.STOOD_STILL)
        if self.is_up:
            # Nothing was read during the gap, so its silence says nothing about the controller:
            # all deadlines start again. The outbox sends a new command, and the state that
            # acknowledges it (`Sign.CAUGHT_UP`) is the first one known to be fresh.
            self._heard_at = now
            self._outbox.on_stall(now)
        else:
            # The greeting or its answer may be lost or old. Greet with a new number.
            self._outbox.greet()

    def _check_deadlines(self, now: float) -> list[Event]:
        if not self.is_up:
            return []  # until the link is up, the outbox repeats the greeting; there is no deadline
        # Check the longer deadline first: a lost link needs no sign of missing states.
        silent = now >= self._heard_at + LOST_SECONDS
        if silent or self._outbox.is_unanswered(now, LOST_SECONDS):
            return self._apply(Sign.LOST)
        if now >= self._heard_at + DOUBT_SECONDS:
            return self._apply(Sign.NO_STATE)
        return []

    def to_send(self, now: float) -> bytes:
        """Return the bytes to write now. They count as sent even if they do not arrive."""
        if self.standing is Standing.CLOSED:
            return b""
        return self._outbox.to_send(now, RESEND_SECONDS if self.is_up else GREET_AGAIN_SECONDS)

    def last_words(self) -> bytes:
        """Return the last bytes before the port is closed: they switch the lights off. If they are
        lost, the controller notices after a while that the Pi is gone."""
        return self._outbox.farewell() if self.is_up else b""

    @property
    def wakes(self) -> float | None:
        """Time in seconds at which `tick` or `to_send` must be called next, unless bytes arrive or
        a request is made earlier. None while the port is closed."""
        if self.standing is Standing.CLOSED:
            return None
        due = [self._outbox.due_at]
        if self._looked_at is not None:
            # Read the port well before `STALL_SECONDS`, so that waiting does not count as a stall.
            due.append(self._looked_at + DOUBT_SECONDS)
        if self.standing is Standing.DOUBTED:
            due.append(self._heard_at + LOST_SECONDS)
        elif self.is_up:
            due.append(self._heard_at + DOUBT_SECONDS)
        return min(due)

    # Requests

    def show(self, frame: tuple[int, ...]) -> None:
        """Show this light frame, 0xRRGGBB for each of the 104 LEDs. It replaces light frames that
        are not sent yet."""
        self._outbox.show(frame)

    def request(self, command: Ask | Store | Restart) -> None:
        """Queue a command. If the link is lost, the command is dropped. The answer to Ask or Store
        comes as an event."""
        self._outbox.request(command)

    # The state machine

    def _apply(self, sign: Sign) -> list[Event]:
        was = self.standing
        self.standing = TABLE[sign].get(was, was)
        if sign is Sign.LOST and was in _LINKED:
            self._faults.on_lost()
        # 1. Nothing changed, or states keep coming: the caller reports the touches itself.
        if self.standing in (was, Standing.UP, Standing.BEHIND):
            return []
        # 2. States are missing: places that were touched become deaf.
        if self.standing is Standing.DOUBTED:
            return self._unread_events()
        # 3. The link went down or starts again: forget the controller. Between GREETING,
        #    OTHER_PROTOCOL and MET nothing is forgotten, because the greeting is still under way.
        if was in (Standing.CLOSED, *_LINKED) or self.standing is Standing.CLOSED:
            self._forget_controller()
        # 4. Places were readable until now: report once that no place can be read.
        return [NOTHING_READ] if was in _LINKED else []

    def _unread_events(self) -> list[Event]:
        assert self.state is not None
        return [touches_in_doubt(self.state)] if self.state.touched else []

    def _forget_controller(self) -> None:
        self.hello = self.other_protocol = self.state = None
        if self.standing is Standing.CLOSED:
            self._outbox.forget()
        else:
            self._outbox.greet()

    # Received messages

    def _on_state(self, state: State, now: float) -> list[Event]:
        # 1. Without a hello the boot id is unknown, so the state cannot be judged.
        if self.hello is None:
            return []
        # 2. Another boot id: the controller has restarted and its hello was lost.
        if state.boot != self.hello.boot:
            return self._apply(Sign.NEW_STATE)
        # 3. The first state must acknowledge our greeting, which proves that it is not an old one
        #    from a buffer. Then all lights are sent, because the controller may show others.
        if self.state is None:
            if not self._outbox.is_sent or state.applied != self._outbox.number:
                return []
            self._apply(Sign.HEARD_US)
            self._outbox.show_all()
        # 4. Each later state must be newer than the last one. Sequence numbers wrap at 65,536, so
        #    "newer" means: less than half a turn ahead.
        elif not 0 < (state.sequence - self.state.sequence) % SEQUENCES < SEQUENCES // 2:
            return []
        # 5. Measure missing states by the controller's own uptime, not by our clock: after a stall
        #    many states arrive at one instant. A long gap counts as silence of the same length.
        missing = 0.0 if self.state is None else _missing(self.state, state)
        if missing >= LOST_SECONDS:
            return self._apply(Sign.LOST)
        doubted = missing >= DOUBT_SECONDS and self.standing is not Standing.DOUBTED
        events = self._unread_events() if doubted else []
        # 6. After a stall: this state acknowledges a command sent since, so it is fresh.
        if self._outbox.is_newer_than_stall(state.applied):
            self._apply(Sign.CAUGHT_UP)
        self._apply(Sign.STATE)
        # 7. If the port was not read for `LATE_SECONDS`, this state may be as old as that, and a
        #    held finger may have been lifted since. If no finger is held, lateness does not matter.
        held = self.state is not None and bool(self.state.touched)
        self._late = held and self._unseen > LATE_SECONDS
        # 8. Report the touches and count the faults since the previous state. Remember this state.
        events += touches_between(self.state, state)
        self._faults.on_state(state, follows=self.state is not None)
        self.state, self._heard_at = state, now
        # 9. The controller shows its own lights (500 ms of silence, or no colours): send ours.
        if state.dark and not self._outbox.has_lights_under_way:
            self._outbox.show_all()
        # 10. Let the outbox take the acknowledgement. It may complete the current command.
        return events + self._outbox.on_applied(state.applied, state.check)

    def _on_hello(self, hello: Hello) -> list[Event]:
        # Ignore a repeated hello of the same start.
        if self.is_up and self.hello is not None and hello.boot == self.hello.boot:
            return []
        events = self._apply(Sign.NEW_HELLO if self.is_up else Sign.HELLO)
        self._faults.on_hello(hello)
        self.hello, self.other_protocol = hello, None
        return events

    def _on_other_protocol(self, version: int) -> list[Event]:
        events = self._apply(Sign.OTHER_HELLO)
        self.hello, self.other_protocol = None, version
        return events

    def _on_answer(self, answer: Answer) -> list[Event]:
        if self.state is None:
            return []  # the link is not up: the answer may be old
        return [*self._outbox.on_answer(answer, self.state.applied, self.state.check)]


def _missing(before: State, after: State) -> float:
    """Return the seconds between two states if other states between them are missing; 0.0 if no
    state is missing."""
    # Consecutive sequence numbers: no state is missing, however far apart the two are.
    if (after.sequence - before.sequence) % SEQUENCES == 1:
        return 0.0
    return (after.uptime_ms - before.uptime_ms) % UPTIMES / 1000

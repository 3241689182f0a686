"""The queue of outgoing commands. One command at a time is sent, until the controller has applied
it.

Each command has a number, and each state contains the number of the last applied command. A command
is sent again until a state contains its number. Then the next command follows: the newest lights if
there are any, otherwise the oldest request.

Lights are an exception: newer lights do not wait until older lights are applied. Otherwise the
lights of a held cell would still grow after the guess has been made. At most two frames of lights
are on the way, so that the line does not become congested.

Light commands contain only the places whose colours differ from those that the controller shows.
The Pi knows the controller's colours when the controller has applied a frame and reported that
frame's checksum. Until that report a frame may be lost, so newer light commands repeat its places.
If the checksum differs, a command was lost or came late, and all places are sent again.
"""

import math
from collections import deque
from typing import Final, NamedTuple

from pi_table.common.geometry import LED_COUNT, LED_SLICES, PLACE_COUNT
from pi_table.devices.wire.codec import frame
from pi_table.devices.wire.commands import (
    MAX_NUMBER,
    Ask,
    Command,
    KeepAlive,
    Restart,
    Store,
    Tell,
    check_of,
    lights,
    write,
)
from pi_table.devices.wire.messages import Raw, SettingsReply

KEEP_ALIVE_SECONDS: Final = 0.2
"""Seconds without a command after which the Pi sends a keep-alive command."""
MAX_FRAMES_ON_THE_WAY: Final = 2
"""Maximum number of light frames that are sent but not yet acknowledged."""
AT_ONCE: Final = -math.inf

Answer = Raw | SettingsReply
"""A message with which the controller answers a command."""


class _Ordered(NamedTuple):
    """A light frame that was sent and is not acknowledged yet."""

    number: int
    """Number of the last command of this frame."""
    frame: tuple[int, ...]
    check: int
    places: frozenset[int]
    at: float
    """Time in seconds at which the frame was first sent."""


class Outbox:
    """The queue of commands to the controller. Times are in seconds of one monotonic clock."""

    def __init__(self) -> None:
        self.number = 0
        self.due_at = AT_ONCE
        """Time in seconds at which the next command is sent, unless a new command is queued before
        that."""
        self._under_way: list[tuple[int, Command]] = []
        """The commands that the controller has not applied yet, with their numbers: a single
        command, or all commands of a light frame."""
        self._answer: Answer | None = None
        """The answer to the current command. It is kept until a state contains the command's
        number."""
        self._begun_at = self._sent_at = 0.0
        """Time in seconds at which the current command was first sent; ``_sent_at``: when it was
        last sent."""
        self._number_before = 0
        """Number of the newest command at the time when the Pi last stalled."""
        self._requests: deque[Command] = deque()
        self._wanted: tuple[int, ...] | None = None
        self._lights_wanted = False
        self._has: tuple[int, ...] | None = None
        """The light frame that the controller is known to have applied; None if unknown."""
        self._check = 0
        """The checksum of the light frame ``_has``."""
        self._ordered: deque[_Ordered] = deque()
        """Light frames that are sent but not acknowledged, oldest first."""

    # The queue

    def show(self, frame: tuple[int, ...]) -> None:
        """Queue a light frame, 0xRRGGBB for each of the 104 LEDs. It replaces light frames that are
        not sent yet."""
        if frame != self._wanted:
            self._wanted, self._lights_wanted = frame, True

    def show_all(self) -> None:
        """Queue all places of the newest frame, because the controller may show other colours."""
        self._has, self._lights_wanted = None, self._wanted is not None

    def request(self, command: Ask | Store | Restart) -> None:
        """Queue a command behind all earlier requests."""
        self._requests.append(command)

    def greet(self) -> None:
        """Drop all commands and ask for a hello. Only the newest light frame is kept, to be sent
        later."""
        self.forget()
        self._begin(Ask(Tell.HELLO))

    def forget(self) -> None:
        """Drop all requests and the current command. From now on, the lights that the controller
        shows are unknown."""
        self._under_way, self._answer, self._has = [], None, None
        self._requests.clear()
        self._ordered.clear()

    def on_stall(self, now: float) -> None:
        """Restart all deadlines after a stall of the Pi. Also queue a new command: a state with
        this command's number is newer than the stall."""
        self._number_before, self._begun_at = self.number, now
        if self._ordered:
            self._ordered = deque(ordered._replace(at=now) for ordered in self._ordered)
            self._lights_wanted, self.due_at = True, AT_ONCE
        elif not self._under_way or self._is_keep_alive:
            self._begin(KeepAlive())

    # Sending

    def to_send(self, now: float, again_after: float) -> bytes:
        """Return the bytes to write now; empty if no command is due. A command that is not applied
        is sent again after ``again_after`` seconds."""
        # A command waits until the previous one is applied. Lights may overtake lights, and a
        # keep-alive, which has no effect, is replaced at once.
        if self._ordered or not self._under_way or self._is_keep_alive:
            self._start_next(now)
        if not self._under_way or now < self.due_at:
            return b""
        if not self.is_sent:
            self._begun_at = now
        self._sent_at, self.due_at = now, now + again_after
        return b"".join(frame(write(command, number)) for number, command in self._under_way)

    def _start_next(self, now: float) -> None:
        # 1. Lights first, because people see them. At most two frames are on the way; further ones
        #    wait until the last is due to be repeated, and then replace it.
        if self._lights_wanted and (
            len(self._ordered) < MAX_FRAMES_ON_THE_WAY or now >= self.due_at
        ):
            self._start_lights(now)
        if self._ordered:
            return
        # 2. Then the requests, in order. 3. Then a keep-alive, when it is due.
        if self._requests:
            self._begin(self._requests.popleft())
        elif not self._under_way and now >= self.due_at:
            self._begin(KeepAlive())

    def _start_lights(self, now: float) -> None:
        assert self._wanted is not None
        self._lights_wanted = False
        # Frames without acknowledgement may be lost, so their places are sent again.
        places = frozenset().union(*(ordered.places for ordered in self._ordered))
        places |= _differing(self._has, self._wanted)
        if not places:
            return
        self._begin(*lights(self._wanted, places))
        check = check_of(self._wanted)
        self._ordered.append(_Ordered(self.number, self._wanted, check, places, now))

    def farewell(self) -> bytes:
        """Return the last bytes before the port is closed; they switch the lights off."""
        self._begin(*lights((0,) * LED_COUNT, range(PLACE_COUNT)))
        return b"".join(frame(write(command, number)) for number, command in self._under_way)

    @property
    def is_sent(self) -> bool:
        return self.due_at != AT_ONCE

    def is_unanswered(self, now: float, patience: float) -> bool:
        """True if a command was first sent at least ``patience`` seconds ago and is not applied."""
        begun_at = self._ordered[0].at if self._ordered else self._begun_at
        return bool(self._under_way) and now >= begun_at + patience

    def is_newer_than_stall(self, number: int) -> bool:
        """True if the command with this number was created after the Pi last stalled."""
        newer = (self.number - self._number_before) % MAX_NUMBER
        return 0 < (number - self._number_before) % MAX_NUMBER <= newer

    @property
    def has_lights_under_way(self) -> bool:
        """True if a light frame is on its way to the controller."""
        return bool(self._ordered)

    @property
    def _is_keep_alive(self) -> bool:
        return any(isinstance(command, KeepAlive) for _, command in self._under_way)

    # Acknowledgements

    def on_applied(self, number: int, check: int) -> list[Answer]:
        """Process a state's acknowledgement: the ``number`` of the last applied command and the
        ``check`` (checksum) of the controller's lights.

        Return the answer to the current command if the command is now complete and has an answer.
        """
        if self._ordered:
            self._lights_applied(number, check)
            return []
        if self._has is not None and check != self._check:
            self.show_all()  # an older command was applied after the newest
        if not self._under_way or number != self.number:
            return []
        if self._answer is None and _expects(self._under_way[0][1]):
            return []
        answer = self._answer
        self._end()
        return [] if answer is None else [answer]

    def _lights_applied(self, number: int, check: int) -> None:
        # 1. Find the newest frame that this state acknowledges.
        reached = None
        for ordered in self._ordered:
            # A newer frame may already be in progress. Then the check shows
            # that this frame was the last one shown in full.
            past = 0 < (number - ordered.number) % MAX_NUMBER < MAX_NUMBER // 2
            if number == ordered.number or (past and check == ordered.check):
                reached = ordered
        if reached is None:
            return
        # 2. Forget this frame and all older ones: newer lights replace older ones.
        while self._ordered.popleft() is not reached:
            pass
        # 3. The same check proves that the controller has exactly this frame.
        if check == reached.check:
            self._has, self._check = reached.frame, check
        else:
            self.show_all()  # a part was lost or came late
        if not self._ordered:
            self._end()

    def on_answer(self, answer: Answer, applied: int, check: int) -> list[Answer]:
        """Process an answer to a command. ``applied`` and ``check`` come from the newest state.

        Return the answer if the current command is now complete; else an empty list.
        """
        if not self._under_way or answer.number != self.number:
            return []
        if not isinstance(answer, _expects(self._under_way[0][1])):
            return []
        self._answer = answer
        return self.on_applied(applied, check)

    def _begin(self, *commands: Command) -> None:
        self._under_way, self._answer, self.due_at = [], None, AT_ONCE
        for command in commands:
            self.number = self.number % MAX_NUMBER + 1
            self._under_way.append((self.number, command))

    def _end(self) -> None:
        self._under_way, self._answer = [], None
        self.due_at = self._sent_at + KEEP_ALIVE_SECONDS


def _differing(one: tuple[int, ...] | None, other: tuple[int, ...]) -> frozenset[int]:
    """Return the places (0 … 26) where two frames differ; all places if ``one`` is None."""
    if one is None:
        return frozenset(range(PLACE_COUNT))
    return frozenset(place for place, leds in enumerate(LED_SLICES) if one[leds] != other[leds])


def _expects(command: Command) -> tuple[type[Raw] | type[SettingsReply], ...]:
    """Return the types of message that can answer this command; empty for most commands."""
    match command:
        case Ask(Tell.RAW):
            return (Raw,)
        case Ask(Tell.SETTINGS) | Store():
            return (SettingsReply,)
        case _:
            return ()

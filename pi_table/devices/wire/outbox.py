"""What the Pi says to the controller: one command at a time, until the controller has applied it.

Each command has a number. A state of the controller has the number of the last command that was
applied. So a command is said again until its number comes back. Then the next command begins: the
newest lights if there are any, or else what was requested.

Lights are the exception: newer lights do not wait for older ones, they overtake them. Otherwise a
cell that was guessed would go on filling before it shows what it is. Only one overtakes another, so
that what waits on the wire is soon through.

Of lights only those places are said which the controller has otherwise. What it has is known when
it has applied them, and its states tell the check of that frame. Until then nobody knows whether
they came, so newer lights say all of their places too. Where the check is another, something was
lost or came late: then everything is said.
"""

import math
from collections import deque
from typing import Final, NamedTuple

from pi_table.common.geometry import LED_COUNT, PLACE_COUNT, leds_of
from pi_table.devices.wire.codec import frame
from pi_table.devices.wire.commands import (
    MOST_NUMBER,
    Ask,
    Command,
    Here,
    Restart,
    Store,
    Tell,
    check_of,
    lights,
    write,
)
from pi_table.devices.wire.messages import Raw, SettingsTold

HERE_AFTER: Final = 0.2
"""After how many seconds in which nothing was said the Pi says that it is here."""
MOST_ORDERED: Final = 2
"""How many frames of light may be on the way."""
AT_ONCE: Final = -math.inf
_LEDS: Final = tuple(
    slice(leds_of(place)[0], leds_of(place)[-1] + 1) for place in range(PLACE_COUNT)
)

Answer = Raw | SettingsTold
"""A message by which the controller answers a command."""


class _Ordered(NamedTuple):
    """Lights that were said, and of which nobody knows yet whether they were applied."""

    number: int
    """The number of their last command."""
    frame: tuple[int, ...]
    """What the lights show as soon as that command is applied."""
    check: int
    """The check of that frame."""
    places: frozenset[int]
    """The places of which the commands tell."""
    at: float
    """When they were said first, in seconds."""


class Outbox:
    """Commands to the controller. Times are in seconds, of one clock that never goes back."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the newest command."""
        self.due_at = AT_ONCE
        """When something is to be said, in seconds, if nothing is wanted before."""
        self._under_way: list[tuple[int, Command]] = []
        """The commands under way, with their numbers: one, or those of the newest lights."""
        self._answer: Answer | None = None
        """The answer to the command under way, while the number of that command has not come
        back."""
        self._begun_at = self._said_at = 0.0
        """When the command under way was said first, and when it was said last."""
        self._number_before = 0
        """The number of the newest command when the Pi stood still last."""
        self._requests: deque[Command] = deque()
        self._wanted: tuple[int, ...] | None = None
        """The newest lights that were wanted."""
        self._lights_wanted = False
        """Are they still to be said?"""
        self._has: tuple[int, ...] | None = None
        """The lights that the controller has been ordered and has applied; None where nobody
        knows."""
        self._check = 0
        """The check of those."""
        self._ordered: deque[_Ordered] = deque()
        """The lights that are not answered, the oldest first."""

    # What is wanted

    def show(self, frame: tuple[int, ...]) -> None:
        """Want these lights: 0xRRGGBB for each of the 104 LEDs. The newest are what counts."""
        if frame != self._wanted:
            self._wanted, self._lights_wanted = frame, True

    def show_all(self) -> None:
        """Want all of the newest lights to be said: the controller may have others."""
        self._has, self._lights_wanted = None, self._wanted is not None

    def request(self, command: Ask | Store | Restart) -> None:
        """Want a command to be said, after those that were wanted before."""
        self._requests.append(command)

    def greet(self) -> None:
        """Ask for a hello, and want nothing else. The newest lights are kept for later."""
        self.forget()
        self._begin(Ask(Tell.HELLO))

    def forget(self) -> None:
        """Want nothing any more of what was requested, or is under way; and know nothing of what
        the controller has."""
        self._under_way, self._answer, self._has = [], None, None
        self._requests.clear()
        self._ordered.clear()

    def stood_still(self, now: float) -> None:
        """Learn that the Pi stood still until now. What is under way has all its time anew; and
        something new is wanted at once, for its number tells what is heard since."""
        self._number_before, self._begun_at = self.number, now
        if self._ordered:
            self._ordered = deque(ordered._replace(at=now) for ordered in self._ordered)
            self._lights_wanted, self.due_at = True, AT_ONCE
        elif not self._under_way or self._is_here:
            self._begin(Here())

    # What is said

    def to_send(self, now: float, again_after: float) -> bytes:
        """The bytes that are to be put on the wire now; empty if there are none.

        They are due again after ``again_after`` seconds unless the command is applied before.
        """
        if self._ordered or not self._under_way or self._is_here:
            self._go_on(now)
        if not self._under_way or now < self.due_at:
            return b""
        if not self.is_said:
            self._begun_at = now
        self._said_at, self.due_at = now, now + again_after
        return b"".join(frame(write(command, number)) for number, command in self._under_way)

    def _go_on(self, now: float) -> None:
        """Begin what is wanted next, if it need not wait for what is under way."""
        if self._lights_wanted and (len(self._ordered) < MOST_ORDERED or now >= self.due_at):
            self._order(now)
        if self._ordered:
            return
        if self._requests:
            self._begin(self._requests.popleft())
        elif not self._under_way and now >= self.due_at:
            self._begin(Here())

    def _order(self, now: float) -> None:
        """Begin to say the newest lights: what the controller has otherwise, and whatever was
        ordered and not answered."""
        assert self._wanted is not None
        self._lights_wanted = False
        places = frozenset().union(*(ordered.places for ordered in self._ordered))
        places |= _differing(self._has, self._wanted)
        if not places:
            return
        self._begin(*lights(self._wanted, places))
        check = check_of(self._wanted)
        self._ordered.append(_Ordered(self.number, self._wanted, check, places, now))

    def farewell(self) -> bytes:
        """The bytes that are to be put on the wire last: the lights are to be dark."""
        self._begin(*lights((0,) * LED_COUNT, range(PLACE_COUNT)))
        return b"".join(frame(write(command, number)) for number, command in self._under_way)

    @property
    def is_said(self) -> bool:
        """Has the command under way been said?"""
        return self.due_at != AT_ONCE

    def is_unanswered(self, now: float, patience: float) -> bool:
        """Was the oldest command under way said first so many seconds ago, and not applied yet?"""
        begun_at = self._ordered[0].at if self._ordered else self._begun_at
        return bool(self._under_way) and now >= begun_at + patience

    def is_since(self, number: int) -> bool:
        """Is this the number of a command that was begun after the Pi stood still last?"""
        newer = (self.number - self._number_before) % MOST_NUMBER
        return 0 < (number - self._number_before) % MOST_NUMBER <= newer

    @property
    def shows(self) -> bool:
        """Are lights under way?"""
        return bool(self._ordered)

    @property
    def _is_here(self) -> bool:
        return any(isinstance(command, Here) for _, command in self._under_way)

    # What is answered

    def applied(self, number: int, check: int) -> list[Answer]:
        """Learn that the controller has applied the command of this number last, and the ``check``
        of the lights that it has.

        If that is the end of the command under way, give back its answer, if it has one.
        """
        if self._ordered:
            self._lights_applied(number, check)
            return []
        if self._has is not None and check != self._check:
            self.show_all()  # it applied something old after the newest
        if not self._under_way or number != self.number:
            return []
        if self._answer is None and _expects(self._under_way[0][1]):
            return []
        answer = self._answer
        self._end()
        return [] if answer is None else [answer]

    def _lights_applied(self, number: int, check: int) -> None:
        reached = None
        for ordered in self._ordered:
            # Past it where newer lights have been begun already, and these were shown before.
            past = 0 < (number - ordered.number) % MOST_NUMBER < MOST_NUMBER // 2
            if number == ordered.number or (past and check == ordered.check):
                reached = ordered
        if reached is None:
            return
        while self._ordered.popleft() is not reached:
            pass
        if check == reached.check:
            self._has, self._check = reached.frame, check
        else:
            self.show_all()  # something of it was lost, or came when it was old
        if not self._ordered:
            self._end()

    def answered(self, answer: Answer, applied: int, check: int) -> list[Answer]:
        """Learn that an answer has come. ``applied`` is the number of the last command applied,
        ``check`` that of the lights.

        If that is the end of the command under way, give back the answer.
        """
        if not self._under_way or answer.number != self.number:
            return []
        if not isinstance(answer, _expects(self._under_way[0][1])):
            return []
        self._answer = answer
        return self.applied(applied, check)

    def _begin(self, *commands: Command) -> None:
        self._under_way, self._answer, self.due_at = [], None, AT_ONCE
        for command in commands:
            self.number = self.number % MOST_NUMBER + 1
            self._under_way.append((self.number, command))

    def _end(self) -> None:
        self._under_way, self._answer = [], None
        self.due_at = self._said_at + HERE_AFTER


def _differing(one: tuple[int, ...] | None, other: tuple[int, ...]) -> frozenset[int]:
    """The places (0 … 26) that two frames have otherwise; all of them where there is only one."""
    if one is None:
        return frozenset(range(PLACE_COUNT))
    return frozenset(place for place, leds in enumerate(_LEDS) if one[leds] != other[leds])


def _expects(command: Command) -> tuple[type[Raw] | type[SettingsTold], ...]:
    """The kind of message by which a command is answered; none for most commands."""
    match command:
        case Ask(Tell.RAW):
            return (Raw,)
        case Ask(Tell.SETTINGS) | Store():
            return (SettingsTold,)
        case _:
            return ()

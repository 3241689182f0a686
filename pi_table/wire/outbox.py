"""What the Pi says to the controller: one command at a time, until the controller has applied it.

Each command has a number. A state of the controller has the number of the last command that was
applied. So a command is said again until its number comes back. Then the next command begins: the
newest lights if there are any, or else what was requested.

Lights are the exception: newer lights do not wait for older ones, they overtake them. Otherwise a
cell that was guessed would go on filling before it shows what it is. Lights overtake only once, for
the controller has room for two commands.
"""

import math
from collections import deque
from typing import Final

from pi_table.geometry import PLACE_COUNT
from pi_table.wire.codec import frame
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
from pi_table.wire.messages import Raw, SettingsTold

HERE_AFTER: Final = 0.2
"""After how many seconds in which nothing was said the Pi says that it is here."""
AT_ONCE: Final = -math.inf

Answer = Raw | SettingsTold
"""A message by which the controller answers a command."""


class Outbox:
    """Commands to the controller. Times are in seconds, of one clock that never goes back."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the newest command."""
        self.due_at = AT_ONCE
        """When something is to be said, in seconds, if nothing is wanted before."""
        self._command: Command | None = None
        """The command under way."""
        self._answer: Answer | None = None
        """The answer to the command under way, while the number of that command has not come
        back."""
        self._begun_at = self._said_at = 0.0
        """When the command under way was said first, and when it was said last. If it overtook
        another, the first time is that of the other."""
        self._overtaken = False
        """Have the lights under way overtaken others, which were not applied yet?"""
        self._number_before = 0
        """The number of the newest command when the Pi stood still last."""
        self._requests: deque[Command] = deque()
        self._lights: Light | None = None
        self._lights_wanted = False

    # What is wanted

    def show(self, colours: tuple[int, ...]) -> None:
        """Want these lights: 0xRRGGBB for each of the 27 places. The newest are what counts."""
        self._lights, self._lights_wanted = Light(colours), True

    def show_again(self) -> None:
        """Want the newest lights once more: the controller may show others."""
        self._lights_wanted = self._lights is not None

    def request(self, command: Ask | Store | Restart) -> None:
        """Want a command to be said, after those that were wanted before."""
        self._requests.append(command)

    def greet(self) -> None:
        """Ask for a hello, and want nothing else. The newest lights are kept for later."""
        self.forget()
        self._begin(Ask(Tell.HELLO))

    def forget(self) -> None:
        """Want nothing any more of what was requested, or is under way."""
        self._command = self._answer = None
        self._requests.clear()

    def stood_still(self, now: float) -> None:
        """Learn that the Pi stood still until now. What is under way has all its time anew; and
        something new is wanted at once, for its number tells what is heard since."""
        self._number_before, self._begun_at = self.number, now
        if isinstance(self._command, Light):
            self.show_again()
        elif self._command is None or isinstance(self._command, Here):
            self._begin(Here())

    # What is said

    def to_send(self, now: float, again_after: float) -> bytes:
        """The bytes that are to be put on the wire now; empty if there are none.

        They are due again after ``again_after`` seconds unless the command is applied before.
        """
        if self._command is None or isinstance(self._command, Here):
            wanted = self._wanted()
            if wanted is None and self._command is None and now >= self.due_at:
                wanted = Here()
            if wanted is not None:
                self._begin(wanted)
        elif isinstance(self._command, Light) and self._lights_wanted and not self._overtaken:
            self._begin(self._newest_lights())
            self._overtaken = True
        if self._command is None or now < self.due_at:
            return b""
        if not self.is_said and not self._overtaken:
            self._begun_at = now
        self._said_at, self.due_at = now, now + again_after
        return frame(write(self._command, self.number))

    def farewell(self) -> bytes:
        """The bytes that are to be put on the wire last: the lights are to be dark."""
        self.number = self.number % MOST_NUMBER + 1
        return frame(write(Light((0,) * PLACE_COUNT), self.number))

    @property
    def is_said(self) -> bool:
        """Has the command under way been said?"""
        return self.due_at != AT_ONCE

    def is_unanswered(self, now: float, patience: float) -> bool:
        """Was the command under way said first so many seconds ago, and not applied since?"""
        return self._command is not None and now >= self._begun_at + patience

    def is_since(self, number: int) -> bool:
        """Is this the number of a command that was begun after the Pi stood still last?"""
        newer = (self.number - self._number_before) % MOST_NUMBER
        return 0 < (number - self._number_before) % MOST_NUMBER <= newer

    @property
    def shows(self) -> bool:
        """Are lights under way?"""
        return isinstance(self._command, Light)

    # What is answered

    def applied(self, number: int) -> list[Answer]:
        """Learn that the controller has applied the command of this number last.

        If that is the end of the command under way, give back its answer, if it has one.
        """
        if self._command is None:
            if number != self.number:
                self.show_again()  # it applied something old after the newest
            return []
        if number != self.number or (self._answer is None and _expects(self._command)):
            return []
        answer = self._answer
        self._command, self.due_at = None, self._said_at + HERE_AFTER
        return [] if answer is None else [answer]

    def answered(self, answer: Answer, applied: int) -> list[Answer]:
        """Learn that an answer has come. ``applied`` is the number of the last command applied.

        If that is the end of the command under way, give back the answer.
        """
        if self._command is None or answer.number != self.number:
            return []
        if not isinstance(answer, _expects(self._command)):
            return []
        self._answer = answer
        return self.applied(applied)

    def _wanted(self) -> Command | None:
        if self._lights_wanted:
            return self._newest_lights()
        return self._requests.popleft() if self._requests else None

    def _newest_lights(self) -> Light:
        assert self._lights is not None
        self._lights_wanted = False
        return self._lights

    def _begin(self, command: Command) -> None:
        self.number = self.number % MOST_NUMBER + 1
        self._command, self._answer, self.due_at = command, None, AT_ONCE
        self._overtaken = False


def _expects(command: Command) -> tuple[type[Raw] | type[SettingsTold], ...]:
    """The kind of message by which a command is answered; none for most commands."""
    match command:
        case Ask(Tell.RAW):
            return (Raw,)
        case Ask(Tell.SETTINGS) | Store():
            return (SettingsTold,)
        case _:
            return ()

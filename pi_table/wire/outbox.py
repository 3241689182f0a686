"""What the Pi says to the controller: one command at a time, until the controller has applied it.

Each command has a number. The controller tells in its states the number of the last command that it
has applied, so a command is said again until that number comes back. Then the next one begins: the
newest lights first, or else what was requested.

Only lights do not wait for lights. Newer lights overtake those under way, for otherwise a cell
would show what it was until the last frame of its filling has gone. They overtake once, for the
controller has room for two.
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
"""Seconds in which nothing was said, after which the Pi says that it is here."""
AT_ONCE: Final = -math.inf

Answer = Raw | SettingsTold
"""What the controller tells because it was asked."""


class Outbox:
    """Commands to the controller. Times are in seconds, of one clock that never goes back."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the newest command."""
        self.due_at = AT_ONCE
        """When something is to be said, if nothing else is wanted before."""
        self._command: Command | None = None
        """The command under way."""
        self._answer: Answer | None = None
        """The answer to it, while its number has not come back."""
        self._begun_at = self._said_at = 0.0
        """When the command under way, or the one that it overtook, was said first; and last."""
        self._overtaken = False
        """Have lights overtaken lights, which were not answered yet?"""
        self._requests: deque[Command] = deque()
        self._lights: Light | None = None
        self._lights_wanted = False

    # What is wanted

    def show(self, colours: tuple[int, ...]) -> None:
        """These lights are the newest: 0xRRGGBB for each of the 27 places."""
        self._lights, self._lights_wanted = Light(colours), True

    def show_again(self) -> None:
        """The controller shows other lights than the newest, or may."""
        self._lights_wanted = self._lights is not None

    def request(self, command: Ask | Store | Restart) -> None:
        """This is wanted too."""
        self._requests.append(command)

    def greet(self) -> None:
        """Nothing is wanted but to know who is there. The newest lights are kept."""
        self.forget()
        self._begin(Ask(Tell.HELLO))

    def forget(self) -> None:
        """What was requested is not wanted any more, and nothing is under way."""
        self._command = self._answer = None
        self._requests.clear()

    # What is said

    def to_send(self, now: float, again_after: float) -> bytes:
        """What is to be put on the wire now, if anything. It is due again after ``again_after``
        seconds, whether or not it arrives."""
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
        """What is to be put on the wire last: the lights are to be dark, whatever is under way."""
        self.number = self.number % MOST_NUMBER + 1
        return frame(write(Light((0,) * PLACE_COUNT), self.number))

    @property
    def is_said(self) -> bool:
        """Has the command under way been said?"""
        return self.due_at != AT_ONCE

    def is_unanswered(self, now: float, patience: float) -> bool:
        """Has the controller been told something for so long, and not applied it?"""
        return self._command is not None and now >= self._begun_at + patience

    @property
    def shows(self) -> bool:
        """Are lights under way?"""
        return isinstance(self._command, Light)

    # What is answered

    def applied(self, number: int) -> list[Answer]:
        """The controller has applied the command of this number last. The answer to the command
        that is over by that, if it has one."""
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
        """This has come while ``applied`` was the number of the last command applied. It is the
        answer to the command that is over by it, if it is one."""
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
    """What a command is answered with, besides its number."""
    match command:
        case Ask(Tell.RAW):
            return (Raw,)
        case Ask(Tell.SETTINGS) | Store():
            return (SettingsTold,)
        case _:
            return ()

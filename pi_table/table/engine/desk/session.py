"""The operator's desk, as a value: has it a link, was the PIN entered there, and until when.

A desk is a page on somebody's laptop or phone. The hidden screen gives it a link, behind the PIN;
the PIN is asked for again at the desk. What is open there ends by itself. ``now`` is in seconds of
the table's clock.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import say
from pi_table.devices.hal.contracts import Readings
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.state.service import Service
from pi_table.table.engine.state.service import measured as service_measured
from pi_table.table.engine.state.service import passed as service_passed

IDLE_SECONDS: Final = 900.0
"""How long a desk stays open after the last thing that was asked for there."""
LONGEST_SECONDS: Final = 8 * 3600.0
"""How long it stays open at most, whatever is asked for."""
TRIES: Final = 5
"""So many wrong PINs in a row at the desk end its link. They are counted on the disk, so a restart
gives no more; another link is behind the PIN."""


class Desk(msgspec.Struct, frozen=True):
    """The desk at one instant."""

    link: int = 0
    """The number of its link."""
    opened: float | None = None
    """When the right PIN was entered; None while the desk is locked."""
    used: float = 0.0
    """When somebody asked for something last."""
    wrong: int = 0
    """How many wrong PINs had been entered in a row at the desk when one was looked at last."""
    service: Service | None = None
    """What is tried in service from the desk; None where nothing is."""
    restoring: object = None
    """The request whose backup is being restored, after which the table ends; None where none is.
    Nothing else is done before."""

    @property
    def is_open(self) -> bool:
        return self.opened is not None

    @property
    def is_spent(self) -> bool:
        """Were so many wrong PINs entered that the link is to end?"""
        return self.wrong >= TRIES

    @property
    def ends(self) -> float | None:
        """When the desk locks itself; None while it is locked."""
        if self.opened is None:
            return None
        return min(self.used + IDLE_SECONDS, self.opened + LONGEST_SECONDS)

    @property
    def wakes(self) -> float | None:
        """When `passed` is due next, None if time alone changes nothing."""
        due = [self.ends, None if self.service is None else self.service.wakes]
        return min((at for at in due if at is not None), default=None)

    def passed(self, now: float) -> "Desk":
        """The desk at ``now``: it may have locked itself, and service be over."""
        if self.ends is not None and now >= self.ends:
            return self.locked()
        if self.service is None:
            return self
        service = service_passed(self.service, now)
        return self if service is self.service else replace(self, service=service)

    def locked(self) -> "Desk":
        """The desk after it was left: its link stays."""
        return replace(self, opened=None, service=None)

    def asked(self, now: float) -> "Desk":
        """The desk after something was asked for there."""
        return self if self.opened is None else replace(self, used=now)

    def pin_tried(self, is_right: bool, wrong: int, link: int, now: float) -> "Desk":
        """The desk after a PIN was looked at that was entered under the link of this number;
        ``wrong`` have been in a row."""
        if link != self.link:
            return self
        if is_right:
            return replace(self, opened=now, used=now, wrong=0)
        return replace(self.locked(), wrong=wrong)

    def in_use(self, now: float) -> "Desk":
        """The desk when somebody touches or presses something at the table: what is tried there
        goes on."""
        return (
            self if self.service is None else replace(self, service=replace(self.service, used=now))
        )

    def unserved(self) -> "Desk":
        """The desk after service is over."""
        return self if self.service is None else replace(self, service=None)

    def measured(self, readings: Readings) -> "Desk":
        """The desk after the touch grid has measured."""
        if self.service is None:
            return self
        return replace(self, service=service_measured(self.service, readings))


def check_that_it_is_open(desk: Desk) -> None:
    """Raises Unable while the PIN is to be entered first."""
    if not desk.is_open:
        raise Unable("locked", say("The desk is locked: enter the operator’s PIN."))


def link_is_over() -> Unable:
    """What is said of the last wrong PIN that a desk may enter."""
    sentence = say("That is not the PIN. This link is over: the hidden screen gives another one.")
    return Unable("wrong-pin", sentence)


def check_that_nothing_is_restored(desk: Desk) -> None:
    """Raises Unable while a backup is being restored."""
    if desk.restoring is not None:
        raise Unable("restoring", say("A backup is being restored: wait until the table is back."))

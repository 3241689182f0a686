"""The session of the operator's desk, as an immutable value: its link, its lock, and when it ends.

The desk is a web page on a laptop or phone. The hidden screen shows the desk's link only after the
PIN was entered, and the desk then asks for the PIN again. An open session ends by itself. ``now``
is in seconds of the table's clock.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import say
from pi_table.devices.hal.contracts import Readings
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.state.service import Service, advance_service, with_readings

IDLE_SECONDS: Final = 900.0
"""Seconds after the last request until a desk locks itself."""
MAX_OPEN_SECONDS: Final = 8 * 3600.0
"""Longest time in seconds that a desk stays open, even while somebody uses it."""
MAX_WRONG_PINS: Final = 5
"""Number of wrong PINs in a row that ends the desk's link. A new link requires the PIN at the
hidden screen. Wrong PINs are counted on the disk, so a restart does not allow more tries."""


class Desk(msgspec.Struct, frozen=True):
    """The desk at one moment."""

    link: int = 0
    opened: float | None = None
    used: float = 0.0
    wrong: int = 0
    """Number of wrong PINs in a row, up to the last check."""
    service: Service | None = None
    """The state of service mode if it was started at the desk; otherwise None."""
    restoring: object = None
    """Identifies the request to restore a backup, during that restore; otherwise None. During a
    restore, all other requests are refused."""

    @property
    def is_open(self) -> bool:
        return self.opened is not None

    @property
    def is_spent(self) -> bool:
        """True if the link must end because of too many wrong PINs."""
        return self.wrong >= MAX_WRONG_PINS

    @property
    def ends(self) -> float | None:
        """Time at which an open desk locks itself; None while it is locked."""
        if self.opened is None:
            return None
        return min(self.used + IDLE_SECONDS, self.opened + MAX_OPEN_SECONDS)

    @property
    def wakes(self) -> float | None:
        """Time at which `advance` is due; None if time alone changes nothing."""
        due = [self.ends, None if self.service is None else self.service.wakes]
        return min((at for at in due if at is not None), default=None)

    def advance(self, now: float) -> "Desk":
        """Return the desk at ``now``: it may lock itself, and service mode may end."""
        if self.ends is not None and now >= self.ends:
            return self.lock()
        if self.service is None:
            return self
        service = advance_service(self.service, now)
        return self if service is self.service else replace(self, service=service)

    def lock(self) -> "Desk":
        return replace(self, opened=None, service=None)

    def on_request(self, now: float) -> "Desk":
        return self if self.opened is None else replace(self, used=now)

    def after_pin_check(self, is_right: bool, wrong: int, link: int, now: float) -> "Desk":
        """Return the desk after a PIN check. ``link`` is the number of the link under which the PIN
        was entered, ``wrong`` the number of wrong PINs in a row."""
        if link != self.link:
            return self
        if is_right:
            return replace(self, opened=now, used=now, wrong=0)
        return replace(self.lock(), wrong=wrong)

    def on_use(self, now: float) -> "Desk":
        """Return the desk after a touch or press at the table, which prolongs service mode."""
        return (
            self if self.service is None else replace(self, service=replace(self.service, used=now))
        )

    def without_service(self) -> "Desk":
        return self if self.service is None else replace(self, service=None)

    def with_readings(self, readings: Readings) -> "Desk":
        if self.service is None:
            return self
        return replace(self, service=with_readings(self.service, readings))


def check_that_it_is_open(desk: Desk) -> None:
    """Raise Unable while the desk is locked."""
    if not desk.is_open:
        raise Unable("locked", say("The desk is locked: enter the operator’s PIN."))


def link_is_over() -> Unable:
    """Return the refusal for the wrong PIN with which the desk's link ends."""
    sentence = say("That is not the PIN. This link has ended, and you need a new one.")
    return Unable("wrong-pin", sentence)


def check_that_nothing_is_restored(desk: Desk) -> None:
    """Raise Unable while a backup is being restored."""
    if desk.restoring is not None:
        raise Unable("restoring", say("A backup is being restored: wait until the table is back."))

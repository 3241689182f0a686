"""The lock of the operator's page, as an immutable value: rights, and waits after wrong PINs.

If no PIN is set, nothing is locked. After ten wrong PINs in a row, the hidden screen checks no PIN
for a while, not even the right one. Each further wrong PIN starts another wait. The number of wrong
PINs is written to the disk before the answer is sent.

So a guest can make everybody wait. The staff has two other ways to get in, both too slow for an
attacker. The desk counts its own wrong PINs (`desk.desk`) and never waits; the right PIN there ends
the wait. A restart shortens the wait to a minute, after which one PIN is checked. An attacker can
therefore try few of the 10,000 PINs of four digits: 96 a day at the screen, or four at the desk
between two right PINs. With a restart before each try, fewer than 60 an hour are possible. ``now``
is in seconds of the table's clock.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.house_settings import House
from pi_table.common.language import say
from pi_table.table.engine.rights import Need
from pi_table.table.engine.state.moves import Unable

OPEN_SECONDS: Final = 300.0
"""Seconds after the last request until the page locks itself."""
FREE_TRIES: Final = 10
"""Number of wrong PINs in a row that starts the first wait."""
FIRST_WAIT: Final = 30.0
MAX_WAIT_SECONDS: Final = 900.0
MAX_WAIT_SECONDS_AFTER_START: Final = 60.0
"""Maximum seconds from the table's start until a PIN is checked. The wait can be short, because
people notice somebody who keeps switching the table off and on."""


class Lock(msgspec.Struct, frozen=True):
    is_set: bool = False
    wrong: int = 0
    """Number of wrong PINs since the last right PIN."""
    free_at: float = 0.0
    """Time from which a PIN will be checked again."""
    judged: object = None
    """Identifies the request whose PIN is being checked; None if no PIN is being checked."""
    open_until: float | None = None
    """Time at which an open page locks itself; None if the page is locked or no PIN is set."""

    @property
    def is_open(self) -> bool:
        return not self.is_set or self.open_until is not None

    @property
    def wakes(self) -> float | None:
        """Time at which `advance_lock` is due; None if time alone changes nothing."""
        return self.open_until

    def wait(self, now: float) -> float:
        return max(0.0, self.free_at - now)


def initial_lock(is_set: bool, wrong: int, now: float) -> Lock:
    """Return the lock at the table's start. The page is locked. After many wrong PINs, the screen
    also accepts no PIN for a while."""
    return Lock(is_set, wrong, now + min(wait_after(wrong), MAX_WAIT_SECONDS_AFTER_START))


def advance_lock(lock: Lock, now: float) -> Lock:
    if lock.open_until is not None and now >= lock.open_until:
        return replace(lock, open_until=None)
    return lock


def after_pin(lock: Lock, is_right: bool, wrong: int, now: float) -> Lock:
    """Return the lock after a PIN check; ``wrong`` is the number of wrong PINs in a row."""
    if is_right:
        return replace(after_pin_elsewhere(lock, is_right), open_until=now + OPEN_SECONDS)
    return replace(lock, wrong=wrong, judged=None, free_at=now + wait_after(wrong))


def after_pin_elsewhere(lock: Lock, is_right: bool) -> Lock:
    """Return the lock after a PIN check at the desk. The right PIN ends the wait at the screen."""
    return (
        replace(lock, wrong=0, judged=None, free_at=0.0) if is_right else replace(lock, judged=None)
    )


def close_page(lock: Lock) -> Lock:
    """Return the lock after the hidden screen has disconnected: the page is locked."""
    return replace(lock, open_until=None)


def extend_page(lock: Lock, now: float) -> Lock:
    """Return the lock after a request. If the page is open, it stays open for `OPEN_SECONDS` from
    now."""
    return lock if lock.open_until is None else replace(lock, open_until=now + OPEN_SECONDS)


def wait_after(wrong: int) -> float:
    """Return the seconds to wait after this many wrong PINs. After `FREE_TRIES`, each wrong PIN
    doubles the wait, up to `MAX_WAIT_SECONDS`."""
    if wrong < FREE_TRIES:
        return 0.0
    return min(MAX_WAIT_SECONDS, FIRST_WAIT * 2.0 ** min(wrong - FREE_TRIES, 10))


def needs_pin(lock: Lock, house: House, need: Need) -> bool:
    """True if the PIN must be entered before an act with this ``need``."""
    if lock.is_open or need is None:
        return False
    return need not in house.guests_may  # `PIN` is never in that set


def check_that_a_pin_can_be_tried(lock: Lock, wait: float = 0.0) -> None:
    """Raise Unable if no PIN is set, if the screen must still wait, or while another PIN is
    checked. ``wait`` is the rest of the wait, in seconds."""
    if not lock.is_set:
        raise Unable("no-pin", say("No PIN is set."))
    if wait > 0.0:
        raise Unable("wait", say("Too many wrong PINs: wait a while, then try again."))
    if lock.judged is not None:
        raise Unable("wait", say("A PIN is being checked: wait for the answer."))


def wrong_pin(wait: float = 0.0) -> Unable:
    """Return the refusal of a wrong PIN. ``wait`` is the time until the next try, in seconds."""
    if wait > 0.0:
        return Unable("wrong-pin", say("That is not the PIN. Wait a while, then try again."))
    return Unable("wrong-pin", say("That is not the PIN."))


def pin_needed() -> Unable:
    return Unable("locked", say("That needs the operator’s PIN: ask the operator."))

"""The lock of the operator's page, as a value: who may ask for what, and when a PIN is looked at.

With no PIN set nothing is locked. Ten wrong PINs in a row at the hidden screen cost time: then, and
after each further one, none is looked at there for a while, the right one neither. How many were
wrong is on the disk before anybody is told.

A guest can make everybody wait so. The staff has two ways in that cost an attacker too much. The
desk counts its own wrong PINs (`desk.session`) and never waits; the right one there ends the wait.
And a restart shortens the wait to a minute, for one PIN. So of the 10,000 PINs of four digits, 96 a
day can be tried at the screen, four at the desk between two right ones, and fewer than 60 an hour
by whoever pulls the plug each time. ``now`` is in seconds of the table's clock.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.house import House
from pi_table.common.language import say
from pi_table.table.engine.rights import Need
from pi_table.table.engine.state.moves import Unable

OPEN_SECONDS: Final = 300.0
"""How long the page stays open after the last thing that was asked for on it."""
FREE_TRIES: Final = 10
"""So many wrong PINs cost nothing but the trouble; after the last of them comes the first wait."""
FIRST_WAIT: Final = 30.0
LONGEST_WAIT: Final = 900.0
LONGEST_WAIT_AFTER_START: Final = 60.0
"""Seconds. Whoever can switch the table off and on is at the machine, and seen."""


class Lock(msgspec.Struct, frozen=True):
    """The lock at one instant."""

    is_set: bool = False
    """Is there a PIN?"""
    wrong: int = 0
    """How many wrong PINs were tried since the right one."""
    free_at: float = 0.0
    """When a PIN is looked at again."""
    judged: object = None
    """The name of the request whose PIN is being looked at; None if none is."""
    open_until: float | None = None
    """When the page locks itself; None while it is locked, or no PIN is set."""

    @property
    def is_open(self) -> bool:
        return not self.is_set or self.open_until is not None

    @property
    def wakes(self) -> float | None:
        """When `passed` is due next, None if time alone changes nothing."""
        return self.open_until

    def wait(self, now: float) -> float:
        """For how many seconds no PIN is looked at."""
        return max(0.0, self.free_at - now)


def lock(is_set: bool, wrong: int, now: float) -> Lock:
    """The lock when the table starts: locked, and after many wrong PINs with a wait."""
    return Lock(is_set, wrong, now + min(wait_after(wrong), LONGEST_WAIT_AFTER_START))


def passed(lock: Lock, now: float) -> Lock:
    """The lock at ``now``: it may have locked itself."""
    if lock.open_until is not None and now >= lock.open_until:
        return replace(lock, open_until=None)
    return lock


def tried(lock: Lock, is_right: bool, wrong: int, now: float) -> Lock:
    """The lock after a PIN was looked at; ``wrong`` have been in a row."""
    if is_right:
        return replace(unjudged(lock, is_right), open_until=now + OPEN_SECONDS)
    return replace(lock, wrong=wrong, judged=None, free_at=now + wait_after(wrong))


def unjudged(lock: Lock, is_right: bool) -> Lock:
    """The lock after a PIN was looked at elsewhere: the right one ends the wait."""
    return (
        replace(lock, wrong=0, judged=None, free_at=0.0) if is_right else replace(lock, judged=None)
    )


def left(lock: Lock) -> Lock:
    """The lock after whoever had the page open has left the hidden screen."""
    return replace(lock, open_until=None)


def used(lock: Lock, now: float) -> Lock:
    """The lock after something was asked for on the open page: it stays open for longer."""
    return lock if lock.open_until is None else replace(lock, open_until=now + OPEN_SECONDS)


def wait_after(wrong: int) -> float:
    """The seconds to wait after so many wrong PINs in a row: twice as long with each."""
    if wrong < FREE_TRIES:
        return 0.0
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(wrong - FREE_TRIES, 10))


def needs_pin(lock: Lock, house: House, need: Need) -> bool:
    """True if the PIN has to be entered before what has such a ``need``."""
    if lock.is_open or need is None:
        return False
    return need not in house.guests_may  # the PIN is no permission of guests


def check_that_a_pin_can_be_tried(lock: Lock, wait: float = 0.0) -> None:
    """Raises Unable where no PIN is looked at for ``wait`` seconds more, or one is just now."""
    if not lock.is_set:
        raise Unable("no-pin", say("No PIN is set: the operator’s page is open to everybody."))
    if wait > 0.0:
        raise Unable("wait", say("Too many wrong PINs: wait a while, then try again."))
    if lock.judged is not None:
        raise Unable("wait", say("A PIN is being looked at: wait for the answer."))


def wrong_pin(wait: float = 0.0) -> Unable:
    """What is said of a wrong PIN, after which none is looked at for ``wait`` seconds."""
    if wait > 0.0:
        return Unable("wrong-pin", say("That is not the PIN. Wait a while, then try again."))
    return Unable("wrong-pin", say("That is not the PIN."))


def locked() -> Unable:
    """What is said of an act that needs the PIN."""
    return Unable("locked", say("That needs the operator’s PIN: enter it on the operator’s page."))

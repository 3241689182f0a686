"""Presence: whether people are at the table. It depends on the time since the last touch or press.

After the house's ``idle_minutes`` without any action in a game, the table asks whether anybody
still plays. Without an answer, the game is set apart: the table sleeps, shows its attract mode and
pauses the game. People who return within the house's ``keep_minutes`` can continue the game; after
that time the game counts as abandoned. If no game is played, the table sleeps after a minute.

A touch that wakes a sleeping table does nothing else. So people who wipe the table, or lean on it,
make no guess. While the table only asks its question, the game goes on, and a finger held on a cell
is a guess as usual. Time counts only while the table is on: after a restart, the ``keep_minutes``
of a game that was set apart begin again. ``now`` is in seconds of the table's clock.
"""

from typing import Final

import msgspec

from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.protocols.ipc.messages import Presence
from pi_table.table.engine.inputs import Begin, Input, Request, TouchFelt
from pi_table.table.engine.rights import Asker

ASK_SECONDS: Final = 60.0
"""Seconds that the table waits for an answer to the question whether anybody still plays."""
END_SECONDS: Final = 60.0
"""Seconds that the end of a game stays visible before attract mode begins."""
MINUTE: Final = 60.0
DESK_ACTS_THAT_WAKE: Final = frozenset({"resume", "start", "next", "correct", "reveal"})
"""The desk's acts that wake the table, although they do not prove that somebody is there. If the
table stayed asleep, it would pause or abandon the game again, and its lights would not show the
key."""


class Idle(msgspec.Struct, frozen=True):
    """The presence of people, and the time from which the time limits count."""

    presence: Presence = Presence.PLAYING
    since: float = 0.0
    """While people play: the time of their last action. Otherwise: the time at which the table
    began to ask whether anybody still plays, or began to sleep."""


class OngoingGame(msgspec.Struct, frozen=True):
    """The facts about a game in play that decide when the table asks whether anybody still plays,
    and when the table sleeps."""

    paused: bool
    busy_until: float | None = None
    """End of a running countdown that does not end the turn; None if there is none. Until this
    time, the table does not ask whether anybody still plays."""


def idle_at_start(played: OngoingGame | None, house: House, now: float) -> Idle:
    """Return the presence when the table is switched on.

    The table usually assumes that people are there. It sleeps instead if the game is paused and
    ``idle_minutes`` is not 0, because people may have left before the table was switched off.
    """
    may_be_apart = played is not None and played.paused and house.idle_minutes > 0
    return Idle(Presence.IDLE if may_be_apart else Presence.PLAYING, now)


def shows_somebody(given: Input, felt: TouchFrame) -> bool:
    """True if an input proves that a person is at the table.

    A finger proves nothing if it was already in ``felt``, the touch frame before this input. The
    act ``look`` proves nothing, because programs also request it.
    """
    match given:
        case TouchFelt(frame=frame):
            return not frame.touched - frame.noisy <= felt.touched
        case Request(by=Asker.CONSOLE, do=do):
            return do.get("act") != "look"
    return isinstance(given, Begin)


def awake(now: float) -> Idle:
    return Idle(Presence.PLAYING, now)


def advance_idle(idle: Idle, house: House, played: OngoingGame | None, now: float) -> Idle:
    """Return the presence at ``now`` if there was no input since ``idle``."""
    due = next_change_at(idle, house, played)
    while due is not None and now >= due:
        asks = played is not None and idle.presence is Presence.PLAYING
        idle = Idle(Presence.ASKED if asks else Presence.IDLE, due)
        due = next_change_at(idle, house, played)
    return idle


def next_change_at(idle: Idle, house: House, played: OngoingGame | None) -> float | None:
    """Return the time of the next change if no input comes: the table begins to sleep, or asks
    whether anybody still plays. None if neither will happen."""
    if idle.presence is Presence.IDLE:
        return None
    if idle.presence is Presence.ASKED:
        return idle.since + (0.0 if played is None else ASK_SECONDS)
    if played is None:
        return idle.since + END_SECONDS
    if house.idle_minutes == 0:
        return None
    asks = idle.since + house.idle_minutes * MINUTE
    return asks if played.busy_until is None else max(asks, played.busy_until)


def abandoned_at(idle: Idle, house: House, played: OngoingGame | None) -> float | None:
    """Return the time at which the game counts as abandoned; None if no game is in play or the
    table is awake."""
    if played is None or idle.presence is not Presence.IDLE:
        return None
    return idle.since + house.keep_minutes * MINUTE

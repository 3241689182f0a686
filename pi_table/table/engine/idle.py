"""Presence: whether anybody is at the table, from the time of the last touch or press.

After the house's ``idle_minutes`` without any action in a game, the table asks whether anybody
still plays. Without an answer, the game is set apart: the table sleeps, shows its attract mode and
pauses the game. People who return within the house's ``keep_minutes`` can continue the game; after
that time the game counts as abandoned. If no game is played, the table sleeps after a minute.

A finger that wakes the table does nothing else: people who wipe a sleeping table, or lean on it,
make no guess. While the table only asks, the game is still open, and a finger held on a cell has
its normal meaning. Time counts only while the table is on; after a restart the wait for a game that
was set apart begins again. ``now`` is in seconds of the table's clock.
"""

from typing import Final

import msgspec

from pi_table.common.house_settings import House
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.protocols.ipc.messages import Presence
from pi_table.table.engine.inputs import Begin, Input, Request, TouchFelt
from pi_table.table.engine.rights import Asker

ASK_SECONDS: Final = 60.0
"""Seconds that the table waits for an answer to its question."""
END_SECONDS: Final = 60.0
"""Seconds that the end of a game stays visible before attract mode begins."""
MINUTE: Final = 60.0


class Idle(msgspec.Struct, frozen=True):
    """The presence of people, and the time from which its limits count."""

    presence: Presence = Presence.PLAYING
    since: float = 0.0
    """Time of the last action of people, or at which the table began to ask or to sleep."""


class OngoingGame(msgspec.Struct, frozen=True):
    """The parts of a game in play that presence depends on."""

    paused: bool
    busy_until: float | None = None
    """End of a countdown during which people need not touch anything."""


def idle_at_start(played: OngoingGame | None, house: House, now: float) -> Idle:
    """Return the presence when the table is switched on: somebody is there. Exception: in a house
    that sets games apart, a paused game may have been set apart before. Then the table sleeps."""
    may_be_apart = played is not None and played.paused and house.idle_minutes > 0
    return Idle(Presence.IDLE if may_be_apart else Presence.PLAYING, now)


def shows_somebody(given: Input, felt: TouchFrame) -> bool:
    """True if an input shows that somebody is there.

    A finger that was already in the frame ``felt`` before shows nothing. The act ``look`` shows
    nothing either, because programs request it.
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
    """Return the presence at ``now`` if nothing else has happened."""
    due = changes(idle, house, played)
    while due is not None and now >= due:
        asks = played is not None and idle.presence is Presence.PLAYING
        idle = Idle(Presence.ASKED if asks else Presence.IDLE, due)
        due = changes(idle, house, played)
    return idle


def changes(idle: Idle, house: House, played: OngoingGame | None) -> float | None:
    """Return the time at which the table asks or falls asleep by itself, or None."""
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


def abandons(idle: Idle, house: House, played: OngoingGame | None) -> float | None:
    """Return the time at which a game set apart counts as abandoned, or None."""
    if played is None or idle.presence is not Presence.IDLE:
        return None
    return idle.since + house.keep_minutes * MINUTE

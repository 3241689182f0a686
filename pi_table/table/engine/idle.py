"""Is anybody there? As a value: how long nobody has touched or pressed anything, and what follows.

While a game is played and nobody does anything for the house's ``idle_minutes``, the table asks
whether anybody still plays. If nobody answers, the game is set apart: the table sleeps, invites,
and pauses the game. Whoever comes back in the house's ``keep_minutes`` finds it so and can go on;
then it counts as abandoned. Where no game is played, the table sleeps after a minute.

What wakes the table does nothing else if it is a finger: whoever wipes a sleeping table, or leans
on it, guesses nothing. The question is another matter: the game still lies open, and a finger that
is held on a cell means what it always means. Time counts while the table is on: after a restart a
game that was set apart waits anew. ``now`` is in seconds of the table's clock.
"""

from typing import Final

import msgspec

from pi_table.common.house import House
from pi_table.devices.hal.contracts import TouchFrame
from pi_table.protocols.ipc.messages import Presence
from pi_table.table.engine.inputs import Begin, Felt, Input, Request
from pi_table.table.engine.rights import Asker

ASK_SECONDS: Final = 60.0
"""How long the table waits for an answer."""
END_SECONDS: Final = 60.0
"""How long the end of a game is left to be looked at, before the table invites to the next."""
MINUTE: Final = 60.0


class Idle(msgspec.Struct, frozen=True):
    """Whether anybody is there, and since when."""

    presence: Presence = Presence.PLAYING
    since: float = 0.0
    """When somebody did something last; of the question, and of sleep, when that began."""


class Played(msgspec.Struct, frozen=True):
    """A game that is being played, as far as it matters here."""

    paused: bool
    busy_until: float | None = None
    """Until when people need do nothing, because a time runs down that they have for something
    else; None where none does."""


def begun(played: Played | None, house: House, now: float) -> Idle:
    """The table when it is switched on: somebody is there, who did that. But a game that is paused
    may have been set apart: it still is, in a house that sets games apart."""
    may_be_apart = played is not None and played.paused and house.idle_minutes > 0
    return Idle(Presence.IDLE if may_be_apart else Presence.PLAYING, now)


def shows_somebody(given: Input, felt: TouchFrame) -> bool:
    """Does what happens show that somebody is there? ``felt`` is the frame before it: a finger that
    was there already shows nothing. A look shows nothing either: programs take it."""
    match given:
        case Felt(frame=frame):
            return not frame.touched - frame.noisy <= felt.touched
        case Request(by=Asker.CONSOLE, do=do):
            return do.get("act") != "look"
    return isinstance(given, Begin)


def awake(now: float) -> Idle:
    """The table when somebody touches or presses something."""
    return Idle(Presence.PLAYING, now)


def passed(idle: Idle, house: House, played: Played | None, now: float) -> Idle:
    """The table at ``now``, if nothing else has happened."""
    due = changes(idle, house, played)
    while due is not None and now >= due:
        asks = played is not None and idle.presence is Presence.PLAYING
        idle = Idle(Presence.ASKED if asks else Presence.IDLE, due)
        due = changes(idle, house, played)
    return idle


def changes(idle: Idle, house: House, played: Played | None) -> float | None:
    """When the table asks, or falls asleep, if nothing happens; None: never."""
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


def abandons(idle: Idle, house: House, played: Played | None) -> float | None:
    """When a game that is set apart counts as abandoned; None where none is."""
    if played is None or idle.presence is not Presence.IDLE:
        return None
    return idle.since + house.keep_minutes * MINUTE

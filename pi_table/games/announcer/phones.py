"""Announcements when a seat gets or loses a phone. People should know this, because a phone can
show hidden information.

It is no secret which seats have a phone: phones use the network regularly, and anybody on the
network can count them.
"""

from collections.abc import Iterator
from typing import Final

from pi_table.common.language import Words, say
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.announcer.standing import Standing
from pi_table.games.names import TEAMS
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.seat import AGENTS, Role, Seat

START_DELAY: Final = 2.0
"""Seconds from a game's start to the announcement that no phone has a seat. After this delay, no
other announcement interrupts it."""


def announce(old: Standing, new: Standing) -> Iterator[Announcement]:
    """Yield an announcement for each seat that got or lost a phone. If a new game has no phones,
    but the last game had, yield one announcement instead."""
    if new.game != old.game and old.seated and not new.seated:
        words = say("No phone has a seat in this game yet.")
        yield Announcement(What.PHONE, words, START_DELAY)
        return
    for seat in new.seated:
        if seat not in old.seated:
            yield Announcement(What.PHONE, _phone_gained(seat, new), team=seat.team)
    for seat in old.seated:
        if seat not in new.seated:
            yield Announcement(What.PHONE, _phone_lost(seat, new), team=seat.team)


def _phone_gained(seat: Seat, standing: Standing) -> Words:
    if seat.role is Role.AGENT:
        return say("{agent} has a phone.", agent=_nickname(seat, standing))
    assert seat.team is not None
    if seat.role is Role.SPYMASTER:
        return say("{team}’s spymaster has a phone: it can show the key.", team=TEAMS[seat.team])
    return say("{team}’s operatives have a phone.", team=TEAMS[seat.team])


def _phone_lost(seat: Seat, standing: Standing) -> Words:
    if seat.role is Role.AGENT:
        agent = _nickname(seat, standing)
        view = standing.view
        plays = isinstance(view, CodexView) and view.outcome is None
        if standing.has_screen or not plays:
            return say("{agent} has no phone any more.", agent=agent)
        return say("{agent} has no phone any more: the operator has a new code.", agent=agent)
    assert seat.team is not None
    if seat.role is Role.SPYMASTER:
        return say("{team}’s spymaster has no phone any more.", team=TEAMS[seat.team])
    return say("{team}’s operatives have no phone any more.", team=TEAMS[seat.team])


def _nickname(seat: Seat, standing: Standing) -> Words:
    if not isinstance(standing.view, CodexView):  # the game with that agent has just ended
        return say("An agent")
    return standing.view.agents[AGENTS.index(seat)].nickname

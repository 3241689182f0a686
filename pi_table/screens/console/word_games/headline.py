"""The headline above the panel: the team on turn, what it must do now, and the remaining time."""

import math
from typing import Final

import msgspec

from pi_table.common.language import Words, say, say_many
from pi_table.games.lines.game import duration
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Role
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import AGENT_OF
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console import style
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model, seconds_left
from pi_table.screens.console.phones import seats_with_phone
from pi_table.screens.console.screen import name
from pi_table.screens.console.shapes import Face, Rect, Scene, Shape, Text
from pi_table.screens.console.symbols import COLOURS, TEAM_SIGN, sign, team_sign
from pi_table.screens.console.word_games.key_on_screen import hides_in


class Headline(msgspec.Struct, frozen=True):
    team: Team | None
    title: Words
    subtitle: Words = ""


def headline(table: TableMessage) -> Headline:
    public = table.public
    if public is None:
        return Headline(None, say("No game yet"))
    if public.outcome is not None or public.turn is None:
        return _outcome(public.outcome)
    team = public.turn
    if public.paused:
        return Headline(team, say("Paused"), say("{team}’s turn", team=name(team)))
    match public.phase:
        case Phase.PLACE:
            return Headline(team, say("{team} lays a card", team=name(team)), _card(public))
        case Phase.COVER:
            absent = say("Cover one of {team}’s", team=name(team.other))
            return Headline(team, say("{team} covers", team=name(team)), absent)
        case Phase.CLUE:
            return Headline(team, say("{team}’s clue", team=name(team)), say("comes next"))
        case Phase.CHALLENGE:
            judge = team.other
            title = say("{team} judges", team=name(judge))
            return Headline(judge, title, say("Clue challenged"))
        case Phase.PENALTY:
            title = say("{team} may cover", team=name(team))
            return Headline(team, title, say("The clue was invalid"))
    return Headline(team, say("{team} guesses", team=name(team)), _guesses(public))


def _card(public: PublicView) -> Words:
    return public.next_word.upper() if public.next_word else say("One of its own")


def _guesses(public: PublicView) -> Words:
    left = public.guesses_left
    if left is None:
        return say("No limit")
    return say_many("The last guess", "{count} guesses left", left)


SCORES: Final = {
    8: say("Not one found: legendary"),
    7: say("A masterstroke"),
    6: say("Brilliant"),
    5: say("Very good work"),
    4: say("Good work"),
    3: say("Not bad"),
    2: say("That was close"),
    1: say("By a hair’s breadth"),
}
"""Praise for a group, by the number of the absent team's agents that are not covered yet (NC-6)."""


def _outcome(outcome: Outcome | None) -> Headline:
    if outcome is None or outcome.why is Why.STOPPED:
        return Headline(None, say("Nobody wins"), say("The game was stopped"))
    if outcome.score is not None:
        title = say("Won, with {score} of 8", score=outcome.score)
        return Headline(outcome.winner, title, SCORES[outcome.score])
    if outcome.winner is not None:
        title = say("{team} wins", team=name(outcome.winner))
    else:
        title = say("Nobody wins") if len(outcome.losers) > 1 else say("The group loses")
    return Headline(outcome.winner, title, _why(outcome))


def _why(outcome: Outcome) -> Words:
    loser = name(outcome.losers[0])
    match outcome.why:
        case Why.ASSASSIN:
            return say("{team} found the assassin", team=loser)
        case Why.NUKE:
            return say("The nuke went off")
        case Why.ASSETS:
            return say("{team} has no asset left", team=loser)
        case Why.ABSENT_TEAM:
            return say("The absent team is found")
    return say("All agents are found")


def head(model: Model, table: TableMessage, now: float, said: Headline | None = None) -> Scene:
    """Draw the headline on the team's colour, with the timer if there is one. ``said`` replaces the
    usual headline.

    In the last seconds of a peek, draw the countdown of the peek instead.
    """
    box = model.layout.head
    hides = hides_in(model, now)
    if hides is not None:
        return _key_hides(box, math.ceil(hides))
    said = said or headline(table)
    fill = style.SURFACE if said.team is None else COLOURS[AGENT_OF[said.team]].deep
    shapes: list[Shape] = [Rect(*box, fill, radius=style.RADIUS)]
    left, right = box.x + 14, box.x + box.w - 12
    if said.team is not None:
        shapes += sign(AGENT_OF[said.team], box.x + 25, box.y + box.h / 2, 13)
        left = box.x + 48
    left_over = seconds_left(model, now)
    phones = [seat.team for seat in seats_with_phone(table) if seat.role is Role.SPYMASTER]
    beside = right
    for team in reversed(phones):  # from right to left
        assert team is not None
        beside -= TEAM_SIGN
        shapes += team_sign(Box(beside, box.y + 30, TEAM_SIGN, 22), team)
    if left_over is not None:
        shapes += _timer(box, table, left_over, 46 if not phones else 28)
        right -= 76
        beside = min(beside, right)
    title_h = box.h - 6.0
    if said.subtitle:
        title_h = 28.0
        under = (left, box.y + 30, beside - left, 22)
        shapes.append(Text(*under, said.subtitle, style.SMALL, style.INK))
    title_w = (right if said.subtitle else beside) - left
    title = (left, box.y + 2, title_w, title_h)
    shapes.append(Text(*title, said.title, style.TITLE, style.INK, face=Face.BOLD, last=8))
    return tuple(shapes)


def _key_hides(box: Box, seconds: int) -> Scene:
    words = say("The key hides in {seconds} s: press to keep it", seconds=seconds)
    return (
        Rect(*box, style.ACCENT, radius=style.RADIUS),
        Text(*box.inset(12, 4), words, 22, style.ON_ACCENT, "centre"),
    )


def _timer(box: Box, table: TableMessage, left: float, h: float) -> Scene:
    """Draw the remaining time as a bar, and as digits at most ``h`` units high."""
    public, settings = table.public, table.settings
    up = left <= 0.0
    words = say("Time!") if up else duration(math.ceil(left))
    ink = style.ACCENT if up else style.INK
    place = (box.x + box.w - 84, box.y + (5 if h > 28 else 2), 74, h)
    shapes: list[Shape] = [Text(*place, words, 28, ink, "right", face=Face.BOLD)]
    if public is not None and settings is not None and not up:
        share = min(1.0, left / _whole(public, settings))
        w = round((box.w - 16) * share)
        shapes.append(Rect(box.x + 8, box.y + box.h - 4, w, 3, style.INK))
    return tuple(shapes)


def _whole(public: PublicView, settings: Settings) -> int:
    if settings.timer == "hourglass":
        return settings.hourglass_seconds
    return settings.clue_seconds if public.phase is Phase.CLUE else settings.guess_seconds

"""The head of the panel: whose turn it is, what the table waits for, and the time that is left."""

import math

import msgspec

from pi_table.console import look
from pi_table.console.model import Model
from pi_table.console.screen import name
from pi_table.console.setup import duration
from pi_table.console.shapes import Rect, Scene, Shape, Text
from pi_table.console.signs import AGENT, COLOURS, sign
from pi_table.ipc.messages import TableMessage
from pi_table.rules.board import Outcome, Phase, Why
from pi_table.rules.key import Team
from pi_table.rules.profile import Settings
from pi_table.rules.views import PublicView


class Headline(msgspec.Struct, frozen=True):
    team: Team | None
    title: str
    subtitle: str = ""


def headline(table: TableMessage) -> Headline:
    """What the table waits for, in a few words."""
    public = table.public
    if public is None:
        return Headline(None, "No game yet")
    if public.outcome is not None or public.turn is None:
        return _outcome(public.outcome)
    team = public.turn
    if public.paused:
        return Headline(team, "Paused", f"{name(team)}’s turn")
    match public.phase:
        case Phase.CLUE:
            return Headline(team, f"{name(team)}’s clue", "is awaited")
        case Phase.CHALLENGE:
            judge = team.other
            return Headline(judge, f"{name(judge)} judges", "Clue challenged")
        case Phase.PENALTY:
            return Headline(team, f"{name(team)} may cover", "The clue was invalid")
    return Headline(team, f"{name(team)} guesses", _guesses(public))


def _guesses(public: PublicView) -> str:
    left = public.guesses_left
    if left is None:
        return "No limit"
    return "The last guess" if left == 1 else f"{left} guesses left"


def _outcome(outcome: Outcome | None) -> Headline:
    winner = None if outcome is None else outcome.winner
    if outcome is None or winner is None:
        return Headline(None, "Nobody wins", "The game was ended")
    if outcome.why is Why.ASSASSIN:
        return Headline(winner, f"{name(winner)} wins", f"{name(winner.other)} met the assassin")
    return Headline(winner, f"{name(winner)} wins", "All agents are found")


def head(model: Model, table: TableMessage, now: float) -> Scene:
    """The headline on its team's colour, and the timer if there is one."""
    said = headline(table)
    x, y, w, h = look.PANEL_X, look.MARGIN, look.PANEL_WIDTH, look.HEAD_HEIGHT
    fill = look.SURFACE if said.team is None else COLOURS[AGENT[said.team]].deep
    shapes: list[Shape] = [Rect(x, y, w, h, fill, radius=look.RADIUS)]
    left = x + 14
    if said.team is not None:
        shapes += sign(AGENT[said.team], x + 28, y + h / 2, 13)
        left = x + 56
    right = x + w - 12
    left_over = seconds_left(model, now)
    if left_over is not None:
        shapes += _timer(table, left_over)
        right -= 88
    if said.subtitle:
        title_h = 26.0
        shapes.append(
            Text(left, y + 33, right - left, 18, said.subtitle, look.SMALL, look.INK, least=14)
        )
    else:
        title_h = h - 10.0
    shapes.append(Text(left, y + 5, right - left, title_h, said.title, look.TITLE, look.INK))
    return tuple(shapes)


def seconds_left(model: Model, now: float) -> float | None:
    """What the hourglass or the clock has left at ``now``, None if there is none."""
    timer = None if model.table is None or model.table.public is None else model.table.public.timer
    if timer is None:
        return None
    gone = now - model.arrived if timer.running else 0.0
    return max(0.0, timer.left - gone)


def _timer(table: TableMessage, left: float) -> Scene:
    x, y, w = look.PANEL_X, look.MARGIN, look.PANEL_WIDTH
    public, settings = table.public, table.settings
    up = left <= 0.0
    words = "Time!" if up else duration(math.ceil(left))
    ink = look.ACCENT if up else look.INK
    shapes: list[Shape] = [Text(x + w - 86, y + 5, 76, 42, words, 28, ink, "right")]
    if public is not None and settings is not None and not up:
        share = min(1.0, left / _whole(public, settings))
        shapes.append(Rect(x + 8, y + 53, round((w - 16) * share), 3, look.INK))
    return tuple(shapes)


def _whole(public: PublicView, settings: Settings) -> int:
    """The seconds with which the timer began."""
    if settings.timer == "hourglass":
        return settings.hourglass_seconds
    return settings.clue_seconds if public.phase is Phase.CLUE else settings.guess_seconds

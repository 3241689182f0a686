"""What everybody may see, as large as it goes: the six agents at their places around the table, and
in their middle what happens now and what it is for.

The agents stand as on the grid that is seen from the spymasters' side: A1 at the bottom right.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.console import style
from pi_table.console.codex.terms import facts_words, listed
from pi_table.console.codex.visit import CELL, known, nickname
from pi_table.console.screen import Choice, name
from pi_table.console.shapes import Rect, Scene, Text
from pi_table.console.symbols import AGENT, COLOURS, sign
from pi_table.geometry import AGENT_CELLS, SIDE, across
from pi_table.ipc.messages import CodexMessage
from pi_table.language import Words, say, say_many
from pi_table.names import ROLES
from pi_table.rules.codex.board import Phase
from pi_table.rules.codex.identikit import WRONG_CODES
from pi_table.rules.codex.views import OpenIdentikit
from pi_table.rules.outcome import Outcome
from pi_table.rules.seat import AGENTS, Seat
from pi_table.rules.team import Team

_W: Final = 5 * style.CELL_WIDTH + 4 * style.GAP
_PLATE_W: Final = (_W - 2 * style.MARGIN) // 3
_PLATE_H: Final = 108
_TOP: Final = style.MARGIN + _PLATE_H + style.MARGIN
_MIDDLE: Final = style.HEIGHT - 2 * _TOP
_X: Final = style.MARGIN + 10
_TEXT_W: Final = _W - 20


class Message(msgspec.Struct, frozen=True):
    """What is said in the middle: something large, what it means, what it is for, what is next."""

    large: Words
    means: Words = ""
    purpose: Words = ""
    then: Words = ""


def board(table: CodexMessage, done: bool, picks: tuple[Choice, ...], selected: int) -> Scene:
    """The agents and the message. ``done`` says that the agent at the screen has nothing more to
    enter. ``picks`` are the choices of agents."""
    shapes: Scene = ()
    by_cell = {choice.cell: (choice, at == selected) for at, choice in enumerate(picks)}
    for agent, seat in enumerate(AGENTS):
        pick, on = by_cell.get(AGENT_CELLS[agent], (None, False))
        shapes += _plate(table, agent, seat, pick, on)
    said = message(table, done)
    if table.public.identikits:
        return shapes + _said(replace(said, purpose="")) + _codes(table.public.identikits)
    return shapes + _said(said)


def _plate(table: CodexMessage, agent: int, seat: Seat, pick: Choice | None, on: bool) -> Scene:
    """An agent: the name, the cell, votes, what was revealed, and for whom they voted."""
    public = table.public
    x, y = _corner(AGENT_CELLS[agent])
    turn = seat in (public.at_screen, public.turn)
    identikit = public.identikits[agent] if public.identikits else None
    fill = style.SURFACE if identikit is None else COLOURS[AGENT[identikit.belongs]].deep
    edge = style.ACCENT if turn or on else style.EDGE
    votes = sum(vote.target is seat for vote in public.votes)
    shapes: Scene = (
        Rect(
            x, y, _PLATE_W, _PLATE_H, fill, edge, 5 if on else 3 if turn else 1, style.RADIUS, pick
        ),
        Text(
            x + 10,
            y + 6,
            40,
            18,
            CELL[seat],
            style.SMALL,
            style.SOFT if not identikit else style.INK,
        ),
        Text(x + 8, y + 26, _PLATE_W - 16, 28, nickname(table, seat), 25, style.INK, "centre"),
    )
    if identikit is not None:
        return shapes + _identikit(x, y, identikit)
    if votes:
        counted = say_many("{count} vote", "{count} votes", votes)
        shapes += (
            Rect(x + _PLATE_W - 82, y + 4, 76, 22, style.ACCENT, radius=5),
            Text(
                x + _PLATE_W - 80,
                y + 4,
                72,
                22,
                counted,
                style.SMALL,
                style.ON_ACCENT,
                "centre",
                14,
            ),
        )
    facts = facts_words(known(table, seat).revealed)
    if facts:
        text = Text(x + 8, y + 54, _PLATE_W - 16, 31, facts, style.SMALL, style.INK, "centre", 14)
        shapes += (text,)
    for vote in public.votes:
        if vote.voter is seat:
            chosen = say("votes: {agent}", agent=nickname(table, vote.target))
            at = (x + 8, y + 86, _PLATE_W - 16, 16)
            shapes += (Text(*at, chosen, style.SMALL, style.SOFT, "centre", 14),)
    return shapes


def _identikit(x: float, y: float, identikit: OpenIdentikit) -> Scene:
    """After the end: who the agent was."""
    role = ROLES[identikit.role]
    fragment = f"{identikit.position}: {identikit.fragment}"
    return (
        *sign(AGENT[identikit.belongs], x + _PLATE_W - 18, y + 18, 9),
        Text(x + 8, y + 56, _PLATE_W - 16, 20, role, 18, style.INK, "centre", 14),
        Text(x + 8, y + 76, _PLATE_W - 16, 24, fragment, 20, style.INK, "centre", 14),
    )


def _corner(cell: int) -> tuple[float, float]:
    row, column = divmod(across(cell), SIDE)
    x = style.MARGIN + column // 2 * (_PLATE_W + style.MARGIN)
    return x, style.MARGIN if row == 0 else style.HEIGHT - style.MARGIN - _PLATE_H


def _said(message: Message) -> Scene:
    top = _TOP + 4
    said = (
        Text(_X, top, _TEXT_W, 58, message.large, 46, style.INK, "centre"),
        Text(_X, top + 60, _TEXT_W, 34, message.means, 24, style.ACCENT, "centre"),
        Text(_X, top + 98, _TEXT_W, 76, message.purpose, style.BODY, style.INK, "centre"),
        Text(_X, top + 182, _TEXT_W, _MIDDLE - 190, message.then, 18, style.SOFT, "centre", 14),
    )
    return tuple(text for text in said if text.text)


def message(table: CodexMessage, done: bool) -> Message:
    """What is to be told to everybody around the table."""
    public = table.public
    then: Words = ""
    if public.order:
        then = say(
            "Then: {agents}", agents=listed([nickname(table, seat) for seat in public.order])
        )
    if public.outcome is not None:
        return _over(public.outcome)
    if public.paused:
        return Message(say("Paused"), say("All time stands still."))
    if public.phase is Phase.DISCUSS:
        return Message(
            say("Discuss!"),
            say("Say what you like, true or false"),
            say("Then everybody votes. Whoever holds the end-turn pad ends the discussion."),
        )
    if public.turn is not None:
        return Message(
            nickname(table, public.turn),
            say("votes, for everybody to see"),
            say(
                "Hold a finger on another agent’s cell. The one with most votes goes to the "
                "truth machine."
            ),
            then,
        )
    assert public.at_screen is not None
    who = nickname(table, public.at_screen)
    purpose: Words = _PURPOSES[public.phase]
    if public.awaited:
        purpose = say(
            "Pass the screen to {agent}, who presses “I am {agent}” when nobody else can see it. "
            "The time starts then.",
            agent=who,
        )
    return Message(who, _at_screen(table, done), purpose, then)


def _at_screen(table: CodexMessage, done: bool) -> Words:
    """What the agent does at the screen, or waits for there."""
    door = table.door
    if done:
        return say("is done")
    if door is None or door.code == "open":
        return say("is at this screen")
    if door.code == "locked":
        if table.public.timer is None:
            return say("needs a new code: More…")
        return say("This visit passes to the end of the lap")
    if door.tries_left < WRONG_CODES:
        return say_many(
            "Wrong code: {count} attempt left", "Wrong code: {count} attempts left", door.tries_left
        )
    if table.public.awaited:
        return say("comes to this screen")
    return say("steps up to this screen")


_PURPOSES: Final[dict[Phase, Words]] = {
    Phase.SEND: say(
        "Everybody sends one message in secret: their fragment, and a fact about themselves."
    ),
    Phase.ACT: say("Everybody reads what came, and may use a power and try their faction’s code."),
    Phase.MACHINE: say(
        "The truth machine: one fact is chosen at this screen, for everybody to see."
    ),
}


def _over(outcome: Outcome) -> Message:
    open_them = say("Everybody’s identikit can be shown now.")
    if outcome.winner is None:
        return Message(say("Nobody wins"), say("The game was ended"), open_them)
    wins = say("{team} wins", team=name(outcome.winner))
    return Message(wins, say("The code was found"), open_them)


def _codes(identikits: tuple[OpenIdentikit, ...]) -> Scene:
    """Both factions' codes (CX-2)."""
    shapes: Scene = ()
    for place, team in enumerate(Team):
        members = [identikit for identikit in identikits if identikit.belongs is team]
        members.sort(key=lambda identikit: identikit.position)
        code = "  ".join(identikit.fragment for identikit in members)
        y = _TOP + 112 + place * 50
        shapes += (
            *sign(AGENT[team], _X + 70, y + 20, 11),
            Text(_X + 100, y, _TEXT_W - 120, 40, code, 30, style.INK),
        )
    return shapes

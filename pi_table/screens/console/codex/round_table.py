"""The public view, as large as possible: the six agents at their places around the table, and in
the middle what happens now and why.

The agents' places are shown as the spymasters see the table: A1 is bottom right.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.geometry import AGENT_CELLS, SIDE, across
from pi_table.common.language import Words, say, say_many
from pi_table.games.names import ROLES
from pi_table.games.rules.codex.board import Phase, Place
from pi_table.games.rules.codex.identikit import WRONG_CODES
from pi_table.games.rules.codex.views import OpenIdentikit
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import AGENT_OF
from pi_table.protocols.ipc.messages import CodexMessage
from pi_table.screens.console import style
from pi_table.screens.console.codex.terms import facts_words, join_words
from pi_table.screens.console.codex.visit import CELL, nickname, public_agent
from pi_table.screens.console.explanation import draw_notice
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.screen import Choice, name
from pi_table.screens.console.shapes import Colour, Face, Rect, Scene, Text
from pi_table.screens.console.symbols import COLOURS, sign

_PLATE: Final = 0.265
"""Height of an agent's plate as a share of the screen's height."""


class Message(msgspec.Struct, frozen=True):
    """The text in the middle: a large headline, its meaning, the purpose, and the next step."""

    large: Words
    means: Words = ""
    purpose: Words = ""
    then: Words = ""


def board(
    layout: Layout,
    table: CodexMessage,
    done: bool,
    notice: Words | None,
    picks: tuple[Choice, ...],
    selected: int,
) -> Scene:
    """Draw the agents around the text in the middle, or around ``notice`` if there is one.

    ``done`` is True if the agent at the screen has nothing more to enter. ``picks`` are the choices
    that select an agent.
    """
    shapes: Scene = ()
    by_cell = {choice.cell: (choice, at == selected) for at, choice in enumerate(picks)}
    for agent, seat in enumerate(AGENTS):
        pick, on = by_cell.get(AGENT_CELLS[agent], (None, False))
        shapes += _plate(_place(layout, AGENT_CELLS[agent]), table, agent, seat, pick, on)
    if notice is not None:
        return shapes + draw_notice(_middle(layout).inset(0, style.MARGIN), notice)
    said = message(table, done)
    codes: Scene = ()
    if table.public.identikits:
        said = replace(said, purpose="")
        codes = _codes(_middle(layout), table.public.identikits)
    return shapes + _draw_message(_middle(layout), said) + codes


def _place(layout: Layout, cell: int) -> Box:
    grid = layout.grid
    row, column = divmod(across(cell), SIDE)
    w = (grid.w - 2 * style.MARGIN) // 3
    x = grid.x + column // 2 * (w + style.MARGIN)
    h = _PLATE * layout.height
    return Box(x, grid.y if row == 0 else grid.y + grid.h - h, w, h)


def _middle(layout: Layout) -> Box:
    grid = layout.grid
    h = _PLATE * layout.height
    return Box(grid.x + 8, grid.y + h + 4, grid.w - 16, grid.h - 2 * h - 8)


def _plate(
    box: Box, table: CodexMessage, agent: int, seat: Seat, pick: Choice | None, on: bool
) -> Scene:
    public = table.public
    x, y, w = box.x, box.y, box.w
    turn = seat in (public.at_screen, public.turn, *(public.together or ()))
    identikit = public.identikits[agent] if public.identikits else None
    fill = style.SURFACE if identikit is None else COLOURS[AGENT_OF[identikit.belongs]].deep
    edge = style.ACCENT if turn or on else style.EDGE
    thick = 5 if on else 3 if turn else 1
    votes = sum(vote.target is seat for vote in public.shown_votes)
    cell_ink = style.SOFT if identikit is None else style.INK
    shapes: Scene = (
        Rect(x, y, w, box.h, fill, edge, thick, style.RADIUS, pick),
        Text(x + 9, y + 5, 36, 22, CELL[seat], style.SMALL, cell_ink, face=Face.NARROW),
        Text(
            *(x + 7, y + 28, w - 14, 28, nickname(table, seat), 25, style.INK, "centre"),
        ),
    )
    if identikit is not None:
        return shapes + _identikit(box, identikit)
    if votes:
        counted = say_many("{count} vote", "{count} votes", votes)
        badge = Box(x + 46, y + 4, w - 52, 24)
        shapes += (
            Rect(*badge, style.ACCENT, radius=5),
            _text(badge.inset(2), counted, style.SMALL, style.ON_ACCENT),
        )
    facts = facts_words(public_agent(table, seat).revealed)
    chosen = next((vote.target for vote in public.shown_votes if vote.voter is seat), None)
    if facts:
        h = box.h - (60 if chosen is None else 80)
        facts_at = Box(x + 6, y + 56, w - 12, h)
        shapes += (_text(facts_at, facts, style.SMALL, style.INK),)
    if chosen is not None:
        words = say("votes: {agent}", agent=nickname(table, chosen))
        at = Box(x + 6, y + box.h - 24, w - 12, 22)
        shapes += (_text(at, words, style.SMALL, style.SOFT),)
    return shapes


def _text(box: Box, words: Words, size: int, ink: Colour) -> Text:
    return Text(*box, words, size, ink, "centre", face=Face.NARROW, last=8)


def _identikit(box: Box, identikit: OpenIdentikit) -> Scene:
    x, y, w = box.x + 6, box.y, box.w - 12
    fragment = f"{identikit.position}: {identikit.fragment}"
    return (
        *sign(AGENT_OF[identikit.belongs], box.x + box.w - 18, y + 17, 10),
        _text(Box(x, y + 58, w, 24), ROLES[identikit.role], style.SMALL, style.INK),
        _text(Box(x, y + 83, w, 26), fragment, style.BODY, style.INK),
    )


def _draw_message(box: Box, message: Message) -> Scene:
    x, y, w = box.x, box.y, box.w
    large_h = min(58.0, 0.24 * box.h)
    means_h = min(50.0, 0.22 * box.h)
    then_h = min(46.0, 0.22 * box.h) if message.then else 0.0
    purpose_y = y + large_h + means_h
    purpose_h = box.h - large_h - means_h - then_h
    said = (
        Text(
            *(x, y, w, large_h, message.large, 44, style.INK, "centre"),
            face=Face.BOLD,
        ),
        Text(x, y + large_h, w, means_h, message.means, 24, style.ACCENT, "centre"),
        Text(x, purpose_y, w, purpose_h, message.purpose, style.BODY, style.INK, "centre"),
        Text(
            *(x, purpose_y + purpose_h, w, then_h, message.then, style.SMALL, style.SOFT, "centre"),
        ),
    )
    return tuple(text for text in said if text.text)


def message(table: CodexMessage, done: bool) -> Message:
    public = table.public
    then: Words = ""
    if public.order:
        then = say(
            "Then: {agents}", agents=join_words([nickname(table, seat) for seat in public.order])
        )
    if public.outcome is not None:
        return _over(public.outcome)
    if public.paused:
        return Message(say("Paused"), say("All clocks are stopped."))
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
    if public.together:
        return _on_phones(table, then)
    assert public.at_screen is not None
    who = nickname(table, public.at_screen)
    purpose: Words = _PURPOSES[public.phase]
    if public.place is Place.PHONES:
        purpose = say("The truth machine: one fact is chosen on the phone, for everybody to see.")
    if public.awaited:
        purpose = say(
            "Pass the screen to {agent}, who presses “I am {agent}” when nobody else can see it. "
            "The time starts then.",
            agent=who,
        )
    return Message(who, _at_screen(table, done), purpose, then)


def _on_phones(table: CodexMessage, then: Words) -> Message:
    """Return the message while visits are on phones. The message does not reveal which agents are
    done."""
    public = table.public
    missing = [seat for seat in public.together or () if seat not in public.there]
    agents: Words = join_words([nickname(table, seat) for seat in missing])
    purpose: Words = _PURPOSES[public.phase]
    if public.awaited:
        purpose = say("The time starts when all of them are there.")
    if public.there:
        agents = say("Still missing: {agents}", agents=agents)
    return Message(say("On the phones"), agents, purpose, then)


def _at_screen(table: CodexMessage, done: bool) -> Words:
    door = table.door
    if done:
        return say("is done")
    is_locked = door is not None and door.code == "locked"
    if table.public.place is Place.PHONES and not is_locked:
        return say("is on the phone")
    if door is None or door.code == "open":
        return say("is at this screen")
    if is_locked:
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
        return Message(say("Nobody wins"), say("The game was stopped"), open_them)
    wins = say("{team} wins", team=name(outcome.winner))
    return Message(wins, say("The code was found"), open_them)


def _codes(box: Box, identikits: tuple[OpenIdentikit, ...]) -> Scene:
    shapes: Scene = ()
    for place, team in enumerate(Team):
        members = [identikit for identikit in identikits if identikit.belongs is team]
        members.sort(key=lambda identikit: identikit.position)
        code = "  ".join(identikit.fragment for identikit in members)
        y = box.y + box.h - (2 - place) * 44
        shapes += (
            *sign(AGENT_OF[team], box.x + 40, y + 21, 11),
            Text(box.x + 70, y, box.w - 80, 42, code, 30, style.INK),
        )
    return shapes

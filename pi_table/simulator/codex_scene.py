"""Draws the public view of a game of Codex. Six cells with cards are the six agents."""

from collections.abc import Iterator
from typing import Final

from pi_table.common.geometry import AGENT_CELLS, CELL_COUNT
from pi_table.common.language import Words, say, say_many
from pi_table.games.rules.codex.views import CodexView, KnownAgent
from pi_table.games.rules.seat import AGENTS
from pi_table.screens.console.shapes import Shape
from pi_table.simulator.cells import card_text, cell_with_card, empty_cell
from pi_table.simulator.glow import LitTable
from pi_table.simulator.layout import WHOLE, Grid

_ROLES: Final[dict[object, Words]] = {
    "hacker": say("hacker"),
    "infiltrator": say("infiltrator"),
    "informer": say("informer"),
    "inquisitor": say("inquisitor"),
    "leader": say("leader"),
    "profiler": say("profiler"),
}
_FACTIONS: Final[dict[object, Words]] = {"red": say("red"), "blue": say("blue")}


def grid_of(view: CodexView) -> Grid:
    return WHOLE


def cells(view: CodexView, lit: LitTable) -> Iterator[Shape]:
    for cell in range(CELL_COUNT):
        light = lit.lights_of(cell)
        if cell in AGENT_CELLS:
            agent = AGENT_CELLS.index(cell)
            yield from cell_with_card(cell, light)
            yield from _agent(cell, view.agents[agent], _votes(view, agent))
        else:
            yield from empty_cell(cell, light)


def _votes(view: CodexView, agent: int) -> int:
    return sum(vote.target is AGENTS[agent] for vote in view.shown_votes)


def _agent(cell: int, agent: KnownAgent, votes: int) -> Iterator[Shape]:
    """Yield the text on an agent's card: nickname, revealed facts, and number of votes."""
    yield card_text(cell, agent.nickname, 18, 0.2)
    lines = [*_revealed_facts(agent)]
    if votes:
        lines.append(say_many("{count} vote", "{count} votes", votes))
    for line, words in enumerate(lines):
        yield card_text(cell, words, 12, 0.48 + 0.22 * line)


def _revealed_facts(agent: KnownAgent) -> Iterator[Words]:
    known = agent.revealed
    first = [_FACTIONS[known["faction"]]] if "faction" in known else []
    if "role" in known:
        first.append(_ROLES[known["role"]])
    if len(first) == 2:
        yield say("{one}, {other}", one=first[0], other=first[1])
    else:
        yield from first
    where, what = known.get("position"), known.get("fragment")
    if where is not None or what is not None:
        yield f"{where or '?'} · {what or '????'}"

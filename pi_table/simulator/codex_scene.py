"""A game of Codex as everybody at the table sees it: six lit cells that are the six agents."""

from collections.abc import Iterator, Sequence
from typing import Final

from pi_table.console.shapes import Rect, Scene, Shape, Text
from pi_table.geometry import AGENT_CELLS, CELL_COUNT, CELLS
from pi_table.language import Words, say, say_many
from pi_table.names import TEAMS
from pi_table.rules.codex.board import Phase
from pi_table.rules.codex.views import CodexView, KnownAgent
from pi_table.rules.seat import AGENTS, Seat
from pi_table.simulator.glow import mix
from pi_table.simulator.layout import CARD, CELL_HEIGHT, CELL_WIDTH, EDGE, INK, NIGHT, WOOD, corner

_ROLES: Final[dict[object, Words]] = {
    "hacker": say("hacker"),
    "infiltrator": say("infiltrator"),
    "informer": say("informer"),
    "inquisitor": say("inquisitor"),
    "leader": say("leader"),
    "profiler": say("profiler"),
}
_FACTIONS: Final[dict[object, Words]] = {"red": say("red"), "blue": say("blue")}


def status(view: CodexView) -> Words:
    """What the table would say if it could speak; made of the public view alone."""
    if view.outcome is not None:
        winner = view.outcome.winner
        return say("Nobody wins") if winner is None else say("{team} wins", team=TEAMS[winner])
    if view.paused:
        return say("A pause")
    match view.phase:
        case Phase.DISCUSS:
            return say("Phase {number}: talk, and lie if you like", number=view.number)
        case Phase.VOTE:
            return say("{agent} votes: touch an agent", agent=_name(view, view.turn))
        case Phase.MACHINE:
            return say("{agent} is at the truth machine", agent=_name(view, view.at_screen))
    return say(
        "Phase {number}: {agent} steps up to the hidden screen",
        number=view.number,
        agent=_name(view, view.at_screen),
    )


def _name(view: CodexView, seat: Seat | None) -> str:
    assert seat is not None
    return view.agents[AGENTS.index(seat)].nickname


def cells(view: CodexView, lights: Sequence[int]) -> Iterator[Shape]:
    """The grid; the target of a cell is its place."""
    for cell in range(CELL_COUNT):
        if cell in AGENT_CELLS:
            agent = AGENT_CELLS.index(cell)
            yield from _agent(cell, view.agents[agent], _votes(view, agent), lights[cell])
        else:
            x, y = corner(cell)
            shining = mix(WOOD, lights[cell], 0.9 if lights[cell] else 0.0)
            yield Rect(x, y, CELL_WIDTH, CELL_HEIGHT, shining, 0x221A13, 1, 14, target=cell)


def _votes(view: CodexView, agent: int) -> int:
    return sum(vote.target is AGENTS[agent] for vote in view.votes)


def _agent(cell: int, agent: KnownAgent, votes: int, light: int) -> Scene:
    x, y = corner(cell)
    card = mix(mix(NIGHT, CARD, 0.5), light, 0.25)
    wide = CELL_WIDTH - 2 * EDGE - 6
    shapes: list[Shape] = [
        Rect(x, y, CELL_WIDTH, CELL_HEIGHT, light, radius=14, target=cell),
        Rect(x + EDGE, y + EDGE, CELL_WIDTH - 2 * EDGE, CELL_HEIGHT - 2 * EDGE, card, radius=8),
        Text(x + 14, y + 10, 30, 16, CELLS[cell], 14, mix(card, INK, 0.6), least=14),
        Text(x + EDGE + 3, y + 28, wide, 28, agent.nickname, 19, INK, "centre", 11),
    ]
    if votes:
        counted = say_many("{count} vote", "{count} votes", votes)
        shapes.append(Text(x + 50, y + 9, 52, 18, counted, 13, INK, "right", 9))
    for line, words in enumerate(_known(agent)):
        shapes.append(Text(x + EDGE + 3, y + 56 + 19 * line, wide, 18, words, 13, INK, "centre", 9))
    return tuple(shapes)


def _known(agent: KnownAgent) -> Iterator[Words]:
    """What the truth machine brought to light, in two lines."""
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

"""The lights of a game of Codex. Six cells stand for the six agents (CX-1); all other cells are
dark."""

from typing import Final

from msgspec import UNSET

from pi_table.common.geometry import AGENT_CELLS, END_TURN, HOURGLASS
from pi_table.devices.lights.canvas import CELLS, Canvas
from pi_table.devices.lights.colours import AMBER, WARM, WHITE, Colours, dim, mix
from pi_table.devices.lights.identities import corners
from pi_table.devices.lights.motion import running
from pi_table.devices.lights.word_games import WON, winner_lights
from pi_table.games.rules.codex.board import DISCUSS, MACHINE, VOTE
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.seat import AGENTS
from pi_table.games.rules.word_games.key import AGENT_OF

_COMING: Final = 0.45
"""Brightness (0 … 1) of an agent's cell while that agent still has a turn in this round, or can get
votes."""
_RESTS: Final = 0.16
_MACHINE_SECONDS: Final = 1.6


def stand(canvas: Canvas, view: CodexView, colours: Colours, now: float, hushed: bool) -> None:
    """Paint the state of the game. After the game, the cells between the agents' cells show the
    winner."""
    winner = None if view.outcome is None else view.outcome.winner
    if winner is not None:
        whole = winner_lights(winner, colours, now)
        for cell in CELLS:
            canvas.corners(cell, whole)
        for pad in (END_TURN, HOURGLASS):
            canvas.place(pad, dim(colours.team(winner), WON))
    for agent, cell in enumerate(AGENT_CELLS):
        if view.identikits is not UNSET:
            shape = AGENT_OF[view.identikits[agent].belongs]
            canvas.corners(cell, corners(shape, colours, now, still=True))
        elif view.outcome is not None:
            canvas.place(cell, dim(WARM, _RESTS))
        else:
            _agent(canvas, view, agent, cell, now)
    if view.phase is DISCUSS:
        canvas.place(END_TURN, dim(AMBER, 0.5))


def _agent(canvas: Canvas, view: CodexView, agent: int, cell: int, now: float) -> None:
    seat = AGENTS[agent]
    if seat is view.at_screen and view.phase is MACHINE:
        lights = (mix(dim(WHITE, 0.3), WHITE, running(c, now / _MACHINE_SECONDS)) for c in range(4))
        canvas.corners(cell, tuple(lights))
    elif seat in (view.at_screen, view.turn, *(view.together or ())):
        canvas.place(cell, WHITE)
    elif view.phase in (DISCUSS, VOTE) or seat in view.order:
        canvas.place(cell, dim(WARM, _COMING))
    else:
        canvas.place(cell, dim(WARM, _RESTS))


def moves(view: CodexView) -> bool:
    return view.phase is MACHINE or (view.outcome is not None and view.outcome.winner is not None)


def can_be_touched(view: CodexView, place: int, hushed: bool) -> bool:
    if view.phase is VOTE:
        return place in AGENT_CELLS
    return view.phase is DISCUSS and place == END_TURN


def hand(view: CodexView, colours: Colours) -> int:
    """Return the colour of a held place: white, because a faction's colour would reveal who touches
    it."""
    return WHITE

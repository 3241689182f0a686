"""The lights of Codex as it stands: six cells are the six agents (CX-1), all others are dark."""

from typing import Final

from msgspec import UNSET

from pi_table.geometry import AGENT_CELLS, END_TURN
from pi_table.lights.canvas import Canvas
from pi_table.lights.colours import AMBER, WARM, WHITE, Colours, dim, mix
from pi_table.lights.identities import corners
from pi_table.lights.motion import running
from pi_table.rules.codex.board import DISCUSS, MACHINE, VOTE
from pi_table.rules.codex.views import CodexView
from pi_table.rules.seat import AGENTS
from pi_table.rules.team import Team
from pi_table.rules.word_games.key import Identity

_COMING: Final = 0.45
"""How bright an agent is who is still to come in this lap, or can be voted for."""
_RESTS: Final = 0.16
_MACHINE_SECONDS: Final = 1.6
_SHAPES: Final = {Team.RED: Identity.RED, Team.BLUE: Identity.BLUE}


def stand(canvas: Canvas, view: CodexView, colours: Colours, now: float, hushed: bool) -> None:
    """Paint the game as it stands."""
    for agent, cell in enumerate(AGENT_CELLS):
        if view.identikits is not UNSET:
            shape = _SHAPES[view.identikits[agent].belongs]
            canvas.corners(cell, corners(shape, colours, now, still=True))
        elif view.outcome is not None:
            winner = view.outcome.winner
            light = dim(WARM, _RESTS) if winner is None else dim(colours.team(winner), 0.4)
            canvas.place(cell, light)
        else:
            _agent(canvas, view, agent, cell, now)
    if view.phase is DISCUSS:
        canvas.place(END_TURN, dim(AMBER, 0.5))


def _agent(canvas: Canvas, view: CodexView, agent: int, cell: int, now: float) -> None:
    seat = AGENTS[agent]
    if seat is view.at_screen and view.phase is MACHINE:
        lights = (mix(dim(WHITE, 0.3), WHITE, running(c, now / _MACHINE_SECONDS)) for c in range(4))
        canvas.corners(cell, tuple(lights))
    elif seat in (view.at_screen, view.turn):
        canvas.place(cell, WHITE)
    elif view.phase in (DISCUSS, VOTE) or seat in view.order:
        canvas.place(cell, dim(WARM, _COMING))
    else:
        canvas.place(cell, dim(WARM, _RESTS))


def moves(view: CodexView) -> bool:
    """Does anything of the game move while nothing happens?"""
    return view.phase is MACHINE


def can_be_touched(view: CodexView, place: int, hushed: bool) -> bool:
    """Is there anything that a finger can do here now?"""
    if view.phase is VOTE:
        return place in AGENT_CELLS
    return view.phase is DISCUSS and place == END_TURN


def hand(view: CodexView, colours: Colours) -> int:
    """The colour of a finger: no faction's, for nobody may know whose finger it is."""
    return WHITE

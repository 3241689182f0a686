"""The lights of a word game: they show each cell's state, the team on turn, and what that team may
do."""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import UNSET

from pi_table.common.geometry import CELL_COUNT, CELLS, END_TURN, HOURGLASS, leds_of
from pi_table.devices.lights import positions
from pi_table.devices.lights.canvas import Canvas
from pi_table.devices.lights.colours import AMBER, OFF, VIOLET, WARM, WHITE, Colours, dim, mix
from pi_table.devices.lights.identities import MOVES_FAST, Corners, corners
from pi_table.devices.lights.motion import band, breath, running
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import AGENT_OF, LAYOUTS, Identity, identity_at
from pi_table.games.rules.word_games.views import PublicView

GROUND: Final = 0.36
"""Brightness (0 … 1) of the cells that are not covered."""
HUSHED: Final = 0.25
"""Brightness (0 … 1) of uncovered cells while a guess is about to be answered."""
WON: Final = 0.6
"""Brightness (0 … 1) of uncovered cells after a game with a winner; they have the winner's colour.
"""
OUTSHONE: Final = 0.4
"""Share (0 … 1) of its brightness that a covered cell keeps after a game with a winner. The
winner's cells, and the cell that ended the game, are not dimmed."""
UNWON: Final = 0.4
"""Brightness (0 … 1) of the one lit corner of each uncovered cell, after a game without a winner.
"""
OPEN: Final = 0.4
"""Brightness (0 … 1) of uncovered cells after the key is revealed."""
MARKED: Final = 0.6
"""Brightness (0 … 1) of the marked edge of a cell. A held place looks different: all its four
lights are lit, and they are brighter."""
BESIDE_A_MARK: Final = 0.5
"""Share (0 … 1) of its brightness that the unmarked edge of a marked cell keeps."""


class Ground(msgspec.Struct, frozen=True):
    """The light of the uncovered cells in one phase of a game, during the turn of a team."""

    warm: float
    """Brightness (0 … 1) of the warm white during red's turn."""
    red: float
    """Share (0 … 1) of red that is mixed into the warm white during red's turn."""
    blue: float
    """Brightness (0 … 1) of blue during blue's turn. No warm white is mixed in, because warm white
    and blue make brown."""


_WAITS: Final = Ground(GROUND, 0.12, 0.34)
"""The light of uncovered cells while the team waits for its spymaster."""
GROUNDS: Final[dict[Phase, Ground]] = {
    Phase.PLACE: Ground(0.5, 0.4, 0.55),
    Phase.CLUE: _WAITS,
    Phase.GUESS: Ground(GROUND, 0.25, 0.4),
    Phase.PENALTY: _WAITS,
    Phase.COVER: _WAITS,
}
"""For each phase in which uncovered cells have a team's colour, the light of these cells. In other
phases the cells are warm white."""
WAVE_SECONDS: Final = 4.0
"""Seconds from one wave of light to the next. The waves run towards the operatives while the game
waits for a clue."""
WAVE: Final = {Team.RED: 0.5, Team.BLUE: 0.25}
"""Share (0 … 1) of the team's colour in the middle of a wave. With a larger share of blue, a cell
would look like a found blue agent."""
URGE_SECONDS: Final = 1.5
URGE: Final = dim(AMBER, 0.5)
"""Colour of uncovered cells at the brightest moment of `urge`. Their usual colour is not mixed in,
because amber and blue make brown."""


def stand(canvas: Canvas, view: PublicView, colours: Colours, now: float, hushed: bool) -> None:
    """Paint the state of the game. If ``hushed`` is true, no light may show the answer to a guess
    yet."""
    winner = None if hushed or view.outcome is None else view.outcome.winner
    ground = (
        _ground(view, colours, hushed) if winner is None else winner_lights(winner, colours, now)
    )
    for cell, name in enumerate(CELLS):
        covered = view.cells[name].covered
        if covered is not None:
            face = corners(covered, colours, now)
            outshone = winner is not None and covered not in (AGENT_OF[winner], *MOVES_FAST)
            canvas.corners(cell, [dim(light, OUTSHONE) for light in face] if outshone else face)
        elif view.key is not UNSET and (hidden := identity_at(view.key, cell)) is not None:
            still = corners(hidden, colours, now, still=True)
            canvas.corners(cell, [dim(colour, OPEN) for colour in still])
        else:
            canvas.corners(cell, ground)
    if view.placed is not UNSET:
        for name in view.placed:
            canvas.place(CELLS.index(name), dim(WARM, 0.03))
    without_card = LAYOUTS[view.profile].without_card
    if without_card is not None and view.nuke is not UNSET:
        canvas.corners(without_card, _nuke(view.nuke.armed and not hushed, now))
    if hushed:
        return
    if view.phase is Phase.CLUE and view.turn is not None:
        front = positions.FAR + (now / WAVE_SECONDS % 1.0) * 2.0 * (positions.NEAR - positions.FAR)
        colour = colours.team(view.turn)
        for cell in open_cells(view):
            share = WAVE[view.turn] * band(positions.PLACES[cell][1], front, 135.0)
            canvas.mix(cell, colour, share)
    if winner is not None:
        for pad in (END_TURN, HOURGLASS):
            canvas.place(pad, dim(colours.team(winner), WON))
    else:
        canvas.place(END_TURN, _end_turn_pad(view, colours))


def winner_lights(winner: Team, colours: Colours, now: float) -> Corners:
    """Return the lights of an uncovered cell after a game: it looks like one of the winner's
    agents, but dimmed."""
    a, b, c, d = (dim(light, WON) for light in corners(AGENT_OF[winner], colours, now))
    return (a, b, c, d)


def hourglass(canvas: Canvas, view: PublicView) -> None:
    """Paint the pad of the hourglass: warm white at first, dim amber while the sand runs, bright
    amber when the time is up."""
    glow = dim(WARM, 0.7)
    if view.timer is not None:
        glow = AMBER if view.timer.urging else dim(AMBER, 0.5)
    canvas.place(HOURGLASS, glow)


def mark(canvas: Canvas, view: PublicView, cells: Iterable[str], colours: Colours) -> None:
    """Paint a faint line on the left edge of each cell that players have marked. No covered cell
    has lights of that shape."""
    glow = dim(hand(view, colours), MARKED)
    for name in cells:
        cell = CELLS.index(name)
        _, far, near, _ = (dim(canvas.leds[led], BESIDE_A_MARK) for led in leds_of(cell))
        canvas.corners(cell, (glow, far, near, glow))


def urge(canvas: Canvas, view: PublicView, now: float) -> None:
    """Paint a slow swell of light, because a time limit has passed. People should notice it without
    being annoyed."""
    share = breath(now, URGE_SECONDS)
    for cell in open_cells(view):
        canvas.mix(cell, URGE, share)
    canvas.mix(HOURGLASS, AMBER, 1.0)


def open_cells(view: PublicView) -> list[int]:
    without_card = LAYOUTS[view.profile].without_card
    return [
        cell
        for cell, name in enumerate(CELLS)
        if view.cells[name].covered is None and cell != without_card
    ]


def moves(view: PublicView) -> bool:
    if view.phase is Phase.CLUE or (view.outcome is not None and view.outcome.winner is not None):
        return True
    return any(cell.covered in _MOVING for cell in view.cells.values())


_MOVING: Final = {Identity.RED, Identity.BLUE, Identity.ASSASSIN, Identity.NUKE}


def can_be_touched(view: PublicView, place: int, hushed: bool) -> bool:
    """True if a touch of this place can still have an effect in the game.

    An unreadable place goes dark only if this is True. So a covered cell stays lit even if it
    cannot be read. ``hushed`` is true while a guess is about to be answered. Then the result must
    not show whether the game has ended.
    """
    if (view.phase is Phase.OVER and not hushed) or place == LAYOUTS[view.profile].without_card:
        return False
    if place >= CELL_COUNT:
        return True
    if view.placed is not UNSET:
        return CELLS[place] not in view.placed
    return view.cells[CELLS[place]].covered is None


def hand(view: PublicView, colours: Colours) -> int:
    """Return the colour of a held place: that of the team whose turn it is."""
    return WHITE if view.turn is None else mix(colours.team(view.turn), WHITE, 0.5)


def _ground(view: PublicView, colours: Colours, hushed: bool) -> Corners:
    """Return the lights of an uncovered cell. Their colour and shape are those of the agents of the
    team on turn. The strength of the colour shows whether that team may touch."""
    if view.outcome is not None and not hushed:
        return (OFF, OFF, dim(WARM, UNWON), OFF)
    ground = GROUNDS.get(view.phase)
    if hushed or view.turn is None or ground is None:
        warm = dim(WARM, HUSHED if hushed else GROUND)
        return (warm, warm, warm, warm)
    if view.turn is Team.BLUE:
        lit = dim(colours.blue, ground.blue)
        rest = dim(lit, 0.6)
        return (lit, rest, lit, rest)
    lit = mix(dim(WARM, ground.warm), dim(colours.red, 0.75), ground.red)
    return (lit, lit, lit, lit)


def _nuke(armed: bool, now: float) -> Corners:
    """Return the lights of the cell without a card: they show whether the nuke is armed (AL-11)."""
    if not armed:
        rest = dim(VIOLET, 0.2)
        return (rest, rest, rest, rest)
    a, b, c, d = (mix(dim(VIOLET, 0.6), AMBER, running(corner, now / 2.0)) for corner in range(4))
    return (a, b, c, d)


def _end_turn_pad(view: PublicView, colours: Colours) -> int:
    may_stop = view.phase is Phase.GUESS and view.guesses > 0
    return dim(colours.team(view.turn), 0.7) if may_stop and view.turn is not None else OFF

"""What the lights show: a pure function of what everybody may know and where hands are.

It is given a `Board`, never a `State`, so no light can depend on the key. Colours are as the
lights should look; a driver maps them to its LEDs and caps their current.
"""

import math
from typing import Final

import msgspec

from pi_table.engine.intents import Hold
from pi_table.geometry import CELL_COUNT, END_TURN, HOURGLASS, PLACE_COUNT, SIDE
from pi_table.hal.contracts import LightFrame
from pi_table.rules.acts import TurnHourglass
from pi_table.rules.board import Board, Phase
from pi_table.rules.key import Identity, Team
from pi_table.rules.phases import why_not
from pi_table.rules.seat import Seat

FRAME_SECONDS: Final = 0.02
"""The time between two frames while something moves."""
A_HAIR: Final = 1e-6
"""Of a frame: what a multiple of FRAME_SECONDS may lack when it is divided by it again."""
REFUSED_SECONDS: Final = 0.6
"""How long a refused touch is answered: two flashes."""
WIPE_SECONDS: Final = 0.2
"""How long the bar that asks for a cloth stays in a column."""

OFF: Final = 0x000000
WARM: Final = 0x241808
AMBER: Final = 0xFFA000
WHITE: Final = 0xFFE8C8
TEAM: Final = {Team.RED: 0xFF2410, Team.BLUE: 0x1030E0}
# Told apart by brightness too: bystander, red, blue, assassin, each about half as bright again as
# the next or more, and all of them three times as bright as a cell that nobody has covered.
COVER: Final = {
    Identity.RED: TEAM[Team.RED],
    Identity.BLUE: TEAM[Team.BLUE],
    Identity.BYSTANDER: 0xE0B070,
    Identity.ASSASSIN: 0x400068,
}


class Attention(msgspec.Struct, frozen=True):
    """Where hands are, and what the table has to say about it. Times are in seconds."""

    hold: Hold | None = None
    unclear: frozenset[int] = frozenset()
    """The places that are touched in a way that means nothing: they are to be lifted."""
    waiting: bool = False
    """Is the table waiting until all was lifted, and has settled?"""
    blocked: bool = False
    """Is it wet, or does something lie on its rim? It asks to be wiped and cleared."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot feel a finger."""
    storing: Hold | None = None
    """What was meant, and is not yet on disk: it stays lit."""
    refused: int | None = None
    refused_at: float = 0.0
    out_of_order: bool = False


class Lighting(msgspec.Struct, frozen=True):
    frame: LightFrame
    wakes: float | None
    """When the lights want to change by themselves, None if they rest."""


def light(board: Board | None, attention: Attention, urging: bool, now: float) -> Lighting:
    """The lights at ``now`` (seconds of the table's clock).

    They move on beats of that clock, however often they are asked for in between. Otherwise the
    time of a frame would show that something was asked for on the console, and refused (ALL-1).
    """
    beat = math.floor(now / FRAME_SECONDS + A_HAIR)
    now, next_beat = beat * FRAME_SECONDS, (beat + 1) * FRAME_SECONDS
    if attention.out_of_order:
        frame = [_dim(AMBER, 0.3) if _diagonal(place) else OFF for place in range(PLACE_COUNT)]
    else:
        frame = _game(board, urging, now) if board else [_dim(WARM, 0.6)] * CELL_COUNT + [OFF, OFF]
        _mark(frame, board, attention, now)
    moving = urging
    for hold in (attention.hold, attention.storing):
        if hold is not None:
            # To its end on a beat as well: what the cell is takes the lights' way next, at once.
            frame[hold.place] = _filling(board, hold, now)
            moving = moving or (hold.ends is not None and now < hold.ends)
    wakes = next_beat if moving else None
    if attention.blocked and not attention.out_of_order and not moving:
        wakes = (_wipe_steps(now) + 1) * WIPE_SECONDS
    if attention.refused is not None:
        since = now - attention.refused_at
        if since < REFUSED_SECONDS:
            lit = int(since / (REFUSED_SECONDS / 4)) % 2 == 0
            frame[attention.refused] = AMBER if lit else OFF
            wakes = next_beat
    return Lighting(tuple(frame), wakes)


def _game(board: Board, urging: bool, now: float) -> list[int]:
    ground = _ground(board)
    if urging:
        # A slow swell, twice in three seconds: noticed from the side, not nagging.
        ground = _dim(ground, 0.5 + abs((now / 1.5) % 1.0 - 0.5))
    cells = [ground if covered is None else COVER[covered] for covered in board.covered]
    if board.open_key is not None:
        for cell, covered in enumerate(board.covered):
            if covered is None:
                cells[cell] = _dim(COVER[board.open_key.identity(cell)], 0.15)
    pads = [_end_turn_pad(board), _hourglass_pad(board, urging, now)]
    frame = [*cells, *pads]
    return [_dim(colour, 0.3) for colour in frame] if board.paused else frame


def _mark(frame: list[int], board: Board | None, attention: Attention, now: float) -> None:
    """Show in a frame what the table cannot feel, and what it wants to be rid of."""
    for place in attention.deaf:
        if board is None or _can_be_touched(board, place):
            frame[place] = OFF
    if attention.waiting:
        frame[:] = [_dim(colour, 0.25) for colour in frame]
    if attention.blocked:
        for cell in range(_wiped(now), CELL_COUNT, SIDE):
            frame[cell] = _dim(AMBER, 0.4)
    else:
        for place in attention.unclear:
            frame[place] = AMBER


def _can_be_touched(board: Board, place: int) -> bool:
    """Is there anything that a finger can still do here? What is covered stays lit though deaf."""
    if board.phase is Phase.OVER:
        return False
    return place >= CELL_COUNT or board.covered[place] is None


def _wiped(now: float) -> int:
    """The column that a cloth would be at: from the left to the right and back, again and again."""
    step = _wipe_steps(now) % (2 * SIDE - 2)
    return min(step, 2 * SIDE - 2 - step)


def _wipe_steps(now: float) -> int:
    return math.floor(now / WIPE_SECONDS + A_HAIR)


def _ground(board: Board) -> int:
    """The light of a cell that nobody has covered: whose turn it is, and may they touch?"""
    if board.phase is Phase.GUESS:
        return _mix(_dim(WARM, 0.25), TEAM[board.turn], 0.12)
    if board.phase is Phase.CLUE:
        return _mix(_dim(WARM, 0.25), TEAM[board.turn], 0.03)
    if board.outcome is not None and board.outcome.winner is not None:
        return _dim(TEAM[board.outcome.winner], 0.08)
    return _dim(WARM, 0.25)


def _end_turn_pad(board: Board) -> int:
    may_stop = board.phase is Phase.GUESS and board.guesses > 0
    return _dim(TEAM[board.turn], 0.5) if may_stop else OFF


def _hourglass_pad(board: Board, urging: bool, now: float) -> int:
    """Lit while it can be turned over: brighter while its sand runs, and when that has run out."""
    if why_not(board, Seat.OPERATOR, TurnHourglass) is not None:
        return OFF
    if board.countdown is None:
        return _dim(WARM, 0.7)
    return AMBER if urging else _dim(AMBER, 0.35)


def _filling(board: Board | None, hold: Hold, now: float) -> int:
    """A held cell: lit at once, so that the finger is answered, then filling."""
    if hold.ends is None:
        return _dim(_bright(board), 0.5)
    done = (now - hold.begun) / (hold.ends - hold.begun)
    return _dim(_bright(board), 0.3 + 0.7 * min(1.0, max(0.0, done)))


def _bright(board: Board | None) -> int:
    return WHITE if board is None else _mix(TEAM[board.turn], WHITE, 0.5)


def _diagonal(place: int) -> bool:
    row, column = divmod(place, 5)
    return place < CELL_COUNT and (row == column or row + column == 4)


def _dim(colour: int, share: float) -> int:
    return _mix(OFF, colour, share)


def _mix(one: int, other: int, share: float) -> int:
    """``one`` with this share (0 … 1) of ``other``, channel by channel."""
    mixed = 0
    for shift in (16, 8, 0):
        a, b = one >> shift & 0xFF, other >> shift & 0xFF
        mixed |= round(a + (b - a) * share) << shift
    return mixed


assert (END_TURN, HOURGLASS) == (CELL_COUNT, CELL_COUNT + 1)

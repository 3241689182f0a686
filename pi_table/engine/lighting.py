"""What the lights show: a pure function of what everybody may know and where hands are.

It is given a board, never a state, so no light can depend on the key.
"""

import math
from typing import Final

import msgspec

from pi_table.engine.colours import AMBER, OFF, WAITING, WARM, WHITE, dim
from pi_table.engine.families import family_of
from pi_table.engine.intents import Hold
from pi_table.geometry import CELL_COUNT, PLACE_COUNT, SIDE
from pi_table.rules.games import AnyBoard

FRAME_SECONDS: Final = 0.02
"""The time between two frames while something moves."""
A_HAIR: Final = 1e-6
"""In frames. A multiple of FRAME_SECONDS may lack so much when it is divided by that again."""
REFUSED_SECONDS: Final = 0.6
"""How long a refused touch is answered: two flashes."""
WIPE_SECONDS: Final = 0.2
"""How long the bar that asks for a cloth stays in a column."""


class Attention(msgspec.Struct, frozen=True):
    """Where hands are, and what the table has to say about them. Times are in seconds."""

    hold: Hold | None = None
    """The hold that is going on."""
    unclear: frozenset[int] = frozenset()
    """The places on which something lies that means nothing, and is to be lifted."""
    waiting: bool = False
    """Does the table wait until everything is lifted, and has settled?"""
    blocked: bool = False
    """Is the table wet, or does something lie on its rim? It asks to be wiped and cleared."""
    deaf: frozenset[int] = frozenset()
    """The places that cannot feel a finger."""
    storing: Hold | None = None
    """The hold that was meant and is not on the disk yet: its place stays lit."""
    refused: int | None = None
    """The place whose touch was refused last."""
    refused_at: float = 0.0
    """When that touch was refused."""
    out_of_order: bool = False
    """Can the table not be played at?"""


class Lighting(msgspec.Struct, frozen=True):
    """What the lights show, and for how long."""

    frame: tuple[int, ...]
    """A colour 0xRRGGBB for each of the 27 places, which all of its LEDs have."""
    wakes: float | None
    """When the lights want to change by themselves, None if they rest."""


def light(board: AnyBoard | None, attention: Attention, urging: bool, now: float) -> Lighting:
    """The lights at ``now`` (seconds of the table's clock).

    They move on beats of that clock, however often they are asked for in between. Otherwise the
    time of a frame would show that something was asked for on the console, and refused (ALL-1).
    """
    beat = math.floor(now / FRAME_SECONDS + A_HAIR)
    now, next_beat = beat * FRAME_SECONDS, (beat + 1) * FRAME_SECONDS
    if attention.out_of_order:
        frame = [dim(AMBER, 0.3) if _diagonal(place) else OFF for place in range(PLACE_COUNT)]
    else:
        frame = _game(board, urging, now)
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


def _mark(frame: list[int], board: AnyBoard | None, attention: Attention, now: float) -> None:
    """Mark in ``frame`` the places that cannot feel, and what is to be lifted or wiped."""
    for place in attention.deaf:
        if _can_be_touched(board, place):
            frame[place] = OFF
    if attention.waiting:
        frame[:] = [dim(colour, WAITING) for colour in frame]
    if attention.blocked:
        for cell in range(_wiped(now), CELL_COUNT, SIDE):
            frame[cell] = dim(AMBER, 0.4)
    else:
        for place in attention.unclear:
            frame[place] = AMBER


def _wiped(now: float) -> int:
    """The column (0 … 4) of the bar, which goes from left to right and back like a cloth."""
    step = _wipe_steps(now) % (2 * SIDE - 2)
    return min(step, 2 * SIDE - 2 - step)


def _wipe_steps(now: float) -> int:
    return math.floor(now / WIPE_SECONDS + A_HAIR)


def _filling(board: AnyBoard | None, hold: Hold, now: float) -> int:
    """The colour of a held cell: lit at once, so that the finger is answered, then filling."""
    if hold.ends is None:
        return dim(_bright(board), 0.5)
    done = (now - hold.begun) / (hold.ends - hold.begun)
    return dim(_bright(board), 0.3 + 0.7 * min(1.0, max(0.0, done)))


def _bright(board: AnyBoard | None) -> int:
    """The colour of a finger."""
    return WHITE if board is None else family_of(board).hand(board)


def _game(board: AnyBoard | None, urging: bool, now: float) -> list[int]:
    if board is None:
        return [dim(WARM, 0.6)] * CELL_COUNT + [OFF, OFF]
    return family_of(board).lights(board, urging, now)


def _can_be_touched(board: AnyBoard | None, place: int) -> bool:
    return board is None or family_of(board).can_be_touched(board, place)


def _diagonal(place: int) -> bool:
    row, column = divmod(place, 5)
    return place < CELL_COUNT and (row == column or row + column == 4)

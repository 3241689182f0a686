"""The lights at an instant: a pure function of public information and of the touches.

A frame is painted in layers: the current state of the game, then recent announcements, then
requests to lift objects or to wipe the table, and on top the fingers. No light can depend on hidden
information, because hidden information is never passed to this module.
"""

import math
from typing import Any, Final, Protocol

import msgspec

from pi_table.common.geometry import CELL_COUNT, END_TURN, HOURGLASS, SIDE, leds_of
from pi_table.devices.lights import attract, codex, service, word_games
from pi_table.devices.lights.canvas import CELLS, Canvas, LightFrame
from pi_table.devices.lights.colours import AMBER, OFF, PALETTES, VIOLET, WARM, WHITE, Colours, dim
from pi_table.devices.lights.motion import blink, breath
from pi_table.devices.lights.picture import Attention, Held, Picture, Playing
from pi_table.devices.lights.scenes import ANSWER_BEGINS, RIM, SCENES
from pi_table.games.announcer.announcement import What
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.word_games.views import PublicView

FRAME_SECONDS: Final = 0.02
"""Seconds between two frames while people watch a motion."""
REST_SECONDS: Final = 0.1
"""Seconds between two frames while only slow motions are shown."""
A_HAIR: Final = 1e-6
"""Tolerance for rounding errors, in frames: a time divided by the length of a frame is not exact.
"""
WIPE_SECONDS: Final = 0.2
"""Seconds that the wiping bar, which asks people to wipe a wet table, stays in a column."""
PAUSED: Final = 0.3
"""Share (0 … 1) of its brightness that a paused table keeps."""
FELT: Final = 0.7
"""Brightness (0 … 1) of a place at the moment when it is touched. In every phase of a game this is
at least one and a half times the place's brightness before the touch."""
SUSPECTED: Final = 0.58
"""Brightness (0 … 1) of a place that a finger has perhaps begun to touch: between the place's
brightness before the touch and `FELT`."""
WAITING: Final = 0.4
"""Share (0 … 1) of its brightness that the table keeps while it waits for hands to be lifted."""
HURRY_SECONDS: Final = 0.8
LOCATE_SECONDS: Final = 0.8
"""Seconds between two blinks of a table that an operator wants to find."""
CORNERS: Final = (0, SIDE - 1, CELL_COUNT - SIDE, CELL_COUNT - 1)


class Lighting(msgspec.Struct, frozen=True):
    frame: LightFrame
    wakes: float | None
    """Time in seconds at which the lights change next if there is no new input; None if they stay
    the same."""


def light(picture: Picture, now: float) -> Lighting:
    """Return the lights at ``now`` (seconds of the table's clock).

    The lights change only at beats: multiples of `FRAME_SECONDS` on that clock. More frequent calls
    do not change them earlier. Otherwise the moment of a frame would reveal that the console
    refused a request (ALL-1).
    """
    now = on_beat(now)
    canvas = Canvas()
    # In service mode, only the test is shown, at full brightness.
    if picture.tried is not None:
        service.paint(canvas, picture.tried)
        return Lighting(canvas.frame(), None)
    colours = PALETTES[picture.look.palette]
    active = _active(picture, now)
    # A table that is out of order shows an amber cross. A refused touch is still answered, so that
    # people see that the table noticed the touch. The table can still be located.
    if picture.standing.out_of_order:
        for cell in CELLS:
            canvas.place(cell, dim(AMBER, 0.5) if _is_diagonal(cell) else OFF)
        active = [each for each in active if each.said.what is What.REFUSED]
        _play(canvas, active, colours, now)
        if picture.standing.located:
            _blink(canvas, picture, now)
        has_motion = bool(active) or picture.standing.located
        return Lighting(_with_brightness(canvas, picture), _next_beat(now) if has_motion else None)
    # In a game: the layers in the order of their priority, each painted over the one before.
    hushed = _is_revealing(active)
    _stand(canvas, picture, colours, now, hushed)
    _play(canvas, active, colours, now)
    _mark(canvas, picture, colours, now, hushed)
    if picture.standing.located:
        _blink(canvas, picture, now)
    return Lighting(_with_brightness(canvas, picture), _next_change(picture, bool(active), now))


def on_beat(now: float) -> float:
    """Return the latest beat at or before this time: a multiple of `FRAME_SECONDS`."""
    return math.floor(now / FRAME_SECONDS + A_HAIR) * FRAME_SECONDS


def _next_beat(now: float) -> float:
    return (math.floor(now / FRAME_SECONDS + A_HAIR) + 1) * FRAME_SECONDS


class _FamilyLights(Protocol):
    """The functions of a module that paints the lights of one family of games."""

    def stand(
        self, canvas: Canvas, view: Any, colours: Colours, now: float, hushed: bool, /
    ) -> None: ...

    def moves(self, view: Any, /) -> bool: ...

    def can_be_touched(self, view: Any, place: int, hushed: bool, /) -> bool: ...

    def hand(self, view: Any, colours: Colours, /) -> int: ...


def _family(view: PublicView | CodexView) -> _FamilyLights:
    return codex if isinstance(view, CodexView) else word_games


# 1. The current state of the table


def _stand(canvas: Canvas, picture: Picture, colours: Colours, now: float, hushed: bool) -> None:
    standing = picture.standing
    view = standing.view
    if standing.sleeps:
        if picture.look.invites:
            attract.attract(canvas, now)
        return
    if view is None:
        for cell in CELLS:
            canvas.place(cell, dim(WARM, 0.5))
        return
    _family(view).stand(canvas, view, colours, now, hushed)
    if not hushed:
        _remind(canvas, picture, now)
    if standing.asks:
        attract.ask(canvas, now)
    if view.paused:
        canvas.dim(PAUSED)


def _remind(canvas: Canvas, picture: Picture, now: float) -> None:
    standing = picture.standing
    view = standing.view
    if isinstance(view, PublicView):
        word_games.mark(canvas, view, standing.marks, PALETTES[picture.look.palette])
        if standing.hourglass:
            word_games.hourglass(canvas, view)
        if standing.urging:
            word_games.urge(canvas, view, now)
    if standing.hurry and view is not None and not view.paused:
        for cell in RIM:
            canvas.mix(cell, AMBER, 0.6 * breath(now, HURRY_SECONDS))
    if standing.peeking and isinstance(view, PublicView):
        _eye(canvas, view)


def _eye(canvas: Canvas, view: PublicView) -> None:
    """Paint a violet glint on the far edge, because the hidden screen at that edge shows the key.
    If all cells of the edge are covered, paint the glint on the pads."""
    far = [cell for cell in word_games.open_cells(view) if cell < SIDE]
    for place in far or (END_TURN, HOURGLASS):
        for led in leds_of(place)[:2]:
            canvas.leds[led] = dim(VIOLET, 0.6)


# 2. Announcements


def _active(picture: Picture, now: float) -> list[Playing]:
    """Return the announcements whose scenes are shown at ``now``: all scenes that paint only one
    cell, and the newest of the other scenes."""
    # `picture.playing` is in the order in which the scenes begin. So the last scene for the whole
    # table wins, and local scenes are painted over it, later ones over earlier ones.
    playing, whole = [], None
    for each in picture.playing:
        scene = SCENES.get(each.said.what)
        if scene is None or not each.at - A_HAIR <= now < each.at + scene.seconds:
            continue
        if scene.local:
            playing.append(each)
        else:
            whole = each
    return [*([] if whole is None else [whole]), *playing]


def _play(canvas: Canvas, active: list[Playing], colours: Colours, now: float) -> None:
    for playing in active:
        scene = SCENES[playing.said.what]
        scene.paint(canvas, playing.said, colours, max(0.0, now - playing.at))


def is_hushed(picture: Picture, now: float) -> bool:
    """True if a guess is about to be answered at ``now``: no light may show the answer yet."""
    return _is_revealing(_active(picture, on_beat(now)))


def start_of_answer(picture: Picture, cell: int) -> tuple[int, ...] | None:
    """Return the colours of a cell's LEDs at the moment when the answer to a guess of that cell
    begins. They are the same for every cell and every answer (ALL-1). None while something else may
    be painted over the cell."""
    standing, attention = picture.standing, picture.attention
    painted_over = (
        *(picture.tried, standing.out_of_order, standing.located),
        *(attention.waiting, attention.blocked, attention.unclear, cell in attention.deaf),
    )
    if any(painted_over):
        return None
    share = picture.look.brightness
    return ANSWER_BEGINS if share >= 1.0 else tuple(dim(colour, share) for colour in ANSWER_BEGINS)


def _is_revealing(active: list[Playing]) -> bool:
    return any(playing.said.what is What.REVEALING for playing in active)


def _blink(canvas: Canvas, picture: Picture, now: float) -> None:
    """Make the whole table blink. While the lights show a game only the corner cells blink, so that
    the board stays readable."""
    standing = picture.standing
    view = standing.view
    is_played = view is not None and view.outcome is None
    is_shown = is_played and not standing.sleeps and not standing.out_of_order
    if blink(now, LOCATE_SECONDS):
        for cell in CORNERS if is_shown else CELLS:
            canvas.place(cell, WHITE)


# 3. Touches


def _mark(canvas: Canvas, picture: Picture, colours: Colours, now: float, hushed: bool) -> None:
    attention, view = picture.attention, picture.standing.view
    # 1. A place that cannot be read goes dark, but only if touching it would have a meaning now.
    for place in attention.deaf:
        if view is None or _family(view).can_be_touched(view, place, hushed):
            canvas.place(place, OFF)
    # 2. While the table waits for hands to be lifted, everything so far is dimmed.
    if attention.waiting:
        canvas.dim(WAITING)
    # 3. A wet table shows the wiping bar; single objects do not matter then.
    if attention.blocked:
        for cell in range(_wipe_column(now), CELL_COUNT, SIDE):
            canvas.place(cell, dim(AMBER, 0.7))
    else:
        for place in attention.unclear:
            canvas.place(place, AMBER)
    # 4. The held place is on top: a finger must always see its answer.
    if hushed:
        return  # a reaction to fingers now would show whether the turn goes on
    hand = WHITE if view is None else _family(view).hand(view, colours)
    begins = attention.perhaps
    if begins is not None and view and _family(view).can_be_touched(view, begins, hushed):
        canvas.place(begins, dim(hand, SUSPECTED))
    for hold in (attention.hold, attention.storing):
        if hold is not None:
            _fill(canvas, hold, hand, now)


def _fill(canvas: Canvas, hold: Held, hand: int, now: float) -> None:
    """Light up a held place at once, then brighten its LEDs one after another."""
    leds = leds_of(hold.place)
    done = 0.5 if hold.ends is None else (now - hold.begun) / (hold.ends - hold.begun)
    for number, led in enumerate(leds):
        share = min(1.0, max(0.0, done * len(leds) - number))
        canvas.leds[led] = dim(hand, FELT + (1.0 - FELT) * share)


def _wipe_column(now: float) -> int:
    """Return the column (0 … 4) of the wiping bar, which moves back and forth like a cloth."""
    step = _wipe_steps(now) % (2 * SIDE - 2)
    return min(step, 2 * SIDE - 2 - step)


def _wipe_steps(now: float) -> int:
    return math.floor(now / WIPE_SECONDS + A_HAIR)


# When the lights change by themselves


def _next_change(picture: Picture, active: bool, now: float) -> float | None:
    next_beat = _next_beat(now)
    is_located = picture.standing.located
    if active or _is_filling(picture.attention, now) or picture.standing.hurry or is_located:
        return next_beat
    due = [
        playing.at
        for playing in picture.playing
        if playing.said.what in SCENES and playing.at > now + A_HAIR
    ]
    if picture.attention.blocked:
        due.append((_wipe_steps(now) + 1) * WIPE_SECONDS)
    standing = picture.standing
    view = standing.view
    if standing.sleeps or standing.asks or standing.urging or (view is not None and _moves(view)):
        due.append((math.floor(now / REST_SECONDS + A_HAIR) + 1) * REST_SECONDS)
    return max(next_beat, min(due)) if due else None


def _moves(view: PublicView | CodexView) -> bool:
    return not view.paused and _family(view).moves(view)


def _is_filling(attention: Attention, now: float) -> bool:
    """True while the LEDs of a held place brighten one after another."""
    return any(
        hold is not None and hold.ends is not None and now < hold.ends
        for hold in (attention.hold, attention.storing)
    )


def _with_brightness(canvas: Canvas, picture: Picture) -> LightFrame:
    if picture.look.brightness < 1.0:
        canvas.dim(picture.look.brightness)
    return canvas.frame()


def _is_diagonal(cell: int) -> bool:
    row, column = divmod(cell, SIDE)
    return row == column or row + column == SIDE - 1

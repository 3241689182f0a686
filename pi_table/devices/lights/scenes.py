"""The light scenes for announcements, one for each kind of announcement.

A scene has a duration and a function. The function paints the scene over the current lights, ``t``
seconds after the scene began. The announcement's ``after`` says when the scene begins; these times
are in ``games/announcer/announcement.py``. Large areas never flash more than three times a second.

Layers, from the bottom to the top:

1. The current state of the game (`word_games`, `codex`), or the attract lights.
2. One scene for the whole table: the newest such scene that is in progress.
3. Every local scene in progress: a local scene paints only its cell, so several local scenes can
   be seen at once.
4. The light of the held place, and the requests to lift objects or to wipe the table. While a guess
   is about to be answered, no held place is painted.

`light.light` applies this order.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from pi_table.common.geometry import SIDE, leds_of
from pi_table.devices.lights import positions
from pi_table.devices.lights.canvas import CELLS, Canvas
from pi_table.devices.lights.colours import AMBER, OFF, VIOLET, WARM, WHITE, Colours, dim, mix
from pi_table.devices.lights.identities import corners
from pi_table.devices.lights.motion import band, blink, breath, fall, rise, running
from pi_table.games.announcer.announcement import TENSION, Announcement, What

Paint = Callable[[Canvas, Announcement, Colours, float], None]


class Scene(msgspec.Struct, frozen=True):
    seconds: float
    paint: Paint
    local: bool = False
    """True if the scene paints only its own cell, so that other scenes can be shown at the same
    time."""


def _colour(said: Announcement, colours: Colours, otherwise: int = WARM) -> int:
    return otherwise if said.team is None else colours.team(said.team)


def _identity_colour(said: Announcement, colours: Colours) -> int:
    return WHITE if said.identity is None else colours.identity(said.identity)


def _ring(canvas: Canvas, place: int, colour: int, t: float, speed: float, strength: float) -> None:
    """Paint a ring that grows outwards from a place, with ``speed`` in millimetres a second."""
    front = t * speed
    canvas.wash(colour, (strength * band(d, front, 90.0) for d in positions.DISTANCES[place]))


def _sweep(canvas: Canvas, colour: int, share: float, strength: float, sideways: float) -> None:
    """Paint a band of light on its way from the far side to the near side. ``share`` (0 … 1) is the
    part of the way that the band has moved."""
    start, end = positions.FAR - 180.0, positions.NEAR + 180.0
    front = start + (end - start) * share
    canvas.wash(
        colour, (strength * band(y + sideways * x, front, 105.0) for x, y in positions.LEDS)
    )


def _begins(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    colour = _colour(said, colours)
    # Dim the table at first and bring it back at the end, so that the rings stand out.
    canvas.dim(fall(t, 0.3) + rise(t - 1.2, 0.6))
    _ring(canvas, positions.MIDDLE, WARM, t, 390.0, 0.9)
    _ring(canvas, positions.MIDDLE, colour, t - 0.6, 390.0, 1.0)


def _turn(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    _sweep(canvas, _colour(said, colours), t / 1.2, 1.0, 0.0)


def _lay_out(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    _sweep(canvas, WARM, t / 1.4, 0.9, 0.5)


def _clue(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    _sweep(canvas, _colour(said, colours), t / 0.8 % 1.0, 0.9, 0.0)


ABOUT_TO_ANSWER: Final = dim(WHITE, 0.1)
"""Darkest colour of a cell's lights while a guess of that cell is about to be answered. Benchmarks
look for this colour at the cell's second light, which begins with it and has it at no other time.
"""


def _revealing(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint a light that runs round the cell, faster and faster."""
    # The scene must not depend on the identity. Otherwise the lights would reveal it too early.
    assert said.place is not None
    canvas.corners(said.place, _running_lights(t))


def _running_lights(t: float) -> tuple[int, ...]:
    turns = 0.75 + 1.5 * t + 1.5 * t * t  # the second light is the darkest at first
    return tuple(mix(ABOUT_TO_ANSWER, WHITE, running(corner, turns)) for corner in range(4))


ANSWER_BEGINS: Final = _running_lights(0.0)
"""Colours of a cell's LEDs at the moment when a guess of that cell begins to be answered."""


def _flare(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint a flare that changes into the look of the cell's identity."""
    assert said.place is not None
    assert said.identity is not None
    after = corners(said.identity, colours, t, still=True)
    canvas.corners(said.place, [mix(WHITE, colour, rise(t, 0.5)) for colour in after])


def _shape(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    assert said.place is not None
    assert said.identity is not None
    canvas.corners(said.place, corners(said.identity, colours, t))


def _right(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    assert said.place is not None
    _ring(canvas, said.place, _identity_colour(said, colours), t, 480.0, 0.9 * fall(t, 1.4))
    _flare(canvas, said, colours, t)


def _bystander(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Dim the table and make it bright again, as slowly as a person breathes out."""
    assert said.place is not None
    canvas.dim(1.0 - 0.6 * breath(min(t, 1.4), 1.4))
    _flare(canvas, said, colours, t)


def _wrong(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint the other team's colour, which moves towards the cell from all sides."""
    assert said.place is not None
    # The reverse of `_ring`: the band starts outside and reaches the cell after 1.2 s.
    front = 630.0 * (1.0 - t / 1.2)
    colour = _identity_colour(said, colours)
    canvas.wash(colour, (0.9 * band(d, front, 120.0) for d in positions.DISTANCES[said.place]))
    _flare(canvas, said, colours, t)


def _assassin(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint white light that runs away from the cell, then violet heartbeats, until the table is
    dark."""
    assert said.place is not None
    # Each step paints over the one before: darkness, the ring, the heartbeats, the cell's shape.
    canvas.dim(fall(t, 0.4))
    _ring(canvas, said.place, WHITE, t, 750.0, 1.0)
    # Two beats every 1.1 s, 0.3 s apart; they reach farther for 1.5 s and fade out from 3 s on.
    beat = max(fall(t % 1.1, 0.25), fall(t % 1.1 - 0.3, 0.25) if t % 1.1 >= 0.3 else 0.0)
    reach = 720.0 * rise(t, 1.5)
    strength = beat * fall(t - 3.0, 1.5)
    canvas.wash(
        colours.fatal, (strength if d <= reach else 0.0 for d in positions.DISTANCES[said.place])
    )
    _shape(canvas, said, colours, t)


def _nuke(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint a flash, a growing fireball, and embers."""
    assert said.place is not None
    canvas.dim(fall(t, 0.2))
    # The ball grows for 1.6 s while its colour cools from white to amber to violet; it glows
    # until 2.5 s and then fades.
    radius = 690.0 * rise(t, 1.6)
    cooling = rise(t, 3.5)
    burning = mix(WHITE, AMBER, min(1.0, 2 * cooling))
    inner = mix(burning, dim(VIOLET, 0.5), max(0.0, 2 * cooling - 1.0))  # not the colour of a team
    glow = fall(t - 2.5, 2.0)
    shares = (
        glow * max(0.0, 1.0 - 0.5 * d / max(radius, 1.0)) if d <= radius else 0.0
        for d in positions.DISTANCES[said.place]
    )
    canvas.wash(inner, shares)
    _shape(canvas, said, colours, t)


def _arm_nuke(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint light that moves towards the middle cell again and again."""
    front = 450.0 * (1.0 - t / 0.9 % 1.0)
    canvas.dim(0.5 + 0.5 * rise(t - 2.2, 0.5))
    strength = fall(t - 2.2, 0.5)
    distances = positions.DISTANCES[positions.MIDDLE]
    canvas.wash(VIOLET, (strength * band(d, front, 90.0) for d in distances))
    lights = [mix(VIOLET, AMBER, running(corner, t * 1.5)) for corner in range(4)]
    canvas.corners(positions.MIDDLE, lights)


def _count_agent(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    _sweep(canvas, _colour(said, colours), t / 0.9, 0.6, -0.6)


def _judge(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint one half of the cells in amber, then the other half, and so on, while a challenge is
    judged."""
    # Half of the cells at a time, 1.2 s for both halves: far below three flashes a second.
    odd = blink(t, 1.2)
    strength = 0.7 * fall(t - 2.0, 0.4)
    for cell in CELLS:
        if (cell % 2 == 0) is odd:
            canvas.mix(cell, AMBER, strength)


def _grant(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    _ring(canvas, positions.MIDDLE, WHITE, t, 450.0, 0.7)


def _penalty(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    _sweep(canvas, AMBER, t / 0.8, 0.8, 0.0)
    _sweep(canvas, _colour(said, colours), t / 0.8 - 0.6, 0.8, 0.0)


def _correct(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint a band that runs backwards, from the near side to the far side."""
    _sweep(canvas, WHITE, 1.0 - t / 1.2, 0.8, 0.0)


def _time_up(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    canvas.wash(AMBER, (0.7 * fall(t, 1.2),) * len(canvas.leds))


def _win(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint rockets in the team's colour, one after another, over the whole table."""
    colour = _colour(said, colours, WHITE)
    canvas.dim(1.0 - 0.8 * fall(t - 6.0, 1.0))
    for number, place in enumerate(_ROCKETS):
        begun = t - 0.7 * number
        if 0.0 <= begun < 1.5:
            _ring(canvas, place, colour, begun, 345.0, fall(begun, 1.5))
            canvas.mix(place, WHITE, 0.8 * fall(begun, 0.4))


def _loss(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint darkness from the rim to the middle, then slowly restore the light."""
    radius = positions.FARTHEST * fall(t, 3.0)
    distances = positions.DISTANCES[positions.MIDDLE]
    back = rise(t - 4.0, 1.5)
    canvas.wash(OFF, (1.0 - back if d > radius else 0.0 for d in distances))
    canvas.wash(colours.fatal, (0.7 * band(d, radius, 90.0) * (1.0 - back) for d in distances))


def _stop(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    canvas.dim(1.0 - 0.8 * breath(min(t, 2.0), 2.0))


def _call(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint three rings round the cell of the agent who is called. If agents use their phones,
    paint a ring over the whole table instead."""
    if said.place is None:
        _grant(canvas, said, colours, t)
        return
    canvas.place(said.place, dim(WHITE, 0.3 + 0.7 * breath(t, 0.9)))
    near = (d for d in positions.DISTANCES[said.place])
    canvas.wash(WHITE, (0.4 * band(d, (t % 0.9) * 240.0, 60.0) if d > 60.0 else 0.0 for d in near))


def _vote(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    assert said.place is not None
    canvas.mix(said.place, AMBER, fall(t, 1.2))


def _machine(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint a searchlight that goes round and stops on the chosen agent."""
    assert said.place is not None
    canvas.dim(0.4)
    beam = 2 * t
    for cell in CELLS:
        if cell in RIM:
            canvas.mix(cell, WHITE, 0.8 * running(RIM.index(cell), beam / 4) * fall(t - 2.0, 0.6))
    canvas.mix(said.place, WHITE, rise(t - 1.6, 0.6))


def _fact(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    assert said.place is not None
    canvas.dim(0.35)  # meanwhile the agent who is called next waits
    _ring(canvas, said.place, WHITE, t, 450.0, 0.9 * fall(t, 1.4))
    canvas.place(said.place, WHITE)


def _refuse(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    assert said.place is not None
    canvas.place(said.place, AMBER if int(t / (REFUSED_SECONDS / 4) + A_HAIR) % 2 == 0 else OFF)


def _phone(canvas: Canvas, said: Announcement, colours: Colours, t: float) -> None:
    """Paint two violet glints on the far edge, in front of the spymasters, because the key is on a
    phone. Glints for the hidden screen look the same."""
    for cell in range(SIDE):
        for led in leds_of(cell)[:2]:
            canvas.leds[led] = mix(canvas.leds[led], VIOLET, breath(t, PHONE_SECONDS / 2))


PHONE_SECONDS: Final = 2.4
REFUSED_SECONDS: Final = 0.8
A_HAIR: Final = 1e-6
"""Tolerance for rounding errors of a time. Its unit is a quarter of `REFUSED_SECONDS`."""
RIM: Final = (0, 1, 2, 3, 4, 9, 14, 19, 24, 23, 22, 21, 20, 15, 10, 5)
"""Numbers of the outer cells, clockwise."""
_ROCKETS: Final = (12, 6, 18, 8, 16, 2, 22, 12)

SCENES: Final[dict[What, Scene]] = {
    What.BEGINS: Scene(1.8, _begins),
    What.GOES_ON: Scene(1.8, _begins),
    What.LAID_OUT: Scene(1.4, _lay_out),
    What.NEW_KEY: Scene(1.4, _lay_out),
    What.TURN: Scene(1.2, _turn),
    What.CLUE: Scene(1.6, _clue),
    # Local scenes paint only one cell: other scenes may be shown at the same time.
    What.REVEALING: Scene(TENSION, _revealing, local=True),
    What.RIGHT: Scene(1.4, _right),
    What.BYSTANDER: Scene(1.4, _bystander),
    What.WRONG: Scene(1.4, _wrong),
    What.ASSASSIN: Scene(4.5, _assassin),
    What.NUKE: Scene(4.5, _nuke),
    What.COVERED: Scene(0.6, _flare, local=True),
    What.LAST_ONE: Scene(0.9, _count_agent),
    What.NUKE_ARMED: Scene(2.7, _arm_nuke),
    What.CHALLENGE: Scene(2.4, _judge),
    What.ALLOWED: Scene(1.2, _grant),
    What.PENALTY: Scene(1.4, _penalty),
    What.COVER: Scene(1.4, _penalty),
    What.CORRECTION: Scene(1.2, _correct),
    What.TIME_UP: Scene(1.2, _time_up),
    What.RESUMED: Scene(1.2, _grant),
    What.WIN: Scene(7.0, _win),
    What.LOSS: Scene(5.5, _loss),
    What.STOPPED: Scene(2.0, _stop),
    What.REVEALED: Scene(1.4, _lay_out),
    What.PHASE: Scene(1.2, _lay_out),
    What.CALLED: Scene(2.7, _call),
    What.DISCUSS: Scene(1.2, _grant),
    What.VOTED: Scene(1.2, _vote, local=True),
    What.MACHINE: Scene(2.6, _machine),
    What.NOBODY: Scene(2.0, _stop),
    What.FACT: Scene(1.4, _fact),
    What.JOIN: Scene(1.2, _grant),
    What.CLOSING: Scene(1.2, _time_up),
    What.IN_ORDER: Scene(1.8, _begins),
    What.PHONE: Scene(PHONE_SECONDS, _phone),
    What.REFUSED: Scene(REFUSED_SECONDS, _refuse, local=True),
}
"""The scene of each kind of announcement. A kind that is missing here has no scene."""

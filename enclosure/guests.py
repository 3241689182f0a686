"""Shapes of seated people, for the picture of an evening: simple bodies of rounded lumps.

A lump is a bone (a rod whose ends have different radii) or an egg. Lumps melt into each other. The
sizes are those of an adult of middle size, whose eyes are 1210 mm above the floor when upright;
checks/people.toml has 1145 to 1295. `Guest.size` scales them. All lengths are in mm.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pyvista
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
Colour: TypeAlias = tuple[float, float, float]
Mesh: TypeAlias = tuple[Points, NDArray[np.int64]]
Lump: TypeAlias = tuple[Points, Points, Callable[[Points], Points]]
"""The lower and upper corner of a box around the lump, and the distance of points from the lump."""
SEAT: Final = 450.0
"""mm from the floor to a chair's seat."""
_HIP: Final = 540.0
_UPPER_ARM: Final = 300.0
_FOREARM: Final = 250.0
_TROUSERS: Final = (0.03, 0.035, 0.055)
_SHOES: Final = (0.02, 0.015, 0.012)


@dataclass(frozen=True)
class Guest:
    """Somebody who sits at the table: ``turn`` is 0 for a face towards the spymasters' side, and
    grows to the left. Angles are in radians."""

    place: tuple[float, float]
    turn: float
    size: float
    lean: float
    hands: tuple[tuple[float, float, float], tuple[float, float, float]]
    """Places of the left and the right hand's tip, in the table's coordinates."""
    shirt: Colour
    skin: Colour
    hair: Colour
    nod: float = 0.3
    look: float = 0.0
    """Angle of the head to the left."""
    aside: float = 0.0
    """mm by which the head is to the right of the hip."""
    style: str = "short"
    points: bool = False
    """True if the right hand's finger is stretched out."""


def shapes(guest: Guest, ground: float) -> list[tuple[Mesh, Colour]]:
    """Return the guest's clothes, skin and hair with their colours. ``ground`` is the floor's z."""
    cos, sin = math.cos(guest.turn), math.sin(guest.turn)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    origin = np.array([*guest.place, ground + SEAT * (1 - guest.size)])

    def upper(x: float, y: float, z: float) -> Points:
        """Return a point of the upper body, which leans forward about the hip."""
        up, c, s = z - _HIP, math.cos(guest.lean), math.sin(guest.lean)
        return np.array([x + guest.aside * up / 660, y * c + up * s, _HIP + up * c - y * s])

    clothes = [
        _bone(upper(-70, -10, 560), upper(70, -10, 560), 125, 125),
        _bone(upper(-48, -14, 690), upper(48, -14, 690), 112, 112),
        _bone(upper(-75, 0, 860), upper(75, 0, 860), 112, 112),
        _bone(upper(-150, -8, 985), upper(150, -8, 985), 60, 60),
        _bone(upper(0, -6, 1010), upper(0, 4, 1068), 62, 46),
    ]
    found = []
    for side, hand in zip((-1, 1), guest.hands, strict=True):
        points = guest.points and side > 0
        tip = (np.array(hand) - origin) @ turn / guest.size
        sleeve, fingers = _arm(upper(side * 178, -4, 985), tip, side, points)
        clothes += sleeve
        found.append((_melt(fingers, 12, 4), guest.skin))
    skin, hair = _head(guest, upper(0, 10, 1060), upper(0, 28, 1205))
    legs = [_bone((-80, 0, 540), (80, 0, 540), 110, 110)]
    shoes = []
    for x in (-1, 1):
        legs += [
            _bone((x * 95, 0, 545), (x * 110, 420, 505), 92, 64),
            _bone((x * 110, 420, 500), (x * 115, 400, 90), 60, 42),
        ]
        shoes.append(_bone((x * 115, 390, 60), (x * 125, 540, 40), 48, 36))
    found += [
        (_melt(clothes, 38, 8), guest.shirt),
        (_melt(skin, 16, 4.5), guest.skin),
        (_melt(hair, 14, 5), guest.hair),
        (_melt(legs, 30, 11), _TROUSERS),
        (_melt(shoes, 20, 10), _SHOES),
    ]
    return [((at * guest.size @ turn.T + origin, faces), c) for (at, faces), c in found]


def _arm(shoulder: Points, tip: Points, side: int, points: bool) -> tuple[list[Lump], list[Lump]]:
    """Return an arm's sleeve and its hand, whose fingers end at ``tip`` if that is within reach.
    The elbow hangs down and a little outwards; that of an arm that points is outwards."""
    long = _FOREARM + (150 if points else 130)
    way = tip - shoulder
    far = min(float(np.linalg.norm(way)), _UPPER_ARM + long - 4)
    way /= np.linalg.norm(way)
    along = (_UPPER_ARM**2 - long**2 + far**2) / (2 * far)
    pole = np.array([side, 0, -0.15] if points else [side * 0.45, -0.1, -1.0])
    pole -= way * (pole @ way)
    pole /= np.linalg.norm(pole)
    elbow = shoulder + way * along + pole * math.sqrt(max(0.0, _UPPER_ARM**2 - along**2))
    end = shoulder + way * far
    fore = (end - elbow) / np.linalg.norm(end - elbow)
    wrist, palm = elbow + fore * _FOREARM, elbow + fore * (_FOREARM + 65)
    sleeve = [_bone(shoulder, elbow, 56, 43), _bone(elbow, wrist - fore * 25, 43, 31)]
    hand = [_bone(wrist - fore * 50, wrist, 26, 24), _bone(wrist, palm, 28, 31)]
    if points:  # one finger is stretched out, the others are bent
        return sleeve, [*hand, _bone(palm, end, 13, 8.5)]
    return sleeve, [*hand, _bone(palm, end, 24, 13)]


def _head(guest: Guest, neck: Points, middle: Points) -> tuple[list[Lump], list[Lump]]:
    """Return neck and head, and the hair."""
    nod, look = guest.lean / 2 + guest.nod, guest.look
    tilt = np.array(
        [[1, 0, 0], [0, math.cos(nod), math.sin(nod)], [0, -math.sin(nod), math.cos(nod)]]
    )
    spin = np.array(
        [[math.cos(look), -math.sin(look), 0], [math.sin(look), math.cos(look), 0], [0, 0, 1]]
    )
    axes = spin @ tilt

    def egg(at: tuple[float, float, float], radii: tuple[float, float, float]) -> Lump:
        return _egg(middle + axes @ np.array(at), radii, axes)

    skin = [
        _bone(neck - np.array([0, 0, 25]), middle + axes @ np.array([0, -10, -50]), 47, 42),
        egg((0, -4, 22), (75, 95, 92)),  # skull
        egg((0, 22, -42), (58, 66, 68)),  # jaw
        egg((0, 93, -16), (12, 15, 21)),  # nose
        *(egg((x, -8, -10), (10, 19, 30)) for x in (-75, 75)),  # ears
    ]
    hair = [egg((0, -24, 44), (82, 90, 84)), egg((0, -50, -6), (74, 60, 76))]
    if guest.style == "bun":
        hair.append(egg((0, -105, 72), (44, 44, 44)))
    if guest.style == "long":
        hair.append(egg((0, -58, -70), (86, 56, 120)))
    return skin, hair


def _bone(a: object, b: object, first: float, last: float) -> Lump:
    """Return a rod from ``a`` to ``b``, with these radii at its ends."""
    start, end = np.array(a, float), np.array(b, float)
    way, wide = end - start, max(first, last)

    def distance(at: Points) -> Points:
        share = np.clip((at - start) @ way / (way @ way), 0, 1)
        nearest = start + share[..., None] * way
        return np.asarray(np.linalg.norm(at - nearest, axis=-1) - first - (last - first) * share)

    return np.minimum(start, end) - wide, np.maximum(start, end) + wide, distance


def _egg(middle: Points, radii: tuple[float, float, float], axes: Points) -> Lump:
    wide = max(radii)

    def distance(at: Points) -> Points:
        length = np.linalg.norm((at - middle) @ axes / np.array(radii), axis=-1)
        return np.asarray((length - 1) * min(radii))

    return middle - wide, middle + wide, distance


def _melt(lumps: list[Lump], soft: float, step: float) -> Mesh:
    """Return one surface around the lumps. Within ``soft`` mm, lumps flow into each other; ``step``
    is the distance in mm of the grid's points."""
    low = np.min([lump[0] for lump in lumps], axis=0) - 20
    high = np.max([lump[1] for lump in lumps], axis=0) + 20
    counts = np.ceil((high - low) / step).astype(int) + 1
    lines = [low[i] + step * np.arange(counts[i]) for i in range(3)]
    grid = np.stack(np.meshgrid(*lines, indexing="ij"), -1)
    field = lumps[0][2](grid)
    for lump in lumps[1:]:
        other = lump[2](grid)
        share = np.clip(0.5 + 0.5 * (other - field) / soft, 0, 1)
        field = other * (1 - share) + field * share - soft * share * (1 - share)
    image = pyvista.ImageData(dimensions=counts, spacing=(step,) * 3, origin=low)
    image["distance"] = field.ravel(order="F")
    found = image.contour([0.0], scalars="distance").triangulate()
    return np.array(found.points), found.faces.reshape(-1, 4)[:, :0:-1].copy()

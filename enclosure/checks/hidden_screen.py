"""The hidden screen is hidden: from operatives and onlookers all of it, from spymasters none of it.

Lines of sight are straight, from eyes as points to a grid on the screen's visible surface, against
the meshes of the parts as they stand. People's bodies are no cover, nor is anything that can be
taken away by hand.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import trimesh

from enclosure.checks.bodies import Body, Points, all_together, below
from enclosure.checks.eyes import PEOPLE, Outline, onlookers, operatives, spymasters
from enclosure.checks.report import Report
from enclosure.checks.sight import clear, reaches, seen

GRID = 8.0
"""Millimetres from one point of the screen's surface to the next, at most."""

BEFORE = 0.2
"""Millimetres that the points lie before the surface, so that no line touches it."""

WALL = 1000.0
"""Square millimetres: a triangle as large as that is of the front wall, and of no screw's hole."""

LEGIBLE = 0.55
"""What the spymasters have to see of a height on the screen at least: P."""

SHORTENED = 10.0
"""Millimetres: a hood that is so much shorter has to be noticed."""


@dataclass(frozen=True)
class Screen:
    """The visible surface of the screen: its middle, the two ways along it, and the way it faces.

    ``across`` and ``up`` are half of its width and of its height, as vectors in millimetres.
    """

    middle: Points
    across: Points
    up: Points

    @property
    def plane(self) -> float:
        """The y of the surface's upper edge, where the operatives' sides end."""
        return float(self.middle[1] + self.up[1])

    @property
    def facing(self) -> Points:
        """The way that the screen shines, of length 1."""
        way = np.cross(self.up, self.across)
        return np.asarray(way / np.linalg.norm(way))

    def before(self, eyes: Points) -> Points:
        """Those eyes that are before the surface: to all others it turns its back."""
        return eyes[(eyes - self.middle) @ self.facing > 0]

    def points(self) -> Points:
        """A dense grid on the surface, its corners included."""
        ways = [
            np.linspace(-1, 1, int(np.ceil(2 * np.linalg.norm(half) / GRID)) + 1)
            for half in (self.across, self.up)
        ]
        return np.array(
            [
                self.middle + x * self.across + y * self.up + BEFORE * self.facing
                for x in ways[0]
                for y in ways[1]
            ]
        )


def check(bodies: list[Body], hood: frozenset[str], screen: Screen, outline: Outline) -> Report:
    """``hood`` names the parts that stand above the surface to hide the screen."""
    report = Report("The hidden screen is hidden")
    cover = [body for body in bodies if body.covers]
    points = screen.points()
    guests = {
        "an operative": operatives(outline, screen.plane),
        "an onlooker behind the spymasters": onlookers(outline),
    }
    report.figures.append(f"{len(points)} points of the screen, {GRID:.0f} mm apart or less")
    for who, eyes in guests.items():
        _nobody_sees(report, who, eyes, screen, all_together(cover))
    _mirrored(report, cover, hood, screen, guests["an operative"])
    _shortened(report, cover, hood, screen.before(np.concatenate([*guests.values()])), points)
    _spymasters_see(report, all_together(cover), screen, points, outline)
    return report


def _nobody_sees(
    report: Report, who: str, eyes: Points, screen: Screen, cover: trimesh.Trimesh
) -> None:
    before, points = screen.before(eyes), screen.points()
    what = seen(cover, points, before)
    report.figures.append(
        f"{len(eyes)} eyes of {who}, {len(before)} of them before the screen's plane: "
        f"{what.any(axis=1).sum()} see anything of the screen"
    )
    if what.any():
        eye = before[what.sum(axis=1).argmax()]
        report.findings.append(
            f"The hood does not hide the screen: {who} with an eye at x {eye[0]:.0f}, "
            f"y {eye[1]:.0f}, z {eye[2]:.0f} mm sees {what.mean(axis=1).max():.0%} of it."
        )


def _mirrored(
    report: Report, cover: list[Body], hood: frozenset[str], screen: Screen, eyes: Points
) -> None:
    """What operatives would see in the hood's front wall if that shone like a mirror.

    The wall is a plane that faces the screen: an eye sees by it what its mirror image sees through
    it. The image's line has to meet the wall first, and the eye's own has to reach that spot.
    """
    parts = all_together([body for body in cover if body.part in hood])
    towards = (parts.face_normals[:, 1] < -0.99) & (parts.area_faces > WALL)
    wall = float(parts.triangles_center[towards, 1].max())
    all_cover, points = all_together(cover), screen.points()[::4]
    eyes = eyes[eyes[:, 1] < screen.plane][::40]
    sees = 0
    for eye in eyes:
        image = np.array([eye[0], 2 * wall - eye[1], eye[2]])
        share = (wall - points[:, 1]) / (image[1] - points[:, 1])
        spots = points + share[:, None] * (image - points) - np.array([0, 1e-2, 0])
        on_wall = reaches(parts, spots, np.array([0.0, 1.0, 0.0]), 0.1)
        spots, starts = spots[on_wall], points[on_wall]
        if len(spots) and (clear(all_cover, starts, spots) & clear(all_cover, spots, eye)).any():
            sees += 1
    report.figures.append(
        f"were the hood's inside a mirror, {sees / len(eyes):.0%} of the operatives' eyes would "
        "see some of the screen in it: it has to be matt"
    )


def _shortened(
    report: Report, cover: list[Body], hood: frozenset[str], eyes: Points, points: Points
) -> None:
    """By how much the hood may be cut down until somebody sees the screen."""
    rest = [body for body in cover if body.part not in hood]
    parts = [body for body in cover if body.part in hood]
    top = max(body.mesh.bounds[1][2] for body in parts)

    # Whoever sees nothing without any hood sees nothing past a shorter one either.
    eyes = eyes[seen(all_together(rest), points, eyes).any(axis=1)]

    def hides(less: float) -> bool:
        cut = [below(body.mesh, top - less) for body in parts]
        return not seen(trimesh.util.concatenate([all_together(rest), *cut]), points, eyes).any()

    if not hides(0):
        return  # told already
    report.demand(len(eyes) > 0, "The hood hides nothing: without it nobody sees the screen.")
    less = largest(hides, 0.0, 100.0, 0.1)
    report.figures.append(
        f"the hood's top is at z {top:.1f} mm; "
        f"it may be {less:.1f} mm shorter, and not {less + 0.1:.1f} mm"
    )
    report.demand(
        less < SHORTENED,
        f"The hood is {less:.1f} mm higher than it need be: "
        f"nobody would notice one that is {SHORTENED:.0f} mm shorter.",
    )


def _spymasters_see(
    report: Report, cover: trimesh.Trimesh, screen: Screen, points: Points, outline: Outline
) -> None:
    away, above = PEOPLE["spymaster_from_screen"], PEOPLE["spymaster_above_surface"]
    plane = screen.plane

    def share(away: float, above: float, apart: float = 0) -> float:
        eyes = spymasters(plane + away, outline.surface + above, apart)
        return float(seen(cover, points, eyes).mean(axis=1).min())

    least = share(away, above)
    report.demand(
        least == 1,
        f"The hood hides the screen from a spymaster too: with an eye {away:.0f} mm before the "
        f"screen and {above:.0f} mm above the surface one sees {least:.0%} of it.",
    )
    if least == 1:
        back = largest(lambda more: share(away + more, above) == 1, 0, 400, 1)
        down = largest(lambda less: share(away, above - less) == 1, 0, above - 10, 1)
        apart = largest(lambda more: share(away, above, more) == 1, 0, 200, 1)
        report.figures.append(
            f"spymasters' eyes {away:.0f} mm before the screen, {above:.0f} mm above the surface, "
            f"see all of it; so they do {back:.0f} mm further back, {down:.0f} mm lower, "
            f"or with each head {apart:.0f} mm further from the other spymaster's"
        )
    eye = spymasters(plane + away, outline.surface + above)[0] - screen.middle
    aslant = np.degrees(np.arccos(eye @ screen.facing / np.linalg.norm(eye)))
    looks = float(np.cos(np.radians(aslant)))
    report.demand(
        looks >= LEGIBLE,
        f"The screen is hardly legible: what is 1 mm high looks like {looks:.2f} mm to the "
        f"spymasters, {LEGIBLE} are asked.",
    )
    report.figures.append(
        f"they look at it {aslant:.0f} degrees aslant: "
        f"what is 1 mm high looks like {looks:.2f} mm (least {LEGIBLE})"
    )


def largest(holds: Callable[[float], bool], low: float, high: float, step: float) -> float:
    """The largest multiple of ``step`` from ``low``, below ``high``, for which ``holds`` is true.

    It has to be true of ``low``, and never again true above where it is false.
    """
    good, bad = 0, round((high - low) / step)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(low + middle * step) else (good, middle)
    return low + good * step

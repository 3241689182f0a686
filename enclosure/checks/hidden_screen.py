"""Checks that operatives and onlookers see nothing of the hidden screen, and that spymasters see
all of it.

A line of sight is straight, from an eye (a point) to a point of a grid on the screen's visible
surface. Parts block lines of sight, unless they can be taken away by hand. People's bodies do not
block them.
"""

import numpy as np
import trimesh

from enclosure.checks import spymasters
from enclosure.checks.bodies import Body, Points, all_together, below
from enclosure.checks.eyes import Outline, onlookers, operatives
from enclosure.checks.report import Report
from enclosure.checks.screen import GRID, Screen
from enclosure.checks.search import largest
from enclosure.checks.sight import clear, reaches, visible_pairs

WALL = 1000.0
"""Minimum area in mm² of a triangle that counts as part of the front wall. Smaller triangles belong
to a screw hole."""

SHORTENED_MM = 10.0
"""The hood must be less than this many mm higher than necessary. A hood shortened by this length
must therefore fail the check."""


def check(bodies: list[Body], hood: frozenset[str], screen: Screen, outline: Outline) -> Report:
    """Return the report. ``hood`` has the names of the parts above the table's surface; these parts
    hide the screen."""
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
    _check_mirror(report, cover, hood, screen, guests["an operative"])
    _check_shorter_hood(
        report, cover, hood, screen.before(np.concatenate([*guests.values()])), points
    )
    spymasters.see(report, all_together(cover), screen, outline)
    return report


def _nobody_sees(
    report: Report, who: str, eyes: Points, screen: Screen, cover: trimesh.Trimesh
) -> None:
    before, points = screen.before(eyes), screen.points()
    what = visible_pairs(cover, points, before)
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


def _check_mirror(
    report: Report, cover: list[Body], hood: frozenset[str], screen: Screen, eyes: Points
) -> None:
    """Report the share of operatives who would see the screen if the hood's front wall were a
    mirror.

    The wall is a plane that faces the screen. The eye's mirror image is behind this plane. A line
    from a point of the screen to the mirror image meets the wall at a spot. The eye sees the point
    in the mirror if the lines from that spot to the point and to the eye are both free.
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


def _check_shorter_hood(
    report: Report, cover: list[Body], hood: frozenset[str], eyes: Points, points: Points
) -> None:
    """Report by how many mm the hood can be shortened before an operative or onlooker sees the
    screen."""
    rest = [body for body in cover if body.part not in hood]
    parts = [body for body in cover if body.part in hood]
    top = max(body.mesh.bounds[1][2] for body in parts)

    # Skip eyes that see nothing even without a hood: a shorter hood shows them nothing.
    eyes = eyes[visible_pairs(all_together(rest), points, eyes).any(axis=1)]

    def hides(less: float) -> bool:
        cut = [below(body.mesh, top - less) for body in parts]
        return not visible_pairs(
            trimesh.util.concatenate([all_together(rest), *cut]), points, eyes
        ).any()

    if not hides(0):
        return  # reported already
    report.demand(len(eyes) > 0, "The hood hides nothing: without it nobody sees the screen.")
    less = largest(hides, 0.0, 100.0, 0.1)
    report.figures.append(
        f"the hood's top is at z {top:.1f} mm; "
        f"it may be {less:.1f} mm shorter, and not {less + 0.1:.1f} mm"
    )
    report.demand(
        less < SHORTENED_MM,
        f"The hood is {less:.1f} mm higher than it need be: "
        f"nobody would notice one that is {SHORTENED_MM:.0f} mm shorter.",
    )

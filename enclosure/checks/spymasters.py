"""Checks that both spymasters see all of the hidden screen, also while they move their heads."""

from dataclasses import dataclass

import numpy as np
import trimesh

from enclosure.checks.bodies import Points
from enclosure.checks.eyes import PEOPLE, Outline, spymasters, steps
from enclosure.checks.report import Report
from enclosure.checks.screen import Screen
from enclosure.checks.search import largest
from enclosure.checks.sight import visible_pairs

LEGIBLE = 0.55
"""Minimum height in mm that 1 mm of the screen must seem to have for the spymasters, who look at it
at an angle (proposed, not measured). It is asked wherever a swaying head must see all of the
screen, because text must be legible there too."""

CAPITALS = 2.8
"""Height in mm of the capitals in the console's smallest text, on this screen."""

REACH = 300
"""Largest tested distance in mm of the eyes from the screen's upper edge."""


@dataclass(frozen=True)
class Strip:
    """The range of eye places, at one height, from which both spymasters see all of the screen."""

    nearest: int
    """Least distance in mm of the eyes from the upper edge of the screen's visible part."""
    farthest: int
    """Largest distance in mm of the eyes from the upper edge of the screen's visible part. At all
    distances from ``nearest`` to ``farthest``, the whole screen is visible."""
    aside: int
    """Largest distance in mm of the spymasters' noses from the middle line.

    Up to this distance, both see the whole screen, even if their heads move by ``spymaster_sway``
    (people.toml) forward or back from the strip's middle. 0 if the strip is too narrow for this
    movement.
    """

    @property
    def middle(self) -> float:
        return (self.nearest + self.farthest) / 2


def see(report: Report, cover: trimesh.Trimesh, screen: Screen, outline: Outline) -> None:
    """Add the places from which both spymasters see the screen to ``report``, as figures and
    findings.

    ``cover`` is one mesh of everything that can hide the screen.
    """
    sway = PEOPLE["spymaster_sway"]
    asked = PEOPLE["spymaster_aside"] + sway
    for above in steps(
        PEOPLE["spymaster_above_surface"], PEOPLE["spymaster_highest"], PEOPLE["spymaster_step"]
    ):
        found = strip(cover, screen, outline, above)
        if found is None:
            report.findings.append(
                f"Spymasters with eyes {above:.0f} mm above the surface do not see all of the "
                "screen from anywhere."
            )
            continue
        looks, _ = _looks(screen, spymasters(screen.plane + found.middle, outline.surface + above))
        swayed = spymasters(screen.plane + found.middle - sway, outline.surface + above, sway)
        least, minutes = _looks(screen, swayed)
        report.figures.append(
            f"eyes {above:.0f} mm above the surface see all of it from {found.nearest} to "
            f"{found.farthest} mm before it, noses up to {found.aside} mm from the middle line; "
            f"1 mm looks like {looks:.2f} mm there, {least:.2f} mm to a swaying head "
            f"(least {LEGIBLE}): the smallest capitals are {minutes:.0f} minutes of arc high"
        )
        report.demand(
            least >= LEGIBLE,
            f"The screen is hardly legible: what is 1 mm high looks like {least:.2f} mm to eyes "
            f"{above:.0f} mm above the surface that sway by {sway:.0f} mm, {LEGIBLE} are asked.",
        )
        wide = found.farthest - found.nearest
        report.demand(
            wide >= 2 * sway,
            f"Eyes {above:.0f} mm above the surface have a strip of {wide} mm that shows all of "
            f"the screen: heads that sway by {sway:.0f} mm take {2 * sway:.0f}.",
        )
        report.demand(
            found.aside >= asked or wide < 2 * sway,
            f"Eyes {above:.0f} mm above the surface see all of the screen with noses up to "
            f"{found.aside} mm from the middle line: heads side by side that sway by "
            f"{sway:.0f} mm take {asked:.0f}.",
        )


def strip(cover: trimesh.Trimesh, screen: Screen, outline: Outline, above: float) -> Strip | None:
    """Return the strip of places from which both spymasters see all of the screen, or None if there
    is no such place. ``above`` is the height of the eyes over the table's surface in mm.

    From nearer places, the roof's edge hides a part of the screen. From places further away, the
    front wall's edge hides a part. If there are several strips, the widest is returned.
    """
    points, sway = screen.points(), PEOPLE["spymaster_sway"]

    def all_seen(eyes: Points) -> bool:
        return bool(visible_pairs(cover, points, eyes).all())

    height = outline.surface + above
    nose = PEOPLE["spymaster_aside"]
    runs: list[list[int]] = [[]]
    for away in range(REACH):
        if all_seen(spymasters(screen.plane + away, height)):
            runs[-1].append(away)
        elif runs[-1]:
            runs.append([])
    widest = max(runs, key=len)
    if not widest:
        return None
    middle = (widest[0] + widest[-1]) / 2
    swaying = [middle + at for at in steps(-sway, sway, 5)]

    def see_with(more: float) -> bool:
        eyes = [spymasters(screen.plane + away, height, more) for away in swaying]
        return all_seen(np.concatenate(eyes))

    # Try noses from the middle line outwards, because spymasters may also sit behind each other.
    noses = [-nose + at for at in steps(0, nose, 5)]
    if not all(see_with(more) for more in noses):
        return Strip(widest[0], widest[-1], 0)
    aside = nose + largest(see_with, 0, 200, 1)
    return Strip(widest[0], widest[-1], int(aside))


def _looks(screen: Screen, eyes: Points) -> tuple[float, float]:
    """Return two numbers for the outermost eye, which looks at the screen most aslant: the height
    in mm that 1 mm of the screen seems to have, and the height of the smallest capitals in minutes
    of arc."""
    eye = eyes[0] - screen.middle
    far = float(np.linalg.norm(eye))
    looks = float(eye @ screen.facing / far)
    return looks, 60 * float(np.degrees(np.arctan(CAPITALS * looks / far)))

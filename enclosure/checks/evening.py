"""Checks that the picture of an evening shows this box, and nothing of the hidden screen."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from enclosure.checks.bodies import Body, all_together
from enclosure.checks.report import Report
from enclosure.checks.screen import Screen
from enclosure.checks.sight import visible_pairs
from enclosure.levels import FRAME_FAR, NEAR_INSIDE, OVERLAY_TOP, SIDE_INSIDE

PICTURE: Final = Path(__file__).parents[1] / "files" / "pictures" / "evening.png"
CAMERA: Final = (190.0, -1340.0, 810.0)
"""Eyes of a guest who stands behind the operatives: x, y and z in mm."""
LOOK: Final = (20.0, 0.0, 178.0)
"""The point in the middle of the picture."""
VIEW: Final = 52.0
"""Degrees from the picture's left edge to its right edge."""


def check(bodies: Iterable[Body], screen: Screen, picture: Path = PICTURE) -> Report:
    """Return the report."""
    report = Report("The picture of an evening")
    with Image.open(picture) as image:
        shown = image.info.get("Box")
    report.demand(
        shown == digest(bodies),
        f"{picture.name} shows an earlier box or view: run `make -C enclosure evening`.",
    )
    cover = all_together([body for body in bodies if body.covers])
    sees = visible_pairs(cover, screen.points(), np.array([CAMERA])).mean()
    report.figures.append(f"it shows {sees:.0%} of the hidden screen")
    report.demand(not sees, f"{picture.name} shows {sees:.0%} of the hidden screen.")
    return report


def seen(bodies: Iterable[Body]) -> Iterator[Body]:
    """Yield the bodies that reach out of the closed box."""
    for body in bodies:
        low, high = body.mesh.bounds
        sides = (low[0] < -SIDE_INSIDE, high[0] > SIDE_INSIDE, low[1] < NEAR_INSIDE)
        if any(sides) or high[1] > FRAME_FAR or high[2] > OVERLAY_TOP:
            yield body


def digest(bodies: Iterable[Body]) -> str:
    """Return a hash of the camera, and of the shapes that can be seen, to 0.1 mm."""
    found = hashlib.sha256(repr((CAMERA, LOOK, VIEW)).encode())
    for body in seen(bodies):
        # Lengths are multiples of 0.05 mm. No such number is at a step after this shift.
        steps = np.floor(body.mesh.vertices * 10 + 0.237).astype(np.int32)
        found.update(body.name.encode() + steps.tobytes())
    return found.hexdigest()[:16]

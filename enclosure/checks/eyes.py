"""Places of eyes: those that must not see the hidden screen, and those that must see it. Sizes of
people are in people.toml."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from enclosure.checks.bodies import Points
from hardware.dimensions import read

PEOPLE: Final = {
    name: each.mm for name, each in read(Path(__file__).with_name("people.toml")).items()
}


@dataclass(frozen=True)
class Outline:
    """The table seen from above, in millimetres: its edges, and the height of its surface."""

    left: float
    right: float
    near: float
    far: float
    surface: float


def heights(outline: Outline) -> NDArray[np.float64]:
    """Return the tested heights of eyes as z in mm, relative to the table: from low eyes at a high
    table to high eyes at a low table."""
    lowest = max(0.0, PEOPLE["eye_lowest"] - PEOPLE["surface_highest"])
    highest = PEOPLE["eye_highest"] - PEOPLE["surface_lowest"]
    return outline.surface + steps(lowest, highest, PEOPLE["eye_step"])


def operatives(outline: Outline, plane: float) -> Points:
    """Return places of operatives' eyes on the three sides without spymasters, from the table's
    edge outward.

    The three sides end at ``plane``, the y of the screen's surface. Beyond that line, people count
    as being on the spymasters' side. Operatives who lean in have their eyes over the table, at
    least a head's height above it.
    """
    reach, step = PEOPLE["operatives_reach"], PEOPLE["operatives_step"]
    across = steps(outline.left - reach, outline.right + reach, step)
    down = steps(outline.near - reach, plane - 1, step)
    eyes = _grid(across, down, heights(outline))
    x, y, z = eyes.T
    over = (x > outline.left) & (x < outline.right) & (y > outline.near)
    return eyes[~over | (z >= outline.surface + PEOPLE["head"])]


def onlookers(outline: Outline) -> Points:
    """Return the eye places of onlookers who look over the spymasters' shoulders, from the nearest
    standing place outward."""
    aside, step = PEOPLE["onlookers_aside"], PEOPLE["operatives_step"]
    nearest = outline.far + PEOPLE["onlooker_from_edge"]
    down = steps(nearest, nearest + PEOPLE["operatives_reach"], step)
    return _grid(steps(-aside, aside, step), down, heights(outline))


def spymasters(y: float, z: float, apart: float = 0) -> Points:
    """Return four points: both eyes of two spymasters, who sit side by side and lean over the hood.

    ``apart`` is a distance in mm by which each spymaster is further from the middle line than
    usual.
    """
    aside, half = PEOPLE["spymaster_aside"] + apart, PEOPLE["eye_from_nose"]
    return np.array([(side * aside + eye, y, z) for side in (-1, 1) for eye in (-half, half)])


def steps(low: float, high: float, step: float) -> NDArray[np.float64]:
    """Return values from ``low`` to ``high``, both included. Neighbouring values differ by at most
    ``step``."""
    return np.linspace(low, high, int(np.ceil((high - low) / step)) + 1)


def _grid(*ways: NDArray[np.float64]) -> Points:
    return np.stack(np.meshgrid(*ways, indexing="ij"), axis=-1).reshape(-1, 3)

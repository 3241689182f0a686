"""Checks the light of one cell: how much of it leaves through the neighbours' tops, and how even
the ring of light around the card is.

The parts' meshes and the overlay scatter photons from the four LEDs of C3. Reflectances, the
overlay's free path and the gap over the walls are proposals until a table is measured.
"""

from dataclasses import dataclass

import numpy as np
import trimesh
from numpy.typing import NDArray

from enclosure.checks.bodies import Body, Points
from enclosure.checks.report import Report
from enclosure.dimensions import MM

PHOTONS = 120_000
SEED = 25
STEPS = 400
"""Number of collisions after which a photon counts as lost."""

REFLECTS = {"light-cells": 0.85, "tile": 0.5, "electrode": 0.5}
"""Share of light that a part scatters back: white filament, solder resist, and the back of a board
(proposed, not measured)."""

GAP = 0.2
"""Millimetres of air between walls and overlay, because neither is quite flat (proposed, not
measured)."""

FREE_PATH = 1.5
"""Mean distance in mm that a photon travels in opal acrylic from one scattering to the next
(proposed, not measured)."""

INDEX = 1.49
"""Refractive index of acrylic (published value)."""

LED_HEIGHT = 1.6
"""Millimetres from the tile up to the light-emitting surface of a 5050 LED (published value)."""

CARD = (88.0, 63.0)
"""Width and height in mm of the larger word card. The light ring is the part of a cell that the
card does not cover."""

TO_ONE_AT_MOST = 0.05
"""Largest permitted share of a cell's light through one neighbour's top (proposed, not measured).
With this share, a lit cell is twenty times as bright as the dark cell beside it."""

SECTORS = 20


@dataclass(frozen=True)
class Left:
    """Photons that have left the table through the overlay's top: x and y in mm from the cell's
    middle, and the weight of each photon."""

    x: Points
    y: Points
    weight: Points


def check(bodies: list[Body]) -> Report:
    """Return the report. ``bodies`` are all bodies of the table; only bodies near C3 are used."""
    report = Report("Light stays in its cell")
    left = follow(bodies)
    half = (MM["pitch_across"] / 2, MM["pitch_down"] / 2)
    beyond = np.maximum(np.abs(left.x) - half[0], np.abs(left.y) - half[1])
    total = left.weight.sum()
    report.figures.append(
        f"{total / PHOTONS:.0%} of an LED's light leaves through the overlay's top"
    )
    leaks, far = (left.weight[beyond > mm].sum() / total for mm in (0, 5))
    report.figures.append(
        f"of that {leaks:.0%} through neighbours' tops, {far:.0%} more than 5 mm from the line"
    )
    one = max(
        left.weight[((np.abs(each - way) < side) & (np.abs(other) < rest))].sum() / total
        for each, other, side, rest in ((left.x, left.y, *half), (left.y, left.x, *half[::-1]))
        for way in (-2 * side, 2 * side)
    )
    report.figures.append(
        f"to one neighbour at most {one:.1%} (demanded: at most {TO_ONE_AT_MOST:.0%})"
    )
    report.demand(
        bool(one <= TO_ONE_AT_MOST),
        f"light-cells: {one:.1%} of a cell's light leaves through one neighbour's top; "
        f"{TO_ONE_AT_MOST:.0%} is the most.",
    )
    darkest, brightest = evenness(left, half)
    report.figures.append(
        f"the ring round a card of {CARD[0]:.0f} x {CARD[1]:.0f} mm, in {SECTORS} parts: "
        f"the darkest has {darkest:.0%} of the mean, the brightest {brightest:.0%}"
    )
    return report


def evenness(left: Left, half: tuple[float, float]) -> tuple[float, float]:
    """Return the brightness of the darkest and of the brightest sector of the ring of light.
    Brightness is light per mm², as a multiple of the ring's mean."""
    ways = (np.arange(0.5 - side, side, 1.0) for side in half)
    x, y = (each.ravel() for each in np.meshgrid(*ways))
    free = _open(x, y, half)
    area = np.bincount(_sector(x[free], y[free], half), minlength=SECTORS)
    shown = _open(left.x, left.y, half)
    light = np.bincount(
        _sector(left.x[shown], left.y[shown], half), left.weight[shown], minlength=SECTORS
    )
    bright = light / area
    mean = light.sum() / area.sum()
    return float(bright.min() / mean), float(bright.max() / mean)


def _open(x: Points, y: Points, half: tuple[float, float]) -> NDArray[np.bool_]:
    """True if a point is on the cell and not covered by the card."""
    on_cell = (np.abs(x) < half[0]) & (np.abs(y) < half[1])
    return np.asarray(on_cell & ((np.abs(x) > CARD[0] / 2) | (np.abs(y) > CARD[1] / 2)))


def _sector(x: Points, y: Points, half: tuple[float, float]) -> NDArray[np.int64]:
    """Return the number of the light ring's sector at a point. The cell's outline is stretched to a
    circle, and the circle is divided into equal sectors."""
    turn = np.arctan2(y / half[1], x / half[0]) / (2 * np.pi) % 1
    return (turn * SECTORS).astype(np.int64) % SECTORS


# --- photons


def follow(bodies: list[Body], gap: float = GAP) -> Left:
    """Return the places where light of C3's four LEDs leaves the overlay's top."""
    scene, reflects = _scene(bodies, gap)
    random = np.random.default_rng(SEED)
    place, way = _from_leds(random)
    weight = np.ones(PHOTONS)
    inside = np.zeros(PHOTONS, bool)
    top = MM["overlay_thickness"]
    out: list[NDArray[np.float64]] = []
    for _ in range(STEPS):
        if not len(place):
            break
        air = ~inside
        place[air], way[air], weight[air], inside[air] = _in_air(
            scene, reflects, random, place[air], way[air], weight[air]
        )
        acrylic = ~air
        place[acrylic], way[acrylic], leaves = _in_acrylic(
            random, place[acrylic], way[acrylic], top
        )
        gone = np.zeros(len(place), np.int8)
        gone[acrylic] = leaves
        up = gone > 0
        out.append(np.column_stack([place[up, :2], weight[up]]))
        back = gone < 0
        weight[back] *= np.where(_under_electrode(place[back]), REFLECTS["electrode"], 1)
        # An electrode is glued to the overlay, so it scatters light straight back into it.
        glued = np.flatnonzero(back)[_under_electrode(place[back])]
        way[glued] = _scatter(random, np.tile([0.0, 0.0, 1.0], (len(glued), 1)))
        inside[back] = False
        inside[glued] = True
        keep = ~up & (weight > 1e-3) & (np.abs(place[:, :2]) < 400).all(axis=1)
        place, way, weight, inside = place[keep], way[keep], weight[keep], inside[keep]
    x, y, w = np.concatenate(out).T
    return Left(x, y, w)


def _scene(bodies: list[Body], gap: float) -> tuple[trimesh.Trimesh, NDArray[np.float64]]:
    """Return one mesh of the parts below the overlay near C3, and the reflectance of each of its
    triangles."""
    meshes, reflects = [], []
    for body in bodies:
        for start, share in REFLECTS.items():
            if body.part.startswith(start) and np.abs(body.mesh.bounds).min(axis=0)[:2].max() < 170:
                meshes.append(body.mesh if start == "electrode" else body.moved(z=-gap).mesh)
                reflects.append(np.full(len(body.mesh.faces), share))
    return trimesh.util.concatenate(meshes), np.concatenate(reflects)


def _from_leds(random: np.random.Generator) -> tuple[Points, Points]:
    which = random.integers(0, 4, PHOTONS)
    x = np.where(which % 2, 1, -1) * MM["led_across"] / 2 + random.uniform(-1.5, 1.5, PHOTONS)
    y = np.where(which // 2, 1, -1) * MM["led_down"] / 2 + random.uniform(-1.5, 1.5, PHOTONS)
    z = np.full(PHOTONS, LED_HEIGHT - MM["light_depth"])
    up = np.tile([0.0, 0.0, 1.0], (PHOTONS, 1))
    return np.column_stack([x, y, z]), _scatter(random, up)


def _in_air(
    scene: trimesh.Trimesh,
    reflects: NDArray[np.float64],
    random: np.random.Generator,
    place: Points,
    way: Points,
    weight: Points,
) -> tuple[Points, Points, Points, NDArray[np.bool_]]:
    """Return photons at the end of their path through air. The path ends at a part, which scatters
    the photon, or at the overlay, which lets it in or reflects it."""
    hit = scene.ray.intersects_first(place, way)
    met = hit >= 0
    normal = np.where(met[:, None], scene.face_normals[hit], [0.0, 0.0, 1.0])
    corner = scene.triangles[hit, 0]
    along = np.einsum("ij,ij->i", normal, way)
    length = np.einsum("ij,ij->i", normal, corner - place) / np.where(along == 0, 1, along)
    length = np.where(met & (along != 0), length, np.inf)
    rises = way[:, 2] > 1e-9
    to_overlay = np.where(rises, -place[:, 2] / np.where(rises, way[:, 2], 1), np.inf)
    enters = to_overlay < length
    lost = np.isinf(length) & np.isinf(to_overlay)
    step = np.where(lost, 0, np.minimum(length, to_overlay))
    place = place + step[:, None] * way
    facing = np.where((along > 0)[:, None], -normal, normal)
    bounced = _scatter(random, facing)
    weight = np.where(lost, 0, weight * np.where(enters, 1, reflects[hit]))
    thrown = enters & (random.random(len(way)) < _reflectance(np.abs(way[:, 2]), 1 / INDEX))
    inward = way / np.array([INDEX, INDEX, 1])
    inward[:, 2] = np.sqrt(np.maximum(1 - (inward[:, :2] ** 2).sum(axis=1), 0))
    mirrored = way * [1, 1, -1]
    way = np.where(enters[:, None], np.where(thrown[:, None], mirrored, inward), bounced)
    place = place + 1e-3 * np.where(enters[:, None], way, facing)
    return place, way, weight, enters & ~thrown


def _in_acrylic(
    random: np.random.Generator, place: Points, way: Points, top: float
) -> tuple[Points, Points, NDArray[np.int8]]:
    """Return photons after one step in acrylic: where they are scattered next, or at a face of the
    overlay.

    The last array has 1 for a photon that leaves at the top, -1 for a photon that leaves at the
    underside, and 0 otherwise.
    """
    free = random.exponential(FREE_PATH, len(place))
    rises = way[:, 2] > 0
    level = np.where(np.abs(way[:, 2]) < 1e-9, 1e-9, way[:, 2])
    to_face = np.where(rises, top - place[:, 2], -place[:, 2]) / level
    at_face = to_face <= free
    place = place + np.minimum(to_face, free)[:, None] * way
    thrown = at_face & (random.random(len(way)) < _reflectance(np.abs(way[:, 2]), INDEX))
    around = random.normal(size=way.shape)
    around /= np.linalg.norm(around, axis=1)[:, None]
    outward = way * [INDEX, INDEX, 1]
    flat = np.minimum((outward[:, :2] ** 2).sum(axis=1), 1)
    outward[:, 2] = np.where(rises, 1, -1) * np.sqrt(1 - flat)
    mirrored = way * [1, 1, -1]
    way = np.where(at_face[:, None], np.where(thrown[:, None], mirrored, outward), around)
    leaves = at_face & ~thrown
    place = place + 1e-3 * np.where(thrown[:, None], way, 0)
    return place, way, np.where(leaves, np.where(rises, 1, -1), 0).astype(np.int8)


def _under_electrode(place: Points) -> NDArray[np.bool_]:
    """True if an electrode is glued to the overlay's underside at this point."""
    across = (place[:, 0] + MM["pitch_across"] / 2) % MM["pitch_across"] - MM["pitch_across"] / 2
    down = (place[:, 1] + MM["pitch_down"] / 2) % MM["pitch_down"] - MM["pitch_down"] / 2
    inside = np.abs(across) < MM["electrode_across"] / 2
    return np.asarray(inside & (np.abs(down) < MM["electrode_down"] / 2))


def _scatter(random: np.random.Generator, normal: Points) -> Points:
    """Return random directions away from a matt face. Their density is proportional to the cosine
    of the angle to the face's normal."""
    around = random.normal(size=normal.shape)
    around /= np.linalg.norm(around, axis=1)[:, None]
    way = normal * (1 + 1e-6) + around
    return np.asarray(way / np.linalg.norm(way, axis=1)[:, None])


def _reflectance(cosine: Points, index: float) -> Points:
    """Return the share of light that a smooth face reflects, by Fresnel's formulas. ``index`` is
    the refractive index on the photon's side of the face, divided by the index on the other side.
    """
    sine = index * np.sqrt(np.maximum(1 - cosine**2, 0))
    beyond = np.sqrt(np.maximum(1 - sine**2, 0))
    upright = ((index * cosine - beyond) / (index * cosine + beyond)) ** 2
    flat = ((cosine - index * beyond) / (cosine + index * beyond)) ** 2
    return np.where(sine >= 1, 1.0, (upright + flat) / 2)

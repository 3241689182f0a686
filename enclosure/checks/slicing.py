"""Slices every printed part for the printer's bed with PrusaSlicer. A part fails if PrusaSlicer
reports an error.

Time, filament and supports are read from the G-code.
"""

import hashlib
import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

import trimesh

from enclosure.checks.report import Report

PROFILE: Final = Path(__file__).parent.parent / "printer.ini"
AT_ONCE = 2

READ: Final = 1
"""Version of the code that reads the G-code. Increase it to make cached results invalid."""

SUPPORTS = 0.15
"""Largest permitted share of supports in a part's filament. It is enough for supports in holes, but
not for supports under a whole face."""


@dataclass(frozen=True)
class Sliced:
    """PrusaSlicer's result for one piece of a part.

    ``refused`` is PrusaSlicer's error message, or None. ``grams`` is the weight of all filament,
    including supports; ``supports`` is the weight in grams of the supports.
    """

    name: str
    minutes: int = 0
    grams: float = 0
    supports: float = 0
    refused: str | None = None


def check(
    parts: dict[str, trimesh.Trimesh], pieces: dict[str, int], bed: tuple[float, float, float]
) -> Report:
    """Return the report on ``parts``, sliced in their printing poses. ``bed`` is in mm; ``pieces``
    is how many pieces of each part the table needs."""
    report = Report("Printed parts, sliced", [f"PrusaSlicer {version()}, one piece of each"])
    profile = settings()
    corners = f"0x0,{bed[0]:g}x0,{bed[0]:g}x{bed[1]:g},0x{bed[1]:g}"
    report.demand(
        (profile["bed_shape"], profile["max_print_height"]) == (corners, f"{bed[2]:g}"),
        f"{PROFILE.name}: the bed is not {bed[0]:g} x {bed[1]:g} x {bed[2]:g} mm of our lengths.",
    )
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sliced = list(pool.map(slice_part, parts, parts.values()))
    for each in sliced:
        size = " x ".join(f"{length:.0f}" for length in parts[each.name].extents)
        if each.refused is not None:
            report.findings.append(f"{each.name} ({size} mm) is not sliced: {each.refused}")
            continue
        report.figures.append(
            f"{each.name}: {size} mm, {duration(each.minutes)}, {each.grams:.0f} g"
            + (f", {each.supports:.1f} g of it supports" if each.supports else "")
        )
        report.demand(
            each.supports <= SUPPORTS * each.grams,
            f"{each.name} ({size} mm) takes {each.supports:.1f} g of supports as it stands.",
        )
    hours = sum(each.minutes * pieces[each.name] for each in sliced) / 60
    grams = sum(each.grams * pieces[each.name] for each in sliced)
    report.figures.append(
        f"{sum(pieces[each.name] for each in sliced)} pieces together: {hours:.0f} h, {grams:.0f} g"
    )
    return report


def settings() -> dict[str, str]:
    """Return the settings of the committed PrusaSlicer profile."""
    lines = PROFILE.read_text("utf-8").splitlines()
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, value in pairs}


def slice_part(name: str, mesh: trimesh.Trimesh) -> Sliced:
    """Slice one piece in the middle of the bed, or return the cached result.

    An error is not cached: a refused piece is sliced again on each call.
    """
    shape = mesh.export(file_type="stl")
    made_of = repr((name, hashlib.sha256(shape).digest(), PROFILE.read_bytes(), version(), READ))
    kept = _cache() / f"{hashlib.sha256(made_of.encode()).hexdigest()}.json"
    if kept.exists():
        return Sliced(**json.loads(kept.read_text("utf-8")))
    sliced = _slice(name, shape)
    if sliced.refused is None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=kept.parent, delete=False) as file:
            json.dump(asdict(sliced), file)
        Path(file.name).replace(kept)
    return sliced


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "pi-table/enclosure/sliced"


def _slice(name: str, shape: bytes) -> Sliced:
    with tempfile.TemporaryDirectory(prefix="pi-table-slice-") as folder:
        stl, gcode = Path(folder) / f"{name}.stl", Path(folder) / f"{name}.gcode"
        stl.write_bytes(shape)
        command = ["prusa-slicer", "--loglevel", "1", "--datadir", folder, "--load", str(PROFILE)]
        done = subprocess.run(
            [*command, "--export-gcode", "--output", str(gcode), str(stl)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not gcode.exists():
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            return Sliced(name, refused=said[-1] if said else f"status {done.returncode}")
        return read(name, gcode.read_text("utf-8"))


def read(name: str, gcode: str) -> Sliced:
    """Return the figures in the comments of PrusaSlicer's G-code. Raises ValueError if the figures
    are missing."""
    time = re.search(r"^; estimated printing time \(normal mode\) = (.*)$", gcode, re.M)
    grams = re.search(r"^; total filament used \[g\] = ([\d.]+)$", gcode, re.M)
    if not time or not grams:
        raise ValueError(f"{name}: the G-code does not say how long it takes, or how much.")
    units = {"d": 1440.0, "h": 60.0, "m": 1.0, "s": 1 / 60}
    minutes = sum(int(n) * units[unit] for n, unit in re.findall(r"(\d+)([dhms])", time[1]))
    whole, supports = _filament(gcode)
    return Sliced(name, round(minutes), float(grams[1]), float(grams[1]) * supports / whole)


def _filament(gcode: str) -> tuple[float, float]:
    """Return two lengths in mm: all filament through the nozzle, and the filament for supports."""
    total = supports = at = 0.0
    in_support = False
    for line in gcode.splitlines():
        if line.startswith(";TYPE:"):
            in_support = line.startswith(";TYPE:Support")
        elif line.startswith("G92 E"):
            at = float(line[5:])
        elif line.startswith("G1 ") and (found := re.search(r" E(-?[\d.]+)", line)):
            moved, at = float(found[1]) - at, float(found[1])
            total += moved
            supports += moved if in_support else 0
    return total, supports


def duration(minutes: int) -> str:
    """Return a number of minutes as a text with hours and minutes."""
    return f"{minutes // 60} h {minutes % 60:02d} min"


@cache
def version() -> str:
    """Return PrusaSlicer's version."""
    said = subprocess.run(["prusa-slicer", "--help"], capture_output=True, text=True, check=False)
    found = re.search(r"PrusaSlicer-(\d[\d.]*)", said.stdout)
    return found[1] if found else "of no known version"

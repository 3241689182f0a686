"""The handwork and the money that a table takes, counted from the files.

`python -m hardware.effort` prints them for a table with the hidden screen, and for a plain one, on
which phones carry the key. The minutes of each action are in effort.toml, and are proposals.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from enclosure.fasteners import JOINTS, Joint
from enclosure.leads import COMBS
from hardware import parts, places
from hardware.boards.bom import FLAT, MAKER
from hardware.boards.check import footprints
from hardware.cabling import Drawing
from hardware.figures import lines_of, read, values
from hardware.harness import crimps, drawings, joints
from hardware.parts import Part

FOLDER: Final = Path(__file__).parent
FILE: Final = FOLDER / "effort.toml"
BUILD: Final = FOLDER / "BUILD.md"
CHAPTERS: Final = FOLDER / "chapters.csv"
FIGURES: Final = FOLDER.parent / "enclosure" / "figures.txt"
BOARDS: Final = {"carrier": "chips", "tile": "lights"}
"""The chapter in which each board is soldered."""
CABLES: Final = {
    "to the carrier": "chips",
    "supply": "chips",
    "to the loudspeaker": "chips",
    "to amplifier": "sound",
    "amplifier's supply": "sound",
    "screen's supply": "screen",
}
"""The chapter of each cable of the Raspberry Pi; the others are connected in ``knobs``."""
WITH_SCREEN: Final = {"screen's supply", "to encoder", "to back", "to peek"}
"""The cables of the Raspberry Pi that a table without the hidden screen does not have."""
ONCE: Final = {
    "cards": "parts",
    "engraving": "parts",
    "install": "machine",
    "sealing": "electrodes",
}
"""The chapter of each action that is done once."""
WITH, WITHOUT = "with the screen", "without the screen"
OTHER_PI: Final = ("pi-5", "5-20")
"""The part that a Zero 2 W replaces, and the price class of the Zero 2 W: 15 $ by its maker (P)."""


@dataclass(frozen=True)
class Work:
    """An action that is done ``count`` times in a chapter."""

    chapter: str
    action: str
    count: float


@dataclass(frozen=True)
class Box:
    """What enclosure/figures.txt says of the box, with the hidden screen or without it."""

    hours: float
    """Hours of printing."""
    printed: int
    tabs: int
    sheets: Mapping[str, int]
    """Number of whole sheets by the id of their material."""
    pieces: Mapping[str, int]
    """Number of pieces of plywood by name."""
    area: float
    """Area of all sheets in dm²."""


@cache
def box(has_screen: bool) -> Box:
    """Return the box's numbers. Raises ValueError if figures.txt does not have one."""
    text = FIGURES.read_text("utf-8")
    plain = "" if has_screen else "plain-"
    lines = re.findall(rf"^  {plain}(plywood(?:-thin)?)-\d+ of .*?: (.+)$", text, re.MULTILINE)
    pieces: Counter[str] = Counter()
    for _, names in lines:
        for number, name in re.findall(r"(?:(\d+) x )?([a-z-]+)", names):
            pieces[name] += int(number or 1)
    printed, hours = _numbers(text, r"(\d+) pieces together: (\d+) h")
    tabs = _numbers(text, r"(\d+) tabs, each", 0 if has_screen else 1)
    variant = "with" if has_screen else "without"
    area = _numbers(text, rf"  {variant} it: .* of (\d+) dm² together")
    return Box(
        hours, int(printed), int(tabs[0]), Counter(kind for kind, _ in lines), pieces, area[0]
    )


def _numbers(text: str, pattern: str, at: int = 0) -> tuple[float, ...]:
    found = [each.groups() for each in re.finditer(pattern, text)]
    if at >= len(found):
        raise ValueError(f"{FIGURES.name} has no {pattern}.")
    return tuple(map(float, found[at]))


@cache
def chapters() -> dict[str, tuple[int, ...]]:
    """Return the steps of the box that each chapter of BUILD.md shows, by the chapter's name."""
    _, *texts = re.split(r"\n## \d+\. ", BUILD.read_text("utf-8"))
    return {
        text.partition("\n")[0]: tuple(map(int, re.findall(r"/step-(\d+)\.png", text)))
        for text in texts
    }


@cache
def _rows() -> tuple[dict[str, str], ...]:
    with CHAPTERS.open(newline="", encoding="utf-8") as file:
        return tuple(csv.DictReader(file))


def needed(options: Iterable[str]) -> set[str]:
    """Return the names of the parts that a table with these options needs. ``options`` are texts of
    the column ``for`` in chapters.csv."""
    return {row["part"] for row in _rows() if row["for"] in {"", *options}}


def options(has_screen: bool) -> set[str]:
    """Return the options of a table with all extras, with the hidden screen or without it."""
    return {row["for"] for row in _rows()} - {WITHOUT if has_screen else WITH}


def bought(has_screen: bool, without: str = "") -> list[Part]:
    """Return the parts to buy, without those that only the option ``without`` needs."""
    wanted = needed(options(has_screen) - {without})
    known = {row["part"] for row in _rows()}
    sheets = box(has_screen).sheets
    found = []
    for part in parts.read():
        if part.id in wanted or part.id not in known:
            found.append(replace(part, quantity=sheets.get(part.id, part.quantity)))
    return found


def work(has_screen: bool) -> Iterator[Work]:
    """Yield all handwork, in no order."""
    of_box, drawn = box(has_screen), drawings(places.wiring())
    yield Work("parts", "order", len(bought(has_screen)))
    yield Work("parts", "printed", of_box.printed)
    yield Work("parts", "varnish", of_box.area)
    yield from (Work(chapter, action, 1) for action, chapter in ONCE.items())
    yield from (Work(chapter, "chapter", 1) for chapter in chapters())
    yield from _of_box(of_box, has_screen)
    yield from _of_boards()
    yield from _of_cables(drawn, has_screen)
    pads, guards = places.rows("pad"), places.rows("rim")
    yield Work("lights", "tile", len(pads))
    yield Work("electrodes", "electrode", len(pads))
    yield Work("electrodes", "guard", len(guards))
    yield Work("calibration", "calibrated", len(pads) + len(guards))


def _of_box(of_box: Box, has_screen: bool) -> Iterator[Work]:
    """Yield the handwork on sheets, screws and inserts. The tabs of a piece count as many as those
    of any other."""
    of = {row["part"]: row["chapter"] for row in reversed(_rows())}
    share = of_box.tabs / sum(of_box.pieces.values())
    for name, number in of_box.pieces.items():
        yield Work(of[name], "sheet", number)
        yield Work(of[name], "tab", number * share)
    for joint in joints_of(has_screen):
        chapter = next(name for name, steps in chapters().items() if joint.step in steps)
        yield Work(chapter, "screw", joint.count)
        yield Work(chapter, "insert", joint.count if joint.into == "insert" else 0)


def joints_of(has_screen: bool) -> list[Joint]:
    """Return the screwed joints of the box."""
    return [joint for joint in JOINTS if has_screen or not joint.what.startswith("screen")]


def _of_boards() -> Iterator[Work]:
    """Yield the handwork on the boards: all that bom.csv leaves to the maker."""
    feeds = len(places.fed([*places.chain(places.wiring())]))
    for board, chapter in BOARDS.items():
        folder = FOLDER / "boards" / board
        pins = {
            part.ref: sum(bool(number) for number, _ in part.pads)
            for part in footprints((folder / f"{board}.kicad_pcb").read_text("utf-8"))
        }
        with (folder / "bom.csv").open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["Placed by"] == MAKER]
        for row in rows:
            refs = row["Designator"].split()
            boards = len(places.rows("pad")) if board == "tile" else 1
            if board == "tile" and refs == ["J4"]:
                boards = feeds
            if FLAT.search(row["Footprint"]):
                yield Work(chapter, "flat", boards * len(refs))
                continue
            soldered = boards * sum(pins[ref] for ref in refs)
            # The sockets are soldered to the carrier, and pin strips into the breakouts.
            yield Work(chapter, "pin", soldered * (2 if row["Part"].endswith("-breakout") else 1))
            yield Work(chapter, "placed", boards * len(refs))
            yield Work(chapter, "probe", boards * (row["Part"] == "spring-probe"))


def _of_cables(drawn: Mapping[str, Drawing], has_screen: bool) -> Iterator[Work]:
    lights, electrodes, pi = (drawn[name] for name in ("lights", "electrodes", "pi"))
    wires = sum(each["wirecount"] for each in lights["cables"].values())
    yield Work("lights", "ready", 2 * wires)
    yield Work("lights", "joint", joints(lights))
    yield Work("lights", "crimp", crimps(lights) + crimps(electrodes))
    leads = sum(name.startswith("lead ") for name in electrodes["cables"])
    yield Work("lights", "cable", len(lights["cables"]) + leads)
    yield Work("lights", "laid", leads)
    yield Work("lights", "comb", len(COMBS))
    for name, cable in pi["cables"].items():
        if has_screen or name not in WITH_SCREEN:
            yield Work(CABLES.get(name, "knobs"), "header", cable["wirecount"])
    yield Work("chips", "crimp", _crimps_of(pi, "to the carrier"))
    yield Work("sound", "crimp", _crimps_of(pi, "amplifier's supply"))


def _crimps_of(drawing: Drawing, cable: str) -> int:
    return crimps({**drawing, "connections": [c for c in drawing["connections"] if cable in c[1]]})


def hours(has_screen: bool) -> dict[str, float]:
    """Return the hours of handwork of each chapter of BUILD.md."""
    minutes = values(read(FILE))
    found = dict.fromkeys(chapters(), 0.0)
    for each in work(has_screen):
        found[each.chapter] += each.count * minutes[each.action] / 60 * (1 + minutes["again"])
    return found


def counted(has_screen: bool) -> dict[str, float]:
    """Return how often each action is done."""
    found: dict[str, float] = {}
    for each in work(has_screen):
        found[each.action] = found.get(each.action, 0) + each.count
    return found


COUNTS: Final = {
    "contacts crimped by hand": "crimp",
    "contacts of ready leads pushed into plugs": "ready",
    "ready leads joined": "joint",
    "flat parts placed by hand": "flat",
    "parts with leads soldered by hand": "placed",
    "pins soldered by hand": "pin",
    "threaded inserts": "insert",
    "screws": "screw",
    "tabs glued": "tab",
    "printed pieces": "printed",
}
"""The counts that the table shows, each with its action."""


def of_hours() -> Iterator[str]:
    """Yield the lines of the table of hours by chapter."""
    both = hours(True), hours(False)
    rows = [(name, *(f"{each[name]:.1f}" for each in both)) for name in chapters()]
    rows.append(("**together**", *(f"{sum(each.values()):.0f}" for each in both)))
    return lines_of(("hours of handwork (P)", WITH, WITHOUT), rows)


def sentence() -> Iterator[str]:
    """Yield the line of BUILD.md that says how long a table takes."""
    both = [sum(hours(each).values()) for each in (True, False)]
    yield (
        f"**Print now**: it takes {box(True).hours:.0f} hours. Your hands take about {both[0]:.0f} "
        f"(P), without the screen {both[1]:.0f}."
    )


def of_counts() -> Iterator[str]:
    """Yield the lines of the table of counts."""
    both = counted(True), counted(False)
    rows = [(what, *(f"{each.get(name, 0):.0f}" for each in both)) for what, name in COUNTS.items()]
    boxes = box(True), box(False)
    rows.append(("sheets of plywood", *(f"{sum(each.sheets.values())}" for each in boxes)))
    rows.append(("hours of printing", *(f"{each.hours:.0f}" for each in boxes)))
    return lines_of(("count (C)", WITH, WITHOUT), rows)


def of_cost() -> Iterator[str]:
    """Yield the lines of the table of prices by group, with each price class at its middle."""
    both = bought(True), bought(False)
    names = [*parts.GROUPS, parts.ELECTRONICS]
    rows = []
    for name in names:
        groups = [[part for part in each if parts.group(part) == name] for each in both]
        rows.append((name, *map(_money, groups)))
    rows.sort(key=lambda row: -float(row[1].partition(" ")[0]))
    rows.append(("**together**", *map(_money, both)))
    return lines_of(("€, in the middle (from, to) (P)", WITH, WITHOUT), rows)


def _money(listed: list[Part]) -> str:
    low, high = parts.cost(listed)
    return f"{parts.middle(listed):.0f} ({low:.0f} to {high:.0f})"


def savings() -> Iterator[str]:
    """Yield the lines of the table of what a table costs less if it lacks something."""
    whole = bought(True)
    name, cheaper = OTHER_PI
    zero = [replace(part, price_class=cheaper) if part.id == name else part for part in whole]
    others = {
        "no hidden screen": bought(False),
        "no sound": bought(True, "sound"),
        "no LED and button": bought(True, "an LED and a button on the case"),
        "a Zero 2 W for the Pi 5": zero,
    }
    rows = [
        (what, f"{parts.middle(whole) - parts.middle(other):.0f}") for what, other in others.items()
    ]
    return lines_of(("saves", "€, in the middle (P)"), rows)


TABLES: Final = (of_hours, of_counts, of_cost, savings)


if __name__ == "__main__":
    for each in TABLES:
        print("\n".join([*each(), ""]))

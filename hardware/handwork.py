"""The handwork that a table takes: each action, how often, and in which chapter of BUILD.md.

The actions are counted from the files of boards, cables and box. effort.toml has the minutes of
each, which are proposals.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from enclosure.fasteners import JOINTS, Joint
from enclosure.leads import COMBS
from hardware import places
from hardware.boards.bom import FLAT, MAKER
from hardware.boards.check import footprints
from hardware.cabling import Drawing
from hardware.figures import read, values
from hardware.harness import crimps, drawings, joints
from hardware.variants import Box, bought, box, chapters, rows

FOLDER: Final = Path(__file__).parent
FILE: Final = FOLDER / "effort.toml"
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
    "light_cells": "lights",
    "sealing": "electrodes",
}
"""The chapter of each action that is done once."""


@dataclass(frozen=True)
class Work:
    """An action that is done ``count`` times in a chapter."""

    chapter: str
    action: str
    count: float


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
    of = {row["part"]: row["chapter"] for row in reversed(rows())}
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
            listed = [row for row in csv.DictReader(file) if row["Placed by"] == MAKER]
        for row in listed:
            refs = row["Designator"].split(",")
            boards = len(places.rows("pad")) if board == "tile" else 1
            if board == "tile" and refs == ["J4"]:
                boards = feeds
            if row["Part"] == "contact-spring":
                yield Work(chapter, "spring", boards)
                continue
            if FLAT.search(row["Footprint"]):
                yield Work(chapter, "flat", boards * len(refs))
                continue
            soldered = boards * sum(pins[ref] for ref in refs)
            # The sockets are soldered to the carrier, and pin strips into the breakouts.
            yield Work(chapter, "pin", soldered * (2 if row["Part"].endswith("-breakout") else 1))
            yield Work(chapter, "placed", boards * len(refs))


def _of_cables(drawn: Mapping[str, Drawing], has_screen: bool) -> Iterator[Work]:
    lights, electrodes, pi = (drawn[name] for name in ("lights", "electrodes", "pi"))
    wires = sum(each["wirecount"] for each in lights["cables"].values() if "type" in each)
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


def count_actions(has_screen: bool) -> dict[str, float]:
    """Return how often each action is done."""
    found: dict[str, float] = {}
    for each in work(has_screen):
        found[each.action] = found.get(each.action, 0) + each.count
    return found

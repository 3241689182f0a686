"""Writes wiring.h, the controller's part of hardware/wiring.csv: `python3 wiring.py CSV >wiring.h`.

The program refuses a wiring that cannot be built: an electrode or a light is used twice, a pad is
missing or unknown, a place has too few lights, or the numbers of the lights have a gap. It needs
only the standard library.
"""

import csv
import sys
from collections import Counter
from pathlib import Path

CHIPS = ("0x5A", "0x5B", "0x5C")
CHANNELS = 12
CELLS = [column + row for row in "12345" for column in "ABCDE"]
PLACES = [*CELLS, "end-turn", "hourglass"]
RIM = ["far", "left", "right", "near"]
LEDS = {
    "cell-led": ["far-left", "far-right", "near-right", "near-left"],
    "pad-led": ["left", "right"],
}
"""Names of the LEDs of a cell, and of the LEDs of a pad, in the order of their numbers."""


class WiringError(ValueError):
    """wiring.csv describes a table that cannot be built."""


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def pads_of(rows: list[dict[str, str]]) -> list[list[int]]:
    """Return the pad's number at each channel of each chip; 255 for a channel without a pad."""
    pads = [[255] * CHANNELS for _ in CHIPS]
    seen: list[str] = []
    for row in rows:
        if row["kind"] not in ("pad", "rim"):
            continue
        known = PLACES if row["kind"] == "pad" else RIM
        if row["name"] not in known:
            raise WiringError(f"There is no {row['kind']} {row['name']!r}.")
        if row["chip"] not in CHIPS or not 0 <= int(row["channel"]) < CHANNELS:
            raise WiringError(f"{row['name']}: no electrode {row['chip']} {row['channel']}.")
        chip, channel = CHIPS.index(row["chip"]), int(row["channel"])
        if pads[chip][channel] != 255:
            raise WiringError(f"{row['name']}: {row['chip']} {channel} is taken.")
        pads[chip][channel] = [*PLACES, *RIM].index(row["name"])
        seen.append(row["name"])
    if sorted(seen) != sorted([*PLACES, *RIM]):
        raise WiringError(f"Missing or twice: {Counter([*PLACES, *RIM]) - Counter(seen)}")
    return pads


def runs_of(rows: list[dict[str, str]]) -> dict[str, list[int]]:
    """Return the order of the LEDs along the strip within a cell, and within a pad: for each LED,
    its position."""
    runs: dict[str, list[int]] = {}
    for kind, names in LEDS.items():
        found = {row["name"]: int(row["lights"]) for row in rows if row["kind"] == kind}
        if [*found] != names or sorted(found.values()) != list(range(len(names))):
            raise WiringError(f"The {kind}s are {', '.join(names)}, each at its own light.")
        runs[kind] = [*found.values()]
    return runs


def lights_of(rows: list[dict[str, str]]) -> list[int]:
    """Return the LED's number at each position of the strip. LEDs are numbered place by place."""
    runs = runs_of(rows)
    firsts = {row["name"]: row["lights"] for row in rows if row["kind"] == "pad"}
    lights: dict[int, int] = {}
    led = 0
    for place in PLACES:
        run = runs["cell-led" if place in CELLS else "pad-led"]
        first, last = map(int, firsts[place].split("-"))
        if last - first + 1 != len(run):
            raise WiringError(f"{place}: {first}-{last} are not {len(run)} lights.")
        for at in run:
            if first + at in lights:
                raise WiringError(f"{place}: light {first + at} is taken.")
            lights[first + at] = led
            led += 1
    if sorted(lights) != list(range(len(lights))):
        raise WiringError("The lights have a gap.")
    return [lights[light] for light in range(len(lights))]


def header(rows: list[dict[str, str]]) -> str:
    pads = ", ".join("{" + ", ".join(map(str, chip)) + "}" for chip in pads_of(rows))
    lights = lights_of(rows)
    pins = {row["name"]: row["pin"] for row in rows if row["kind"] == "nano"}
    # Port and bit of the Nano's pins on the ATmega328P: D0-D7 are port D, A0-A5 port C.
    lines = [
        "/* Written by wiring.py from hardware/wiring.csv: change that, not this. */",
        "#ifndef WIRING_H",
        "#define WIRING_H",
        "",
        "/* The pad at each channel of each chip; 255: none. */",
        f"#define WIRING_PADS {{{pads}}}",
        "",
        "/* The LED that each light of the strip is, in the strip's order. */",
        f"#define WIRING_LIGHT_COUNT {len(lights)}",
        f"#define WIRING_LIGHTS {{{', '.join(map(str, lights))}}}",
        "",
    ]
    for name, pin in pins.items():
        if pin[0] not in "AD" or not (0 <= int(pin[1:]) < (6 if pin[0] == "A" else 8)):
            raise WiringError(f"{name}: no pin {pin} of ports C and D.")
        port = "C" if pin[0] == "A" else "D"
        macro = name.upper().replace("-", "_")
        lines += [f"#define WIRING_{macro}_PORT_{port} 1", f"#define WIRING_{macro}_BIT {pin[1:]}"]
    return "\n".join([*lines, "", "#endif", ""])


if __name__ == "__main__":
    try:
        sys.stdout.write(header(rows_of(Path(sys.argv[1]))))
    except (WiringError, KeyError, ValueError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")

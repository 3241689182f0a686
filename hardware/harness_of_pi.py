"""Draws the cables of the Raspberry Pi and of the table's supply, for each build."""

from collections.abc import Mapping, Sequence
from typing import Final

from hardware.cabling import COLOURS, SIGNAL, Drawing, Harness, Pin, Row, colours_of, gauge_of, pins
from hardware.parts import Build
from hardware.power import Budget

PI: Final = "Raspberry Pi"
_GPIO: Final = "2 3 4 14 15 17 18 27 22 23 24 10 9 25 11 8 7 5 6 12 13 19 16 26 20 21"
_PINS: Final = "3 5 7 8 10 11 12 13 15 16 18 19 21 22 23 24 26 29 31 32 33 35 36 37 38 40"
HEADER: Final = dict(zip(map(int, _GPIO.split()), map(int, _PINS.split()), strict=True))
"""Pin number on the Raspberry Pi's header for each GPIO."""
GROUNDS: Final = {
    "switch_off": 6,
    "screen": 9,
    "status_led": 20,
    "encoder": 25,
    "back": 30,
    "peek": 34,
    "carrier": 39,
}
"""Number of the header's ground pin for each part that has its own ground wire."""
FEED: Final = {"5V": (2, 4), "GND": (9, 14)}
"""Numbers of the header pins through which the table's supply powers a Raspberry Pi."""
SCREEN_5V: Final = 2
"""Number of the header pin for the screen's 5 V, on a Raspberry Pi with its own supply."""


def drawing(rows: Sequence[Row], build: Build) -> Drawing:
    """Return the drawing of everything connected to the Raspberry Pi, and of the supplies."""
    harness = Harness()
    header: dict[Pin, str] = {}
    harness.connector(PI, "", header)
    of = {
        kind: {row["name"]: row["pin"] for row in rows if row["kind"] == kind}
        for kind in ("pi", "panel", "amplifier", "pi-lights")
    }
    knob, panel = of["pi"], of["panel"]
    contacts = {name: knob[name] for name in ("encoder_a", "encoder_b", "press")}
    _join(harness, header, "encoder", "knob with press", contacts, GROUNDS["encoder"])
    for name in ("back", "peek"):
        _join(harness, header, name, "button", {name: knob[name]}, GROUNDS[name])
    for name, kind in (("switch_off", "button on the case"), ("status_led", "LED with 330 Ω")):
        _join(harness, header, name, kind, {name: panel[name]}, GROUNDS[name])
    _carrier(harness, header, rows, of["pi-lights"], build)
    _amplifier(harness, header, rows, of["amplifier"])
    _supply(harness, header, build)
    header["USB"] = "USB"
    harness.connector("Nano", "on the carrier", {1: "USB"})
    harness.cable("USB cable", (PI, ["USB"]), ("Nano", [1]), ["GY"], length=0.5)
    ordered = sorted(header.items(), key=lambda item: (isinstance(item[0], str), item[0]))
    harness.connector(PI, "header" if build is Build.PI else "with its own supply", dict(ordered))
    return harness.drawing()


def _pin(gpio: str) -> int:
    """Return the number of the header pin of this GPIO. ``gpio`` is a text such as "GPIO10"."""
    return HEADER[int(gpio.removeprefix("GPIO"))]


def _join(
    harness: Harness,
    header: dict[Pin, str],
    part: str,
    kind: str,
    contacts: Mapping[str, str],
    ground: int | None,
    length: float = 0.5,
) -> None:
    """Connect a part to the header: each contact to the pin of its GPIO, and the part's ground, if
    it has one, to the header pin ``ground``."""
    labels = [*contacts, *(["ground"] if ground else [])]
    at: list[Pin] = [_pin(gpio) for gpio in contacts.values()]
    header.update(zip(at, contacts.values(), strict=True))
    if ground:
        at.append(ground)
        header[ground] = "GND"
    names = dict[Pin, str](enumerate(labels, 1))
    harness.connector(part, kind, names)
    harness.cable(f"to {part}", (PI, at), (part, [*names]), colours_of(names), length=length)


def _carrier(
    harness: Harness,
    header: dict[Pin, str],
    rows: Sequence[Row],
    data: Mapping[str, str],
    build: Build,
) -> None:
    """Add the carrier's plug for the Raspberry Pi. The plug carries the light data from the Pi, and
    5 V for the amplifier."""
    nets = pins(rows, "carrier", "J4")
    harness.connector("carrier J4", "Raspberry Pi", nets)
    if build is not Build.PI:
        return
    at = next(pin for pin, net in nets.items() if net == "pi-lights")
    header[_pin(data["data"])] = data["data"]
    header[GROUNDS["carrier"]] = "GND"
    here = (PI, [_pin(data["data"]), GROUNDS["carrier"]])
    there = ("carrier J4", [at, max(int(pin) for pin, net in nets.items() if net == "GND")])
    harness.cable("light data", here, there, [SIGNAL, COLOURS["GND"]], length=0.3)


def _amplifier(
    harness: Harness, header: dict[Pin, str], rows: Sequence[Row], signals: Mapping[str, str]
) -> None:
    """Add the amplifier and its loudspeaker. The amplifier gets sound from the header and 5 V from
    the carrier."""
    _join(harness, header, "amplifier", "MAX98357A", signals, None, 0.3)
    more = ["VIN", "GND", "speaker +", "speaker −"]
    names = dict[Pin, str](enumerate([*signals, *more], 1))
    harness.connector("amplifier", "MAX98357A", names)
    vin, ground, plus, minus = range(len(signals) + 1, len(names) + 1)
    nets = pins(rows, "carrier", "J4")
    ends = [next(pin for pin, each in nets.items() if each == net) for net in ("+5V", "GND")]
    gauge = gauge_of(Budget().figures["chain_awg"])
    harness.cable(
        "amplifier's supply",
        ("carrier J4", ends),
        ("amplifier", [vin, ground]),
        ["RD", "BK"],
        gauge=gauge,
        length=0.4,
    )
    harness.connector("loudspeaker", "4 Ω, neither end to ground", {1: "+", 2: "−"})
    speaker = ("loudspeaker", [1, 2])
    harness.cable(
        "to the loudspeaker", ("amplifier", [plus, minus]), speaker, ["RD", "BK"], length=0.6
    )


def _supply(harness: Harness, header: dict[Pin, str], build: Build) -> None:
    """Add the lead from the power adaptor to the carrier. If this supply also powers the Pi, two
    lever clamps split the lead."""
    both: dict[Pin, str] = {1: "5V", 2: "GND"}
    harness.connector("adaptor", "through the strain relief", both)
    harness.connector("carrier J6", "screw terminal", both)
    harness.connector("screen", "7 inch, besides its ribbon", both)
    if build is not Build.PI:
        harness.cable("supply", ("adaptor", [1, 2]), ("carrier J6", [1, 2]), ["RD", "BK"])
        header[SCREEN_5V], header[GROUNDS["screen"]] = "5V", "GND"
        ends = [SCREEN_5V, GROUNDS["screen"]]
        harness.cable("screen's supply", (PI, ends), ("screen", [1, 2]), ["RD", "BK"], length=0.3)
        return
    figures = Budget().figures
    gauge = gauge_of(figures["pi_awg"])
    for pin, (net, at) in enumerate(FEED.items(), 1):
        clamp, colour = f"clamp {net}", "RD" if net == "5V" else "BK"
        ways = ["adaptor", "carrier", "screen", PI, PI]
        harness.connector(clamp, "lever clamp", dict(enumerate(ways, 1)))
        harness.cable(f"{net} of the adaptor", ("adaptor", [pin]), (clamp, [1]), [colour])
        for way, part in ((2, "carrier J6"), (3, "screen")):
            harness.cable(
                f"{net} of {part}", (clamp, [way]), (part, [pin]), [colour], gauge=gauge, length=0.4
            )
        header.update(dict.fromkeys(at, net))
        harness.cable(
            f"{net} of the Pi",
            (clamp, [4, 5]),
            (PI, at),
            [colour] * 2,
            gauge=gauge,
            length=figures["pi_way"],
        )

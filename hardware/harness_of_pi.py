"""Draws the cables of the Raspberry Pi and of the table's supply."""

from collections.abc import Mapping, Sequence
from typing import Final

from hardware import places
from hardware.cabling import Drawing, Harness, Pin, Row, colours_of, gauge_of, pins
from hardware.power import Budget

PI: Final = "Raspberry Pi"
_GPIO: Final = "2 3 4 14 15 17 18 27 22 23 24 10 9 25 11 8 7 5 6 12 13 19 16 26 20 21"
_PINS: Final = "3 5 7 8 10 11 12 13 15 16 18 19 21 22 23 24 26 29 31 32 33 35 36 37 38 40"
HEADER: Final = dict(zip(map(int, _GPIO.split()), map(int, _PINS.split()), strict=True))
"""Pin number on the Raspberry Pi's header for each GPIO."""
GROUNDS: Final = {
    "switch_off": 6,
    "screen": 9,
    "chips": 14,
    "status_led": 20,
    "encoder": 25,
    "back": 30,
    "peek": 34,
    "carrier": 39,
}
"""Number of the header's ground pin for each part that has its own ground wire."""
CHIPS_3V3: Final = 1
"""Number of the header pin for the touch chips' 3.3 V."""
TERMINAL: Final = "screw terminal"
"""Type of a connector without crimped contacts."""
SCREEN_5V: Final = 2
"""Number of the header pin for the screen's 5 V."""


def drawing(rows: Sequence[Row]) -> Drawing:
    """Return the drawing of everything connected to the Raspberry Pi, and of the table's supply."""
    harness = Harness()
    header: dict[Pin, str] = {}
    harness.connector(PI, "", header)
    of = {
        kind: {row["name"]: row["pin"] for row in rows if row["kind"] == kind}
        for kind in ("pi", "panel", "amplifier", "controller")
    }
    knob, panel = of["pi"], of["panel"]
    contacts = {name: knob[name] for name in ("encoder_a", "encoder_b", "press")}
    _join(harness, header, "encoder", "knob with press", contacts, GROUNDS["encoder"])
    for name in ("back", "peek"):
        _join(harness, header, name, "button", {name: knob[name]}, GROUNDS[name])
    for name, kind in (("switch_off", "button on the case"), ("status_led", "LED with 330 Ω")):
        _join(harness, header, name, kind, {name: panel[name]}, GROUNDS[name])
    _carrier(harness, header, rows, of["controller"])
    _amplifier(harness, header, rows, of["amplifier"])
    _supply(harness, header)
    harness.connector(PI, "with its own supply", dict(sorted(header.items())))
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
    harness: Harness, header: dict[Pin, str], rows: Sequence[Row], signals: Mapping[str, str]
) -> None:
    """Add the carrier's plug for the Raspberry Pi: the touch chips' bus with their 3.3 V, and the
    light data."""
    nets = pins(rows, "carrier", "J4")
    harness.connector("carrier J4", "Raspberry Pi", nets)
    grounds = iter((GROUNDS["chips"], GROUNDS["carrier"]))
    at: list[Pin] = []
    for net in nets.values():
        if net in signals:
            at.append(_pin(signals[net]))
        else:
            at.append(next(grounds) if net == "GND" else CHIPS_3V3)
        header[at[-1]] = signals.get(net, net)
    ends = (PI, at), ("carrier J4", [*nets])
    length = round(Budget().metres(places.PI, places.CARRIER), 2)
    harness.cable("to the carrier", *ends, colours_of(nets), length=length)


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
    nets = pins(rows, "carrier", "J13")
    harness.connector("carrier J13", "amplifier", nets)
    ends = [next(pin for pin, each in nets.items() if each == net) for net in ("+5V", "GND")]
    gauge = gauge_of(Budget().figures["chain_awg"])
    harness.cable(
        "amplifier's supply",
        ("carrier J13", ends),
        ("amplifier", [vin, ground]),
        ["RD", "BK"],
        gauge=gauge,
        length=0.4,
    )
    harness.connector("loudspeaker", "4 Ω, neither end to ground", {1: "+", 2: "−"})
    speaker = ("loudspeaker", [1, 2])
    harness.cable(
        "to the loudspeaker",
        ("amplifier", [plus, minus]),
        speaker,
        ["RD", "BK"],
        gauge=gauge,
        length=0.6,
    )


def _supply(harness: Harness, header: dict[Pin, str]) -> None:
    """Add the lead from the power adaptor to the carrier, and the screen's supply."""
    both: dict[Pin, str] = {1: "5V", 2: "GND"}
    harness.connector("adaptor", "through the strain relief", both)
    harness.connector("carrier J6", TERMINAL, both)
    harness.connector("screen", "7 inch, besides its ribbon", both)
    harness.cable("supply", ("adaptor", [1, 2]), ("carrier J6", [1, 2]), ["RD", "BK"])
    header[SCREEN_5V], header[GROUNDS["screen"]] = "5V", "GND"
    ends = [SCREEN_5V, GROUNDS["screen"]]
    harness.cable("screen's supply", (PI, ends), ("screen", [1, 2]), ["RD", "BK"], length=0.3)

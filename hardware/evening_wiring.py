"""Draws the wires of the table of one evening, from evening/wires.csv."""

from typing import Final

from hardware.drawing import COLOURS, INK, LIT, SOFT, Drawing
from hardware.evening_design import pins, wires

Row = dict[str, str]

ADDRESSES: Final = {
    "0x5A": "ADDR: nothing",
    "0x5B": "ADDR: jumper closed",
    "0x5C": "ADDR: wire to SDA",
}
"""How a breakout gets its address. At 3.3 V, ADDR may be connected to SDA."""
SHADES: Final = ("#dceaf7", "#e3f1dd", "#f9e6d3")
U2: Final = "U2"
SUPPLIES: Final = ("5 V", "GND")
PI_RIGHT: Final = 190.0


def bus() -> Drawing:
    """Draw the three breakouts at the Raspberry Pi's pins."""
    picture = Drawing(860, 470, "The touch chips at the Raspberry Pi")
    _bus(picture, 50)
    picture.text(430, 452, "two cables from breakout to breakout carry four of the five", 13, SOFT)
    return picture


def lights() -> Drawing:
    """Draw the level shifter between the Raspberry Pi and the string."""
    picture = Drawing(860, 430, "The string's data and supply")
    _lights(picture, 40)
    return picture


def wiring() -> Drawing:
    """Draw every wire of the table but those of the plates."""
    picture = Drawing(860, 850, "Every wire but those of the plates")
    _bus(picture, 50)
    _lights(picture, 460)
    return picture


def _to_breakouts() -> list[Row]:
    return [row for row in wires() if row["to"].startswith("breakouts")]


def _bus(picture: Drawing, top: float) -> None:
    found = _to_breakouts()
    picture.box(20, top, PI_RIGHT - 20, 40 + 48 * len(found), "", fill="#f3f1ea")
    picture.text(100, top + 20, "Raspberry Pi", bold=True)
    for at, row in enumerate(found):
        y = top + 56 + at * 48
        colour = COLOURS[row["signal"]]
        name = row["to"].split()[1]
        picture.text(PI_RIGHT - 42, y, row["pi_name"], 14, SOFT, "end")
        picture.text(PI_RIGHT - 12, y, row["pi_pin"], 15, INK, "end", bold=True)
        picture.line((PI_RIGHT, y), (660 + at * 30, y), colour=colour, width=3)
        for number in range(len(ADDRESSES)):
            x = 260 + number * 200 + at * 30
            picture.dot(x, y, 4, colour)
            picture.line((x, y), (x, top + 300), colour=colour)
            picture.text(x, top + 312, name, 12)
    for number, ((chip, address), fill) in enumerate(zip(ADDRESSES.items(), SHADES, strict=True)):
        x = 240 + number * 200
        picture.box(x, top + 300, 172, 24, "", fill="none")
        picture.box(x, top + 324, 172, 52, f"{chip}\n{address}", fill=fill)


def _lights(picture: Drawing, top: float) -> None:
    found = [row for row in wires() if row not in _to_breakouts()]
    picture.box(20, top, PI_RIGHT - 20, 150, "")
    picture.text(100, top + 20, "Raspberry Pi", bold=True)
    chip_left, chip_top, step = 380.0, top + 40, 34.0
    picture.box(chip_left, chip_top - 20, 120, 7 * step + 6, "")
    picture.text(chip_left + 60, chip_top - 34, "74AHCT125 (from above)", 13, SOFT)
    picture.dot(chip_left + 60, chip_top - 20, 8, "#b9b4a6")

    def pin(number: int) -> tuple[float, float]:
        if number <= 7:
            return chip_left, chip_top + (number - 1) * step
        return chip_left + 120, chip_top + (14 - number) * step

    for number in range(1, 15):
        x, y = pin(number)
        picture.text(x + (16 if number <= 7 else -16), y, str(number), 13)
    picture.box(chip_left + 30, pin(11)[1] - 22, 60, 44, "100 nF\n14 to 7", fill="#efe3c8", size=13)
    ways = iter((top + 60, top + 110))
    for row in found:
        colour = COLOURS[row["signal"]]
        numbers = [int(name) for name in pins(row["to"], U2)]
        if row["pi_pin"]:
            y = next(ways)
            picture.text(PI_RIGHT - 42, y, row["pi_name"], 14, SOFT, "end")
            picture.text(PI_RIGHT - 12, y, row["pi_pin"], 15, INK, "end", bold=True)
            bend = 300.0 if row["signal"] == "GND" else 330.0
            end = pin(numbers[0])
            picture.line((PI_RIGHT, y), (bend, y), (bend, end[1]), end, colour=colour, width=3)
        elif row["signal"] in SUPPLIES:
            for number in numbers:
                x, y = pin(number)
                side = -1 if number <= 7 else 1
                if (row["signal"], number) == ("GND", 7):
                    # The Pi's ground comes to this pin from the left.
                    picture.dot(x, y, 4, colour)
                    picture.line((x, y), (x, y + 26), colour=colour)
                    picture.text(x, y + 34, "GND", 12, colour)
                    continue
                picture.line((x, y), (x + side * 18, y), colour=colour)
                picture.text(
                    x + side * 22, y, row["signal"], 12, colour, "end" if side < 0 else "start"
                )
        else:
            # The chip's output crosses below the other pins to the string.
            x, y = pin(numbers[0])
            low = top + 320
            picture.line((x, y), (x - 66, y), (x - 66, low), (560, low), colour=colour, width=3)
            picture.box(560, low - 12, 70, 24, "470 Ω", fill="#efe3c8", size=13)
            picture.line((630, low), (690, low), colour=colour, width=3)
    _string(picture, top)


def _string(picture: Drawing, top: float) -> None:
    """Draw the supply, which feeds the breadboard's rails and both ends of the string."""
    low = top + 320
    picture.box(600, top + 20, 110, 60, "socket\n5 V, 4 A")
    picture.box(590, top + 108, 64, 132, "", fill="#ffffff")
    picture.text(622, top + 212, "bread-", 12)
    picture.text(622, top + 228, "board", 12)
    ends = {row["signal"]: row["to"] for row in wires() if row["to"].startswith("supply")}
    for at, signal in enumerate(SUPPLIES):
        y = low - 60 + at * 30
        colour = COLOURS[signal]
        x = 680 - at * 16
        picture.line((x, top + 80), (x, y), (690, y), colour=colour, width=3)
        if pins(ends[signal], "rail"):
            x = 610 + at * 24
            picture.line((x, top + 80), (x, top + 200), colour=colour, width=3)
        picture.line(
            (710, top + 36 + at * 28),
            (845 - at * 14, top + 36 + at * 28),
            (845 - at * 14, y),
            (824, y),
            colour=colour,
            width=3,
        )
    picture.box(597, top + 128, 50, 58, "+    −\n1000\nµF", fill="#efe3c8", size=12)
    picture.box(690, low - 74, 134, 92, "", fill="#f3f1ea")
    for at, name in enumerate(("5 V", "GND", "DIN")):
        picture.text(698, low - 60 + at * 30, name, 12, INK, "start")
    for at in range(3):
        picture.dot(750 + at * 22, low - 15, 8, LIT)
    picture.text(20, top + 196, "The chip's 5 V and GND come", 13, SOFT, "start")
    picture.text(20, top + 214, "from the breadboard's rails.", 13, SOFT, "start")
    picture.text(845, low + 34, "string: supply at both ends", 13, SOFT, "end")

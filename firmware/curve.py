"""Writes curve.h, a table of the pulse length of an LED for each colour value: `python3 curve.py
>curve.h`.

Colours are in sRGB, as on a screen. An LED's light is proportional to its pulse. A colour value is
not proportional to light; sRGB defines the amount of light for each value (IEC 61966-2-1). With any
other curve, an LED would show another hue than a screen. The program needs only the standard
library.
"""

import sys

MAX_CHANNEL = 255


def light_of(channel: int) -> float:
    """Return the amount of light (0 … 1) of one channel (0 … 255) of an sRGB colour."""
    share = channel / MAX_CHANNEL
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def pulses() -> list[int]:
    """Return the length of an LED's pulse (0 … 255) for each of the 256 channel values."""
    return [round(MAX_CHANNEL * light_of(channel)) for channel in range(MAX_CHANNEL + 1)]


def header() -> str:
    rows = [pulses()[at : at + 16] for at in range(0, MAX_CHANNEL + 1, 16)]
    table = ", \\\n    ".join(", ".join(map(str, row)) for row in rows)
    lines = [
        "/* Written by curve.py: change that, not this. */",
        "#ifndef CURVE_H",
        "#define CURVE_H",
        "",
        "/* The pulse for each channel of a colour as it is to look. */",
        f"#define CURVE {{ \\\n    {table}}}",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(header())

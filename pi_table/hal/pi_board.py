"""Which Raspberry Pi this is, and what the lights take on each: the driver, its pins, and the lines
of config.txt. `hardware/BOARDS.md` tells people the same.

``root`` is where the file system begins: `/`, and in tests another.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

SPI_DRIVER: Final = "rpi-ws281x"
PIO_DRIVER: Final = "ws2812-pio"

_SPI_ON: Final = "dtparam=spi=on"
_BY_CONTROLLER: Final[dict[str, tuple[str, ...]]] = {"controller": ()}


class Board(NamedTuple):
    """Boards that take the same."""

    name: str
    models: tuple[str, ...]
    """What they call themselves, after *Raspberry Pi* and before *Rev*."""
    sections: tuple[str, ...]
    """The sections of config.txt that are read on one of them or another, besides *all*."""
    lights: dict[str, tuple[str, ...]]
    """The drivers of the lights that do here, and the lines of config.txt that each takes."""


BOARDS: Final = (
    Board(
        "Zero 2 W",
        ("Zero 2 W",),
        ("pi02",),
        {SPI_DRIVER: (_SPI_ON, "core_freq=250"), **_BY_CONTROLLER},
    ),
    Board(
        "3",
        (
            *("3 Model B", "3 Model B Plus", "3 Model A Plus"),
            *("Compute Module 3", "Compute Module 3 Plus"),
        ),
        ("pi3", "pi3+"),
        {SPI_DRIVER: (_SPI_ON, "core_freq=250"), **_BY_CONTROLLER},
    ),
    Board(
        "4",
        ("4 Model B", "400", "Compute Module 4", "Compute Module 4S"),
        ("pi4", "pi400", "cm4", "cm4s"),
        {SPI_DRIVER: (_SPI_ON, "core_freq=500", "core_freq_min=500"), **_BY_CONTROLLER},
    ),
    Board(
        "5",
        ("5 Model B", "500", "500 Plus", "Compute Module 5", "Compute Module 5 Lite"),
        ("pi5", "pi500", "cm5"),
        {PIO_DRIVER: ("dtoverlay=ws2812-pio,gpio=10,num_leds=104",), **_BY_CONTROLLER},
    ),
)
"""Every board that there is something to say of."""

SCREEN_LINES: Final = ("dtoverlay=vc4-kms-v3d",)
"""The lines of config.txt that the hidden screen takes, on every board."""
AMPLIFIER_LINES: Final = ("dtoverlay=max98357a",)
"""Those of the amplifier on the I²S pins."""

DATA_PIN: Final = 10
"""The GPIO that the strip's data comes from, by either driver: pin 19 of the header."""
PINS: Final = {SPI_DRIVER: (7, 8, 9, DATA_PIN, 11), PIO_DRIVER: (DATA_PIN,)}
"""The pins that a driver of the lights takes. SPI has all of its own, though one alone is wired."""
AMPLIFIER_PINS: Final = (4, 18, 19, 20, 21)
"""Those of the amplifier. I²S has one more than is wired, its input."""

SPI_DEVICE: Final = "/dev/spidev0.0"
PINS_DEVICE: Final = "/dev/gpiomem"
"""The registers of the pins: the library sets the data pin to SPI there."""
SPI_BYTES: Final = 1272
"""Bytes of a frame of 104 LEDs, which goes out in one piece: 9 for each, and as many zeros as the
library adds for the end of a frame."""
_BUFFER: Final = "sys/module/spidev/parameters/bufsiz"

_PASSES_THROUGH: Final = (6, 12, 56)
"""The first kernel whose ws2812-pio sends what it is given, where that is wanted. An older one
bends every colour by a curve of its own, and where that is wanted shows nothing."""


def model(root: Path = Path("/")) -> str:
    """What this machine calls itself, such as *Raspberry Pi 4 Model B Rev 1.4*; "" if it does
    not."""
    try:
        text = (root / "proc/device-tree/model").read_text("utf-8", errors="replace")
    except OSError:
        return ""
    return text.rstrip("\0\n")


def is_pi(model: str) -> bool:
    """Is it a Raspberry Pi at all?"""
    return model.startswith("Raspberry Pi ")


def board_of(model: str) -> Board | None:
    """The boards that this one is one of; None if nothing is known of it."""
    found = re.fullmatch(r"Raspberry Pi (.+?)(?: Rev \S+)?", model)
    if found is None:
        return None
    return next((board for board in BOARDS if found[1] in board.models), None)


def refusal(driver: str, model: str) -> str | None:
    """Why this driver of the lights does not do on this machine, and which does; None if it
    does."""
    board = board_of(model)
    if driver not in PINS or (board is not None and driver in board.lights):
        return None
    begins = f"[lights] driver names {driver!r}, and"
    if board is not None:
        others = " or ".join(repr(each) for each in board.lights)
        return f"{begins} that does not work on a {model}: name {others}."
    if is_pi(model):
        return (
            f"{begins} nobody has tried that on a {model}: name 'controller', which drives the "
            "lights on every board."
        )
    meant = "a Raspberry Pi 5" if driver == PIO_DRIVER else "a Raspberry Pi"
    return (
        f"{begins} that drives lights at the pins of {meant}, which this machine is not: name "
        "'controller', or 'simulated' for a table without hardware."
    )


def spi_buffer(root: Path = Path("/")) -> int | None:
    """The most bytes that SPI takes in one piece; None if the kernel does not tell."""
    try:
        return int((root / _BUFFER).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def small_buffer(size: int | None) -> str | None:
    """What to do about an SPI buffer in which a frame has no room; None if it has, or may have."""
    if size is None or size >= SPI_BYTES:
        return None
    return (
        f"SPI takes {size} bytes at once, and a frame has {SPI_BYTES}: append spidev.bufsiz=4096 "
        "to the line of cmdline.txt, beside config.txt, and start the machine anew."
    )


def old_kernel(release: str) -> str | None:
    """What to do about a kernel of this release, whose ws2812-pio bends the colours; None if it
    does not."""
    numbers = tuple(map(int, re.findall(r"\d+", release.partition("-")[0])[:3]))
    if numbers >= _PASSES_THROUGH:
        return None
    least = ".".join(map(str, _PASSES_THROUGH))
    return (
        f"This kernel ({release}) bends the colours of the lights by a curve of its own; from "
        f"{least} on it does not: sudo apt update && sudo apt full-upgrade, or name the driver "
        "'controller'."
    )

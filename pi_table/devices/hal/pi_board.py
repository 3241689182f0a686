"""The Raspberry Pi models, and what the lights need on each model: the driver, its pins, and the
lines of config.txt. `hardware/BOARDS.md` has the same facts for people.

The parameter ``root`` is the root of the file system: `/`, or another folder in tests.
"""

import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.common.geometry import LED_COUNT
from pi_table.common.language import say

SPI_DRIVER: Final = "rpi-ws281x"
PIO_DRIVER: Final = "ws2812-pio"

SPI_ON: Final = "dtparam=spi=on"
_BY_CONTROLLER: Final[dict[str, tuple[str, ...]]] = {"controller": ()}


class Board(NamedTuple):
    """A group of Raspberry Pi boards for which the lights have the same requirements."""

    name: str
    models: tuple[str, ...]
    """Names of the models. A name is the words between *Raspberry Pi* and *Rev*."""
    sections: tuple[str, ...]
    """Sections of config.txt that at least one of these boards reads, in addition to the section
    *all*."""
    lights: dict[str, tuple[str, ...]]
    """The light drivers that work on these boards. Each maps to the lines of config.txt that it
    needs for a string of `LED_COUNT` lights."""

    def lines_for(self, driver: str, light_count: int) -> tuple[str, ...]:
        """Return the lines of config.txt that a light driver needs for a string of so many
        lights."""
        usual, needed = f"num_leds={LED_COUNT}", f"num_leds={light_count}"
        return tuple(line.replace(usual, needed) for line in self.lights.get(driver, ()))


BOARDS: Final = (
    Board(
        "Zero 2 W",
        ("Zero 2 W",),
        ("pi02",),
        {SPI_DRIVER: (SPI_ON, "core_freq=250"), **_BY_CONTROLLER},
    ),
    Board(
        "3",
        (
            *("3 Model B", "3 Model B Plus", "3 Model A Plus"),
            *("Compute Module 3", "Compute Module 3 Plus"),
        ),
        ("pi3", "pi3+"),
        {SPI_DRIVER: (SPI_ON, "core_freq=250"), **_BY_CONTROLLER},
    ),
    Board(
        "4",
        ("4 Model B", "400", "Compute Module 4"),
        ("pi4", "pi400", "cm4"),
        {SPI_DRIVER: (SPI_ON, "core_freq=500", "core_freq_min=500"), **_BY_CONTROLLER},
    ),
    # The library rpi-ws281x knows no revision code of this model.
    Board("CM4S", ("Compute Module 4S",), ("pi4", "cm4s"), _BY_CONTROLLER),
    Board(
        "5",
        ("5 Model B", "500", "500 Plus", "Compute Module 5", "Compute Module 5 Lite"),
        ("pi5", "pi500", "cm5"),
        {PIO_DRIVER: (f"dtoverlay=ws2812-pio,gpio=10,num_leds={LED_COUNT}",), **_BY_CONTROLLER},
    ),
)

SCREEN_LINES: Final = ("dtoverlay=vc4-kms-v3d",)
"""Lines of config.txt that the hidden screen needs on every board."""
BUS_LINES: Final = ("dtparam=i2c_arm=on",)
"""Lines of config.txt that touch chips at the Pi's own bus need."""
FAST_BUS_LINE: Final = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
"""Line of config.txt that switches the Pi's own bus on and makes it fast. Without a speed in the
line, the bus runs at 100 kHz."""
BUS_PINS: Final = (2, 3)
"""GPIO numbers of the Pi's own I²C bus: SDA and SCL, pins 3 and 5 of the header."""
AMPLIFIER_LINES: Final = ("dtoverlay=max98357a",)
"""Lines of config.txt that the amplifier on the I²S pins needs."""

HEADER_CHIPS: Final = ("", "gpiochip0", "gpiochip4")
"""Values of ``chip`` in the configuration section [gpio] that mean the chip of the pin header. The
last one is for a Pi 5 with an older kernel."""
DATA_PIN: Final = 10
"""GPIO number of the strip's data line, for both light drivers that use the pins. It is pin 19 of
the header."""
PINS: Final = {SPI_DRIVER: (7, 8, 9, DATA_PIN, 11), PIO_DRIVER: (DATA_PIN,)}
"""GPIO numbers that each light driver occupies. SPI occupies all its pins, although only one is
wired."""
AMPLIFIER_PINS: Final = (4, 18, 19, 20, 21)
"""GPIO numbers that the amplifier occupies. One of them, I²S's input pin, is not wired."""


class PinUser(NamedTuple):
    """A line of config.txt that occupies pins of the header."""

    line: str
    """What the line begins with: the name of a setting (`enable_uart`), or `dtparam=` or
    `dtoverlay=` and a name."""
    pins: tuple[int, ...] = ()
    """GPIO numbers that the line occupies, unless a parameter names other pins (`pins_A_B`) or
    another bus (`i2c3`)."""
    moved: tuple[tuple[str, int], ...] = ()
    """Parameters that choose a pin, each with its default pin."""
    boards: tuple[str, ...] = ("Zero 2 W", "3", "4", "CM4S", "5")
    """Boards on which the line occupies the pins."""

    def pins_with(self, parameters: Mapping[str, str]) -> tuple[int, ...]:
        """Return the GPIO numbers that the line occupies with these parameters, in rising order."""
        pins = {*self.pins}
        for name in parameters:
            if found := re.fullmatch(r"pins_(\d+)_(\d+)", name):
                pins = {*map(int, found.groups())}
            elif re.fullmatch(r"i2c\d|i2c_csi_dsi\d?", name):
                pins = set()
        for name, usual in self.moved:
            given = parameters.get(name, "")
            pins.add(int(given) if given.isdecimal() else usual)
        return tuple(sorted(pins))


_ARM, _SPI, _I2S, _SERIAL = (2, 3), (7, 8, 9, 10, 11), (18, 19, 20, 21), (14, 15)
_UP_TO_4, _4, _5 = ("Zero 2 W", "3", "4", "CM4S"), ("4", "CM4S"), ("5",)

PIN_USERS: Final = (
    *(PinUser(f"dtparam={name}", _ARM) for name in ("i2c_arm", "i2c", "i2c1")),
    *(PinUser(f"dtparam={name}", (0, 1)) for name in ("i2c_vc", "i2c0")),
    PinUser("dtparam=spi", _SPI),
    PinUser("dtparam=i2s", _I2S),
    PinUser("enable_uart", _SERIAL, boards=_UP_TO_4),
    PinUser("dtparam=uart0", _SERIAL, boards=_5),
    PinUser("dtparam=uart0_console", _SERIAL, boards=_5),
    *(PinUser(f"dtoverlay={name}", _ARM) for name in ("i2c-rtc", "i2c-sensor", "ssd1306", "i2c1")),
    PinUser("dtoverlay=i2c0", (0, 1)),
    PinUser("dtoverlay=i2c3", (4, 5), boards=_4),
    PinUser("dtoverlay=i2c4", (8, 9), boards=_4),
    PinUser("dtoverlay=i2c5", (12, 13), boards=_4),
    PinUser("dtoverlay=i2c6", (22, 23), boards=_4),
    PinUser("dtoverlay=i2c-gpio", moved=(("i2c_gpio_sda", 23), ("i2c_gpio_scl", 24))),
    PinUser("dtoverlay=i2c-rtc-gpio", moved=(("i2c_gpio_sda", 23), ("i2c_gpio_scl", 24))),
    PinUser("dtoverlay=spi0-0cs", (9, 10, 11)),
    PinUser("dtoverlay=spi0-1cs", (9, 10, 11), (("cs0_pin", 8),)),
    PinUser("dtoverlay=spi0-2cs", (9, 10, 11), (("cs0_pin", 8), ("cs1_pin", 7))),
    PinUser("dtoverlay=spi1-1cs", (19, 20, 21), (("cs0_pin", 18),)),
    PinUser("dtoverlay=spi1-2cs", (19, 20, 21), (("cs0_pin", 18), ("cs1_pin", 17))),
    PinUser(
        "dtoverlay=spi1-3cs", (19, 20, 21), (("cs0_pin", 18), ("cs1_pin", 17), ("cs2_pin", 16))
    ),
    PinUser("dtoverlay=spi-rtc", _SPI),
    PinUser("dtoverlay=enc28j60", _SPI, (("int_pin", 25),)),
    PinUser("dtoverlay=w5500", _SPI, (("int_pin", 25),)),
    PinUser("dtoverlay=mcp2515-can0", _SPI),
    PinUser("dtoverlay=ads7846", _SPI),
    PinUser("dtoverlay=uart0", moved=(("txd0_pin", 14), ("rxd0_pin", 15))),
    PinUser("dtoverlay=uart2", (0, 1), boards=_4),
    PinUser("dtoverlay=uart3", (4, 5), boards=_4),
    PinUser("dtoverlay=uart4", (8, 9), boards=_4),
    PinUser("dtoverlay=uart5", (12, 13), boards=_4),
    PinUser("dtoverlay=uart2", (4, 5), boards=_5),
    PinUser("dtoverlay=uart3", (8, 9), boards=_5),
    PinUser("dtoverlay=uart4", (12, 13), boards=_5),
    *(
        PinUser(f"dtoverlay={name}", _I2S)
        for name in ("hifiberry-dac", "i2s-dac", "googlevoicehat-soundcard")
    ),
    *(
        PinUser(f"dtoverlay={name}", _ARM + _I2S)
        for name in ("hifiberry-dacplus", "hifiberry-amp", "iqaudio-dacplus", "justboom-dac")
    ),
    PinUser("dtoverlay=max98357a", _I2S, (("sdmode-pin", 4),)),
    PinUser("dtoverlay=ws2812-pio", moved=(("gpio", 4),)),
    PinUser("dtoverlay=gpio-shutdown", moved=(("gpio_pin", 3),)),
    PinUser("dtoverlay=gpio-poweroff", moved=(("gpiopin", 26),)),
    PinUser("dtoverlay=gpio-key", moved=(("gpio", 3),)),
    PinUser("dtoverlay=gpio-led", moved=(("gpio", 19),)),
    PinUser("dtoverlay=gpio-fan", moved=(("gpiopin", 12),)),
    PinUser("dtoverlay=gpio-hog", moved=(("gpio", 26),)),
    PinUser("dtoverlay=gpio-charger", moved=(("gpio", 4),)),
    PinUser("dtoverlay=gpio-ir", moved=(("gpio_pin", 18),)),
    PinUser("dtoverlay=gpio-ir-tx", moved=(("gpio_pin", 18),)),
    PinUser("dtoverlay=pwm-ir-tx", moved=(("gpio_pin", 18),)),
    PinUser("dtoverlay=pwm", moved=(("pin", 18),)),
    PinUser("dtoverlay=pwm-2chan", moved=(("pin", 18), ("pin2", 19))),
    PinUser("dtoverlay=pps-gpio", moved=(("gpiopin", 18),)),
    PinUser("dtoverlay=w1-gpio", moved=(("gpiopin", 4),)),
    PinUser("dtoverlay=w1-gpio-pullup", moved=(("gpiopin", 4), ("extpullup", 5))),
    PinUser("dtoverlay=dht11", moved=(("gpiopin", 4),)),
    PinUser("dtoverlay=rotary-encoder", moved=(("pin_a", 4), ("pin_b", 17))),
    PinUser("dtoverlay=goodix", _ARM, (("interrupt", 4), ("reset", 17))),
)
"""Lines of config.txt that occupy pins of the header.

The lines are for hardware that people may build into a table or may have used in another project
(source: the overlays' README). A device on I²C or SPI occupies all pins of its bus.
"""

OWN_LINES: Final = {
    SPI_DRIVER: ("dtparam=spi", "dtoverlay=spi0-0cs", "dtoverlay=spi0-1cs", "dtoverlay=spi0-2cs"),
    PIO_DRIVER: ("dtoverlay=ws2812-pio",),
}
"""The lines of `PIN_USERS` that each light driver uses."""
OWN_LINES_OF_BUS: Final = ("dtparam=i2c_arm", "dtparam=i2c", "dtparam=i2c1")
OWN_LINES_OF_AMPLIFIER: Final = ("dtoverlay=max98357a", "dtparam=i2s")

FORBIDDEN: Final = {
    "dtoverlay=vc4-fkms-v3d": say("It leaves the screens to the firmware, not to the kernel."),
    "dtoverlay=vga666": say("It does not work beside dtoverlay=vc4-kms-v3d."),
}
"""Lines that config.txt must not have on any board, each with the reason."""
ONCE: Final = ("dtoverlay=ws2812-pio", "dtoverlay=max98357a")
"""Overlays that config.txt may load only once: a second line would claim the same pins again."""

SPI_DEVICE: Final = "/dev/spidev0.0"
PINS_DEVICE: Final = "/dev/gpiomem"
"""Path of the device for the pins' registers. The library rpi-ws281x uses it to switch the data pin
to SPI."""
_BUFFER: Final = "sys/module/spidev/parameters/bufsiz"

_UNCHANGED_SINCE: Final = (6, 12, 56)
"""First kernel version whose ws2812-pio can send pulses unchanged. An older kernel always applies
its own colour curve, and shows nothing if it is asked to send pulses unchanged."""


KNOWN_REVISIONS: Final = frozenset(
    (
        *(0x902120,),
        *(0xA02082, 0xA02083, 0xA22082, 0xA22083, 0xA32082),
        *(0x9020E0, 0xA020D3, 0xA020D4, 0xA020A0, 0xA220A0, 0xA02100),
        *(0xA03111, 0xB03111, 0xC03111, 0xA03112, 0xB03112, 0xC03112, 0xB03114, 0xC03114, 0xD03114),
        *(0xA03115, 0xB03115, 0xC03115, 0xD03115, 0xC03130, 0xC03131),
        *(0xA03140, 0xB03140, 0xC03140, 0xD03140, 0xA03141, 0xB03141, 0xC03141, 0xD03141),
    )
)
"""Revision codes of Zero 2 W, 3 and 4 that the library rpi-ws281x knows (its rpihw.c). The library
refuses any other code."""
_MAKER_AND_WARRANTY: Final = 0xF << 16 | 0x3 << 24
"""The bits of a revision code that the library rpi-ws281x ignores on a 32-bit system."""

BOOT_LOADER_SINCE: Final = datetime(2024, 12, 1, tzinfo=UTC)
"""Build date of the first Pi 5 boot loader whose firmware lets the kernel use the PIO of the pins
(raspberrypi/linux, thread 6559). With an older boot loader the device of the lights is missing."""


def model(root: Path = Path("/")) -> str:
    """Return the machine's model, such as *Raspberry Pi 4 Model B Rev 1.4*; "" if it is unknown."""
    try:
        text = (root / "proc/device-tree/model").read_text("utf-8", errors="replace")
    except OSError:
        return ""
    return text.rstrip("\0\n")


def is_pi(model: str) -> bool:
    return model.startswith("Raspberry Pi ")


def board_of(model: str) -> Board | None:
    """Return the board of this model name; None if the model is unknown."""
    found = re.fullmatch(r"Raspberry Pi (.+?)(?: Rev \S+)?", model)
    if found is None:
        return None
    return next((board for board in BOARDS if found[1] in board.models), None)


def refusal(driver: str, model: str) -> str | None:
    """Return a sentence that says why this light driver does not work on this model, and which
    driver to use. None if the driver works."""
    board = board_of(model)
    if driver not in PINS or (board is not None and driver in board.lights):
        return None
    begins = say("[lights] driver names {driver}, and", driver=repr(driver))
    if board is not None:
        others = " or ".join(repr(each) for each in board.lights)
        return say(
            "{begins} that does not work on a {model}: name {others}.",
            begins=begins,
            model=model,
            others=others,
        )
    if is_pi(model):
        return say(
            "{begins} nobody has tried that on a {model}: name 'controller', which drives "
            "the lights on every board.",
            begins=begins,
            model=model,
        )
    meant = say("a Raspberry Pi 5") if driver == PIO_DRIVER else say("a Raspberry Pi")
    return say(
        "{begins} that drives lights at the pins of {meant}, which this machine is not: name "
        "'controller', or 'simulated' for a table without hardware.",
        begins=begins,
        meant=meant,
    )


def revision(root: Path = Path("/")) -> int | None:
    """Return the revision code, which distinguishes boards of one model; None if unknown."""
    try:
        return int.from_bytes((root / "proc/device-tree/system/linux,revision").read_bytes(), "big")
    except OSError:
        return None


def unknown_revision(number: int | None, is_64_bit: bool = sys.maxsize > 1 << 32) -> str | None:
    """Return a sentence that says why rpi-ws281x refuses this revision code. None if the library
    accepts the code, or if the code is unknown."""
    mask = ~0 if is_64_bit else ~_MAKER_AND_WARRANTY
    if number is None or number & mask in {known & mask for known in KNOWN_REVISIONS}:
        return None
    return say(
        "The library rpi-ws281x 5.0.0 does not know this board's revision, {number}, and "
        "drives no lights on it: set [lights] driver = 'controller', and let the controller "
        "do it.",
        number=f"{number:x}",
    )


def boot_loader(root: Path = Path("/")) -> datetime | None:
    """Return the build time of the boot loader in the EEPROM; None if unknown."""
    try:
        stamp = (root / "proc/device-tree/chosen/bootloader/build-timestamp").read_bytes()
    except OSError:
        return None
    return datetime.fromtimestamp(int.from_bytes(stamp, "big"), UTC) if stamp else None


def spi_buffer(root: Path = Path("/")) -> int | None:
    """Return the maximum number of bytes that SPI sends in one piece; None if unknown."""
    try:
        return int((root / _BUFFER).read_text("utf-8"))
    except (OSError, ValueError):
        return None


def spi_bytes(light_count: int) -> int:
    """Return the size in bytes of a frame of so many lights, which is sent in one piece.

    A light has 9 bytes. The library reserves 12, for a fourth colour, and rounds up; the rest are
    zero bytes, which end a frame.
    """
    bits = 96 * light_count + 132
    return bits // 8 // 8 * 8 + 8


def small_buffer(size: int | None, frame_bytes: int) -> str | None:
    """Return advice if the SPI buffer is too small for a frame of so many bytes; None if it is
    large enough or unknown."""
    if size is None or size >= frame_bytes:
        return None
    return say(
        "SPI takes {size} bytes at once, and a frame has {spi_bytes}: append spidev.bufsiz=4096 "
        "to the line of cmdline.txt, beside config.txt, and restart the machine.",
        size=size,
        spi_bytes=frame_bytes,
    )


def old_kernel(release: str) -> str | None:
    """Return advice if the ws2812-pio of this kernel cannot send pulses unchanged; None for a newer
    kernel."""
    numbers = tuple(map(int, re.findall(r"\d+", release.partition("-")[0])[:3]))
    if numbers >= _UNCHANGED_SINCE:
        return None
    least = ".".join(map(str, _UNCHANGED_SINCE))
    return say(
        "This kernel ({release}) cannot send the colours of the lights unchanged; kernels from "
        "{least} on can: sudo apt update && sudo apt full-upgrade.",
        release=release,
        least=least,
    )

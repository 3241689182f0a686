"""A Raspberry Pi with a strip at its SPI, made up round the real driver and the real library.

The driver runs in a process of its own, into which `programs/pi_with_spi.c` is preloaded. What it
sends is read here, and decoded as the strip would: three bits on the line for each of its own.
"""

import fcntl
import functools
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from patience import PATIENCE

from pi_table.devices.hal.contracts import LightFrame

ROOT: Final = Path(__file__).parents[2]
PROGRAMS: Final = Path(__file__).parent / "programs"
_WIRING: Final[dict[str, Any]] = runpy.run_path(str(ROOT / "firmware/wiring.py"))
LED_OF_LIGHT: Final[list[int]] = _WIRING["lights_of"](
    _WIRING["rows_of"](ROOT / "hardware/wiring.csv")
)
"""The LED that each light of the strip is, by the wiring: what the driver has to know by itself."""

ROOM: Final = 4096
"""Bytes that lie there unread before the line stands still: three frames."""
SYMBOLS: Final = {0b110: 1, 0b100: 0}
"""Bit of a light for each three bits on the line."""


@functools.cache
def shim() -> Path:
    """The preloaded library, built once."""
    folder = Path(tempfile.mkdtemp(prefix="pi_with_spi."))
    built = folder / "pi_with_spi.so"
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-std=gnu11"]
    subprocess.run(
        ["gcc", *flags, str(PROGRAMS / "pi_with_spi.c"), "-ldl", "-o", str(built)], check=True
    )
    return built


def forget_shim() -> None:
    """Remove what `shim` has built, if it has."""
    if shim.cache_info().currsize:
        shutil.rmtree(shim().parent)
        shim.cache_clear()


def files_of(root: Path, model: str, revision: int, bufsiz: int = 4096) -> None:
    """Lay the files out by which a Pi is known, where the kernel would."""
    for name, content in (
        ("proc/device-tree/model", model.encode() + b"\0"),
        ("proc/device-tree/system/linux,revision", revision.to_bytes(4, "big")),
        ("proc/cpuinfo", f"Hardware\t: BCM2835\nRevision\t: {revision:x}\n".encode()),
        ("sys/module/spidev/parameters/bufsiz", f"{bufsiz}\n".encode()),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


class Message(bytes):
    """The data of one transfer."""

    @property
    def pulses(self) -> list[int]:
        """The pulses 0xRRGGBB that each light of the strip takes from it, in the strip's order. A
        light takes green, red and blue, the highest bit first. Behind the last light the line must
        rest for the strip to show them."""
        return [
            red << 16 | green << 8 | blue for green, red, blue in self.lights(len(LED_OF_LIGHT))
        ]

    def lights(self, count: int) -> list[tuple[int, int, int]]:
        """The three bytes that each of so many lights takes from it."""
        line = int.from_bytes(self, "big")
        whole = len(self) * 8
        found = []
        for light in range(count):
            bits = 0
            for bit in range(24):
                bits = bits << 1 | SYMBOLS[line >> whole - 3 * (24 * light + bit + 1) & 0b111]
            first, second, third = bits.to_bytes(3, "big")
            found.append((first, second, third))
        assert not line & (1 << whole - 72 * count) - 1
        return found

    @property
    def rest_us(self) -> float:
        """Return the microseconds of rest behind the last light."""
        return (len(self) * 8 - 72 * len(LED_OF_LIGHT)) / 2.4

    @property
    def frame(self) -> LightFrame:
        """The pulses of each LED, in the order of the table."""
        return in_order(self.pulses)


def in_order(pulses: list[int]) -> LightFrame:
    """Return the lights in the order of the table's LEDs, from the order of the strip."""
    found = [0] * len(LED_OF_LIGHT)
    for led, pulse in zip(LED_OF_LIGHT, pulses, strict=True):
        found[led] = pulse
    return tuple(found)


class PiWithSpi:
    """A process in which the driver runs on such a Pi, and the witness at its line."""

    def __init__(
        self, folder: Path, lacks: str = "", most_ma: int = 6500, layout: str = "tiles"
    ) -> None:
        """`files_of` has laid out the Pi in the folder."""
        config = folder / "table.toml"
        config.write_text(
            f'[lights]\ndriver = "rpi-ws281x"\nlayout = "{layout}"\nmax_milliamps = {most_ma}\n'
        )
        self.failing = folder / "spi-fails"
        self.speed = 0
        self.closed = 0
        self.messages: list[Message] = []
        self.newest = Message()
        self._witness, theirs = os.pipe()
        fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, ROOM)
        os.set_blocking(self._witness, False)
        self._rest = b""
        self._log = folder / "log"
        environment = {
            **os.environ,
            "LD_PRELOAD": str(shim()),
            "PI_ROOT": str(folder),
            "PI_LACKS": lacks,
            "PI_WITNESS": str(theirs),
            "PI_SPI_FAILS": str(self.failing),
            "PYTHONWARNINGS": "",  # of how the library was made
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, str(PROGRAMS / "shows_lights.py"), str(config)],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                pass_fds=[theirs],
                text=True,
            )
        os.close(theirs)
        self.said = self._process.stdout.readline().strip()
        """`opened`, or why it was not."""

    def show(self, frame: LightFrame) -> None:
        self._tell(b"".join(colour.to_bytes(3, "big") for colour in frame).hex())

    def close(self) -> None:
        self._tell("")

    def _tell(self, line: str) -> None:
        print(line, file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == "done\n"

    def read(self) -> None:
        """Read what the driver has sent."""
        try:
            while data := os.read(self._witness, 1 << 20):
                self._rest += data
        except BlockingIOError:
            pass
        while len(self._rest) >= 5:
            what, number = self._rest[:1], int.from_bytes(self._rest[1:5], "little")
            size = 5 + (number if what == b"m" else 0)
            if len(self._rest) < size:
                return
            if what == b"m":
                self.newest = Message(self._rest[5:size])
                self.messages.append(self.newest)
            elif what == b"s":
                self.speed = number
            else:
                self.closed += 1
            self._rest = self._rest[size:]

    @property
    def witness(self) -> int:
        """Return a file descriptor that is readable when there is something to read."""
        return self._witness

    @property
    def log(self) -> str:
        """Return the driver's messages for the staff."""
        return self._log.read_text("utf-8")

    def end(self) -> int:
        """Have the process end; its exit status."""
        self._process.stdin.close()
        self.read()
        status = self._process.wait(PATIENCE)
        self.read()
        self._process.stdout.close()
        os.close(self._witness)
        return status

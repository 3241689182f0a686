"""The controller without hardware: its firmware compiled for this machine, or in an emulator.

All builds come from `firmware/` (`make -C firmware`), and are used through the functions of
`firmware/model/table.h`. `EmulatedTable` uses a build as a library; its time is virtual and passes
only on request. `running` runs a build as a program in real time. Its serial line is a terminal
device, like that of a real controller.
"""

import ctypes
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pi_table.common.errors import DeviceError, TableError
from pi_table.common.geometry import LED_COUNT
from pi_table.common.language import say
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.led_curve import colour_of_pulses

Build = Literal["host", "emulated", "pi"]
"""``host`` is the firmware's core with a simulated microcontroller, compiled for this machine.
``emulated`` is the microcontroller's own binary, in an emulator. ``pi`` is the controller that runs
on a Raspberry Pi itself, with simulated devices."""

FIRMWARE: Final = Path(__file__).parents[2] / "firmware"
BUILT: Final = FIRMWARE / "build"
BINARY: Final = BUILT / "controller.elf"
PROGRAMS: Final[dict[Build, str]] = {
    "host": "host-table",
    "emulated": "emulated-table",
    "pi": "pi-table-controller",
}
PRELOAD: Final = BUILT / "preload.so"
"""Library that simulates the Raspberry Pi's devices for the program that loads it."""
PI_DEVICES: Final = ("--irq", "GPIO26", "--lights", "spi:/dev/spidev0.0")
MEMORY_BYTES: Final = 1024


class Shown(NamedTuple):
    """A frame that the lights have shown, read from their data pin. Its times are in
    microseconds."""

    begun_us: int
    at_us: int
    pulses: tuple[int, ...]
    """For each of the 104 LEDs, the lengths of its red, green and blue pulses as 0xRRGGBB
    (`pi_table.devices.hal.led_curve`)."""
    whole: bool
    """True if every LED got a value."""

    @property
    def frame(self) -> LightFrame:
        return tuple(map(colour_of_pulses, self.pulses))


class EmulatedTable:
    """The controller with its touch chips and lights, and with simulated fingers. Time is virtual,
    in microseconds."""

    def __init__(
        self,
        build: Build,
        memory: bytes | None = None,
        seed: int = 1,
        layout: Path | None = None,
    ) -> None:
        """``memory`` has the contents of the EEPROM (1024 bytes); None stands for a new EEPROM.
        ``layout`` is a file with the layout of the lights, only for ``pi``; None stands for the
        tiles.

        Raises DeviceError if the build is missing or cannot start.
        """
        self._library = _library(build)
        binary = os.fsencode(BINARY) if build == "emulated" else None
        self._table = self._library.table_new(binary, memory, seed)
        if not self._table:
            raise DeviceError(
                say("The {build} table cannot be made; standard error says why.", build=build)
            )
        self.now_us = 0
        if layout is not None:
            self.tell(f"string {layout}")
            self.tell(f"layout {layout}")

    def run(self, until_us: int, *, stop_early: bool = False) -> int:
        """Let time pass until ``until_us``, and return the time reached, in microseconds. If
        ``stop_early`` is true, stop as soon as the controller has sent or shown something."""
        self.now_us = self._library.table_run(self._table, until_us, stop_early)
        return self.now_us

    def write(self, data: bytes) -> None:
        """Send bytes to the controller. They arrive one after another, at the speed of the serial
        line."""
        self._library.table_write(self._table, data, len(data))

    def read(self) -> bytes:
        found = b""
        buffer = ctypes.create_string_buffer(4096)
        while count := self._library.table_read(self._table, buffer, len(buffer)):
            found += buffer.raw[:count]
        return found

    def new_frames(self) -> Iterator[Shown]:
        shown = _Shown()
        while self._library.table_shown(self._table, ctypes.byref(shown)):
            yield Shown(shown.begun_us, shown.at_us, tuple(shown.pulses), shown.whole)

    def tell(self, line: str) -> str:
        """Send a command to the simulated hardware; return its answer. `firmware/model/README.md`
        has the commands. Raises TableError if the command is refused."""
        answer: str = self._library.table_command(self._table, line.encode()).decode()
        if not answer.startswith("ok"):
            raise TableError(
                say("The table cannot do {line}: {answer}", line=repr(line), answer=answer)
            )
        return answer.removeprefix("ok").strip()

    @property
    def stats(self) -> dict[str, int]:
        pairs = (word.split("=") for word in self.tell("stats").split())
        return {name: int(value) for name, value in pairs}

    @property
    def string(self) -> tuple[int, ...]:
        """The pulses 0xRRGGBB of each light, in the order of the string; only for ``pi``."""
        return tuple(int(light, 16) for light in self.tell("lights").split())

    @property
    def memory(self) -> bytes:
        buffer = ctypes.create_string_buffer(MEMORY_BYTES)
        self._library.table_memory(self._table, buffer)
        return buffer.raw

    def close(self) -> None:
        """Free the memory of the emulated table. A second call does nothing."""
        table, self._table = self._table, None
        if table:
            self._library.table_free(table)

    def __enter__(self) -> "EmulatedTable":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def running(
    build: Build,
    port: Path,
    control: Path,
    memory: Path | None = None,
    *more: str,
    devices: Sequence[str] = PI_DEVICES,
    layout: Path | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the emulated table as a program during the context.

    Its serial line is the terminal device ``port``. The socket ``control`` takes commands for the
    simulated hardware. ``devices`` are the options for the devices of the build ``pi``, and
    ``layout`` is the file with the layout of its lights (None: the layout ``tiles``). Raises
    DeviceError if the program does not start.
    """
    program = _require_built(BUILT / PROGRAMS[build])
    command: list[str | Path] = [program, "--tty", port, *more]
    environment = os.environ.copy()
    if build == "pi":
        command += devices
        environment |= simulated_devices(control)
        if layout is not None:
            command += ["--layout", layout]
            environment["PI_STRING"] = str(layout)
    else:
        command += ["--control", control, "--with-parent"]
    if build == "emulated":
        command += ["--elf", _require_built(BINARY)]
    if memory is not None:
        command += ["--memory", memory]
    table = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment
    )
    assert table.stdout is not None
    try:
        if not table.stdout.readline():
            raise DeviceError(
                say("{program} does not start; standard error says why.", program=program)
            )
        yield table
    finally:
        table.terminate()
        table.wait()
        table.stdout.close()


def simulated_devices(control: Path) -> dict[str, str]:
    """Return the environment variables with which a program finds the simulated devices of a
    Raspberry Pi. The socket ``control`` takes commands for the devices. They end with the parent of
    the program."""
    return {
        "PI_CONTROL": str(control),
        "PI_PARENT": "",
        # A name is looked up in the folders of LD_LIBRARY_PATH. A whole path must have no space.
        "LD_PRELOAD": PRELOAD.name,
        "LD_LIBRARY_PATH": str(PRELOAD.parent),
    }


class _Shown(ctypes.Structure):
    _fields_ = (
        ("begun_us", ctypes.c_uint64),
        ("at_us", ctypes.c_uint64),
        ("pulses", ctypes.c_uint32 * LED_COUNT),
        ("whole", ctypes.c_bool),
    )


def _library(build: Build) -> ctypes.CDLL:
    library = ctypes.CDLL(str(_require_built(BUILT / f"lib{build}table.so")))
    table, size, time = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64
    for name, answer, arguments in (
        ("table_new", table, [ctypes.c_char_p, ctypes.c_char_p, time]),
        ("table_free", None, [table]),
        ("table_run", time, [table, time, ctypes.c_bool]),
        ("table_write", None, [table, ctypes.c_char_p, size]),
        ("table_read", size, [table, ctypes.c_char_p, size]),
        ("table_shown", ctypes.c_bool, [table, ctypes.POINTER(_Shown)]),
        ("table_memory", None, [table, ctypes.c_char_p]),
        ("table_command", ctypes.c_char_p, [table, ctypes.c_char_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = answer, arguments
    return library


def _require_built(path: Path) -> Path:
    if not path.exists():
        raise DeviceError(
            say(
                "{path} is not there. It is built from the source tree: run 'make -C firmware' "
                "there, which needs Debian's gcc-avr, avr-libc, libsimavr-dev and libelf-dev.",
                path=path,
            )
        )
    return path

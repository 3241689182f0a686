"""Findings about the computer: its power supply, temperature, clock, and Python.

``root`` is the root of its file system: `/`, or another folder in tests.
"""

import ctypes
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Final

from pi_table import __version__
from pi_table.common.language import join_texts, say
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.system_files import text_in

PACKAGES: Final = ("msgspec", "pyserial", "gpiozero", "rich", "pillow", "reportlab", "simplemma")
PYGAMES: Final = ("pygame-ce", "pygame")
"""Names of two packages that provide the same module, pygame. Exactly one should be installed."""
LOWEST_PYTHON, HIGHEST_PYTHON = (3, 11), (3, 13)
HOT_CELSIUS: Final = 80
"""Temperature in °C above which a Raspberry Pi slows down."""

THROTTLED: Final = {
    0: say("the voltage is too low"),
    1: say("its clock speed is held down"),
    2: say("it is throttled"),
    3: say("it is at its soft limit of temperature"),
}
"""Meaning of the bits of `vcgencmd get_throttled` for the present moment. For each bit, the bit 16
places higher has the same meaning for any time since boot."""
SINCE_START: Final = 16
LOW_VOLTAGE: Final = 0
"""Number of the bit for low voltage. The kernel's own alarm reports low voltage, too."""


def machine(root: Path = Path("/")) -> Iterator[Finding]:
    """Yield the findings about the computer itself."""
    yield python()
    yield clock()
    yield from package_source(root, time.time())
    model = text_in(root / "proc/device-tree/model").rstrip("\0\n")
    if "Raspberry Pi" not in model:
        yield Finding("power", Verdict.NOT_HERE, say("This is not a Raspberry Pi."))
        yield Finding("temperature", Verdict.NOT_HERE, say("This is not a Raspberry Pi."))
        return
    yield power(model, root)
    yield temperature(root)


def python() -> Finding:
    """Return the finding about the versions of Python and of the packages that the table uses."""
    libraries = {name: version for name in (*PACKAGES, *PYGAMES) if (version := _version(name))}
    versions = {
        "python": ".".join(map(str, sys.version_info[:3])),
        "pi-table": __version__,
        **libraries,
    }
    missing = [name for name in PACKAGES if name not in libraries]
    pygames = [name for name in PYGAMES if name in libraries]
    if not pygames:
        missing.append(PYGAMES[0])
    finding = partial(Finding, "python", figures={"versions": versions})
    says = ", ".join(f"{name} {version}" for name, version in versions.items()) + "."
    if missing:
        return finding(
            Verdict.BROKEN,
            say("{says} Missing: {missing}.", says=says, missing=", ".join(missing)),
            say(
                "Reinstall pi-table with what it depends on: its Debian packages, or its virtual "
                "environment."
            ),
        )
    if not LOWEST_PYTHON <= sys.version_info[:2] <= HIGHEST_PYTHON:
        do = say("pi-table is tested on Python 3.11 to 3.13: use one of these.")
        return finding(Verdict.LOOK, says, do)
    if len(pygames) > 1:
        return finding(
            Verdict.LOOK,
            say("{says} Both pygame and pygame-ce are installed.", says=says),
            say("They overwrite each other: remove both, then install one of them."),
        )
    return finding(Verdict.OK, says)


def clock() -> Finding:
    """Check that the computer's clock is synchronised, because the journal stores the time of each
    event."""
    error_us = _clock_error_us()
    if error_us is None:
        return Finding(
            "clock", Verdict.NOT_HERE, say("The system does not say how its clock is kept.")
        )
    if error_us < UNKNOWN_US:
        return Finding(
            "clock", Verdict.OK, say("It is synchronised."), figures={"most_off_s": error_us / 1e6}
        )
    return Finding(
        "clock",
        Verdict.LOOK,
        say("It is not synchronised: the times in the journal may be wrong."),
        say("Connect the machine to a network once in a while, or give it a clock with a battery."),
    )


UNKNOWN_US: Final = 16_000_000
"""Microseconds: the kernel's largest estimate of the clock's error, if nothing corrects the
clock."""


def package_source(root: Path, now: float) -> Iterator[Finding]:
    """Yield a finding for each pi-table package source: until when its signature is valid. ``now``
    is the time in seconds since 1970."""
    for path in sorted((root / "var/lib/apt/lists").glob("*_InRelease")):
        lines = dict(re.findall(r"^([\w-]+): (.+)$", text_in(path), re.MULTILINE))
        ends = lines.get("Valid-Until")
        if ends is None or lines.get("Origin") != "pi-table":
            continue
        if parsedate_to_datetime(ends).timestamp() > now:
            yield Finding(
                "updates", Verdict.OK, say("Their source is signed until {ends}.", ends=ends)
            )
        else:
            yield Finding(
                "updates",
                Verdict.LOOK,
                say(
                    "Their source was signed until {ends}: no new version comes from it.", ends=ends
                ),
                say(
                    "Have the maker of its packages sign it again, and check that this clock is "
                    "right."
                ),
            )


def _clock_error_us() -> int | None:
    """Return the kernel's estimate of the clock's error in microseconds; None if unknown."""

    class Timex(ctypes.Structure):
        _fields_ = (
            ("modes", ctypes.c_uint),
            ("offset", ctypes.c_long),
            ("frequency", ctypes.c_long),
            ("most_off", ctypes.c_long),
            ("rest", ctypes.c_long * 32),
        )

    timex = Timex()
    try:
        result: int = ctypes.CDLL(None).adjtimex(ctypes.byref(timex))
    except (AttributeError, OSError):
        return None
    return timex.most_off if result >= 0 else None


def power(model: str, root: Path = Path("/")) -> Finding:
    """Check that the Pi gets enough voltage.

    The kernel's alarm is for every user, but only about the present. vcgencmd also reports the past
    and whether the Pi slows down, but only to root and the group video.
    """
    bits, low = _read_throttled(), _low_voltage(root)
    if bits is None and low is None:
        return Finding(
            "power",
            Verdict.LOOK,
            say("{model}. Neither the kernel nor vcgencmd reports its voltage.", model=model),
            say(
                "Run 'sudo vcgencmd get_throttled', where 0x0 is right. If there is no vcgencmd, "
                "install Debian's raspi-utils (on older systems libraspberrypi-bin)."
            ),
        )
    figures: dict[str, object] = {"throttled": bits, "low_voltage": low}
    figures = {name: value for name, value in figures.items() if value is not None}
    finding = partial(Finding, "power", figures=figures)
    now = [name for bit, name in THROTTLED.items() if (bits or 0) >> bit & 1]
    before = [name for bit, name in THROTTLED.items() if (bits or 0) >> bit + SINCE_START & 1]
    if low and THROTTLED[LOW_VOLTAGE] not in now:
        now.insert(0, THROTTLED[LOW_VOLTAGE])
    advice = say("Check the Pi's supply and cable, and let air reach the Pi.")
    if now:
        says = say("{model}. At this moment: {now}.", model=model, now=join_texts(", ", now))
        return finding(Verdict.BROKEN, says, advice)
    if before:
        since = join_texts(", ", before)
        says = say("{model}. Since it was started: {before}.", model=model, before=since)
        return finding(Verdict.LOOK, says, advice)
    if bits is None:
        return finding(
            Verdict.OK,
            say("{model}. Its voltage is right at this moment.", model=model),
            say(
                "Run 'sudo vcgencmd get_throttled' to see whether it has been right since the "
                "start; 0x0 means yes."
            ),
        )
    return finding(Verdict.OK, say("{model}. Its voltage is right.", model=model))


def _read_throttled() -> int | None:
    """Return the bits that vcgencmd prints; None if the program is missing, or forbidden to this
    user."""
    try:
        output = subprocess.run(
            ["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5
        ).stdout
        return int(output.strip().removeprefix("throttled="), 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _low_voltage(root: Path) -> bool | None:
    """True if the voltage was too low in the last 2 s (driver raspberrypi-hwmon); None if
    unknown."""
    for name in (root / "sys/class/hwmon").glob("*/name"):
        if text_in(name) == "rpi_volt":
            alarm = text_in(name.with_name("in0_lcrit_alarm"))
            return alarm != "0" if alarm.isdigit() else None
    return None


def temperature(root: Path) -> Finding:
    """Check the temperature of the machine."""
    zones = (root / "sys/class/thermal").glob("thermal_zone*/temp")
    readings = [int(text) / 1000 for zone in zones if (text := text_in(zone)).isdigit()]
    if not readings:
        return Finding("temperature", Verdict.LOOK, say("The kernel reports no temperature."))
    hottest = max(readings)
    figures: dict[str, object] = {"celsius": hottest}
    says = f"{hottest:.0f} °C."
    if hottest >= HOT_CELSIUS:
        return Finding(
            "temperature",
            Verdict.LOOK,
            say("{says} At such a temperature the Pi slows down.", says=says),
            say("Give it air, or a fan."),
            figures=figures,
        )
    return Finding("temperature", Verdict.OK, says, figures=figures)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None

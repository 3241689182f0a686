"""Sentences for the staff about faults of the controller."""

import errno
import grp
import os
import stat
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pi_table.common.geometry import PLACES
from pi_table.common.language import Say, join_texts, say
from pi_table.devices.hal.own_controller import PORT as OWN_PORT
from pi_table.devices.hal.own_controller import SERVICE as OWN_SERVICE
from pi_table.devices.wire.messages import (
    CHIP_COUNT,
    FIRST_CHIP,
    PROTOCOL,
    Hello,
    Origin,
    RestartCause,
    State,
)
from pi_table.devices.wire.settings import PADS

_CHIPS: Final = frozenset(range(CHIP_COUNT))
READ_AND_WRITE: Final = stat.S_IRGRP | stat.S_IWGRP
SETTLING_MS: Final = 1000
"""Milliseconds after the controller's start during which an unreadable touch chip is not reported.
"""
RESTART_MS: Final = 250
"""Milliseconds during which a touch chip or a place may be unreadable before it is reported.

The controller restarts a chip for new baselines when a thing was put on one of its pads or lifted,
and every ten seconds while an electrode cannot be charged. A restart usually takes some 15 ms. At
most, it takes 2 ms for the reset, 200 ms to measure all electrodes, and some turns on the bus.
"""
UPTIMES: Final = 1 << 32
"""Number of values of a state's ``uptime_ms``. After the last value, it begins at 0 again."""
NOISE_LASTS: Final = 5.0
"""Seconds of noise at a pad after which the staff is told about the noise."""
NOISE_IS_OVER: Final = 2.0
"""Seconds without noise after which the noise of a pad counts as over."""


class Noise:
    """A filter that finds pads with lasting noise. Times are in seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._heard: dict[int, tuple[float, float]] = {}
        """For each pad, the times in seconds at which its noise began and was last noticed."""

    def update(self, noisy: frozenset[int], now: float) -> frozenset[int]:
        """Take the pads (0 … 30) that are noisy now. Return the pads with lasting noise."""
        going_on = {
            pad: times for pad, times in self._heard.items() if now - times[1] < NOISE_IS_OVER
        }
        still = {pad: (going_on.get(pad, (now, now))[0], now) for pad in noisy}
        self._heard = going_on | still
        return frozenset(
            pad for pad, (begun, last) in self._heard.items() if last - begun >= NOISE_LASTS
        )


class Outages:
    """A filter that hides restarts of touch chips. Its clock is the controller's uptime, so an
    outage does not seem longer if this program stalls."""

    def __init__(self) -> None:
        self._boot: int | None = None
        """Boot id of the latest state; None before the first state."""
        self._chips: dict[int, int] = {}
        """For each missing chip, the uptime in milliseconds since which it is missing."""
        self._places: dict[int, int] = {}
        """For each deaf place, the uptime in milliseconds since which it is deaf."""

    def without_restarts(self, state: State) -> State:
        """Take the newest state. Return it without the outages that are shorter than
        `RESTART_MS`."""
        if state.boot != self._boot:
            self._boot, self._chips, self._places = state.boot, {}, {}
        now = state.uptime_ms
        self._chips = {chip: self._chips.get(chip, now) for chip in _CHIPS - state.chips}
        self._places = {place: self._places.get(place, now) for place in state.deaf}
        return replace(
            state,
            chips=_CHIPS - _long_out(self._chips, now),
            deaf=_long_out(self._places, now),
        )


def _long_out(since: Mapping[int, int], now: int) -> frozenset[int]:
    return frozenset(each for each in since if (now - since[each]) % UPTIMES >= RESTART_MS)


def cannot_open(port: str, error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if port == OWN_PORT and number in (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO):
        return _service(
            say("The controller's service {service} does not run.", service=OWN_SERVICE)
        )
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return say(
            "There is no controller at {port}. Plug it in. If it is plugged in, check whether "
            "'pi-table doctor' names it in its line usb; if not, give the name of its port as "
            "port in [controller] of the configuration.",
            port=port,
        )
    if number in (errno.EACCES, errno.EPERM):
        return say(
            "This user may not use the controller's port {port}. {join}",
            port=port,
            join=_how_to_join(port),
        )
    if number in (errno.EAGAIN, errno.EBUSY):
        return say(
            "Another program is using the controller's port {port}. Stop it first: it may be the "
            "engine, or a terminal.",
            port=port,
        )
    said = Say(os.strerror(number)) if number else str(error)
    return say(
        "The controller's port {port} cannot be opened: {said}. If that is the controller, "
        "unplug it and plug it in again; if not, correct port in [controller] of the "
        "configuration.",
        port=port,
        said=said,
    )


def _service(fault: str) -> str:
    """Return a sentence about the controller that is a service of this machine, with advice."""
    return join_texts(
        " ",
        (
            fault,
            say(
                "Start it with 'sudo systemctl restart {service}'; if that does not help, "
                "'pi-table doctor' says why in its line service.",
                service=OWN_SERVICE,
            ),
        ),
    )


def unplugged_text(port: str) -> str:
    if port == OWN_PORT:
        return _service(say("The controller's service {service} has ended.", service=OWN_SERVICE))
    return say("The controller at {port} has been unplugged. Plug it in again.", port=port)


def silent(port: str) -> str:
    if port == OWN_PORT:
        return _service(
            say("The controller's service {service} does not answer.", service=OWN_SERVICE)
        )
    return say(
        "The device at {port} does not answer as the table's controller does. If it is another "
        "device, correct port in [controller] of the configuration; if it is the controller, "
        "write its firmware with 'pi-table flash'.",
        port=port,
    )


def fallen_silent(port: str) -> str:
    if port == OWN_PORT:
        return silent(port)
    return say(
        "The controller at {port} has stopped answering. If this goes on, check its cable, "
        "unplug it and plug it in again.",
        port=port,
    )


def other_protocol(port: str, version: int) -> str:
    if port == OWN_PORT:
        return _service(
            say(
                "The controller's service {service} speaks version {version} of the protocol, and "
                "this program version {protocol}.",
                service=OWN_SERVICE,
                version=version,
                protocol=PROTOCOL,
            )
        )
    firmware = say("an older firmware") if version < PROTOCOL else say("a newer firmware")
    return say(
        "The controller at {port} has {firmware}: it speaks version {version} of the "
        "protocol, and this program version {protocol}. Write the firmware that belongs to "
        "this program with 'pi-table flash'.",
        port=port,
        firmware=firmware,
        version=version,
        protocol=PROTOCOL,
    )


def of_table(hello: Hello, state: State, noisy: frozenset[int] = frozenset()) -> str | None:
    """Return sentences about the faults that the controller reports; None if there are no faults.

    ``state`` should come from `Outages`. Otherwise a harmless restart of a chip is called a fault.
    ``noisy`` are the numbers (0 … 30) of the pads with lasting noise.
    """
    said: list[str] = []
    if hello.settings is Origin.DAMAGED:
        said.append(
            say(
                "The settings of this table are damaged in its controller, which uses the "
                "defaults: run 'pi-table calibrate'."
            )
        )
    if state.uptime_ms >= SETTLING_MS:
        missing = [chip for chip in range(CHIP_COUNT) if chip not in state.chips]
        said += [_why_missing(chip, hello, state) for chip in missing]
        if state.deaf:
            said.append(_out_of_use(state.deaf, bool(missing)))
    if noisy:
        said.append(_noise_sentence(noisy))
    return join_texts(" ", said) or None


_WHY: Final = {
    RestartCause.NEVER: say("Touch chip {chip} does not answer: check its wires."),
    RestartCause.SILENT: say("Touch chip {chip} does not answer any more: check its wires."),
    RestartCause.BROWN_OUT: say("Touch chip {chip} has lost its power: check its wires."),
    RestartCause.OVER_CURRENT: (
        say("Touch chip {chip} finds too much current at an electrode: look for a short circuit.")
    ),
}


def _why_missing(chip: int, hello: Hello, state: State) -> str:
    cause = state.restarts[chip]
    if cause is RestartCause.SILENT and chip not in hello.chips:
        cause = RestartCause.NEVER  # it has not stopped answering: it was missing from the start
    return say(_WHY[cause].msgid, chip=_chip(chip))


def _chip(chip: int) -> str:
    return f"0x{FIRST_CHIP + chip:02X}"


def _out_of_use(deaf: frozenset[int], chip_is_missing: bool) -> str:
    names = ", ".join(PLACES[place] for place in sorted(deaf))
    out = say("Out of use: {names}.", names=names)
    return out if chip_is_missing else say("{out} Remove whatever is on them.", out=out)


def _noise_sentence(pads: frozenset[int]) -> str:
    names = ", ".join(PADS[pad] for pad in sorted(pads))
    return say(
        "Noise from outside at {names}: no touch counts there. Take phones off the table, "
        "and unplug chargers and dimmed lamps near it, one after the other.",
        names=names,
    )


def _how_to_join(port: str) -> str:
    try:
        status = os.stat(port)
        group = grp.getgrgid(status.st_gid).gr_name
    except (OSError, KeyError):
        group = None
    if group is None or status.st_mode & READ_AND_WRITE != READ_AND_WRITE:
        return say("Check with 'ls -l {port}' who may.", port=port)
    return say(
        "Its group {group} may: add this user to it with 'sudo usermod -aG {group_2} NAME', and "
        "log in again.",
        group=repr(group),
        group_2=group,
    )

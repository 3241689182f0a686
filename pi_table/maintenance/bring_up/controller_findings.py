"""The doctor's findings about the controller: its port, firmware, touch chips, pads and lights."""

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from pi_table import __version__
from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.geometry import LED_COUNT
from pi_table.common.language import join_texts, say
from pi_table.devices.hal import controller_trouble, own_controller
from pi_table.devices.hal.own_controller import SERVICE
from pi_table.devices.wire.messages import (
    CHIP_COUNT,
    PROTOCOL,
    Hello,
    Origin,
    RestartCause,
    Start,
    State,
)
from pi_table.devices.wire.settings import Settings
from pi_table.maintenance.bring_up.calibration_report import thresholds_by_pad
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.electrode_findings import electrodes
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.holders import holders, name_holders
from pi_table.maintenance.bring_up.rest import Lamps, measure, open_lamps
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.wiring import CARRIER, Wires, address, wires_of
from pi_table.maintenance.bring_up.wiring_faults import of_chips

SETTLING_SECONDS: Final = 1.0
"""Seconds to wait until the touch chips have started. Opening the port may have restarted them."""
PATTERN: Final = (0x780000, 0x007800, 0x000078, 0x636363)
PATTERN_SECONDS: Final = 0.7


def controller(config: Config, show_lights: bool) -> Iterator[Finding]:
    """Yield the findings about the controller. If it does not answer, only its port is checked."""
    path = config.controller.port
    if absent := missing(path, "controller" in (config.touch.driver, config.lights.driver)):
        yield absent
        return
    with ExitStack() as stack:
        try:
            line = stack.enter_context(open_line(path))
        except DeviceError as error:
            yield _in_use(path) or Finding("port", Verdict.BROKEN, str(error))
            return
        yield Finding(
            "port",
            Verdict.OK,
            say("{path} is there{group}: this user may use it.", path=path, group=_group(path)),
        )
        try:
            conversation = Conversation(line, path)
            lamps = stack.enter_context(open_lamps(config, conversation))
            on_pi, wires = own_controller.is_used(config), wires_of(config)
            yield from table(conversation, show_lights, on_pi, lamps, wires)
        except DeviceError as error:
            yield Finding("controller", Verdict.BROKEN, str(error))


def missing(path: str, needed: bool) -> Finding | None:
    """Return a finding if the port is missing, else None. A missing port that is ``needed`` is a
    fault."""
    if os.path.exists(path):
        return None
    if needed:
        says = controller_trouble.cannot_open(path, FileNotFoundError(errno.ENOENT, ""))
        return Finding("port", Verdict.BROKEN, says)
    return Finding(
        "port", Verdict.NOT_HERE, say("There is no {path}, and no driver needs one.", path=path)
    )


def _group(path: str) -> str:
    try:
        return say(", for the group {group}", group=repr(Path(path).group()))
    except (OSError, KeyError):
        return ""


def _in_use(path: str) -> Finding | None:
    """Return a finding if another program uses the port. Return None if no program uses the port,
    or if this user may not open it."""
    others = holders(path)
    if not others or not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
        return None
    figures: dict[str, object] = {"held_by": [each.process for each in others]}
    if any(each.runs("run") for each in others):
        says = say(
            "{path} is in use by pi-table itself: {named}.", path=path, named=name_holders(others)
        )
        do = say("This is fine. To check the controller too, stop that program and try again.")
        return Finding("port", Verdict.OK, says, do, figures=figures)
    return Finding(
        "port",
        Verdict.LOOK,
        say("Another program is using {path}: {named}.", path=path, named=name_holders(others)),
        say("Stop it: the table cannot use the port meanwhile."),
        figures=figures,
    )


def table(
    conversation: Conversation,
    show_lights: bool,
    on_pi: bool = False,
    lamps: Lamps | None = None,
    wires: Wires = CARRIER,
) -> Iterator[Finding]:
    """Yield the findings about a table whose controller answers. With ``show_lights``, also show
    some colours. ``lamps`` are the lights under which the noise is measured; None for those of the
    controller."""
    hello = conversation.hello
    yield versions(hello, on_pi)
    yield start(hello, on_pi)
    conversation.pause(SETTLING_SECONDS)
    lamps = lamps or Lamps(conversation.show)
    show = lamps.show or conversation.show
    rest = measure(conversation, lamps)
    yield chips(conversation.state_after_restarts(), wires)
    settings = conversation.settings()
    yield electrodes(rest, settings)
    yield settings_in_use(hello, settings)
    if show_lights:
        for colour in PATTERN:
            show((colour,) * LED_COUNT)
            conversation.pause(PATTERN_SECONDS)
    yield lights(hello, conversation.state(), settings, show_lights)


def versions(hello: Hello, on_pi: bool = False) -> Finding:
    """Compare the version of the firmware with the version of this program. They should be the
    same. ``on_pi`` is True if the controller is a service of this machine."""
    firmware = ".".join(map(str, hello.firmware))
    says = say(
        "Protocol {protocol}, firmware {firmware}, pi-table {version}.",
        protocol=PROTOCOL,
        firmware=firmware,
        version=__version__,
    )
    figures: dict[str, object] = {"protocol": PROTOCOL, "firmware": firmware}
    if firmware != __version__:
        do = (
            say("Restart the service: sudo systemctl restart {service}.", service=SERVICE)
            if on_pi
            else say(
                "They understand each other; `pi-table flash` writes the firmware of this pi-table."
            )
        )
        return Finding("versions", Verdict.LOOK, says, do, figures=figures)
    return Finding("versions", Verdict.OK, says, figures=figures)


def start(hello: Hello, on_pi: bool = False) -> Finding:
    """Return the finding about the reason for the controller's latest start."""
    figures: dict[str, object] = {"start": hello.start.name.lower(), "boot": hello.boot}
    finding = partial(Finding, "start", figures=figures)
    if on_pi:
        return finding(Verdict.OK, say("systemd has started it."))
    match hello.start:
        case Start.POWER:
            says = say("It was switched on, or its boot loader does not say.")
            return finding(Verdict.OK, says)
        case Start.RESET_LINE:
            return finding(Verdict.OK, say("It was reset, as opening its port does."))
        case Start.BROWN_OUT:
            says, do = say("Its voltage dropped."), say("Look at its cable and the power supply.")
            return finding(Verdict.LOOK, says, do)
        case Start.WATCHDOG:
            says = say("Its watchdog restarted it: it had hung.")
            do = say("Look at the wires to the touch chips; if it happens again, report it.")
            return finding(Verdict.LOOK, says, do)


def chips(state: State, wires: Wires = CARRIER) -> Finding:
    """Return the finding about the touch chips: which can be read, and which were restarted."""
    there = ", ".join(address(chip) for chip in sorted(state.chips)) or say("none")
    figures: dict[str, object] = {
        "readable": [address(chip) for chip in sorted(state.chips)],
        "restarts": state.restarted,
        "causes": [cause.name.lower() for cause in state.restarts],
    }
    finding = partial(Finding, "chips", figures=figures)
    missing = [address(chip) for chip in range(CHIP_COUNT) if chip not in state.chips]
    if missing:
        says = say(
            "{there} can be read; {missing} cannot.", there=there, missing=", ".join(missing)
        )
        do = join_texts(" ", (each.do for each in of_chips(state, wires)))
        return finding(Verdict.BROKEN, says, do)
    troubled = [
        say("{chip} ({cause})", chip=address(chip), cause=CAUSES[cause])
        for chip, cause in enumerate(state.restarts)
        if cause is not RestartCause.NEVER
    ]
    if troubled:
        says = say(
            "{there} can be read. Restarted before: {troubled}.",
            there=there,
            troubled=join_texts(", ", troubled),
        )
        return finding(Verdict.LOOK, says, say("Look at their wires."))
    return finding(Verdict.OK, say("{there} can be read.", there=there))


CAUSES: Final = {
    RestartCause.SILENT: say("it did not answer"),
    RestartCause.BROWN_OUT: say("it had lost its power"),
    RestartCause.OVER_CURRENT: say("it found too much current"),
}


def settings_in_use(hello: Hello, settings: Settings) -> Finding:
    """Return the finding about the thresholds in use: stored ones, or defaults."""
    least, most = min(settings.touch), max(settings.touch)
    counts = f"{least}" if least == most else f"{least}–{most}"
    says = say(
        "touch at {counts} counts, lights at most {most_ma} mA.",
        counts=counts,
        most_ma=settings.most_ma,
    )
    figures: dict[str, object] = {
        "origin": hello.settings.name.lower(),
        "pads": thresholds_by_pad(settings),
        "most_ma": settings.most_ma,
    }
    finding = partial(Finding, "settings", figures=figures)
    match hello.settings:
        case Origin.STORED:
            return finding(Verdict.OK, say("As stored: {says}", says=says))
        case Origin.NEW:
            do = say("Set them for this table with `pi-table calibrate`.")
            return finding(Verdict.LOOK, say("The defaults: {says}", says=says), do)
        case Origin.DAMAGED:
            damaged = say("What was stored is damaged. The defaults are in use: {says}", says=says)
            do = say("Run `pi-table calibrate`; if it happens again, use another controller.")
            return finding(Verdict.BROKEN, damaged, do)


def lights(hello: Hello, state: State, settings: Settings, shown: bool) -> Finding:
    """Return the finding about the lights and their current. If the colours were just ``shown``,
    the finding asks whether somebody saw them."""
    figures: dict[str, object] = {"lights": hello.lights, "current_ma": state.current_ma}
    do = say("Did the whole table turn red, green, blue, and white?") if shown else ""
    if state.starving:
        says = say(
            "{lights} lights, {current_ma} mA by calculation: dimmed, to stay below the "
            "{most_ma} mA of the settings.",
            lights=hello.lights,
            current_ma=state.current_ma,
            most_ma=settings.most_ma,
        )
        return Finding("lights", Verdict.LOOK, says, do, figures=figures)
    says = say(
        "{lights} lights, {current_ma} mA by calculation.",
        lights=hello.lights,
        current_ma=state.current_ma,
    )
    return Finding("lights", Verdict.OK, says, do, figures=figures)

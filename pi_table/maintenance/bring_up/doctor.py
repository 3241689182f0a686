"""`pi-table doctor`: checks the table and gives advice on each fault."""

from collections.abc import Iterator
from pathlib import Path

from pi_table.common import config
from pi_table.common.errors import InputError, TableError
from pi_table.common.language import Lang, say
from pi_table.common.output_locale import readers_language
from pi_table.devices.hal import own_controller
from pi_table.devices.hal.console_registry import INPUTS
from pi_table.devices.hal.registry import LIGHTS, PANEL, PARTS, SOUND, TOUCH
from pi_table.maintenance.bring_up.board_findings import board
from pi_table.maintenance.bring_up.controller_findings import controller
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.machine_findings import machine
from pi_table.maintenance.bring_up.package_findings import packages
from pi_table.maintenance.bring_up.pages_findings import pages
from pi_table.maintenance.bring_up.pi_controller_findings import pi_controller, show_unit
from pi_table.maintenance.bring_up.sound_findings import sound
from pi_table.maintenance.bring_up.surroundings_findings import surroundings
from pi_table.maintenance.bring_up.usb_findings import usb
from pi_table.maintenance.bring_up.wifi_findings import wifi


def run(given: Path | None, json: bool, show_lights: bool) -> int:
    """Print each finding as soon as it is known. Return 1 if anything is broken, else 0."""
    broken = False
    lang = readers_language(_language_of(given))
    for finding in examine(given, show_lights):
        print(finding.json() if json else finding.text(lang), flush=True)
        broken = broken or finding.verdict is Verdict.BROKEN
    return int(broken)


def _language_of(given: Path | None) -> Lang | None:
    """Return the configured language; None if the configuration cannot be read."""
    try:
        return config.load(given).console.language
    except InputError:
        return None


def examine(given: Path | None, show_lights: bool, root: Path = Path("/")) -> Iterator[Finding]:
    """Yield every finding on this machine. ``root`` is the root of the file system.

    If the configuration cannot be used, the checks use the defaults.
    """
    try:
        used = config.load(given)
    except InputError as error:
        used = config.load()
        yield Finding(
            "config", Verdict.BROKEN, str(error), say("The results below are for the defaults.")
        )
    else:
        which = (
            say("{given} is in order", given=given)
            if given
            else say("The defaults, as no --config was given")
        )
        named = say(
            "touch by {driver}, lights by {driver_2}",
            driver=repr(used.touch.driver),
            driver_2=repr(used.lights.driver),
        )
        yield Finding("config", Verdict.OK, say("{which}: {named}.", which=which, named=named))
    yield drivers(used)
    yield from machine(root)
    yield from board(used, root)
    yield from surroundings(used, root)
    yield usb(used, root)
    yield from sound(used)
    yield wifi(root)
    yield pages(used)
    yield from packages(used, root)
    if own_controller.is_used(used):
        yield from pi_controller(used, show_unit(), root)
    yield from controller(used, show_lights)


def drivers(used: config.Config) -> Finding:
    """Check that each configured driver exists, and that its Python modules are installed."""
    try:
        TOUCH.opener(used.touch.driver, PARTS)
        LIGHTS.opener(used.lights.driver, PARTS)
        SOUND.opener(used.sound.driver, PARTS)
        PANEL.opener(used.panel.driver, PARTS)
        INPUTS.opener(used.console.inputs)
    except TableError as error:
        return Finding("drivers", Verdict.BROKEN, str(error))
    return Finding("drivers", Verdict.OK, say("All that are named exist."))

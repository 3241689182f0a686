"""No driver is without its contract suite: whoever registers one adds a line to `SUITES`."""

from typing import Any

import contract
import inputs_contract
import panel_contract
import pytest
import sounder_contract
import test_contract
import test_contract_controller
import test_contract_inputs
import test_contract_panel
import test_contract_sounder
import test_contract_strip

from pi_table.devices.hal.console_registry import INPUTS
from pi_table.devices.hal.drivers import Registry
from pi_table.devices.hal.registry import PARTS

SUITES: dict[tuple[str, str], tuple[type, ...]] = {
    **dict.fromkeys(
        (("touch", "controller"), ("lights", "controller")),
        (
            test_contract_controller.TestHostBuild,
            test_contract_controller.TestEmulatedChip,
            test_contract_controller.TestOnThePi,
        ),
    ),
    **dict.fromkeys(
        (("touch", "simulated"), ("lights", "simulated")),
        (
            test_contract.TestSimulatedTable,
            test_contract.TestLinkedTableOnASocket,
            test_contract.TestLinkedTableOnATerminal,
        ),
    ),
    ("lights", "rpi-ws281x"): (test_contract_strip.TestRpiWs281x,),
    ("lights", "ws2812-pio"): (test_contract_strip.TestWs2812Pio,),
    ("sound", "simulated"): (test_contract_sounder.TestSimulatedSounder,),
    ("sound", "alsa"): (test_contract_sounder.TestAlsa,),
    ("sound", "none"): (test_contract_sounder.TestNoSounder,),
    ("panel", "simulated"): (
        test_contract_panel.TestSimulatedPanel,
        test_contract_panel.TestLinkedPanel,
    ),
    ("panel", "gpiozero"): (test_contract_panel.TestGpiozeroPanel,),
    ("panel", "none"): (test_contract_panel.TestNoPanel,),
    ("console", "gpiozero"): (test_contract_inputs.TestGpiozeroInputs,),
    ("console", "none"): (test_contract_inputs.TestNoInputs,),
}
"""By the section of the configuration and the name that it has for a driver: what tests the driver
as this part."""
CONTRACTS: dict[str, type] = {
    "touch": contract.TouchContract,
    "lights": contract.LightsContract,
    "sound": sounder_contract.SounderContract,
    "panel": panel_contract.PanelContract,
    "console": inputs_contract.InputsContract,
}
"""Contracts of each part's drivers, by the section of the configuration that names them."""
REGISTRIES: tuple[Registry[Any], ...] = (*PARTS, INPUTS)
DRIVERS = [(part.section, name) for part in REGISTRIES for name in part.modules]


@pytest.mark.parametrize(("section", "name"), DRIVERS)
def test_every_driver_passes_the_contract_of_each_of_its_parts(section: str, name: str) -> None:
    suites = SUITES.get((section, name), ())
    assert suites, f"No contract suite is listed for the driver {name!r} of [{section}]."
    assert all(issubclass(suite, CONTRACTS[section]) for suite in suites)
    assert all(suite.__name__.startswith("Test") and "rig" in vars(suite) for suite in suites)


def test_no_suite_is_listed_for_a_driver_that_there_is_not() -> None:
    assert SUITES.keys() == {*DRIVERS}

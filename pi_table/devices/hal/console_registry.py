"""The drivers of the console's encoder and buttons, by name."""

from collections.abc import Callable
from typing import Final

from pi_table.common.config import Config
from pi_table.devices.hal.contracts import ConsoleInputs
from pi_table.devices.hal.drivers import Registry

INPUTS: Final = Registry[Callable[[Config], ConsoleInputs]](
    "console",
    "inputs",
    {"none": "pi_table.devices.hal.no_inputs", "gpiozero": "pi_table.devices.hal.gpiozero_inputs"},
)


def open_inputs(config: Config) -> ConsoleInputs:
    """Open the encoder and buttons that the configuration names.

    Raises InputError for an unknown driver name, and DeviceError for a device that cannot be
    opened.
    """
    return INPUTS.opener(config.console.inputs)(config)

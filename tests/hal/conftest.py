"""The drivers are tested with the wire's controller and the worlds' loop in virtual time."""

import sys
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("wire", "worlds")]

pytest.register_assert_rewrite("contract", "inputs_contract", "panel_contract", "sounder_contract")


def pytest_sessionfinish() -> None:
    """What was built for the tests goes with them. A process that shares them ends without ado."""
    if "pi_with_spi" in sys.modules:
        sys.modules["pi_with_spi"].forget_shim()

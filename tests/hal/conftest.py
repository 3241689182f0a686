"""What the tests of the drivers share."""

import sys

import pytest

pytest.register_assert_rewrite("contract", "inputs_contract", "panel_contract", "sounder_contract")


def pytest_sessionfinish() -> None:
    """What was built for the tests goes with them. A process that shares them ends without ado."""
    if "pi_with_spi" in sys.modules:
        sys.modules["pi_with_spi"].forget_shim()

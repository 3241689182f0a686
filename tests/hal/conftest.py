"""Fixtures shared by the tests of the drivers."""

import asyncio
import sys
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

pytest.register_assert_rewrite("contract", "inputs_contract", "panel_contract", "sounder_contract")


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.close()


def pytest_sessionfinish() -> None:
    """Remove the files built for the tests. A process that shares them ends at once."""
    if "pi_with_spi" in sys.modules:
        sys.modules["pi_with_spi"].forget_shim()

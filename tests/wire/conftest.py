import pytest
from linked import Wire, touches

from pi_table.devices.wire.link import Standing


@pytest.fixture
def wire() -> Wire:
    """A link that is up."""
    wire = Wire()
    wire.link.on_open()
    wire.run(0.01)
    assert wire.link.standing is Standing.UP
    assert wire.taken() == [touches()]
    return wire

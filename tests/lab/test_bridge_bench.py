"""The benchmark of the bridge: its memory is measured while its connections are cut."""

import pytest
from needs_root import looks_inside

from pi_table.lab.bench import bridge
from pi_table.lab.bench.contents import subject_of

pytestmark = pytest.mark.paced


@looks_inside
@pytest.mark.skipif(not bridge.PROGRAM.exists(), reason="needs Mosquitto")
def test_a_bridge_is_measured_while_its_connections_are_cut() -> None:
    measured = bridge.after_reconnects(10)
    subject = subject_of(str(measured["name"]))
    assert subject is not None
    assert subject.unit == measured["unit"]
    before, grown = measured["before"], measured["value"]
    assert isinstance(before, float)
    assert isinstance(grown, float)
    assert 5 < before < 100
    assert -5 < grown < 5

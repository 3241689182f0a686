"""The siege of the pages, for a moment: what is kept is bounded, and who was there stays."""

from typing import Any

import pytest
from needs_root import looks_inside

from pi_table.lab.bench import siege
from pi_table.lab.bench.contents import subject_of
from pi_table.screens.web.http_connections import MAX_CONNECTIONS
from pi_table.screens.web.server import OWN_FILES

pytestmark = pytest.mark.paced


@looks_inside
def test_a_siege_fills_neither_files_nor_log_and_throws_nobody_out() -> None:
    measured: dict[str, Any] = {str(m["name"]): m for m in siege.measure(seconds=0.3)}
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
    assert measured["siege/open_files"]["value"] <= MAX_CONNECTIONS + OWN_FILES
    assert measured["siege/log"]["value"] <= 10
    assert measured["siege/boards_that_stay"]["value"] == siege.BOARDS
    assert measured["siege/phones_that_stay"]["value"] == siege.PHONES
    assert measured["siege/other_guest_waits"]["lost"] == 0
    assert measured["siege/guess_to_light"]["times"] > 0

"""The benchmark of the console: its process is measured, and what is measured is said."""

from pathlib import Path
from typing import Any

import pytest

from pi_table.lab.bench import screen
from pi_table.lab.bench.contents import subject_of
from pi_table.lab.running_table import RunningTable

pytestmark = pytest.mark.paced


def test_a_start_of_the_console_is_measured_until_its_first_picture(tmp_path: Path) -> None:
    with RunningTable(tmp_path) as table:
        table.wait()
        measured: dict[str, Any] = {str(m["name"]): m for m in screen._starts(tmp_path, 1)}
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
    imports, used, first = (
        measured[f"screen/{name}"]["value"]
        for name in ("import", "start_cpu", "start_to_first_frame")
    )
    assert 0 < imports < used
    assert imports < first

"""The lengths that the table's parts share."""

from pathlib import Path

import pytest

from hardware.dimensions import MM, read


def test_a_row_of_parts_fits_where_the_next_begins() -> None:
    for way in ("across", "down"):
        cell = MM[f"pitch_{way}"] - MM["wall"]
        assert MM[f"electrode_{way}"] < MM[f"led_{way}"] < MM[f"tile_{way}"] < cell


@pytest.mark.parametrize(
    "text",
    [
        'wall = { mm = 1.6, mark = "P" }',
        'wall = { mm = 0, mark = "P", why = "It is." }',
        'wall = { mm = 1.6, mark = "X", why = "It is." }',
        'wall = { mm = 1.6, mark = "P", why = "" }',
        'wall = { inch = 1.6, mark = "P", why = "It is." }',
    ],
)
def test_a_length_without_a_mark_or_a_reason_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "dimensions.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match="wall"):
        read(file)

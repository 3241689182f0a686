"""`asvs.txt` has a row for every requirement, and the tests that it and the page name are there."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import rights

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "pi_table" / "screens" / "web" / "SECURITY.md"
STANDARD: Final = Path(__file__).with_name("asvs.txt")

MOST_OF_EACH_SECTION: Final = """
1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1
4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2
7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2
10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5
14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
"""
"""ASVS 5.0.0: in each section, the requirements of levels 1 and 2 are those from 1 to this."""
HOW_IT_STANDS: Final = ("kept", "none here", "in part", "not kept")


def required() -> Iterator[str]:
    for section in MOST_OF_EACH_SECTION.split():
        name, _, most = section.partition(":")
        yield from (f"{name}.{number}" for number in range(1, int(most) + 1))


def rows() -> list[list[str]]:
    """The fields of the rows: ids, what they ask for, how it stands."""
    lines = STANDARD.read_text("utf-8").split("\n")
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


def ids(cell: str) -> Iterator[str]:
    """The ids of a cell: some, or ranges of them."""
    for part in cell.split(", "):
        first, _, last = part.partition("–")
        section, _, number = first.rpartition(".")
        least, most = int(number), int((last or first).rpartition(".")[2])
        assert not last or last.startswith(f"{section}."), part
        yield from (f"{section}.{each}" for each in range(least, most + 1))


def test_there_are_as_many_requirements_as_the_standard_has() -> None:
    assert len([*required()]) == 70 + 183


def test_every_requirement_has_one_row() -> None:
    had = Counter(each for cells in rows() for each in ids(cells[0]))
    assert had == Counter(required())


def test_every_row_says_how_it_stands() -> None:
    wrong = [cells for cells in rows() if len(cells) != 3 or not cells[2].startswith(HOW_IT_STANDS)]
    assert wrong == []


def test_the_page_lists_each_requirement_that_is_not_met() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    for shown, state in (("Not met", "not kept"), ("Met in part", "in part")):
        (listed,) = re.findall(rf"- {shown}: ([\d., ]+)\.(?: |$)", text)
        assert [*ids(listed)] == [
            each for cells in rows() if cells[2].startswith(state) for each in ids(cells[0])
        ]


@pytest.mark.parametrize("file", [PAGE, STANDARD], ids=lambda file: file.name)
def test_every_test_that_is_named_is_there(file: Path) -> None:
    named = {*re.findall(r"`([\w/.]+\.py)::(\w+)`", file.read_text("utf-8"))}
    assert named
    assert [*missing(named)] == []


def missing(named: set[tuple[str, str]]) -> Iterator[str]:
    for file, test in sorted(named):
        path = ROOT / file if "/" in file else Path(__file__).parent / file
        if not path.is_file() or f"def {test}(" not in path.read_text("utf-8"):
            yield f"{file}::{test}"


@pytest.mark.parametrize("file", [PAGE, STANDARD], ids=lambda file: file.name)
def test_every_path_that_is_named_is_there(file: Path) -> None:
    spans = re.findall(r"`((?:pi_table|tests|systemd|\.ci)/[\w/.-]+)`", file.read_text("utf-8"))
    assert len(spans) > 5
    assert [span for span in spans if not (ROOT / span).exists()] == []


def test_the_table_of_rights_is_made_from_the_code() -> None:
    """If not: ``python tests/attacks/rights.py``."""
    assert rights.page() == PAGE.read_text("utf-8")
    assert rights.table() in rights.page()


def test_each_end_of_a_right_is_held_by_a_test() -> None:
    ends = {end.test for right in rights.RIGHTS for end in right.ends}
    named = {(file, test) for file, _, test in (each.partition("::") for each in ends)}
    assert len(named) > 20
    assert [*missing(named)] == []

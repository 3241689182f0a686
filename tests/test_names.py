"""The tests' modules are imported by their names alone, from whatever folder they stand in."""

from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parent
NAMED_ALIKE = {"conftest"}
"""pytest tells these apart by their folders."""


def test_no_two_modules_of_the_tests_bear_one_name() -> None:
    names = Counter(path.stem for path in TESTS.rglob("*.py"))
    assert {name for name, times in names.items() if times > 1} <= NAMED_ALIKE

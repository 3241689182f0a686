"""The tests' modules are imported by their names alone, from whatever folder they stand in."""

import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parent
NAMED_ALIKE = {"conftest"}
"""pytest tells these apart by their folders."""


def test_no_two_modules_of_the_tests_bear_one_name() -> None:
    names = Counter(path.stem for path in TESTS.rglob("*.py"))
    assert {name for name, times in names.items() if times > 1} <= NAMED_ALIKE


def test_every_conftest_is_type_checked() -> None:
    """mypy passes over them, as they have one name, but for those that are imported as others."""
    imported = (TESTS / "conftest.py").read_text("utf-8")
    folders = {path.parent.name for path in TESTS.glob("*/conftest.py")}
    assert folders == set(re.findall(r"import tests\.(\w+)\.conftest", imported))

"""Rules that no test names: ``python tests/rule_coverage.py`` prints them; exit 1 if any.

The rules are the ids in the tables of RULES.md. A test names one by writing its id in a comment, as
in ``# CN-11``, or ``# CN-11 to CN-13``. The texts of the games count as tests.
"""

import re
import sys
from pathlib import Path

TESTS = Path(__file__).parent
RULES = TESTS.parent / "pi_table" / "games" / "rules" / "RULES.md"
COMMENT = re.compile(r"(?:^|\s)#.*")
NAMED = re.compile(r"\b([A-Z]{2,3})-(\d+)(?: to \1-(\d+))?\b")


def rules(table: str) -> list[str]:
    """The ids in the first column of the tables, in their order."""
    return re.findall(r"^\| ([A-Z]+-\d+) \|", table, re.MULTILINE)


def named(text: str) -> set[str]:
    """The ids that a test names, with all between two that are joined by *to*."""
    return {
        f"{kind}-{number}"
        for kind, first, last in NAMED.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def uncovered(table: str, tests: list[str]) -> list[str]:
    """The rules of the table that none of the tests names."""
    known = set().union(*map(named, tests))
    return [rule for rule in rules(table) if rule not in known]


def written(folder: Path) -> list[str]:
    """The comments of the tests under a folder, and the texts that they play."""
    code = [file.read_text("utf-8") for file in folder.rglob("test_*.py")]
    games = [file.read_text("utf-8") for file in folder.rglob("games/*.txt")]
    return [comment for text in code for comment in COMMENT.findall(text)] + games


if __name__ == "__main__":
    missing = uncovered(RULES.read_text("utf-8"), written(TESTS))
    print("\n".join(missing) or "Every rule is named by a test.")
    sys.exit(bool(missing))

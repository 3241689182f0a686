"""Every rule has a test; and the count would tell if one had none."""

import subprocess
import sys
from pathlib import Path

from rule_coverage import RULES, named, rules, uncovered, written

TABLE = """
| id | rule |
|---|---|
| XX-1 | Something, see XX-3. |
| XX-2 | Something else. |
| XX-12 | Nothing. |
"""


def test_every_rule_is_named_by_a_test() -> None:
    script = Path(__file__).with_name("rule_coverage.py")
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "Every rule is named by a test.\n"), run.stdout


def test_a_rule_without_a_test_is_listed() -> None:
    one, two = "# XX" + "-1", "# XX" + "-2: and so on"
    assert rules(TABLE) == ["XX-1", "XX-2", "XX-12"]
    assert uncovered(TABLE, [one, two]) == ["XX-12"]
    assert uncovered(TABLE, []) == rules(TABLE)


def test_only_comments_of_tests_and_whole_games_count(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    (games / "one.txt").write_text("Nothing but XX-1.")
    (tmp_path / "test_two.py").write_text('name = "XX-2"  # and XX-12\n# more\n')
    (tmp_path / "helper.py").write_text("# XX-2")
    assert uncovered(TABLE, written(tmp_path)) == ["XX-2"]


def test_a_range_names_all_that_lie_in_it() -> None:
    assert named("# YY" + "-9 to YY-12, and ZZ-3") == {"YY-9", "YY-10", "YY-11", "YY-12", "ZZ-3"}


def test_the_list_of_rules_has_no_gap() -> None:
    ids = rules(RULES.read_text("utf-8"))
    kinds = {"CN": 26, "NC": 7, "DU": 3, "CL": 13, "AL": 14, "CX": 20, "ALL": 5}
    expected = [f"{kind}-{n}" for kind, last in kinds.items() for n in range(1, last + 1)]
    expected.insert(expected.index("AL-1"), "AL-0")
    assert ids == expected

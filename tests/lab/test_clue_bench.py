"""The benchmark of the referee: every clue is timed, in both languages."""

from typing import Any

from pi_table.lab.bench import clue
from pi_table.lab.bench.contents import subject_of


def test_both_languages_are_measured() -> None:
    measured: dict[str, Any] = {str(m["name"]): m for m in clue.measure(clues=21)}
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
    for lang in ("en", "it"):
        warm = measured[f"clue/{lang}/warm"]
        assert (warm["times"], warm["words"], warm["unit"]) == (20, 25, "ms")
        assert 0 < warm["value"] <= warm["p99"]
        assert warm["value"] <= warm["max"]
        assert warm["value"] < measured[f"clue/{lang}/load"]["value"]
        assert measured[f"clue/{lang}/first_of_a_game"]["value"] > 0
        assert 10 < measured[f"clue/{lang}/pss"]["value"] < 120

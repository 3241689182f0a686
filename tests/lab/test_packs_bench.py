"""The benchmark of packs: a real table is measured, and what is measured is said."""

from typing import Any

import pytest
from needs_root import looks_inside

from pi_table.games.words.pack import read_pack
from pi_table.lab.bench import packs
from pi_table.lab.bench.contents import subject_of

pytestmark = pytest.mark.paced


@looks_inside
def test_a_pack_is_measured_on_a_running_table() -> None:
    measured: dict[str, Any]
    measured = {str(m["name"]): m for m in packs.measure(starts=1, games=2, sizes=[100])}
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
        assert one["value"] > 0
    assert measured["packs/100_words/later_game"]["times"] == 2


@pytest.mark.parametrize("size", packs.SIZES)
def test_a_pack_of_the_benchmark_is_valid_and_has_the_words(size: int) -> None:
    assert len(read_pack(packs.bench_pack(size)).words) == size

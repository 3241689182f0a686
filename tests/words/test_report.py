"""The figures of packs: what is counted, and that it is counted right."""

import io
import random
from itertools import pairwise

import pytest
from msgspec.structs import replace
from test_deck import pack_of

from pi_table.games.words.kinship import UNKNOWN
from pi_table.games.words.pack import pack_named, packs
from pi_table.games.words.report import Figures, Overlap, _boards, figures, tell

ENGLISH = pack_named("english")
KIN = replace(
    pack_of(22), name="kin", words=("FOOT", "BAREFOOT", "BASS", "CAFÉ", *pack_of(22).words)
)


def counted(pack: str = "kin", deals: int = 50, seed: int = 1) -> Figures:
    shelf = {"kin": KIN, "numbers": pack_of(30), "english": ENGLISH}
    return figures(
        shelf[pack], shelf.values(), deals, random.Random(seed), lambda word, _: word[0] != "W"
    )


def test_senses_kin_and_strange_words_are_counted() -> None:
    found = counted()
    assert (found.pack, found.language, found.words) == ("kin", "en", 26)
    assert (found.many, found.many_share) == (2, 0.0769)  # FOOT and BASS
    assert found.kin == (("FOOT", "BAREFOOT"),)
    assert found.unknown == pack_of(22).words


def test_packs_are_compared_as_words_are_and_with_those_of_their_language_alone() -> None:
    shelf = [KIN, replace(pack_of(1), name="other", words=("CAFES", "BASS", "W1")), ENGLISH]
    italian = pack_named("italiano")
    found = figures(KIN, [*shelf, italian], 1, random.Random(1), lambda word, language: True)
    other, english = found.overlaps
    assert other == Overlap("other", 3, 0.1154)
    assert english.pack == "english"


def test_boards_are_dealt_as_at_a_table_and_kin_on_them_are_counted() -> None:
    """26 words of which two are kin: on each board one of them, or a pair would lie together."""
    found = counted()
    assert (found.deals, found.deals_with_kin) == (50, 0)
    assert found.least_many >= 1
    crowded = replace(KIN, words=KIN.words[:25])
    found = figures(crowded, [], 10, random.Random(1), lambda word, language: True)
    assert (found.deals_with_kin, found.unknown) == (10, ())


def test_the_same_seed_tells_the_same() -> None:
    assert counted("english", seed=3) == counted("english", seed=3)


@pytest.mark.parametrize("pack", packs().packs, ids=lambda pack: pack.name)
def test_of_a_shipped_pack_no_kin_lie_together_and_each_board_has_its_share(pack: object) -> None:
    assert isinstance(pack, type(ENGLISH))
    found = figures(pack, packs().packs, 300, random.Random(1), lambda word, language: True)
    assert (found.kin, found.deals_with_kin) == ((), 0)
    assert found.least_many >= min(15, int(25 * found.many / found.words))
    assert all(overlap.share <= 0.1 for overlap in found.overlaps)


def test_people_are_told_in_lines_and_of_long_lists_the_first() -> None:
    out = io.StringIO()
    tell(counted(), out)
    assert out.getvalue().splitlines()[:3] == [
        "kin (en): 26 words",
        "  with two senses or more  2 (7.7%)",
        "  also in numbers          22 (84.6%)",
    ]
    assert "  unknown to the referee   22: W0, W1, W2, W3, W4, W5, W6, W7, W8, W9, …" in (
        out.getvalue()
    )


def test_boards_are_dealt_as_at_a_table_the_words_of_the_last_one_last() -> None:
    boards = [*_boards(pack_of(60), UNKNOWN, 30, random.Random(1))]
    assert [{*one} & {*other} for one, other in pairwise(boards)] == [set()] * 29


def test_it_is_told_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "it")
    out = io.StringIO()
    tell(counted(), out)
    assert out.getvalue().splitlines()[0] == "kin (en): 26 parole"
    assert "words" not in out.getvalue()
    assert "  distribuzioni            " in out.getvalue()

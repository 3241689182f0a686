"""A table of kin of a small language, from a lexicon and families of a few lines."""

import numpy as np
import pytest

from pi_table.games.referee.kin_table import Row
from pi_table.games.words.families import Family
from pi_table.lab.reckoning.meaning import Meaning
from pi_table.lab.reckoning.reckoner import Reckoner
from pi_table.lab.reckoning.sources import Source

MEANINGS = {
    "beast": ("horse", "horsy", "horsehair", "unhorse", "horseman"),
    "hair": ("hair", "hairy", "horsehair"),
    "paint": ("paint", "painter", "painting", "repaint"),
    "corn": ("corn", "corny"),
    "corner": ("corner", "cornerstone"),
    "plant": ("plant", "planter", "replant"),
    "planet": ("planet", "planetary"),
    "rate": ("rate",),
    "scold": ("berate",),
    "muse": ("muse",),
    "joke": ("amuse",),
    "sting": ("hornet",),
    "ache": ("pain", "painful"),
    "car": ("car",),
    "carpet": ("carpet",),
}
"""Words that are near in meaning, and what each is about."""
WORDS = sorted({word for words in MEANINGS.values() for word in words})
TAUGHT = {
    family.word: family
    for family in (
        Family("paint", ("",), kin=("painter", "painting", "repaint")),
        Family("corn", ("",), kin=("corny",), apart=("corner", "cornerstone")),
        Family("hair", ("",), kin=("hairy", "horsehair")),
        Family("car", ("",), apart=("carpet",)),
        Family("rate", ("",), apart=("berate",)),
        Family("muse", ("",), apart=("amuse",)),
        Family("pain", ("",), kin=("painful",), apart=("paint", "painter", "painting")),
        Family("plant", ("",), kin=("planter", "replant"), apart=("planet", "planetary")),
    )
}
SOURCE = Source(
    sorts=dict.fromkeys(WORDS, "n"),
    glosses={word: (word,) for word in WORDS},
    said_of={"horsehair": frozenset({"hair", "horse"})},
    links=frozenset({("horse", "horsy"), ("plant", "planter"), ("planet", "planetary")}),
)


def no_form(word: str) -> None:
    """No word here is a form of another."""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    """The table's rows, by word."""
    kept = tmp_path_factory.mktemp("kept")
    about = np.array([[word in words for words in MEANINGS.values()] for word in WORDS], np.float32)
    vectors = about / np.linalg.norm(about, axis=1, keepdims=True)
    np.savez(kept / "1.npz", texts=np.array(WORDS), vectors=vectors)
    meaning = Meaning(WORDS, SOURCE.glosses, kept)
    reckoner = Reckoner(
        "en", WORDS, [4.0] * len(WORDS), SOURCE, meaning, TAUGHT, frozenset(), no_form
    )
    return {row.word: row for row in reckoner.rows()}


def test_every_word_has_a_row_with_its_parts_of_speech(rows: dict[str, Row]) -> None:
    assert [*rows] == WORDS
    assert rows["car"].sorts == "n"


def test_what_the_lexicon_links_and_what_agrees_in_meaning_is_kin(rows: dict[str, Row]) -> None:
    assert "horsy" in rows["horse"].kin
    assert "planetary" in rows["planet"].kin


def test_what_nobody_vouches_for_is_kin_perhaps(rows: dict[str, Row]) -> None:
    assert "unhorse" not in rows["horse"].kin
    assert rows["horse"].perhaps["unhorse"] > 50


def test_what_only_looks_alike_is_no_kin(rows: dict[str, Row]) -> None:
    for word, other in (("corn", "corner"), ("car", "carpet"), ("planet", "plant")):
        first, second = sorted((word, other))
        assert second not in rows[first].kin
        assert rows[first].perhaps.get(second, 0) < 50


def test_a_pair_stands_in_the_row_of_the_word_that_comes_first(rows: dict[str, Row]) -> None:
    for row in rows.values():
        assert all(other > row.word for other in (*row.kin, *row.perhaps))


def test_the_members_of_a_compound_are_told(rows: dict[str, Row]) -> None:
    assert {"hair", "horse"} <= rows["horsehair"].parts.keys()
    assert "car" not in rows["carpet"].parts

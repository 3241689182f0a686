"""The tables of kin are those that the reckoning makes, as far as that can be told without it."""

from pathlib import Path

import pytest

from pi_table.games.referee.reasons import LANGUAGES
from pi_table.lab.reckoning import made_by


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_table_is_the_one_that_the_reckoning_made(lang: str) -> None:
    """`made_by` says what may be done where the reckoning changed and no table can have."""
    table, reckoning, _ = made_by.read()[lang]
    assert reckoning == made_by.reckoning(), f"{lang}.tsv was made by another reckoning: make kin"
    assert table == made_by.digest(made_by.TABLES / f"{lang}.tsv"), f"{lang}.tsv was changed since"


@pytest.fixture
def reckoning(tmp_path: Path) -> Path:
    """A reckoning of one line, beside its lock."""
    (tmp_path / "forms.py").write_text("MIN_STEM_LETTERS = 3\n")
    (tmp_path / "lock.txt").write_text("pytest==9.0\nsimplemma==2.0.0 \\\n    --hash=sha256:0\n")
    return tmp_path


def digest(folder: Path) -> str:
    return made_by.reckoning(folder, folder / "lock.txt")


@pytest.mark.parametrize(
    ("file", "text", "counts"),
    [
        ("forms.py", "MIN_STEM_LETTERS = 4\n", True),
        ("newcomer.py", "", True),
        ("lock.txt", "pytest==9.0\nsimplemma==2.0.1 \\\n    --hash=sha256:0\n", True),
        ("lock.txt", "pytest==9.1\nsimplemma==2.0.0 \\\n    --hash=sha256:0\n", False),
        ("measuring.py", "FREQUENT = 9\n", False),
        ("README.md", "How it is done.\n", False),
    ],
)
def test_a_change_is_noticed_where_it_can_change_a_table(
    reckoning: Path, file: str, text: str, counts: bool
) -> None:
    before = digest(reckoning)
    (reckoning / file).write_text(text)
    assert (digest(reckoning) != before) == counts


def test_what_one_table_was_made_by_is_told_beside_the_other(tmp_path: Path) -> None:
    for lang, wordnet in (("it", "WordNet 3.0"), ("en", "WordNet 3.0"), ("en", "WordNet 3.1")):
        (tmp_path / f"{lang}.tsv").write_text(f"{lang}\t\t\t\t\n")
        made_by.write(lang, wordnet, tmp_path)
    told = made_by.read(tmp_path / "made-by.txt")
    assert [*told] == ["en", "it"]
    of = made_by.reckoning()
    assert told["it"] == [made_by.digest(tmp_path / "it.tsv"), of, "WordNet 3.0"]
    assert told["en"] == [made_by.digest(tmp_path / "en.tsv"), of, "WordNet 3.1"]

"""The table of kin: a row as a line, the search for it, the tables that come with the referee."""

from collections.abc import Iterable
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_table.games.referee import kin_table
from pi_table.games.referee.kin_table import VOUCHED, KinTable, Row, line
from pi_table.games.referee.reasons import LANGUAGES

HORSE = Row(
    "horse",
    "nv",
    kin=frozenset({"horsy", "unhorse"}),
    perhaps={"hoarse": 3, "horst": 21},
)
ROWS = (
    Row("alarm clock", "n"),
    HORSE,
    Row("horsehair", "n", parts={"hair": 61, "horse": VOUCHED}),
    Row("per"),
    Row("pera", "n"),
    Row("perché", "r"),
    Row("però"),
    Row("zebra", "n"),
    Row("éclair", "n"),
)


def table(rows: Iterable[Row]) -> KinTable:
    ordered = sorted(rows, key=lambda row: row.word.encode())
    return KinTable("".join(f"{line(row)}\n" for row in ordered).encode())


def test_every_row_is_found_as_it_was_written() -> None:
    """The first, the last, those that begin another, those with accents."""
    found = table(ROWS)
    assert [found.row(row.word) for row in ROWS] == [*ROWS]


@pytest.mark.parametrize(
    "word", ["", "a", "alarm", "hors", "horsehai", "horsehairs", "pero", "perchè", "zz", "ñandú"]
)
def test_what_the_table_does_not_have_is_not_found(word: str) -> None:
    assert table(ROWS).row(word) is None


def test_a_line_has_five_fields_in_an_order_that_is_always_the_same() -> None:
    assert line(HORSE) == "horse\tnv\t\thorsy unhorse\thoarse=3 horst=21"


def test_a_table_of_one_row_and_one_of_none() -> None:
    assert table([HORSE]).row("horse") == HORSE
    assert table([HORSE]).row("hors") is table([HORSE]).row("horsy") is None
    assert table([]).row("horse") is None


def test_a_table_that_is_cut_is_refused() -> None:
    with pytest.raises(ValueError, match="middle of a line"):
        KinTable(line(HORSE).encode())


WORDS = st.text(alphabet="abàé ", min_size=1, max_size=5).filter(lambda word: word == word.strip())


@given(st.sets(WORDS, max_size=30), WORDS)
def test_a_word_is_found_exactly_if_it_is_there(words: set[str], word: str) -> None:
    rows = {each: Row(each, "n", kin=frozenset({"aa"})) for each in words}
    assert table(rows.values()).row(word) == rows.get(word)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_tables_that_come_with_the_referee_are_in_order(lang: str) -> None:
    lines = files(kin_table.__package__).joinpath("kin", f"{lang}.tsv").read_bytes()
    assert lines.endswith(b"\n")
    words = []
    for each in lines.splitlines():
        assert each.count(b"\t") == 4, each
        words.append(each.partition(b"\t")[0])
    assert words == sorted({*words})
    read = kin_table.read(lang)
    for word in (words[0], words[len(words) // 2], words[-1]):
        assert read.row(word.decode()).word == word.decode()

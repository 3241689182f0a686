"""``pi-table words import`` and ``check``: from a list, as it is on somebody's disk, to a pack."""

from io import StringIO
from pathlib import Path

import pytest

from pi_table import cli
from pi_table.common.errors import InputError
from pi_table.games.words import command
from pi_table.games.words.command import Wanted, import_list
from pi_table.games.words.pack import packs, read_pack

WORDS = [f"CITTÀ {letter}N" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def imported(file: Path, wanted: Wanted, *answers: str) -> str:
    """Import a pack from a file, into its own folder, and return the messages."""
    out, left = StringIO(), [*answers]
    import_list(file, wanted, file.parent, (lambda _: left.pop(0)) if answers else None, out)
    assert not left
    return out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "Le Città.csv"
    file.write_text(", ".join([*WORDS, "città an", "x" * 20]), encoding="utf-8")
    return file


def test_a_list_becomes_a_pack_and_what_was_left_out_is_told(file: Path) -> None:
    told = imported(file, Wanted(language="it"))
    assert f"{file}: 26 words, separated by commas." in told
    assert f"{file}, line 1, left out: 'CITTÀ AN' is the same as 'CITTÀ AN' in line 1" in told
    assert "has 20 characters" in told
    pack = read_pack(file.parent / "le-citta.txt")
    assert (pack.title, pack.language, pack.words) == ("Le Città", "it", tuple(WORDS))


def test_language_and_name_are_asked_for(file: Path) -> None:
    imported(file, Wanted(), "it", "cities")
    assert read_pack(file.parent / "cities.txt").language == "it"
    with pytest.raises(InputError, match="Give the language of the words: --language"):
        imported(file, Wanted())
    with pytest.raises(InputError, match="There are no packs in 'de'"):
        imported(file, Wanted(), "de")


def test_a_pack_that_is_there_is_not_replaced(file: Path) -> None:
    imported(file, Wanted(language="it"))
    before = (file.parent / "le-citta.txt").read_bytes()
    with pytest.raises(InputError, match="already; choose another --name"):
        imported(file, Wanted(language="it"))
    assert (file.parent / "le-citta.txt").read_bytes() == before


@pytest.mark.parametrize("name", ["english", "After-Dark"])
def test_no_pack_gets_the_name_of_a_shipped_pack(file: Path, name: str) -> None:
    # no table would read it
    for wanted, answers in ((Wanted(name=name, language="it"), ()), (Wanted(), ("it", name))):
        with pytest.raises(InputError, match=f"{name}.txt: a pack that comes with the table has"):
            imported(file, wanted, *answers)
    assert [*file.parent.iterdir()] == [file]


def test_a_list_with_the_name_of_a_shipped_pack_gets_another(file: Path) -> None:
    file = file.rename(file.with_name("english.txt"))
    (file.parent / "packs").mkdir()
    out, questions = StringIO(), list[str]()

    def ask(question: str) -> str:
        questions.append(str(question))
        return ""

    import_list(file, Wanted(language="it"), file.parent / "packs", ask, out)
    assert "english-2" in questions[0]
    found = packs(file.parent / "packs")
    assert found.faults == ()
    assert "english-2" in [pack.name for pack in found.packs]


def test_an_encoding_is_never_guessed(tmp_path: Path) -> None:
    file = tmp_path / "cities.txt"
    file.write_bytes("\r\n".join(WORDS).encode("cp1252"))
    with pytest.raises(InputError, match=r"--encoding cp1252 +CITTÀ") as caught:
        imported(file, Wanted(language="it", name="ours"))
    assert "not UTF-8" in str(caught.value)
    assert [*tmp_path.iterdir()] == [file]
    imported(file, Wanted(language="it", name="ours", encoding="cp1252"))
    assert read_pack(tmp_path / "ours.txt").words == tuple(WORDS)


def test_a_list_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"The list .*no\.txt cannot be read"):
        imported(tmp_path / "no.txt", Wanted(language="en"))
    (tmp_path / "big.txt").write_bytes(b"a\n" * 600_000)
    with pytest.raises(InputError, match="has more than 1,048,576 bytes"):
        imported(tmp_path / "big.txt", Wanted(language="en"))


def test_too_few_words_make_no_pack(tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    file.write_text("one\ntwo\n", encoding="utf-8")
    assert "only 2: nothing is written" in imported(file, Wanted(language="en", name="two"))
    assert [*tmp_path.iterdir()] == [file]


def test_the_check_of_a_list_says_what_makes_a_pack_of_it(file: Path) -> None:
    out = StringIO()
    assert command.check([file], out) == 1
    assert "line 1: this is a plain list of words without the head of a pack" in out.getvalue()
    assert f"pi-table words import '{file}'" in out.getvalue()


def test_a_name_in_capitals_is_told_with_the_right_one(tmp_path: Path) -> None:
    file = tmp_path / "LIST.TXT"
    head = "name: list\ntitle: L\nlanguage: it\naudience: everybody\nsource: us\nlicence: MIT\n\n"
    file.write_text(head + "\n".join(WORDS), encoding="utf-8")
    out = StringIO()
    assert command.check([file], out) == 1
    (line,) = out.getvalue().splitlines()
    assert line.endswith("the name of a pack's file ends in '.txt'; call it 'list.txt'.")


def test_the_command_line_makes_a_pack(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    line = ["words", "import", str(file), "--language", "it", "--name", "ours", "--adults"]
    assert cli.main([*line, "--title", "Le nostre", "--folder", str(file.parent)]) == 0
    assert cli.main(["words", "check", "ours.txt"]) == 0
    assert "ours.txt is a pack of 26 words now." in capsys.readouterr().out
    assert read_pack(file.parent / "ours.txt").title == "Le nostre"

"""Lists at the desk: in any encoding, understood aloud, never saved with a letter lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from desk_page import DeskPage, desk_at
from virtual_table import VirtualTable

from pi_table.common.errors import InputError
from pi_table.games.words.pack import MAX_BYTES, read_pack
from pi_table.table.engine.storage.packs import ListRead, ListToRead, PackFolder

WORDS = tuple(f"CITTÀ {letter}N" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
HEAD = "name: {}\ntitle: Le città\nlanguage: it\naudience: everybody\nsource: us\nlicence: MIT\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "packs"
    folder.mkdir()
    return folder


@pytest.fixture
def packs(folder: Path) -> PackFolder:
    return PackFolder(folder)


@pytest.fixture
def desk(make_table: Callable[..., VirtualTable], packs: PackFolder) -> DeskPage:
    return desk_at(make_table(packs=packs))


def pack(name: str = "cities") -> str:
    return HEAD.format(name) + "\n".join(WORDS) + "\n"


def test_a_pack_in_another_encoding_is_not_opened_and_its_bytes_stay(
    packs: PackFolder, folder: Path
) -> None:
    for encoding in ("cp1252", "mac-roman", "utf-16", "utf-16-be"):
        content = pack().encode(encoding)
        (folder / "cities.txt").write_bytes(content)
        with pytest.raises(InputError, match=r"line \d+: this is"):
            packs.read_pack("cities")
        assert (folder / "cities.txt").read_bytes() == content
        assert "UTF-8" in packs.list_packs()[0].why


def test_it_is_opened_in_the_encoding_that_somebody_chose_and_kept_with_every_letter(
    packs: PackFolder, folder: Path
) -> None:
    (folder / "cities.txt").write_bytes(pack().encode("cp1252"))
    asked = packs.read_list(ListToRead("en", of="cities"), b"")
    assert asked.encoding is None
    assert asked.as_it_is == ""
    assert "città" in asked.encodings[0].samples[0]
    chosen = packs.read_list(ListToRead("en", of="cities", encoding="cp1252"), b"")
    assert chosen.as_it_is == pack()
    assert packs.save(chosen.as_it_is, "cities").ok
    assert read_pack(folder / "cities.txt").words == WORDS


def test_a_text_with_the_sign_of_a_lost_letter_is_not_kept(
    desk: DeskPage, packs: PackFolder, folder: Path
) -> None:
    desk.put("text", pack().replace("À MN", "\ufffd MN").encode())
    for act in ("check-pack", "save-pack"):
        answer = desk.ask(act, was=None)
        assert not answer["ok"]
        assert "line 20: in 'CITT\ufffd MN' a letter was lost" in answer["sentence"]
    assert not packs.check(pack().replace("À MN", "\ufffd MN")).ok
    assert not packs.check(pack().replace("Le città", "Le citt\ufffd")).ok
    assert [*folder.iterdir()] == []


def test_bytes_in_another_encoding_are_not_taken_for_a_text(desk: DeskPage, folder: Path) -> None:
    desk.put("text", pack().encode("cp1252"))
    for act in ("check-pack", "save-pack"):
        answer = desk.ask(act, was=None)
        assert not answer["ok"]
        assert "not UTF-8" in answer["sentence"]
    assert [*folder.iterdir()] == []


def test_a_list_is_understood_and_becomes_a_pack_that_is_dealt(
    make_table: Callable[..., VirtualTable], packs: PackFolder
) -> None:
    table = make_table(packs=packs)
    desk = desk_at(table)
    desk.put("text", ("; ".join((*WORDS, "città zn"))).encode("utf-16"))
    told = desk.ask("read-list", source="cities.csv", lang="it")["told"]
    assert told["said"] == ["26 parole, separate da punti e virgola."]
    ((line, why),) = [(each["line"], each["what"]) for each in told["left_out"]]
    assert line == 1
    assert "CITTÀ ZN" in why
    assert told["text"] == ""
    more = {"title": "Le città", "language": "it", "adults": True, "make": True}
    text = desk.ask("read-list", source="cities.csv", **more)["told"]["text"]
    desk.put("text", text.encode())
    assert desk.ask("save-pack", was=None)["told"]["ok"]
    (kept,) = [each for each in packs.list_packs() if each.own]
    assert (kept.name, kept.title, kept.adults) == ("le-citta", "Le città", True)
    table.do("house", set={"adults": True})
    table.do("start", profile="codenames", cards="dealt", pack="le-citta", lang="it")
    assert {cell.word for cell in table.view.cells.values()} <= {*WORDS}


def read(packs: PackFolder, text: str, **more: object) -> ListRead:
    return packs.read_list(ListToRead("en", **more), text.encode())  # type: ignore[arg-type]


def test_a_pack_with_a_list_in_it_is_read_as_a_list(packs: PackFolder) -> None:
    text = HEAD.format("cities")
    assert read(packs, text + "\n".join(WORDS)).as_it_is
    found = read(packs, text + ", ".join(WORDS))
    assert found.as_it_is == ""
    assert (found.words, found.title, found.language) == (26, "Le città", "it")


def test_a_file_that_is_too_long_is_not_opened_in_part(packs: PackFolder, folder: Path) -> None:
    (folder / "cities.txt").write_text(pack() + "#" * MAX_BYTES, encoding="utf-8")
    with pytest.raises(InputError, match="more than 262,144 bytes"):
        packs.read_pack("cities")


def test_a_title_that_is_taken_makes_another_name(packs: PackFolder) -> None:
    packs.save(pack("le-citta"), None)
    found = read(packs, "\n".join(WORDS), title="Le città", language="it", is_to_be_made=True)
    assert found.text.startswith("name: le-citta-2\n")


def test_a_file_that_is_not_read_for_its_name_is_listed_and_can_be_kept_under_another(
    packs: PackFolder, folder: Path
) -> None:
    (folder / "CITIES.TXT").write_text(pack(), encoding="utf-8")
    (mine,) = [each for each in packs.list_packs() if each.own]
    assert mine.name == "CITIES.TXT"
    assert "call it 'cities.txt'" in mine.why
    assert packs.save(packs.read_pack("CITIES.TXT").text, "CITIES.TXT").ok
    assert [file.name for file in folder.iterdir()] == ["cities.txt"]


def test_a_plain_list_in_the_folder_is_opened_and_can_be_made_a_pack(
    packs: PackFolder, folder: Path
) -> None:
    (folder / "cities.txt").write_text(", ".join(WORDS), encoding="utf-8")
    assert packs.check(packs.read_pack("cities").text).is_list
    order = ListToRead("en", of="cities", title="Città", language="it", is_to_be_made=True)
    assert packs.save(packs.read_list(order, b"").text, "cities").ok
    assert read_pack(folder / "cities.txt").words == WORDS


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("encoding", "rot13"),
        ("encoding", ["utf-8"]),
        ("separator", "x"),
        ("separator", {}),
        ("column", "1"),
        ("column", -1),
        ("language", "de"),
        ("title", 7),
        ("title", "x" * 300),
        ("source", None),
        ("of", ""),
        ("of", "../secret"),
    ],
)
def test_what_a_desk_may_not_say_of_a_list_is_refused(
    desk: DeskPage, field: str, value: object
) -> None:
    desk.put("text", "\n".join(WORDS).encode())
    answer = desk.ask("read-list", **{"source": "a.txt", field: value})
    assert not answer["ok"]
    assert answer["sentence"]


@pytest.mark.parametrize("content", [b"PK\x03\x04rest", b"%PDF-1.7", bytes(range(256)) * 9])
def test_what_is_no_text_is_refused_with_a_sentence(desk: DeskPage, content: bytes) -> None:
    desk.put("text", content)
    answer = desk.ask("read-list", source="a.docx")
    assert not answer["ok"]
    assert "plain text" in answer["sentence"]

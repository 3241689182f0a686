"""Word packs at the desk: listed, checked line by line, kept whole, in force for the next game."""

from collections.abc import Callable
from pathlib import Path

import pytest
from desk_page import desk_at
from virtual_table import VirtualTable

from pi_table.common.errors import InputError
from pi_table.games.words.pack import MAX_BYTES
from pi_table.table.engine.storage.packs import MAX_PACKS, PackFolder

HEAD = """name: {name}
title: Our kitchen
language: en
audience: everybody
source: the cook
licence: MIT

"""
WORDS = [
    *("APRON", "BREAD", "BUTTER", "CARROT", "COLANDER", "CUPBOARD", "FLOUR", "FORK", "FREEZER"),
    *("GARLIC", "GRATER", "HERB", "JUG", "KETTLE", "KNIFE", "LADLE", "LEMON", "MUG", "NAPKIN"),
    *("OVEN", "PEPPER", "PLATE", "SPOON", "STOVE", "WHISK", "YEAST"),
]


def text(name: str = "kitchen", words: list[str] = WORDS) -> str:
    return HEAD.format(name=name) + "\n".join(words) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "packs"


@pytest.fixture
def packs(folder: Path) -> PackFolder:
    return PackFolder(folder)


def test_a_pack_is_kept_in_a_folder_that_is_made_for_it(packs: PackFolder, folder: Path) -> None:
    assert packs.save(text(), None).ok
    assert (folder / "kitchen.txt").read_text() == text()
    mine, *shipped = packs.list_packs()
    assert (mine.name, mine.title, mine.words, mine.own) == ("kitchen", "Our kitchen", 26, True)
    assert "english" in [pack.name for pack in shipped]
    assert not any(pack.own for pack in shipped)
    assert packs.read_pack("kitchen").text == text()


def test_a_pack_with_faults_is_told_line_by_line_and_not_kept(
    packs: PackFolder, folder: Path
) -> None:
    checked = packs.save(text(words=[*WORDS, "apron", "Тест"]), None)
    assert not checked.ok
    assert [each.line for each in checked.complaints] == [34, 35]
    assert "APRON" in checked.complaints[0].what
    assert not folder.exists()


@pytest.mark.parametrize(("before", "line"), [(" ", 1), ("\t", 1), ("# our own\n  ", 2)])
def test_what_stands_before_the_name_harms_no_pack(
    packs: PackFolder, before: str, line: int
) -> None:
    (taken,) = packs.check(before + text("english")).complaints
    assert taken.line == line
    assert packs.save(before + text(), None).ok


def test_what_is_wrong_with_a_pack_is_told_in_the_language_of_the_desk(
    make_table: Callable[..., VirtualTable], packs: PackFolder
) -> None:
    desk = desk_at(make_table(packs=packs))
    desk.put("text", text(words=[*WORDS, "apron"]).encode())
    told = [desk.ask("check-pack", lang=lang)["told"]["complaints"] for lang in ("en", "it")]
    (english,), (italian,) = ([each["what"] for each in one] for one in told)
    assert "APRON" in english
    assert "APRON" in italian
    assert english != italian


@pytest.mark.parametrize(
    "name",
    ["../evil", "a/b", ".hidden", "UPPER", "nul\0", "con trol", "-dash", "x" * 41, "english", "é"],
)
def test_a_name_that_is_no_file_name_or_a_shipped_packs_is_refused_at_its_line(
    packs: PackFolder, folder: Path, name: str
) -> None:
    checked = packs.save(text(name), None)
    assert not checked.ok
    assert [each.line for each in checked.complaints] == [1]
    assert not folder.exists()


def test_a_pack_that_is_too_long_is_told_where(packs: PackFolder) -> None:
    checked = packs.save(text() + "#" * MAX_BYTES, None)
    assert [each.line for each in checked.complaints] == [len(text().split("\n"))]


def test_a_changed_name_moves_the_pack_and_takes_no_other_packs_place(
    packs: PackFolder, folder: Path
) -> None:
    packs.save(text("kitchen"), None)
    packs.save(text("larder"), None)
    with pytest.raises(InputError, match="another name"):
        packs.save(text("larder"), "kitchen")
    with pytest.raises(InputError, match="another name"):
        packs.save(text("larder"), None)
    assert packs.save(text("cellar"), "kitchen").ok
    assert sorted(file.name for file in folder.iterdir()) == ["cellar.txt", "larder.txt"]


def test_no_more_packs_are_kept_than_there_is_room_for(packs: PackFolder, folder: Path) -> None:
    folder.mkdir()
    for number in range(MAX_PACKS):
        (folder / f"p{number}.txt").touch()
    with pytest.raises(InputError, match="delete one"):
        packs.save(text(), None)
    with pytest.raises(InputError, match="delete one"):
        packs.save(text(), "one-that-is-gone")
    assert packs.save(text("p0"), "p0").ok
    assert packs.save(text(), "p0").ok
    assert len([*folder.iterdir()]) == MAX_PACKS


def test_a_shipped_pack_and_one_that_is_not_there_cannot_be_taken_away(packs: PackFolder) -> None:
    for name in ("english", "kitchen", "../kitchen", ""):
        with pytest.raises(InputError, match="of the house’s own"):
            packs.remove(name)


@pytest.mark.parametrize("usual", ["kitchen", "Kitchen"])
def test_the_pack_that_the_configuration_needs_stays(folder: Path, usual: str) -> None:
    packs = PackFolder(folder, usual)
    packs.save(text(), None)
    with pytest.raises(InputError, match="would not start"):
        packs.remove("kitchen")
    with pytest.raises(InputError, match="would not start"):
        packs.save(text("cellar"), "kitchen")
    assert packs.save(text(words=WORDS[:25]), "kitchen").ok


def test_a_pack_with_faults_in_the_folder_is_listed_and_can_be_mended(
    packs: PackFolder, folder: Path
) -> None:
    folder.mkdir()
    (folder / "kitchen.txt").write_text("no pack at all")
    mine = packs.list_packs()[0]
    assert (mine.name, mine.own) == ("kitchen", True)
    assert mine.faults > 0
    assert packs.read_pack("kitchen").text == "no pack at all"
    assert packs.save(text(), "kitchen").ok
    assert packs.list_packs()[0].faults == 0


def test_the_hidden_screen_is_told_of_a_pack_at_once(
    make_table: Callable[..., VirtualTable], folder: Path
) -> None:
    table = make_table(packs=PackFolder(folder))
    desk = desk_at(table)
    desk.put("text", text().encode())
    for act, more in (("save-pack", {"was": None}), ("remove-pack", {"name": "kitchen"})):
        told = table.told
        assert desk.ask(act, **more)["ok"]
        assert table.told > told


def test_the_next_game_is_dealt_of_a_pack_that_was_just_kept(
    make_table: Callable[..., VirtualTable], folder: Path
) -> None:
    table = make_table(packs=PackFolder(folder))
    desk = desk_at(table)
    desk.put("text", text().encode())
    assert desk.ask("save-pack", was=None)["told"]["ok"]
    assert "kitchen" in [pack.name for pack in table.message.packs]
    table.do("start", profile="codenames", cards="dealt", pack="kitchen")
    assert {cell.word for cell in table.view.cells.values()} <= {*WORDS}
    table.do("abandon")
    assert desk.ask("remove-pack", name="kitchen")["ok"]
    assert "kitchen" not in [pack.name for pack in table.message.packs]
    refused = table.ask("start", profile="codenames", cards="dealt", pack="kitchen")
    assert not refused.ok

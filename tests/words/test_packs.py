"""Which packs there are: the shipped ones, the operator's, and those that are left out."""

import os
from pathlib import Path

import pytest

from pi_table.common.errors import InputError
from pi_table.games.words.pack import (
    Fault,
    pack_named,
    packs,
    read_pack,
    shipped_names,
)

SHIPPED = shipped_names()


def pack_text(name: str, language: str = "en", audience: str = "everybody", count: int = 26) -> str:
    head = f"name: {name}\ntitle: Ours\nlanguage: {language}\naudience: {audience}\n"
    words = "".join(f"W{number}\n" for number in range(count))
    return f"{head}source: us\nlicence: MIT\n\n{words}"


def write(folder: Path, name: str, text: str | None = None) -> None:
    (folder / f"{name}.txt").write_text(pack_text(name) if text is None else text, encoding="utf-8")


def test_without_a_folder_there_are_the_shipped_packs_in_order() -> None:
    found = packs()
    assert tuple(pack.name for pack in found.packs) == SHIPPED
    assert {"english", "after-dark"} <= {*SHIPPED}
    assert (found.growing, found.faults) == ((), ())


def test_an_operators_packs_stand_beside_the_shipped_ones(tmp_path: Path) -> None:
    write(tmp_path, "kitchen")
    write(tmp_path, ".kitchen", "what a memory stick leaves behind")
    (tmp_path / "notes.md").write_text("no pack", encoding="utf-8")
    assert [pack.name for pack in packs(tmp_path).packs] == sorted({*SHIPPED, "kitchen"})
    assert packs(tmp_path).faults == ()
    assert pack_named("kitchen", tmp_path) == read_pack(pack_text("kitchen"))
    assert pack_named("english", tmp_path) == pack_named("english")


def test_bad_packs_are_left_out_with_their_faults_and_take_no_other_away(tmp_path: Path) -> None:
    write(tmp_path, "kitchen")
    write(tmp_path, "cats", pack_text("cats") + "CAT\nCATS\n" + "M" * 15)
    write(tmp_path, "few", pack_text("few", count=24))
    (tmp_path / "folder.txt").mkdir()
    (tmp_path / "latin.txt").write_bytes(pack_text("latin").encode() + b"CAF\xc9\n")
    os.symlink("nowhere", tmp_path / "lost.txt")
    found = packs(tmp_path)
    assert tuple(pack.name for pack in found.packs) == tuple(sorted({*SHIPPED, "kitchen"}))
    assert [(fault.file, fault.line, fault.what.split(" ")[0]) for fault in found.faults] == [
        ("cats.txt", 35, "'CATS'"),
        ("cats.txt", 36, "'MMMMMMMMMMMMMMM'"),
        ("few.txt", 31, "the"),
        ("folder.txt", None, "it"),
        ("latin.txt", 34, "this"),
        ("lost.txt", None, "it"),
    ]
    assert str(found.faults[0]) == (
        "cats.txt, line 35: 'CATS' is the same as 'CAT' in line 34; remove one of the two."
    )


@pytest.mark.parametrize("name", ["english", "English"])
def test_a_pack_with_the_name_of_a_shipped_one_is_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, name)
    write(tmp_path, "kitchen")
    found = packs(tmp_path)
    assert tuple(pack.name for pack in found.packs) == tuple(sorted({*SHIPPED, "kitchen"}))
    assert [pack for pack in found.packs if pack.name == "english"] == [pack_named("english")]
    told = f"{name}.txt: a pack that comes with the table has this name; rename"
    assert [str(fault)[: len(told)] for fault in found.faults] == [told]
    for asked in {name, "english"}:
        with pytest.raises(InputError, match=told):
            pack_named(asked, tmp_path)
    assert pack_named("kitchen", tmp_path).name == "kitchen"


@pytest.mark.parametrize("name", ["KITCHEN.TXT", "kitchen.Txt", "kitchen.csv", "kitchen"])
def test_a_file_that_is_not_read_for_its_name_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(pack_text("kitchen"), encoding="utf-8")
    (tmp_path / "notes.md").write_text("no pack", encoding="utf-8")
    [fault] = packs(tmp_path).faults
    assert str(fault) == (
        f"{name}: no table reads it, because the name of a pack's file ends in '.txt'; "
        "call it 'kitchen.txt'."
    )


def test_a_missing_folder_is_told_and_the_shipped_packs_stay(tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    found = packs(folder)
    assert tuple(pack.name for pack in found.packs) == SHIPPED
    [fault] = found.faults
    assert (fault.file, fault.line) == (str(folder), None)
    with pytest.raises(InputError, match=r"nowhere: the folder of word packs cannot be read"):
        pack_named("english", folder)


def test_an_unknown_pack_is_refused_with_the_nearest_or_all_names(tmp_path: Path) -> None:
    write(tmp_path, "kitchen")
    with pytest.raises(InputError, match=r"no word pack 'kitchens'; did you mean 'kitchen'\?"):
        pack_named("kitchens", tmp_path)
    with pytest.raises(InputError, match=r"choose one of: .*english.*kitchen"):
        pack_named("../secret", tmp_path)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((typed, "italiano") for typed in ("italiano", "Italian", "it", "ITA")),
        *((typed, "english") for typed in ("English", "inglese", "en", "eng")),
        ("After dark", "after-dark"),
    ],
)
def test_a_shipped_pack_is_found_by_its_title_and_its_language(typed: str, meant: str) -> None:
    assert pack_named(typed).name == meant


def test_a_pack_of_the_house_keeps_a_name_that_means_a_shipped_one(tmp_path: Path) -> None:
    write(tmp_path, "italian", pack_text("italian"))
    assert pack_named("italian", tmp_path).title == "Ours"
    assert pack_named("Italian", tmp_path).title == "Ours"
    assert pack_named("it", tmp_path).name == "italiano"


def test_a_guests_pack_with_few_words_is_growing_and_has_no_fault(tmp_path: Path) -> None:  # DU-3
    write(tmp_path, "guests-en", pack_text("guests-en", count=24))
    write(tmp_path, "guests-it", pack_text("guests-it", "it", count=25))
    found = packs(tmp_path)
    assert [pack.name for pack in found.growing] == ["guests-en"]
    assert [pack.name for pack in found.packs] == sorted([*SHIPPED, "guests-it"])
    assert found.faults == ()
    with pytest.raises(InputError, match="needs 25 different words and has 24"):
        pack_named("guests-en", tmp_path)


def test_a_fault_names_its_line_if_it_has_one() -> None:
    assert str(Fault("a.txt", 7, "it is odd.")) == "a.txt, line 7: it is odd."
    assert str(Fault("a.txt", None, "it is odd.")) == "a.txt: it is odd."

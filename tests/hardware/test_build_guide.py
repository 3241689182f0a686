"""The build guide says what the program says, and names nothing that there is not."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from hardware.draw_pictures import FOLDER, PICTURES
from pi_table.games.cards.sheet import CARDS
from pi_table.maintenance.bring_up.steps import STEPS

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "hardware" / "BUILD.md"
NO_PARTS = {
    *("this type", "config.txt", "pi-table doctor --bring-up", "--from", "chips"),
    *("make play", "sudo poweroff", "#", "port", "[controller]", "/etc/pi-table/table.toml"),
    "sudo systemctl restart pi-table-controller",
}
"""Code spans that are no names of parts."""


@cache
def chapters() -> dict[str, str]:
    """The text of each chapter by its name, without its number."""
    found = {}
    # Sections without a number are before the first chapter.
    _, *numbered = re.split(r"\n## (?=\d)", GUIDE.read_text("utf-8"))
    for number, part in enumerate(numbered, start=1):
        head, _, text = part.partition("\n")
        told, name = head.split(". ")
        assert told == str(number)
        found[name] = text
    return found


@cache
def parts() -> set[str]:
    """The ids of the parts list, and the names of the enclosure's parts."""
    with (ROOT / "hardware" / "parts.csv").open(newline="", encoding="utf-8") as file:
        ids = {row["id"] for row in csv.DictReader(file)}
    return ids | {part for part, _ in assembly()}


@cache
def assembly() -> tuple[tuple[str, int], ...]:
    """The enclosure's parts, each with the step of the assembly in which it comes in, read from the
    source: to run that takes a CAD library."""
    text = (ROOT / "enclosure" / "assembly.py").read_text("utf-8")
    found = re.findall(r'_(?:printed|sheet|glued|thin|bought)\(\s*(\d+),\s*"([\w-]+)"', text)
    return tuple((name, int(step)) for step, name in found)


@cache
def parts_of() -> dict[str, set[str]]:
    """The parts of each chapter, of the build and of the enclosure."""
    found: dict[str, set[str]] = {}
    with (ROOT / "hardware" / "chapters.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            of_chapter = found.setdefault(row["chapter"], set())
            assert row["part"] not in of_chapter, row
            of_chapter.add(row["part"])
    return found


def spans(text: str) -> list[str]:
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"`([^`\n]+)`", text)


def test_the_guide_has_a_chapter_for_each_step_in_their_order() -> None:
    assert [*chapters()] == [step.id for step in STEPS]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_a_chapter_says_what_is_to_be_seen_as_the_program_does(step: object) -> None:
    assert isinstance(step, type(STEPS[0]))
    (seen,) = re.findall(r"^\*\*Result\*\*: (.+)$", chapters()[step.id], re.MULTILINE)
    assert seen == step.see


def test_the_guide_and_the_program_let_the_maker_switch_off_before_the_pi_is_wired() -> None:
    numbers = [number for number, step in enumerate(STEPS, 1) if step.is_off]
    assert [STEPS[number - 1].id for number in numbers] == [
        *("chips", "sound", "screen", "lights", "electrodes", "knobs")
    ]
    (said,) = re.findall(r"for chapters ([\d, ]+),", GUIDE.read_text("utf-8"))
    assert said == ", ".join(map(str, numbers))


@pytest.mark.parametrize("name", [step.id for step in STEPS])
def test_a_chapter_has_a_picture_and_each_of_its_pictures_is_there(name: str) -> None:
    linked = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", chapters()[name])
    assert linked
    for words, path in linked:
        assert words
        assert (GUIDE.parent / path).is_file(), path


def test_a_chapter_that_shows_a_step_of_the_assembly_names_all_that_comes_in() -> None:
    shown = []
    for name, text in chapters().items():
        for number in re.findall(r"/step-(\d+)\.png", text):
            shown.append(int(number))
            comes_in = {part for part, step in assembly() if step == int(number)}
            assert comes_in - parts_of()[name] - OF_THE_LIST_ALONE == set(), name
    assert sorted(shown) == sorted({step for _, step in assembly() if step > 0})


def test_the_guide_has_the_hours_of_printing_and_the_sizes_of_cards() -> None:
    figures = (ROOT / "enclosure" / "figures.txt").read_text("utf-8")
    (hours,) = re.findall(r"pieces together: (\d+) h", figures)
    text = GUIDE.read_text("utf-8")
    assert f"**Print now**: it takes {hours} hours." in text
    assert [f"{size.across:g} × {size.down:g} mm" in text for size in CARDS.values()] == [True] * 2


def test_every_page_that_the_guide_links_is_there() -> None:
    links = re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", GUIDE.read_text("utf-8"))
    assert links
    assert [link for link in links if not (GUIDE.parent / link).exists()] == []


def test_every_part_that_the_guide_names_is_in_a_list() -> None:
    named = {*spans(GUIDE.read_text("utf-8"))} - NO_PARTS
    assert len(named) > 10
    assert named - parts() == set()


def test_every_part_that_is_bought_or_printed_comes_into_a_chapter() -> None:
    assert [*parts_of()] == [step.id for step in STEPS if step.id in parts_of()]
    assert set().union(*parts_of().values()) == parts() - OF_THE_LIST_ALONE - BEFORE_THE_FIRST


BEFORE_THE_FIRST = {"filament-white", "filament-black", "plywood", "plywood-thin"}
"""What is printed and cut in the first chapter, which therefore names it."""
OF_THE_LIST_ALONE = {
    *("raspberry-pi", "carrier", "tile"),
    *("card-small", "card-large", "half-litre"),
}
"""The enclosure's names for what the parts list calls otherwise, and what lies on the table."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_its_program_draws_it(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == PICTURES[name]().svg()


def test_no_picture_is_left_behind() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {*PICTURES}
    text = GUIDE.read_text("utf-8")
    assert [name for name in PICTURES if f"pictures/{name}.svg" not in text] == []

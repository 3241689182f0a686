"""Setting a text into its box, in a type whose every letter is half as wide as it is high."""

import pytest
from msgspec.structs import replace

from pi_table.screens.console.shapes import Face, Rect, Text
from pi_table.screens.console.text_setting import (
    LINE_HEIGHT,
    MIN_WIDTH_SHARE,
    Setting,
    groups_of,
    set_group,
    set_text,
)

PLAIN, NARROW = Face.PLAIN, Face.NARROW


def measure(text: str, size: int, face: Face) -> float:
    return len(text) * size * (0.35 if face is NARROW else 0.5)


SET: list[tuple[str, tuple[int, int], Setting]] = [
    ("WORD", (100, 30), Setting(20, PLAIN, ("WORD",))),
    ("EXACTLY TEN", (110, 30), Setting(20, PLAIN, ("EXACTLY TEN",))),
    ("NARROWER", (60, 30), Setting(20, NARROW, ("NARROWER",))),
    ("SQUEEZED WORD", (80, 30), Setting(20, NARROW, ("SQUEEZED WORD",), 80 / 91)),
    ("SMALLERWORDS", (50, 30), Setting(14, NARROW, ("SMALLERWORDS",), 50 / 58.8)),
    ("STILL_SMALLER!", (50, 30), Setting(12, NARROW, ("STILL_SMALLER!",), 50 / 58.8)),
    ("ONE LINE", (60, 50), Setting(20, NARROW, ("ONE LINE",))),
    ("TWO LINES", (60, 50), Setting(20, PLAIN, ("TWO", "LINES"))),
    ("THREE SHORT LINES", (60, 70), Setting(20, PLAIN, ("THREE", "SHORT", "LINES"))),
    ("BROKENINTHEMIDDLE", (40, 40), Setting(12, NARROW, ("BROKENINT", "HEMIDDLE"))),
    ("MUCH TOO LONG FOR IT", (50, 20), Setting(12, NARROW, ("MUCH TOO LONG…",), 50 / 58.8, True)),
    ("", (50, 20), Setting(20, PLAIN, ("",))),
]


@pytest.mark.parametrize(("text", "box", "setting"), SET, ids=lambda given: str(given)[:20])
def test_a_text_is_set_as_large_as_it_fits(
    text: str, box: tuple[int, int], setting: Setting
) -> None:
    found = set_text(Text(0, 0, *box, text, 20, 0, least=14), measure)
    assert found.squeezed == pytest.approx(setting.squeezed)
    assert replace(found, squeezed=1.0) == replace(setting, squeezed=1.0)


@pytest.mark.parametrize("length", range(1, 60))
@pytest.mark.parametrize("box", [(10, 14), (57, 20), (90, 48), (200, 90)])
def test_nothing_is_ever_wider_or_higher_than_its_box(length: int, box: tuple[int, int]) -> None:
    text = ("spymasters and operatives " * 3)[:length]
    setting = set_text(Text(0, 0, *box, text, 40, 0, least=14), measure)
    widest = max(measure(line, setting.size, setting.face) for line in setting.lines)
    assert MIN_WIDTH_SHARE <= setting.squeezed <= 1.0
    assert widest * setting.squeezed <= box[0] + 1e-9
    assert setting.size * (1 + LINE_HEIGHT * (len(setting.lines) - 1)) <= box[1] + 0.01
    assert setting.cut or "".join(setting.lines).replace(" ", "") == text.replace(" ", "")


def test_a_face_of_its_own_is_kept_as_long_as_it_fits() -> None:
    text = Text(0, 0, 200, 30, "WORD", 20, 0, face=Face.BOLD)
    assert set_text(text, measure).face is Face.BOLD
    assert set_text(replace(text, w=30), measure).face is NARROW


def test_a_size_below_the_least_is_meant() -> None:
    assert set_text(Text(0, 0, 200, 30, "WORD", 12, 0, least=20), measure).size == 12


GROUPS: list[tuple[tuple[str, ...], Setting]] = [
    (("ONE", "OTHER"), Setting(20, PLAIN, ())),
    (("ONE", "TOO LONG FOR PLAIN"), Setting(20, NARROW, ())),
    (("ONE", "MUCH TOO LONG FOR THE LARGE"), Setting(16, NARROW, ())),
]


@pytest.mark.parametrize(("texts", "setting"), GROUPS, ids=lambda given: str(given)[:30])
def test_the_longest_text_decides_for_its_group(texts: tuple[str, ...], setting: Setting) -> None:
    group = [Text(0, 0, 135, 20, each, 20, 0, least=14) for each in texts]
    for found in set_group(group, measure):
        assert (found.size, found.face) == (setting.size, setting.face)


def test_a_text_too_long_for_the_least_size_is_smaller_alone() -> None:
    group = [Text(0, 0, 50, 20, each, 20, 0, least=14) for each in ("ONE", "STILL_SMALLER!")]
    assert [found.size for found in set_group(group, measure)] == [14, 12]


def test_no_text_of_a_group_is_larger_than_it_asks_to_be() -> None:
    group = [Text(0, 0, 200, 40, "ONE", size, 0) for size in (30, 20)]
    assert [found.size for found in set_group(group, measure)] == [20, 20]


def test_texts_of_a_scene_are_grouped() -> None:
    alone, *group = (Text(0, 0, 9, 9, "", 9, 0, group=of) for of in (None, "list", "list"))
    assert list(groups_of((alone, Rect(0, 0, 9, 9), *group))) == [(alone,), tuple(group)]

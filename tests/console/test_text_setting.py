"""Setting a text into its box, in a type whose every letter is half as wide as it is high."""

import pytest

from pi_table.console.shapes import Text
from pi_table.console.text_setting import NARROWEST, Setting, set_text


def measure(text: str, size: int) -> float:
    return len(text) * size / 2


SET: list[tuple[str, tuple[int, int], Setting]] = [
    ("WORD", (100, 30), Setting(20, ("WORD",), 1.0)),
    ("EXACTLY TEN", (110, 30), Setting(20, ("EXACTLY TEN",), 1.0)),
    ("SQUEEZED", (60, 30), Setting(20, ("SQUEEZED",), 0.75)),
    ("SMALLERWORD", (60, 30), Setting(16, ("SMALLERWORD",), 60 / 88)),
    ("TWO LINES", (60, 50), Setting(20, ("TWO", "LINES"), 1.0)),
    ("THREE SHORT LINES", (60, 70), Setting(20, ("THREE", "SHORT", "LINES"), 1.0)),
    ("BROKENINTHEMIDDLE", (50, 40), Setting(14, ("BROKENINTH", "EMIDDLE"), NARROWEST)),
    ("MUCH TOO LONG FOR IT", (50, 20), Setting(14, ("MUCH TOO…",), NARROWEST, cut=True)),
    ("", (50, 20), Setting(20, ("",), 1.0)),
]


@pytest.mark.parametrize(("text", "box", "setting"), SET, ids=lambda given: str(given)[:20])
def test_a_text_is_set_as_large_as_it_fits(
    text: str, box: tuple[int, int], setting: Setting
) -> None:
    assert set_text(Text(0, 0, *box, text, 20, 0, least=14), measure) == setting


@pytest.mark.parametrize("length", range(1, 60))
@pytest.mark.parametrize("box", [(10, 14), (57, 20), (90, 48), (200, 90)])
def test_nothing_is_ever_wider_or_higher_than_its_box(length: int, box: tuple[int, int]) -> None:
    text = ("spymasters and operatives " * 3)[:length]
    setting = set_text(Text(0, 0, *box, text, 40, 0, least=14), measure)
    widest = max(measure(line, setting.size) for line in setting.lines)
    assert widest * setting.narrow <= box[0] + 1e-9
    assert setting.size * (1 + 1.15 * (len(setting.lines) - 1)) <= box[1]
    assert setting.cut or "".join(setting.lines).replace(" ", "") == text.replace(" ", "")

"""The light behind the screen: files of the kernel's in a folder of the test's."""

from pathlib import Path

import pytest

from pi_table.devices.hal.backlight import FOLDER, Backlight, backlight_names, open_backlight


@pytest.fixture
def said() -> list[str]:
    return []


def light(root: Path, name: str = "10-0045", most: str = "255") -> Path:
    device = root / FOLDER / name
    device.mkdir(parents=True)
    (device / "brightness").write_text("7\n")
    (device / "max_brightness").write_text(f"{most}\n")
    return device / "brightness"


def opened(root: Path, said: list[str], name: str = "auto") -> Backlight:
    return open_backlight(name, said.append, root)


@pytest.mark.parametrize(
    ("most", "percent", "step"),
    [
        ("255", 100, 255),
        ("255", 40, 102),
        ("255", 0, 1),  # never dark
        ("31", 15, 5),
        ("1", 15, 1),
        ("100000", 15, 15000),
    ],
)
def test_a_light_is_set_in_steps_of_its_own(
    tmp_path: Path, said: list[str], most: str, percent: int, step: int
) -> None:
    file = light(tmp_path, most=most)
    opened(tmp_path, said).shine(percent)
    assert int(file.read_text()) == step
    assert said == []


def test_a_light_that_is_right_is_left_alone(tmp_path: Path, said: list[str]) -> None:
    file = light(tmp_path)
    backlight = opened(tmp_path, said)
    backlight.shine(40)
    file.write_text("8\n")
    backlight.shine(40)
    assert file.read_text() == "8\n"
    backlight.shine(41)
    assert file.read_text() == "105\n"


def test_at_the_end_it_is_full_and_then_left_alone(tmp_path: Path, said: list[str]) -> None:
    file = light(tmp_path)
    backlight = opened(tmp_path, said)
    backlight.shine(15)
    backlight.close()
    assert file.read_text() == "255\n"
    backlight.close()
    backlight.shine(15)
    assert file.read_text() == "255\n"


def test_a_light_is_taken_by_its_name(tmp_path: Path, said: list[str]) -> None:
    first, second = light(tmp_path, "a"), light(tmp_path, "b")
    assert backlight_names(tmp_path) == ["a", "b"]
    opened(tmp_path, said, "b").shine(100)
    assert (first.read_text(), second.read_text()) == ("7\n", "255\n")
    opened(tmp_path, said).shine(100)
    assert first.read_text() == "255\n"


def test_without_a_name_every_light_is_left_alone(tmp_path: Path, said: list[str]) -> None:
    file = light(tmp_path)
    backlight = opened(tmp_path, said, "")
    backlight.shine(15)
    backlight.close()
    assert file.read_text() == "7\n"
    assert said == []


@pytest.mark.parametrize("name", ["c", "auto", ".."])
def test_a_light_that_there_is_not_is_told_once(tmp_path: Path, said: list[str], name: str) -> None:
    if name != "auto":
        light(tmp_path, "a")
    backlight = opened(tmp_path, said, name)
    backlight.shine(15)
    backlight.close()
    (sentence,) = said
    assert f"no screen's light {name!r}" in sentence
    assert ("there is a." in sentence) is (name != "auto")


def test_a_light_that_cannot_be_set_is_told_once(tmp_path: Path, said: list[str]) -> None:
    file = light(tmp_path)
    backlight = opened(tmp_path, said)
    file.unlink()
    file.mkdir()  # which nobody can write, whoever runs the tests
    backlight.shine(15)
    backlight.shine(40)
    backlight.close()
    (sentence,) = said
    assert str(file.parent) in sentence
    assert "cannot be set (Is a directory)" in sentence


@pytest.mark.parametrize("most", ["", "many"])
def test_a_light_without_a_number_of_steps_is_told_once(
    tmp_path: Path, said: list[str], most: str
) -> None:
    file = light(tmp_path, most=most)
    opened(tmp_path, said).shine(15)
    (sentence,) = said
    assert "no number of steps" in sentence
    assert file.read_text() == "7\n"

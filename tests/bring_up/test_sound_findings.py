"""The doctor on a table's loudspeaker and voice: the real aplay and espeak-ng, or none."""

from pathlib import Path
from typing import Any

import pytest
from said import BROKEN, NOT_HERE, OK, assert_says

from pi_table.common.config import Config, load
from pi_table.maintenance.bring_up.sound_findings import loudspeaker, sound, voice

pytestmark = pytest.mark.paced


def configured(**changes: Any) -> Config:
    return load(changes={"sound": changes})


def test_a_table_without_a_loudspeaker_needs_neither() -> None:
    assert [finding.verdict for finding in sound(load())] == [NOT_HERE] * 2


def test_a_loudspeaker_that_plays_is_in_order() -> None:
    found = loudspeaker(configured(driver="alsa", device="null"))
    assert (found.verdict, found.says) == (OK, "'null' plays with 'alsa'.")


def test_one_that_is_not_there_is_broken() -> None:
    found = loudspeaker(configured(driver="alsa", device="nosuch"))
    assert found.verdict is BROKEN
    assert found.says.startswith("There is no sound device 'nosuch'. Plug it in; ")


def test_a_driver_that_there_is_not_is_broken() -> None:
    found = loudspeaker(configured(driver="alas"))
    assert (found.verdict, found.says) == (
        BROKEN,
        "[sound] has no driver 'alas'; did you mean 'alsa'?",
    )


def test_without_aplay_its_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert_says(loudspeaker(configured(driver="alsa")), BROKEN, "alsa-utils")


def test_a_voice_that_speaks_both_languages_is_in_order() -> None:
    found = voice(load().sound, "game")
    assert found.verdict is OK
    assert found.says.startswith("'espeak-ng' speaks English and Italiano; a word takes it ")
    assert found.figures.keys() == {"seconds"}


def test_without_espeak_ng_its_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert_says(voice(load().sound, "it"), BROKEN, "sudo apt install espeak-ng")


def test_another_voice_that_does_not_speak_is_named() -> None:
    found = voice(configured(voice="echo {lang}").sound, "it")
    assert_says(found, BROKEN, "'echo' does not write a WAV file of speech")

"""Sound settings of the house."""

import pytest

from pi_table.common.language import Lang, say
from pi_table.devices.sound.settings import Settings, Speech
from pi_table.devices.sound.utterance import Line


@pytest.mark.parametrize(
    ("quiet", "minute", "silent"),
    [
        (None, 0, False),
        ((600, 720), 599, False),
        ((600, 720), 600, True),
        ((600, 720), 719, True),
        ((600, 720), 720, False),
        ((1350, 540), 1349, False),
        ((1350, 540), 1350, True),
        ((1350, 540), 1439, True),
        ((1350, 540), 0, True),
        ((1350, 540), 539, True),
        ((1350, 540), 540, False),
        ((0, 1439), 1439, False),
    ],
)
def test_the_quiet_hours_begin_with_their_first_minute_and_may_go_past_midnight(
    quiet: tuple[int, int] | None, minute: int, silent: bool
) -> None:
    assert Settings(quiet=quiet).is_silent(minute) is silent


def test_muted_or_at_volume_0_it_is_silent_at_all_hours() -> None:
    for minute in (0, 720, 1439):
        assert Settings(muted=True).is_silent(minute)
        assert Settings(volume=0).is_silent(minute)
        assert not Settings(volume=1).is_silent(minute)


TEXTS: dict[Lang, Line] = {"en": Line("Red", "en"), "it": Line("Rossi", "it")}


@pytest.mark.parametrize(
    ("speech", "lang", "spoken"),
    [
        ("off", "en", ()),
        ("game", "en", ("en",)),
        ("game", "it", ("it",)),
        ("en", "it", ("en",)),
        ("it", "en", ("it",)),
        ("both", "en", ("en", "it")),
        ("both", "it", ("it", "en")),
    ],
)
def test_words_are_spoken_in_the_languages_that_the_house_wants(
    speech: Speech, lang: Lang, spoken: tuple[Lang, ...]
) -> None:
    words = say("Red")
    assert Settings(speech=speech).lines(words, lang) == tuple(TEXTS[each] for each in spoken)

"""Properties of each score: red or blue, good or bad, and a drum that leads up to an answer."""

from itertools import pairwise

import pytest

from pi_table.devices.sound.scores import SCORES, TENSION_SECONDS
from pi_table.devices.sound.sounds import Sound

GOOD = (Sound.RIGHT, Sound.LAST_AGENT, Sound.GAME_BEGINS, Sound.WIN, Sound.JOIN, Sound.RESUMED)
BAD = (Sound.WRONG, Sound.LOSS, Sound.PENALTY, Sound.PAUSE, Sound.ASSASSIN, Sound.NUKE)


def tops(sound: Sound) -> list[float]:
    """The highest pitch of each strike, in the order of the strikes."""
    strikes = SCORES[sound].strikes
    return [max(s.pitch for s in strikes if s.at == at) for at in sorted({s.at for s in strikes})]


@pytest.mark.parametrize("sound", GOOD, ids=lambda sound: sound.value)
def test_what_is_good_rises(sound: Sound) -> None:
    heard = tops(sound)
    assert all(one <= other for one, other in pairwise(heard))
    assert heard[0] < heard[-1]


@pytest.mark.parametrize("sound", BAD, ids=lambda sound: sound.value)
def test_what_is_bad_falls(sound: Sound) -> None:
    heard = tops(sound)
    glides = {strike.glide for strike in SCORES[sound].strikes}
    assert max(glides) <= 0
    assert heard[0] > heard[-1] or min(glides) < 0
    assert heard[0] >= max(heard) - 3  # nothing in it climbs well above its beginning


def test_what_is_refused_stays_where_it_is() -> None:
    assert len({*tops(Sound.REFUSED)}) == 1
    assert {strike.glide for strike in SCORES[Sound.REFUSED].strikes} == {0.0}


def test_red_is_two_notes_that_rise_and_blue_three_that_fall() -> None:
    red, blue = tops(Sound.TURN_RED), tops(Sound.TURN_BLUE)
    assert (len(red), len(blue)) == (2, 3)
    assert red == sorted(red)
    assert blue == sorted(blue, reverse=True)


def test_a_peek_is_one_bell_that_goes_up() -> None:
    (strike,) = SCORES[Sound.PEEK].strikes
    assert strike.glide > 0


def test_the_drum_goes_on_until_the_answer_ever_faster_and_louder() -> None:
    strikes = SCORES[Sound.TENSION].strikes
    steps = [after.at - before.at for before, after in pairwise(strikes)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 3 * steps[-1]
    louds = [strike.loud for strike in strikes]
    assert louds == sorted(louds)
    assert louds[0] < 0.5 < 0.9 < louds[-1] <= 1.0
    assert TENSION_SECONDS - strikes[-1].at < 0.15
    assert {strike.pitch for strike in strikes} == {strikes[0].pitch}


def test_where_a_strike_repeats_it_is_softer_and_all_else_is_as_loud() -> None:
    softer = {
        sound: [strike.loud for strike in score.strikes if strike.loud < 1.0]
        for sound, score in SCORES.items()
        if sound is not Sound.TENSION
    }
    assert {sound for sound, louds in softer.items() if louds} == {
        *(Sound.BYSTANDER, Sound.LAST_AGENT, Sound.TIME_OUT, Sound.MACHINE),
    }
    assert SCORES[Sound.BYSTANDER].strikes[-1].loud == 0.7

"""The sounds of the table: how long, how loud, and how different."""

import itertools
import math
from functools import cache

import pytest

from pi_table.devices.hal.contracts import SAMPLE_RATE, Clip
from pi_table.devices.sound.loudness import (
    PEAK,
    Level,
    at_volume,
    clip_of,
    level_of,
    peak_of,
    samples_of,
    set_level,
    trim,
)
from pi_table.devices.sound.scores import REVEAL_SECONDS, SCORES, TENSION_SECONDS
from pi_table.devices.sound.sounds import REVEALS, Sound
from pi_table.devices.sound.synthesis import Body, Score, Strike, hertz, synthesise


@cache
def clip_of_sound(sound: Sound) -> Clip:
    return synthesise(SCORES[sound])


FULL = 32767
LOUDEST_STEP = 0.004
"""The most, of full scale, that the first and last sample of a sound may be away from silence."""
FASTEST_RISE = 1.5
"""The most by which a sound's envelope may rise in 1 ms, as a multiple of the sound's level."""
SHARPEST_BEND = 0.7
"""The most by which a sample may be away from the line that the two samples before it make, as a
multiple of the sound's level. Only clicks and shrill modes bend that much."""
SECONDS = {Sound.WIN: (4.0, 5.0)}
"""Shortest and longest length in seconds of a sound; `OTHERS` for all others."""
OTHERS = (0.2, 2.0)


def tone(pitch: float, seconds: float, loud: float) -> Clip:
    """A plain sine, ``loud`` of full scale high."""
    return clip_of(
        round(FULL * loud * math.sin(2 * math.pi * hertz(pitch) * index / SAMPLE_RATE))
        for index in range(round(seconds * SAMPLE_RATE))
    )


def test_every_sound_has_a_score() -> None:
    assert SCORES.keys() == {*Sound}


@pytest.mark.parametrize("sound", Sound, ids=lambda sound: sound.value)
def test_a_sound_has_its_length_and_its_level_and_does_not_clip_or_click(sound: Sound) -> None:
    clip, score = clip_of_sound(sound), SCORES[sound]
    shortest, longest = SECONDS.get(sound, OTHERS)
    assert clip.seconds == pytest.approx(score.seconds, abs=1 / SAMPLE_RATE)
    assert shortest <= clip.seconds <= longest
    assert level_of(clip) == pytest.approx(score.level.value, abs=0.1)
    assert peak_of(clip) <= PEAK + 0.01
    samples = samples_of(clip)
    assert max(abs(samples[0]), abs(samples[-1])) <= LOUDEST_STEP * FULL
    assert max(samples) < FULL
    assert min(samples) > -FULL
    assert abs(sum(samples) / len(samples)) < 0.01 * FULL  # it does not push the cone out


def fastest_rise(clip: Clip) -> float:
    """The most by which the highest peak of 5 ms rises in 1 ms, as a multiple of the level."""
    step = SAMPLE_RATE // 1000
    samples = [0] * 5 * step + [*map(abs, samples_of(clip))]
    peaks = [max(samples[at : at + 5 * step]) for at in range(0, len(samples), step)]
    return max(after - before for before, after in itertools.pairwise(peaks)) / height(clip)


def sharpest_bend(clip: Clip) -> float:
    """The most by which a sample leaves the line of the two before it, by the level."""
    samples = samples_of(clip)
    triples = zip(samples, samples[1:], samples[2:], strict=False)
    return max(abs(one - 2 * two + three) for one, two, three in triples) / height(clip)


def height(clip: Clip) -> float:
    """The level of the clip, in units of a sample."""
    return float(FULL * 10 ** (level_of(clip) / 20))


@pytest.mark.parametrize("sound", Sound, ids=lambda sound: sound.value)
def test_every_strike_of_a_sound_begins_softly(sound: Sound) -> None:
    assert fastest_rise(clip_of_sound(sound)) <= FASTEST_RISE
    assert sharpest_bend(clip_of_sound(sound)) <= SHARPEST_BEND


def test_the_end_of_a_game_is_louder_than_the_game_and_the_game_than_what_is_beside_it() -> None:
    sounds = {level: {s for s in Sound if SCORES[s].level is level} for level in Level}
    assert {level.name: level.value for level in Level} == {
        "AMBIENCE": -24,
        "EVENT": -18,
        "SPEECH": -16,
        "DRAMA": -12,
    }
    assert sounds[Level.DRAMA] == {Sound.WIN, Sound.LOSS, Sound.ASSASSIN, Sound.NUKE}
    assert sounds[Level.AMBIENCE] == {Sound.ATTRACT, Sound.JOIN, Sound.PEEK, Sound.STILL_PLAYING}
    assert sounds[Level.SPEECH] == set()


def test_the_win_ends_with_chords_that_ring_to_its_end() -> None:
    strikes = SCORES[Sound.WIN].strikes
    chords = [at for at in {s.at for s in strikes} if sum(s.at == at for s in strikes) >= 3]
    assert len(chords) >= 4
    clip = clip_of_sound(Sound.WIN)
    last_second = Clip(clip.samples[-2 * SAMPLE_RATE :])
    assert level_of(last_second) > level_of(clip) - 30


@pytest.mark.parametrize("sound", Sound, ids=lambda sound: sound.value)
def test_every_strike_is_heard_within_its_sound(sound: Sound) -> None:
    score = SCORES[sound]
    for strike in score.strikes:
        assert 0 <= strike.at <= score.seconds - 0.05
        assert 180 <= hertz(strike.pitch) <= 2000


def test_all_reveals_are_of_one_length_to_the_sample() -> None:
    assert {len(clip_of_sound(sound).samples) for sound in REVEALS} == {
        round(REVEAL_SECONDS * SAMPLE_RATE) * 2
    }
    assert {Sound.RIGHT, Sound.BYSTANDER, Sound.WRONG, Sound.ASSASSIN, Sound.LAST_AGENT} == {
        *REVEALS
    }


def test_the_tension_before_them_has_a_length_of_its_own() -> None:
    assert clip_of_sound(Sound.TENSION).seconds == TENSION_SECONDS


def rhythm(score: Score) -> tuple[int, ...]:
    """When something is struck, in steps of 50 ms."""
    return tuple(sorted({round(strike.at / 0.05) for strike in score.strikes}))


def melody(score: Score) -> tuple[float, ...]:
    """Return the steps of the highest pitch from strike to strike, and the glide, in semitones."""
    times = sorted({strike.at for strike in score.strikes})
    tops = [max(s.pitch for s in score.strikes if s.at == at) for at in times]
    moves = [after - before for before, after in itertools.pairwise(tops)]
    return (*moves, score.strikes[0].glide)


def test_no_two_sounds_have_rhythm_and_melody_in_common() -> None:
    alike = [
        (one, other)
        for one, other in itertools.combinations(Sound, 2)
        if rhythm(SCORES[one]) == rhythm(SCORES[other])
        and melody(SCORES[one]) == melody(SCORES[other])
    ]
    assert not alike


def test_the_turns_of_the_teams_differ_in_rhythm_and_in_melody() -> None:
    red, blue = SCORES[Sound.TURN_RED], SCORES[Sound.TURN_BLUE]
    assert rhythm(red) != rhythm(blue)
    assert min(melody(red)[:-1]) > 0 > max(melody(blue)[:-1])


@pytest.mark.parametrize(("one", "other"), [*itertools.combinations(REVEALS, 2)])
def test_reveals_differ_in_rhythm_and_in_melody(one: Sound, other: Sound) -> None:
    assert rhythm(SCORES[one]) != rhythm(SCORES[other])
    assert melody(SCORES[one]) != melody(SCORES[other])


def test_a_score_makes_the_same_samples_each_time() -> None:
    for sound, score in SCORES.items():
        assert synthesise(score) == clip_of_sound(sound)


def crossings(clip: Clip) -> int:
    samples = samples_of(clip)
    return sum(a < 0 <= b for a, b in itertools.pairwise(samples))


def test_a_strike_sounds_at_its_pitch_and_dies_away() -> None:
    wood = synthesise(Score(Level.EVENT, 1.0, Body.WOOD, (Strike(0.0, 0.0, 1.0),)))
    middle = Clip(
        wood.samples[SAMPLE_RATE : SAMPLE_RATE + SAMPLE_RATE // 5]
    )  # the lowest mode alone
    assert crossings(middle) == pytest.approx(440 * middle.seconds, abs=1)
    thirds = [Clip(wood.samples[2 * at : 2 * at + 8000]) for at in (2000, 9000, 16000)]
    levels = [level_of(third) for third in thirds]
    assert levels == sorted(levels, reverse=True)
    assert levels[0] - levels[2] > 20


@pytest.mark.parametrize("body", Body, ids=lambda body: body.name)
def test_what_still_rings_at_the_end_is_faded_out_and_what_begins_is_faded_in(body: Body) -> None:
    ringing = synthesise(Score(Level.EVENT, 0.5, body, (Strike(0.0, 0.0, 9.0),)))
    samples = samples_of(ringing)
    ends = [max(map(abs, samples[-length:])) for length in (4, 40, 400)]
    assert ends[0] < 0.002 * ends[1] * 10 < 0.2 * ends[2]
    assert max(map(abs, samples[:3])) < 0.02 * max(samples)


def test_a_glide_ends_at_another_pitch() -> None:
    up = synthesise(Score(Level.EVENT, 1.0, Body.WOOD, (Strike(0.0, 0.0, 1.0, glide=12),)))
    late = Clip(up.samples[-SAMPLE_RATE // 5 * 2 :])  # the last fifth: from 9.6 to 12 semitones up
    assert crossings(late) == pytest.approx(hertz(10.8) * late.seconds, rel=0.03)


@pytest.mark.parametrize("loud", [1.0, 0.5, 0.1, 0.001])
def test_the_level_of_a_sine_is_3_db_below_its_peak(loud: float) -> None:
    clip = tone(0, 1.0, loud)
    assert peak_of(clip) == pytest.approx(20 * math.log10(loud), abs=0.3)
    assert level_of(clip) == pytest.approx(peak_of(clip) - 3.01, abs=0.3)


def test_a_short_knock_has_the_level_of_its_own_50_ms() -> None:
    knock = clip_of([*samples_of(tone(0, 0.05, 0.5)), *[0] * SAMPLE_RATE])
    assert level_of(knock) == pytest.approx(level_of(tone(0, 1.0, 0.5)), abs=0.2)


def test_silence_has_no_level_and_stays_silence() -> None:
    assert level_of(Clip()) == peak_of(Clip()) == level_of(Clip(bytes(8))) == -math.inf
    assert set_level(samples_of(Clip(bytes(800))), Level.EVENT) == Clip(bytes(800))
    assert set_level(samples_of(Clip()), Level.EVENT) == Clip()


def test_what_has_high_peaks_is_not_made_to_clip() -> None:
    knock = clip_of([20000, *[1] * SAMPLE_RATE])
    assert peak_of(set_level(samples_of(knock), Level.DRAMA)) == pytest.approx(PEAK, abs=0.01)


@pytest.mark.parametrize(
    ("volume", "decibels"), [(100, 0.0), (80, -5.8), (50, -18.1), (10, -60.0), (1, -120.0)]
)
def test_the_volume_goes_with_its_third_power(volume: int, decibels: float) -> None:
    clip = tone(0, 0.5, 0.9)
    lower = at_volume(clip, volume)
    assert lower.seconds == clip.seconds
    if decibels > -90:
        assert level_of(lower) - level_of(clip) == pytest.approx(decibels, abs=0.2)
    else:
        assert not any(lower.samples)


def test_at_volume_0_there_is_silence_of_the_same_length() -> None:
    assert at_volume(tone(0, 0.5, 0.9), 0) == Clip(bytes(2 * SAMPLE_RATE // 2))


def test_silence_before_and_after_is_cut_but_for_20_ms() -> None:
    pad, least = [0] * SAMPLE_RATE, SAMPLE_RATE // 50
    sine = samples_of(tone(0, 0.5, 0.5))
    kept = trim(samples_of(clip_of([*pad, *sine, 0, 0, *sine, *[10] * SAMPLE_RATE])))
    assert len(kept) == pytest.approx(2 * len(sine) + 2 * least, abs=10)
    assert trim(samples_of(clip_of([5000]))) == samples_of(clip_of([5000]))
    assert len(trim(samples_of(clip_of(pad)))) <= 2 * least
    assert len(trim(samples_of(Clip()))) == 0


def test_a_clip_holds_whole_samples() -> None:
    with pytest.raises(ValueError, match="whole samples"):
        Clip(b"abc")

"""The identity of a guessed cell is neither seen nor heard before the answer (ALL-1, ALL-3).

Two worlds agree on everything that was shown. So here the same evenings are repeated with another
identity under the very cell that is guessed. Until the answer is due, the lights and the sounds of
the table are the same.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

import daemon_world
import leaks_of_sound
import pytest
from evenings import Evening
from planting import Leak, found_in, planted
from seen import Difference, Seen, differences
from sounders import fingerprint, sound_of

from pi_table.common.geometry import CELLS
from pi_table.devices.sound.loudness import at_volume
from pi_table.devices.sound.scores import SCORES
from pi_table.devices.sound.sounds import Sound
from pi_table.devices.sound.synthesis import synthesise
from pi_table.games.announcer.announcement import TENSION, What

GUESSED = "C3"
ELSEWHERE = "E1"
AT_THE_TABLE = ("lights", "sound")
LETTERS = "rbrbnrbnbrnrrbnbrarbnrbnn"
"""Of these nine r start. Under the cell that is guessed each letter comes in turn."""
CLUE_AT = 2.0
WAITS = (0.2, 0.9, 4.0)
"""Seconds from a clue, which may be spoken still, to a guess."""
SEEDS = ("tension/0", "tension/1", "tension/2", "tension/3")


def keys() -> Iterator[str]:
    """One key for each identity of the guessed cell; of the others one is another, too."""
    cell = CELLS.index(GUESSED)
    for letter in "rbna":
        key = [*LETTERS]
        there = LETTERS.index(letter)
        key[cell], key[there] = key[there], key[cell]
        yield "".join(key)


def evening(seed: str, wait: float) -> Evening:
    """Red's first clue, and its first guess."""
    at = CLUE_AT + wait
    happenings = [
        {"at": 0.5, "ask": {"seat": "operator", "act": "start", "profile": "codenames"}},
        {"at": CLUE_AT, "ask": {"seat": "red-spymaster", "act": "clue", "number": 2}},
        {"at": at, "touch": GUESSED},
        {"at": at + 0.1, "release": GUESSED},
    ]
    return Evening(seed, intent="tap", cards="own", happenings=happenings)


def with_another_finger(seed: str, wait: float) -> Evening:
    """The same, held, and somebody who lays a finger elsewhere before the answer."""
    guessed = CLUE_AT + 1.0
    second = guessed + 0.5 + wait
    happenings = [
        *evening(seed, 1.0).happenings[:2],
        {"at": guessed, "touch": GUESSED},
        {"at": guessed + 0.45, "release": GUESSED},
        {"at": second, "touch": ELSEWHERE},
        {"at": second + 0.38, "release": ELSEWHERE},
    ]
    return Evening(seed, intent="hold", cards="own", happenings=happenings)


def spent(
    key: str, seed: str, wait: float, evening: Callable[[str, float], Evening] = evening
) -> tuple[list[Seen], list[Seen]]:
    """Return the sights and sounds at the table before the answer, and those from the answer on."""
    seen = daemon_world.watch(evening(seed, wait), (key,)).seen
    (guessed,) = [one.at for one in seen if one.what == "announced" and _reveals(one)]
    # A finger that is felt is another timer: sums of floats differ then in their last digits.
    shown = [one._replace(at=round(one.at, 9)) for one in seen if one.what in AT_THE_TABLE]
    answer = guessed + TENSION - 1e-6
    return [one for one in shown if one.at < answer], [one for one in shown if one.at >= answer]


def _reveals(seen: Seen) -> bool:
    return What.REVEALING.value in [told[0] for told in seen.value[1:]]  # type: ignore[index]


def told_before_the_answer(seed: str, wait: float) -> list[Difference]:
    """Return the differences between the cell's identities before the answer."""
    return told_by([spent(key, seed, wait)[0] for key in keys()])


def told_by(before: Sequence[list[Seen]]) -> list[Difference]:
    return [found for one, other in pairwise(before) for found in differences(one, other)]


@pytest.mark.parametrize("wait", WAITS)
def test_the_table_looks_and_sounds_alike_until_the_answer(wait: float) -> None:  # ALL-1, ALL-3
    heard = set()
    for seed in SEEDS:
        before, after = zip(*(spent(key, seed, wait) for key in keys()), strict=True)
        found = told_by(before)
        assert not found, f"{seed}: {found[0]}"
        drum = fingerprint(at_volume(synthesise(SCORES[Sound.TENSION]), sound_of(seed).volume))
        assert ("begins", *drum) in [one.value for one in before[0]]
        assert len({str(seen) for seen in after}) == 4  # and then each has an answer of its own
        heard.add(sound_of(seed).speech)
    assert len(heard) > 1


@pytest.mark.parametrize("wait", [0.1, 0.3, 0.55])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_finger_laid_elsewhere_before_the_answer_learns_nothing(seed: str, wait: float) -> None:
    spendings = [spent(key, seed, wait, with_another_finger) for key in keys()]
    before, after = zip(*spendings, strict=True)
    found = told_by(before)
    assert not found, f"{seed}: {found[0]}"
    assert len({str(seen) for seen in after}) == 4


@pytest.mark.parametrize("leak", planted("before the answer", leaks_of_sound.BEFORE_THE_ANSWER))
def test_a_leak_before_the_answer_is_found(leak: Leak) -> None:
    checks = (partial(told_before_the_answer, seed, wait) for seed in SEEDS for wait in WAITS)
    found_in(leak, checks)

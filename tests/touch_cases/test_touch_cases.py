"""The cases of this folder are felt and meant as their texts say, on every build."""

from typing import Any, get_args

import pytest
from touch_case import CASES, FOLDER, Event, events, play, text_of, written

from pi_table.common.errors import TableError
from pi_table.simulator.emulated import Build

APART, A_SECOND = 0.04, 0.004
"""Seconds by which the chip's own binary may be earlier or later than the texts, which are of the
host's build, and as much more for each second of a case: it scans at other instants, and takes
time."""
NOISY = 0.5
"""Seconds more in a case where pads are noisy: windows in which that is found begin at any time."""
BRIEF = 0.09
"""Seconds: two builds scan at different instants, so one of them may miss a shorter touch."""
KINDS = ("frames", "intents")
ACTS = ("meant", "spent")
BY_CHANCE = {"creeping", "drop"}
"""What creeps or splashes is at a threshold for an instant, and builds look at other instants. Of
these cases only this is asked of all builds: nothing is meant."""


@pytest.mark.parametrize("name", CASES)
def test_the_host_build_feels_and_means_what_the_texts_say(
    name: str, request: pytest.FixtureRequest
) -> None:
    case = play(text_of(name, "script"), "host")
    for what in KINDS:
        came = written(getattr(case, what))
        if request.config.getoption("new_touch_cases"):
            (FOLDER / name / f"{what}.txt").write_text(came, "utf-8")
        assert came == text_of(name, what)


def coarse(told: list[Event], brief: float = 0.0) -> list[Event]:
    """Which places are noisy, and what noise touches, is chance: that some are noisy is told. So is
    a state of less than ``brief`` seconds, unless something was meant by it."""
    found: list[Event] = []
    for event, after in zip(told, [*told[1:], None], strict=True):
        is_act = event.what.startswith(ACTS)
        if not is_act and after is not None and after.at - event.at < brief:
            continue
        what = "noisy" if "noisy" in event.what else event.what
        if not found or found[-1].what != what:
            found.append(Event(event.at, what))
    return found


def differ(
    came: list[Event], told: list[Event], more: float = 0.0, brief: float = 0.0
) -> str | None:
    """Return the first difference of more than a moment; None if there is none."""
    came, told = coarse(came, brief), coarse(told, brief)
    for one, other in zip(came, told, strict=False):
        apart = APART + A_SECOND * other.at + more
        if one.what != other.what or abs(one.at - other.at) > apart:
            return f"{one.at:.3f} {one.what}, and not {other.at:.3f} {other.what}"
    return None if len(came) == len(told) else f"{written(came)} and not {written(told)}"


LONG_SECONDS = 20.0
"""Seconds of a case that costs the emulator more than one: `make torture` has those."""
QUICKLY = {
    *("baseline", "brown-out", "charger-under-a-finger", "deaf-chip", "hum", "press", "reset"),
    *("rests", "spill", "stall-held", "two-fingers", "unplugged", "wet-cloth"),
}
"""One for each way in which the chip differs from the host: its instants, its numbers of sixteen
bits, its resets. `make mutations` has the others."""


def on_the_chip(name: str) -> Any:
    if events(text_of(name, "script"))[-1].at > LONG_SECONDS:
        return pytest.param(name, marks=pytest.mark.torture)
    return pytest.param(name, marks=() if name in QUICKLY else pytest.mark.mutation)


@pytest.mark.parametrize("build", ["emulated", "pi"])
@pytest.mark.parametrize("name", [on_the_chip(name) for name in CASES])
def test_the_chip_s_binary_and_the_controller_on_the_pi_do_so_too(name: str, build: Build) -> None:
    case = play(text_of(name, "script"), build)
    more = NOISY * ("noisy" in text_of(name, "frames"))
    if name in BY_CHANCE:
        assert not [event for event in case.intents if event.what.startswith(ACTS)]
        return
    for what in KINDS:
        assert differ(getattr(case, what), events(text_of(name, what)), more, BRIEF) is None


def test_what_is_played_quickly_is_there() -> None:
    assert {*CASES} > QUICKLY


def test_a_text_that_says_something_else_is_noticed() -> None:
    told = events(text_of("press", "intents"))
    assert differ(told, told) is None
    assert differ(told[:-1], told)
    assert differ([Event(event.at + 2 * APART, event.what) for event in told], told)
    assert differ([Event(event.at, event.what.replace("B3", "B4")) for event in told], told)


def test_a_touch_that_is_longer_than_a_scan_may_miss_is_noticed() -> None:
    nothing, touched = "nothing", "touched B3"
    for seconds, is_brief in ((0.08, True), (0.1, False)):
        told = [Event(0.0, nothing), Event(0.5, touched), Event(0.5 + seconds, nothing)]
        assert (differ([Event(0.0, nothing)], told, brief=BRIEF) is None) is is_brief


def test_noise_that_comes_or_goes_at_another_time_is_noticed() -> None:
    told = events(text_of("hum", "frames"))
    elsewhere = [Event(event.at + 0.3, event.what.replace("A1", "A2")) for event in told]
    assert differ(elsewhere, told, NOISY) is None
    assert differ([Event(event.at + 1.0, event.what) for event in told], told, NOISY)
    assert differ([event for event in told if "noisy" not in event.what], told, NOISY)


@pytest.mark.parametrize("name", CASES)
def test_a_script_says_what_it_is_about(name: str) -> None:
    script = text_of(name, "script")
    assert script.startswith("# ")
    times = [event.at for event in events(script)]
    assert times == sorted(times)
    assert events(script)[-1].what == "end"


def test_the_cases_show_all_that_hands_can_do() -> None:
    said = {event.what.split()[0] for name in CASES for event in events(text_of(name, "intents"))}
    assert said == {"away", "holding", "meant", "spent", "unclear", "settling"}


@pytest.mark.parametrize("build", get_args(Build))
def test_a_script_that_the_world_does_not_understand_is_refused(build: Build) -> None:
    with pytest.raises(TableError, match="no:"):
        play("0.1 shape 0 Z9 30:16\n0.2 end\n", build)

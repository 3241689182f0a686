"""A loudspeaker by the real aplay: what is wrong with it is told, and it is left without a trace.

The device is ALSA's file plugin or null plugin, or none at all; the process is always the real one.
"""

import asyncio
import os
import stat
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ear import Ear
from patience import PATIENCE, serve_until
from processes import children, forget_others
from sounder_contract import tone

from pi_table.devices.hal import alsa
from pi_table.devices.hal.alsa import Alsa
from pi_table.devices.hal.contracts import SAMPLE_RATE, SILENCE

pytestmark = pytest.mark.paced

LONG = tone(1, 10 * SAMPLE_RATE)
"""More than a pipe holds."""


class Bench:
    """A loudspeaker on an event loop, and what it says of itself."""

    def __init__(self, device: str, program: str = "aplay") -> None:
        self.loop = asyncio.new_event_loop()
        self.sounder = Alsa(device, self.loop, program)
        self.said: list[str | None] = []

    def switch_on(self) -> None:
        self.sounder.switch_on(self.said.append)
        self.until(lambda: bool(self.said))

    def until(self, condition: Callable[[], bool]) -> None:
        serve_until(self.loop, condition)

    def serve(self, seconds: float = 0.01) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def close(self) -> None:
        self.sounder.close()
        self.loop.close()


@pytest.fixture(autouse=True)
def _begins() -> None:
    forget_others()


@pytest.fixture
def ear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ear:
    return Ear(tmp_path, monkeypatch)


@pytest.fixture
def open_bench() -> Iterator[Callable[..., Bench]]:
    opened: list[Bench] = []

    def bench(device: str, program: str = "aplay") -> Bench:
        opened.append(Bench(device, program))
        return opened[-1]

    before = open_files()
    yield bench
    for each in opened:
        each.close()
    assert children() == []
    assert open_files() == before


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def program(folder: Path, text: str) -> str:
    """A program of this text, by its path."""
    path = folder / "aplay"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_what_aplay_plays_is_on_tape_as_it_was(
    ear: Ear,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    open_bench: Callable[..., Bench],
) -> None:
    bench = open_bench("tape")
    bench.switch_on()
    monkeypatch.setenv("TAPE", str(tmp_path / "tape.wav"))
    played: list[str | None] = bench.said
    bench.sounder.play(tone(7, 2 * SAMPLE_RATE))
    bench.until(lambda: not children())
    with wave.open(str(tmp_path / "tape.wav")) as tape:
        assert (tape.getnchannels(), tape.getsampwidth()) == (1, 2)
        assert tape.getframerate() == SAMPLE_RATE
        samples = tape.readframes(tape.getnframes())
    assert samples.rstrip(b"\0") == tone(7, 2 * SAMPLE_RATE).samples.rstrip(b"\0")
    assert played == [None]


@pytest.mark.parametrize(
    ("device", "says"),
    [
        ("nosuch", "There is no sound device 'nosuch'. Plug it in; "),
        ("hw:9", "There is no sound device 'hw:9'. Plug it in; "),
        ("", "There is no sound device ''. Plug it in; "),
        ("-h", "There is no sound device '-h'. Plug it in; "),
    ],
)
def test_a_device_that_is_not_there_is_told_once_and_nothing_stops(
    ear: Ear, open_bench: Callable[..., Bench], device: str, says: str
) -> None:
    bench = open_bench(device)
    bench.switch_on()
    for number in range(1, 4):
        bench.sounder.play(tone(number))
        bench.serve()
        bench.until(lambda: not children())
    (said,) = bench.said
    assert said is not None
    assert said.startswith(says)
    assert said.endswith("'aplay -L' lists the names.")


def test_a_program_that_is_missing_is_told_with_its_package(
    open_bench: Callable[..., Bench], tmp_path: Path
) -> None:
    bench = open_bench("null", str(tmp_path / "aplay"))
    bench.switch_on()
    bench.sounder.play(tone(1))
    assert len(bench.said) == 1
    assert "apt install alsa-utils" in str(bench.said[0])


def test_a_program_that_may_not_be_run_is_told(
    open_bench: Callable[..., Bench], tmp_path: Path
) -> None:
    bench = open_bench("null", str(tmp_path))
    bench.switch_on()
    assert "cannot be started: Permission denied" in str(bench.said[0])


def test_a_device_that_vanishes_in_the_middle_of_a_clip_is_told_and_comes_back(
    ear: Ear, open_bench: Callable[..., Bench], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = open_bench("tape")
    bench.switch_on()
    monkeypatch.setenv("TAPE", "/dev/full")
    bench.sounder.play(LONG)
    bench.until(lambda: len(bench.said) == 2)
    assert str(bench.said[1]).startswith(
        "The sound device 'tape' has stopped in the middle of a sound (Input/output error)."
    )
    monkeypatch.setenv("TAPE", str(tmp_path / "tape.wav"))
    bench.sounder.play(tone(1))
    bench.until(lambda: len(bench.said) == 3)
    assert bench.said[2] is None


def test_an_aplay_that_is_killed_in_mid_speech_is_told_and_the_next_clip_is_heard(
    ear: Ear, open_bench: Callable[..., Bench]
) -> None:
    bench = open_bench(ear.device)
    bench.switch_on()
    ear.listen(False)
    bench.sounder.play(LONG)
    bench.serve(0.05)
    (aplay,) = children()
    os.kill(aplay, 9)
    bench.until(lambda: len(bench.said) == 2)
    assert "has stopped in the middle of a sound (it does not say why)" in str(bench.said[1])
    ear.listen(True)
    bench.sounder.play(tone(2))
    bench.until(lambda: ear.heard()[-1:] == [tone(2)])
    bench.until(lambda: bench.said[-1] is None)


def test_a_device_that_was_missing_is_tried_again_by_itself(
    ear: Ear, open_bench: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alsa, "RETRY_SECONDS", 0.02)
    bench = open_bench("ear")
    with monkeypatch.context() as unplugged:
        unplugged.delenv("ALSA_CONFIG_PATH")
        bench.switch_on()
        bench.serve(0.1)
        assert [str(said)[:32] for said in bench.said] == ["There is no sound device 'ear'. "]
        bench.sounder.play(SILENCE)
    bench.until(lambda: len(bench.said) == 2)
    assert bench.said[1] is None


def test_after_a_trouble_and_a_clip_that_was_cut_short_the_device_is_tried_again(
    ear: Ear, open_bench: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alsa, "RETRY_SECONDS", 0.02)
    bench = open_bench("ear")
    with monkeypatch.context() as unplugged:
        unplugged.delenv("ALSA_CONFIG_PATH")
        bench.switch_on()
    ear.listen(False)
    bench.sounder.play(LONG)
    bench.serve(0.02)
    bench.sounder.play(SILENCE)
    ear.listen(True)
    bench.until(lambda: bench.said[-1] is None)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ("audio open error: Device or resource busy", "Another program is using the sound device"),
        ("audio open error: Permission denied", "sudo usermod -aG audio NAME"),
        ("audio open error: No such device", "There is no sound device"),
        ("pcm_write:2127: write error: No such device", "(No such device)"),
        ("set_params:1456: Unable to install hw params:", "(Unable to install hw params)"),
    ],
)
def test_what_aplay_says_in_english_is_told_with_what_to_do(
    open_bench: Callable[..., Bench], tmp_path: Path, error: str, says: str
) -> None:
    bench = open_bench(
        "null", program(tmp_path, f'[ $LC_ALL = C ] && echo "aplay: {error}" >&2; exit 1')
    )
    bench.switch_on()
    assert says in str(bench.said[0])


def test_a_device_that_takes_nothing_is_told_when_its_time_is_over(
    ear: Ear, open_bench: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = open_bench(ear.device)
    bench.switch_on()
    monkeypatch.setattr(alsa, "GRACE_SECONDS", 0.1)
    ear.listen(False)
    for _ in range(2):
        bench.sounder.play(tone(1, SAMPLE_RATE // 10))
        bench.serve()
        bench.until(lambda: not children())
    assert [str(said)[:48] for said in bench.said[1:]] == [
        "The sound device 'ear' does not play what it is "
    ]


def test_one_that_does_not_read_holds_nothing_up(
    open_bench: Callable[..., Bench], tmp_path: Path
) -> None:
    bench = open_bench("null", program(tmp_path, f"exec sleep {2 * PATIENCE}"))
    bench.sounder.switch_on(bench.said.append)
    started = bench.loop.time()
    for _ in range(20):
        bench.sounder.play(LONG)
        bench.serve(0.001)
    bench.sounder.close()
    assert bench.loop.time() - started < PATIENCE
    assert bench.said == []


def test_what_it_says_is_bounded_and_shown_without_control_characters(
    open_bench: Callable[..., Bench], tmp_path: Path
) -> None:
    much = 'yes "$(printf "\\033[2J")rubbish" | head -c 1000000 >&2'
    talks = much + '; echo "aplay: x: a\x1b[2Jb" >&2; exit 1'
    bench = open_bench("null", program(tmp_path, talks))
    bench.switch_on()
    assert bench.said[0] is not None
    assert bench.said[0].isprintable()
    assert len(bench.said[0]) < 400


def test_a_hundred_clips_cut_short_leave_no_process_and_no_file(
    ear: Ear, open_bench: Callable[..., Bench]
) -> None:
    bench = open_bench("null")
    bench.switch_on()
    before = open_files()
    for number in range(100):
        bench.sounder.play(tone(number + 1))
        bench.serve(number % 3 * 0.001)
    bench.sounder.play(SILENCE)
    bench.until(lambda: not children())
    bench.serve()
    assert open_files() == before
    assert bench.said == [None]

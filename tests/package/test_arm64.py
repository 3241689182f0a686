"""The controller of the Pi compiled for arm64: it does the same as the one for this machine."""

import subprocess
import sys
from pathlib import Path

import pytest
from far_table import FarLibrary, in_emulator, made

from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.simulator import emulated
from pi_table.simulator.emulated import PI_DEVICES, EmulatedTable

sys.path.insert(0, str(Path(__file__).parents[1] / "touch_cases"))

from touch_case import CASES, play, text_of, written

pytestmark = pytest.mark.package

SCRIPT = (
    *("noise 0.5", "shape 0 B3 20:30", "shape 1 far 40:22", "chip 1 nack 3", "hum 6 50"),
    *("shape 0 B3 20:0", "chip 2 hold 40", "shape 0 E5 300:25", "bursts 9 120 300", "drift C1 2"),
    *("chip 0 over-current", "mend", "chip 1 brown-out", "warmth 12 4", "shape 0 E5 50:0"),
)


def line_of(table: EmulatedTable) -> bytes:
    """Return all bytes that come over the line while the script happens."""
    came = b""
    for number, order in enumerate(SCRIPT, start=1):
        table.tell(order)
        table.run(number * 400_000)
        came += table.read()
    table.run(len(SCRIPT) * 400_000 + 2_000_000)
    return came + table.read()


def use_arm64(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulated, "_library", lambda build: FarLibrary())


def test_the_same_bytes_come_over_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with EmulatedTable("pi") as near:
        told = line_of(near)
        shown = [*near.new_frames()]
    use_arm64(monkeypatch)
    with EmulatedTable("pi") as far:
        assert line_of(far) == told
        assert [*far.new_frames()] == shown
    assert len(told) > 1000


@pytest.mark.parametrize("name", CASES)
def test_a_touch_is_felt_and_meant_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    script = text_of(name, "script")
    near = play(script, "pi")
    use_arm64(monkeypatch)
    far = play(script, "pi")
    assert written(far.frames) == written(near.frames)
    assert written(far.intents) == written(near.intents)


def test_the_program_of_the_package_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program itself, stripped as it is installed, with the devices of a simulated Pi."""
    monkeypatch.setenv("PI_CONTROL", str(tmp_path / "control"))
    monkeypatch.setenv("PI_PARENT", "")
    for each in ("GREETING_SECONDS", "ANSWER_SECONDS"):  # it shares its processor with much else
        monkeypatch.setattr(f"pi_table.maintenance.bring_up.conversation.{each}", 60.0)
    command: list[str | Path] = [*in_emulator(made("preload.so")), made("pi-table-controller")]
    command += ["--tty", tmp_path / "port", "--memory", tmp_path / "settings", *PI_DEVICES]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == b"ready\n"
            with open_line(str(tmp_path / "port")) as line:
                conversation = Conversation(line, "the port")
                conversation.pause(1)
                assert conversation.state_after_restarts().chips == {0, 1, 2}
        finally:
            program.terminate()
    assert (tmp_path / "settings").stat().st_size == emulated.MEMORY_BYTES

"""The loudspeaker of a running table fails in the middle of an evening: told, and play goes on."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest
from patience import PATIENCE

from pi_table.lab.running_table import Console, RunningTable

pytestmark = pytest.mark.paced

Start = Callable[..., RunningTable]
SLOW = """
</usr/share/alsa/alsa.conf>
pcm.slow {
    type file
    slave.pcm { type null }
    file "|exec sleep 600"
    format "raw"
}
"""
"""A device that takes no more than a buffer holds, so that a sentence lasts until it is ended."""


def settings(device: str, voice: str = "", speech: str = "game") -> str:
    sound = f'[sound]\ndriver = "alsa"\ndevice = "{device}"\nvoice = "{voice}"\n'
    return f'{sound}[house]\nspeech = "{speech}"\n'


def started(start: Start, folder: Path, configured: str) -> tuple[RunningTable, Console]:
    configuration = folder / "asound.conf"
    configuration.write_text(SLOW)
    table = start(settings=configured, environment={"ALSA_CONFIG_PATH": str(configuration)})
    table.wait()
    return table, table.console()


def players(table: RunningTable) -> list[int]:
    """The processes that play a sound for it now."""
    own = Path(f"/proc/{table.process.pid}/task/{table.process.pid}/children")
    return [int(child) for child in own.read_text().split() if b"aplay" in _command(child)]


def _command(process: str) -> bytes:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def plays_on(console: Console) -> None:
    team = console.table["public"]["turn"]
    console.do("clue", f"{team}-spymaster", number=2)
    assert console.until(lambda table: table["public"]["phase"] == "guess")


def test_a_loudspeaker_that_vanishes_in_the_middle_of_a_sound_is_told_and_play_goes_on(
    start: Start, tmp_path: Path
) -> None:
    table, console = started(start, tmp_path, settings("slow"))
    console.do("start", profile="codenames")
    end = monotonic() + PATIENCE
    while not console.within(0.2, lambda table: bool(table["faults"])):
        # The first that is found may be one that the table has just cut short itself.
        assert monotonic() < end, "nothing is told"
        for each in players(table):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
    told = console.table["faults"]
    assert len(told) == 1
    assert told[0].startswith("The sound device 'slow' has stopped in the middle of a sound")
    plays_on(console)
    console.close()
    assert table.stop() == 0
    assert told[0] in table.log.read_text()
    assert "Traceback" not in table.log.read_text()


def test_without_the_program_that_speaks_play_goes_on(start: Start, tmp_path: Path) -> None:
    table, console = started(start, tmp_path, settings("null", "no-such-voice"))
    console.do("start", profile="codenames")
    (told,) = console.until(lambda table: bool(table["faults"]))["faults"]
    assert "no-such-voice" in told
    plays_on(console)
    console.close()
    assert table.stop() == 0


def test_a_voice_that_fails_in_a_test_is_no_fault_after_service(
    start: Start, tmp_path: Path
) -> None:
    table, console = started(start, tmp_path, settings("null", "no-such-voice", "off"))
    console.do("service", page="sound", sound="speech", lang="en")
    (told,) = console.until(lambda table: bool(table["faults"]))["faults"]
    assert "no-such-voice" in told
    console.do("leave-service")
    console.until(lambda table: not table["faults"])
    console.close()
    assert table.stop() == 0


def test_a_voice_that_fails_is_no_fault_after_the_operator_turns_speech_off(
    start: Start, tmp_path: Path
) -> None:
    table, console = started(start, tmp_path, settings("null", "no-such-voice"))
    console.do("start", profile="codenames")
    console.until(lambda table: bool(table["faults"]))
    console.do("house", set={"speech": "off"})
    console.until(lambda table: not table["faults"])
    console.close()
    assert table.stop() == 0

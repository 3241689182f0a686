"""The doctor, on tables that are well, ill, busy, or not there."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from drm_trees import PI_4, PI_5, made
from plugged_table import Plugged
from puppet import VirtualLine
from said import BROKEN, LOOK, NOT_HERE, OK, assert_says

from pi_table import cli
from pi_table.common.config import load
from pi_table.devices.hal import displays
from pi_table.devices.wire.codec import frame
from pi_table.devices.wire.settings import PAD_COUNT, PADS, Settings
from pi_table.games.rules import games
from pi_table.games.rules.profile import Settings as GameSettings
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.key import Key
from pi_table.maintenance.bring_up.controller_findings import controller
from pi_table.maintenance.bring_up.controller_findings import table as table_findings
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.surroundings_findings import (
    case,
    disk,
    journal,
    knobs,
    light_of_the_screen,
    restore_state,
    screen,
    surroundings,
)
from pi_table.simulator.emulated import EmulatedTable
from pi_table.table.backups.finishing import READY
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

pytestmark = pytest.mark.paced

OTHERS = Settings((8,) * PAD_COUNT, (4,) * PAD_COUNT, (64,) * PAD_COUNT, 500)

NOBODY, DIALOUT = 65534, 20

Findings = dict[str, dict[str, Any]]
Ask = Callable[..., tuple[int, Findings]]


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str]) -> Ask:
    """The doctor's exit status and findings, by what they are about."""

    def ask(*arguments: str | Path) -> tuple[int, Findings]:
        status = cli.main(["doctor", "--json", *map(str, arguments)])
        told = capfd.readouterr()
        assert told.err == ""
        findings = [json.loads(line) for line in told.out.splitlines()]
        assert all(finding["says"].endswith((".", "?")) for finding in findings)
        assert len({finding["what"] for finding in findings}) == len(findings)
        return status, {finding["what"]: finding for finding in findings}

    return ask


@pytest.mark.parametrize("plugged", ["emulated"], indirect=True)
def test_a_table_that_is_well(plugged: Plugged, ask: Ask) -> None:
    plugged.tell("noise 0.3")
    status, found = ask("--config", plugged.config)
    assert status == 0
    controller = ("port", "versions", "start", "chips", "electrodes", "settings", "lights")
    assert [*found][-len(controller) :] == [*controller]
    assert {found[what]["verdict"] for what in controller} == {"ok", "look"}
    assert f"for the group {plugged.port.group()!r}" in found["port"]["says"]
    assert found["versions"]["verdict"] == "ok"
    assert found["settings"]["verdict"] == "look"  # nobody has calibrated it
    assert found["electrodes"]["verdict"] == "ok"
    assert {*found["electrodes"]["figures"]["pads"]} == {*PADS}
    assert 0.5 < found["electrodes"]["figures"]["pads"]["B3"]["noise"] < 3
    assert found["lights"]["figures"]["lights"] == 104
    with open_line(str(plugged.port)):
        pass  # it is free again


def test_a_machine_without_a_table(ask: Ask) -> None:
    status, found = ask()
    assert status == 0
    assert found["port"]["verdict"] == "not here"
    assert found["config"]["verdict"] == "ok"


def test_a_table_that_is_missing_is_broken_where_the_configuration_wants_one(
    unplugged: Plugged, ask: Ask
) -> None:
    status, found = ask("--config", unplugged.config)
    assert status == 1
    assert found["port"]["verdict"] == "broken"
    assert "There is no controller at" in found["port"]["says"]


def test_a_configuration_that_cannot_be_used_is_a_finding(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "table.toml").write_text("[tuch]\n")
    status, found = ask("--config", tmp_path / "table.toml")
    assert status == 1
    assert found["config"]["verdict"] == "broken"
    assert "did you mean 'touch'?" in found["config"]["says"]
    assert "python" in found


@pytest.mark.parametrize(
    "named", ['[touch]\ndriver = "candles"', '[lights]\ndriver = "x"', '[console]\ninputs = "y"']
)
def test_a_driver_that_there_is_not_is_a_finding(tmp_path: Path, ask: Ask, named: str) -> None:
    (tmp_path / "table.toml").write_text(named)
    status, found = ask("--config", tmp_path / "table.toml")
    assert status == 1
    assert found["drivers"]["verdict"] == "broken"
    assert "has no driver" in found["drivers"]["says"]
    assert ask()[1]["drivers"]["verdict"] == "ok"


HOLD = """
import sys
from pi_table.devices.hal.controller import open_port
with open_port(sys.argv[-1]):
    print("ready", flush=True)
    sys.stdin.read()
"""


@contextmanager
def in_use_by_engine(port: Path) -> Iterator[int]:
    """Another process has the port, opened as the engine opens it, and started like it."""
    script = port.with_name("pi-table")
    script.write_text(HOLD)
    program = subprocess.Popen(
        [sys.executable, script, "run", port],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"ready\n"
    try:
        yield program.pid
    finally:
        program.communicate()


def test_a_port_that_the_engine_has_is_as_it_should_be(unplugged: Plugged, ask: Ask) -> None:
    with anything(unplugged.port, b""), in_use_by_engine(unplugged.port) as engine:
        status, found = ask("--config", unplugged.config)
    assert status == 0
    assert found["port"]["verdict"] == "ok"
    assert found["port"]["figures"] == {"held_by": [engine]}
    assert "in use by pi-table itself" in found["port"]["says"]


def test_a_port_that_a_stranger_has_is_told_with_the_strangers_name(
    unplugged: Plugged, ask: Ask
) -> None:
    with anything(unplugged.port, b""):
        command = ["flock", "--nonblock", str(unplugged.port), "sh", "-c", "echo ready; cat"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as stranger:
            assert stranger.stdout is not None
            assert stranger.stdout.readline() == b"ready\n"
            status, found = ask("--config", unplugged.config)
            stranger.communicate()
    assert status == 0
    assert found["port"]["verdict"] == "look"
    assert "flock" in found["port"]["says"]


@contextmanager
def anything(port: Path, says: bytes) -> Iterator[None]:
    """A device at the port that says the same for ever, and does not listen."""
    ours, theirs = os.openpty()
    port.symlink_to(os.ttyname(theirs))
    over = Event()

    def babble() -> None:
        os.set_blocking(ours, False)
        while not over.wait(0.05):
            for act in (lambda: os.write(ours, says), lambda: os.read(ours, 4096)):
                with suppress(BlockingIOError):
                    act()

    speaker = Thread(target=babble)
    speaker.start()
    try:
        yield
    finally:
        over.set()
        speaker.join()
        os.close(ours)
        os.close(theirs)
        port.unlink()


def test_a_firmware_of_another_protocol_is_told_with_both_versions(
    unplugged: Plugged, ask: Ask
) -> None:
    with anything(unplugged.port, frame(bytes((0x01, 9)) + bytes(30))):
        status, found = ask("--config", unplugged.config)
    assert status == 1
    assert "version 9 of the protocol, and this program version 4" in found["controller"]["says"]


def test_a_port_without_permission_is_told_with_its_group(unplugged: Plugged) -> None:
    with anything(unplugged.port, b""), in_use_by_engine(unplugged.port):
        device = unplugged.port.resolve()
        device.chmod(0o060)
        used = load(changes={"controller": {"port": str(device)}})
        me = os.geteuid()
        if me == 0:  # who may use any
            os.chown(device, me, DIALOUT)
            os.seteuid(NOBODY)
        try:
            (found,) = controller(used, False)  # not even our files may be read by others
        finally:
            os.seteuid(me)
        group = device.group()
    assert_says(found, BROKEN, "may not use", f"sudo usermod -aG {group} NAME")


# What the controller tells, in virtual time


def findings(table: EmulatedTable, lights: bool = False) -> dict[str, Finding]:
    conversation = Conversation(VirtualLine(table), "the port")
    return {finding.what: finding for finding in table_findings(conversation, lights)}


def test_settings_that_were_stored_are_well(host_table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    conversation.store(OTHERS)
    conversation.pause(1.0)
    assert_says(findings(host_table)["settings"], OK, "touch at 8 counts, lights at most 500 mA")


def test_settings_that_are_damaged_are_told_and_the_defaults_used(
    host_table: EmulatedTable,
) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    conversation.store(OTHERS)
    conversation.pause(1.0)
    memory = bytearray(host_table.memory)
    memory[memory.index(bytes(OTHERS.touch))] ^= 0x10
    with EmulatedTable("host", bytes(memory)) as table:
        assert_says(findings(table)["settings"], BROKEN, "What was stored is damaged")
        assert Conversation(VirtualLine(table), "the port").settings().touch == (7,) * PAD_COUNT


def test_a_chip_that_does_not_answer_is_told_with_its_pads(host_table: EmulatedTable) -> None:
    host_table.tell("chip 2 nack -")
    found = findings(host_table)
    assert_says(found["chips"], BROKEN, "0x5A, 0x5B can be read; 0x5C cannot")
    assert_says(found["electrodes"], BROKEN, "A5, B5, C5, D5, E5, end-turn, hourglass, near")


def test_a_chip_that_lost_its_power_for_a_moment_is_told(host_table: EmulatedTable) -> None:
    Conversation(VirtualLine(host_table), "the port")
    host_table.tell("chip 1 brown-out")
    host_table.run(host_table.now_us + 1_000_000)
    assert_says(findings(host_table)["chips"], LOOK, "0x5B (it had lost its power)")


def test_noise_that_a_finger_does_not_stand_out_of_is_told(host_table: EmulatedTable) -> None:
    host_table.tell("noise 1.8")
    found = findings(host_table)["electrodes"]
    assert_says(found, LOOK, "Too much noise to tell a finger from it: A1,")
    assert len(found.rows) == 8


def test_noise_by_which_a_place_cannot_be_played_is_told_with_what_to_do(
    host_table: EmulatedTable,
) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    conversation.pause(0.5)
    host_table.tell("shape 0 C4 20:40")
    host_table.tell("common 100 125030")
    found = findings(host_table)["electrodes"]
    assert found.verdict is LOOK
    assert found.says.startswith("Noise from outside swings the counts by as much as a touch")
    assert "at C4: no touch counts there" in found.says
    assert "Something is on C4, or noise looks like it." in found.says
    for what in ("chargers", "dimmed lamps", "phones", "ground the supply"):
        assert what in found.do
    assert found.figures["noisy"] == ["C4"]
    host_table.tell("common 0 0")
    host_table.tell("clear 0")
    found = findings(host_table)["electrodes"]
    assert (found.verdict, found.figures["noisy"]) == (OK, [])


def test_noise_that_came_and_went_while_the_doctor_listened_is_told(
    host_table: EmulatedTable,
) -> None:
    swings = " ".join(f"{2000 + 12 * n}:{30 * (n % 2)}" for n in range(31))
    host_table.tell(f"shape 0 C4 {swings}")
    assert findings(host_table)["electrodes"].figures["noisy"] == ["C4"]


def test_noise_of_a_pad_that_is_no_place_is_told_too(host_table: EmulatedTable) -> None:
    host_table.tell("shape 0 near 20:40")
    host_table.tell("common 100 125030")
    assert findings(host_table)["electrodes"].figures["noisy"] == ["near"]


def test_something_that_lies_on_a_pad_is_told(host_table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    conversation.pause(0.5)
    host_table.tell("shape 0 C4 20:40")
    assert_says(findings(host_table)["electrodes"], LOOK, "Something is on C4")


def test_a_controller_that_hung_is_told(host_table: EmulatedTable) -> None:
    host_table.tell("hang")
    host_table.run(host_table.now_us + 2_000_000)
    assert_says(findings(host_table)["start"], LOOK, "Its watchdog restarted it")


def test_lights_that_would_draw_too_much_are_told(host_table: EmulatedTable) -> None:
    conversation = Conversation(VirtualLine(host_table), "the port")
    conversation.store(OTHERS)
    found = findings(host_table, lights=True)["lights"]
    assert_says(found, LOOK, "dimmed, to stay below the 500 mA")
    assert found.do.startswith("Did the whole table turn red")
    assert len({each.pulses for each in host_table.new_frames()}) >= 4


# The journal, and what else stands round the engine

KEY = Key.read("rrrrrrrrrbbbbbbbbnnnnnnna")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "journal.sqlite"
    opened_journal = Journal.open(path)
    dealt = events.Dealt(0.0, "codenames", GameSettings(), None, KEY)
    opened_journal.begin([Entry(0.0, games.encode(dealt))], "2026-01-02T03:04:05.000+00:00")
    opened_journal.close()
    return path


def test_a_journal_is_checked_and_nothing_of_its_content_told(written: Path) -> None:  # ALL-1
    found = journal(written)
    assert_says(found, OK, "is in order, with 1 game")
    assert "rrrr" not in found.json()
    assert "codenames" not in found.json()


def test_a_journal_is_checked_while_the_table_writes_it(written: Path) -> None:
    engine = Journal.open(written)
    found = journal(written)
    engine.close()
    assert found.verdict is OK


def test_a_damaged_journal_is_broken(written: Path) -> None:  # ALL-1
    written.write_bytes(written.read_bytes().replace(b"codenames", b"codenamez"))
    found = journal(written)
    assert_says(found, BROKEN, "is damaged", "pi-table journal set-aside")
    assert "rrrr" not in found.json()


def test_a_journal_that_has_not_begun_is_not_missing(tmp_path: Path) -> None:
    assert journal(tmp_path / "state" / "journal.sqlite").verdict is NOT_HERE
    assert [*tmp_path.iterdir()] == []


def test_free_space_is_told_of_the_disk_that_the_journal_will_be_on(tmp_path: Path) -> None:
    found = disk(tmp_path / "not" / "yet")
    assert str(tmp_path) in found.says
    assert isinstance(found.figures["free_bytes"], int)


def test_a_screen_is_looked_for_where_sdl_would_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert screen(tmp_path, load().console).verdict is NOT_HERE
    for name, status in (("card1-HDMI-A-1", "connected"), ("card1-HDMI-A-2", "disconnected")):
        (tmp_path / "sys/class/drm" / name).mkdir(parents=True)
        (tmp_path / "sys/class/drm" / name / "status").write_text(f"{status}\n")
    found = screen(tmp_path, load().console)
    assert_says(found, LOOK, "shown at HDMI-A-1, which cannot be drawn on from here")
    # A television at the other one: the console waits, and doctor says why.
    (tmp_path / "sys/class/drm/card1-HDMI-A-2/status").write_text("connected\n")
    found = screen(tmp_path, load().console)
    assert_says(found, BROKEN, "Screens are connected to HDMI-A-1 and HDMI-A-2")


def test_on_a_pi_without_its_screen_somebody_is_to_have_a_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    assert_says(screen(tmp_path, load().console), LOOK, "No screen is connected")


def test_a_table_without_a_hidden_screen_is_in_order(tmp_path: Path) -> None:
    made(tmp_path, PI_5)  # with a screen that everybody sees
    used = load(changes={"console": {"screen": "none"}})
    assert_says(screen(tmp_path, used.console), OK, "the spymasters’ phones show the key")
    names = [found.what for found in surroundings(used, tmp_path)]
    assert "screen" in names
    assert not {"backlight", "knobs"} & {*names}


def test_a_screen_that_is_named_is_looked_for_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    made(tmp_path, PI_5)
    for name, verdict, says in (
        ("HDMI-A-2", LOOK, "cannot be drawn on from here"),
        ("HDMI-A-1", BROKEN, "one is connected to DSI-1, HDMI-A-2."),
        ("HDMI-A-3", BROKEN, "There is no connector 'HDMI-A-3'"),
    ):
        found = screen(tmp_path, load(changes={"console": {"display": name}}).console)
        assert_says(found, verdict, says)
        assert found.figures["connectors"] == {
            "DSI-1": True,
            "HDMI-A-1": False,
            "HDMI-A-2": True,
            "Writeback-1": False,
        }


def test_a_screen_that_this_sdl_cannot_draw_on_is_broken(  # ALL-1
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(displays, "DRAWS_ON_ALL", (3, 0, 0))
    made(tmp_path, PI_4)
    for name, verdict in (("HDMI-A-1", LOOK), ("HDMI-A-2", BROKEN)):
        found = screen(tmp_path, load(changes={"console": {"display": name}}).console)
        assert found.verdict is verdict
    assert "draws at HDMI-A-1. Disconnect that screen" in found.says


def test_the_light_of_the_screen_is_looked_for_where_it_is_configured(tmp_path: Path) -> None:
    assert light_of_the_screen(tmp_path, "").verdict is NOT_HERE
    assert light_of_the_screen(tmp_path, "auto").verdict is LOOK
    device = tmp_path / "sys/class/backlight/10-0045"
    device.mkdir(parents=True)
    for name, text in (("max_brightness", "31\n"), ("brightness", "31\n")):
        (device / name).write_text(text)
    assert "There is 10-0045." in light_of_the_screen(tmp_path, "").says
    for name in ("auto", "10-0045"):
        found = light_of_the_screen(tmp_path, name)
        assert (found.verdict, found.says) == (OK, "10-0045 can be set.")
    assert "there is 10-0045." in light_of_the_screen(tmp_path, "10-0046").says
    (device / "max_brightness").unlink()
    assert light_of_the_screen(tmp_path, "auto").verdict is LOOK


def test_a_restore_that_is_to_be_finished_and_what_earlier_ones_keep_are_told(
    tmp_path: Path,
) -> None:
    assert restore_state(tmp_path / "missing").verdict is OK
    assert restore_state(tmp_path).figures == {}
    (tmp_path / "before-restore-20260101T000000Z").mkdir()
    found = restore_state(tmp_path)
    assert (found.verdict, found.figures) == (
        OK,
        {"kept": ["before-restore-20260101T000000Z"]},
    )
    assert "remove it" in found.do
    (tmp_path / READY).mkdir()
    found = restore_state(tmp_path)
    assert found.verdict is LOOK
    assert "restore --finish" in found.do


def test_the_case_is_opened_only_where_it_is_configured() -> None:
    assert case(load()).verdict is NOT_HERE
    found = case(load(changes={"panel": {"driver": "gpiozero"}}))
    assert found.verdict is BROKEN  # there are no pins here
    assert 'set driver = "none" in [panel]' in found.says


def test_a_button_that_switches_nothing_off_is_told() -> None:
    changes: dict[str, dict[str, Any]] = {"panel": {"driver": "simulated"}}
    assert_says(case(load(changes=changes)), LOOK, "switches nothing off")
    changes["table"] = {"switch_off": "systemctl poweroff"}
    assert case(load(changes=changes)).verdict is OK


def test_knobs_are_opened_only_where_they_are_configured() -> None:
    assert knobs(load()).verdict is NOT_HERE
    found = knobs(load(changes={"console": {"inputs": "gpiozero"}}))
    assert found.verdict is BROKEN  # there are no pins here
    assert 'set inputs = "none"' in found.says

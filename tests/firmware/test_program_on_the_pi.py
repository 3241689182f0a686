"""The controller as a process of a Raspberry Pi: its file, its terminal, its signals, and what it
says of devices that are not there. The devices are simulated; the program is the real one."""

import json
import os
import signal
import socket
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from patience import PATIENCE
from program_on_the_pi import PROGRAM, Line, World, ended, started

from pi_table.common.failure_report import sentence_of
from pi_table.common.geometry import LED_COUNT, PLACE_COUNT
from pi_table.devices.hal.strip import IDLE_MA
from pi_table.devices.wire.commands import Ask, KeepAlive, Store, Tell, lights
from pi_table.devices.wire.messages import Origin
from pi_table.devices.wire.settings import PAD_COUNT, Settings
from pi_table.simulator.emulated import MEMORY_BYTES, simulated_devices

pytestmark = pytest.mark.paced

OURS = Settings((9,) * PAD_COUNT, (5,) * PAD_COUNT, (61,) * PAD_COUNT, 3000)


def boot_and_settings(folder: Path, memory: Path) -> tuple[int, Origin]:
    """Start the program, hear its hello, and kill it."""
    with started(folder, memory=memory), closing(Line(folder / "port")) as line:
        line.say(Ask(Tell.HELLO), 1)
        line.until(lambda: bool(line.hellos))
        return line.hellos[-1].boot, line.hellos[-1].settings


def test_each_start_has_a_number_of_its_own_however_it_ended(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    boots = [boot_and_settings(tmp_path, memory)[0] for _ in range(10)]
    assert boots == [*range(1, 11)]
    assert memory.stat().st_size == MEMORY_BYTES
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600


def test_settings_are_there_after_the_next_start_and_half_a_file_does_no_harm(
    tmp_path: Path,
) -> None:
    memory = tmp_path / "memory"
    with started(tmp_path, memory=memory) as program:
        with closing(Line(tmp_path / "port")) as line:
            line.say(Store(OURS), 1)
            line.say(Ask(Tell.HELLO), 2)
            line.until(lambda: any(each.settings is Origin.STORED for each in line.hellos))
        assert ended(program) == ""
    assert boot_and_settings(tmp_path, memory)[1] is Origin.STORED
    (tmp_path / "memory.new").write_bytes(b"half of it")  # the power failed while it was written
    assert boot_and_settings(tmp_path, memory)[1] is Origin.STORED
    memory.write_bytes(memory.read_bytes()[:50])
    assert boot_and_settings(tmp_path, memory)[1] is Origin.DAMAGED
    assert memory.stat().st_size == MEMORY_BYTES


def test_a_file_that_cannot_be_written_is_said_once_and_the_table_plays_on(tmp_path: Path) -> None:
    memory = tmp_path / "none" / "memory"
    with (
        started(tmp_path, memory=memory) as program,
        closing(Line(tmp_path / "port")) as line,
    ):
        line.say(Store(OURS), 1)
        line.say(Ask(Tell.HELLO), 2)
        line.until(lambda: bool(line.hellos) and line.state is not None)
        said = ended(program)
    why = "No such file or directory"
    assert said == f"pi-table: The controller's settings cannot be kept in {memory}: {why}.\n"


def test_settings_that_cannot_be_read_are_not_overwritten(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.symlink_to(memory)  # nobody can read a link to itself, root neither
    with started(tmp_path, memory=memory) as program, closing(Line(tmp_path / "port")) as line:
        line.say(Ask(Tell.HELLO), 1)
        line.until(lambda: bool(line.hellos))
        said = ended(program)
    why = "Too many levels of symbolic links"
    assert said == f"pi-table: The controller's settings cannot be read from {memory}: {why}.\n"
    assert memory.is_symlink()


def test_without_devices_it_says_which_and_every_place_is_deaf(tmp_path: Path) -> None:
    options = ("--i2c", "/dev/i2c-none", "--irq", "GPIO999", "--lights", "spi:/dev/spidev-none")
    with (
        started(tmp_path, *options, devices=False) as program,
        closing(Line(tmp_path / "port")) as line,
    ):
        line.until(lambda: line.state is not None and bool(line.state.deaf))
        said = ended(program)
    assert "The I²C bus cannot be opened: /dev/i2c-none: No such file" in said
    assert "The touch chips' interrupt line cannot be used: GPIO999" in said
    assert "The lights take no frame at /dev/spidev-none: No such file" in said
    assert len(said.splitlines()) == 3


def test_lights_that_refuse_every_frame_do_not_hold_up_the_rest(tmp_path: Path) -> None:
    """A command counts as applied when its frame was sent, even in vain."""
    missing = ("--irq", "GPIO26", "--lights", "spi:/dev/spidev-none")
    with (
        started(tmp_path, *missing) as program,
        closing(Line(tmp_path / "port")) as line,
        closing(World(tmp_path / "control")) as world,
    ):
        all_white = lights((0xFFFFFF,) * LED_COUNT, range(PLACE_COUNT))
        line.say(Ask(Tell.HELLO), 1)
        for number, command in enumerate(all_white, 2):
            line.say(command, number)
        line.say(KeepAlive(), 2 + len(all_white))
        line.until(lambda: line.state is not None and line.state.applied == 2 + len(all_white))
        line.until(lambda: line.state is not None and not line.state.deaf)
        world.tell("shape 0 B3 0:20")
        line.until(lambda: line.state is not None and line.state.touched == {11})
        assert ended(program).startswith("pi-table: The lights take no frame at")


def test_lights_that_take_frames_again_get_the_newest(tmp_path: Path) -> None:
    """A plain file is the device: what was written to it stays."""
    device = tmp_path / "leds"
    options = ("--i2c", "/dev/i2c-none", "--lights", f"pio:{device}")
    with started(tmp_path, *options, devices=False) as program:
        assert program.stderr is not None
        assert "The I²C bus cannot be opened" in program.stderr.readline()
        assert "The lights take no frame" in program.stderr.readline()
        device.touch()
        assert program.stderr.readline() == f"The lights at {device} are back.\n"
        assert any(device.read_bytes())


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--irq", "GPIO26"), id="by name"),
        pytest.param(("--irq", "/dev/gpiochip0:26"), id="by chip"),
        pytest.param((), id="not wired"),
    ],
)
def test_a_finger_is_felt_with_and_without_the_interrupt(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    with (
        started(tmp_path, *options, "--lights", "none") as program,
        closing(Line(tmp_path / "port")) as line,
        closing(World(tmp_path / "control")) as world,
    ):
        line.until(lambda: line.state is not None and not line.state.deaf)
        world.tell("shape 0 B3 0:20")
        line.until(lambda: line.state is not None and line.state.touched == {11})
        world.tell("shape 0 B3 0:0")
        line.until(lambda: line.state is not None and not line.state.touched)
        assert ended(program) == ""


def _drawn_ma(world: World) -> int:
    """The most that a frame of the lights has drawn."""
    return int(dict(word.split("=") for word in world.tell("stats").split())["current_worst_ma"])


@pytest.mark.parametrize("lights", ["spi:/dev/spidev0.0", "pio:/dev/leds0"])
def test_the_lights_show_its_own_pattern_and_are_dark_when_it_ends(
    tmp_path: Path, lights: str
) -> None:
    with (
        started(tmp_path, "--lights", lights) as program,
        closing(World(tmp_path / "control")) as world,
    ):
        while _drawn_ma(world) <= LED_COUNT * IDLE_MA:
            pass  # its own pattern was perhaps shown before anybody watched
        program.terminate()
        world.hear_the_rest()
        assert not any(world.shown[-1])
        assert program.wait(PATIENCE) == 0


def test_systemd_hears_that_it_is_ready_that_it_lives_and_that_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "notified"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(path))
        told.settimeout(PATIENCE)
        with started(tmp_path, notify=path) as program:
            said = [told.recv(100) for _ in range(4)]
            status = b"STATUS=bus: ok; interrupt: ok; lights: ok; settings: not kept"
            assert said == [b"READY=1", b"WATCHDOG=1\n" + status, *[b"WATCHDOG=1"] * 2]
            ended(program)
            rest = [told.recv(100)]
            while rest[-1] == b"WATCHDOG=1":
                rest.append(told.recv(100))
            assert rest[-1] == b"STOPPING=1"


def test_the_link_is_replaced_after_a_kill_and_removed_at_the_end(tmp_path: Path) -> None:
    port = tmp_path / "port"
    with started(tmp_path) as program:
        program.kill()
        program.wait()
        assert port.is_symlink()
    with started(tmp_path) as program:
        assert stat.S_IMODE(port.stat().st_mode) == 0o660
        assert port.stat().st_gid == os.getegid()
        # The engine does not follow a link that is older than the terminal.
        assert port.lstat().st_mtime_ns >= port.stat().st_ctime_ns
        assert ended(program) == ""
    assert not port.is_symlink()


def test_a_file_in_the_place_of_the_link_stays(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.write_text("somebody's")
    done = subprocess.run([PROGRAM, "--tty", port], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"The link to the terminal cannot be made: {port}: File exists" in done.stderr
    assert port.read_text() == "somebody's"


def test_the_newest_state_comes_first_when_nobody_has_read_for_long(tmp_path: Path) -> None:
    """Its own buffer is full then, and the kernel's: it makes no more states, and still feels."""
    with (
        started(tmp_path) as program,
        closing(Line(tmp_path / "port")) as line,
        closing(World(tmp_path / "control")) as world,
    ):
        line.until(lambda: line.state is not None and not line.state.deaf)
        for _ in range(300):
            world.tell("shape 0 B3 0:20")
            world.tell("shape 0 B3 0:0")
        world.tell("shape 0 C3 0:20")
        line.until(lambda: line.state is not None and line.state.touched == {12})
        assert ended(program) == ""


def test_commands_are_read_while_the_bus_never_rests(tmp_path: Path) -> None:
    """On a slow bus, a look at the touched chips takes longer than the pause between two looks."""
    with (
        started(tmp_path, "--irq", "GPIO26", "--lights", "none") as program,
        closing(Line(tmp_path / "port")) as line,
        closing(World(tmp_path / "control")) as world,
    ):
        line.until(lambda: line.state is not None and not line.state.deaf)
        world.tell("bus 50000")
        world.tell("shape 0 B2 0:20")
        world.tell("shape 0 C4 0:20")
        line.until(lambda: line.state is not None and line.state.touched == {6, 17})
        touched_ms = line.uptime_ms
        line.until(lambda: line.uptime_ms > touched_ms + 1000)
        for number in range(1, 8):
            line.say(KeepAlive(), number)
        line.until(lambda: line.state is not None and line.state.applied == 7)
        assert line.state is not None
        assert line.state.touched == {6, 17}
        assert ended(program) == ""


def left_why(*command: str | Path) -> str:
    """Run a command that fails, and return the sentence that the hidden screen shows of it."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    log = "\n".join(json.dumps({"MESSAGE": line}) for line in done.stderr.splitlines())
    return str(sentence_of(log.encode(), "exit-code"))


def test_a_layout_with_an_error_is_the_reason_that_is_shown(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    options = ("--tty", tmp_path / "port", "--layout", mine)
    assert "mine.txt: No such file or directory" in left_why(PROGRAM, *options)
    mine.write_text("A1 middle\n")
    assert "mine.txt, line 1: 'middle' is no part of this place." in left_why(PROGRAM, *options)


def test_a_thread_that_cannot_be_made_is_the_reason_that_is_shown(tmp_path: Path) -> None:
    """Its stack would be larger than all memory that it may have."""
    few = 'ulimit -s 1000000 && ulimit -v 500000 && exec "$@"'
    options = ("--tty", tmp_path / "port", "--memory", tmp_path / "memory")
    why = "There can be no thread: Resource temporarily unavailable."
    assert left_why("sh", "-c", few, "sh", PROGRAM, *options) == why


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "--tty is missing"),
        (["--tty"], "There is no value for --tty"),
        (["--tty", "x", "--baud", "9600"], "There is no option --baud"),
        (["--tty", "x", "--lights", "usb:x"], "--lights must be spi:DEVICE"),
        (["--tty", "x", "--lights", "spi:"], "--lights must be spi:DEVICE"),
        (["--tty", "x", "--priority", "0"], "--priority must be 1 … 99, not 0"),
        (["--tty", "x", "--priority", "1x"], "--priority must be 1 … 99, not 1x"),
        (["--tty", "x", "--priority", "100"], "--priority must be 1 … 99, not 100"),
    ],
)
def test_options_that_it_does_not_understand_are_refused(options: list[str], why: str) -> None:
    done = subprocess.run([PROGRAM, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"pi-table: {why}")
    assert "usage:" in done.stderr


def test_a_signal_ends_it_while_it_sleeps_and_while_it_works(tmp_path: Path) -> None:
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        with started(tmp_path, "--lights", "none") as program:
            program.send_signal(signal_number)
            assert program.wait(PATIENCE) == 0


@pytest.mark.parametrize("line", ["hang", "reset", "unplug", "plug", "stall 100", "memory 0 1"])
def test_devices_refuse_what_only_the_program_could_do(tmp_path: Path, line: str) -> None:
    with started(tmp_path), closing(World(tmp_path / "control")) as world:
        with pytest.raises(AssertionError, match="no: stop, end or start the program"):
            world.tell(line)
        assert "starts=1" in world.tell("stats")


def test_only_the_named_program_gets_the_devices(tmp_path: Path) -> None:
    """A service sets its environment for all its commands, before and after the program too."""
    environment = os.environ | simulated_devices(tmp_path / "control")
    environment["PI_PROGRAM"] = PROGRAM.name
    script = 'cat /dev/i2c-1; test ! -e "$1/control" && exec "$2" --tty "$1/port"'
    command: list[str | Path] = ["sh", "-c", script, "sh", tmp_path, PROGRAM]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        with closing(Line(tmp_path / "port")) as line:
            line.until(lambda: line.state is not None and not line.state.deaf)
        said = ended(program)
    assert "No such file or directory" in said
    assert len(said.splitlines()) == 1

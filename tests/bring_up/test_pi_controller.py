"""The doctor on a table whose controller is a service of this machine, with each of its faults.

What the service says comes from the real program, with the devices of a simulated Raspberry Pi.
"""

import os
import re
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

import pytest
from maker import MakerPuppet
from plugged_table import Plugged
from puppet import VirtualLine

from pi_table import cli
from pi_table.common.config import Config, load
from pi_table.common.geometry import LED_COUNT
from pi_table.devices.hal import controller_trouble, own_controller
from pi_table.devices.wire.settings import PADS
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.board_findings import board
from pi_table.maintenance.bring_up.controller_findings import controller
from pi_table.maintenance.bring_up.controller_steps import fingers
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.light_steps import white
from pi_table.maintenance.bring_up.pi_controller_findings import pi_controller
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.string_lights import lights
from pi_table.maintenance.bring_up.terminal import AtTerminal
from pi_table.simulator.emulated import FIRMWARE, PI_DEVICES, EmulatedTable

sys.path.insert(0, str(Path(__file__).parents[1] / "firmware"))

from heard import heard

pytestmark = pytest.mark.paced

Findings = Mapping[str, Finding]
CONDITION = (
    "{{ path=/usr/bin/grep ; argv[]=/usr/bin/grep -qs ^[^#]*/run/pi-table-controller/port "
    "/etc/pi-table/table.toml ; ignore_errors=no ; start_time=[Sat 2026-11-28 08:28:15 UTC] ; "
    "stop_time=[Sat 2026-11-28 08:28:15 UTC] ; pid=66 ; code={code} ; status={status} }}"
)
"""The property of the unit's condition, as `systemctl show` of systemd 252 printed it."""
RUNS = "bus: ok; interrupt: ok; lights: ok; settings: ok"
MODEL = "proc/device-tree/model"
HZ = "sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a Raspberry Pi 4 that is set up well."""
    root = tmp_path / "root"
    for name, content in {
        MODEL: b"Raspberry Pi 4 Model B Rev 1.4\0",
        HZ: (400_000).to_bytes(4, "big"),
        "boot/firmware/config.txt": b"[all]\ndtoverlay=vc4-kms-v3d\ndtparam=i2c_arm=on\n"
        b"dtparam=spi=on\ncore_freq=500\ncore_freq_min=500\n",
        "dev/i2c-1": b"",
        "dev/spidev0.0": b"",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return configured(tmp_path)


def configured(folder: Path, more: str = "") -> Config:
    file = folder / "own.toml"
    file.write_text(
        f'[touch]\ndriver = "controller"\n[lights]\ndriver = "controller"\n'
        f'[paths]\nruntime = "{folder / "run"}"\n'
        f'[controller]\nport = "{own_controller.PORT}"\n{more}'
    )
    return load(file)


def told(config: Config, root: Path, status: str = RUNS, **unit: str) -> Findings:
    about = {"LoadState": "loaded", "ActiveState": "active", "StatusText": status} | unit
    return {finding.what: finding for finding in pi_controller(config, about, root)}


def boards(config: Config, root: Path) -> Findings:
    return {finding.what: finding for finding in board(config, root)}


def test_a_table_that_is_well(config: Config, root: Path) -> None:
    found = told(config, root)
    assert {each.verdict for each in found.values()} == {Verdict.OK}
    assert [*found] == ["service", "bus", "interrupt"]
    assert found["bus"].figures == {"hz": 400_000}
    about = boards(config, root)
    for what in ("board", "config.txt", "pins", "light device"):
        assert about[what].verdict is Verdict.OK, about[what]
    assert "GPIO2, GPIO3" in about["pins"].says
    assert "GPIO26" in about["pins"].says


def test_without_the_bus_the_line_of_config_txt_is_named(config: Config, root: Path) -> None:
    (root / "dev/i2c-1").unlink()
    file = root / "boot/firmware/config.txt"
    file.write_text(file.read_text().replace("dtparam=i2c_arm=on\n", ""))
    bus = told(config, root, "bus: No such file or directory")["bus"]
    assert bus.verdict is Verdict.BROKEN
    assert "There is no /dev/i2c-1" in bus.says
    assert "dtparam=i2c_arm=on" in bus.do
    assert "modprobe i2c-dev" in bus.do
    lines = boards(config, root)["config.txt"]
    assert (lines.verdict, lines.figures["missing"]) == (Verdict.BROKEN, ["dtparam=i2c_arm=on"])


def test_a_slow_bus_is_told_with_the_line_that_makes_it_fast(config: Config, root: Path) -> None:
    (root / HZ).write_bytes((100_000).to_bytes(4, "big"))
    bus = told(config, root)["bus"]
    assert bus.verdict is Verdict.LOOK
    assert "100 kHz" in bus.says
    assert "i2c_arm_baudrate=400000" in bus.do


def test_a_bus_whose_speed_the_kernel_does_not_tell_is_well(config: Config, root: Path) -> None:
    (root / HZ).unlink()
    assert told(config, root)["bus"].verdict is Verdict.OK


def test_the_pins_of_the_bus_are_not_for_a_button(tmp_path: Path, root: Path) -> None:
    config = configured(tmp_path, '[panel]\ndriver = "gpiozero"\nswitch_off = 3\n')
    pins = boards(config, root)["pins"]
    assert pins.verdict is Verdict.BROKEN
    assert pins.says == "GPIO3 is taken by the touch chips and switch_off of [panel]."


def test_the_lights_device_of_the_controller_is_looked_for(config: Config, root: Path) -> None:
    (root / "dev/spidev0.0").unlink()
    assert "There is no /dev/spidev0.0" in boards(config, root)["light device"].says
    (root / MODEL).write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert "There is no /dev/leds0" in boards(config, root)["light device"].says


def test_a_kernel_that_is_too_old_for_the_lights_of_the_controller_is_told(
    config: Config, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / MODEL).write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    (root / "dev/leds0").touch()
    for release, verdict in (("6.12.56+rpt", Verdict.OK), ("6.6.74+rpt", Verdict.BROKEN)):
        machine = os.uname_result(("Linux", "table", release, "#1", "aarch64"))
        monkeypatch.setattr(os, "uname", lambda machine=machine: machine)
        found = boards(config, root)["light device"]
        assert found.verdict is verdict
    assert "6.6.74" in found.says
    assert "full-upgrade" in found.says
    assert "name the driver" not in found.says  # it is the controller already


def test_a_layout_with_an_error_is_told_of_the_lights_of_the_controller(
    tmp_path: Path, root: Path
) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("A1 middle\n")
    configured(tmp_path)
    config = load(tmp_path / "own.toml", changes={"lights": {"layout": str(mine)}})
    found = boards(config, root)["light device"]
    assert found.verdict is Verdict.BROKEN
    assert "line 1: 'middle' is no part of A1" in found.says


def test_a_buffer_without_room_for_a_frame_of_the_controller_is_told(
    config: Config, root: Path
) -> None:
    buffer = root / "sys/module/spidev/parameters/bufsiz"
    buffer.parent.mkdir(parents=True)
    program = (FIRMWARE / "linux/leds.c").read_text()
    ends = [int(re.findall(rf"#define SPI_{each} (\d+)", program)[0]) for each in ("LEAD", "LATCH")]
    frame = sum(ends) + 9 * LED_COUNT
    for size, verdict in ((frame, Verdict.OK), (frame - 1, Verdict.BROKEN)):
        buffer.write_text(f"{size}\n")
        found = boards(config, root)["light device"]
        assert found.verdict is verdict
    assert f"a frame has {frame}: append spidev.bufsiz=4096" in found.says


@pytest.mark.parametrize(
    ("code", "status", "says"),
    [
        ("exited", "1", "was skipped: /etc/pi-table/table.toml did not name its port then."),
        ("exited", "2", "failed to start: systemd could not check whether this table needs it"),
        ("exited", "226", "failed to start: systemd could not check whether this table needs it"),
        ("(null)", "0/0", "was skipped, and systemd no longer knows why."),
    ],
)
def test_a_condition_that_could_not_run_is_no_skipped_service(
    config: Config, root: Path, code: str, status: str, says: str
) -> None:
    condition = CONDITION.format(code=code, status=status)
    unit = {"ActiveState": "inactive", "Result": "exec-condition", "ExecCondition": condition}
    found = told(config, root, "", **unit)["service"]
    assert found.verdict is Verdict.BROKEN
    assert found.says.startswith(f"pi-table-controller {says}")
    assert (f"(status {status})" in found.says) is (status in ("2", "226"))
    assert "sudo systemctl restart pi-table-controller" in found.do


@pytest.mark.parametrize(
    ("unit", "says", "do"),
    [
        ({"ActiveState": "inactive"}, "does not run", "sudo systemctl restart pi-table-controller"),
        ({"ActiveState": "failed", "Result": "watchdog"}, "does not run", "journalctl -u"),
        (
            {"ActiveState": "inactive", "LoadState": "not-found"},
            "is not installed",
            "pi-table-libs",
        ),
        ({"ActiveState": "activating"}, "is starting", "again"),
    ],
)
def test_a_service_that_does_not_run_is_told(
    config: Config, root: Path, unit: dict[str, str], says: str, do: str
) -> None:
    found = told(config, root, "", **unit)
    assert found["service"].verdict is not Verdict.OK
    assert says in found["service"].says
    assert do in found["service"].do
    assert found["interrupt"].verdict is Verdict.LOOK


def test_the_reason_that_the_service_left_is_told(config: Config, root: Path) -> None:
    path = config.paths.engine_fault.with_name("controller")
    path.parent.mkdir()
    path.write_text("The link to the terminal cannot be made: File exists.\n")
    service = told(config, root, "", ActiveState="failed", Result="exit-code")["service"]
    assert service.verdict is Verdict.BROKEN
    assert "File exists." in service.says
    assert "reset-failed pi-table-controller" in service.do


def test_a_machine_without_systemd_is_no_table(config: Config, root: Path) -> None:
    found = {each.what: each for each in pi_controller(config, {}, root)}
    assert found["service"].verdict is Verdict.LOOK


def test_a_read_only_file_system_is_told_with_what_is_lost(config: Config, root: Path) -> None:
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text(
        "22 1 179:2 / / ro,noatime shared:1 - ext4 /dev/mmcblk0p2 ro\n"
    )
    for status in (RUNS, RUNS.replace("settings: ok", "settings: Read-only file system")):
        service = told(config, root, status)["service"]
        assert service.verdict is Verdict.BROKEN
        assert "cannot keep its settings" in service.says
        assert "Read-only file system" in service.says
        assert "thresholds" in service.do


def test_without_a_wire_for_the_interrupt_the_table_plays(tmp_path: Path, root: Path) -> None:
    found = told(configured(tmp_path, 'irq = ""\n'), root, RUNS.replace("interrupt: ok", "x: y"))
    assert found["interrupt"].verdict is Verdict.NOT_HERE
    assert "every 10 ms" in found["interrupt"].says


# With the real program


@pytest.fixture
def own_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The service's terminal is in a folder of the test's."""
    port = tmp_path / "port"
    monkeypatch.setattr(own_controller, "PORT", str(port))
    return port


def line(states: Mapping[str, str]) -> str:
    return "; ".join(f"{part}: {state}" for part, state in states.items())


def test_a_held_line_is_told_by_the_service(
    config: Config, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with heard(tmp_path, monkeypatch, PI_DEVICES) as pi:
        pi.tell("chip 1 hold 60000")
        states = pi.wait(lambda told: told.get("bus") not in (None, "ok"))
        bus = told(config, root, line(states))["bus"]
    assert bus.verdict is Verdict.BROKEN
    assert "held low" in bus.says
    assert "SDA (pin 3)" in bus.do


def test_a_missing_wire_is_told_by_the_service(
    config: Config, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with heard(tmp_path, monkeypatch, ("--irq", "GPIO25")) as pi:
        states = pi.wait(lambda told: told.get("interrupt") == "no signal", pad="B3")
        found = told(config, root, line(states))["interrupt"]
    assert found.verdict is Verdict.LOOK
    assert "GPIO26 did not change" in found.says
    assert "Join INT" in found.do


def test_devices_that_the_service_cannot_use_are_told(
    config: Config, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = ("--i2c", "/dev/i2c-77", "--irq", "GPIO99", "--lights", "pio:/dev/leds77")
    with heard(tmp_path, monkeypatch, devices, tmp_path / "not-there" / "settings") as pi:
        states = pi.wait(lambda told: bool(told) and "ok" not in told.values())
        found = told(config, root, line(states))
    assert "cannot light the table: No such file or directory" in found["service"].says
    assert "cannot keep its settings" in found["service"].says
    assert found["bus"].verdict is Verdict.BROKEN
    assert "GPIO26 cannot be used" in found["interrupt"].says


def test_lights_that_refuse_frames_are_told_before_anybody_looks_for_a_wire(
    config: Config, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        heard(tmp_path, monkeypatch, ("--lights", "pio:/dev/full")) as pi,
        open_line(str(pi.port)) as wire,
    ):
        states = pi.wait(lambda told: told.get("lights") not in (None, "ok"))
        unit = {"ActiveState": "active", "StatusText": line(states)}
        bench = Bench(
            config,
            AtTerminal(yes=True),
            lambda: nullcontext(Conversation(wire, "the port")),
            root=root,
            unit=lambda: unit,
        )
        (found,) = lights(bench)
        assert [*white(bench)] == [found]  # nothing draws current, so nothing was tested
    assert found.verdict is Verdict.BROKEN
    assert found.says == "The controller cannot light the table: No space left on device."
    assert "light device" in found.do


@pytest.mark.parametrize(
    ("faults", "says", "do"),
    [
        (("chip 1 nack -",), "0x5A, 0x5C can be read; 0x5B cannot.", "all seven pins of its"),
        (("chip 1 nack -", "chip 2 nack -"), "0x5B, 0x5C cannot", "compare the names"),
        (
            tuple(f"chip {chip} nack -" for chip in range(3)),
            "none can be read",
            "3.3 V (pin 1 of the Raspberry Pi)",
        ),
    ],
)
def test_chips_that_do_not_answer_are_told_with_the_wires_of_the_carrier(
    own_port: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    faults: tuple[str, ...],
    says: str,
    do: str,
) -> None:
    monkeypatch.setattr("pi_table.maintenance.bring_up.rest.PICTURE_SECONDS", 0.1)
    config = configured(tmp_path)
    assert own_controller.is_used(config)
    with heard(tmp_path, monkeypatch, PI_DEVICES) as pi:
        for fault in faults:
            pi.tell(fault)
        found = {each.what: each for each in controller(config, show_lights=False)}
    assert says in found["chips"].says
    assert do in found["chips"].do
    assert "A4" not in found["chips"].do
    assert found["versions"].verdict is Verdict.OK
    assert "boot loader" not in found["start"].says


# Thresholds that the service cannot keep


def systemctl(folder: Path, monkeypatch: pytest.MonkeyPatch, states: str) -> None:
    """Put a program beside the system's, which shows a service that runs with these states."""
    program = folder / "bin" / "systemctl"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\necho ActiveState=active\necho 'StatusText={states}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def calibrated(config: Config, store: str) -> tuple[list[Finding], list[str]]:
    """Calibrate every pad at the step of bring-up. Return its findings, and what it said."""
    with EmulatedTable("pi") as table:
        maker = MakerPuppet(table, {name: [{name: 24.0}] for name in PADS}, {"Store": store})
        conversation = Conversation(VirtualLine(table), own_controller.PORT)
        bench = Bench(config, maker, lambda: nullcontext(conversation))
        return [*fingers(bench)], maker.said


def test_thresholds_that_the_service_keeps_are_stored(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemctl(tmp_path, monkeypatch, RUNS)
    (found,), said = calibrated(config, "y")
    assert found.verdict is Verdict.OK
    assert "Stored, read back, and in use now." in said


@pytest.mark.parametrize("store", ["y", "n"])
def test_thresholds_that_the_service_cannot_keep_are_told(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str
) -> None:
    """Those that were in use before are lost as well: the step does not pass without new ones."""
    with heard(tmp_path, monkeypatch, PI_DEVICES, tmp_path / "not-there" / "settings") as pi:
        states = pi.wait(lambda told: told.get("settings", "ok") != "ok")
    systemctl(tmp_path, monkeypatch, line(states))
    (found,), said = calibrated(config, store)
    assert found.verdict is Verdict.BROKEN
    (told,) = (text for text in said if "in use now" in text)
    assert told == (
        "The thresholds are in use now, but the controller cannot keep them: No such file or "
        "directory. They are lost with its next restart: run doctor."
    )


# Words about a board


def test_nobody_is_told_to_flash_or_to_plug_in_a_service() -> None:
    port = own_controller.PORT
    said = [
        controller_trouble.cannot_open(port, FileNotFoundError(2, "")),
        controller_trouble.unplugged_text(port),
        controller_trouble.silent(port),
        controller_trouble.fallen_silent(port),
        controller_trouble.other_protocol(port, 1),
    ]
    for sentence in map(str, said):
        assert own_controller.SERVICE in sentence
        assert "sudo systemctl restart" in sentence
        assert "flash" not in sentence
        assert "lug it in" not in sentence


def test_flash_refuses_a_table_without_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(tmp_path)
    assert cli.main(["flash", "--config", str(tmp_path / "own.toml")]) == 2
    assert "no controller board" in capsys.readouterr().err


def test_the_doctor_asks_systemd_where_the_service_is_used(
    tmp_path: Path, unplugged: Plugged, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(tmp_path)
    for file, is_own in ((tmp_path / "own.toml", True), (unplugged.config, False)):
        cli.main(["doctor", "--config", str(file)])
        lines = [line.split()[1] for line in capsys.readouterr().out.splitlines() if line[0] != " "]
        assert ("service" in lines) is is_own

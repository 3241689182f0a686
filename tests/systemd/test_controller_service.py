"""The service of the controller on the Pi: its start, its options and its rights."""

import subprocess
import sys
from pathlib import Path

import pytest
from unit_files import CONTROLLER, ENGINE, FOLDER, lines, setting, settings, text

from pi_table.common import config
from pi_table.common.config import load
from pi_table.common.light_layout import parse_layout, read_layout
from pi_table.devices.hal import own_controller
from pi_table.devices.hal.devices import OURS

NAMED = f'port = "{own_controller.PORT}"'
PI_4, PI_5 = "Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5 Model B Rev 1.0"


def written(folder: Path, lines: str) -> Path:
    file = folder / "table.toml"
    file.write_text(lines)
    return file


@pytest.mark.parametrize(
    ("lines", "used"),
    [
        ("", False),
        (f"[controller]\n{NAMED}\n", True),
        (f"[controller]\n  {NAMED}  # at the bus\n", True),
        (f"controller.port='{own_controller.PORT}'\n", True),
        (f"controller = {{{NAMED}}}\n", True),
        (f"[controller]\n# {NAMED}\n", False),
        ('[controller]\nport = "/dev/ttyUSB0"  # not /run/pi-table-controller/port\n', False),
    ],
)
def test_the_service_starts_where_the_configuration_names_it(
    tmp_path: Path, lines: str, used: bool
) -> None:
    """systemd asks grep, which must agree with the program that reads the configuration."""
    file = written(tmp_path, lines)
    assert own_controller.is_used(config.load(file)) is used
    command = setting(CONTROLLER, "ExecCondition").replace("/etc/pi-table/table.toml", str(file))
    assert subprocess.run(["sh", "-c", command], check=False).returncode == int(not used)


def test_the_configuration_that_the_package_brings_does_not_start_it() -> None:
    assert not own_controller.is_used(config.load(FOLDER / "package/table.toml"))
    assert f"# {NAMED}\n" in text("package/table.toml")


def test_without_a_configuration_it_is_skipped() -> None:
    command = setting(CONTROLLER, "ExecCondition").replace("/etc/", "/not-there/")
    done = subprocess.run(["sh", "-c", command], check=False, capture_output=True)
    assert 1 <= done.returncode <= 254
    assert done.stderr == b""


def test_its_folders_are_those_of_its_unit() -> None:
    assert f"/run/{setting(CONTROLLER, 'RuntimeDirectory')}/port" == own_controller.PORT
    assert Path(own_controller.MEMORY).parent == Path(
        f"/var/lib/{setting(CONTROLLER, 'StateDirectory')}"
    )
    assert setting(CONTROLLER, "LimitRTPRIO") == str(own_controller.PRIORITY)
    assert int(setting(ENGINE, "CPUSchedulingPriority")) < own_controller.PRIORITY


def test_the_engine_alone_may_open_its_terminal() -> None:
    """The terminal belongs to the service's own group, and no other user is in it."""
    assert setting(CONTROLLER, "Group") == OURS
    members = {line[1] for line in lines("pi-table.sysusers") if line[0] == "m" and line[2] == OURS}
    assert members == {setting(ENGINE, "User"), setting(CONTROLLER, "User")}
    assert "root" not in settings(CONTROLLER)["User"]


def test_on_the_card_its_settings_are_on_the_partition_that_is_kept() -> None:
    (drop_in,) = (FOLDER / "image/files/etc/systemd/system").glob(f"{CONTROLLER}.d/*.conf")
    said = drop_in.read_text("utf-8")
    folder = Path(own_controller.MEMORY).parent
    assert f"BindPaths=-/var/lib/pi-table/controller:{folder}\n" in said
    user, group = (setting(CONTROLLER, key) for key in ("User", "Group"))
    assert f"held_folder.py controller {user} {group}\n" in said


@pytest.mark.parametrize(
    ("driver", "model", "lights"),
    [
        ("controller", PI_4, "spi:/dev/spidev0.0"),
        ("controller", PI_5, "pio:/dev/leds0"),
        ("controller", "", "spi:/dev/spidev0.0"),
        ("rpi-ws281x", PI_4, "none"),
        ("ws2812-pio", PI_5, "none"),
    ],
)
def test_it_drives_the_lights_that_the_engine_does_not(
    tmp_path: Path, driver: str, model: str, lights: str
) -> None:
    used = config.load(written(tmp_path, f'[lights]\ndriver = "{driver}"\n'))
    assert own_controller.lights(used, model) == lights


def test_the_command_becomes_the_program_with_the_configured_devices(tmp_path: Path) -> None:
    program = tmp_path / own_controller.PROGRAM
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    file = written(tmp_path, f'[controller]\n{NAMED}\nirq = ""\ni2c = "/dev/i2c-3"\n')
    done = controller(file, PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    assert words == own_controller.options(config.load(file), "")
    assert words[:4] == ["--tty", own_controller.PORT, "--i2c", "/dev/i2c-3"]
    assert "--irq" not in words


def test_on_a_table_with_a_board_the_command_refuses_and_says_what_to_write(
    tmp_path: Path,
) -> None:
    done = controller(written(tmp_path, ""))
    assert done.returncode == int(setting(CONTROLLER, "RestartPreventExitStatus"))
    assert "/dev/pi-table-controller" in done.stderr
    assert own_controller.PORT in done.stderr


def controller(file: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "pi_table", "controller", "--config", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=more)


@pytest.mark.parametrize("wrong", ['i2c = "i2c-1"', 'irq = "26"', 'irq = "/dev/mem:1"'])
def test_a_device_that_can_be_none_is_refused(tmp_path: Path, wrong: str) -> None:
    done = controller(written(tmp_path, f"[controller]\n{wrong}\n"))
    assert done.returncode == 2
    assert wrong.split()[0] in done.stderr


@pytest.mark.parametrize("layout", ["tiles", "string-100"])
def test_the_program_gets_the_file_of_another_layout_than_the_tiles(layout: str) -> None:
    changes = {
        "controller": {"port": own_controller.PORT},
        "lights": {"driver": "controller", "layout": layout},
    }
    words = own_controller.options(load(changes=changes), "")
    assert ("--layout" in words) is (layout != "tiles")
    if layout != "tiles":
        path = Path(words[words.index("--layout") + 1])
        assert parse_layout(path.read_text("utf-8"), layout) == read_layout(layout)

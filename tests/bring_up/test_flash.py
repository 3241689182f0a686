"""Flashing, with a program in avrdude's place that notes what it was told."""

import os
import shlex
import stat
from pathlib import Path

import pytest
from plugged_table import Plugged

from pi_table import __version__, cli
from pi_table.maintenance.bring_up import flash
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.simulator.emulated import BUILT

HEX = BUILT / "controller.hex"

AVRDUDE = """#!/bin/sh
# Finds a boot loader at one speed only.
printf '%s\\n' "$@" . >>{folder}/called
case "$*" in *"-b {speed} "*) exit 0;; esac
echo "avrdude: stk500_getsync(): not in sync" >&2
exit 1
"""


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which it notes its calls; a boot loader answers at the older speed."""
    folder = tmp_path / "avrdude"
    folder.mkdir()
    program = folder / "avrdude"
    program.write_text(AVRDUDE.format(folder=folder, speed=57600))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def calls(folder: Path) -> list[list[str]]:
    """The arguments of each call: a line each, and a dot behind the last."""
    called = folder / "called"
    noted = called.read_text().split("\n.\n")[:-1] if called.exists() else []
    return [each.split("\n") for each in noted]


def test_a_nano_is_written_and_says_hello(
    plugged: Plugged, avrdude: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["flash", "--config", str(plugged.config)]) == 0
    out = capfd.readouterr().out
    wanted = [flash.command(str(plugged.port), speed, HEX) for speed in (115200, 57600)]
    assert calls(avrdude) == [command[1:] for command in wanted]
    for command in wanted:
        assert shlex.join(command) in out
    assert f"Written. The controller answers with firmware {__version__}." in out


@pytest.mark.parametrize(("speed", "is_older"), [(115200, False), (57600, True)])
def test_the_older_boot_loader_is_warned_of_though_the_firmware_was_written(
    plugged: Plugged, avrdude: Path, capfd: pytest.CaptureFixture[str], speed: int, is_older: bool
) -> None:
    (avrdude / "avrdude").write_text(AVRDUDE.format(folder=avrdude, speed=speed))
    assert cli.main(["flash", "--config", str(plugged.config)]) == 0
    out = capfd.readouterr().out
    assert "Written." in out
    for said in ("the older boot loader (57600 bit/s)", "until the plug is pulled", "Optiboot"):
        assert (said in out) is is_older


def test_the_pages_that_flash_warn_of_the_older_boot_loader() -> None:
    for page in ("hardware/README.md", "systemd/INSTALL.md"):
        text = (Path(__file__).parents[2] / page).read_text("utf-8")
        _, _, after = text.partition("pi-table flash")
        assert "older boot loader" in after, page
        assert "57600" in after, page


def test_the_command_is_the_one_that_is_documented() -> None:
    command = flash.command(
        "/dev/pi-table-controller", 115200, Path("firmware/build/controller.hex")
    )
    readme = Path(__file__).parents[2] / "hardware" / "README.md"
    assert shlex.join(command) in readme.read_text("utf-8")


def test_a_dry_run_calls_nothing_and_needs_nothing(
    unplugged: Plugged, avrdude: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["flash", "--dry-run", "--config", str(unplugged.config)]) == 0
    out = capsys.readouterr().out
    assert "-b 115200" in out
    assert "-b 57600" in out
    assert calls(avrdude) == []


def test_a_board_without_a_boot_loader_is_told(
    plugged: Plugged, avrdude: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (avrdude / "avrdude").write_text(AVRDUDE.format(folder=avrdude, speed=9600))
    assert cli.main(["flash", "--config", str(plugged.config)]) == 1
    told = capfd.readouterr()
    assert "could not write the controller" in told.err
    assert "not in sync" in told.err
    assert len(calls(avrdude)) == 2


def refused(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = cli.main(["flash", *arguments])
    return status, capfd.readouterr().err


def test_a_port_that_another_program_has_or_nobody_is_left_alone(
    plugged: Plugged, avrdude: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "missing").mkdir()
    missing = Plugged(tmp_path / "missing")
    with open_line(str(plugged.port)):
        for table, says in (
            (plugged, "Another program is using the controller's port"),
            (missing, "There is no controller at"),
        ):
            status, told = refused(capfd, "--config", str(table.config))
            assert status == 1
            assert f"{says} {table.port}" in told
    assert calls(avrdude) == []


def test_a_missing_avrdude_is_told_with_its_package(
    plugged: Plugged,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    status, told = refused(capfd, "--config", str(plugged.config))
    assert status == 1
    assert "sudo apt install avrdude" in told


def test_a_file_that_is_no_firmware_is_refused_before_anything_is_written(
    plugged: Plugged, avrdude: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "damaged.hex"
    damaged.write_text(HEX.read_text().replace("F", "E", 1))
    status, told = refused(capfd, "--hex", str(damaged), "--config", str(plugged.config))
    assert status == 2
    assert "its checksum is wrong" in told
    assert calls(avrdude) == []


def test_a_firmware_that_was_not_built_is_told(
    unplugged: Plugged,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(flash, "BUILT", tmp_path / "controller.hex")
    status, told = refused(capfd, "--config", str(unplugged.config))
    assert status == 2
    assert "make -C firmware" in told

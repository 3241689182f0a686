"""The machine's name: for the next starts, and for this one."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_system import System

from pi_table import cli
from pi_table.first_boot import places

NAME = 'hostname = "window"\ntimezone = "Europe/Rome"\n'
Apply = Callable[[str], int]


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


@pytest.fixture
def apply(system: System) -> Apply:
    def apply(text: str) -> int:
        system.file.write_text(text)
        return cli.main(["settings", "apply", str(system.file), "--root", str(system.root)])

    return apply


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can name a machine")
def test_the_kernel_has_the_name_at_once_without_any_capability(system: System) -> None:
    """In a namespace of its own, for this machine keeps its name."""
    system.file.write_text(NAME)
    (system.root / "proc").symlink_to("/proc")
    command = (sys.executable, "-m", "pi_table", "settings", "apply", system.file)
    alone = ("unshare", "--uts", "setpriv", "--bounding-set=-all", "--inh-caps=-all", "sh", "-ec")
    done = subprocess.run(
        [*alone, '"$@"; uname -n', "sh", *command, "--root", system.root],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stdout) == (0, "window\n"), done.stderr
    assert "All of pi-table.toml was taken over.\r\n" in system.says()


def test_a_name_that_the_kernel_does_not_take_is_told(system: System, apply: Apply) -> None:
    (system.root / "proc/sys/kernel").mkdir(parents=True)
    (system.root / places.KERNEL_NAME).mkdir()
    assert apply(NAME) == 1
    assert "The machine has its new name from its next start on: Is a directory." in system.says()
    assert system.text("etc/hostname") == "window\n"


def test_a_line_of_hosts_that_names_the_table_already_stays(system: System, apply: Apply) -> None:
    hosts = "127.0.1.1 window.localdomain window\n127.0.0.1 localhost\n"  # as cloud-init has it
    system.write("etc/hosts", hosts)
    assert apply(NAME) == 0
    assert system.text("etc/hosts") == hosts

"""The machine's name and time zone: whoever else sets them is given ours."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_system import System

from pi_table.maintenance.first_boot import places

NAME = 'hostname = "window"\ntimezone = "Europe/Rome"\n'
IMAGERS = """\
#cloud-config
hostname: raspberrypi
manage_etc_hosts: true
packages:
- avahi-daemon

timezone: Europe/London
users:
- name: keeper
  hostname: not-this-one
"""

Apply = Callable[[str], int]


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
    assert "All of pi-table.toml was applied.\r\n" in system.says()


def test_a_name_that_the_kernel_does_not_take_is_told(system: System, apply: Apply) -> None:
    (system.root / "proc/sys/kernel").mkdir(parents=True)
    (system.root / places.KERNEL_NAME).mkdir()
    assert apply(NAME) == 1
    assert "The machine gets its new name at its next start: Is a directory." in system.says()
    assert system.text("etc/hostname") == "window\n"


def test_cloud_init_is_given_the_name_and_the_zone_and_nothing_else(
    system: System, apply: Apply
) -> None:
    system.beside("user-data").write_text(IMAGERS)
    assert apply(NAME) == 0
    assert system.beside("user-data").read_text() == IMAGERS.replace(
        "hostname: raspberrypi", 'hostname: "window"'
    ).replace("timezone: Europe/London", 'timezone: "Europe/Rome"')
    place = system.beside("user-data").stat().st_ino
    assert apply(NAME) == 0
    assert system.beside("user-data").stat().st_ino == place  # nothing to write


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("hostname: raspberrypi", 'hostname: "window"'),
        ("hostname : 'raspberrypi'  # ours", 'hostname : "window"  # ours'),
        ("hostname: window", "hostname: window"),
        ("fqdn: raspberrypi.lan", 'fqdn: "window.lan"'),
        ("local-hostname: raspberrypi", 'local-hostname: "window"'),
        ("hostname: raspberrypi\r", 'hostname: "window"\r'),
        ("# hostname: raspberrypi", "# hostname: raspberrypi"),
        ("prefer_hostname: raspberrypi", "prefer_hostname: raspberrypi"),
        ("hostname:", "hostname:"),
    ],
)
def test_a_line_of_cloud_inits_is_written_as_it_was(
    system: System, apply: Apply, line: str, new: str
) -> None:
    system.beside("user-data").write_bytes(f"#cloud-config\n{line}\nx: y\n".encode())
    assert apply(NAME) == 0
    assert system.beside("user-data").read_bytes() == f"#cloud-config\n{new}\nx: y\n".encode()


@pytest.mark.parametrize(
    "name",
    [
        "boot/user-data",
        "boot/meta-data",
        "root/var/lib/cloud/seed/nocloud/user-data",
        "root/var/lib/cloud/seed/nocloud-net/meta-data",
        "root/etc/cloud/cloud.cfg",
        "root/etc/cloud/cloud.cfg.d/99_default.cfg",
    ],
)
def test_every_file_that_cloud_init_reads_is_looked_through(
    system: System, apply: Apply, name: str
) -> None:
    file = system.top / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("hostname: raspberrypi\n")
    file.chmod(0o640)
    assert apply(NAME) == 0
    assert file.read_text() == 'hostname: "window"\n'
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "## template: jinja\nhostname: pi-{{ v1.instance_id }}\n",
            "cloud-init sets another hostname, in line 2 of",
        ),
        ("hostname: >\n  raspberrypi\n", "in line 1 of"),
        (f"{'#' * (1 << 20)}\nhostname: raspberrypi\n", "is too large to check"),
    ],
)
def test_a_line_that_cannot_be_changed_is_told(
    system: System, apply: Apply, text: str, said: str
) -> None:
    system.beside("user-data").write_text(text)
    assert apply(NAME) == 1
    assert said in system.says()
    assert system.beside("user-data").read_text() == text


def test_a_file_that_cannot_be_written_is_told(system: System, apply: Apply) -> None:
    system.beside("user-data").write_text(IMAGERS)
    system.beside(".user-data.new").mkdir()
    assert apply(NAME) == 1
    assert "cloud-init may set another hostname, with " in system.says()
    assert system.text("etc/hostname") == "window\n"


def test_settings_without_a_name_leave_cloud_init_alone(system: System, apply: Apply) -> None:
    system.beside("user-data").write_text(IMAGERS)
    assert apply('language = "it"\n') == 0
    assert system.beside("user-data").read_text() == IMAGERS


def test_a_line_of_hosts_that_names_the_table_already_stays(system: System, apply: Apply) -> None:
    hosts = "127.0.1.1 window.localdomain window\n127.0.0.1 localhost\n"  # as cloud-init has it
    system.write("etc/hosts", hosts)
    assert apply(NAME) == 0
    assert system.text("etc/hosts") == hosts

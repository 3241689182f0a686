"""A user, a group, a path: each has one name, in whatever file it stands."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from unit_files import (
    BRIDGE,
    CHIPS,
    CONSOLE,
    CONTROLLER,
    ENGINE,
    FAULT,
    FOLDER,
    PATH,
    PORT,
    UNITS,
    UPDATE_TIMERS,
    WEB,
    lines,
    setting,
    settings,
    text,
)
from usb_devices import DEVICES

import pi_table
from build import lay_system_files
from pi_table.common import config, failure_report
from pi_table.maintenance.first_boot import places

DEFAULTS = tomllib.loads((Path(pi_table.__file__).parent / "default.toml").read_text("utf-8"))
USERS = {row[1]: row for row in lines("pi-table.sysusers") if row[0] == "u"}
GROUPS = {row[1] for row in lines("pi-table.sysusers") if row[0] == "g"}
MEMBERS = {(row[1], row[2]) for row in lines("pi-table.sysusers") if row[0] == "m"}
HIDDEN = "pi-table-hidden"
SEALED = "pi-table-sealed"
HOUSE = "pi-table-house"
DEVICES_OF_THE_TABLE = "pi-table-devices"
OF_SOCKETS = {HIDDEN, SEALED, HOUSE}
"""The groups that own sockets; the others own devices."""


def root_with(folder: Path, program: str, *arguments: str) -> Path:
    """A root in which systemd's program has carried out one of our files."""
    (folder / "etc").mkdir()
    if shutil.which(program) is None:
        pytest.fail(f"{program} is not here: install Debian's systemd.")
    subprocess.run([program, f"--root={folder}", *arguments], check=True, timeout=60)
    return folder


def test_users_keep_their_numbers_in_the_next_image() -> None:
    """Each image counts them anew, in this order; groups first. The first five of each are those of
    the first image."""
    ours = lines("pi-table.sysusers")
    kinds = {
        kind: [row[1].removeprefix("pi-table-") for row in ours if row[0] == kind] for kind in "gu"
    }
    assert kinds["g"] == ["hidden", "sealed", "house", "devices", "screen"]
    assert kinds["u"][:5] == ["pi-table", "console", "web", "bridge", "controller"]


def test_services_run_as_the_users_that_are_made() -> None:
    groups = {
        ENGINE: HIDDEN,
        CONTROLLER: DEVICES_OF_THE_TABLE,
        CONSOLE: HIDDEN,
        WEB: SEALED,
        BRIDGE: HOUSE,
    }
    assert {setting(name, "User") for name in groups} == {*USERS}
    for name, group in groups.items():
        assert setting(name, "Group") == group
        assert USERS[setting(name, "User")][2] == f"-:{group}"


def test_nobody_else_is_in_the_groups_of_sockets() -> None:
    assert OF_SOCKETS <= GROUPS
    assert not [member for member in MEMBERS if member[1] in OF_SOCKETS]


@pytest.mark.parametrize("name", [WEB, BRIDGE])
def test_who_reaches_the_network_is_in_no_other_group(name: str) -> None:
    assert not [member for member in MEMBERS if member[0] == setting(name, "User")]


def test_one_socket_is_given_to_the_pages_and_one_to_the_bridge() -> None:
    given = [line for line in settings(ENGINE)["ExecStartPost"] if "chgrp" in line]
    paths = config.load().paths
    assert [command.split()[-2:] for command in given] == [
        [SEALED, str(paths.sealed_socket)],
        [HOUSE, str(paths.house_socket)],
    ]
    assert all(each.startswith("+-/usr/bin/chgrp --no-dereference ") for each in given)


def test_no_user_is_in_a_group_that_others_devices_are_in() -> None:
    assert {group for _, group in MEMBERS} == (GROUPS - OF_SOCKETS) | {"audio", "video", "render"}
    assert {group for user, group in MEMBERS if user == "pi-table-console"} == {
        *("pi-table-screen", "video", "render")
    }


def test_rules_give_devices_to_groups_that_are_made() -> None:
    for name in ("70-pi-table.rules", "72-pi-table-usb.rules"):
        given = {*re.findall(r'GROUP:="([^"]+)"', text(name))}
        given |= {*re.findall(r"chgrp (\S+)", text(name))}
        assert given <= GROUPS | {"root"}
    assert {*re.findall(r'GROUP:="([^"]+)"', text("70-pi-table.rules"))} == GROUPS - OF_SOCKETS


def test_folders_are_those_of_the_configuration() -> None:
    state, runtime = DEFAULTS["paths"]["state"], DEFAULTS["paths"]["runtime"]
    assert f"/var/lib/{setting(ENGINE, 'StateDirectory')}" == state
    assert f"/run/{setting(ENGINE, 'RuntimeDirectory')}" == runtime
    assert USERS["pi-table"][4] == state
    assert setting(ENGINE, "RequiresMountsFor").split()[0] == state
    assert (
        setting(CONSOLE, "InaccessiblePaths") == setting(FAULT, "InaccessiblePaths") == f"-{state}"
    )
    for name in (CONTROLLER, WEB, BRIDGE):
        assert f"-{state}" in setting(name, "InaccessiblePaths").split()
    assert f"/var/lib/{setting(BRIDGE, 'StateDirectory')}" == DEFAULTS["paths"]["bridge"]
    assert setting(BRIDGE, "User") == places.BRIDGE_USER
    assert setting(PATH, "PathExists").startswith(f"{runtime}/")
    assert setting(PATH, "PathExists") in text("pi-table-switch-off.service")


def test_a_fault_is_written_where_it_is_read_and_taken_away() -> None:
    left = config.load().paths.engine_fault
    assert {ENGINE, CONTROLLER, CONSOLE, WEB, BRIDGE} == {*failure_report.UNITS}
    for unit, name in failure_report.UNITS.items():
        assert settings(unit)["ExecStartPost"][0] == f"+-/usr/bin/rm -f {left.parent / name}"
    assert left.name == failure_report.UNITS[ENGINE]
    assert f"--out {left.parent} %i" in setting(FAULT, "ExecStart")
    assert setting(FAULT, "ReadWritePaths") == str(left.parent)
    assert ["d", str(left.parent), "0755", "-", "-"] in lines("pi-table.tmpfiles")


def test_all_services_read_one_configuration() -> None:
    starts = [setting(name, "ExecStart") for name in (ENGINE, CONTROLLER, CONSOLE, WEB, BRIDGE)]
    assert starts == [
        f"/usr/bin/pi-table {command} --config /etc/pi-table/table.toml"
        for command in ("run", "controller", "console", "web", "bridge")
    ]


def test_the_controller_has_the_name_that_the_configuration_has() -> None:
    (name,) = {*re.findall(r'SYMLINK\+="([^"]+)"', text("70-pi-table.rules"))}
    assert f"/dev/{name}" == DEFAULTS["controller"]["port"]


def test_the_display_that_the_console_waits_for_is_the_one_that_is_named() -> None:
    (name,) = re.findall(r'SYSTEMD_ALIAS\}\+="/dev/([^"]+)"', text("70-pi-table.rules"))
    unit = f"dev-{name.replace('-', chr(92) + 'x2d')}.device"
    assert unit in settings(CONSOLE)["Wants"]
    assert unit in settings(CONSOLE)["After"]


def test_the_controllers_numbers_are_the_same_everywhere() -> None:
    """70-pi-table.rules has the one list that counts, and says which driver each chip needs."""
    (chips,) = re.findall(
        r'^LABEL="pi_table_chips"\n(.+?)^LABEL=', text("70-pi-table.rules"), re.M | re.DOTALL
    )
    drivers = {*re.findall(r"\(([a-z]\w+)\)", chips)}
    assert drivers == {"ch341", "cdc_acm", "ftdi_sio", "cp210x", "pl2303"}
    for comment, rule in re.findall(r"^# (.+)\n(ENV.+)$", chips, re.M):
        assert re.search(r"\([a-z]\w+\)", comment), rule
    modules = (FOLDER / "image/modules.txt").read_text("utf-8").splitlines()
    assert {f"late {driver}" for driver in drivers} <= {*modules}
    tried = {device.ids for device in DEVICES if device.name.startswith("contr")}
    assert tried <= {*CHIPS}
    assert "idVendor" not in text("72-pi-table-usb.rules")


def test_users_and_groups_are_made(tmp_path: Path) -> None:
    root = root_with(tmp_path, "systemd-sysusers", str(FOLDER / "pi-table.sysusers"))
    groups: dict[str, tuple[str, set[str]]] = {}
    for line in (root / "etc/group").read_text("utf-8").splitlines():
        name, _, number, listed = line.split(":")
        groups[name] = (number, {*filter(None, listed.split(","))})
    assert groups.keys() == GROUPS | {"audio", "video", "render"}
    for group, (_, members) in groups.items():
        assert members == {user for user, of in MEMBERS if of == group}
    for line in (root / "etc/passwd").read_text("utf-8").splitlines():
        name, _, _, group, _, _, shell = line.split(":")
        assert name in USERS
        assert group == groups[USERS[name][2].partition(":")[2]][0]
        assert shell.endswith("nologin")


def test_folders_and_the_mask_are_made(tmp_path: Path) -> None:
    file = str(FOLDER / "pi-table.tmpfiles")
    root = root_with(tmp_path, "systemd-tmpfiles", "--create", file)
    assert (root / "run/pi-table-fault").stat().st_mode & 0o7777 == 0o755
    assert (root / "run/systemd/system/ctrl-alt-del.target").readlink() == Path("/dev/null")


def test_every_file_says_at_its_top_what_it_is_for() -> None:
    for path in FOLDER.iterdir():
        if path.is_file() and path.suffix != ".md":
            first = path.read_text("utf-8").removeprefix("#!/bin/sh\n").splitlines()[0]
            assert re.match(r"# \w.{20}", first), path.name
    assert {path.name for path in FOLDER.glob("*.service")} | {*(PATH, PORT, *UPDATE_TIMERS)} == {
        *UNITS
    }


def test_the_package_puts_each_file_where_its_program_looks(tmp_path: Path) -> None:
    lay_system_files(tmp_path)
    laid = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert laid == {
        *(f"usr/lib/systemd/system/{unit}" for unit in UNITS),
        *(f"usr/lib/udev/rules.d/{path.name}" for path in FOLDER.glob("*.rules")),
        *(f"usr/lib/{name}.d/pi-table.conf" for name in ("sysusers", "tmpfiles", "sysctl")),
        "usr/lib/systemd/system.conf.d/pi-table.conf",
    }


def test_the_image_has_what_the_package_depends_on() -> None:
    """dpkg alone installs the package there, and fetches nothing."""
    control = (FOLDER / "package/debian/pi-table.control").read_text("utf-8")
    (depends,) = re.findall(r"^Depends: (.+)$", control, re.MULTILINE)
    asked = {each.split()[0] for each in depends.split(", ")} - {"pi-table-libs"}
    has = (FOLDER / "image/packages.txt").read_text("utf-8").splitlines()
    assert asked - {*has} == set()

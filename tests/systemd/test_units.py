"""Units as systemd's own programs judge them, without a systemd that runs."""

import re
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from unit_files import (
    BRIDGE,
    CONSOLE,
    CONTROLLER,
    ENGINE,
    FAULT,
    FOLDER,
    PORT,
    SETTINGS,
    UNITS,
    UPDATE,
    UPDATE_TIMERS,
    WEB,
    setting,
    settings,
    text,
)

from build import lay_system_files
from pi_table.common import realtime
from pi_table.fleet.updating.hours import BOOT_GRACE_SECONDS
from pi_table.fleet.updating.update import Status
from pi_table.maintenance.first_boot import places

EXPOSURE = {ENGINE: 5, CONTROLLER: 7, CONSOLE: 10, WEB: 10, BRIDGE: 10, FAULT: 20, SETTINGS: 20}
"""The most that `systemd-analyze security` may find, times ten."""


def told(*command: str) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def verified(folder: Path, change: tuple[str, str] = ("", "")) -> tuple[int, str]:
    """Return the result of verifying the units. A program that is present replaces ours in them."""
    for name in UNITS:
        unit = text(name).replace("/usr/bin/pi-table ", "/usr/bin/true ")
        unit = re.sub(r"=/usr/lib/pi-table/\S+", "=/usr/bin/true", unit).replace(*change)
        (folder / name).write_text(unit)
    # An instance of a template is asked about, for a template is never started.
    instance = folder / FAULT.replace("@", f"@{ENGINE}")
    instance.symlink_to(folder / FAULT)
    units = [folder / name for name in UNITS if name != FAULT]
    return told("systemd-analyze", "verify", "--man=no", *map(str, [*units, instance]))


def test_the_units_are_verified_without_a_word(tmp_path: Path) -> None:
    assert verified(tmp_path) == (0, "")


@pytest.mark.parametrize(
    "change",
    [
        ("WatchdogSec=", "WatchdogSecs="),
        ("/usr/bin/true ", "/usr/bin/not-there "),
        ("SystemCallFilter=@system-service", "SystemCallFilter=@system-servant"),
        ("OnFailure=pi-table-fault@%n.service", "OnFailure=nonsense"),
    ],
    ids=lambda change: str(change[1]),
)
def test_a_mistake_in_them_is_noticed(tmp_path: Path, change: tuple[str, str]) -> None:
    _, words = verified(tmp_path, change)
    assert words


@pytest.mark.parametrize(("name", "most"), EXPOSURE.items())
def test_a_service_is_no_more_exposed_than(tmp_path: Path, name: str, most: int) -> None:
    unit = tmp_path / name
    unit.write_text(text(name))
    judge = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(unit)]
    status, words = told(*judge, f"--threshold={most}")
    assert status == 0, words
    kept = [line for line in text(name).splitlines() if not line.startswith(("Cap", "System"))]
    unit.write_text("\n".join(kept))
    assert told(*judge, f"--threshold={most}")[0] != 0


@pytest.mark.parametrize("name", [ENGINE, CONTROLLER, CONSOLE, WEB, BRIDGE])
def test_trying_again_comes_to_an_end_that_is_seen(name: str) -> None:
    """However slowly a service fails, its tries lie within the interval that counts them."""
    number = {key: int(value[0]) for key, value in settings(name).items() if value[0].isdigit()}
    tries, interval = number["StartLimitBurst"], number["StartLimitIntervalSec"]
    starting = number["TimeoutStartSec"] + number["TimeoutStopSec"]
    hanging = number["TimeoutStartSec"] + number["WatchdogSec"] + number["TimeoutAbortSec"]
    assert tries * (max(starting, hanging) + number["RestartSec"]) <= interval
    assert setting(name, "OnFailure") == "pi-table-fault@%n.service"
    assert setting(name, "RestartPreventExitStatus") == "2"


@pytest.mark.parametrize("name", [ENGINE, CONTROLLER, CONSOLE])
def test_a_service_waits_for_no_network_and_no_controller(name: str) -> None:
    waits = " ".join(settings(name)["After"] + settings(name).get("Requires", []))
    assert "network" not in waits
    assert "controller" not in waits
    assert "engine" not in waits
    assert setting(name, "DefaultDependencies") == "no"
    assert setting(name, "WantedBy") == "multi-user.target"


def test_the_engine_has_no_network_and_the_console_can_open_none() -> None:
    assert setting(ENGINE, "PrivateNetwork") == "yes"
    assert setting(ENGINE, "RestrictAddressFamilies") == "AF_UNIX"
    assert setting(CONSOLE, "RestrictAddressFamilies") == "AF_UNIX AF_NETLINK"


@pytest.mark.parametrize("name", [WEB, BRIDGE])
def test_who_reaches_the_network_reaches_nothing_else_of_the_machine(name: str) -> None:
    assert setting(name, "RestrictAddressFamilies") == "AF_UNIX AF_INET AF_INET6"
    assert setting(name, "CapabilityBoundingSet") == setting(name, "AmbientCapabilities") == ""
    assert setting(name, "DevicePolicy") == "closed"
    assert not settings(name).keys() & {"DeviceAllow", "ReadWritePaths"}
    assert "StateDirectory" not in settings(WEB)
    assert setting(BRIDGE, "StateDirectoryMode") == "0700"
    assert "IPAddressAllow" not in settings(ENGINE)


@pytest.mark.parametrize("name", [WEB, PORT])
def test_the_pages_reach_the_local_network_alone(name: str) -> None:
    """Of a socket that is given, systemd asks the unit that made it."""
    assert setting(name, "IPAddressDeny") == "any"
    for network in setting(name, "IPAddressAllow").split():
        assert network in ("localhost", "link-local") or ip_network(network).is_private


@pytest.mark.parametrize(
    ("name", "word", "others"),
    [(WEB, "web", (ENGINE, CONSOLE)), (BRIDGE, "bridge", (ENGINE, CONSOLE, WEB))],
)
def test_the_game_needs_neither_pages_nor_bridge(
    name: str, word: str, others: tuple[str, ...]
) -> None:
    """They may be missing, flooded or ended: no line of the table's waits for them."""
    for other in others:
        named = [line for line in text(other).splitlines() if word in line]
        assert all(line.startswith("#") for line in named)
    for key in ("MemoryMax", "TasksMax", "CPUWeight", "LimitNOFILE"):
        assert setting(name, key)
    assert int(setting(name, "OOMScoreAdjust")) > 0 > int(setting(ENGINE, "OOMScoreAdjust"))
    assert setting(name, "Restart") == "always"


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        (WEB, f"!/{places.NO_PAGES}"),
        (PORT, f"!/{places.NO_PAGES}"),
        (CONSOLE, f"!/{places.NO_SCREEN}"),
        (BRIDGE, f"/{places.BRIDGE}"),
    ],
)
def test_pages_screen_and_bridge_start_where_the_settings_ask_for_them(
    name: str, condition: str
) -> None:
    assert setting(name, "ConditionPathExists") == condition
    assert "pi-table-settings.service" in " ".join(settings(name)["After"]).split()


def test_an_update_outlives_the_change_of_its_own_package() -> None:
    """dpkg stops and starts the units that can be enabled, and this is none of them."""
    assert "\n[Install]" not in text(UPDATE)
    assert setting(UPDATE, "RefuseManualStop") == "yes"
    assert setting(UPDATE, "KillMode") == "process"
    assert setting(UPDATE, "SuccessExitStatus") == str(Status.LATER.value)
    # What systemd says of each start is `info`: it is not written, and what the program says is.
    assert setting(UPDATE, "LogLevelMax") == setting(UPDATE, "SyslogLevel") == "notice"
    for name in UPDATE_TIMERS:
        assert "\n[Install]" in text(name)


def test_the_packages_scripts_start_and_stop_what_does_not_refuse(tmp_path: Path) -> None:
    """systemctl fails for all where one refuses, so that a real failure would not be noticed."""
    facts = lay_system_files(tmp_path)
    enabled, started = ({*facts[name].split()} for name in ("enabled", "started"))
    refusing = {
        name
        for name in enabled
        if {"RefuseManualStart", "RefuseManualStop"} & settings(name).keys()
    }
    assert enabled - started == refusing == {"pi-table-finish-update.service"}
    for script in ("postinst", "prerm"):
        lines = text(f"package/debian/pi-table.{script}").splitlines()
        given = [
            line.split('"$1" ' if '"$1"' in line else " stop ")[1].split()[0]
            for line in lines
            if "deb-systemd-invoke" in line
        ]
        assert {*given} <= {"$started", "$others", "$screen"}, script


def test_a_table_that_is_switched_on_tries_while_it_still_may() -> None:
    """The timers of the packages and of the image come before the time is over."""
    packages = settings(UPDATE_TIMERS[1])
    (image,) = (FOLDER / "image/files/etc/systemd/system").glob("*.timer")
    (of_image,) = re.findall(r"^OnBootSec=(\d+)min$", image.read_text("utf-8"), re.MULTILINE)
    minutes = [
        int(packages[key][0].removesuffix("min")) for key in ("OnBootSec", "RandomizedDelaySec")
    ]
    assert packages["Unit"] == [UPDATE]
    assert max(sum(minutes), int(of_image)) * 60 <= BOOT_GRACE_SECONDS / 2


def test_a_table_that_is_not_subscribed_is_not_updated() -> None:
    assert setting(UPDATE, "ConditionPathExists") == "/etc/apt/sources.list.d/pi-table.sources"


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        *(("127.0.0.53", True), ("192.168.1.9", True), ("10.0.0.2", True), ("8.8.8.8", True)),
        *(("fd00::9", True), ("2001:4860::1", True), ("64:ff9b::808:808", True)),
        *(("224.0.0.251", False), ("255.255.255.255", False), ("ff02::fb", False)),
    ],
)
def test_the_bridge_speaks_to_one_machine_and_not_to_many(address: str, is_allowed: bool) -> None:
    named = {"localhost": ["127.0.0.0/8", "::1"], "link-local": ["169.254.0.0/16", "fe80::/64"]}
    assert setting(BRIDGE, "IPAddressDeny") == "any"
    allowed = [
        ip_network(network)
        for each in setting(BRIDGE, "IPAddressAllow").split()
        for network in named.get(each, [each])
    ]
    assert any(ip_address(address) in network for network in allowed) is is_allowed


def test_what_the_engine_starts_is_no_realtime_program() -> None:
    """systemd lets the engine come first, so that nothing else in its sandbox can."""
    assert (setting(ENGINE, "CPUSchedulingPolicy"), setting(ENGINE, "CPUSchedulingPriority")) == (
        "rr",
        str(realtime.MIN_PRIORITY),
    )
    assert setting(ENGINE, "RestrictRealtime") == "yes"
    assert settings(ENGINE)["SystemCallFilter"][-1] == "sched_setscheduler"


def test_the_settings_are_there_before_whoever_reads_them_and_reach_what_they_set() -> None:
    before = " ".join(settings(SETTINGS)["Before"]).split()
    assert {"cloud-init-local.service", "NetworkManager.service", ENGINE, BRIDGE} <= {*before}
    assert setting(SETTINGS, "DevicePolicy") == "closed"
    assert f"/{places.KERNEL_NAME}" in settings(SETTINGS)["ReadWritePaths"]
    # Each of these hides one of the two.
    assert not settings(SETTINGS).keys() & {"PrivateDevices", "ProtectHostname", "ProcSubset"}


@pytest.mark.parametrize("name", [ENGINE, CONTROLLER, CONSOLE])
def test_devices_that_may_come_later_are_given_by_number(name: str) -> None:
    """systemd looks a name up when the service starts, and a driver may not be loaded by then."""
    # Without one of the latter two the engine ends, and tries anew.
    built_in = {"char-gpiochip", "/dev/gpiomem", "/dev/leds0"}
    for given in settings(name)["DeviceAllow"]:
        device = given.split()[0]
        assert device in built_in or device.removeprefix("char-").isdigit(), device

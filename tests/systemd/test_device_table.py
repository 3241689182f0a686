"""The table of devices, and what must agree with it: drivers, rules, units, users and pages."""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest
from unit_files import settings, text

from pi_table.common import config
from pi_table.devices.hal import devices
from pi_table.devices.hal.devices import (
    CONSOLE,
    CONTROLLER,
    DEVICES,
    ENGINE,
    OURS,
    SCREEN,
    SETTINGS,
)
from pi_table.devices.hal.registry import PARTS

ROOT = Path(__file__).parents[2]
RULES = "70-pi-table.rules"
PORT = "/dev/pi-table-controller"
"""A name that the rules give to the serial port of a controller."""
NO_DEVICES = {
    "/dev/null",
    "/dev/shm",
    "/dev/pts",
    "/dev/snd",
    "/dev/mem",
    "/dev/zram",
    "/dev/ram",
    "/dev/tty1",
    "/dev/char/10",
}
"""Devices that no driver opens. None needs `/dev/mem`."""


def is_known(path: str) -> bool:
    path = path.replace("cardN", "card0").rstrip(".")
    return path == PORT or any(fnmatch(path, device.node) for device in DEVICES)


def named_in(source: str) -> set[str]:
    """The devices that a text names. A folder or a name alone, such as ``/dev``, is none."""
    found = re.findall(r"/dev/[\w./*-]*\w", source)
    return {each for each in found if each not in NO_DEVICES}


@pytest.mark.parametrize("service", [ENGINE, CONTROLLER, CONSOLE, SETTINGS])
def test_a_service_is_let_near_its_devices_and_no_others(service: str) -> None:
    allowed = [line.split() for line in settings(f"{service}.service")["DeviceAllow"]]
    assert {device for device, _ in allowed} == {
        device.allow for device in DEVICES if service in device.services
    }
    assert {rights for _, rights in allowed} == {"rw"}


def test_the_rules_give_each_device_to_its_group_and_no_others() -> None:
    given = re.findall(
        r'^(SUBSYSTEM.*|KERNEL.*), GROUP:="([\w-]+)", MODE:="0660"', text(RULES), re.M
    )
    assert dict(given) == {each.rule: each.group for each in DEVICES if each.rule is not None}


def test_the_users_of_the_services_are_in_the_groups_of_their_devices() -> None:
    lines = [line.split() for line in text("pi-table.sysusers").splitlines()]
    members = {(line[1], line[2]) for line in lines if line[:1] == ["m"]}
    for device in DEVICES:
        for service in device.services:
            user = settings(f"{service}.service").get("User", ["root"])[0]
            assert user == "root" or (user, device.group) in members, (device.node, user)
    ours = {group for _, group in members if group in (OURS, SCREEN)}
    assert ours <= {device.group for device in DEVICES}


def test_what_a_driver_opens_is_in_the_table() -> None:
    for file in [*(ROOT / "pi_table/devices/hal").glob("*.py"), ROOT / "pi_table/default.toml"]:
        if file.suffix == ".py":
            tree = ast.parse(file.read_text("utf-8"))
            texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
            named = named_in("\n".join(map(str, texts)))
        else:
            named = named_in(file.read_text("utf-8"))
        assert [each for each in named if not is_known(each)] == [], file.name


def test_every_driver_of_the_table_is_one() -> None:
    names = {name for part in PARTS for name in part.modules}
    assert {driver for device in DEVICES for driver in device.drivers} <= names
    for driver in ("rpi-ws281x", "ws2812-pio"):
        assert devices.devices_of_driver(driver)
    assert config.load().lights.device in {d.node for d in devices.devices_of_driver("ws2812-pio")}


@pytest.mark.parametrize("page", ["hardware/BOARDS.md", "systemd/README.md"])
def test_a_page_names_no_device_that_is_not_in_the_table(page: str) -> None:
    named = named_in((ROOT / page).read_text("utf-8")) - {"/dev/pi-table-display"}
    assert [each for each in named if not is_known(each)] == []


def test_the_page_of_the_boards_names_each_device_of_the_lights() -> None:
    page = (ROOT / "hardware/BOARDS.md").read_text("utf-8")
    for driver in ("rpi-ws281x", "ws2812-pio"):
        for device in devices.devices_of_driver(driver):
            assert f"`{device.node}`" in page

"""Results of the device rules, for a table's own devices and for strangers' devices."""

import re
import subprocess

import pytest
from udev_rules import Device, Rule, apply, rules
from unit_files import CHIPS, FOLDER, text

from pi_table.maintenance.first_boot.usb import Usb, rules_of

OUR_FILES = ("70-pi-table.rules", "72-pi-table-usb.rules")
TRUST = rules_of(Usb(trust=("046d:c31c",), controller=("16c0:0483",)))
"""Rules from the house's settings."""
ALL: list[Rule] = [
    rule for lines in (text(OUR_FILES[0]), TRUST, text(OUR_FILES[1])) for rule in rules(lines)
]
FTDI, CH340, UNO = "0403:6001", "1a86:7523", "2341:0043"


def usb(ids: str, parent: Device | None = None) -> Device:
    vendor, product = ids.split(":")
    numbers = {"idVendor": vendor, "idProduct": product}
    about = {"DEVTYPE": "usb_device"}
    return apply(ALL, Device("usb", "1-1", numbers, about, parent))


def interface(of: Device, numbers: str, action: str = "add") -> Device:
    """``numbers`` are class, subclass and protocol."""
    names = ("bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol")
    attributes = dict(zip(names, numbers.split("/"), strict=True))
    about = {"DEVTYPE": "usb_interface"}
    made = Device("usb", "1-1:1.0", attributes, about, of, action=action)
    return apply(ALL, made)


INTERFACES = [
    ("a hub", "1d6b:0002", "09/00/01", True),
    ("the controller's port, FTDI", FTDI, "ff/ff/ff", True),
    ("the controller's port, CH340", CH340, "ff/01/02", True),
    ("the controller's port, Uno", UNO, "02/02/01", True),
    ("the same, its data", UNO, "0a/00/00", True),
    ("sound, control", "46f4:0002", "01/01/00", True),
    ("sound, streaming", "46f4:0002", "01/02/00", True),
    ("a touch screen", "0eef:0001", "03/00/00", True),
    ("a trusted keyboard", "046d:c31c", "03/01/01", True),
    ("a keyboard", "046d:c31d", "03/01/01", False),
    ("a mouse", "046d:c31d", "03/01/02", False),
    ("a stick", "0781:5567", "08/06/50", False),
    ("a serial port of another maker", "10c4:ea70", "ff/00/00", False),
    ("a modem", "1d6b:0109", "02/02/01", False),
    ("a network card", "0525:a4a2", "02/06/00", False),
    ("a network card's data", "0525:a4a2", "0a/00/00", False),
    ("music's notes", "1d6b:010a", "01/03/00", False),
    ("a phone", "18d1:4ee1", "ff/ff/00", False),
    ("a printer", "03f0:0c17", "07/01/02", False),
    ("a camera", "046d:082d", "0e/01/00", False),
    ("bluetooth", "0a12:0001", "e0/01/01", False),
    ("a keyboard with the controller's numbers", FTDI, "03/01/01", False),
    ("the same, not saying so", CH340, "03/00/00", False),
    ("a stick with the controller's numbers", UNO, "08/06/50", False),
    ("a network card with the controller's numbers", UNO, "02/06/00", False),
    ("the same as Windows has it", UNO, "02/02/ff", False),
    ("the network of a Pi in a stranger's port", "0424:ec00", "ff/00/ff", False),
]


@pytest.mark.parametrize(("what", "ids", "numbers", "allowed"), INTERFACES)
def test_an_interface_gets_a_driver_or_none(
    what: str, ids: str, numbers: str, allowed: bool
) -> None:
    made = interface(usb(ids), numbers)
    assert made.written == {"authorized": "1" if allowed else "0"}, what


@pytest.mark.parametrize("ids", [FTDI, "046d:c31c"])
def test_nothing_gains_by_being_plugged_in_behind_another(ids: str) -> None:
    behind = usb("1d6b:0104", parent=usb(ids))
    assert interface(behind, "03/01/01").written == {"authorized": "0"}
    assert interface(behind, "ff/00/00").written == {"authorized": "0"}


def test_what_is_plugged_in_waits_until_it_is_judged() -> None:
    numbers = {"idVendor": "1d6b", "idProduct": "0002"}
    host = apply(ALL, Device("usb", "usb1", numbers, {"DEVTYPE": "usb_device"}))
    assert host.written == {"interface_authorized_default": "0"}
    assert usb("0781:5567").written == {}


def test_drivers_are_looked_for_once_all_interfaces_are_judged() -> None:
    for action, looks in (("add", 0), ("bind", 1), ("change", 0)):
        numbers = {"idVendor": "2341", "idProduct": "0043"}
        about = {"DEVTYPE": "usb_device"}
        made = apply(ALL, Device("usb", "1-1", numbers, about, action=action))
        assert len(made.run) == looks
    assert interface(usb(UNO), "02/02/01", "bind").written == {}


def keys(of: Device, kernel: str, **said: str) -> Device:
    """Return an input with udev's properties in ``said``: TOUCHSCREEN, KEY, KEYBOARD, MOUSE."""
    hid = apply(ALL, Device("hid", "0003:1", parent=interface(of, "03/00/00")))
    about = {f"ID_INPUT_{name}": value for name, value in said.items()}
    whole = apply(ALL, Device("input", "input7", {}, {**about}, hid))
    if kernel == "input7":
        return whole
    return apply(ALL, Device("input", kernel, {}, {**about}, whole))


CONSOLE = {"GROUP": "pi-table-screen", "MODE": "0660"}
NOBODY = {"GROUP": "root", "MODE": "0600"}


def test_a_touch_screen_is_the_consoles() -> None:
    screen = usb("0eef:0001")
    assert keys(screen, "event4", TOUCHSCREEN="1").given == CONSOLE
    assert keys(screen, "input7", TOUCHSCREEN="1").written == {}
    at_the_ribbon = Device("input", "event1", {}, {"ID_INPUT_TOUCHSCREEN": "1"})
    assert apply(ALL, at_the_ribbon).given == CONSOLE


@pytest.mark.parametrize(
    "said",
    [
        {"KEY": "1", "KEYBOARD": "1"},
        {"KEY": "1"},
        {"MOUSE": "1"},
        {"TOUCHSCREEN": "1", "KEY": "1"},
        {"TOUCHSCREEN": "1", "KEY": "1", "KEYBOARD": "1"},
        {},
    ],
)
def test_what_a_stranger_sends_otherwise_is_heard_by_nobody(said: dict[str, str]) -> None:
    stranger = usb("1d6b:0105")
    assert keys(stranger, "input7", **said).written == {"inhibited": "1"}
    for node in ("event4", "mouse0", "js0"):
        assert keys(stranger, node, **said).given == NOBODY


def test_a_driver_of_its_own_does_not_hide_what_a_stranger_sends() -> None:
    """Its input hangs at the device itself, without the steps that a HID has between."""
    below = apply(
        ALL, Device("input", "input3", {}, {}, Device("sound", "card1", parent=usb(FTDI)))
    )
    assert below.written == {"inhibited": "1"}


def test_a_trusted_keyboard_is_the_consoles() -> None:
    trusted = usb("046d:c31c")
    assert keys(trusted, "event4", KEY="1", KEYBOARD="1").given == CONSOLE
    assert keys(trusted, "input7", KEY="1", KEYBOARD="1").written == {}


def test_the_power_button_stays_what_it_is() -> None:
    made = apply(ALL, Device("input", "input0", {}, {"ID_INPUT_KEY": "1"}))
    assert (made.written, made.given) == ({}, {})


OWN_NAME = {"SYMLINK": "pi-table-controller", "GROUP": "pi-table-devices", "MODE": "0660"}


@pytest.mark.parametrize("ids", CHIPS)
def test_each_chip_of_a_nano_gets_a_driver_and_the_controllers_name(ids: str) -> None:
    for kind in ("ff/00/00", "02/02/01"):
        port = interface(usb(ids), kind)
        assert port.written == {"authorized": "1"}
        named = apply(ALL, Device("tty", "ttyUSB0", parent=port))
        assert named.given == OWN_NAME
        assert named.properties["ID_MM_DEVICE_IGNORE"] == "1"


def test_a_port_of_another_device_has_no_name() -> None:
    assert (
        apply(ALL, Device("tty", "ttyUSB0", parent=interface(usb("10c4:ea70"), "ff/00/00"))).given
        == {}
    )


def test_a_port_behind_a_hub_with_the_controllers_numbers_has_no_name() -> None:
    behind = interface(usb("10c4:ea70", parent=usb(CH340)), "ff/00/00")
    assert apply(ALL, Device("tty", "ttyUSB0", parent=behind)).given == {}


@pytest.mark.parametrize(
    ("ids", "given"),
    [
        ("046d:c31c", {"GROUP": "pi-table-devices", "MODE": "0660"}),
        ("16c0:0483", OWN_NAME),
    ],
)
def test_the_engine_may_open_a_port_that_the_house_names(ids: str, given: dict[str, str]) -> None:
    """The second is called the table's controller by `[usb] controller`."""
    port = apply(ALL, Device("usb-serial", "ttyUSB0", parent=interface(usb(ids), "ff/00/00")))
    assert apply(ALL, Device("tty", "ttyUSB0", parent=port)).given == given


@pytest.mark.parametrize(
    ("subsystem", "kernel", "group"),
    [
        ("spidev", "spidev0.0", "pi-table-devices"),
        ("bcm2835-gpiomem", "gpiomem", "pi-table-devices"),
        ("ws2812-pio", "leds0", "pi-table-devices"),
        ("i2c-dev", "i2c-1", "pi-table-devices"),
        ("i2c-dev", "i2c-20", None),
        ("gpio", "gpiochip4", "pi-table-screen"),
        ("spidev", "spidev0.1", None),
        ("tty", "ttyS0", None),
    ],
)
def test_devices_on_the_board_belong_to(subsystem: str, kernel: str, group: str | None) -> None:
    assert apply(ALL, Device(subsystem, kernel)).given.get("GROUP") == group


@pytest.mark.parametrize("name", OUR_FILES)
def test_no_later_rule_gives_a_device_to_others(name: str) -> None:
    """Raspberry Pi OS's 99-com.rules has groups of its own for the same devices."""
    assert not re.findall(r'(?:GROUP|MODE)="', text(name))


@pytest.mark.parametrize("name", OUR_FILES)
def test_udev_itself_takes_the_rules(name: str) -> None:
    command = ["udevadm", "verify", "--no-style", "--resolve-names=never", str(FOLDER / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "Unknown command verb" in done.stderr:
        pytest.skip("this udev has no `verify`, which 254 brought")
    assert done.returncode == 0, done.stdout + done.stderr

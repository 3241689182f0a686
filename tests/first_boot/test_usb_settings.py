"""USB devices that the settings on the boot partition name."""

import pytest
from small_system import System

from pi_table.maintenance.first_boot import places

PREFIX = 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", '


def lines(system: System) -> list[str]:
    text = system.text(places.USB_RULES)
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_each_device_has_a_rule(system: System) -> None:
    assert (
        system.apply(
            '[usb]\ntrust = ["046d:c31c", "0bda:8153:0-1.x_Y"]\ncontroller = ["16c0:0483"]'
        )
        == 0
    )
    assert lines(system) == [
        PREFIX + 'ATTR{idVendor}=="046d", ATTR{idProduct}=="c31c", ENV{PI_TABLE_USB}="trusted"',
        PREFIX + 'ATTR{idVendor}=="0bda", ATTR{idProduct}=="8153", ATTR{serial}=="0-1.x_Y", '
        'ENV{PI_TABLE_USB}="trusted"',
        PREFIX + 'ATTR{idVendor}=="16c0", ATTR{idProduct}=="0483", ENV{PI_TABLE_USB}="controller"',
    ]
    assert "USB devices: 046d:c31c, 0bda:8153:0-1.x_Y, 16c0:0483 (controller)" in system.says()


def test_an_empty_list_forgets_them_and_no_list_leaves_them(system: System) -> None:
    system.apply('[usb]\ntrust = ["046d:c31c"]')
    system.apply("")
    assert len(lines(system)) == 1
    assert system.apply("[usb]\ntrust = []") == 0
    assert lines(system) == []


@pytest.mark.parametrize(
    "value",
    [
        '["046D:C31C"]',
        '["046d"]',
        '["046d:c31c:"]',
        '["046d:c31c:a*"]',
        '["""046d:c31c:a", RUN+="/bin/sh"""]',
        '["046d:c31c\\n"]',
        '"046d:c31c"',
        "[1133]",
    ],
)
def test_numbers_that_are_none_are_told_with_their_line(system: System, value: str) -> None:
    assert system.apply(f"[usb]\ntrust = {value}") == 2
    assert "2: [usb] trust" in system.says()
    assert not (system.root / places.USB_RULES).exists()


def test_another_word_than_these_is_told(system: System) -> None:
    assert system.apply('[usb]\ntrusted = ["046d:c31c"]') == 2
    assert "trust" in system.says()

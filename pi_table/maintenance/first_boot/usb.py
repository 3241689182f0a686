"""Known USB devices: the section [usb], and the udev rules that are made from it.

By default an unknown USB device gets no driver (`systemd/72-pi-table-usb.rules`). The owner of a
table names exceptions in [usb]. They take effect in three steps, at each start:
1. `read_usb` checks the devices' numbers. 2. `rules_of` makes a rules file that only marks these
devices with PI_TABLE_USB. 3. udev reads that file between two others. 70-pi-table.rules marks the
known controllers. 72-pi-table-usb.rules then allows or refuses each interface by the mark.

At boot, udev applies its rules to the devices before this rules file exists. Therefore `trust-usb`
makes udev apply its rules again.
"""

import re
from typing import Any, Final

import msgspec

from pi_table.common.language import join_texts, say
from pi_table.maintenance.first_boot.reading import Reading, short

WHERE: Final = "[usb] "
_NUMBERS: Final = re.compile(r"[0-9a-f]{4}:[0-9a-f]{4}(:[A-Za-z0-9._-]{1,64})?", re.ASCII)
"""Pattern of a device's numbers of vendor and product, and of its serial number. It excludes udev's
special characters."""


class Usb(msgspec.Struct, frozen=True):
    """USB devices as ``vendor:product`` or ``vendor:product:serial``, as lsusb shows them."""

    trust: tuple[str, ...] = ()
    """Devices that may have a driver for all their interfaces."""
    controller: tuple[str, ...] = ()
    """Devices that are the table's controller. Their port gets the controller's fixed name."""

    def summary(self) -> str:
        return join_texts(
            ", ",
            (*self.trust, *(say("{each} (controller)", each=each) for each in self.controller)),
        )


def read_usb(reading: Reading, section: dict[str, Any]) -> Usb:
    """Return the contents of [usb]; record its faults in ``reading``."""
    known = reading.known_values(section, Usb.__struct_fields__, WHERE)
    return Usb(*(_numbers(reading, known, key) for key in Usb.__struct_fields__))


def _numbers(reading: Reading, given: dict[str, Any], key: str) -> tuple[str, ...]:
    # 1. The value must be a list of texts: a single text would be taken letter by letter.
    listed = given.get(key, [])
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        example = f'{key} = ["1a86:7522"]'
        reading.complain(
            key,
            say(
                "{where}{key} is a list of texts: {example}.", where=WHERE, key=key, example=example
            ),
            WHERE,
        )
        return ()
    # 2. Each text must have the exact form. It becomes a part of a udev rule, in which a quote, a
    #    comma or a * would change the meaning, for example to trust every device.
    for each in listed:
        if not _NUMBERS.fullmatch(each):
            reading.complain(
                key,
                say(
                    "{where}{key} cannot have {short}: write the numbers as lsusb shows them, "
                    "such as 1a86:7522, in lower case.",
                    where=WHERE,
                    key=key,
                    short=short(each),
                ),
                WHERE,
            )
    # 3. Wrong numbers are also returned: settings with any fault are never applied.
    return tuple(listed)


def rules_of(usb: Usb) -> str:
    """Return the udev rules for these devices."""
    # A later rule overrides an earlier one, so a device in both lists is a controller: it gets only
    # a serial port.
    lines = [
        "# From the settings on the boot partition: written anew at each boot with such a file.",
        *(_rule(numbers, "trusted") for numbers in usb.trust),
        *(_rule(numbers, "controller") for numbers in usb.controller),
    ]
    return "\n".join(lines) + "\n"


def _rule(numbers: str, kind: str) -> str:
    # ATTR matches the device's own numbers, while ATTRS would also match its parents: a stranger's
    # device could then be plugged in behind a trusted hub.
    vendor, product, *serial = numbers.split(":")
    named = f'ATTR{{idVendor}}=="{vendor}", ATTR{{idProduct}}=="{product}"'
    # Without a serial number, every device of this product matches.
    if serial:
        named += f', ATTR{{serial}}=="{serial[0]}"'
    # The mark is set on the device only. Its interfaces and ports import it from their parent.
    return f'SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_device", {named}, ENV{{PI_TABLE_USB}}="{kind}"'

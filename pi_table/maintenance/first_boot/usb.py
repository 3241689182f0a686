"""Known USB devices: the section [usb], and the udev rules made from it."""

import re
from typing import Any, Final

import msgspec

from pi_table.common.language import joined, say
from pi_table.maintenance.first_boot.reading import Reading, short

WHERE: Final = "[usb] "
_NUMBERS: Final = re.compile(r"[0-9a-f]{4}:[0-9a-f]{4}(:[A-Za-z0-9._-]{1,64})?", re.ASCII)
"""Vendor, product, and serial number, without characters that have a meaning to udev."""


class Usb(msgspec.Struct, frozen=True):
    """Devices by their numbers: ``vendor:product`` or ``vendor:product:serial``, as lsusb shows
    them."""

    trust: tuple[str, ...] = ()
    """Everything that these devices do is allowed."""
    controller: tuple[str, ...] = ()
    """These devices are the table's controller: their port gets its name."""

    def told(self) -> str:
        """Return the settings in one line."""
        return joined(
            ", ",
            (*self.trust, *(say("{each} (controller)", each=each) for each in self.controller)),
        )


def read_usb(reading: Reading, section: dict[str, Any]) -> Usb:
    """Return the contents of [usb]; note its faults in ``reading``."""
    known = reading.known(section, Usb.__struct_fields__, WHERE)
    return Usb(*(_numbers(reading, known, key) for key in Usb.__struct_fields__))


def _numbers(reading: Reading, given: dict[str, Any], key: str) -> tuple[str, ...]:
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
    for each in listed:
        if not _NUMBERS.fullmatch(each):
            reading.complain(
                key,
                say(
                    "{where}{key} cannot have {short}: write the numbers as lsusb shows them, "
                    "such as 1a86:7522, in small letters.",
                    where=WHERE,
                    key=key,
                    short=short(each),
                ),
                WHERE,
            )
    return tuple(listed)


def rules_of(usb: Usb) -> str:
    """Return the udev rules for these devices."""
    lines = [
        "# From the settings on the boot partition: written anew at each boot with such a file.",
        *(_rule(numbers, "trusted") for numbers in usb.trust),
        *(_rule(numbers, "controller") for numbers in usb.controller),
    ]
    return "\n".join(lines) + "\n"


def _rule(numbers: str, kind: str) -> str:
    vendor, product, *serial = numbers.split(":")
    named = f'ATTR{{idVendor}}=="{vendor}", ATTR{{idProduct}}=="{product}"'
    if serial:
        named += f', ATTR{{serial}}=="{serial[0]}"'
    return f'SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_device", {named}, ENV{{PI_TABLE_USB}}="{kind}"'

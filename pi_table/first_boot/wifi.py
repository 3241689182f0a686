"""A network, as NetworkManager keeps it in a file."""

import re
import uuid
from typing import Final

from pi_table.first_boot.settings import Wifi

NAME: Final = "pi-table"
PRIORITY: Final = 100
"""Which network is joined first where several can be: above 0, which the imager's own has."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]*[A-Za-z_.-][A-Za-z0-9_. -]*[A-Za-z0-9_.-]|[A-Za-z_.-]")
"""A name that means itself in such a file, and can be no list of numbers."""


def connection(wifi: Wifi) -> str:
    """The file of a connection to this network."""
    lines = [
        "# From the settings on the boot partition: written anew at each boot with such a file.",
        "[connection]",
        f"id={NAME}",
        f"uuid={uuid.uuid5(uuid.NAMESPACE_OID, f'pi-table {wifi.ssid}')}",
        "type=wifi",
        f"autoconnect-priority={PRIORITY}",
        "",
        "[wifi]",
        "mode=infrastructure",
        f"ssid={_ssid(wifi.ssid)}",
        # Off: a Wi-Fi that saves power misses who looks for the table by its name.
        "powersave=2",
    ]
    if wifi.hidden:
        lines.append("hidden=true")
    if wifi.password is not None:
        lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", f"psk={_escaped(wifi.password)}"]
    lines += ["", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto"]
    return "\n".join(lines) + "\n"


def _ssid(ssid: str) -> str:
    """The name as it stands; one that might be read as something else, as its bytes in decimal."""
    if _PLAIN.fullmatch(ssid):
        return ssid
    return "".join(f"{byte};" for byte in ssid.encode())


def _escaped(text: str) -> str:
    """A text as such a file has it: a backslash, and blanks before all else, are written out."""
    blanks = len(text) - len(text.lstrip(" "))
    return r"\s" * blanks + text[blanks:].replace("\\", "\\\\")

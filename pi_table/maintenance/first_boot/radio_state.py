"""Reads the switches that can keep the Wi-Fi off. The first boot and the doctor both need them.

``root`` is the root of the file system.
"""

import re
from pathlib import Path
from typing import Final

from pi_table.common.language import say
from pi_table.maintenance.first_boot import places

SWITCH_IT_ON: Final = say(
    "Run `sudo rfkill unblock wlan` and `sudo nmcli radio wifi on` on the table."
)
SWITCHED_OFF: Final = re.compile(r"^(WirelessEnabled[ \t]*=)[ \t]*false[ \t]*$", re.M | re.I)


def is_blocked(root: Path, kind: str) -> bool:
    """True if the kernel blocks a Wi-Fi device. ``kind`` is ``soft`` for a block by a command,
    ``hard`` for a block by a switch."""
    for switch in (root / places.RFKILL_STATES).glob("rfkill*"):
        try:
            is_wifi = (switch / "type").read_text().strip() == "wlan"
            if is_wifi and (switch / kind).read_text().strip() == "1":
                return True
        except OSError:
            continue  # the device was just removed
    return False


def is_switched_off(root: Path) -> bool:
    """True if NetworkManager's own switch keeps the Wi-Fi off. Raises OSError for an unreadable
    file."""
    file = root / places.NETWORK_MANAGER_STATE
    return file.exists() and SWITCHED_OFF.search(file.read_text()) is not None

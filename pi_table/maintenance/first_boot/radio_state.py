"""The switches that keep the Wi-Fi off, for the code that switches it on and for the doctor.

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
    """True if the kernel blocks a Wi-Fi device: ``soft`` by a command, ``hard`` by a switch."""
    for switch in (root / places.RFKILL_STATES).glob("rfkill*"):
        try:
            is_wifi = (switch / "type").read_text().strip() == "wlan"
            if is_wifi and (switch / kind).read_text().strip() == "1":
                return True
        except OSError:
            continue  # the device has just gone
    return False


def is_switched_off(root: Path) -> bool:
    """True if NetworkManager keeps its Wi-Fi off. Raises OSError for an unreadable file."""
    file = root / places.NETWORK_MANAGER_STATE
    return file.exists() and SWITCHED_OFF.search(file.read_text()) is not None

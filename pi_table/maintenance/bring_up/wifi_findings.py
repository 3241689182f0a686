"""The finding about the Wi-Fi: whether the network of the settings file is connected.

``root`` is the root of the file system.
"""

import os
import subprocess
from pathlib import Path
from typing import Final

from pi_table.common.language import say
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.system_files import text_in
from pi_table.maintenance.first_boot import places, radio_state

INTERFACES: Final = "sys/class/net"
SBIN: Final = "/usr/sbin:/sbin"
"""Debian's folders with the program `iw`. A user's PATH does not contain them."""


def wifi(root: Path = Path("/")) -> Finding:
    """Check that the Wi-Fi is on and connected, and that it does not save power."""
    if not (root / places.CONNECTION).exists():
        return _finding(Verdict.NOT_HERE, say("The settings on the boot partition name none."))
    devices = sorted(each.parent.name for each in (root / INTERFACES).glob("*/phy80211"))
    if not devices:
        return _finding(
            Verdict.BROKEN,
            say("The settings name one, but this machine has no Wi-Fi device."),
            say(
                "Check that no line of config.txt switches it off (disable-wifi), or connect a "
                "cable."
            ),
        )
    if radio_state.is_blocked(root, "hard"):
        return _finding(
            Verdict.BROKEN, say("A switch on the machine blocks it."), say("Look for that switch.")
        )
    if radio_state.is_blocked(root, "soft"):
        return _finding(
            Verdict.BROKEN, say("The kernel blocks it (rfkill)."), radio_state.SWITCH_IT_ON
        )
    if _is_switched_off(root):
        return _finding(
            Verdict.BROKEN, say("NetworkManager keeps it switched off."), radio_state.SWITCH_IT_ON
        )
    connected = [each for each in devices if _is_up(root, each)]
    if not connected:
        return _finding(
            Verdict.LOOK,
            say("It is on, but not connected."),
            say(
                "Check that the network is there, and that its name, its password, its country "
                "and whether it is hidden are right in pi-table.toml; then restart the machine."
            ),
        )
    saving = [each for each in connected if _saves_power(each)]
    if saving:
        return _finding(
            Verdict.LOOK,
            say(
                "{saving} is connected, but saves power: a device that looks for the table by "
                "its name may not find it.",
                saving=saving[0],
            ),
            say(
                "In the network of pi-table.toml it does not: check that it is connected to that "
                "one, or run `sudo iw dev {saving} set power_save off`.",
                saving=saving[0],
            ),
        )
    return _finding(Verdict.OK, say("{connected} is connected.", connected=connected[0]))


def _finding(verdict: Verdict, says: str, do: str = "") -> Finding:
    return Finding("wi-fi", verdict, says, do)


def _is_switched_off(root: Path) -> bool:
    """True if NetworkManager's own switch keeps the Wi-Fi off. Only root may read this switch; for
    other users the result is False."""
    try:
        return radio_state.is_switched_off(root)
    except OSError:
        return False


def _is_up(root: Path, device: str) -> bool:
    return text_in(root / INTERFACES / device / "operstate") == "up"


def _saves_power(device: str) -> bool:
    """True if this Wi-Fi device saves power; False if it does not, or if the program `iw` is
    missing."""
    try:
        said = subprocess.run(
            ["iw", "dev", device, "get", "power_save"],
            capture_output=True,
            text=True,
            timeout=5,
            env={**os.environ, "PATH": f"{os.environ.get('PATH', '')}:{SBIN}"},
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    return said.split()[-1:] == ["on"]

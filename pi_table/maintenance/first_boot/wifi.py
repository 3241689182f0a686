"""Writes a Wi-Fi network as a file for NetworkManager, and switches on the radio with its country.

A fresh Raspberry Pi OS keeps the radio off in three places until a country is set. The kernel
blocks the radio (rfkill). systemd stores the block and repeats it when the device appears.
NetworkManager has its own switch. This module runs before NetworkManager starts, so it changes all
three by writing files.
"""

import os
import re
import struct
import uuid
from errno import ENODEV, ENOENT, ENXIO
from pathlib import Path
from typing import Final

from pi_table.common.language import say, system_says
from pi_table.maintenance.first_boot import places
from pi_table.maintenance.first_boot.below_root import write
from pi_table.maintenance.first_boot.radio_state import (
    SWITCH_IT_ON,
    SWITCHED_OFF,
    is_blocked,
    is_switched_off,
)
from pi_table.maintenance.first_boot.settings import Wifi

NAME: Final = "pi-table"
PRIORITY: Final = 100
"""NetworkManager's autoconnect priority. The imager's network has 0, so this network is
preferred."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]*[A-Za-z_.-][A-Za-z0-9_. -]*[A-Za-z0-9_.-]|[A-Za-z_.-]")
"""Pattern of a network name that NetworkManager does not misread as a list of numbers."""
_UNBLOCK_ALL_WLAN: Final = struct.pack("=IBBBB", 0, 1, 3, 0, 0)
"""An event of linux/rfkill.h that unblocks all Wi-Fi: any index, RFKILL_TYPE_WLAN,
RFKILL_OP_CHANGE_ALL, not blocked. It also applies to devices that appear later."""
_COUNTRY: Final = re.compile(rb"(?<!\S)cfg80211\.ieee80211_regdom=([A-Z0-9]{2})(?!\S)")


def connection(wifi: Wifi) -> str:
    """Return the text of the connection file for this network."""
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
        # With power saving, the Wi-Fi would miss requests for the table's name.
        "powersave=2",
    ]
    if wifi.hidden:
        lines.append("hidden=true")
    if wifi.password is not None:
        lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", f"psk={_escape(wifi.password)}"]
    lines += ["", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto"]
    return "\n".join(lines) + "\n"


def _ssid(ssid: str) -> str:
    """Return the network's name as text, or as decimal bytes if NetworkManager might misread the
    text."""
    if _PLAIN.fullmatch(ssid):
        return ssid
    return "".join(f"{byte};" for byte in ssid.encode())


def _escape(text: str) -> str:
    """Return a text with backslashes and leading blanks escaped."""
    blanks = len(text) - len(text.lstrip(" "))
    return r"\s" * blanks + text[blanks:].replace("\\", "\\\\")


def switch_on(root: Path) -> list[str]:
    """Switch the radio on permanently; return a sentence for each failure."""
    failed = []
    for step in (_let_systemd_forget, _unblock, _tell_network_manager, _see_that_it_is_on):
        try:
            step(root)
        except OSError as error:
            why = (
                str(error)
                if error.errno is None
                else say("{why}: {file}.", why=system_says(error), file=error.filename)
            )
            failed.append(say("The Wi-Fi may stay off. {why}", why=why))
    return [*failed, SWITCH_IT_ON] if failed else []


def set_country(code: str, root: Path, boot: Path) -> list[str]:
    """Store the country, which the kernel's Wi-Fi module reads when the module is loaded.

    Return a sentence for each failure. ``boot`` is the boot partition. Raises OSError.
    """
    text = f"# From the settings on the boot partition.\noptions cfg80211 ieee80211_regdom={code}\n"
    write(root / places.COUNTRY, text)
    # The kernel's command line overrides that file, and the imager writes a country there.
    try:
        _correct(boot / places.CMDLINE, code.encode())
    except FileNotFoundError:
        pass
    except OSError as error:
        return [
            say(
                "{cmdline} may name another country of the Wi-Fi. {strerror}.",
                cmdline=places.CMDLINE,
                strerror=system_says(error),
            )
        ]
    return []


def _correct(cmdline: Path, code: bytes) -> None:
    """Write ``code`` over any other country in the kernel's command line.

    Only the two bytes of the country are overwritten. A Pi does not start if the rest of the line
    is lost.
    """
    line = cmdline.read_bytes()
    wrong = [found.start(1) for found in _COUNTRY.finditer(line) if found[1] != code]
    if not wrong:
        return
    descriptor = os.open(cmdline, os.O_RDWR | os.O_CLOEXEC)
    try:
        for offset in wrong:
            os.pwrite(descriptor, code, offset)
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)


def _let_systemd_forget(root: Path) -> None:
    for file in sorted((root / places.RFKILL_KEPT).glob("*:wlan")):
        if file.read_text().strip() != "0":
            write(file, "0\n")


def _unblock(root: Path) -> None:
    device = root / places.RFKILL
    try:
        descriptor = os.open(device, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (ENOENT, ENODEV, ENXIO):
            return  # a kernel without rfkill blocks nothing
        raise
    try:
        os.write(descriptor, _UNBLOCK_ALL_WLAN)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(device)) from None
    finally:
        os.close(descriptor)


def _tell_network_manager(root: Path) -> None:
    if is_switched_off(root):
        file = root / places.NETWORK_MANAGER_STATE
        write(file, SWITCHED_OFF.sub(r"\1true", file.read_text()), file.stat().st_mode & 0o777)


def _see_that_it_is_on(root: Path) -> None:
    if not (root / places.NETWORK_MANAGER).exists():
        raise OSError(say("There is no NetworkManager to join it: install network-manager."))
    if is_blocked(root, "soft"):
        raise OSError(say("The kernel still blocks it."))
    if is_blocked(root, "hard"):
        raise OSError(say("A switch on the machine blocks it."))

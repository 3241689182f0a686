"""Readers of the files in `systemd/`."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "systemd"
ENGINE = "pi-table-engine.service"
CONTROLLER = "pi-table-controller.service"
CONSOLE = "pi-table-console.service"
WEB = "pi-table-web.service"
PORT = "pi-table-web.socket"
BRIDGE = "pi-table-bridge.service"
FAULT = "pi-table-fault@.service"
SETTINGS = "pi-table-settings.service"
PATH = "pi-table-switch-off.path"
UPDATE = "pi-table-update.service"
UPDATE_TIMERS = ("pi-table-update.timer", "pi-table-update-at-start.timer")
UNITS = (
    *(ENGINE, CONTROLLER, CONSOLE, WEB, PORT, BRIDGE, FAULT, PATH, "pi-table-switch-off.service"),
    *("pi-table-restore.service", SETTINGS, "pi-table-finish-update.service"),
    *("pi-table-usb.service", UPDATE, *UPDATE_TIMERS),
)


def text(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def settings(name: str) -> dict[str, list[str]]:
    """Each key of a unit, with what is given to it, line by line."""
    found: dict[str, list[str]] = {}
    for line in text(name).splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found.setdefault(key, []).append(value)
    return found


def chips() -> list[str]:
    """The numbers of the controller's chips, as 70-pi-table.rules has them."""
    found = re.findall(r'^ENV\{\.PI_TABLE_NUMBERS\}=="([^"]+)"', text("70-pi-table.rules"), re.M)
    return [ids for each in found for ids in each.split("|")]


def setting(name: str, key: str) -> str:
    """The one value of a key."""
    (value,) = settings(name)[key]
    return value


def lines(name: str) -> list[list[str]]:
    """The words of each line of a table such as sysusers'; what is in quotes is one."""
    import shlex

    rows = (shlex.split(line) for line in text(name).splitlines() if not line.startswith("#"))
    return [row for row in rows if row]


CHIPS = chips()

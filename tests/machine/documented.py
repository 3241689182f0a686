"""The commands of the documents that only a booted machine can run, in the order in which
`test_documented.py` types them there."""

from typing import Final, NamedTuple

CONFIG: Final = "--config /etc/pi-table/table.toml"


class Typed(NamedTuple):
    """A command as it stands in a document."""

    command: str
    says: str
    """A pattern of what it is to say there."""
    statuses: tuple[int, ...] = (0,)
    files: tuple[tuple[str, str], ...] = ()
    """Files that must exist before: a path of the machine, and a file of the tree."""


DOCUMENTED: Final = (
    Typed(
        "systemctl is-active pi-table-engine pi-table-console pi-table-web",
        "^active\nactive\nactive$",
    ),
    Typed("journalctl --boot --no-pager --lines=50 --unit=pi-table-web", "are served at http://"),
    Typed(
        "journalctl --boot --no-pager --lines=50 --unit=pi-table-engine --unit=pi-table-console",
        "ready",
    ),
    Typed(
        "systemctl status --no-pager pi-table-finish-update", "inactive", (3,)
    ),  # nothing is to be finished
    Typed("ls -l /dev/pi-table-controller", "pi-table-controller -> "),
    Typed("df -h /var/lib/pi-table", "/var/lib/pi-table"),
    Typed("findmnt /var/lib/pi-table", "ext4"),
    Typed("timedatectl", "System clock synchronized: no"),
    Typed("aplay -L", "null"),
    Typed("grep . /sys/class/drm/card*-*/status", "connected"),
    Typed(
        "pi-table settings check /boot/firmware/pi-table.toml",
        "pi-table.toml is in order.",
        files=(("/boot/firmware/pi-table.toml", "pi_table/maintenance/first_boot/pi-table.toml"),),
    ),
    # The engine has the controller.
    Typed(f"sudo -u pi-table pi-table doctor {CONFIG}", "port .* is in use by pi-table itself"),
    Typed(f"sudo pi-table backup pi-table.backup --replace {CONFIG}", "keeps "),
    Typed(f"sudo -u pi-table pi-table journal check {CONFIG}", "is in order"),
    Typed("sudo systemctl stop pi-table-engine", "^$"),
    Typed(f"sudo -u pi-table pi-table doctor {CONFIG} --lights", "(?m)^ok +port", (0, 1)),
    Typed(f"sudo pi-table restore pi-table.backup {CONFIG}", "The table may be started now"),
    Typed(f"sudo -u pi-table pi-table journal set-aside {CONFIG}", "the table begins a new one"),
    Typed(f"sudo pi-table restore --finish {CONFIG}", "^$"),
    Typed("sudo systemctl start pi-table-engine", "^$"),
    Typed(
        "sudo rm /var/lib/pi-table/pin.json",
        "^$",
        files=(("/var/lib/pi-table/pin.json", "systemd/package/table.toml"),),
    ),
    Typed("sudo systemctl restart pi-table-engine", "^$"),
    Typed("sudo systemctl reset-failed 'pi-table-*'", "^$"),
    Typed("sudo systemctl start pi-table-engine pi-table-console", "^$"),
    Typed(
        "systemctl status --no-pager pi-table-engine pi-table-console",
        "(?s)active .running.*active .running",
    ),
)

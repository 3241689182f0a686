"""Each step of a unit or script that may fail without anybody hearing of it says here why it may.

A step that fails in silence is found by somebody at a table that does not work. So it ends what it
belongs to, or says what failed where somebody reads it, or nothing is lost by it, and it stands in
this table. One that comes in without a reason fails the test.
"""

import re
from collections.abc import Iterator

import pytest
from unit_files import FOLDER

ALARM = "a sentence that stays is a false alarm, which is seen; the program must start"
GIVEN = "the game goes on without phones or bridge, and doctor looks at the socket's group"
HIDDEN = "what is not there needs no hiding"
SLOW = "the device may come later or never, and who needs it waits for it and says so"
LOOKED_FOR = "the controller says that it has no bus, and doctor says that the device is missing"
LOOKED_AT = "is_whole looks at the result, and the end says what is wrong"

ALLOWED = {
    ("pi-table-engine.service", "ExecStartPost=+-/usr/bin/rm"): ALARM,
    ("pi-table-controller.service", "ExecStartPost=+-/usr/bin/rm"): ALARM,
    ("pi-table-console.service", "ExecStartPost=+-/usr/bin/rm"): ALARM,
    ("pi-table-web.service", "ExecStartPost=+-/usr/bin/rm"): ALARM,
    ("pi-table-bridge.service", "ExecStartPost=+-/usr/bin/rm"): ALARM,
    ("pi-table-engine.service", "ExecStartPost=+-/usr/bin/chgrp"): GIVEN,
    ("pi-table-controller.service", "ExecStartPre=+-/usr/sbin/modprobe"): LOOKED_FOR,
    ("pi-table-bridge.service", "InaccessiblePaths=-/var/lib/pi-table"): HIDDEN,
    ("pi-table-console.service", "InaccessiblePaths=-/var/lib/pi-table"): HIDDEN,
    ("pi-table-controller.service", "InaccessiblePaths=-/var/lib/pi-table"): HIDDEN,
    ("pi-table-fault@.service", "InaccessiblePaths=-/var/lib/pi-table"): HIDDEN,
    ("pi-table-web.service", "InaccessiblePaths=-/var/lib/pi-table"): HIDDEN,
    ("kept.conf", "BindPaths=-/var/lib/pi-table/"): "the command before ExecStart makes the folder",
    ("fstab", "PARTLABEL=pi-table-state"): "own-partition and RequiresMountsFor stop the engine",
    ("fstab", "PARTLABEL=pi-table-boot"): "the engine plays without the settings of the card",
    ("customize10-pi-table", "sed -e"): "/boot/slot is there to be looked at; no program reads it",
    ("trust-usb", 'if [ "$(cat'): "an interface that has gone is not refused",
    ("usb-in-use", 'if [ "$(cat'): "an adapter that is off has no carrier to be read",
    ("pi-table.postinst", "udevadm settle"): SLOW,
    ("pi-table.postinst", "timeout 15"): SLOW,
    ("pi-table.postrm", "rmdir"): "a partition stays; what else could not go, find has said",
    ("finish-update", "$finish --configure"): LOOKED_AT,
    ("finish-update", "$finish --install"): LOOKED_AT,
    ("finish-update", "version=$(cat"): "the mark may be gone; the packages beside it name theirs",
    ("install.sh", "plan=$(export"): "figures alone; --check says that there are none",
    ("install.sh", "pi-table doctor"): "what it says is on the screen; a new table is not ready",
    ("slots", "case $(sed"): "without autoboot.txt the firmware takes the first slot",
    ("slots", "word=$(sed"): "without slots.txt the default slot is good and the other is bad",
    (
        "check_slot.py",
        "with suppress(OSError, ValueError,",
    ): "the time to be kept free ends by itself",
    ("check_slot.py", "with suppress(OSError, subprocess.TimeoutExpired):"): "it is a no, told",
    ("standing.py", "with suppress(ConnectionError):"): "that the engine has ended, stays() tells",
    ("standing.py", "with suppress(OSError,"): "then all is written down as wrong before",
    ("sources.py", "with suppress(OSError):"): "another has been quicker, and the file is the same",
}
"""The file, the beginning of the line, and why it may fail in silence."""

OF_UNITS = re.compile(r"^Exec\w+=[@+!:]*-|^\w+=-/|^\w+=.* -/")
OF_MOUNTS = re.compile(r"[, ]nofail\b|:ro,nofail\b")
OF_SCRIPTS = re.compile(
    r"\|\| *(?:true|:)(?:\s|\)|$)|(?:2|&)> */dev/null|> */dev/null 2>&1|set \+e"
)
OF_PYTHON = re.compile(r"suppress\((?!FileExistsError\)|FileNotFoundError\)|Gone\))")


def quiet_steps() -> Iterator[tuple[str, str]]:
    for path in sorted(each for each in FOLDER.rglob("*") if each.is_file()):
        if path.suffix == ".md" or "__pycache__" in path.parts:
            continue
        text = path.read_text("utf-8")
        if path.suffix in (".service", ".socket", ".timer", ".path", ".conf"):
            asked = [OF_UNITS]
        elif path.suffix == ".py" or path.name == "launcher":
            asked = [OF_PYTHON]
        else:
            asked = [OF_SCRIPTS, OF_MOUNTS]
        for line in text.replace("\\\n", " ").splitlines():
            step = line.strip()
            if not step.startswith("#") and any(each.search(step) for each in asked):
                yield path.name, step


def begins(step: tuple[str, str], allowed: tuple[str, str]) -> bool:
    return step[0] == allowed[0] and step[1].startswith(allowed[1])


def test_no_step_fails_in_silence_without_a_reason() -> None:
    steps = [*quiet_steps()]
    assert [step for step in steps if not any(begins(step, each) for each in ALLOWED)] == []
    assert [each for each in ALLOWED if not any(begins(step, each) for step in steps)] == []


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("ExecStartPost=-+/usr/sbin/rfkill unblock wlan", OF_UNITS),
        ("ExecStart=@-/usr/bin/true true", OF_UNITS),
        ("EnvironmentFile=-/etc/default/pi-table", OF_UNITS),
        ("InaccessiblePaths=/boot -/var/log", OF_UNITS),
        ("systemctl daemon-reload || true", OF_SCRIPTS),
        ("version=$(cat mark || :)", OF_SCRIPTS),
        ("cat mark 2>/dev/null", OF_SCRIPTS),
        ("pi-table update --check >/dev/null 2>&1", OF_SCRIPTS),
        ("LABEL=PI-TABLE /boot/firmware vfat rw,nofail 0 0", OF_MOUNTS),
        ("with suppress(OSError):", OF_PYTHON),
    ],
)
def test_such_a_step_is_noticed(line: str, asked: re.Pattern[str]) -> None:
    assert asked.search(line)

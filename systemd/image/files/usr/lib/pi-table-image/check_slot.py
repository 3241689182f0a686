"""After each start: is the slot that is being tried good? If not, the table goes back by itself.

Good is a slot whose engine answers for a while, can store a game, and is as well as the old slot's
was, whose hidden screen runs if a display is connected, and whose own programs could bring the next
version. Then it becomes the one that starts; until then no game begins. Otherwise this ends with 1,
and `keep-or-go-back` starts the machine again, which the firmware answers with the old slot: that
was never touched, and is not tried but started, so this cannot go round in a circle.

Nothing of the table's own program is believed here: a new version of that may be what is wrong.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import slots
import standing

PATIENCE: Final = 300.0
"""Seconds that a new version has to come up."""
STEADY: Final = 20.0
"""Seconds for which it must then stay up."""
HERE: Final = Path(__file__).parent
UPDATERS: Final = (
    ("pi-table", "update", "--check"),
    (sys.executable, "-c", "import hawkbit"),  # in the folder `HERE`
)
"""What brings the next version, each as a command that only tries whether it runs."""
UPDATER_SECONDS: Final = 120.0
CONNECTORS: Final = Path("/sys/class/drm")
"""Where the kernel tells of each connector whether a display is connected."""


def main() -> int:
    current = slots.ask("get-current")
    if not slots.is_on_trial():
        _look_back(current)
        return 0
    why = why_not(time.monotonic() + PATIENCE)
    if not why:
        done = subprocess.run(["rauc", "status", "mark-good"], text=True, capture_output=True)
        if done.returncode == 0:
            print(f"Slot {current} is good, and starts from now on.")
            with suppress(OSError, ValueError, KeyError, TypeError), standing.engine() as engine:
                engine.keep_free(0)
            return 0
        why = f"RAUC could not mark it good: {done.stderr.strip()}"
    slots.gone_bad(current, f"The new version is not kept, and the old one starts: {why}")
    return 1


def _look_back(current: str) -> None:
    """What became of an earlier trial, as seen by a slot that is not tried itself."""
    other = slots.other(current)
    if slots.ask("get-default") != current:
        print(
            f"Slot {current} runs, which nobody asked for: autoboot.txt on the card's boot "
            f"partition names slot {other}. Nothing is installed until that one is started again."
        )
    elif slots.ask("get-word", other) == "tried":
        slots.gone_bad(
            other,
            "The new version did not come so far as to judge itself, or the power went first: the "
            "old one runs.",
        )


def why_not(end: float) -> str:
    """Why this version is not good; nothing, if it is. Waits until ``end`` for it to come up."""
    while True:
        why = _why_not_now()
        if not why:
            return _why_the_last()
        given_up = _state("pi-table-engine.service") == "failed"
        if given_up or time.monotonic() >= end:
            return why
        time.sleep(1.0)


def _why_not_now() -> str:
    try:
        with standing.engine() as engine:
            engine.keep_free(standing.FREE_SECONDS)
            for name in engine.wrong:
                if name == "can_store" or name not in standing.was_wrong():
                    return standing.WRONG[name][1]
            if not engine.stays(STEADY):
                return "The engine ended."
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"The engine does not answer at {standing.HOUSE}: {error}."
    if _has_display() and (state := _state("pi-table-console.service")) != "active":
        return f"The hidden screen is {state}."
    return ""


def _why_the_last() -> str:
    """Why no version could follow this one; nothing, if one can."""
    for updater in UPDATERS:
        if not _runs(updater):
            return f"It could not bring the next version: {' '.join(updater)} does not run."
    return ""


def _runs(command: Sequence[str]) -> bool:
    """Does a command come to a good end? What it says goes to the log."""
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(command, cwd=HERE, timeout=UPDATER_SECONDS).returncode == 0
    return False


def _has_display() -> bool:
    """Is a display connected?"""
    connectors = CONNECTORS.glob("card*-*/status")
    return any(each.read_text().strip() == "connected" for each in connectors)


def _state(unit: str) -> str:
    """Active also is what is not wanted: masked, or not enabled."""
    enabled = subprocess.run(["systemctl", "--quiet", "is-enabled", unit])
    if enabled.returncode:
        return "active"
    show = ["systemctl", "show", "--property=ActiveState", "--value", unit]
    return subprocess.run(show, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())

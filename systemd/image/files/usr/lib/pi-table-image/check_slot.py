"""Judges the new version in a slot that is on trial. If it is not good, the table goes back to the
old slot. This program runs after each start.

A slot is good if all of this is true: its engine answers for a while, can store a game, and is as
healthy as the old slot's engine was; its hidden screen runs if a display is connected; and its own
programs could install the next version. A good slot becomes the default; until that moment no game
begins. If the slot is not good, this program ends with 1, and `keep-or-go-back` restarts the
machine. The firmware then starts the old slot, which was never changed and is not on trial, so the
restarts cannot loop.

This program uses no module of the table's own program, because a new version of that program may be
at fault.
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

START_TIMEOUT_SECONDS: Final = 300.0
"""Timeout in seconds for a new version to come up."""
STEADY: Final = 20.0
"""Seconds that a new version must stay up before its slot is good."""
HERE: Final = Path(__file__).parent
UPDATERS: Final = (
    ("pi-table", "update", "--check"),
    (sys.executable, "-c", "import hawkbit"),  # run in the folder `HERE`
)
"""Commands that test whether the programs for the next update can run."""
UPDATER_SECONDS: Final = 120.0
NO_SCREEN: Final = Path("/etc/pi-table/no-screen")
"""It exists if the settings say that the table has no hidden screen."""
CONNECTORS: Final = Path("/sys/class/drm")
"""The kernel's folder with the state of each connector for a display."""


def main() -> int:
    current = slots.ask("get-current")
    # 1. On a normal start there is nothing to judge, but an earlier trial may have ended without a
    #    judgement.
    if not slots.is_on_trial():
        _look_back(current)
        return 0
    # 2. Wait until the new version is healthy, has failed, or has used up its time.
    why = why_not(time.monotonic() + START_TIMEOUT_SECONDS)
    # 3. A good version becomes the default slot: RAUC calls `slots set-state` for that. Then games
    #    may begin again.
    if not why:
        done = subprocess.run(["rauc", "status", "mark-good"], text=True, capture_output=True)
        if done.returncode == 0:
            print(f"Slot {current} is good, and starts from now on.")
            with suppress(OSError, ValueError, KeyError, TypeError), standing.engine() as engine:
                engine.keep_free(0)
            return 0
        why = f"RAUC could not mark it good: {done.stderr.strip()}"
    # 4. A bad version: the exit status makes `keep-or-go-back` restart the machine. The default is
    #    still the old slot, so the old slot starts.
    slots.mark_bad(current, f"The new version is not kept, and the old one starts: {why}")
    return 1


def _look_back(current: str) -> None:
    """Record that an earlier trial ended without a judgement. Called if no trial is running."""
    other = slots.other(current)
    if slots.ask("get-default") != current:
        print(
            f"Slot {current} runs, which nobody asked for: autoboot.txt on the card's boot "
            f"partition names slot {other}. Nothing is installed until that one is started again."
        )
    elif slots.ask("get-word", other) == "tried":
        slots.mark_bad(
            other,
            "The new version did not come so far as to judge itself, or the power went first: the "
            "old one runs.",
        )


def why_not(end: float) -> str:
    """Return the reason why this version is not good; "" if it is good. Wait until ``end`` for the
    version to come up."""
    while True:
        why = _why_not_now()
        # The updaters are checked last: they are slow, and only matter for a healthy version.
        if not why:
            return _why_the_last()
        # systemd has stopped restarting an engine that is "failed", so waiting is useless.
        given_up = _state("pi-table-engine.service") == "failed"
        if given_up or time.monotonic() >= end:
            return why
        time.sleep(1.0)


def _why_not_now() -> str:
    try:
        with standing.engine() as engine:
            # No game may begin: going back to the old slot would interrupt it.
            engine.keep_free(standing.FREE_SECONDS)
            # A fault that the old slot had, too, such as an unplugged controller, does not count
            # against the new version. But without a journal games are lost: that always counts.
            for name in engine.wrong:
                if name == "can_store" or name not in standing.earlier_faults():
                    return standing.WRONG[name][1]
            if not engine.stays(STEADY):
                return "The engine ended."
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"The engine does not answer at {standing.HOUSE}: {error}."
    wants_screen = _has_display() and not NO_SCREEN.exists()
    if wants_screen and (state := _state("pi-table-console.service")) != "active":
        return f"The hidden screen is {state}."
    return ""


def _why_the_last() -> str:
    """Return the reason why this version could not install the next version; "" if it can."""
    for updater in UPDATERS:
        if not _runs(updater):
            return f"It could not bring the next version: {' '.join(updater)} does not run."
    return ""


def _runs(command: Sequence[str]) -> bool:
    """True if the command succeeds; the command's output goes to the log."""
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(command, cwd=HERE, timeout=UPDATER_SECONDS).returncode == 0
    return False


def _has_display() -> bool:
    """True if a display is connected."""
    connectors = CONNECTORS.glob("card*-*/status")
    return any(each.read_text().strip() == "connected" for each in connectors)


def _state(unit: str) -> str:
    """Return the state of a systemd unit. A masked or disabled unit counts as active, because this
    machine does not need it."""
    enabled = subprocess.run(["systemctl", "--quiet", "is-enabled", unit])
    if enabled.returncode:
        return "active"
    show = ["systemctl", "show", "--property=ActiveState", "--value", unit]
    return subprocess.run(show, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())

"""The two slots of a card, through the shell program `slots` beside this file.

A card has two complete systems, slots a and b. The default slot starts unless the firmware is asked
to try the other slot. An update goes through these states of the other slot, which `slots` stores
on the card:

1. RAUC installs the new version in the other slot: *new*.
2. When nobody plays, the table restarts once with that slot: *tried*.
3. `check_slot` judges the slot. If it is good, it becomes the default: *good*.
4. Otherwise it is *bad*, and the next start uses the old slot, which was never changed.

Until the new slot is the default, it starts only if its trial is requested. Every other start, for
example after a power cut, uses the old slot.
"""

import subprocess
from pathlib import Path
from typing import Final

from held_folder import image_folder

PROGRAM: Final = Path(__file__).with_name("slots")
WHY: Final = "why-not"
"""Name of the file with the reason why the last trial failed. The next update keeps this file."""


def ask(*words: str) -> str:
    """Run the program `slots` with these arguments; return its output. Raises CalledProcessError if
    the program refuses."""
    return subprocess.run(
        [PROGRAM, *words], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()


def other(slot: str) -> str:
    return "b" if slot == "a" else "a"


def is_on_trial() -> bool:
    """True if the running slot is on trial."""
    # The running slot is not the default, and its state is "tried".
    return subprocess.run([PROGRAM, "is-on-trial"]).returncode == 0


def why_not() -> str:
    """Return the reason why the slot of the last trial was not kept; "" if the reason is
    unknown."""
    try:
        return (image_folder() / WHY).read_text().strip()
    except (OSError, ValueError):
        return ""


def mark_bad(slot: str, why: str) -> None:
    """Record that the trial of a slot has failed, with the reason ``why``."""
    # 1. The log first: it works even if the card or the partition of the games is at fault.
    print(why, flush=True)
    # 2. The state on the card decides what starts next. `slots` writes it by one rename, so after a
    #    power cut it is either the old state or the new one.
    ask("set-state", slot, "bad")
    # 3. The reason, for the update server. It is only information: a failure here must not stop the
    #    way back to the old slot.
    try:
        (image_folder() / WHY).write_text(why + "\n")
    except OSError as error:
        print(f"That cannot be written to {WHY}: {error}.", flush=True)

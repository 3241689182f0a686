"""The two slots, as the shell program `slots` beside this file knows them."""

import subprocess
from pathlib import Path
from typing import Final

from held_folder import held

PROGRAM: Final = Path(__file__).with_name("slots")
WHY: Final = "why-not"
"""Why the slot that was tried last was not kept, in a sentence; it outlives the slot."""


def ask(*words: str) -> str:
    """What the program says. Raises CalledProcessError where it refuses."""
    return subprocess.run(
        [PROGRAM, *words], check=True, text=True, stdout=subprocess.PIPE
    ).stdout.strip()


def other(slot: str) -> str:
    return "b" if slot == "a" else "a"


def is_on_trial() -> bool:
    """Is the slot that runs being tried?"""
    return subprocess.run([PROGRAM, "is-on-trial"]).returncode == 0


def why_not() -> str:
    """Why the slot that was tried last was not kept; empty where that is not known."""
    try:
        return (held() / WHY).read_text().strip()
    except (OSError, ValueError):
        return ""


def gone_bad(slot: str, why: str) -> None:
    """Write down that a slot was tried and not kept. The reason is told all the same where the
    partition of the games, on which it is written down, may be what is wrong."""
    print(why, flush=True)
    ask("set-state", slot, "bad")
    try:
        (held() / WHY).write_text(why + "\n")
    except OSError as error:
        print(f"That cannot be written to {WHY}: {error}.", flush=True)

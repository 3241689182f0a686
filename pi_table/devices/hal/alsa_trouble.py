"""Sentences for the staff about faults of the loudspeaker."""

import errno
import os
from typing import Final

from pi_table.common.language import Say, say

NAMES: Final = say("'aplay -L' lists the names")
MAX_MESSAGE_LENGTH: Final = 80
"""Maximum number of characters of aplay's error message in a sentence."""


def cannot_run(program: str, error: OSError) -> str:
    if error.errno == errno.ENOENT:
        return say(
            "There is no sound, because the program {program} is missing. Install it with 'sudo "
            "apt install alsa-utils', or name another driver in [sound] of the configuration.",
            program=program,
        )
    said = Say(os.strerror(error.errno)) if error.errno else str(error)
    return say(
        "There is no sound, because {program} cannot be started: {said}. Restart the table.",
        program=program,
        said=said,
    )


def busy(device: str) -> str:
    return say(
        "Another program is using the sound device {device}. Stop it, or name a device that "
        "several may use as device in [sound] of the configuration; {names}.",
        device=repr(device),
        names=NAMES,
    )


def device_failure(device: str, said: str) -> str:
    """Return a sentence that says why the sound device failed. ``said`` is aplay's standard error
    output."""
    lines = [line for line in said.splitlines() if line.startswith("aplay: ")]
    last = lines[-1] if lines else ""
    if "Device or resource busy" in last:
        return busy(device)
    if "Permission denied" in last:
        return say(
            "This user may not use the sound device {device}. Add this user to the group audio: "
            "'sudo usermod -aG audio NAME', and log in again.",
            device=repr(device),
        )
    if "audio open error" in last:
        return say(
            "There is no sound device {device}. Plug it in; if it is, correct device in "
            "[sound] of the configuration: {names}.",
            device=repr(device),
            names=NAMES,
        )
    what = last.rpartition(": ")[2].rstrip(":") or say("it does not say why")
    return say(
        "The sound device {device} has stopped in the middle of a sound ({short}). Plug it "
        "in again; the table goes on without it, and tries it again by itself.",
        device=repr(device),
        short="".join(filter(str.isprintable, what))[:MAX_MESSAGE_LENGTH],
    )


def stuck(device: str) -> str:
    return say(
        "The sound device {device} does not play what it is given. Plug it in again, or name "
        "another as device in [sound] of the configuration; {names}.",
        device=repr(device),
        names=NAMES,
    )

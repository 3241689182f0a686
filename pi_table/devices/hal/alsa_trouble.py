"""What can be wrong with the loudspeaker, in sentences for the staff."""

import errno
import os
from typing import Final

NAMES: Final = "'aplay -L' lists the names"
LONGEST_TOLD: Final = 80
"""Characters of what aplay says that a sentence repeats."""


def cannot_run(program: str, error: OSError) -> str:
    """Why aplay cannot be started, and what to do."""
    if error.errno == errno.ENOENT:
        return (
            f"There is no sound, for the program {program} is missing. Install it with 'sudo apt "
            "install alsa-utils', or name another driver in [sound] of the configuration."
        )
    said = os.strerror(error.errno) if error.errno else str(error)
    return f"There is no sound, for {program} cannot be started: {said}. Start the table again."


def busy(device: str) -> str:
    """Why a device that another program has took no sound."""
    return (
        f"Another program has the sound device {device!r}. Stop it, or name a device that "
        f"several may use as device in [sound] of the configuration; {NAMES}."
    )


def failed(device: str, said: str) -> str:
    """Why the device took no sound, by what aplay said of it."""
    lines = [line for line in said.splitlines() if line.startswith("aplay: ")]
    last = lines[-1] if lines else ""
    if "Device or resource busy" in last:
        return busy(device)
    if "Permission denied" in last:
        return (
            f"The sound device {device!r} may not be used. Let this user into the group audio: "
            "'sudo usermod -aG audio NAME', and log in again."
        )
    if "audio open error" in last:
        return (
            f"There is no sound device {device!r}. Plug it in; if it is, correct device in "
            f"[sound] of the configuration: {NAMES}."
        )
    what = last.rpartition(": ")[2].rstrip(":") or "it does not say why"
    return (
        f"The sound device {device!r} has stopped in the middle of a sound ({_short(what)}). "
        "Plug it in again; the table goes on without it, and tries it again by itself."
    )


def stuck(device: str) -> str:
    """The device was opened, and takes no sound."""
    return (
        f"The sound device {device!r} does not play what it is given. Plug it in again, or name "
        f"another as device in [sound] of the configuration; {NAMES}."
    )


def _short(text: str) -> str:
    return "".join(each for each in text if each.isprintable())[:LONGEST_TOLD]

"""What somebody sees when a service of the table has failed for good: one sentence.

`write` finds the sentence, by the log of the service, for a file that the hidden screen reads
(`read`); where the screen itself has failed, the machine's text screen says what has. Nothing that
this module says is a secret: a log has none.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from pi_table.common.errors import InputError, TableError
from pi_table.common.files import read_small_file
from pi_table.common.language import (
    LANGUAGES,
    Lang,
    Say,
    Words,
    as_line,
    from_line,
    say,
    system_says,
    written,
)
from pi_table.common.log import TEXT

UNITS: Final = {
    "pi-table-engine.service": "engine",
    "pi-table-console.service": "console",
    "pi-table-web.service": "web",
    "pi-table-bridge.service": "bridge",
}
"""The services, and the file in which the fault of each stands."""
MOST_BYTES: Final = 1000
"""The size of the longest sentence that is shown."""
MOST_OF_TEXT: Final = 4000
"""The size of what that is made from, in the line below it."""
LINES: Final = 200
"""So many lines at the end of the log are looked at."""
LOG_SECONDS: Final = 20.0

COMPLAINTS: Final = ("pi-table: ", "ERROR ", "CRITICAL ")
"""How a line begins by which a program of the table says what is wrong."""
TRACEBACK: Final = re.compile(r"[A-Za-z_.]+(Error|Exception)(:|$)")
"""The last line of a traceback."""
BROKE_OFF: Final = say("It broke off in the middle.")
WHY: Final[dict[str, Say]] = {
    "watchdog": say("It did not answer any more, and was ended."),
    "oom-kill": say("The machine’s memory was full, and it was ended."),
    "timeout": say("It did not get ready in time, and was ended."),
    "signal": BROKE_OFF,
    "core-dump": BROKE_OFF,
}
"""What is said by the result that systemd has for a service, where that is why it ended."""
SILENT: Final = say("It ended, and did not say why.")
NOT_BEGUN: Final = say(
    "It could not even begin: what it needs is missing. Most likely the card’s partition for the "
    "games cannot be read: write the image to a good card, and put the latest backup back."
)
"""Of a service that never ran, for something before it had failed."""
NOT_RUN: Final = ("", "success")
"""What systemd tells of such a service."""
LOST: Final = say(
    "The card’s partition for the games was damaged, and what was on it is lost. Write the image "
    "to a good card, and put the latest backup back."
)
"""What systemd/image's `own-partition` says."""
COST_THE_GAMES: Final = (NOT_BEGUN, LOST)
"""What is said where the games may be gone, with the partition that they were on."""
AGAIN: Final = say(
    "Switch the table off and on again. If this comes back, show it to whoever keeps it."
)
SCREEN_STOPPED: Final = say("The hidden screen of this table has stopped.")
GOES_ON: Final = say("The game goes on without it, and nothing of it is lost.")
TABLE_TOO: Final = say("The table has stopped as well:")
COLUMNS: Final = 58
"""What fits into a line of the text screen, also where that is one of 480 dots."""


def write(
    unit: str,
    folder: Path,
    text_screen: Path,
    environment: Mapping[str, str] = os.environ,
    log: Callable[[str], bytes] | None = None,
) -> None:
    """Write why ``unit`` has failed into its file in ``folder``, and where the hidden screen has
    failed, now or before, onto the ``text_screen`` what has stopped.

    Raises InputError for a unit that is none of the table's, TableError for a file that cannot be
    written.
    """
    if unit not in UNITS:
        raise InputError(
            say(
                "{unit} is no service of the table; name one of: {units}.",
                unit=unit,
                units=", ".join(UNITS),
            )
        )
    sentence = sentence_of((log or _log)(unit), environment.get("MONITOR_SERVICE_RESULT", ""))
    path = folder / UNITS[unit]
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_bytes(_as_file(sentence))
        new.chmod(0o644)
        new.replace(path)
        console, engine = read(folder / "console"), read(folder / "engine")
        if console is not None:
            with open(text_screen, "wb", buffering=0) as screen:
                screen.write(on_text_screen(console, engine).encode())
    except OSError as error:
        raise TableError(
            say(
                "{filename} cannot be written ({strerror}), so nobody sees that {unit} has "
                "failed. It said: {sentence}",
                filename=error.filename or path,
                strerror=system_says(error),
                unit=unit,
                sentence=sentence,
            )
        ) from None


def _as_file(sentence: Words) -> bytes:
    text = as_line(sentence).encode()
    below = [text] if len(text) <= MOST_OF_TEXT else []
    return b"".join(each + b"\n" for each in (sentence.encode()[:MOST_BYTES], *below))


def sentence_of(log: bytes, result: str) -> Words:
    """Why a service ended: systemd's ``result``, where that says why, else the last thing that its
    latest run complained of. ``log`` has an entry of the journal in each line, as JSON."""
    entries = [entry for each in log.splitlines() if (entry := _entry(each))]
    if result in WHY:  # it was ended: whatever it complained of before, that was not why
        return WHY[result]
    if not log.strip() and result in NOT_RUN:
        return NOT_BEGUN
    latest = entries[-1][0] if entries else ""
    text = ""
    for run, message in reversed(entries):
        if run != latest:
            break
        if message.startswith(TEXT):
            text = message.removeprefix(TEXT)
            continue
        for before in COMPLAINTS:
            if message.startswith(before):
                return from_line(text, message.removeprefix(before))
        if TRACEBACK.match(message):  # what follows the name is not for everybody's eyes
            return BROKE_OFF
    return SILENT


def on_text_screen(console: Words, engine: Words | None) -> str:
    """What a text screen is sent, where the hidden screen has stopped for the sentence ``console``,
    and the table for ``engine``, if it has: cleared, and all of it in each language."""
    parts: list[str] = []
    for lang in LANGUAGES:
        lines = [*_set(SCREEN_STOPPED, lang), *_set(console, lang, "  ")]
        if engine is None:
            lines += _set(GOES_ON, lang)
        else:
            lines += [*_set(TABLE_TOO, lang), *_set(engine, lang, "  ")]
        parts.append("\r\n".join((*lines, *_set(AGAIN, lang))))
    return "\x1b[2J\x1b[H\r\n" + "\r\n\r\n".join(parts) + "\r\n"


def _set(words: Words, lang: Lang, indent: str = "") -> list[str]:
    """The words in lines of COLUMNS, with the signs that the text screen has."""
    return wrap(
        written(words, lang).translate(_PLAIN),
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,  # there are some in file names
    )


_PLAIN: Final = str.maketrans({"’": "'", "…": "...", "×": "x"})
"""What the kernel's own typeface lacks."""


def may_cost_the_games(sentence: Words) -> bool:
    """Whether nobody can promise that nothing is lost, where the table has stopped for this: the
    journal's own complaints say themselves what is still stored."""
    return sentence in COST_THE_GAMES or "journal" in sentence


def read(path: Path) -> Words | None:
    """What `write` has left; None if there is nothing, or nothing that can be read."""
    try:
        said, _, text = read_small_file(path, MOST_BYTES + MOST_OF_TEXT + 2).partition(b"\n")
    except OSError:
        return None
    signs = said[:MOST_BYTES].decode(errors="ignore").split()
    sentence = "".join(sign for sign in " ".join(signs) if sign.isprintable())
    return from_line(text.decode(errors="ignore"), sentence) if sentence else None


def _entry(each: bytes) -> tuple[str, str] | None:
    """The run of the service, and its message in one line; None for what has no words."""
    try:
        fields: dict[str, Any] = json.loads(each)
        message = fields["MESSAGE"]
        if isinstance(message, list):  # not text to journald: its bytes
            message = bytes(message).decode(errors="replace")
        words = " ".join(str(message).split())
        return (str(fields.get("_SYSTEMD_INVOCATION_ID", "")), words) if words else None
    except (ValueError, KeyError, TypeError):
        return None


def _log(unit: str) -> bytes:
    """The end of what the processes of the unit wrote since the machine was started."""
    _told(["journalctl", "--sync"])
    return _told(
        [
            *("journalctl", "--boot", "--quiet", "--no-pager", "--output=json"),
            *(f"--lines={LINES}", f"_SYSTEMD_UNIT={unit}"),
        ]
    )


def _told(command: Sequence[str]) -> bytes:
    try:
        done = subprocess.run(command, capture_output=True, timeout=LOG_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return b""  # without a log there is still systemd's result
    return done.stdout

"""Failure reports: one sentence that says why a service of the table has failed permanently.

`write` takes the sentence from the service's log and writes it to a file. `read` reads the file, so
that the hidden screen can show the sentence. If the screen itself has failed, the machine's text
console shows the sentence. Reports contain no secrets, because logs contain no secrets.
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
    translate,
)
from pi_table.common.log import TEXT

UNITS: Final = {
    "pi-table-engine.service": "engine",
    "pi-table-controller.service": "controller",
    "pi-table-console.service": "console",
    "pi-table-web.service": "web",
    "pi-table-bridge.service": "bridge",
}
"""The services, each with the name of its report file."""
MAX_SENTENCE_BYTES: Final = 1000
"""Maximum number of bytes of a sentence that is shown."""
MAX_TEXT_BYTES: Final = 4000
"""Maximum number of bytes of the line below the sentence. That line has the sentence's id and
fields as JSON."""
MAX_LINES: Final = 200
"""Maximum number of log lines that are read; the newest are read."""
LOG_SECONDS: Final = 20.0
"""Timeout in seconds of one call of journalctl."""

COMPLAINTS: Final = ("pi-table: ", "ERROR ", "CRITICAL ")
"""Beginnings of log lines in which a program of the table reports an error."""
TRACEBACK: Final = re.compile(r"[A-Za-z_.]+(Error|Exception)(:|$)")
"""Pattern for the beginning of the last line of a traceback."""
BROKE_OFF: Final = say("It crashed.")
WHY: Final[dict[str, Say]] = {
    "watchdog": say("It stopped answering, and was ended."),
    "oom-kill": say("The machine’s memory was full, and it was ended."),
    "timeout": say("It was not ready in time, and was ended."),
    "signal": BROKE_OFF,
    "core-dump": BROKE_OFF,
}
"""Sentences for those results of systemd that already say why a service ended, by the result."""
SILENT: Final = say("It ended without saying why.")
NOT_BEGUN: Final = say(
    "It could not even start: something that it needs is missing. Most likely the card’s "
    "partition for the games cannot be read: write the image to a good card, and restore the "
    "latest backup."
)
"""Sentence for a service that was never started, because something that it needs had failed."""
NOT_RUN: Final = ("", "success")
"""Results that systemd reports for a service that was never started."""
LOST: Final = say(
    "The card’s partition for the games was damaged, and what was on it is lost. Write the image "
    "to a good card, and restore the latest backup."
)
"""Sentence that `own-partition` in systemd/image writes if the partition was damaged."""
COST_THE_GAMES: Final = (NOT_BEGUN, LOST)
AGAIN: Final = say(
    "Switch the table off and on again. If this happens again, show it to whoever looks after "
    "the table."
)
SCREEN_STOPPED: Final = say("The hidden screen of this table has stopped.")
GOES_ON: Final = say("The game goes on without it, and nothing of it is lost.")
TABLE_TOO: Final = say("The table has stopped as well:")
COLUMNS: Final = 58
"""Number of characters in a line of the text console. They fit even on a console that is only 480
pixels wide."""


def write(
    unit: str,
    folder: Path,
    text_screen: Path,
    environment: Mapping[str, str] = os.environ,
    log: Callable[[str], bytes] | None = None,
) -> None:
    """Write the reason why ``unit`` has failed into the unit's file in ``folder``.

    If the hidden screen has failed, now or earlier, also write the failures to the ``text_screen``.
    Raises InputError if ``unit`` is not a service of the table, and TableError if a file cannot be
    written.
    """
    if unit not in UNITS:
        raise InputError(
            say(
                "{unit} is not a service of the table; name one of: {units}.",
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
    below = [text] if len(text) <= MAX_TEXT_BYTES else []
    return b"".join(each + b"\n" for each in (sentence.encode()[:MAX_SENTENCE_BYTES], *below))


def sentence_of(log: bytes, result: str) -> Words:
    """Return a sentence that says why a service ended. The sentence follows from systemd's
    ``result``, or else is the last error that the service's latest run logged.

    Each line of ``log`` is an entry of systemd's journal as JSON.
    """
    entries = [entry for each in log.splitlines() if (entry := _entry(each))]
    if result in WHY:  # systemd ended it, so earlier complaints are not the reason
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
        if TRACEBACK.match(message):  # not quoted: an exception's message may be private
            return BROKE_OFF
    return SILENT


def on_text_screen(console: Words, engine: Words | None) -> str:
    """Return the output for a text console. It clears the console and shows the failures.

    ``console`` says why the hidden screen has stopped, and ``engine`` why the table has stopped.
    ``engine`` is None if the table runs.
    """
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
    """Return the translated words in lines of at most `COLUMNS` characters. Characters that the
    console lacks are replaced."""
    return wrap(
        translate(words, lang).translate(_PLAIN),
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,  # a hyphen may be part of a file name
    )


_PLAIN: Final = str.maketrans({"’": "'", "…": "...", "×": "x"})
"""Replacements for characters that the kernel's console font lacks."""


def may_cost_the_games(sentence: Words) -> bool:
    """True if ``sentence`` says that the table stopped for a reason after which games may be lost.

    This includes every sentence with the word *journal*. Such a sentence itself says which games
    are still stored, so the screen must not promise that all games are safe.
    """
    return sentence in COST_THE_GAMES or "journal" in sentence


def read(path: Path) -> Words | None:
    """Return the sentence that `write` stored. None if the file is missing or cannot be read."""
    try:
        said, _, text = read_small_file(path, MAX_SENTENCE_BYTES + MAX_TEXT_BYTES + 2).partition(
            b"\n"
        )
    except OSError:
        return None
    signs = said[:MAX_SENTENCE_BYTES].decode(errors="ignore").split()
    sentence = "".join(sign for sign in " ".join(signs) if sign.isprintable())
    return from_line(text.decode(errors="ignore"), sentence) if sentence else None


def _entry(each: bytes) -> tuple[str, str] | None:
    """Return the id of the service's run, and the message as one line; None without a message."""
    try:
        fields: dict[str, Any] = json.loads(each)
        message = fields["MESSAGE"]
        if isinstance(message, list):  # journald gives bytes if the message is not text
            message = bytes(message).decode(errors="replace")
        words = " ".join(str(message).split())
        return (str(fields.get("_SYSTEMD_INVOCATION_ID", "")), words) if words else None
    except (ValueError, KeyError, TypeError):
        return None


def _log(unit: str) -> bytes:
    """Return the last lines that the unit's processes logged since the machine booted."""
    _output_of(["journalctl", "--sync"])
    return _output_of(
        [
            *("journalctl", "--boot", "--quiet", "--no-pager", "--output=json"),
            *(f"--lines={MAX_LINES}", f"_SYSTEMD_UNIT={unit}"),
        ]
    )


def _output_of(command: Sequence[str]) -> bytes:
    try:
        done = subprocess.run(command, capture_output=True, timeout=LOG_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return b""  # without a log there is still systemd's result
    return done.stdout

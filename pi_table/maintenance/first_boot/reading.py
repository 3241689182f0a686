"""Finds and reads a settings file. Each check records its faults, with their line numbers."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pi_table.common.language import did_you_mean, say

MAX_QUOTED_LENGTH: Final = 60
"""Maximum number of characters of the author's text that are quoted in a sentence."""
_HEADER: Final = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
"""Pattern of the line with which a section begins."""


def find_file(file: Path) -> Path:
    """Return ``file`` if it exists. Otherwise return the first of its `namesakes`, which the author
    may have meant; if it has no namesakes, return ``file``."""
    return next(iter([file] if os.path.exists(file) else namesakes(file)), file)


def namesakes(file: Path) -> list[Path]:
    """Return other files that Windows shows under the name of ``file``, in alphabetical order.

    Windows hides extensions, so an author may add ``.txt`` without noticing. Windows also ignores
    case.
    """
    shown = (file.name.lower(), f"{file.name.lower()}.txt")
    found = sorted(each for each in file.parent.glob("*") if each.name.lower() in shown)
    return [each for each in found if not (os.path.exists(file) and each.samefile(file))]


class Reading:
    """The text of one settings file, and ``wrong``: a sentence for each fault."""

    def __init__(self, text: str) -> None:
        self.wrong: list[str] = []
        self._lines = text.splitlines()

    def known_values(
        self, given: Mapping[str, Any], keys: tuple[str, ...], where: str
    ) -> dict[str, Any]:
        """Return the values of known keys; record a fault for each unknown key."""
        for key in given:
            if key not in keys:
                meant = did_you_mean(key[:MAX_QUOTED_LENGTH], [*keys])
                self.complain(
                    key,
                    say(
                        "there is no setting {where}{short}; {meant}",
                        where=where,
                        short=short(key),
                        meant=meant,
                    ),
                    where,
                )
        return {key: value for key, value in given.items() if key in keys}

    def section(self, given: Mapping[str, Any], key: str) -> dict[str, Any] | None:
        """Return the section with this name; None if it is missing or not a section."""
        value = given.get(key)
        if value is None or isinstance(value, dict):
            return value
        self.complain(
            key,
            say("{key} is a section: write [{key_2}], and its settings below.", key=key, key_2=key),
        )
        return None

    def text(
        self,
        given: Mapping[str, Any],
        key: str,
        fault_of: Callable[[str], str | None],
        where: str = "",
    ) -> str | None:
        """Return the text of a key; None if the key is missing or ``fault_of`` finds a fault."""
        value = given.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            self.complain(
                key,
                say(
                    '{where}{key} is a text, and goes in quotes: {key_2} = "…".',
                    where=where,
                    key=key,
                    key_2=key,
                ),
                where,
            )
            return None
        fault = fault_of(value)
        if fault is not None:
            self.complain(
                key, say("{where}{key} {fault}", where=where, key=key, fault=fault), where
            )
            return None
        return value

    def answer(self, given: Mapping[str, Any], key: str, where: str = "") -> bool | None:
        """Return the boolean value of a key; None if the key is missing or its value is not a
        boolean."""
        value = given.get(key)
        if value is None or isinstance(value, bool):
            return value
        sentence = say(
            "{where}{key} is true or false, without quotes: {key_2} = false.",
            where=where,
            key=key,
            key_2=key,
        )
        self.complain(key, sentence, where)
        return None

    def complain(self, key: str, sentence: str, where: str = "") -> None:
        """Record a fault of a key, with the key's line number if its line is found. ``where`` is
        the key's section, as in ``[wifi] ``."""
        written = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[]=]")
        section, now = where.strip("[] "), ""
        for number, line in enumerate(self._lines, 1):
            header = _HEADER.match(line)
            now = header[1] if header else now
            if written.match(line) and section in ("", now):
                self.wrong.append(
                    say("Line {number}: {sentence}", number=number, sentence=sentence)
                )
                return
        self.wrong.append(sentence)


def short(value: str) -> str:
    """Return a value as Python writes it, cut to at most `MAX_QUOTED_LENGTH` characters."""
    return repr(value if len(value) <= MAX_QUOTED_LENGTH else value[: MAX_QUOTED_LENGTH - 1] + "…")

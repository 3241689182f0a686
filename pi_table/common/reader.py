"""Who reads what a command writes: in which language, and in which characters.

The language is that of the system's environment, in gettext's order. `argparse` asks gettext for
its own words: `speak_to_the_reader` shows it the catalogues of this package. Every command imports
this module, which imports nothing that takes time.
"""

import codecs
import gettext
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

Lang = Literal["en", "it"]
LANGUAGES: Final[dict[Lang, str]] = {"en": "English", "it": "Italiano"}
"""Each language that the table speaks, and what it calls itself. This is the only list of them."""
GUESTS, STAFF = "guests", "staff"
"""The catalogues of each language: what guests read and hear, and what is for whoever keeps, makes
or repairs a table. A language may have the first one alone: staff then read English."""
CATALOGUES: Final = Path(__file__).parent / "locales"
PLAIN: Final = {
    **dict.fromkeys("‘’ʼ", "'"),
    **dict.fromkeys("“”«»", '"'),
    **dict.fromkeys("‐‑–—─", "-"),
    "…": "...",
    "·": "-",
    "•": "*",
    "×": "x",
    "✖": "X",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "●": "@",
    "◆": "#",
    "○": "o",
    "°": " deg",
    "µ": "u",
    "∞": "inf",
}
"""What is written for signs of our texts where the encoding has no such sign."""
VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that name a language, the first that is set being the one that holds."""


def language_of(environment: Mapping[str, str]) -> Lang | None:
    """The first language of the environment that the table speaks; None if it speaks none of them,
    or the environment names none, as in C and POSIX."""
    named = next((value for name in VARIABLES if (value := environment.get(name))), "")
    for each in named.split(":"):
        code = each.partition(".")[0].partition("_")[0].lower()
        for lang in LANGUAGES:
            if lang == code:
                return lang
    return None


def readers_language(configured: Lang | None = None) -> Lang:
    """The language to write to the terminal in: the environment's, or else the ``configured`` one,
    or else English."""
    return language_of(os.environ) or configured or "en"


def speak_to_the_reader() -> None:
    """Let `gettext.gettext`, by which argparse and the command line have their words, answer in the
    reader's language."""
    gettext.bindtextdomain(STAFF, CATALOGUES)
    gettext.textdomain(STAFF if readers_language() != "en" else "messages")


def write_whatever_the_encoding() -> None:
    """Let standard output and standard error take every text: what their encoding does not have is
    written as plainly as it can be."""
    codecs.register_error("pi-table-plain", _in_plain)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed; no other file may get its number
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115 - kept open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="pi-table-plain")


def write_json() -> None:
    """Let standard output be JSON in every encoding: what is not UTF-8 gets ``\\u`` escapes."""
    codecs.register_error("pi-table-json", _in_json)
    if isinstance(sys.stdout, io.TextIOWrapper) and not _is_utf8(sys.stdout):
        sys.stdout.reconfigure(encoding="ascii", errors="pi-table-json")


def write_utf8() -> None:
    """Let standard output be UTF-8: a file of a form that is UTF-8 everywhere."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not _is_utf8(sys.stdout):
        sys.stdout.reconfigure(encoding="utf-8")


def _is_utf8(stream: io.TextIOWrapper) -> bool:
    return codecs.lookup(stream.encoding).name == "utf-8"


def _in_plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write one character that an encoding does not have: a byte of a file's name as it was, a sign
    as one that looks like it, a letter without its accent, or else a question mark."""
    assert isinstance(error, UnicodeEncodeError)
    sign = error.object[error.start]
    if "\udc80" <= sign <= "\udcff":
        return bytes((ord(sign) - 0xDC00,)), error.start + 1
    from unicodedata import normalize

    bare = normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return PLAIN.get(sign) or bare or "?", error.start + 1


def _in_json(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    sign = error.object[error.start].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{sign[at : at + 4]}" for at in range(0, len(sign), 4)), error.start + 1

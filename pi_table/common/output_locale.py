"""The language and the character encoding of a command's output.

The language is that of the environment, in gettext's order. `argparse` uses gettext for its own
words: `speak_to_the_reader` gives it the catalogues of this package. Every command imports this
module, so this module imports nothing that is slow.
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
"""Each language of the table, with its name in that language. This is the only list of the
languages."""
GUESTS, STAFF = "guests", "staff"
"""Names of the two catalogues of each language: texts for guests, and texts for people who keep,
build or repair a table. Without the second catalogue, staff read English."""
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
"""Replacements for characters that the encoding of the output lacks."""
VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables that name the language. Only the first one that is set counts."""


def language_of(environment: Mapping[str, str]) -> Lang | None:
    """Return the environment's first language that the table supports. None if it names no such
    language; C and POSIX do not count as languages."""
    named = next((value for name in VARIABLES if (value := environment.get(name))), "")
    for each in named.split(":"):
        code = each.partition(".")[0].partition("_")[0].lower()
        for lang in LANGUAGES:
            if lang == code:
                return lang
    return None


def readers_language(configured: Lang | None = None) -> Lang:
    """Return the language of the environment. If the environment names no language, return
    ``configured``, or English."""
    return language_of(os.environ) or configured or "en"


def speak_to_the_reader() -> None:
    """Make `gettext.gettext`, which argparse also uses, answer in the reader's language."""
    gettext.bindtextdomain(STAFF, CATALOGUES)
    gettext.textdomain(STAFF if readers_language() != "en" else "messages")


def write_whatever_the_encoding() -> None:
    """Let standard output and standard error accept any text. Characters that their encoding lacks
    are replaced by plain ones."""
    codecs.register_error("pi-table-plain", _in_plain)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed; no other file may take its descriptor
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115 - kept open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="pi-table-plain")


def write_json() -> None:
    r"""Make standard output ASCII with ``\u`` escapes, for JSON, unless its encoding is already
    UTF-8."""
    codecs.register_error("pi-table-json", _in_json)
    if isinstance(sys.stdout, io.TextIOWrapper) and not _is_utf8(sys.stdout):
        sys.stdout.reconfigure(encoding="ascii", errors="pi-table-json")


def write_utf8() -> None:
    """Make standard output UTF-8, for files that are always UTF-8."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not _is_utf8(sys.stdout):
        sys.stdout.reconfigure(encoding="utf-8")


def _is_utf8(stream: io.TextIOWrapper) -> bool:
    return codecs.lookup(stream.encoding).name == "utf-8"


def _in_plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return the replacement for one character that an encoding lacks.

    A byte of a file's name stays unchanged. A sign becomes a similar sign, a letter loses its
    accent, and any other character becomes a question mark.
    """
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

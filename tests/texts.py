"""The texts of the source, and the catalogues of the languages that they are translated to.

``python tests/texts.py`` brings the catalogues up to date: new texts stand in them with nothing
beside them, which `test_language` then asks for; those that are gone are taken out. Then it
compiles them. Babel finds the texts: what the source gives to `say`, to `say_many`, and to `_`.
Where a text stands decides which catalogue has it.
"""

import errno
import io
import os
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import pi_table
from pi_table.common.language import LANGUAGES, in_english
from pi_table.common.output_locale import CATALOGUES, GUESTS, STAFF
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.refusal import Reason

PACKAGE = Path(next(iter(pi_table.__path__)))
FOR_GUESTS: Final = re.compile(
    r"""
    games/(announcer|lines|names|referee|rules)\b | simulator/demonstration
    | screens/console/(?!service|house_lines|keepers_acts|operator_|pin_entry)
    | screens/web/(?!desk|files|listeners)
    | table/engine/(families|state|touches|requests/(door|game|console))\b
    """,
    re.VERBOSE,
)
"""Where the texts are made that guests read or hear. All others are for the staff."""
KEYWORDS: Final[dict[str, Any]] = {"say": (1,), "say_many": (1, 2), "_": (1,)}
"""The functions that are given texts, and which of their arguments are."""
OF_ARGPARSE: Final = (
    *("usage: ", "positional arguments", "options", "show this help message and exit"),
    "%(prog)s: error: %(message)s\n",
    "argument %(argument_name)s: %(message)s",
    *("the following arguments are required: %s", "one of the arguments %s is required"),
    *("unrecognized arguments: %s", "not allowed with argument %s", "ignored explicit argument %r"),
    *("expected one argument", "expected at most one argument", "expected at least one argument"),
    "ambiguous option: %(option)s could match %(matches)s",
    "invalid choice: %(value)r (choose from %(choices)s)",
)
"""The texts of argparse that this command line can come to show."""
ERRORS: Final = (
    *("EACCES", "EADDRINUSE", "EBUSY", "ECONNREFUSED", "EEXIST", "EFBIG", "EINVAL", "EIO"),
    *("EISDIR", "ELOOP", "EMFILE", "ENAMETOOLONG", "ENODEV", "ENOENT", "ENOSPC", "ENOTDIR"),
    *("ENXIO", "EPERM", "EROFS", "ETIMEDOUT"),
)
"""Frequent errors of the operating system."""


class Source(msgspec.Struct, frozen=True):
    """A text in the source; ``many`` is what it is of more than one thing."""

    one: str
    many: str | None
    file: str

    @property
    def domain(self) -> str:
        """The catalogue that has it."""
        place = self.file.removeprefix(f"{PACKAGE.name}/")
        return GUESTS if FOR_GUESTS.match(place) else STAFF


def catalogue_path(lang: str, domain: str) -> Path:
    return CATALOGUES / lang / "LC_MESSAGES" / f"{domain}.po"


@cache
def texts() -> dict[str, Source]:
    """Every text that can come before somebody's eyes in their language, by its English. What both
    guests and staff read is for guests."""
    found: dict[str, Source] = {}
    for source in sorted(sources(), key=lambda source: source.domain):
        known = found.setdefault(source.one, source)
        assert known.many == source.many, f"{source} differs from {known}"
    return found


def sources() -> Iterator[Source]:
    for file, _, message, *_ in extract_from_dir(PACKAGE, [("**.py", "python")], {}, KEYWORDS):
        one, many = (message, None) if isinstance(message, str) else message
        yield Source(one, many, f"{PACKAGE.name}/{file}")
    yield from _of_others()


def _of_others() -> Iterator[Source]:
    """The texts of tables, of the demonstration, and of other programs."""
    for reason in Reason:
        yield Source(in_english(reason.sentence), None, "pi_table/games/rules/refusal.py")
    for profile in PROFILES.values():
        yield Source(profile.title, None, "pi_table/games/rules/profile.py")
    for text in OF_ARGPARSE:
        yield Source(text, None, "pi_table/common/arguments.py")
    for name in ERRORS:
        yield Source(os.strerror(getattr(errno, name)), None, "pi_table/common/errors.py")
    for text in demonstration():
        yield Source(text, None, "pi_table/simulator/demonstration.jsonl")


def demonstration() -> Iterator[str]:
    """Yield the spoken lines of the demonstration, its words, and its clues."""
    lines = files("pi_table.simulator").joinpath("demonstration.jsonl").read_text("utf-8")
    for each in lines.splitlines():
        line: dict[str, Any] = msgspec.json.decode(each)
        if "say" in line:
            yield line["say"]
        yield from line.get("game", {}).get("words", ())
        if "word" in line.get("act", {}):
            yield line["act"]["word"]


def update() -> None:
    """Bring every catalogue up to date, and compile it. A text that comes into another catalogue
    keeps its translation."""
    for lang in LANGUAGES:
        known = {domain: _read(lang, domain) for domain in (GUESTS, STAFF)}
        translations = {each.id: each.string for one in known.values() for each in one if each.id}
        for domain, catalogue in known.items():
            if not catalogue_path(lang, domain).exists():
                continue
            template = Catalog()
            for source in texts().values():
                if source.domain == domain:
                    ids = source.one if source.many is None else (source.one, source.many)
                    template.add(ids, locations=[(source.file, 0)])
            catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
            for message in catalogue:
                if message.id in translations:
                    message.string = translations[message.id]
            _write(catalogue, catalogue_path(lang, domain))


def _read(lang: str, domain: str) -> Catalog:
    path = catalogue_path(lang, domain)
    if not path.exists():
        return Catalog(lang)
    with open(path, "rb") as file:
        catalogue = read_po(file, lang)
    catalogue.project, catalogue.version = "pi-table", "1"
    catalogue.msgid_bugs_address = ""
    return catalogue


def _write(catalogue: Catalog, path: Path) -> None:
    written = io.BytesIO()
    write_po(
        written,
        catalogue,
        width=100,
        ignore_obsolete=True,
        sort_by_file=True,
        include_lineno=False,
    )
    path.write_bytes(written.getvalue())
    with open(path.with_suffix(".mo"), "wb") as file:
        write_mo(file, catalogue)


if __name__ == "__main__":
    update()

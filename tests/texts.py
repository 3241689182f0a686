"""The texts of the source, and the catalogues of the languages that they are translated to.

``python tests/texts.py`` brings the catalogues up to date: new texts stand in them with nothing
beside them, which `test_language` then asks for; those that are gone are taken out. Then it
compiles them.
"""

import ast
import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from staff_texts import staff_texts

import pi_table
from pi_table.common.language import LANGUAGES
from pi_table.common.reader import CATALOGUES
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.refusal import Reason

PACKAGE = Path(next(iter(pi_table.__path__)))
REFUSALS = {"Unable": 1, "InputError": 0}
"""What the engine refuses with, and which of its arguments the sentence is."""


class Source(msgspec.Struct, frozen=True):
    """A text in the source; ``many`` is what it is of more than one thing."""

    one: str
    many: str | None
    file: str


def catalogue_path(lang: str) -> Path:
    return CATALOGUES / lang / "LC_MESSAGES" / "pi_table.po"


@cache
def texts() -> dict[str, Source]:
    """Every text that can come before somebody's eyes in their language, by its English."""
    found: dict[str, Source] = {}
    for source in _all():
        known = found.setdefault(source.one, source)
        assert known.many == source.many, f"{source} differs from {known}"
    return found


def _all() -> Iterator[Source]:
    for path in sorted(PACKAGE.rglob("*.py")):
        file = str(path.relative_to(PACKAGE.parent))
        tree = ast.parse(path.read_text("utf-8"))
        names = {name for name in ("say", "say_many") if _imports(tree, name)}
        names |= REFUSALS.keys() if "/table/engine/" in file else set()
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name), args=given) if name in names:
                    yield from _called(name, given, file)
    for reason in Reason:
        yield Source(reason.sentence, None, "pi_table/games/rules/refusal.py")
    for profile in PROFILES.values():
        yield Source(profile.title, None, "pi_table/games/rules/profile.py")
    for text, file in staff_texts(PACKAGE):
        yield Source(text, None, file)


def _imports(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "pi_table.common.language"
        and any(alias.name == name for alias in node.names)
        for node in ast.walk(tree)
    )


def _called(name: str, given: list[ast.expr], file: str) -> Iterator[Source]:
    if name not in REFUSALS:
        one, *more = (_literal(each, file) for each in given[:2])
        yield Source(one, more[0] if name == "say_many" else None, file)
    elif len(given) > REFUSALS[name]:
        sentence = given[REFUSALS[name]]
        if isinstance(sentence, ast.Constant):  # others have something in them: for the staff
            yield Source(str(sentence.value), None, file)


def _literal(given: ast.expr, file: str) -> str:
    assert isinstance(given, ast.Constant), f"{file}:{given.lineno}: a text is written out"
    return str(given.value)


def update() -> None:
    """Bring every catalogue up to date, and compile it."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po, write_po

    template = Catalog()
    for source in texts().values():
        ids = source.one if source.many is None else (source.one, source.many)
        template.add(ids, locations=[(source.file, 0)])
    for lang in LANGUAGES:
        path = catalogue_path(lang)
        if path.exists():
            with open(path, "rb") as file:
                catalogue = read_po(file, lang)
            catalogue.project, catalogue.version = "pi-table", "1"
            catalogue.msgid_bugs_address = ""
            catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
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

"""Bounds that no test names, each as the mistake of lifting it: `python tests/mutations --bounds`.

Prose promises them (`MAX_…`, `MIN_…`, `…_SECONDS`, `…_BYTES`). A test that names one follows it,
whatever it is, and a mutation of its own holds it; of the others this tells who would notice.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mutation import Mutation

UPPER: Final = re.compile(r"_?MAX_|\w+_(SECONDS|BYTES|MS|DAYS|MINUTES|AT_ONCE|A_SECOND)$")
"""A bound that does not hold any more once it is a thousand times as large."""
LOWER: Final = re.compile(r"_?MIN_")
"""A bound that does not hold any more once it is 0."""
_NAME: Final = re.compile(r"\b_?[A-Z][A-Z_]+\b")


def lifted_bounds(root: Path) -> Iterator[Mutation]:
    """The mistakes, by file. The tests of each are those that import its module, or a module which
    does, or are named for it: of all parts only where its own part has none."""
    tests, sources = (
        {path: path.read_text("utf-8") for path in sorted(root.glob(f"{folder}/**/*.py"))}
        for folder in ("tests", "pi_table")
    )
    run = {path: text for path, text in tests.items() if path.name.startswith("test_")}
    mutations = (path.read_text("utf-8") for path in root.glob("tests/mutations/*.txt"))
    named = {name for text in (*tests.values(), *mutations) for name in _NAME.findall(text)}
    for path, text in sources.items():
        bounds = [each for each in _bounds(text) if each[0] not in named]
        if not bounds:
            continue
        own = _tests_of(path, root)
        found = {*own.glob(f"test_{path.stem.partition('_')[0]}*.py")}
        for module in (path, *_importers(path, root, sources)):
            found.update(_importers(module, root, run))
        near = {test for test in found if own in test.parents} or found
        files = {str(test.relative_to(root)) for test in near}
        for name, statement, value in bounds:
            yield Mutation(
                f"{name} is no bound",
                str(path.relative_to(root)),
                statement,
                f"{statement.removesuffix(value)}({value}) * {1000 if UPPER.match(name) else 0}",
                tuple(sorted(files)),
            )


def _tests_of(path: Path, root: Path) -> Path:
    """The folder of tests with the name of a folder in which the module lies."""
    folders = (root / "tests" / part for part in path.relative_to(root / "pi_table").parts)
    return next((folder for folder in folders if folder.is_dir()), root / "tests")


def _bounds(text: str) -> Iterator[tuple[str, str, str]]:
    """Each bound at the top of a module that is a number: its name, its statement, its value."""
    for node in ast.parse(text).body:
        match node:
            case ast.AnnAssign(
                target=ast.Name(id=name), value=ast.Constant() | ast.BinOp() as value
            ):
                pass
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Constant() | ast.BinOp() as value
            ):
                pass
            case _:
                continue
        statement, written = ast.get_source_segment(text, node), ast.get_source_segment(text, value)
        assert statement is not None
        assert written is not None
        is_number = not re.search(r"[\"'\[({]|None|True|False", written)
        if is_number and (UPPER.match(name) or LOWER.match(name)):
            yield name, statement, written


def _importers(path: Path, root: Path, texts: dict[Path, str]) -> list[Path]:
    """The files that import a module."""
    *package, name = path.relative_to(root).with_suffix("").parts
    folder = re.escape(".".join(package))
    line = re.compile(rf"^ *from {folder}(\.{name} import | import .*\b{name}\b)", re.MULTILINE)
    return [file for file, text in texts.items() if name in text and line.search(text)]

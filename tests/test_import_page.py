"""The import rules, as ARCHITECTURE.md shows them.

``python tests/test_import_page.py`` writes them there, from the tables of `test_imports`.
"""

import re
import textwrap
from itertools import groupby
from pathlib import Path
from typing import Final

from test_imports import (
    FOR_EVERYBODY,
    HAL,
    HIDDEN_NAMES,
    MAY_IMPORT,
    MUST_NOT_REACH,
    NEVER_HOLD_A_KEY,
    OF_THE_CONSOLE,
    PURE,
    ROOTS,
    THAT_PLAY_THE_RULES,
    VALUES_OF_RULES,
)

PAGE: Final = Path(__file__).parents[1] / "ARCHITECTURE.md"
BEGIN, END = "<!-- imports: tests/test_import_page.py -->\n", "<!-- end of the imports -->\n"
GROUPS: Final = {
    "DRIVERS": HAL,
    "TABLE_DRIVERS": HAL - OF_THE_CONSOLE,
    "PLAY": THAT_PLAY_THE_RULES,
    "VALUES": VALUES_OF_RULES,
}
"""Short names for many modules; of two groups that overlap, the larger one first."""


def rules() -> str:
    """Return the generated part of the page."""
    may = {part: to for part, to in reversed(MAY_IMPORT.items()) if part not in ROOTS}
    return f"""\
```text
PART                   MAY IMPORT, BESIDES ITSELF
{"".join(_row(_path(part), _listed(to)) for part, to in may.items())}
PART                   MUST NOT REACH, IN ANY NUMBER OF STEPS
{"".join(_row(_path(part), _listed(to)) for part, to in MUST_NOT_REACH.items())}
{_row("GROUP", "CONSISTS OF")}\
{_row("what all may import", _listed(FOR_EVERYBODY))}\
{_row("no file, clock, socket", _listed(PURE))}\
{_row("import no secret name", _listed({*NEVER_HOLD_A_KEY}))}\
{_row("secret names", ", ".join(sorted(HIDDEN_NAMES)))}\
{_row("import all below them", _listed(ROOTS))}\
{_row("VALUES", _listed(VALUES_OF_RULES, named=False))}\
{_row("PLAY", _listed(THAT_PLAY_THE_RULES, named=False))}\
{_row("DRIVERS", "devices/hal, all but contracts")}\
{_row("TABLE_DRIVERS", f"DRIVERS but {_listed(OF_THE_CONSOLE)}")}\
```
"""


def _row(part: str, text: str) -> str:
    """Format one row; the second column is wrapped."""
    lines = textwrap.wrap(text, 115, break_on_hyphens=False)
    return f"{part:<23}" + f"\n{'':<23}".join(lines) + "\n"


def _listed(modules: set[str], *, named: bool = True) -> str:
    """List modules, those of one folder together; whole groups by their names if ``named``."""
    modules = modules - {""}
    found = []
    for name, group in GROUPS.items() if named else ():
        if group <= modules:
            found.append(name)
            modules -= group
    folders = []
    for folder, each in groupby(sorted(modules), lambda module: module.rpartition(".")[0]):
        names = [module.rpartition(".")[2] for module in each]
        inner = f"{{{','.join(names)}}}" if folder and len(names) > 1 else ", ".join(names)
        folders.append(f"{_path(folder)}/{inner}" if folder else inner)
    return ", ".join([*folders, *found]) or "nothing"


def _path(module: str) -> str:
    return module.replace(".", "/")


def page() -> str:
    """The page as it is to be."""
    text = PAGE.read_text("utf-8")
    return re.sub(f"(?<={re.escape(BEGIN)}).*?(?={re.escape(END)})", rules(), text, flags=re.DOTALL)


def test_the_page_shows_the_rules() -> None:
    """If not: ``python tests/test_import_page.py``."""
    assert PAGE.read_text("utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

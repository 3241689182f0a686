"""Who may import whom, as ARCHITECTURE.md shows it.

``python tests/test_import_page.py`` writes it there, from the tables of `test_imports`.
"""

import re
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
    ROOT,
    ROOTS,
    THAT_PLAY_THE_RULES,
    VALUES_OF_RULES,
)

PAGE: Final = Path(__file__).parents[1] / "ARCHITECTURE.md"
BEGIN, END = "<!-- imports: tests/test_import_page.py -->\n", "<!-- end of the imports -->\n"
NAMED: Final = {
    "*drivers*": HAL,
    "*the table's drivers*": HAL - OF_THE_CONSOLE,
    "*the modules that play*": THAT_PLAY_THE_RULES,
    "*the values of views*": VALUES_OF_RULES,
}
"""What many modules are called together; of two that overlap, the larger one first."""


def rules() -> str:
    """A row for each part, the highest first, what must not be reached, and the rest."""
    rows = "".join(
        f"| {listed({part})} | {listed(may)} |\n"
        for part, may in reversed(MAY_IMPORT.items())
        if may
    )
    hidden = "".join(
        f"| {listed({part})} | {listed(to)} |\n" for part, to in MUST_NOT_REACH.items()
    )
    nothing = {part for part, may in MAY_IMPORT.items() if not may} - ROOTS
    return f"""\
| part | may import, besides itself |
|---|---|
{rows}
| part | must not reach, in any number of steps |
|---|---|
{hidden}
- {listed(nothing)} import nothing but themselves. Everybody may import {listed(FOR_EVERYBODY)};
  {listed(ROOTS)} may import whatever is below them.
- These use no files, clock or network: {listed(PURE)}.
- These import no name that holds what is hidden ({", ".join(sorted(HIDDEN_NAMES))}):
  {listed({*NEVER_HOLD_A_KEY})}.
- *The values of views* are {_in_words(VALUES_OF_RULES)}.
- *The modules that play* are {_in_words(THAT_PLAY_THE_RULES)}.
- *Drivers* are all modules of `devices/hal` but `contracts`, and *the table's* those of them but
  {_in_words(OF_THE_CONSOLE)}.
"""


def listed(modules: set[str]) -> str:
    """Modules in words: some by a name for all of them, those of a folder together."""
    modules = modules - {""}
    named = []
    for name, group in NAMED.items():
        if group <= modules:
            named.append(name)
            modules -= group
    return ", ".join([*([_in_words(modules)] if modules else []), *named]) or "–"


def _in_words(modules: set[str]) -> str:
    folders = []
    for place, each in groupby(sorted(modules), lambda module: module.rpartition(".")[0]):
        names = [module.rpartition(".")[2] for module in each]
        folder = place.replace(".", "/")
        if not folder or (len(names) == 1 and (ROOT / folder / names[0]).is_dir()):
            folders += [f"`{Path(folder, name)}`" for name in names]
        else:
            folders.append(f"`{folder}` ({', '.join(names)})")
    return ", ".join(folders)


def page() -> str:
    """The page as it is to be."""
    text = PAGE.read_text("utf-8")
    return re.sub(f"(?<={re.escape(BEGIN)}).*?(?={re.escape(END)})", rules(), text, flags=re.DOTALL)


def test_the_page_shows_the_rules() -> None:
    """If not: ``python tests/test_import_page.py``."""
    assert PAGE.read_text("utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

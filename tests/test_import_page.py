"""Who may import whom, as ARCHITECTURE.md shows it.

``python tests/test_import_page.py`` writes it there, from the tables of `test_imports` and
`test_import_order`.
"""

import re
from itertools import groupby
from pathlib import Path
from typing import Final

from test_import_order import ORDER, below_package
from test_imports import (
    FOR_EVERYBODY,
    HAL,
    HIDDEN_NAMES,
    MAY_IMPORT,
    MUST_NOT_REACH,
    NEVER_HOLD_A_KEY,
    NOT_PARTS,
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
    """The order of the parts, the highest first; a row for each that is a folder; the rest."""
    order = "".join(f"  {'   '.join(sorted(step))}\n" for step in reversed(ORDER))
    rows = "".join(
        f"| `{name}` | {listed(may)} | {listed(MUST_NOT_REACH.get(name, set()))} |\n"
        for name, may in sorted(MAY_IMPORT.items())
        if (ROOT / name).is_dir()
    )
    hidden = ", ".join(sorted(HIDDEN_NAMES))
    return f"""\
```text
{order}```

| part | may import, besides itself | must not even reach |
|---|---|---|
{rows}
- Everybody may import {listed(FOR_EVERYBODY)}; {listed(ROOTS | NOT_PARTS)} may import anything.
- These use no files, clock or network: {listed(PURE)}.
- These import no name that holds what is hidden ({hidden}): {listed({*NEVER_HOLD_A_KEY})}.
- *The values of views* are {_in_words(VALUES_OF_RULES)}.
- *The modules that play* are {_in_words(THAT_PLAY_THE_RULES)}.
- *Drivers* are all modules of `hal` but `contracts`, and *the table's* those of them but
  {_in_words(OF_THE_CONSOLE)}.
"""


def listed(modules: set[str]) -> str:
    """Modules in words: some by a name for all of them, those of a folder together."""
    modules = {below_package(module) for module in modules} - {""}
    named = []
    for name, group in NAMED.items():
        if group <= modules:
            named.append(name)
            modules -= group
    return ", ".join([*([_in_words(modules)] if modules else []), *named]) or "–"


def _in_words(modules: set[str]) -> str:
    folders = []
    for folder, each in groupby(sorted(modules), lambda module: module.partition(".")[0]):
        within = [module.partition(".")[2] for module in each]
        folders.append(f"`{folder}`" if "" in within else f"`{folder}` ({', '.join(within)})")
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

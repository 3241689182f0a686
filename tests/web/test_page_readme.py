"""The README of the pages has a word for each file."""

from pathlib import Path

import pi_table

PAGES = Path(next(iter(pi_table.__path__))) / "screens" / "web/pages"


def test_the_readme_names_every_file() -> None:
    readme = (PAGES / "README.md").read_text("utf-8")
    files = {path.name for path in PAGES.iterdir() if path.is_file()} - {"README.md"}
    assert {name for name in files if f"`{name}`" not in readme} == set()

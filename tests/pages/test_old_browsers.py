"""A browser that is too old for the pages says so, instead of showing an empty one."""

from pathlib import Path

import pytest
from people import Open, Picture
from playwright.sync_api import expect
from table_with_pages import TableWithPages

import pi_table.screens.web

pytestmark = pytest.mark.pages

LACKS = {
    "Object.hasOwn": "delete Object.hasOwn",
    "Array.at": "delete Array.prototype.at",
    "container units": "CSS.supports = () => false",
}


@pytest.mark.parametrize("path", ["/", "/seat", "/desk"])
@pytest.mark.parametrize("lacks", LACKS)
def test_a_browser_that_is_too_old_says_so(
    table: TableWithPages, opened: Open, picture: Picture, path: str, lacks: str
) -> None:
    page = opened("about:blank")
    page.add_init_script(LACKS[lacks])
    page.goto(f"{table.url}{path}")
    expect(page.get_by_role("alert")).to_contain_text("too old for this page. Chrome 105")
    if lacks == "Object.hasOwn":
        picture(page, f"too-old{path.replace('/', '-')}")


def test_the_first_scripts_are_old_enough_to_be_read() -> None:
    """Browsers without the pages' own syntax read only these: nothing in them is younger than
    modules and `import()`."""
    pages = Path(next(iter(pi_table.screens.web.__path__))) / "pages"
    begin, too_old = ((pages / name).read_text("utf-8") for name in ("begin.js", "too-old.js"))
    for young in ("??", "?.", "#", "await", "static {", "||="):
        assert young not in begin
        assert young not in too_old
    for younger_than_modules in ("=>", "const ", "let ", "`", "import"):
        assert younger_than_modules not in too_old

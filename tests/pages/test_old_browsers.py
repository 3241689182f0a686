"""Old browsers: what is filled in for them, and the sentence in those that are too old.

Whole games in the oldest supported Chromium are in the files of those games: `in_old_and_new`.
"""

import re

import pytest
from modules import PAGES
from old_chromium import OLDEST, TOO_OLD
from people import Board, Open, Picture
from playwright.sync_api import Route, expect
from table_with_pages import TableWithPages, until

pytestmark = pytest.mark.pages

SENTENCE = "This browser is too old for this page. Chrome 79, Safari 14, Firefox 78 and newer"
PATHS = ("/", "/seat", "/desk")
HIDE_UNITS = "const now = CSS.supports; CSS.supports = (...of) => of[1] !== '1cqw' && now(...of);"
HIDE_DIALOGS = (
    "for (const each of ['showModal', 'close', 'open']) delete HTMLDialogElement.prototype[each];"
)
SETTLED = "const frame = () => new Promise(requestAnimationFrame); await frame().then(frame);"
SHARE = """
const name = node.querySelector(".place");
return parseFloat(getComputedStyle(name).fontSize) / node.getBoundingClientRect().height;
"""
COUNT_LOCKS = """
window.locks = 0;
Object.defineProperty(navigator, "wakeLock", { value: {
    request: async (of) => { if (of === "screen") window.locks += 1; throw new Error("refused"); },
} });
"""
TOUCHING = """
() => [...document.querySelectorAll("*")].flatMap(box => {
    const style = getComputedStyle(box);
    const isColumn = style.flexDirection === "column";
    const gap = parseFloat(isColumn ? style.rowGap : style.columnGap);
    if (!/flex/.test(style.display) || !(gap > 0) || box.closest("[hidden]")) return [];
    const shown = [...box.children].map(each => each.getBoundingClientRect())
        .filter(each => each.width > 1 && each.height > 1);
    const edges = isColumn ? ["top", "bottom"] : ["left", "right"];
    return shown.slice(1).flatMap((each, place) => {
        const isNewLine = !isColumn && each.left < shown[place].right - 1;
        const between = each[edges[0]] - shown[place][edges[1]];
        return isNewLine || between > gap / 2 ? [] : [`${box.className}#${box.id}: ${between}`];
    });
})
"""


@pytest.mark.parametrize("chromium", [TOO_OLD], indirect=True)
@pytest.mark.parametrize("path", PATHS)
def test_a_browser_that_is_too_old_says_so(
    table: TableWithPages, opened: Open, picture: Picture, path: str
) -> None:
    page = opened(f"{table.url}{path}")
    expect(page.get_by_role("alert")).to_contain_text(SENTENCE)
    picture(page, f"too-old{path.replace('/', '-')}")


def test_a_browser_that_cannot_read_the_scripts_says_so(
    table: TableWithPages, opened: Open
) -> None:
    def serve(route: Route) -> None:
        route.fulfill(body="class A { b? }", content_type="text/javascript")

    page = opened("about:blank")
    page.route("**/static/paint.js", serve)
    page.goto(table.url)
    expect(page.get_by_role("alert")).to_contain_text(SENTENCE)


def test_the_first_scripts_are_old_enough_to_be_read() -> None:
    """Browsers without the pages' own syntax read only these: nothing in them is younger than
    modules and `import()`."""
    begin, too_old = ((PAGES / name).read_text("utf-8") for name in ("begin.js", "too-old.js"))
    for young in ("??", "?.", "#", "await", "static {", "||="):
        assert young not in begin
        assert young not in too_old
    for younger_than_modules in ("=>", "const ", "let ", "`", "import"):
        assert younger_than_modules not in too_old


def test_the_page_for_televisions_names_the_browsers_of_the_sentence() -> None:
    sentence = (PAGES / "too-old.js").read_text("utf-8")
    page = (PAGES.parent / "KIOSK.md").read_text("utf-8")
    for name, version in re.findall(r"(Chrome|Safari|Firefox) (\d+)", sentence):
        assert re.search(rf"{name}( or Chromium)? {version}\b", page)
    assert f"Chrome {OLDEST}" in sentence


def test_a_board_keeps_its_screen_on_where_browsers_allow_it(
    table: TableWithPages, opened: Open
) -> None:
    page = opened("about:blank")
    page.add_init_script(COUNT_LOCKS)
    page.goto(table.url)
    until(lambda: page.evaluate("window.locks") == 1)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(lambda: page.evaluate("window.locks") == 2)


@pytest.mark.parametrize("chromium", [OLDEST], indirect=True)
def test_the_oldest_browser_shows_a_board_that_keeps_its_distances(
    table: TableWithPages, opened: Open, picture: Picture
) -> None:
    page = opened(table.url)
    expect(page.locator("#start")).to_be_visible()
    assert page.evaluate(TOUCHING) == []
    picture(page, "oldest-start")
    page.click("#how")
    assert page.evaluate(TOUCHING) == []
    picture(page, "oldest-how-to-play")
    page.click("#how-close")
    table.console.do("start", profile="codenames")
    until(lambda: len(Board(page).cells()) == 25)
    assert page.evaluate(TOUCHING) == []
    sizes = page.evaluate(
        "() => [...document.querySelectorAll('.cell .word')]"
        ".map(word => parseFloat(getComputedStyle(word).fontSize))"
    )
    assert min(sizes) > 40
    picture(page, "oldest-board")


@pytest.mark.parametrize("chromium", [OLDEST], indirect=True)
def test_names_of_cells_grow_with_their_cells(table: TableWithPages, opened: Open) -> None:
    """Their size is a share of the cell's height, in units that the browser does not know."""
    table.console.do("start", profile="codenames")
    page = opened(table.url)
    page.set_viewport_size({"width": 1280, "height": 720})
    cell = page.locator("[data-name=A1] .face")
    share = cell.evaluate(f"async (node) => {{ {SETTLED} {SHARE} }}")
    assert share == pytest.approx(0.12, abs=0.005)


def test_a_dialog_opens_and_closes_where_browsers_have_none(
    table: TableWithPages, opened: Open
) -> None:
    page = opened("about:blank")
    page.add_init_script(HIDE_UNITS + HIDE_DIALOGS)
    page.goto(table.url)
    expect(page.locator("#how-dialog")).to_be_hidden()
    expect(page.locator("#start")).to_be_visible()
    page.click("#how")
    expect(page.locator("#how-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#how-dialog")).to_be_hidden()
    page.click("#how")
    page.click("#how-close")
    expect(page.locator("#how-dialog")).to_be_hidden()
    expect(page.locator("#how")).to_be_focused()

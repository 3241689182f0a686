"""The pages as people have them: a real table, its process of the pages, and Debian's Chromium.

`make pages-check` runs these tests in its own environment, and there they are red if the browser is
missing; those that need none run in `make test`, too. What was looked at lies in `build/pages`.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from table_with_pages import TableWithPages

PATIENCE_MS = 20_000
"""Milliseconds to wait for something to appear, on a machine that may be busy."""

if ".venv-pages" in Path(sys.prefix).parts:
    from old_chromium import OldChromium
    from people import Phone
    from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
else:
    tests = Path(__file__).parent.glob("test_*.py")
    needs = re.compile("playwright|tree_sitter")
    collect_ignore = [each.name for each in tests if needs.search(each.read_text("utf-8"))]

PICTURES = Path(__file__).parents[2] / "build/pages"
TELEVISION = (1920, 1080)
PHONE = (390, 844)


@pytest.fixture(scope="session")
def playwright() -> Iterator["Playwright"]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def chromium(playwright: "Playwright", request: pytest.FixtureRequest) -> Iterator["Browser"]:
    """Debian's Chromium, or the old one whose version is the parameter."""
    if version := getattr(request, "param", None):
        with OldChromium(playwright, version) as old:
            yield old
        return
    path = shutil.which("chromium")
    assert path, "chromium is not here: '.ci/setup.sh pages' installs it."
    browser = playwright.chromium.launch(
        executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
    )
    yield browser
    browser.close()


@pytest.fixture
def table() -> Iterator[TableWithPages]:
    """A table of its own for each test: nothing has been played there."""
    with (
        tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp") as folder,
        TableWithPages(Path(folder)) as running,
    ):
        yield running


@pytest.fixture
def opened(chromium: "Browser") -> Iterator[Callable[..., "Page"]]:
    """Opens an address as somebody of their own does, and fails the test for whatever the page
    complained of."""
    with ExitStack() as stack:
        complaints: list[str] = []

        def open_page(
            url: str, size: tuple[int, int] = TELEVISION, lang: str = "en", **more: Any
        ) -> "Page":
            context = chromium.new_context(
                viewport={"width": size[0], "height": size[1]}, locale=lang, **more
            )
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(f"{url}: {error}"))
            page.goto(url)
            return page

        yield open_page
        assert complaints == []


@pytest.fixture
def phone(table: TableWithPages, opened: Callable[..., "Page"]) -> Callable[..., "Phone"]:
    """A phone that has scanned the code of a seat, and is there."""

    def scanned(seat: str, **more: Any) -> "Phone":
        link = table.console.do("phone", **{"for": seat})["link"]
        page = opened(table.url + link, PHONE, has_touch=True, is_mobile=True, **more)
        found = Phone(page)
        found.is_there()
        return found

    return scanned


@pytest.fixture
def picture() -> Callable[["Page", str], None]:
    """Keeps what a page looks like, to be looked at."""

    def keep(page: "Page", name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png")

    return keep

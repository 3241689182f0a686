"""People who use the pages: somebody looks at a board, or holds a phone that has a seat."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Page, expect

CELLS: Final = tuple(f"{column}{row}" for row in range(1, 6) for column in "ABCDE")
_KEY: Final = """
() => Object.fromEntries([...document.querySelectorAll(".grid .cell")].map(cell => [
    cell.querySelector(".name").textContent,
    ["red", "blue", "bystander", "assassin"].find(each => cell.classList.contains(each)) || null,
]))
"""
_OPEN: Final = """
() => Object.fromEntries([...document.querySelectorAll("[data-name]")].map(cell => [
    cell.dataset.name, [cell.querySelector(".word").dataset.word, cell.dataset.what || null],
]))
"""

Open = Callable[..., Page]
"""Opens an address: the fixture `opened`."""
Picture = Callable[[Page, str], None]
"""Keeps what a page looks like, under a name: the fixture `picture`."""


class Board:
    """A screen that everybody looks at."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def cells(self) -> dict[str, tuple[str, str | None]]:
        """Each cell's word, and what it was found to be."""
        found: dict[str, list[str]] = self.page.evaluate(_OPEN)
        return {name: (word, what) for name, (word, what) in found.items()}

    def shows(self, cell: str, what: str) -> None:
        """See that a cell is shown to be that, soon."""
        expect(self.page.locator(f"[data-name={cell}]")).to_have_attribute("data-what", what)

    def title_is(self, words: str) -> None:
        expect(self.page.locator("#title")).to_have_text(words)


class Phone:
    """A phone with a seat, and a finger on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def is_there(self) -> None:
        """See that the phone has its seat: no sentence says that it waits for anything."""
        expect(self.page.locator("#state")).to_be_hidden()
        expect(self.page.locator("#main > *").first).to_be_visible()

    def is_asked(self) -> None:
        """See that the phone is asked whether it keeps its seat, and shows nothing hidden."""
        expect(self.page.locator("#hold-words")).to_have_text("Hold to keep this seat")
        expect(self.page.locator(".cell.key")).to_have_count(0)

    def press(self, key: str) -> None:
        self.page.locator(f"[data-key='{key}']").click()

    def offers(self, key: str) -> None:
        expect(self.page.locator(f"[data-key='{key}']")).to_be_enabled()

    @contextmanager
    def held(self, once: str = "Let go, and it is hidden") -> Iterator[None]:
        """A finger holds the button, and what is hidden is there; then it lets go."""
        self.press_hold()
        try:
            self.shows_what_is_hidden(once)
            yield
        finally:
            self.page.mouse.up()

    def press_hold(self) -> None:
        """Put a finger on the button that shows what is hidden."""
        button = self.page.locator("#hold")
        box = button.bounding_box()
        assert box
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()

    def shows_what_is_hidden(self, once: str = "Let go, and it is hidden") -> None:
        expect(self.page.locator("#hold-words")).to_have_text(once)

    def key(self) -> dict[str, str | None]:
        """The key, as a finger that holds shows it: of each cell what it is."""
        with self.held():
            found: dict[str, str | None] = self.page.evaluate(_KEY)
        return found

    def give(self, word: str, number: int) -> None:
        """Give a clue, and say yes where the referee doubts."""
        self.press("clue")
        self.page.fill("#clue-word", word)
        for _ in range(number):
            self.press("phone-more-words")
        self.offers("give")
        self.press("give")
        sure = self.page.locator("[data-key=give-yes]")
        form = self.page.locator("section.writing")
        expect(sure.or_(self.page.locator("section.writing[hidden]"))).to_have_count(1)
        if sure.count():
            sure.click()
        expect(form).to_be_hidden()


Phones = Callable[..., Phone]
"""A phone that has scanned the code of a seat: the fixture `phone`."""

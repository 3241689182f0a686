"""Two tables at which the same is played, and the screens of both, compared as people use them.

What is hidden is another thing at each: a key, or six identikits.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, Self

import twin_deals
from dealt_table import DealtTable
from given_keys import drawn
from looked_at import Look, Screen, told_apart, unlike
from people import CELLS, Phone
from playwright.sync_api import Browser, Page, Route, expect
from seen import Difference
from twin_keys import Told, twin

TELEVISION: Final = {"width": 1920, "height": 1080}
PHONE: Final = {"width": 390, "height": 844}
TIMEOUT_SECONDS: Final = 20.0
"""Seconds for which two screens may differ, as one is told something a little later."""
TRIES: Final = 5
TOLD_SECONDS: Final = 3.0
"""Seconds by which one table may get a message sooner than the other."""
WORDS: Final = (
    *("anchor", "bottle", "castle", "desert", "engine", "feather", "garden", "hammer", "island"),
    *("jacket", "kettle", "ladder", "mirror", "needle", "orange", "pepper", "quarry", "ribbon"),
    *("saddle", "temple", "valley", "window", "yellow", "zipper", "button"),
)
NICKNAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
WORD_GAME: Final = {"lang": "en"}
CODEX: Final = {
    "lang": "en",
    "screens": "phones",
    "visit_seconds": 600,
    "visit_starts": "ready",
    "discussion_seconds": 600,
}
SERVED: Final = "**/static/{file}"

Serve = Callable[[str, Any], str]
"""Makes of a file of the pages, and of what is hidden in a world, what is served instead."""


class World:
    """One table, what is hidden there, and the screens that are open."""

    def __init__(self, table: DealtTable) -> None:
        self.table = table
        self.hidden: Any = None
        self.screens: dict[str, Screen] = {}

    def phone(self, seat: str) -> Phone:
        return Phone(self.screens[seat].page)

    def link(self, who: str) -> str:
        """Where the screen is found: with a new link, if it is a phone."""
        return "" if who == "board" else self.table.console.do("phone", **{"for": who})["link"]

    def is_there(self, who: str) -> None:
        """See that the screen has found the table."""
        if who == "board":
            connecting = self.screens[who].page.locator("body[data-page=connecting]")
            expect(connecting).to_have_count(0)
        else:
            self.phone(who).is_there()

    def turn(self) -> str:
        return str(self.table.public()["view"]["turn"])


class TwoWorlds:
    """A context in which two tables run, and their screens are open in a browser."""

    def __init__(self, chromium: Browser) -> None:
        self._chromium = chromium
        self._stack = ExitStack()
        self._complaints: list[str] = []

    def __enter__(self) -> Self:
        self.worlds = [World(self._table()) for _ in range(2)]
        return self

    def _table(self) -> DealtTable:
        folder = self._stack.enter_context(TemporaryDirectory(prefix="pt-", dir="/tmp"))
        return self._stack.enter_context(DealtTable(Path(folder)))

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __iter__(self) -> Iterator[World]:
        return iter(self.worlds)

    @property
    def here(self) -> World:
        return self.worlds[0]

    def begin_words(self, keys: Iterable[str]) -> None:
        """Begin a game of words with these keys."""
        for world, key in zip(self, keys, strict=True):
            world.hidden = key
            world.table.begin("codenames", WORD_GAME, words=WORDS, key=key)

    def begin_codex(self, deals: Iterable[twin_deals.Deal], **options: str) -> None:
        """Begin a game of Codex with these identikits, and with options that are not as usual."""
        for world, deal in zip(self, deals, strict=True):
            world.hidden = twin_deals.as_json(deal)
            world.table.begin("codex", CODEX | options, deal=world.hidden)

    @contextmanager
    def opened(self, *whose: str, file: str = "", serve: Serve | None = None) -> Iterator[None]:
        """In both worlds the screens of these seats, or the "board", are open. ``serve`` makes what
        is served in the place of a file, of its text and of what is hidden in that world."""
        with ExitStack() as stack:
            for world in self:
                stack.callback(world.screens.clear)
                for who in whose:
                    page = stack.enter_context(self._page(who != "board"))
                    if serve is not None:
                        page.route(SERVED.format(file=file), _serving(serve, world.hidden))
                    page.goto(world.table.url + world.link(who))
                    world.screens[who] = Screen(page)
            for world in self:
                for who in whose:
                    world.is_there(who)
            yield
            assert self._complaints == []

    @contextmanager
    def _page(self, is_phone: bool) -> Iterator[Page]:
        size: Any = PHONE if is_phone else TELEVISION
        context = self._chromium.new_context(viewport=size, locale="en", has_touch=is_phone)
        try:
            page = context.new_page()
            page.on("pageerror", lambda error: self._complaints.append(str(error)))
            yield page
        finally:
            context.close()

    # What is compared

    def apart(self, when: str, patience: float = TIMEOUT_SECONDS) -> list[Difference]:
        """Where any screen that is open differs in the two worlds."""
        here, there = self.worlds
        return [
            difference
            for who in here.screens
            for difference in told_apart(
                f"{when}, {who}", here.screens[who], there.screens[who], patience
            )
        ]

    def are_alike(self, when: str) -> None:
        found = self.apart(when)
        assert not found, found[0]

    def let_go(self, who: str, tries: int = 2) -> list[Difference]:
        """Hold, see what is hidden, let go; where the screens differ at that very moment. Tried
        again where they do, once both tables have taken back what they had said to everybody."""
        for number in range(tries):
            if number:
                self.apart("before another try", TOLD_SECONDS)
            for world in self:
                world.phone(who).press_hold()
            looks = [_let_go(world.phone(who), world.screens[who]) for world in self]
            if not (found := unlike(f"let go, {who}", *looks)):
                break
        return found

    def let_go_alike(self, who: str, when: str) -> None:
        """The two worlds are alike before a hold, the moment that it ends, and afterwards."""
        self.are_alike(when)
        found = self.let_go(who, TRIES)
        assert not found, f"{when}: {found[0]}"
        self.are_alike(f"{when}, after a hold")


def _let_go(phone: Phone, screen: Screen) -> Look:
    """Return the screen of a held phone at the moment when the finger lets go."""
    phone.shows_what_is_hidden()
    phone.page.mouse.up()
    return screen.look()


def _serving(serve: Serve, hidden: Any) -> Callable[[Route], None]:
    def served(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=serve(answer.text(), hidden))

    return served


class Meant(NamedTuple):
    """The cells of a game of words that come to light as it is played, and one that is refused."""

    right: str
    bystander: str
    covered: str
    refused: str


def two_keys(seed: str) -> tuple[tuple[str, str], Meant]:
    """Two keys that agree on all that a game shows of them, and the cells that it is about."""
    chance = Random(seed)
    while True:
        key = drawn(chance.randrange)
        letters, own = key.letters, key.starts.letter
        right, covered = chance.sample([at for at in range(25) if letters[at] == own], 2)
        bystander = chance.choice([at for at in range(25) if letters[at] == "n"])
        refused = chance.choice([at for at in range(25) if letters[at] != own and at != bystander])
        told = Told({right, covered, bystander})
        told.refused(refused, key.starts)
        other = twin(letters, told, chance)
        if other is not None:
            cells = (CELLS[at] for at in (right, bystander, covered, refused))
            return (letters, other), Meant(*cells)


def two_deals(seed: str) -> tuple[twin_deals.Deal, twin_deals.Deal]:
    """Two deals of the same roles and nicknames, in which the first agent is not the same."""
    chance = Random(seed)
    roles = chance.sample(("hacker", "infiltrator", "informer", "inquisitor", "profiler"), 2)
    while True:
        one, other = (twin_deals.drawn(roles, NICKNAMES, chance) for _ in range(2))
        if one[0].role is not other[0].role:
            return one, other

"""ALL-1 in a real browser: nothing that a screen holds depends on what is hidden.

Two tables play the same game with another key, or with other identikits. Nobody can tell them apart
by what a board, an operatives' phone, and a phone that nobody holds are made of, or by what a
screen reader finds there. Of a phone that was held, that is asked at the moment it is let go, too.

The long run has more: `.venv-pages/bin/python -m pytest -m "pages and torture" tests/pages`.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

import pytest
from leaks_of_screens import AGENT, LEAKS, ScreenLeak
from people import Board, Phone
from playwright.sync_api import Browser, expect
from scripted_phone import ScriptedPhone
from table_with_pages import until
from twin_screens import TwoWorlds, World, two_deals, two_keys

pytestmark = pytest.mark.pages

MANY = 25
OTHERS = tuple(f"agent-{place}" for place in range(2, 7))
CODE = "2041"
SEEN_SECONDS = 3.0
"""So long a leak may take until it is seen."""
OFTEN = (
    "red-spymaster: the label of a button",
    "red-spymaster: an element that goes after a second",
    "red-spymaster: a description that no attribute tells",
    "red-spymaster: the order of the cells",
    "board: a width of a cell",
    "agent-1: a data attribute",
)
"""Leaks that are planted whenever the pages are checked; the others are in the long run."""
OTHER = {"red": "blue", "blue": "red"}


@pytest.fixture(scope="module")
def worlds(chromium: Browser) -> Iterator[TwoWorlds]:
    with TwoWorlds(chromium) as two:
        yield two


def test_screens_of_two_keys_are_alike_at_each_step_of_a_game(worlds: TwoWorlds) -> None:
    play_words(worlds, "words")  # ALL-1, CN-2


def test_screens_of_two_deals_are_alike_at_each_step_of_a_phase(worlds: TwoWorlds) -> None:
    play_codex(worlds, "codex")  # ALL-1, CX-18


@pytest.mark.torture
@pytest.mark.parametrize("number", range(MANY))
def test_screens_of_more_keys_and_deals_are_alike(worlds: TwoWorlds, number: int) -> None:  # ALL-1
    play_words(worlds, f"more keys/{number}")
    play_codex(worlds, f"more deals/{number}")


def named(leak: ScreenLeak) -> str:
    return f"{leak.screen}: {leak.name}"


@pytest.mark.parametrize("leak", [each for each in LEAKS if named(each) in OFTEN], ids=named)
def test_a_leak_is_found(worlds: TwoWorlds, leak: ScreenLeak) -> None:
    is_found(worlds, leak)


@pytest.mark.torture
@pytest.mark.parametrize("leak", [each for each in LEAKS if named(each) not in OFTEN], ids=named)
def test_another_leak_is_found(worlds: TwoWorlds, leak: ScreenLeak) -> None:
    is_found(worlds, leak)


def is_found(worlds: TwoWorlds, leak: ScreenLeak) -> None:
    """See that the two worlds are told apart, by that part of a screen in which the leak is."""
    if leak.screen == AGENT:
        worlds.begin_codex(two_deals("leaks"), visit_starts="at-once")
    else:
        worlds.begin_words(two_keys("leaks")[0])
    with worlds.opened(leak.screen, file=leak.file, serve=leak.serve):
        if leak.screen == AGENT:
            for world in worlds:
                come_in(world.phone(AGENT), times=2)
        held = "spymaster" in leak.screen or leak.screen == AGENT
        if held:
            worlds.are_alike("before a hold")
            found = worlds.let_go(leak.screen)
        else:
            found = worlds.apart("unheld", SEEN_SECONDS)
    assert leak.seen_in in [each.what.partition(": ")[2] for each in found], found


# A game of words


def play_words(worlds: TwoWorlds, seed: str) -> None:
    """A turn with a clue, two guesses, and a cover that is refused, at both tables."""
    keys, meant = two_keys(seed)
    print(f"seed {seed!r}, keys {keys}")
    worlds.begin_words(keys)
    team = worlds.here.turn()
    spymaster, operatives = f"{team}-spymaster", f"{team}-operatives"

    def each(does: Callable[[World], None]) -> None:
        for world in worlds:
            does(world)

    with worlds.opened("board", operatives, spymaster):
        worlds.are_alike("before any hold")
        worlds.let_go_alike(spymaster, "before a clue")
        each(lambda world: write_clue(world.phone(spymaster)))
        worlds.let_go_alike(spymaster, "as a clue is written")
        each(lambda world: world.phone(spymaster).press("give"))
        each(lambda world: mark(world.phone(operatives), meant.right))
        worlds.are_alike("after a mark")
        guess(worlds, meant.right, team)
        worlds.let_go_alike(spymaster, "after a guess")
        guess(worlds, meant.bystander, "bystander")
        each(lambda world: covers_are_offered(world, team))
        worlds.let_go_alike(spymaster, "as a cell is to be covered")
        each(lambda world: cover(world.phone(spymaster), meant.refused))
        each(lambda world: expect(world.phone(spymaster).page.locator(".notice")).to_be_visible())
        worlds.let_go_alike(spymaster, "after a cover that was refused")
        each(lambda world: cover(world.phone(spymaster), meant.covered))
        each(lambda world: Board(world.screens["board"].page).shows(meant.covered, team))
        worlds.let_go_alike(spymaster, "after a cover")


def write_clue(spymaster: Phone) -> None:
    spymaster.press("clue")
    spymaster.page.fill("#clue-word", "saffron")
    spymaster.press("phone-more-words")
    spymaster.press("phone-more-words")
    expect(spymaster.page.locator(".opinion strong")).to_be_visible()
    spymaster.offers("give")


def mark(operatives: Phone, cell: str) -> None:
    operatives.press(cell)
    marked = operatives.page.locator(f"button.cell.marked:not(.wished)[data-key={cell}]")
    expect(marked).to_have_count(1)


def guess(worlds: TwoWorlds, cell: str, what: str) -> None:
    """At both tables at once, for what is announced is read on the screens for six seconds."""
    with ThreadPoolExecutor() as both:
        assert all(both.map(lambda world: world.table.guess(cell), worlds))
    for world in worlds:
        Board(world.screens["board"].page).shows(cell, what)


def covers_are_offered(world: World, team: str) -> None:
    """The other team's clue is challenged, and not upheld: this team may cover a cell."""
    world.table.console.do("clue", seat=f"{OTHER[team]}-spymaster", word="thunder", number=1)
    spymaster = world.phone(f"{team}-spymaster")
    for act in ("challenge", "uphold"):
        spymaster.press(act)
        spymaster.press("yes")
    expect(spymaster.page.locator("button.cell")).to_have_count(23)


def cover(spymaster: Phone, cell: str) -> None:
    spymaster.press(cell)
    spymaster.press("yes")


# A phase of Codex


def play_codex(worlds: TwoWorlds, seed: str) -> None:
    """One agent sends, asks, demands and tries a code, whoever that agent is; so do both worlds."""
    deals = two_deals(seed)
    worlds.begin_codex(deals)
    print(f"seed {seed!r}, deals {[world.hidden for world in worlds]}")
    with worlds.opened("board", AGENT), ExitStack() as stack:
        others = Others(worlds, stack)

        def each(*keys: str) -> None:
            for world in worlds:
                for key in keys:
                    world.phone(AGENT).press(key)

        def shows(key: str, text: str = "entered") -> None:
            for world in worlds:
                line = world.phone(AGENT).page.locator(f"[data-key={key}]")
                expect(line).to_contain_text(text)

        def all_come_in(times: int) -> None:
            others.ask("ready")
            for world in worlds:
                come_in(world.phone(AGENT), times)

        def done(phase: str) -> None:
            each("line-done", "line-yes")
            others.ask("done")
            for world in worlds:
                until(partial(is_in, world, phase))

        worlds.are_alike("at the door")
        all_come_in(times=2)
        worlds.let_go_alike(AGENT, "at the menu")
        each("line-who")
        worlds.let_go_alike(AGENT, "at who I am")
        each("back", "line-send", "line-agent-2", "line-role")
        worlds.let_go_alike(AGENT, "at a second fact")
        each("line-none", "line-yes")
        shows("line-send")
        each("line-hack", "line-agent-3")
        shows("line-hack")
        worlds.let_go_alike(AGENT, "after a message")
        others.ask("choose-code", code=CODE)
        others.ask("send", to=AGENT, facts=["role"])
        done("act")

        all_come_in(times=1)
        each("line-messages")
        worlds.let_go_alike(AGENT, "at the messages")
        each("back", "line-ask")
        worlds.let_go_alike(AGENT, "at what to ask about")
        each("line-1", "line-faction")
        shows("line-ask")
        each("line-extort", "line-role")
        shows("line-extort")
        worlds.let_go_alike(AGENT, "after what only some have the power for")
        each("line-attempt")
        worlds.let_go_alike(AGENT, "at a code")
        each(*["sign-A"] * 4, "tile-0", "tile-1")
        worlds.let_go_alike(AGENT, "as a code is entered")
        each("enter")
        worlds.let_go_alike(AGENT, "at a code that is whole")
        each("line-yes")
        shows("line-attempt")
        worlds.let_go_alike(AGENT, "after a code")
        others.ask("enter-code", code=CODE)
        done("discuss")
        worlds.are_alike("at the discussion")


class Others:
    """The agents whose phones are not looked at, at both tables: they all ask at once."""

    def __init__(self, worlds: TwoWorlds, stack: ExitStack) -> None:
        self._phones = [ScriptedPhone(world.table, seat) for world in worlds for seat in OTHERS]
        self._pool = stack.enter_context(ThreadPoolExecutor(len(self._phones)))
        for phone in self._pool.map(ScriptedPhone.__enter__, self._phones):
            stack.push(phone)

    def ask(self, act: str, **fields: object) -> None:
        for answer in self._pool.map(lambda phone: phone.ask(act, **fields), self._phones):
            assert answer["ok"], answer


def is_in(world: World, phase: str) -> bool:
    return bool(world.table.public()["view"]["phase"] == phase)


def come_in(agent: Phone, times: int) -> None:
    """Enter the code of one's own; the first time, choose it, twice."""
    agent.press("begin")
    for digit in CODE * times:
        agent.press(f"digit-{digit}")
    agent.offers("line-who")

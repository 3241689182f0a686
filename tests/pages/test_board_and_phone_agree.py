"""The board and the phones put the same game into words, each in its own; of how it ends, and of
time that is up, both say the same."""

from collections.abc import Iterator
from typing import Any

import pytest
from modules import Modules
from playwright.sync_api import Browser, Page

from pi_table.games.rules.outcome import Why

pytestmark = pytest.mark.pages

ENDS: dict[str, dict[str, Any]] = {
    "wins": {"winner": "red", "losers": ["blue"], "why": "agents", "score": None},
    "both-lose": {"winner": None, "losers": ["red", "blue"], "why": "nuke", "score": None},
    "group-loses": {"winner": None, "losers": ["blue"], "why": "assassin", "score": None},
    "nobody-wins": {"winner": None, "losers": [], "why": "stopped", "score": None},
}
TIMES = {
    "0:07": {"mode": "clock", "left": 6.2, "running": True, "urging": False},
    "1:00": {"mode": "clock", "left": 60.0, "running": False, "urging": False},
    "time-up": {"mode": "hourglass", "left": 0.0, "running": True, "urging": True},
}


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with Modules() as modules:
        page = chromium.new_page()
        page.goto(modules.url)
        yield page
        page.close()


@pytest.mark.parametrize("end", ENDS)
def test_the_board_and_a_phone_say_the_same_of_an_end(page: Page, end: str) -> None:
    assert page.evaluate(_ENDS, ENDS[end]) == [end, end]


def test_a_phone_tells_the_score_of_a_group_that_won(page: Page) -> None:
    outcome = {"winner": "red", "losers": [], "why": "agents", "score": 5}
    assert page.evaluate(_ENDS, outcome) == ["group-wins", "phone-score"]


@pytest.mark.parametrize("why", Why)
def test_both_give_the_same_reason_for_an_end(page: Page, why: Why) -> None:
    outcome = {**ENDS["nobody-wins"], "why": why.value}
    board, phone = page.evaluate(_REASONS, outcome)
    assert board == phone == f"why-{why.value}"


# Where no texts were fetched, `t` gives their names.
_BOTH = """
async (outcome) => {
    const { describe } = await import("/static/describe.js");
    const { ending } = await import("/static/phone-headline.js");
    const view = { profile: "codenames", outcome, turn: "red", paused: false, phase: "over",
        left: { red: 1, blue: 1 }, clue: null, cells: {}, shown: {}, timer: null };
    for (const row of "12345") for (const column of "ABCDE")
        view.cells[column + row] = { word: "word", covered: null };
    const latest = { kind: "public", idle: "playing", said: [], seated: [] };
    const shown = { view, at: 0, latest, latestAt: 0, awaited: [] };
    const seen = { state: "here", shown, caption: null };
    return [describe(seen, 0, (name) => name, "en").head, ending(outcome)];
}
"""
_ENDS = f"async (outcome) => (await ({_BOTH})(outcome)).map((end) => end.title)"
_REASONS = f"""
async (outcome) => {{
    const [board, phone] = await ({_BOTH})(outcome);
    return [board.more, phone.below];
}}
"""


@pytest.mark.parametrize("words", TIMES)
def test_the_board_and_a_phone_tell_the_same_time(page: Page, words: str) -> None:
    board, phone = page.evaluate(_TIMES, TIMES[words])
    assert phone == words
    assert words in (board["clock"], board["more"])


_TIMES = """
async (timer) => {
    const { timerOf } = await import("/static/describe.js");
    const { timeWords } = await import("/static/phone-time.js");
    const { seconds } = await import("/static/live.js");
    return [timerOf(timer, 0, (name) => name), timeWords({ view: { timer } }, seconds())];
}
"""


@pytest.mark.parametrize("phase", ["send", "machine"])
@pytest.mark.parametrize(
    ("phones", "board", "phone"),
    [
        (None, [], "phone-now-screen"),  # a game of the hidden screen alone
        ([], ["codex-no-phone"], "phone-now-screen"),
        (["agent-2"], ["codex-no-phone"], "phone-now-screen"),
        (["agent-1"], [], "phone-now-together"),
    ],
)
def test_an_agent_in_turn_without_a_phone_is_told_who_has_a_code(
    page: Page, phase: str, phones: list[str] | None, board: list[str], phone: str
) -> None:  # CX-20
    if phase == "machine":
        phone = "phone-now-machine"
    assert page.evaluate(_IN_TURN, [phase, phones]) == [board, f"phase. {phone}"]


_IN_TURN = """
async ([phase, phones]) => {
    const { describe } = await import("/static/describe.js");
    const { headOf } = await import("/static/phone-round.js");
    const agents = [1, 2, 3, 4, 5, 6].map((each) => ({ nickname: `n${each}`, revealed: {} }));
    const view = { profile: "codex", phase, number: 1, roles: ["hacker", "leader", "profiler"],
        agents, at_screen: "agent-1", place: "screen", turn: null, order: [], timer: null,
        added: 0, awaited: false, paused: false, votes: [], new_codes: [], there: [], finished: [],
        outcome: null, ...(phones && { phones, together: [] }) };
    const latest = { kind: "public-codex", idle: "playing", said: [], seated: [] };
    const shown = { view, at: 0, latest, latestAt: 0, awaited: [] };
    const seen = { state: "here", shown, caption: null };
    return [describe(seen, 0, (name) => name, "en").more, headOf(view).below];
}
"""

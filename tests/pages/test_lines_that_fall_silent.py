"""Timeouts of a page's lines, without a server: it gives a line up, and tries another.

The browser's clock and its connections are a test's.
"""

from collections.abc import Iterator

import pytest
from modules import Modules
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.pages

_FOLLOW = """
async () => {
    const { follow } = await import("/static/live.js");
    window.sources = [];
    window.EventSource = class extends EventTarget {
        constructor() { super(); sources.push(this); }
        close() { this.closed = true; }
        says(name, data) { this.dispatchEvent(new MessageEvent(name, { data })); }
    };
    follow((news) => { window.state = news.state; window.news = news; });
}
"""
_ANSWER = """
    sources[0].says("table", '{"here": true, "table": null}');
    sources[0].says("here", "{}");
"""
_PHONE = """
async () => {
    const { Line } = await import("/static/phone-line.js");
    window.sockets = [];
    window.WebSocket = class {
        static OPEN = 1;
        readyState = 1;
        bufferedAmount = 0;
        sent = 0;
        constructor() { sockets.push(this); }
        send() { this.sent += 1; }
        close() { this.closed = true; }
    };
    const frame = () => new Uint8Array(512);
    const conversation = { begin() {}, connect() {}, knock() {}, down() {}, up: frame };
    new Line(conversation, () => {}).wake();
    sockets[0].onopen();
}
"""


_DESK = """
async () => {
    const { DeskLine } = await import("/static/desk-line.js");
    window.asked = 0;
    window.told = [];
    window.fetch = (address, { signal }) => new Promise((_, fail) => {
        asked += 1;
        signal?.addEventListener("abort", () => fail(new Error("aborted")));
    });
    const keys = { link: new Uint8Array(32), device: new Uint8Array(32) };
    new DeskLine(keys, { tell: (isHere) => told.push(isHere) }).call("house");
}
"""
_SHOW = """
shown => {
    const now = { hidden: !shown, visibilityState: shown ? "visible" : "hidden" };
    for (const [name, value] of Object.entries(now))
        Object.defineProperty(document, name, { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}
"""


def follow(page: Page) -> None:
    """Open a board's stream, whose server answers."""
    page.evaluate(_FOLLOW)
    page.evaluate(_ANSWER)


def show(page: Page, shown: bool) -> None:
    """Bring the page to the front, or hide it."""
    page.evaluate(_SHOW, shown)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with Modules() as modules:
        page = chromium.new_page()
        page.clock.install(time=0)
        page.goto(modules.url)
        page.clock.pause_at(60_000)  # else it goes on by itself between the steps of a test
        yield page
        page.close()


def test_a_board_whose_server_is_silent_for_twelve_seconds_asks_anew(page: Page) -> None:
    follow(page)
    page.clock.run_for(11_900)
    assert page.evaluate("[state, sources.length]") == ["here", 1]
    page.evaluate('sources[0].says("here", "{}")')
    page.clock.run_for(11_900)
    assert page.evaluate("[state, sources.length]") == ["here", 1]
    page.clock.run_for(2_200)
    assert page.evaluate("[state, sources[0].closed]") == ["server-away", True]
    page.clock.run_for(600)
    assert page.evaluate("sources.length") == 2


def test_a_board_whose_first_stream_never_opens_asks_anew(page: Page) -> None:
    page.evaluate(_FOLLOW)
    page.clock.run_for(11_900)
    assert page.evaluate("[state, sources.length]") == ["connecting", 1]
    page.clock.run_for(2_900)
    assert page.evaluate("[state, sources[0].closed, sources.length]") == ["connecting", True, 2]


def test_a_board_that_is_seen_again_asks_anew(page: Page) -> None:
    """Its clock may have stood still meanwhile: it cannot know how long it was away."""
    follow(page)
    show(page, False)
    assert page.evaluate("[sources[0].closed, sources.length]") == [None, 1]
    show(page, True)
    assert page.evaluate("[state, sources[0].closed, sources.length]") == ["here", True, 2]


def test_a_board_whose_page_is_first_shown_does_not_ask_twice(page: Page) -> None:
    follow(page)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))")
    assert page.evaluate("sources.length") == 1
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert page.evaluate("sources.length") == 2


def test_a_table_that_is_away_keeps_the_time_of_its_last_message(page: Page) -> None:
    follow(page)
    page.evaluate("""sources[0].says("table", '{"here": true, "table": {"a": 1}, "age": 2}')""")
    at = page.evaluate("news.at")
    page.clock.run_for(9_000)
    page.evaluate("""sources[0].says("table", '{"here": false, "table": null, "age": 0}')""")
    assert page.evaluate("[news.state, news.fresh, news.at]") == ["table-away", False, at]
    assert page.evaluate("news.table.a") == 1


def test_a_phone_in_a_pocket_opens_no_socket(page: Page) -> None:
    page.evaluate(_PHONE)
    show(page, False)
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.evaluate("[sockets[0].closed, sockets.length]") == [True, 1]
    show(page, True)
    assert page.evaluate("sockets.length") == 2


def test_a_phone_whose_beats_are_not_sent_tries_another_socket(page: Page) -> None:
    page.evaluate(_PHONE)
    page.clock.run_for(1_010)
    assert page.evaluate("[sockets[0].sent, sockets.length]") == [5, 1]
    page.evaluate("sockets[0].bufferedAmount = 4096")
    page.clock.run_for(250)
    assert page.evaluate("[sockets[0].sent, sockets.length]") == [6, 1]
    page.evaluate("sockets[0].bufferedAmount = 4097")
    page.clock.run_for(400)
    assert page.evaluate("[sockets[0].sent, sockets[0].closed, sockets.length]") == [6, True, 2]


def test_a_phone_that_hears_nothing_for_five_seconds_tries_another_socket(page: Page) -> None:
    page.evaluate(_PHONE)
    page.clock.run_for(4_000)
    page.evaluate("sockets[0].onmessage({ data: new ArrayBuffer(1) })")
    page.clock.run_for(4_900)
    assert page.evaluate("sockets.length") == 1
    page.clock.run_for(700)
    assert page.evaluate("[sockets[0].closed, sockets.length]") == [True, 2]


def test_a_phone_whose_socket_never_opens_tries_another(page: Page) -> None:
    page.evaluate(_PHONE)
    page.evaluate("sockets[0].onclose()")
    page.clock.run_for(200)
    assert page.evaluate("sockets.length") == 2
    page.clock.run_for(6_000)
    assert page.evaluate("[sockets[1].closed, sockets.length]") == [True, 3]
    page.clock.run_for(3_900)
    page.evaluate("sockets[2].onopen()")
    page.clock.run_for(4_500)  # the time before it opened does not count
    assert page.evaluate("sockets.length") == 3


def test_a_desk_whose_question_gets_no_answer_for_fifteen_seconds_asks_again(page: Page) -> None:
    page.evaluate(_DESK)
    page.clock.run_for(14_900)
    assert page.evaluate("[asked, told]") == [1, []]
    page.clock.run_for(200)
    assert page.evaluate("told") == [False]
    page.clock.run_for(500)
    assert page.evaluate("asked") == 2

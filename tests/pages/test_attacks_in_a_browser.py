"""In a real browser: what guests write stays text, and pages of other sites get nothing."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from people import Phone
from playwright.sync_api import Page, expect
from table_with_pages import TableWithPages

pytestmark = pytest.mark.pages

Opened = Callable[..., Page]
BREAKS_OUT = "</p></script><img src=x onerror=hit()>"
WORDS = (
    *("<X-HIT>", "<IMG SRC=X>", "<SVG/ONLOAD>", "'-HIT()-'", '"><X-HIT B>', "</P><X-HIT>"),
    *("{{HIT(2)}}", "${HIT(3)}", "__PROTO__", "&LT;X-HIT&GT;", "%3CX-HIT%3E", "<IFRAME SRC=X>"),
    *(f"<X-HIT ID={number}>" for number in range(13)),
)
NICKNAMES = ("<x-hit>", '"><x-hit b>', "<img src=x>", "'-hit()-'", "{{hit(2)}}", "__proto__")
"""Each has letters or digits of its own, or two would be the same word."""
WATCH = """
window.hits = [];
window.HIT = window.hit = () => window.hits.push("called");
document.addEventListener("securitypolicyviolation", (event) => {
    window.hits.push(event.violatedDirective);
});
"""
FOUND = """
() => [
    ...window.hits,
    ...document.querySelectorAll("x-hit, img[src=x i], [onerror], [onload], iframe"),
].map(String)
"""


@pytest.fixture
def watched(opened: Opened) -> Callable[..., Page]:
    """Opens a page that tells of every script that ran, or that the policy had to stop."""

    def open_page(url: str, *arguments: Any, **more: Any) -> Page:
        page = opened("about:blank", *arguments, **more)
        page.on("dialog", lambda dialog: page.evaluate("hit()"))
        page.add_init_script(WATCH)
        page.goto(url)
        return page

    return open_page


def nothing_hit(page: Page) -> bool:
    found: list[str] = page.evaluate(FOUND)
    assert found == []
    return True


def test_words_and_clues_are_text_on_every_page(
    table: TableWithPages, watched: Callable[..., Page]
) -> None:
    table.console.do("start", profile="codenames", blanks=list(WORDS))
    turn = table.public()["view"]["turn"]
    board = watched(table.url)
    links = {
        seat: table.console.do("phone", **{"for": f"{turn}-{seat}"})["link"]
        for seat in ("spymaster", "operatives")
    }
    phones = {seat: watched(table.url + link, (390, 844)) for seat, link in links.items()}
    expect(board.locator("[data-name] [data-word*='X-HIT']")).to_have_count(18)
    for phone in phones.values():
        Phone(phone).is_there()
    with Phone(phones["spymaster"]).held():
        assert nothing_hit(phones["spymaster"])
    table.console.do("clue", f"{turn}-spymaster", word=BREAKS_OUT, number=1)
    for page in (board, *phones.values()):
        expect(page.get_by_text("onerror=hit()", exact=False).first).to_be_visible()
        assert nothing_hit(page)


def test_nicknames_are_text_on_every_page(
    table: TableWithPages, watched: Callable[..., Page]
) -> None:
    table.console.do(
        "start", profile="codex", nicknames=list(NICKNAMES), options={"screens": "phones"}
    )
    board = watched(table.url)
    link = table.console.do("phone", **{"for": "agent-1"})["link"]
    phone = watched(table.url + link, (390, 844))
    Phone(phone).is_there()
    for page in (board, phone):
        expect(page.get_by_text("<x-hit>", exact=False).first).to_be_attached()
        assert nothing_hit(page)


def test_a_script_that_got_into_a_page_would_not_run(table: TableWithPages, opened: Opened) -> None:
    page = opened(table.url)
    ran = page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            document.body.insertAdjacentHTML("beforeend", "<p id=x onclick='window.ran = true'>");
            document.querySelector("#x").click();
            return window.ran ?? false;
        }"""
    )
    assert ran is False
    sent = page.evaluate(
        """() => fetch("http://127.0.0.1:9/", { mode: "no-cors" }).then(() => true, () => false)"""
    )
    assert sent is False


# --- other sites


@pytest.fixture
def site() -> Iterator[str]:
    """The address of a page of another site, in the same network."""

    class Page_(BaseHTTPRequestHandler):  # noqa: N801
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Another site</title>")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Page_)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_no_page_can_be_framed(table: TableWithPages, opened: Opened, site: str) -> None:
    page = opened(site)
    for path in ("/", "/seat", "/qr.svg", "/api/1/table"):
        page.evaluate(
            """(address) => new Promise((done) => {
                const frame = document.createElement("iframe");
                frame.onload = done;
                frame.src = address;
                document.body.append(frame);
            })""",
            table.url + path,
        )
    assert len(page.frames) == 5
    assert {frame.url for frame in page.frames[1:]} == {"chrome-error://chromewebdata/"}


def test_a_page_of_another_site_reads_nothing_and_connects_to_nothing(
    table: TableWithPages, opened: Opened, site: str
) -> None:
    page = opened(site)
    got = page.evaluate(
        """async (url) => {
            const read = (path, how) => fetch(url + path, how).then((r) => r.text(), () => null);
            const script = (path) => new Promise((done) => {
                const node = document.createElement("script");
                node.onload = () => done("loaded");
                node.onerror = () => done(null);
                node.src = url + path;
                document.head.append(node);
            });
            const socket = () => new Promise((done) => {
                const line = new WebSocket(url.replace("http", "ws") + "/api/1/phones");
                line.onopen = () => done("open");
                line.onerror = () => done(null);
            });
            const events = () => new Promise((done) => {
                const source = new EventSource(url + "/api/1/events");
                source.addEventListener("table", () => done("heard"));
                source.onerror = () => { source.close(); done(null); };
            });
            return [
                await read("/api/1/table"),
                await read("/api/1/about", { credentials: "include" }),
                await read("/api/1/desk", { method: "POST", body: "x" }),
                await script("/static/texts.js"),
                await script("/api/1/table"),
                await socket(),
                await events(),
            ];
        }""",
        table.url,
    )
    assert got == [None] * 7

"""Requests that are none, and what any answer must be like."""

import json
import re
from typing import Final

import pytest
from attacked import Attacked
from wires import Answer, Events, connected, everything, exchange, request

pytestmark = pytest.mark.paced

HOST: Final = "Host: 127.0.0.1:{port}\r\n"
LONG: Final = 300_000

BROKEN: Final = {
    "no host": "GET / HTTP/1.1\r\n\r\n",
    "two hosts": "GET / HTTP/1.1\r\n" + HOST + "Host: example.com\r\n\r\n",
    "two hosts, the other way round": "GET / HTTP/1.1\r\nHost: example.com\r\n" + HOST + "\r\n",
    "an empty host": "GET / HTTP/1.1\r\nHost:\r\n\r\n",
    "a host of two": "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}, example.com\r\n\r\n",
    "a host with a user": "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}@example.com\r\n\r\n",
    "an address of another": "GET http://example.com/ HTTP/1.1\r\n" + HOST + "\r\n",
    "an address without a slash": "GET static HTTP/1.1\r\n" + HOST + "\r\n",
    "a tunnel": "CONNECT example.com:443 HTTP/1.1\r\n" + HOST + "\r\n",
    "an old version": "GET /\r\n\r\n",
    "a version that is none": "GET / HTTP/9.9\r\n" + HOST + "\r\n",
    "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x00" * 200 + "\r\n\r\n",
    "a folded length": "POST / HTTP/1.1\r\n" + HOST + "Content-Length: 1\r\n 0\r\n\r\nabcdefghij",
    "a folded host": "GET / HTTP/1.1\r\nHost: example.com\r\n 127.0.0.1\r\n\r\n",
    "a header that begins with a space": "GET / HTTP/1.1\r\n X: a\r\n" + HOST + "\r\n",
    "a space before the colon": "GET / HTTP/1.1\r\n" + HOST + "Content-Length : 0\r\n\r\n",
    "a header without a colon": "GET / HTTP/1.1\r\n" + HOST + "Content-Length\r\n\r\n",
    "a header without a name": "GET / HTTP/1.1\r\n" + HOST + ": value\r\n\r\n",
    "a zero byte in a header": "GET / HTTP/1.1\r\n" + HOST + "X: a\x00b\r\n\r\n",
    "a zero byte in the path": "GET /\x00 HTTP/1.1\r\n" + HOST + "\r\n",
    "a lone return in a header": "GET / HTTP/1.1\r\n" + HOST + "X: a\rHost: example.com\r\n\r\n",
    "letters beyond ASCII in the path": "GET /\xe9\xff HTTP/1.1\r\n" + HOST + "\r\n",
    "letters beyond ASCII in a name": "GET / HTTP/1.1\r\n" + HOST + "X-\xe9: a\r\n\r\n",
    "a space in the path": "GET / seat HTTP/1.1\r\n" + HOST + "\r\n",
    "a long path": "GET /" + "a" * LONG + " HTTP/1.1\r\n" + HOST + "\r\n",
    "a long method": "A" * LONG + " / HTTP/1.1\r\n" + HOST + "\r\n",
    "a long header": "GET / HTTP/1.1\r\n" + HOST + "X: " + "a" * LONG + "\r\n\r\n",
    "many headers": "GET / HTTP/1.1\r\n" + HOST + "".join(
        f"X-{number}: a\r\n" for number in range(20_000)
    ) + "\r\n",
    "nothing but empty lines": "\r\n" * 50_000,
    "two lengths": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
    "two lengths in one": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Content-Length: 3, 5\r\n\r\nabcde",
    "a length below zero": "POST /api/1/desk HTTP/1.1\r\n" + HOST + "Content-Length: -1\r\n\r\n",
    "a length with a sign": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Content-Length: +3\r\n\r\nabc",
    "a length of letters": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Content-Length: 0x3\r\n\r\nabc",
    "a length without end": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Content-Length: " + "9" * 5000 + "\r\n\r\nabc",
    "a giant": "POST /api/1/desk HTTP/1.1\r\n" + HOST + "Content-Length: 99999999999\r\n\r\nabc",
    "a length and chunks": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks of an unknown kind": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks in chunks": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "gzip in chunks": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "a chunk below zero": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    "a chunk without end": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Transfer-Encoding: chunked\r\n\r\n" + "F" * 40 + "\r\n",
    "a chunk longer than it says": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
    "a chunk with a novel beside it": "POST /api/1/desk HTTP/1.1\r\n" + HOST
    + "Transfer-Encoding: chunked\r\n\r\n1;" + "a" * LONG + "\r\na\r\n0\r\n\r\n",
}  # fmt: skip


@pytest.mark.parametrize("request_", BROKEN.values(), ids=BROKEN)
def test_a_broken_request_is_refused_and_the_next_one_answered(
    table: Attacked, request_: str
) -> None:
    answer = exchange(table.port, request_.format(port=table.port).encode("latin-1"))
    assert answer.status == 0 or 400 <= answer.status < 500 or answer.status in (501, 505)


def test_a_request_in_order_is_answered(table: Attacked) -> None:
    """Else those above would be refused for nothing."""
    whole = f"GET / HTTP/1.1\r\n{HOST}\r\n".format(port=table.port)
    assert exchange(table.port, whole.encode()).status == 200


TWO_WAYS: Final = (
    "Content-Length: {length}\r\n\r\n",
    "Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding : chunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: \x0bchunked\r\nContent-Length: {length}\r\n\r\n0\r\n\r\n",
    "Content-Length: 0\r\nContent-Length: {length}\r\n\r\n",
    "Content-Length: 0\r\n X: {length}\r\n\r\n",
)
"""Headers in which one program may see the end of a request and another its middle."""


@pytest.mark.parametrize("line", ["POST /api/1/desk", "GET /qr.svg"])
@pytest.mark.parametrize("first", TWO_WAYS)
def test_one_stream_is_not_cut_into_requests_in_two_ways(
    table: Attacked, first: str, line: str
) -> None:
    hidden = f"GET /api/1/about HTTP/1.1\r\n{HOST}\r\n".format(port=table.port)
    start = f"{line} HTTP/1.1\r\n{HOST}".format(port=table.port)
    with connected(table.port) as wire:
        wire.sendall((start + first.format(length=len(hidden)) + hidden).encode("latin-1"))
        heard = everything(wire, 0.5)
    assert heard.count(b"HTTP/1.1 ") <= 1
    assert b"pi_table" not in heard


def test_a_hundred_requests_in_one_piece_are_answered_one_after_another(table: Attacked) -> None:
    one = f"GET /api/1/about HTTP/1.1\r\n{HOST}\r\n".format(port=table.port)
    with connected(table.port) as wire:
        wire.sendall(one.encode() * 100)
        heard = everything(wire, 1.0)
    assert 1 <= heard.count(b"HTTP/1.1 200") <= 100
    assert heard.count(b"HTTP/1.1 ") == heard.count(b"HTTP/1.1 200")


# --- what every answer is like

PAGES: Final = ("/", "/seat", "/desk")
OF_PROGRAMS: Final = ("/api/1/about", "/api/1/table", "/texts/en.json", "/texts/it.json")
OTHERS: Final = ("/qr.svg", "/nothing", "/static/nothing.js", "/api/1/nothing", "/%", "/static/")
REFUSED: Final = (("POST", "/"), ("GET", "/api/1/desk"), ("GET", "/api/1/phones"))

GUARDS: Final = {
    "content-security-policy": (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"),
        *("connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "base-uri 'none'"),
        *("form-action 'none'", "frame-ancestors 'none'"),
    ),
    "x-content-type-options": ("nosniff",),
    "referrer-policy": ("no-referrer",),
    "cross-origin-resource-policy": ("same-origin",),
    "cross-origin-opener-policy": ("same-origin",),
}


def static_files(port: int) -> list[str]:
    """The files that the pages name."""
    found: set[str] = set()
    for page in PAGES:
        body = request(port, page).body.decode()
        found |= {*re.findall(r"""(?:src|href)=["']?(/static/[^"'\s>]+)""", body)}
    return sorted(found)


def every_answer(port: int) -> list[tuple[str, Answer]]:
    targets = (*PAGES, *OF_PROGRAMS, *OTHERS, *static_files(port))
    answers = [(target, request(port, target)) for target in targets]
    answers += [(f"{method} {path}", request(port, path, method)) for method, path in REFUSED]
    answers += [("another's name", request(port, "/", host="example.com"))]
    answers += [("not a request", exchange(port, b"nonsense\r\n\r\n"))]
    return answers


def test_every_answer_carries_what_guards_it(table: Attacked) -> None:
    lacking = [
        f"{target} ({answer.status}): {name} {part}"
        for target, answer in every_answer(table.port)
        for name, parts in GUARDS.items()
        for part in parts
        if part not in (each.strip() for each in answer.header(name).split(";"))
    ]
    assert lacking == []


def test_no_policy_allows_more_than_it_must(table: Attacked) -> None:
    for target, answer in every_answer(table.port):
        policy = answer.header("content-security-policy")
        assert not re.search(r"unsafe|\*|https?:|blob:", policy), target


def test_nothing_but_files_of_the_package_may_be_kept(table: Attacked) -> None:
    of_the_package = {*PAGES, *static_files(table.port), "/texts/en.json", "/texts/it.json"}
    kept = [
        target
        for target, answer in every_answer(table.port)
        if "no-store" not in answer.header("cache-control")
        and not (answer.status == 200 and target in of_the_package)
    ]
    assert kept == []


KINDS: Final = {
    "/": "text/html; charset=utf-8",
    "/seat": "text/html; charset=utf-8",
    "/desk": "text/html; charset=utf-8",
    "/api/1/about": "application/json",
    "/api/1/table": "application/json",
    "/texts/en.json": "application/json",
    "/texts/it.json": "application/json",
    "/qr.svg": "image/svg+xml",
}
OF_ENDINGS: Final = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ttf": "font/ttf",
    "woff2": "font/woff2",
}


def test_every_answer_says_what_it_is(table: Attacked) -> None:
    for target, answer in every_answer(table.port):
        kind = answer.header("content-type")
        if answer.status == 200:
            expected = KINDS.get(target) or OF_ENDINGS[target.rpartition(".")[2]]
            assert kind.lower() == expected, target
        elif answer.body:
            assert kind.lower().startswith(("text/plain; charset=utf-8", "application/json"))


def test_no_answer_sets_a_cookie(table: Attacked) -> None:
    assert not [
        target for target, answer in every_answer(table.port) if answer.header("set-cookie")
    ]


def test_an_error_tells_nothing_of_the_inside(table: Attacked) -> None:
    said = re.compile(rb"Traceback|File \"|\.py|/home|/usr|starlette|uvicorn|h11|python", re.I)
    for target, answer in every_answer(table.port):
        headers = " ".join(f"{name}: {value}" for name, value in answer.headers).encode()
        assert not said.search(headers), target
        if answer.status >= 400:
            assert not said.search(answer.body), target
            assert len(answer.body) < 1000


# --- paths and methods

OUTSIDE: Final = (
    *("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py"),
    *("/static/%2e%2e%2fapp.py", "/..", "/../", "/%2e%2e"),
    *("/static/..%252fapp.py", "/static/..%5capp.py", "/static/..\\app.py", "/static/....//app.py"),
    *("/static/..;/app.py", "/static/%c0%ae%c0%ae/app.py", "/static/..%c0%afapp.py"),
    *("/static/../../default.toml", "/static/../../../../../../../../etc/passwd"),
    *("/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static///etc/passwd", "//etc/passwd"),
    *("/static/board.js%00", "/static/board.js%00.png", "/static/%00", "/static/.", "/static/.."),
    *("/static/BOARD.JS", "/STATIC/board.js", "/static/board.js/", "/static/./board.js"),
    *("/static", "/static/", "/static/__init__.py", "/static/~", "/static/con", "/static/%"),
    *("/texts/../static/board.js", "/texts/en.json%00", "/texts/en.JSON", "/texts/..%2fen.json"),
    *("/texts/de.json", "/texts/", "/.git/config", "/.git/HEAD", "/.env", "/robots.txt"),
    *("/docs", "/redoc", "/openapi.json", "/metrics", "/status", "/debug", "/server-status"),
    *("/seat/", "/desk/", "/seat/x", "//seat", "/./seat", "/%73eat/..", "/seat;x", "/api"),
    *("/api/2/table", "/api/1/table/", "/api//1/table", "/api/1/../1/table", "/API/1/table"),
    *("//example.com/", "//example.com/..", "/\\example.com", "/%5cexample.com", "/api/1/"),
)  # fmt: skip


@pytest.mark.parametrize("target", OUTSIDE)
def test_no_path_leads_out_of_the_pages(table: Attacked, target: str) -> None:
    answer = request(table.port, target)
    assert 400 <= answer.status < 500
    assert not answer.header("location")
    assert not re.search(rb"root:|import |repositoryformat|\[table\]", answer.body)


def test_a_query_changes_nothing(table: Attacked) -> None:
    plain = request(table.port, "/api/1/about").body
    asked = "/api/1/about?callback=alert&jsonp=alert&__proto__=1&lang=%00&" + "a=1&" * 200
    assert request(table.port, asked).body == plain


METHODS: Final = (
    *("POST", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "PROPFIND", "get", "TRACK", "DEBUG"),
)


@pytest.mark.parametrize("method", METHODS)
def test_no_method_but_the_one_meant_does_anything(table: Attacked, method: str) -> None:
    before = json.loads(request(table.port, "/api/1/table").body)["table"]
    for target in (*PAGES, *OF_PROGRAMS, "/qr.svg", "/api/1/events", "/api/1/phones"):
        answer = request(table.port, target, method, X_Secret="tell-me-back")
        assert answer.status in (400, 403, 404, 405, 501), target
        assert b"tell-me-back" not in answer.body
        named = request(table.port, target, "POST", X_HTTP_Method_Override="GET")
        assert named.status in (400, 403, 404, 405), target
    for wrong in ("GET", "PUT", "DELETE", "HEAD", "OPTIONS"):
        assert request(table.port, "/api/1/desk", wrong).status in (400, 403, 404, 405)
    assert json.loads(request(table.port, "/api/1/table").body)["table"] == before


def test_a_head_is_an_answer_without_its_body(table: Attacked) -> None:
    for target in ("/", "/seat", "/api/1/about", "/qr.svg"):
        assert request(table.port, target, "HEAD").status in (200, 405)
    with connected(table.port) as wire:  # must not go on for ever
        ask = f"HEAD /api/1/events HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
        wire.sendall(ask.format(port=table.port).encode())
        assert everything(wire, 2.0).count(b"event:") == 0


# --- logs


def test_what_is_asked_for_is_not_logged(table: Attacked) -> None:
    for text in ("%0d%0aWARNING%20forged", "%1b%5b31mforged", "forged-%7b%7d-%25s"):
        request(table.port, f"/{text}", User_Agent="forged \x1b[31m", Referer="forged")
        exchange(table.port, f"GET /{text} HTTP/1.1\r\nforged\r\n\r\n".encode())
    viewer = Events(table.port)
    assert viewer.status() == 200
    viewer.close()
    assert "forged" not in table.pages.log.read_text()
    assert "127.0.0.1" not in table.pages.log.read_text().replace("http://127.0.0.1", "")

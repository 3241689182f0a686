"""Answers of the site: paths, methods, and the headers of every answer."""

import asyncio
import json
import socket
from pathlib import Path

import pytest
from served import OUT_OF_ORDER, Served, play, serving, with_pages

from pi_table import __version__
from pi_table.common.language import LANGUAGES
from pi_table.screens.web.files import FOLDER, KINDS, read_files
from pi_table.screens.web.guard import CONTENT_SECURITY_POLICY, Guard
from pi_table.screens.web.site import qr_code

HOSTNAME = socket.gethostname().partition(".")[0]

PATHS = (
    *("/", "/seat", "/static/style.css", "/texts/en.json", "/texts/it.json", "/qr.svg"),
    *("/api/1/about", "/api/1/table", "/api/1/schema.json"),
)
BESIDES = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@with_pages()
async def test_what_serves_the_pages_tells_about_itself(served: Served) -> None:
    assert (await served.ask("/api/1/about")).json == {
        "version": 1,
        "pi_table": __version__,
        "address": f"http://{served.host}",
        "languages": [*LANGUAGES],
    }


@pytest.mark.parametrize("path", PATHS)
@with_pages()
async def test_what_is_served_is_there_and_nowhere_else(served: Served, path: str) -> None:
    whole, head = await asyncio.gather(served.ask(path), served.ask(path, "HEAD"))
    assert whole.status == head.status == 200
    assert whole.body
    assert not head.body
    if path == "/api/1/table":  # it tells its age, which has as many digits as it likes
        for each in whole, head:
            assert int(each.headers.pop("content-length")) > 0
    assert head.headers == whole.headers
    for other in (f"{path}x", f"/{path}", f"{path}/", f"{path}%00", f"/static/../{path}"):
        assert (await served.ask(other)).status == 404, other


def test_nothing_but_the_files_of_the_pages_is_served(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "page.html").write_text("<p>")
    (tmp_path / "program.py").write_text("1")
    (tmp_path / "elsewhere.html").symlink_to("/etc/hostname")
    assert [*read_files(tmp_path)] == ["a/page.html"]
    assert {path.suffix for path in FOLDER.rglob("*") if path.is_file()} <= {*KINDS, ".md"}


TRICKS = (
    *("/static/../site.py", "/static/%2e%2e/site.py", "/static/..%2fsite.py", "/../../etc/passwd"),
    *("//etc/passwd", "/static//style.css", "/static/style.css%00.js", "/static/", "/static"),
    *("http://127.0.0.1/api/1/about", "*", "/%ff", "/static/\\..\\site.py", "/api/2/table"),
)


@with_pages()
async def test_tricks_with_paths_find_nothing(served: Served) -> None:
    for path in TRICKS:
        answer = await served.ask(path)
        assert answer.status == 404, path
        assert_well_wrapped(answer.headers)


@pytest.mark.parametrize("path", ["/static/style.css", "/api/1/table", "/api/1/events"])
@with_pages()
async def test_what_is_read_is_only_read(served: Served, path: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"):
        answer = await served.ask(path, method)
        assert answer.status == 405, method
        assert_well_wrapped(answer.headers)


def assert_well_wrapped(headers: dict[str, str]) -> None:
    """Check that an answer has every common header, and discloses no more."""
    assert {name: headers.get(name) for name in BESIDES} == BESIDES
    assert headers["cache-control"] in ("no-store", "no-cache")
    assert not {"server", "set-cookie", "access-control-allow-origin", "date"} & {*headers}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("GET /api/1/table HTTP/1.1\r\nhost: {host}\r\n\r\n", 200),
        ("GET /nowhere HTTP/1.1\r\nhost: {host}\r\n\r\n", 404),
        ("GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n", 421),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: {host}\r\nhost: {host}\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\n\r\n", 421),
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: {host}\r\nx: " + 9000 * "x" + "\r\n\r\n", 431),
        ("GET /" + 9000 * "x" + " HTTP/1.1\r\nhost: {host}\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nhost: {host}\r\nx: " + 70_000 * "x", 400),
        ("POST /api/1/desk HTTP/1.1\r\nhost: {host}\r\ncontent-length: x\r\n\r\n", 400),
        ("GET /api/1/table HTTP/9.9\r\nhost: {host}\r\n\r\n", 505),
        ("GET /api/1/phones HTTP/1.1\r\nhost: {host}\r\n\r\n", 426),
        ("CONNECT evil.example:80 HTTP/1.1\r\nhost: {host}\r\n\r\n", 404),
    ],
)
@with_pages()
async def test_every_answer_comes_well_wrapped(served: Served, text: str, status: int) -> None:
    answer = await served.say(text.replace("{host}", served.host).encode())
    assert answer.status == status
    assert_well_wrapped(answer.headers)
    assert (await served.ask("/api/1/about")).status == 200  # and nobody else suffers


@with_pages()
async def test_a_file_is_kept_by_a_browser_until_it_changes(served: Served) -> None:
    path = "/static/style.css"
    tag = (await served.ask(path)).headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        again = await served.ask(path, if_none_match=known)
        assert (again.status, again.body) == (304, b"")
        assert_well_wrapped(again.headers)
    assert (await served.ask(path, if_none_match='"other"')).status == 200


@with_pages()
async def test_texts_are_there_in_every_language_with_the_same_names(served: Served) -> None:
    texts = {lang: (await served.ask(f"/texts/{lang}.json")).json for lang in LANGUAGES}
    assert texts["en"].keys() == texts["it"].keys()
    assert texts["en"] != texts["it"]
    assert (await served.ask("/texts/xx.json")).status == 404


@with_pages()
async def test_the_table_is_told_as_it_stands(served: Served) -> None:
    watching = await served.watch()
    await watching.until(lambda table: table["here"])
    served.table.publish(OUT_OF_ORDER)
    shown = await watching.until(lambda table: table["table"]["out_of_order"])
    asked = (await served.ask("/api/1/table")).json
    assert {**asked, "age": shown["age"]} == shown
    assert {"version": 1, "here": True}.items() <= shown.items()


@with_pages(address="http://drawn-once.local")
async def test_the_qr_code_is_drawn_once_for_an_address_whoever_asks(served: Served) -> None:
    before = qr_code.cache_info()
    drawn = {(await served.ask("/qr.svg")).body for _ in range(5)}
    after = qr_code.cache_info()
    assert (len(drawn), after.misses - before.misses) == (1, 1)
    assert after.maxsize is not None


def test_the_qr_code_is_of_the_address_that_people_open(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path, address="http://table.local") as served:
            svg = (await served.ask("/qr.svg")).body
            assert svg.startswith(b'<svg xmlns="http://www.w3.org/2000/svg"')
            assert svg == qr_code("http://table.local/#join")  # what asks what the phone is for
        async with serving(tmp_path, address="http://another.local") as served:
            assert (await served.ask("/qr.svg")).body != svg
            assert (await served.ask("/api/1/about")).json["address"] == "http://another.local"

    play(scene())


@with_pages()
async def test_a_request_with_two_lengths_is_refused_and_nothing_behind_it_is_read(
    served: Served,
) -> None:
    reader, writer = await served.connect()
    head = f"host: {served.host}\r\n"
    both = "content-length: 5\r\ntransfer-encoding: chunked\r\n"
    hidden = f"0\r\n\r\nGET /api/1/about HTTP/1.1\r\n{head}\r\n"
    writer.write(f"GET / HTTP/1.1\r\n{head}{both}\r\n{hidden}".encode())
    assert (await reader.read()).count(b"HTTP/1.1 ") == 1


# --- from elsewhere


OUR_NAMES = (
    *("127.0.0.1", "192.168.1.7:8080", "[fe80::1]:80", "localhost:1", "pages.example."),
    *("pages.example", "10.0.0.1", f"{HOSTNAME}.lan:80"),
)
OTHERS_NAMES = (
    *("evil.example", "pages.example.evil.example", "local", "table.local.evil.example"),
    *("127.0.0.1.evil.example", "[::1", "[evil]", "a b", "", "@127.0.0.1", "127.0.0.1:x"),
    *("127.0.0.1@evil.example", "é", "evil.example:80", "127.0.0.1/", "localhost.evil.example"),
)


@with_pages(address="http://pages.example")
async def test_names_of_this_machine_are_answered_and_no_others(served: Served) -> None:
    for host in OUR_NAMES:
        assert (await served.ask("/api/1/about", host=host)).status == 200, host
    for host in OTHERS_NAMES:
        assert (await served.ask("/api/1/about", host=host)).status in (400, 421), host


OWN_DOMAINS = ("lan", "home.arpa", "fritz.box", "home", "internal", "localdomain", "local")


def test_this_machines_name_is_answered_with_what_a_local_network_adds(tmp_path: Path) -> None:
    guard = Guard("", "Table", tmp_path / "none")
    for name in ("table", "TABLE:80", "table.", *(f"table.{each}" for each in OWN_DOMAINS)):
        assert guard.is_ours(name), name
    assert guard.is_ours("table-2.local")  # as avahi calls the second one of the name


@pytest.mark.parametrize(
    "name",
    [
        *("evil.local", "evil.lan", "com", "local", "lan", "tables", "table-2", "table-2.lan"),
        *("table.com", "table.example.com", "table.evil.local", "table.box", "evil.fritz.box"),
        *("table.local.example.com", "x.table.local", "table-x.local", "table..local", ".local"),
    ],
)
def test_a_name_that_another_machine_may_have_is_not_answered(tmp_path: Path, name: str) -> None:
    assert not Guard("", "table", tmp_path / "none").is_ours(name)


def test_a_domain_that_the_router_gives_is_taken(tmp_path: Path) -> None:
    resolver = tmp_path / "resolv.conf"
    guard = Guard("", "table", resolver)
    assert not guard.is_ours("table.bar.example")
    resolver.write_text("# by DHCP\nnameserver 10.0.0.1\nsearch lan Bar.Example.\n")
    assert guard.is_ours("table.bar.example")
    assert not guard.is_ours("evil.bar.example")
    assert not guard.is_ours("bar.example")


def test_a_name_that_was_given_with_its_domain_is_taken_whole_or_alone(tmp_path: Path) -> None:
    guard = Guard("", "table.bar.example", tmp_path / "none")
    assert guard.is_ours("table.bar.example")
    assert guard.is_ours("table.lan")
    assert not guard.is_ours("table.example")


DESK = {"content_type": "application/octet-stream"}


OUR_ORIGINS = ("http://{host}", "https://{host}")  # the second behind a proxy that speaks it
OTHERS_ORIGINS = (
    *("http://evil.example", "null", "", "http://{host}.evil.example", "http://127.0.0.1:1"),
    *("file://{host}", "http://user@{host}"),
)


@with_pages()
async def test_only_a_page_of_this_machine_may_send_anything(served: Served) -> None:
    for origin in (*OUR_ORIGINS, *OTHERS_ORIGINS):
        given = origin.replace("{host}", served.host)
        answer = await served.ask("/api/1/desk", "POST", b"x", origin=given, **DESK)
        assert answer.status == (200 if origin in OUR_ORIGINS else 403), origin


@with_pages()
async def test_the_schema_is_json_that_names_every_type(served: Served) -> None:
    schema = json.loads((await served.ask("/api/1/schema.json")).body)
    assert {"About", "Table", "PublicMessage", "CodexPublicMessage"} <= {*schema["$defs"]}

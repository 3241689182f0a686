"""A page of another site in a guest's browser, and names that lead to the table by a trick."""

from typing import Final

import pytest
from attacked import Attacked
from wires import WebSocket, request

pytestmark = pytest.mark.paced

OTHER_NAMES: Final = (
    *("example.com", "example.com:{port}", "127.0.0.1.example.com:{port}", "localhost.example.com"),
    *("127.0.0.1@example.com:{port}", "example.com#127.0.0.1:{port}", "example.com/127.0.0.1"),
    *("127.0.0.1:{port}.example.com", "127.0.0.1:{port}:80", "127.0.0.1:{port}x"),
    *("127.0.0.1.:{port}.", "*", "..", "a..b", "example.com.", "local.example.com"),
    *("127.0.0.1, example.com", "127.0.0.1 example.com", "xn--e1afmkfd.com", "\xe9.com"),
    *("com", "evil.local", "evil.lan", "evil.fritz.box"),
)  # fmt: skip
"""Names of others, and what is no name. An address is nobody's trick."""
SITES: Final = (
    *("http://example.com", "https://example.com", "null", "http://127.0.0.1:1", "file://"),
    *("http://127.0.0.1", "http://127.0.0.1:{port}.example.com", "http://127.0.0.1:{port}/"),
    *("http://example.com/http://127.0.0.1:{port}", "http://x@127.0.0.1:{port}"),
    *("chrome-extension://127.0.0.1:{port}", "http://localhost:{port}", "127.0.0.1:{port}"),
)  # fmt: skip


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_a_name_that_is_not_the_tables_is_not_answered(table: Attacked, name: str) -> None:
    # Where a stranger's name is made to lead to the table (DNS rebinding), the stranger's page
    # would be of the table's origin.
    host = name.format(port=table.port)
    for target in ("/", "/seat", "/api/1/table", "/api/1/events", "/static/board.js"):
        answer = request(table.port, target, host=host)
        assert answer.status in (400, 403, 404, 421), target
    assert request(table.port, "/api/1/desk", "POST", b"x" * 80, host=host).status >= 400
    socket = WebSocket(table.port, host=host)
    assert not socket.is_open
    socket.close()


@pytest.mark.parametrize("site", SITES)
def test_a_page_of_another_site_opens_no_socket(table: Attacked, site: str) -> None:
    socket = WebSocket(table.port, origin=site.format(port=table.port))
    assert socket.answer.status in (400, 403)
    socket.close()


def test_a_socket_says_where_it_is_from(table: Attacked) -> None:
    """A browser always does; what does not is no page, and has nothing that a browser keeps."""
    ours = WebSocket(table.port)
    assert ours.is_open
    assert len(ours.block()) == 6 * 1024
    ours.close()


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
@pytest.mark.parametrize("site", SITES)
def test_a_page_of_another_site_asks_no_desk(table: Attacked, site: str, kind: str) -> None:
    # None of these kinds makes a browser ask first (no preflight).
    origin = site.format(port=table.port)
    body = b"x" * 200
    answer = request(table.port, "/api/1/desk", "POST", body, Origin=origin, Content_Type=kind)
    assert answer.status in (400, 403, 415)
    answer = request(
        table.port, "/api/1/desk", "POST", body, Origin=origin, Sec_Fetch_Site="cross-site"
    )
    assert answer.status in (400, 403, 415)


def test_no_other_site_may_read_an_answer(table: Attacked) -> None:
    for target in ("/", "/api/1/table", "/api/1/about", "/static/board.js", "/texts/en.json"):
        for method in ("GET", "OPTIONS"):
            answer = request(
                table.port,
                target,
                method,
                Origin="http://example.com",
                Access_Control_Request_Method="POST",
                Access_Control_Request_Private_Network="true",
            )
            allowed = [name for name, _ in answer.headers if name.startswith("access-control")]
            assert allowed == []

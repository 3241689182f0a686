"""The answers that a desk's page accepts, with the engine's own end of the line.

A test controls the messages between them, as an attacker would who has taken over the process of
the pages.
"""

import base64
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from modules import Modules
from playwright.sync_api import Browser, Error, Page

from pi_table.games.rules.seat import Seat
from pi_table.protocols.sealing.frames import as_text
from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES
from pi_table.table.engine.desk.line import Call, DeskLine, Reply
from pi_table.table.engine.phones.links import Link
from pi_table.table.engine.phones.phones import Claim

pytestmark = pytest.mark.pages

LONG = "x" * 60_000
_LOAD = """
async ([link, device]) => {
    const {DeskLine} = await import("/static/desk-line.js");
    const {fromBase64url} = await import("/static/seal.js");
    const bytes = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
    window.line = new DeskLine(
        {link: fromBase64url(link), device: fromBase64url(device)},
        {
            post: async said => bytes(await relay(btoa(String.fromCharCode(...said)))),
            wait: async () => {},
        },
    );
}
"""


class Engine:
    """The engine's end: what it is asked it does, and counts."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.link = Link(Seat.OPERATOR, os.urandom(KEY_BYTES))
        self.restart()

    def restart(self) -> None:
        self.line = DeskLine(os.urandom(16), self.link, 1)

    def answers(self, frame: bytes) -> bytes:
        """Return the answers to this frame."""
        self.line, news = self.line.on_frame(None, frame, os.urandom(NONCE_BYTES), 0.0)
        replies: list[Reply] = []
        for each in news:
            match each:
                case Reply():
                    replies.append(each)
                case Claim(device=device):
                    self.link = Link(Seat.OPERATOR, self.link.link_key, device)
                    self.line, kept = self.line.with_link(self.link, 0.0)
                    replies += kept
                case Call(to=to, do=do):
                    self.done.append(do["act"])
                    told = LONG if do["act"] == "games" else do["act"]
                    self.line, reply = self.line.with_answer(to, {"ok": True, "told": told})
                    assert reply is not None
                    replies.append(reply)
        (reply,) = replies
        return reply.sealed


class Desk:
    """A desk's page, and a relay that a test may have do something else once."""

    def __init__(self, page: Page) -> None:
        self.engine = Engine()
        self.sent: list[bytes] = []
        """Everything that the page was sent."""
        self.instead: list[Callable[[bytes], bytes]] = []
        """Handlers of the next questions, which replace the engine."""
        self._page = page
        page.expose_function("relay", self._relay)
        device = as_text(os.urandom(KEY_BYTES))
        page.evaluate(_LOAD, [as_text(self.engine.link.link_key), device])

    def call(self, act: str) -> Any:
        return self._page.evaluate("act => line.call(act)", act)["told"]

    def _relay(self, said: str) -> str:
        hand_on = self.instead.pop(0) if self.instead else self.engine.answers
        self.sent.append(hand_on(base64.b64decode(said)))
        return base64.b64encode(self.sent[-1]).decode()


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Desk]:
    with Modules() as modules:
        page = chromium.new_page()
        page.goto(modules.url)
        yield Desk(page)
        page.close()


def test_what_is_asked_for_is_done_once_also_over_a_restart(desk: Desk) -> None:
    assert desk.call("settings") == "settings"
    desk.engine.restart()
    assert desk.call("house") == "house"
    assert desk.engine.done == ["settings", "house"]


def test_a_long_answer_that_breaks_off_is_asked_for_again(desk: Desk) -> None:
    def restarts(said: bytes) -> bytes:
        desk.engine.restart()
        return desk.engine.answers(said)

    desk.call("settings")
    desk.instead = [desk.engine.answers, restarts]
    assert desk.call("games") == LONG
    assert desk.engine.done == ["settings", "games", "games"]


def test_a_long_answer_that_always_breaks_off_is_given_up(desk: Desk) -> None:
    def restarts(said: bytes) -> bytes:
        desk.engine.restart()
        return desk.engine.answers(said)

    desk.call("settings")
    desk.instead = 12 * [desk.engine.answers, restarts, desk.engine.answers]
    with pytest.raises(Error, match="LinkOver"):
        desk.call("games")
    assert desk.engine.done == ["settings", "games", "games", "games"]


def test_an_answer_that_was_lost_is_given_again_and_nothing_done_twice(desk: Desk) -> None:
    def lost(said: bytes) -> bytes:
        desk.engine.answers(said)
        return base64.b64decode("AAAA")

    desk.call("settings")
    desk.instead = [lost]
    assert desk.call("house") == "house"
    assert desk.engine.done == ["settings", "house"]


def test_the_answer_to_another_question_is_no_answer(desk: Desk) -> None:
    desk.call("settings")
    earlier = desk.sent[-1]

    def given_instead(said: bytes) -> bytes:
        desk.engine.answers(said)
        return earlier

    desk.instead = [given_instead]
    assert desk.call("house") == "house"
    assert desk.engine.done == ["settings", "house"]


def test_the_word_of_an_earlier_restart_is_no_answer(desk: Desk) -> None:
    """It has the count of the question, and the key is right: its hello is another's."""
    desk.call("settings")
    desk.engine.restart()
    desk.call("house")  # the second of its hello: the engine has begun anew, and it asks again
    anew = desk.sent[2]

    def given_instead(said: bytes) -> bytes:
        desk.engine.answers(said)
        return anew

    desk.instead = [given_instead]
    assert desk.call("unlock") == "unlock"
    assert desk.engine.done == ["settings", "house", "unlock"]

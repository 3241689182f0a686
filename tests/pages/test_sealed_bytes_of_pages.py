"""The bytes that the pages of phones and desks send to the engine: the same in each version."""

import base64
from collections.abc import Iterator
from typing import Any, Final

import pytest
from modules import Modules
from playwright.sync_api import Browser, Page
from sealed_bytes import DEVICE, LINK_KEY, Frame, conversation, digest

from pi_table.protocols.ipc.sealed import BEAT_SECONDS, DOWN_BYTES, PLACES_FOR_PHONES
from pi_table.protocols.sealing.frames import as_text

pytestmark = pytest.mark.pages

_COUNT_DRAWS: Final = """
() => {
    let draws = 0;
    crypto.getRandomValues = bytes => bytes.fill(++draws);
    window.text = bytes => btoa(String.fromCharCode(...bytes));
    window.bytes = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
}
"""
_LOAD_PHONE: Final = """
async fragment => {
    const {Conversation} = await import("/static/sealed.js");
    const {keysOf} = await import("/static/handshake.js");
    window.conversation = new Conversation(keysOf(fragment));
    conversation.begin(0);
}
"""
_LOAD_DESK: Final = """
async ([fragment, answers]) => {
    const {keysOf} = await import("/static/handshake.js");
    const {DeskLine} = await import("/static/desk-line.js");
    window.sent = [];
    const post = async said => { sent.push(text(said)); return bytes(answers.shift()); };
    window.line = new DeskLine(keysOf(fragment), {post, wait: async () => {}});
}
"""
FRAGMENT: Final = f"#{as_text(LINK_KEY)}.{as_text(DEVICE)}"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with Modules() as modules:
        opened = chromium.new_page()
        opened.goto(modules.url)
        opened.evaluate(_COUNT_DRAWS)
        yield opened
        opened.close()


def test_a_phone_says_the_same_bytes(page: Page) -> None:
    page.evaluate(_LOAD_PHONE, FRAGMENT)
    now, knocks = 0, 0
    for frame in conversation("phone"):
        now += round(500 * BEAT_SECONDS)
        if frame.is_up:
            knocks += frame.use.endswith(b"knock")
            _prepare(page, frame, now, knocks)
            sent = page.evaluate("now => text(conversation.up(now))", now)
            assert digest(base64.b64decode(sent)) == frame.digest
        else:
            block = frame.sealed() + bytes((PLACES_FOR_PHONES - 1) * DOWN_BYTES)
            taken = [base64.b64encode(block).decode(), now]
            page.evaluate("([block, now]) => conversation.down(bytes(block), now)", taken)
            told = page.evaluate("now => conversation.message(now)", now)
            assert told["seat"] == "red-spymaster"


def _prepare(page: Page, frame: Frame, now: int, knocks: int) -> None:
    """Have the phone want what it says in this frame."""
    said: Any = frame.said()
    if frame.use.endswith(b"knock"):
        if knocks > 1:
            page.evaluate("now => conversation.knock(now)", now)
        return
    page.evaluate("hold => { conversation.hold = hold; }", said["hold"])
    if "do" in said:
        page.evaluate("act => { conversation.ask(act); }", said["do"])


def test_a_desk_asks_with_the_same_bytes(page: Page) -> None:
    frames = conversation("desk")
    answers = [base64.b64encode(each.sealed()).decode() for each in frames[1::2]]
    page.evaluate(_LOAD_DESK, [FRAGMENT, answers])
    first = page.evaluate("line.call('settings')")
    second = page.evaluate("line.call('house', {lang: 'it'})")
    assert (first["told"], second["told"]) == ("settings", "house")
    sent = [digest(base64.b64decode(each)) for each in page.evaluate("sent")]
    assert sent == [each.digest for each in frames[::2]]

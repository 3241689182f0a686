"""The frames that a phone's page accepts and those that it ignores. The engine's code makes them.

Time is an argument of the page's `Conversation`: here no clock runs, and no socket is there.
"""

import base64
import os
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
import pytest
from modules import Modules
from playwright.sync_api import Browser, Page

from pi_table.protocols.ipc.sealed import DOWN_BYTES, PLACES_FOR_PHONES, UP_BYTES
from pi_table.protocols.sealing.frames import (
    DOWN,
    KNOCK,
    UP,
    as_text,
    from_text,
    pack_down,
    parts,
    read_up,
)
from pi_table.protocols.sealing.seal import NONCE_BYTES, seal, unseal

pytestmark = pytest.mark.pages

BEAT: Final = 250
"""Milliseconds."""
MESSAGE: Final[dict[str, Any]] = {
    "seat": "red-spymaster",
    "family": "words",
    "game": 3,
    "may": ["clue"],
    "key": None,
    "door": None,
    "agent": None,
    "tried": False,
    "answer": None,
}
_LOAD: Final = """
async fragment => {
    const {Conversation} = await import("/static/sealed.js");
    const {keysOf} = await import("/static/handshake.js");
    window.conversation = new Conversation(keysOf(fragment));
    window.answers = [];
    conversation.begin(0);
    conversation.connect(0);
}
"""


class Phone:
    """A page's conversation, and the engine's end of it as far as a test wants one."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.link, self.device = os.urandom(32), os.urandom(32)
        self.session = as_text(os.urandom(16))
        self.hello = ""
        self.count = 0
        self.now = 0
        page.evaluate(_LOAD, f"#{as_text(self.link)}.{as_text(self.device)}")

    def connect(self) -> None:
        """A new socket opens."""
        self._page.evaluate("now => conversation.connect(now)", self.now)

    # Up

    def sent(self) -> bytes:
        """The frame of the next beat."""
        self.now += BEAT
        script = "now => btoa(String.fromCharCode(...conversation.up(now)))"
        frame = base64.b64decode(self._page.evaluate(script, self.now))
        assert len(frame) == UP_BYTES
        return frame

    def up(self) -> dict[str, Any]:
        """Return the phone's message at the next beat."""
        frame = self.sent()
        plain = unseal(frame, UP, self.device) or unseal(frame, KNOCK, self.link)
        assert plain is not None
        said: dict[str, Any] = msgspec.json.decode(read_up(plain) or b"")
        self.hello = said["h"]
        return said

    # Down

    def frame(
        self, message: Any = MESSAGE, part: int = 0, key: bytes = b"", **header: Any
    ) -> bytes:
        """A frame of the engine; ``header`` is what differs from a right one."""
        self.count += 1
        every = parts(msgspec.json.encode(message))
        right = {"s": self.session, "h": self.hello, "n": self.count, "a": 0, "v": 1, "p": part}
        text = msgspec.json.encode(right | {"of": len(every)} | header)
        plain = pack_down(text, every[part])
        return seal(plain, DOWN, os.urandom(NONCE_BYTES), key or self.device)

    def down(self, *frames: bytes) -> bool:
        """Take a block with these frames in it; return True if a new message came."""
        noise = [os.urandom(DOWN_BYTES)] * (PLACES_FOR_PHONES - len(frames))
        return self.block(b"".join([*noise, *frames]))

    def block(self, block: bytes) -> bool:
        script = """([text, now]) => conversation.down(
            Uint8Array.from(atob(text), sign => sign.charCodeAt(0)), now)"""
        return bool(self._page.evaluate(script, [base64.b64encode(block).decode(), self.now]))

    def message(self) -> Any:
        return self._page.evaluate("now => conversation.message(now)", self.now)

    # What the page asks of it

    def hold(self, held: bool) -> None:
        self._page.evaluate("held => { conversation.hold = held; }", held)

    def ask(self, **act: Any) -> None:
        script = "act => { conversation.ask(act).then(answer => answers.push(answer)); }"
        self._page.evaluate(script, act)

    def answers(self) -> Any:
        return self._page.evaluate("answers")

    def is_taken_over(self) -> bool:
        return bool(self._page.evaluate("conversation.isTakenOver()"))

    def is_refused(self, table_is_there: bool) -> bool:
        return bool(self._page.evaluate("there => conversation.isRefused(there)", table_is_there))


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with Modules() as modules:
        opened_page = chromium.new_page()
        opened_page.goto(modules.url)
        yield opened_page
        opened_page.close()


@pytest.fixture
def phone(page: Page) -> Phone:
    """A phone that has knocked."""
    phone = Phone(page)
    assert phone.up() == {"k": as_text(phone.device), "h": phone.hello}
    assert from_text(phone.hello, 16)
    return phone


@pytest.fixture
def heard(phone: Phone) -> Phone:
    """A phone that has been heard, and has a message."""
    assert phone.down(phone.frame())
    assert phone.message() == MESSAGE
    return phone


def test_a_phone_that_was_heard_says_so_at_every_beat_and_names_the_newest_frame(
    heard: Phone,
) -> None:
    said = {"s": heard.session, "h": heard.hello, "b": heard.count, "hold": False}
    assert [heard.up(), heard.up()] == [said | {"n": 1}, said | {"n": 2}]


def _another(phone: Phone) -> str:
    return as_text(os.urandom(16))


STRANGE: Final[dict[str, Callable[[Phone], bytes]]] = {
    "of another session": lambda phone: phone.frame(s=_another(phone)),
    "for another hello": lambda phone: phone.frame(h=_another(phone)),
    "for no hello": lambda phone: phone.frame(h=""),
    "that came before": lambda phone: phone.frame(n=1),
    "of another seat": lambda phone: phone.frame(key=os.urandom(32)),
    "sealed with the link's key": lambda phone: phone.frame(key=phone.link),
    "with a part that there is not": lambda phone: phone.frame(p=1),
    "with more parts than there can be": lambda phone: phone.frame(of=65),
    "with a count that is no number": lambda phone: phone.frame(n="7"),
    "without a count": lambda phone: phone.frame(n=None),
}


@pytest.mark.parametrize("which", STRANGE)
def test_a_frame_is_not_taken(heard: Phone, which: str) -> None:
    other = MESSAGE | {"key": "r" * 25}
    heard.hold(True)
    strange = STRANGE[which]
    frames = {"right": heard.frame(other, v=2), "strange": strange(heard)}
    assert not heard.down(frames["strange"])
    assert heard.message() == MESSAGE
    assert heard.down(frames["right"]) or which == "that came before"


def test_a_block_that_was_sent_before_shows_nothing(heard: Phone) -> None:
    heard.hold(True)
    secret = MESSAGE | {"key": "r" * 25}
    block = b"".join([*[os.urandom(DOWN_BYTES)] * 5, heard.frame(secret, v=2)])
    assert heard.block(block)
    assert heard.message() == secret
    heard.hold(False)
    heard.hold(True)
    assert not heard.block(block)
    assert heard.message() == MESSAGE


@pytest.mark.parametrize("length", [0, 1, 6143, 6145])
def test_a_block_of_another_length_is_none(heard: Phone, length: int) -> None:
    block = (heard.frame(v=2) * PLACES_FOR_PHONES + b"0")[:length]
    assert not heard.block(block)


@pytest.mark.parametrize("place", range(PLACES_FOR_PHONES))
def test_a_phone_finds_its_frame_in_any_place(phone: Phone, place: int) -> None:
    frames = [os.urandom(DOWN_BYTES)] * PLACES_FOR_PHONES
    frames[place] = phone.frame()
    assert phone.block(b"".join(frames))


def test_a_long_message_is_there_once_all_its_parts_are_in_whatever_order(phone: Phone) -> None:
    long = MESSAGE | {"may": ["a" * 700, "b" * 700, "ü" * 400]}
    assert len(parts(msgspec.json.encode(long))) == 3
    assert [phone.down(phone.frame(long, part)) for part in (2, 2, 0, 1)] == [False] * 3 + [True]
    assert phone.message() == long


def test_parts_of_two_messages_are_not_put_together(phone: Phone) -> None:
    old, new = (MESSAGE | {"may": [letter * 1000]} for letter in "ab")
    assert not phone.down(phone.frame(old, 0, v=1))
    assert not phone.down(phone.frame(new, 1, v=2))
    assert phone.down(phone.frame(new, 0, v=2))
    assert phone.message() == new


def test_what_is_hidden_is_forgotten_when_the_finger_is_lifted(heard: Phone) -> None:
    heard.hold(True)
    assert heard.up()["hold"] is True
    secret = MESSAGE | {"key": "r" * 25, "agent": {"seat": "agent-1"}}
    assert heard.down(heard.frame(secret, v=2))
    assert heard.message() == secret
    heard.hold(False)
    assert heard.message() == MESSAGE
    assert heard.down(heard.frame(secret, v=2))
    assert heard.message() == MESSAGE
    assert heard.up()["hold"] is False


def test_a_finger_that_holds_again_at_once_sees_the_message_that_did_not_change(
    heard: Phone,
) -> None:
    secret = MESSAGE | {"key": "r" * 25}
    heard.hold(True)
    assert heard.down(heard.frame(secret, v=2))
    heard.hold(False)
    heard.hold(True)
    assert heard.down(heard.frame(secret, v=2))
    assert heard.message() == secret


def test_an_act_is_asked_for_until_it_is_answered(heard: Phone) -> None:
    heard.ask(act="clue", word="volo", number=2)
    heard.ask(act="judge", word="ala", number=1)
    first = heard.up()
    assert first["do"] == {"act": "clue", "word": "volo", "number": 2}
    assert heard.up() == first | {"n": first["n"] + 1}
    answer = {"id": first["id"], "ok": True, "reason": None, "sentence": None, "told": None}
    heard.down(heard.frame(MESSAGE | {"answer": answer | {"id": first["id"] - 1}}, v=2))
    assert heard.answers() == []
    heard.down(heard.frame(MESSAGE | {"answer": answer}, v=3))
    assert heard.answers() == [answer]
    second = heard.up()
    assert second["do"]["act"] == "judge"
    assert second["id"] == first["id"] + 1


def test_the_longest_clue_has_room_in_a_frame(heard: Phone) -> None:
    heard.ask(act="clue", word="𝔸" * 40, number="unlimited")
    assert heard.up()["do"]["word"] == "𝔸" * 40


def test_a_phone_that_is_not_heard_any_more_knocks_anew_and_says_what_was_lost(
    heard: Phone,
) -> None:
    heard.ask(act="mark", cell="B3")
    hello = heard.hello
    assert heard.up()["do"] == {"act": "mark", "cell": "B3"}
    for _ in range(6):
        assert not heard.down()
        said = heard.up()
    assert heard.message() is None
    assert said["k"] == as_text(heard.device)
    assert heard.hello != hello
    assert heard.answers() == [{"ok": False, "lost": True}]


def test_a_table_that_began_anew_is_greeted_within_half_a_second(heard: Phone) -> None:
    heard.session = as_text(os.urandom(16))
    beats = 0
    while "k" not in heard.up():
        heard.down(heard.frame(h=""))
        beats += 1
    assert beats * BEAT <= 500
    assert heard.down(heard.frame())


def test_a_link_that_is_somebody_elses_is_told_after_three_seconds(phone: Phone) -> None:
    hellos = {phone.hello}
    while not phone.is_refused(True):
        phone.down()
        phone.up()
        hellos.add(phone.hello)
    assert len(hellos) == 3
    assert phone.now == 3000
    phone.down(phone.frame())
    assert not phone.is_refused(True)


def test_a_table_that_is_away_is_not_taken_for_a_link_that_was_let_go(phone: Phone) -> None:
    for _ in range(40):
        phone.up()
    assert not phone.is_refused(False)
    assert phone.is_refused(True)


def test_a_network_that_falls_silent_is_not_taken_for_a_link_that_was_let_go(
    heard: Phone,
) -> None:
    for _ in range(19):
        heard.up()
    assert not heard.is_refused(True)
    heard.connect()
    while not heard.is_refused(True):
        heard.up()
    assert heard.now == 250 + 19 * BEAT + 3000


def test_a_connection_that_opens_late_is_not_counted_as_silent_before(phone: Phone) -> None:
    phone.now = 4000
    phone.connect()
    while not phone.is_refused(True):
        phone.up()
    assert phone.now == 4000 + 3000


BAD_LINKS: Final = [
    "",
    "#",
    "#AAAA",
    f"#{'A' * 43}.AAAA",
    f"#{'A' * 43}.{'A' * 43}.",
    "#%00",
    "#" + "A" * 44,
]


@pytest.mark.parametrize("fragment", BAD_LINKS)
def test_an_address_without_a_whole_key_is_no_link(page: Page, fragment: str) -> None:
    script = (
        """async fragment => (await import("/static/handshake.js")).keysOf(fragment) === null"""
    )
    assert page.evaluate(script, fragment) is True
    assert page.evaluate(script, f"#{'A' * 43}") is False


def test_the_same_phone_comes_back_by_what_stands_in_its_address(page: Page) -> None:
    script = """async fragment => {
        const {fragmentOf, keysOf} = await import("/static/handshake.js");
        const first = fragmentOf(keysOf(fragment));
        return [first, fragmentOf(keysOf(first)), fragmentOf(keysOf(fragment))];
    }"""
    link = f"#{as_text(os.urandom(32))}"
    first, again, other = page.evaluate(script, link)
    assert first == again != other
    assert first.startswith(f"{link}.")


def test_two_windows_of_a_phone_do_not_take_its_seat_from_each_other_for_ever(heard: Phone) -> None:
    knocks = 0
    while not heard.is_taken_over():
        if "k" in heard.up():
            knocks += 1
            heard.down(heard.frame())  # it is heard again, and then the other window is
        heard.down(heard.frame(h=as_text(os.urandom(16))))
    assert knocks == 2
    frame = heard.sent()
    assert unseal(frame, UP, heard.device) is unseal(frame, KNOCK, heard.link) is None

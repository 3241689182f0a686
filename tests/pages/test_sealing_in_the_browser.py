"""The engine opens the frames of a page, and the page opens those of the engine. Nobody else's
open."""

import base64
import os
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from modules import Modules
from playwright.sync_api import Browser, Page

from pi_table.protocols.sealing.seal import NONCE_BYTES, seal, unseal

pytestmark = pytest.mark.pages

# draft-irtf-cfrg-xchacha-03, A.3.1
PLAIN: Final = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
ABOUT: Final = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
KEY: Final = bytes(range(0x80, 0xA0))
NONCE: Final = bytes(range(0x40, 0x58))
CIPHERTEXT: Final = bytes.fromhex(
    "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
    "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
    "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
    "21f9664c97637da9768812f615c68b13b52e"
)
TAG: Final = bytes.fromhex("c0875924c1c7987947deafd8780acf49")
# The same, 2.2.1: what HChaCha20 makes of a key and 16 bytes.
HCHACHA: Final = "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"

_BYTES: Final = """
const bytes = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
const text = bytes => bytes && btoa(String.fromCharCode(...bytes));
"""


class InPage:
    """A page that has the modules at hand; bytes go in and out as base64."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def do(self, script: str, *given: bytes | str) -> Any:
        values = [
            base64.b64encode(each).decode() if isinstance(each, bytes) else each for each in given
        ]
        return self._page.evaluate(f"async given => {{ {_BYTES} {script} }}", values)

    def bytes_of(self, script: str, *given: bytes | str) -> bytes | None:
        text = self.do(script, *given)
        return None if text is None else base64.b64decode(text)

    def sealed(self, key: bytes, plain: bytes, use: str) -> bytes:
        script = """const {sealed} = await import("/static/seal.js");
        return text(sealed(bytes(given[0]), bytes(given[1]), given[2]));"""
        frame = self.bytes_of(script, key, plain, use)
        assert frame is not None
        return frame

    def opened(self, key: bytes, frame: bytes, use: str) -> bytes | None:
        script = """const {opened} = await import("/static/seal.js");
        return text(opened(bytes(given[0]), bytes(given[1]), given[2]));"""
        return self.bytes_of(script, key, frame, use)


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[InPage]:
    with Modules() as modules:
        opened_page = chromium.new_page()
        opened_page.goto(modules.url)
        yield InPage(opened_page)
        opened_page.close()


_CIPHER: Final = (
    'const {xchacha20poly1305, hchacha} = await import("/static/vendor/noble-ciphers/chacha.js");'
)


def test_the_vectors_of_the_draft_hold_in_the_browser(page: InPage) -> None:
    script = (
        _CIPHER
        + """
    const [key, nonce, about, plain] = given.map(bytes);
    return text(xchacha20poly1305(key, nonce, about).encrypt(plain));"""
    )
    assert page.bytes_of(script, KEY, NONCE, ABOUT, PLAIN) == CIPHERTEXT + TAG
    script = script.replace("encrypt", "decrypt")
    assert page.bytes_of(script, KEY, NONCE, ABOUT, CIPHERTEXT + TAG) == PLAIN


def test_the_vector_of_the_key_that_is_derived_holds_in_the_browser(page: InPage) -> None:
    script = (
        _CIPHER
        + """
    const words = bytes => new Uint32Array(bytes.buffer);
    const [sigma, key, start] = given.map(bytes).map(words);
    const made = new Uint32Array(8);
    hchacha(sigma, key, start, made);
    return text(new Uint8Array(made.buffer));"""
    )
    start = bytes.fromhex("000000090000004a0000000031415927")
    made = page.bytes_of(script, b"expand 32-byte k", bytes(range(32)), start)
    assert made is not None
    assert made.hex() == HCHACHA


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 472, 984])
def test_what_one_end_seals_the_other_opens(page: InPage, length: int) -> None:
    key, plain = os.urandom(32), os.urandom(length)
    frame = page.sealed(key, plain, "pi-table/1 up")
    assert len(frame) == 24 + length + 16
    assert unseal(frame, b"pi-table/1 up", key) == plain
    frame = seal(plain, b"pi-table/1 down", os.urandom(NONCE_BYTES), key)
    assert page.opened(key, frame, "pi-table/1 down") == plain


def test_no_nonce_comes_twice(page: InPage) -> None:
    key = os.urandom(32)
    frames = [page.sealed(key, b"the same", "pi-table/1 up") for _ in range(20)]
    assert len({frame[:NONCE_BYTES] for frame in frames}) == len({*frames}) == 20


def _flipped(frame: bytes, at: int) -> bytes:
    return frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]


OTHERS: Final[dict[str, Callable[[bytes, bytes], tuple[bytes, bytes, str]]]] = {
    "another key": lambda frame, key: (_flipped(key, 31), frame, "pi-table/1 down"),
    "another use": lambda frame, key: (key, frame, "pi-table/1 up"),
    "a bit of the nonce": lambda frame, key: (key, _flipped(frame, 3), "pi-table/1 down"),
    "a bit of the text": lambda frame, key: (key, _flipped(frame, 30), "pi-table/1 down"),
    "a bit of the tag": lambda frame, key: (
        key,
        _flipped(frame, len(frame) - 1),
        "pi-table/1 down",
    ),
    "a byte less": lambda frame, key: (key, frame[:-1], "pi-table/1 down"),
    "a nonce and no tag": lambda frame, key: (key, frame[:39], "pi-table/1 down"),
    "nothing": lambda frame, key: (key, b"", "pi-table/1 down"),
}


@pytest.mark.parametrize("change", OTHERS)
def test_what_was_not_sealed_so_is_not_opened(page: InPage, change: str) -> None:
    key = os.urandom(32)
    frame = seal(b"a key", b"pi-table/1 down", os.urandom(NONCE_BYTES), key)
    assert page.opened(key, frame, "pi-table/1 down") == b"a key"
    assert page.opened(*OTHERS[change](frame, key)) is None


@pytest.mark.parametrize("text", ["AA=", "A", "AB", "A A", "AA+A", "ÄÄ", "AAAA\n"])
def test_a_text_that_is_not_written_as_we_write_it_is_no_key(page: InPage, text: str) -> None:
    script = """const {fromBase64url} = await import("/static/seal.js");
    return text(fromBase64url(given[0]));"""
    assert page.bytes_of(script, "AA") == b"\0"
    assert page.bytes_of(script, text) is None

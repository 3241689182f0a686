"""XChaCha20-Poly1305: the published vector, and that nothing opens but what was sealed so."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_table.protocols.sealing.seal import KEY_BYTES, NONCE_BYTES, OVERHEAD, seal, unseal

KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)
NONCES = st.binary(min_size=NONCE_BYTES, max_size=NONCE_BYTES)

# draft-irtf-cfrg-xchacha-03, appendix A.3.1
PLAIN = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
ABOUT = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
KEY = bytes(range(0x80, 0xA0))
NONCE = bytes(range(0x40, 0x58))
CIPHERTEXT = bytes.fromhex(
    "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
    "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
    "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
    "21f9664c97637da9768812f615c68b13b52e"
)
TAG = bytes.fromhex("c0875924c1c7987947deafd8780acf49")


def test_the_published_vector_is_sealed_and_opened() -> None:
    frame = seal(PLAIN, ABOUT, NONCE, KEY)
    assert frame == NONCE + CIPHERTEXT + TAG
    assert unseal(frame, ABOUT, KEY) == PLAIN


@given(st.binary(max_size=1000), st.binary(max_size=40), NONCES, KEYS)
def test_what_was_sealed_is_opened_and_is_longer_by_the_same(
    plain: bytes, about: bytes, nonce: bytes, key: bytes
) -> None:
    frame = seal(plain, about, nonce, key)
    assert len(frame) == len(plain) + OVERHEAD
    assert unseal(frame, about, key) == plain


@given(st.binary(max_size=100), NONCES, KEYS, st.data())
def test_one_bit_that_differs_opens_nothing(
    plain: bytes, nonce: bytes, key: bytes, data: st.DataObject
) -> None:
    frame = bytearray(seal(plain, b"about", nonce, key))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert unseal(bytes(frame), b"about", key) is None


@given(st.binary(max_size=100), NONCES, KEYS, st.data())
def test_what_is_cut_opens_nothing(
    plain: bytes, nonce: bytes, key: bytes, data: st.DataObject
) -> None:
    frame = seal(plain, b"about", nonce, key)
    assert unseal(frame[: data.draw(st.integers(0, len(frame) - 1))], b"about", key) is None
    assert unseal(frame + b"\0", b"about", key) is None


@given(NONCES, KEYS, KEYS)
def test_another_key_and_another_kind_open_nothing(nonce: bytes, key: bytes, other: bytes) -> None:
    frame = seal(b"plain", b"about", nonce, key)
    assert unseal(frame, b"abou", key) is None
    if other != key:
        assert unseal(frame, b"about", other) is None


@pytest.mark.parametrize(
    "module", ["pi_table.protocols.sealing.seal", "pi_table.table.engine.process.daemon"]
)
def test_the_library_is_not_loaded_before_something_is_sealed(module: str) -> None:
    code = f"import sys, {module}; print('nacl' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

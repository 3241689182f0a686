"""Sealing: XChaCha20-Poly1305, as libsodium has it.

What is sealed is the nonce, then the ciphertext, then the tag. A key is 32 bytes; who has it can
open and seal, nobody else can do either. The library is loaded when something is sealed or opened
for the first time, or by `load_library`: a program that only names this module never has it in its
memory.
"""

from typing import Final

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 24
TAG_BYTES: Final = 16
OVERHEAD: Final = NONCE_BYTES + TAG_BYTES
"""By so many bytes what is sealed is longer than what is in it."""


def load_library() -> None:
    """Load the library now: it takes some 20 ms, and several times that on a Pi."""
    import nacl.bindings  # noqa: F401 - for those that follow


def sealed(plain: bytes, about: bytes, nonce: bytes, key: bytes) -> bytes:
    """Seal ``plain`` under ``key``.

    ``about`` says what kind of thing this is: it is sealed, too, and not sent. ``nonce`` is
    `NONCE_BYTES` of chance, never used with this key before.
    """
    from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt

    return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(plain, about, nonce, key)


def opened(frame: bytes, about: bytes, key: bytes) -> bytes | None:
    """What was sealed under ``key`` as a thing of the kind ``about``; None for anything else, and
    for what is not as it was sealed."""
    if len(frame) < OVERHEAD:
        return None
    from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt
    from nacl.exceptions import CryptoError

    nonce, rest = frame[:NONCE_BYTES], frame[NONCE_BYTES:]
    try:
        return crypto_aead_xchacha20poly1305_ietf_decrypt(rest, about, nonce, key)
    except CryptoError:
        return None

"""Authenticated encryption: XChaCha20-Poly1305 from libsodium.

A sealed frame is the nonce, then the ciphertext, then the tag. Only somebody with the 32-byte key
can seal or open a frame. The library is loaded by `load_library`, or when a frame is first sealed
or opened. A program that only imports this module never loads it.
"""

from typing import Final

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 24
TAG_BYTES: Final = 16
OVERHEAD: Final = NONCE_BYTES + TAG_BYTES
"""Number of bytes that sealing adds to the plain text."""


def load_library() -> None:
    """Load the library now, so that the first frame need not wait. This takes about 20 ms, and
    several times as long on a Pi."""
    import nacl.bindings  # noqa: F401 - imported for its effect


def seal(plain: bytes, about: bytes, nonce: bytes, key: bytes) -> bytes:
    """Seal ``plain`` under ``key``.

    ``about`` is the kind of frame: it is authenticated but not sent. ``nonce`` is `NONCE_BYTES`
    random bytes, never used with this key before.
    """
    from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt

    return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(plain, about, nonce, key)


def unseal(frame: bytes, about: bytes, key: bytes) -> bytes | None:
    """Return the plain text of a frame of the kind ``about`` that was sealed under ``key``.

    Returns None if the frame was sealed under another key or as another kind, or if it was changed.
    """
    if len(frame) < OVERHEAD:  # shorter than a nonce and a tag
        return None
    from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt
    from nacl.exceptions import CryptoError

    # The nonce is sent in the clear and is no secret. With 24 bytes, random nonces do not repeat,
    # so no counter is needed that a restart could set back.
    nonce, rest = frame[:NONCE_BYTES], frame[NONCE_BYTES:]
    try:
        return crypto_aead_xchacha20poly1305_ietf_decrypt(rest, about, nonce, key)
    except CryptoError:
        return None

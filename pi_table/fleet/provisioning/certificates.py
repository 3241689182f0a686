"""Reads PEM files, and checks certificates without a connection."""

import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from pi_table.common.edited_text import text_of
from pi_table.common.language import say


def pem_of(data: bytes, what: str) -> str:
    """Return the text of a PEM file; "" for a file of another format. If a private key was removed
    from the file, the text has blanks in its place.

    ``what`` names the file in errors. Raises InputError for text that is not UTF-8.
    """
    return text_of(data, what) if b"----BEGIN" in data.replace(b"\0", b"") else ""


def fault_of_certificate(text: str) -> str | None:
    """Return the fault of PEM certificates, as the end of a sentence; None if there is no fault."""
    if "PRIVATE KEY" in text:
        return say("contains a key: a key belongs in a file of its own, which is blanked.")
    try:
        with _in_memory(text) as file:  # a PEM file may contain other text, too
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except ssl.SSLError:
        return say("is not a PEM certificate, which begins with -----BEGIN CERTIFICATE-----.")
    return None


def belong_together(certificate: str, key: str) -> bool:
    """True if the private key belongs to the certificate. Both are PEM text."""
    with _in_memory(certificate) as first, _in_memory(key) as second:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(first, second, password="")
        except (ssl.SSLError, OSError):
            return False
    return True


@contextmanager
def _in_memory(text: str) -> Iterator[str]:
    """Yield the path of a file in memory, because the ssl library reads keys only from files."""
    descriptor = os.memfd_create("pem", os.MFD_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)

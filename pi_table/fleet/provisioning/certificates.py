"""Certificates as text of PEM: what is wrong with them, as far as one can see here."""

import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from pi_table.common.edited_text import text_of
from pi_table.common.language import say


def pem_of(data: bytes, what: str) -> str:
    """The text of a file of PEM, also of a key that was blanked; "" for what has nothing of PEM in
    it, such as a certificate in another format. ``what`` names the file. Raises InputError for text
    that is not UTF-8."""
    return text_of(data, what) if b"----BEGIN" in data.replace(b"\0", b"") else ""


def fault_of_certificate(text: str) -> str | None:
    """What is wrong with certificates, as the end of a sentence; None: nothing."""
    if "PRIVATE KEY" in text:
        return say("has a key in it: a key stands in a file of its own, which is blanked.")
    try:
        with _in_memory(text) as file:  # beside certificates any text may stand in a file
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except ssl.SSLError:
        return say("is no certificate of PEM, which begins with -----BEGIN CERTIFICATE-----.")
    return None


def belong_together(certificate: str, key: str) -> bool:
    """Is the key that of the certificate?"""
    with _in_memory(certificate) as first, _in_memory(key) as second:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(first, second, password="")
        except (ssl.SSLError, OSError):
            return False
    return True


@contextmanager
def _in_memory(text: str) -> Iterator[str]:
    """The path of a file with this text on no disk: the library reads keys from files alone."""
    descriptor = os.memfd_create("pem", os.MFD_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)

"""Reads the credentials of a client of the broker: its password file and its certificate files."""

import ssl
from collections.abc import Callable
from pathlib import Path

from pi_table.common.edited_text import fault_for_libraries, read_text
from pi_table.common.errors import InputError
from pi_table.common.language import say, system_says


def read_password(file: str, max_bytes: int, what: str = "") -> str | None:
    """Return the first line of a password file; None if ``file`` is "". Raises InputError for an
    unusable file; ``what`` names the file in that error."""
    if not file:
        return None
    lines = read_text(Path(file), max_bytes, what).splitlines()
    if not lines or not lines[0]:
        raise InputError(
            say(
                "The file {password_file} has no password on its first line: write it there.",
                password_file=file,
            )
        )
    return lines[0]


def tls_context(
    ca: str, certificate: str, key: str, refusal: Callable[[str, str, str], str]
) -> ssl.SSLContext:
    """Return a TLS context that uses these PEM files; "" means that there is no such file.

    Raises InputError for an unusable file. ``refusal`` makes the error's text from the name of the
    setting, the file's path and the reason.
    """
    try:
        context = ssl.create_default_context(cafile=ca or None)
    except (OSError, ValueError) as error:
        raise InputError(refusal("ca", ca, _reason(ca, error))) from None
    if certificate:
        try:
            context.load_cert_chain(certificate, key or None, _no_passphrase)
        except (OSError, ValueError) as error:
            reason = _reason(certificate, error)
            raise InputError(refusal("certificate", certificate, reason)) from None
    return context


def _reason(file: str, error: Exception) -> str:
    told = system_says(error) if isinstance(error, OSError) and error.strerror else str(error)
    return fault_for_libraries(Path(file)) or told


def _no_passphrase() -> bytes:
    """Refuse an encrypted key: OpenSSL calls this to get a passphrase, which a service cannot ask
    for."""
    raise ValueError(say("the key has a passphrase, and must not have one"))

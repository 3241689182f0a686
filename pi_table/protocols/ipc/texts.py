"""Texts on the way to another process.

A message says every text in English. Beside that it has ``texts``: each text that can be written in
other languages, by its English, with its id and its fields.
"""

from typing import Any, Final, TypeVar

import msgspec

from pi_table.common.language import Say, in_english, packed, restored

HAVE_TEXTS: Final = ("faults", "sentence", "told")
"""The fields of messages in which texts are."""
MessageT = TypeVar("MessageT", bound=msgspec.Struct)


class Texts(msgspec.Struct, frozen=True):
    """The ``texts`` of a message, whatever else is in it."""

    texts: dict[str, Any] = {}


def encode(message: object) -> bytes:
    """A message as JSON, with the ``texts`` that are in it."""
    texts: dict[str, Any] = {}

    def told(text: object) -> str:
        if not isinstance(text, Say):
            raise TypeError(f"{type(text).__name__} is nothing that a message has")
        english = in_english(text)
        texts[english] = packed(text)
        return english

    whole = msgspec.json.encode(message, enc_hook=told)
    if not texts:
        return whole
    return b'%b,"texts":%b}' % (whole.removesuffix(b"}"), msgspec.json.encode(texts))


def read(decoder: msgspec.json.Decoder[MessageT], line: bytes) -> MessageT:
    """The message that a line is, in which sentences are texts again. Raises ValueError and
    RecursionError."""
    message = decoder.decode(line)
    if b'"texts":' not in line:
        return message
    texts = _TEXTS.decode(line).texts
    told = [name for name in HAVE_TEXTS if name in message.__struct_fields__]
    again = {name: restored(getattr(message, name), texts) for name in told}
    return msgspec.structs.replace(message, **again)


_TEXTS: Final = msgspec.json.Decoder(Texts)

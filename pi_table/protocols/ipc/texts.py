"""Translatable texts in messages to another process.

A message has every text in English. Beside that its field ``texts`` has the id and fields of each
translatable text, by its English.
"""

from typing import Any, Final, TypeVar

import msgspec

from pi_table.common.language import Say, in_english, pack_text, restore_texts

HAVE_TEXTS: Final = ("faults", "sentence", "told")
"""The fields of messages that contain texts."""
MessageT = TypeVar("MessageT", bound=msgspec.Struct)


class Texts(msgspec.Struct, frozen=True):
    """The ``texts`` of any message."""

    texts: dict[str, Any] = {}


def encode(message: object) -> bytes:
    """Encode a message as JSON, with its ``texts``."""
    texts: dict[str, Any] = {}

    def encode_text(text: object) -> str:
        if not isinstance(text, Say):
            raise TypeError(f"{type(text).__name__} is nothing that a message has")
        english = in_english(text)
        texts[english] = pack_text(text)
        return english

    whole = msgspec.json.encode(message, enc_hook=encode_text)
    if not texts:
        return whole
    return b'%b,"texts":%b}' % (whole.removesuffix(b"}"), msgspec.json.encode(texts))


def read(decoder: msgspec.json.Decoder[MessageT], line: bytes) -> MessageT:
    """Decode a line to a message, with its sentences turned into texts again.

    Raises ValueError and RecursionError.
    """
    message = decoder.decode(line)
    if b'"texts":' not in line:
        return message
    texts = _TEXTS.decode(line).texts
    told = [name for name in HAVE_TEXTS if name in message.__struct_fields__]
    again = {name: restore_texts(getattr(message, name), texts) for name in told}
    return msgspec.structs.replace(message, **again)


_TEXTS: Final = msgspec.json.Decoder(Texts)

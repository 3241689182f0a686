"""Translatable texts in messages to another process.

A message contains all its texts in English. Its field ``texts`` maps the English of each
translatable text to the text's id and fields. With them the receiver can translate the text.
"""

from typing import Any, Final, TypeVar

import msgspec

from pi_table.common.language import Say, in_english, pack_text, restore_texts

HAVE_TEXTS: Final = ("faults", "sentence", "told")
"""Names of the message fields that may contain translatable texts."""
MessageT = TypeVar("MessageT", bound=msgspec.Struct)


class Texts(msgspec.Struct, frozen=True):
    """The field ``texts`` of a message, decoded separately from the message's other fields."""

    texts: dict[str, Any] = {}


def encode(message: object) -> bytes:
    """Encode a message as JSON. If it contains translatable texts, add the field ``texts``."""
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
    """Decode a line to a message whose translatable texts are `Say` values. Raises ValueError or
    RecursionError if the line is invalid."""
    message = decoder.decode(line)
    if b'"texts":' not in line:
        return message
    texts = _TEXTS.decode(line).texts
    told = [name for name in HAVE_TEXTS if name in message.__struct_fields__]
    again = {name: restore_texts(getattr(message, name), texts) for name in told}
    return msgspec.structs.replace(message, **again)


_TEXTS: Final = msgspec.json.Decoder(Texts)

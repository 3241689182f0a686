"""What the pages are told by HTTP, as types: `API.md` beside this file has an example of each."""

from typing import Any, Final

import msgspec

from pi_table.common.language import Lang, in_english
from pi_table.protocols.ipc.messages import AnyPublicMessage

VERSION: Final = 1
"""The version of the interface, which is in its paths too. Fields are added without a new one."""


class About(msgspec.Struct, frozen=True):
    """What serves the pages."""

    version: int
    """The version of the interface."""
    pi_table: str
    """The version of the program."""
    address: str
    """What people open, such as ``http://192.168.1.7:8080``."""
    languages: tuple[Lang, ...]
    """The codes of the languages that the pages speak."""


class Table(msgspec.Struct, frozen=True):
    """The table as anybody may see it."""

    version: int
    """The version of the interface."""
    here: bool
    """Is the table there? While it is away, what is told of it is the last that was known."""
    table: AnyPublicMessage | None
    """The table's message to everybody; None where none has come yet."""
    age: float = 0.0
    """The seconds since that message came from the table: times in it count from then."""


def schema() -> dict[str, Any]:
    """What `About` and `Table` may be, as JSON Schema (2020-12)."""
    (about, table), components = msgspec.json.schema_components(
        (About, Table), ref_template="#/$defs/{name}"
    )
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pi-table, what its pages are told",
        "anyOf": [about, table],
        "$defs": components,
    }
    text = msgspec.json.encode(whole).decode()
    for name in components:
        text = text.replace(f'"{name}":', f'"{short(name)}":').replace(
            f'/{name}"', f'/{short(name)}"'
        )
    named: dict[str, Any] = msgspec.json.decode(text)
    return named


def short(name: str) -> str:
    """``CodexPhase`` for ``pi_table.games.rules.codex.board.Phase``: msgspec tells two types of one
    name apart by their modules."""
    *folders, module, last = ["", "", *name.split(".")][-3:]
    return f"{folders[0].title().replace('_', '')}{last}" if module else last


def encoded(message: object) -> bytes:
    """A message as JSON in UTF-8, without a line feed in it."""
    return msgspec.json.encode(message, enc_hook=in_english)

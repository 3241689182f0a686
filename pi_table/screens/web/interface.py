"""The JSON that the pages get over HTTP, as types; `API.md` beside this file has an example of
each."""

from typing import Any, Final

import msgspec

from pi_table.common.language import Lang
from pi_table.protocols.ipc.messages import AnyPublicMessage

VERSION: Final = 1
"""The version of the interface, also part of its paths. A field that is added does not change the
version."""


class About(msgspec.Struct, frozen=True):
    """The program that serves the pages."""

    version: int
    """The version of the interface."""
    pi_table: str
    """The version of the program."""
    address: str
    """The address that people open."""
    languages: tuple[Lang, ...]
    """The languages of the pages."""


class Table(msgspec.Struct, frozen=True):
    """The public state of the table."""

    version: int
    """The version of the interface."""
    here: bool
    """True if the table is connected. If it is not, the other fields are the last known ones."""
    table: AnyPublicMessage | None
    """The newest public message of the table; None before the first one."""
    age: float = 0.0
    """Seconds since ``table`` arrived."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of `About` and `Table`."""
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
    """Return ``CodexPhase`` for ``pi_table.games.rules.codex.board.Phase``: msgspec tells types
    with equal names apart by their modules."""
    *folders, module, last = ["", "", *name.split(".")][-3:]
    return f"{folders[0].title().replace('_', '')}{last}" if module else last

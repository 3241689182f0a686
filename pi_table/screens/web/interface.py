"""The JSON that the pages get over HTTP, as types. `API.md` beside this file has an example of
each."""

from typing import Any, Final

import msgspec

from pi_table.common.language import Lang
from pi_table.protocols.ipc.messages import AnyPublicMessage

VERSION: Final = 1
"""The version of the interface, also used in the paths. New fields do not change the version."""


class About(msgspec.Struct, frozen=True):
    """Information about the program that serves the pages."""

    version: int
    """The version of the interface."""
    pi_table: str
    """The version of the program."""
    address: str
    """The address at which people open the pages."""
    languages: tuple[Lang, ...]
    """The languages of the pages."""


class Table(msgspec.Struct, frozen=True):
    """The public state of the table."""

    version: int
    """The version of the interface."""
    here: bool
    """True if the table is connected. Otherwise the other fields have their last known values."""
    table: AnyPublicMessage | None
    """The newest public message of the table; None before the first message."""
    age: float = 0.0
    """Seconds since ``table`` arrived."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of `About` and `Table`."""
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
    """Return a shorter name for a type, such as ``CodexPhase`` for
    ``pi_table.games.rules.codex.board.Phase``.

    msgspec uses full names for types whose short names are equal.
    """
    *folders, module, last = ["", "", *name.split(".")][-3:]
    return f"{folders[0].title().replace('_', '')}{last}" if module else last

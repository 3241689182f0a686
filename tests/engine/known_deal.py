"""A game of Codex whose deal is known, for a virtual table."""

from typing import Any, Final

from virtual_table import VirtualTable

from pi_table.table.engine.dealing import WordSource

VISIT: Final = 45.0
"""Seconds of each visit."""
NAMES: Final = ("Moon", "Ash", "Kite", "Reed", "Wren", "Flint")
RED_CODE: Final = "A2B2A4B4A6B6"
_ROLES: Final = ("leader", "hacker", "profiler")
_DEAL: Final = [
    {
        "nickname": name,
        "faction": ("red", "blue")[number % 2],
        "role": _ROLES[number // 2],
        "position": number // 2 + 1,
        "fragment": f"A{number + 2}B{number + 2}",
    }
    for number, name in enumerate(NAMES)
]
_OPTIONS: Final[dict[str, Any]] = {"roles": ["hacker", "profiler"]}


def begin_codex(table: VirtualTable, **options: str) -> VirtualTable:
    """Begin the game at a table; Moon (agent-1) is the first to step up."""
    refused: list[Any] = []
    game = {"profile": "codex", "deal": _DEAL, "options": {**_OPTIONS, **options}}
    table.table.begin(game, WordSource("own"), refused.append)
    assert refused == [None]
    return table

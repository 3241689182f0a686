"""Which word pack the next game is dealt from."""

from typing import Final

from pi_table.ipc.messages import AnyTableMessage, OfferedPack
from pi_table.language import Lang, Words, say

USUAL: Final = (None, say("The usual ones"))
"""The table takes the pack that fits the game."""


def packs_of(table: AnyTableMessage, lang: Lang) -> tuple[tuple[str | None, Words], ...]:
    """The packs of a language that a game may be dealt from, each with what it is called; empty
    where there is nothing to choose."""
    offered = tuple((pack.name, _called(pack)) for pack in table.packs if pack.language == lang)
    return (USUAL, *offered) if offered else ()


def _called(pack: OfferedPack) -> Words:
    """What a pack is called. Packs for adults are offered only where the operator allows them
    (DU-1)."""
    return say("{title} (18+)", title=pack.title) if pack.adults else pack.title

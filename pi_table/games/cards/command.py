"""``pi-table cards``: a pack's words as cards to print and cut."""

from pathlib import Path
from typing import TextIO

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import for_reader
from pi_table.games.cards.pdf import write_cards
from pi_table.games.cards.sheet import layout
from pi_table.games.words.pack import pack_named, spelt


def print_cards(
    name: str,
    folder: Path | None,
    spelling: str,
    count: int | None,
    card: str,
    paper: str,
    out: Path,
    told: TextIO,
) -> int:
    """Write the cards of a pack, one of ``folder`` or one that comes with the table: ``count`` of
    them, from all over the pack, or all. Words that have two spellings are in the one asked for:
    ``british`` or ``american``.

    Raises InputError for a pack, a size or a paper that is not known, a count that the pack does
    not have, and a name that does not end in ``.pdf``; OSError if ``out`` cannot be written.
    """
    if out.suffix.lower() != ".pdf":
        raise InputError(f"The cards are a PDF: call the file {out.name}.pdf, not {out.name}.")
    placed = layout(card, paper)
    pack = spelt(pack_named(name, folder), american=spelling == "american")
    most = len(pack.words)
    if count is not None and not CELL_COUNT <= count <= most:
        raise InputError(
            f"{count} cards cannot be made of {name}: it takes {CELL_COUNT} to play, and the pack "
            f"has {most}."
        )
    spread = [pack.words[at * most // (count or most)] for at in range(count or most)]
    printed = write_cards(spread, pack.title, placed, out)
    said = (
        f"{out}: {printed.cards} cards of {card.replace('x', ' × ')} mm on {printed.pages} pages. "
        f"Capitals are {printed.lowest:.1f} mm high at least. Print at 100 % on paper of "
        "200 to 300 g/m², measure the line at the foot of a page, and cut along the lines."
    )
    print(for_reader(said), file=told)
    return 0

"""``pi-table cards``: a pack's words as cards to print and cut."""

from pathlib import Path
from typing import TextIO

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import for_reader, say
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
    """Write the cards of a pack to the PDF ``out``. The pack is one of ``folder`` or a shipped one.

    ``count`` words are taken evenly from the whole pack; None takes all words. A word with two
    spellings is printed in the requested spelling, ``british`` or ``american``.

    Raises InputError for an unknown pack, size or paper, a count that the pack does not have, and a
    name that does not end in ``.pdf``; OSError if ``out`` cannot be written.
    """
    if out.suffix.lower() != ".pdf":
        raise InputError(
            say(
                "The cards are a PDF: call the file {name}.pdf, not {name_2}.",
                name=out.name,
                name_2=out.name,
            )
        )
    placed = layout(card, paper)
    pack = spelt(pack_named(name, folder), american=spelling == "american")
    most = len(pack.words)
    if count is not None and not CELL_COUNT <= count <= most:
        raise InputError(
            say(
                "{count} cards cannot be made of {name}: a game takes {cell_count}, and the pack "
                "has {most}.",
                count=count,
                name=name,
                cell_count=CELL_COUNT,
                most=most,
            )
        )
    spread = [pack.words[at * most // (count or most)] for at in range(count or most)]
    printed = write_cards(spread, pack.title, placed, out)
    said = say(
        "{out}: {cards} cards of {replace} mm on {pages} pages. Capitals are {lowest} mm "
        "high at least. Print at 100 % on paper of 200 to 300 g/m², measure the line at the "
        "foot of a page, and cut along the lines.",
        out=out,
        cards=printed.cards,
        replace=card.replace("x", " × "),
        pages=printed.pages,
        lowest=f"{printed.lowest:.1f}",
    )
    print(for_reader(said), file=told)
    return 0

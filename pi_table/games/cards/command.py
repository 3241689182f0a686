"""``pi-table cards``: make a PDF of a pack's words, as cards to print and cut out."""

from hashlib import sha256
from pathlib import Path
from typing import TextIO

from msgspec.structs import replace

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import for_reader, say
from pi_table.games.cards.pdf import Style, write_cards
from pi_table.games.cards.sheet import layout
from pi_table.games.words.pack import Audience, Pack, pack_named, spelt


def print_cards(
    name: str,
    folder: Path | None,
    spelling: str,
    count: int | None,
    card: str,
    paper: str,
    out: Path,
    told: TextIO,
    *,
    backs: bool = False,
    lines: bool = False,
) -> int:
    """Write the words of a pack as cards, in a mixed order, to the PDF file ``out``.

    ``name`` is a shipped pack or a pack in ``folder``. ``count`` is the number of cards; None means
    all words. A word with two spellings is printed in the requested ``spelling``, ``british`` or
    ``american``. ``backs`` adds a page of backs after each page; ``lines`` adds dashed lines
    between the cards.

    Raises InputError for an unknown pack, card size or paper, and if ``count`` is less than 25 or
    more than the pack has. Also raises InputError if ``out`` does not end in ``.pdf``, and OSError
    if it cannot be written.
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
    pack = spelt(_mix(pack_named(name, folder)), american=spelling == "american")
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
    style = Style(pack.title, pack.audience is Audience.ADULTS, backs, lines)
    printed = write_cards(pack.words[:count], style, placed, out)
    said = say(
        "{out}: {cards} cards of {replace} mm on {pages} pages. Capitals are {lowest} mm "
        "high at least. Print at 100 % on paper of 200 to 300 g/m², measure the line at the "
        "foot of a page, and cut from mark to mark.",
        out=out,
        cards=printed.cards,
        replace=card.replace("x", " × "),
        pages=printed.pages,
        lowest=f"{printed.lowest:.1f}",
    )
    print(for_reader(said), file=told)
    if backs:
        how = say("Print on both sides of the paper, and let the printer flip on the long edge.")
        print(for_reader(how), file=told)
    return 0


def _mix(pack: Pack) -> Pack:
    """Return the pack in a mixed order, in which neighbours have little in common.

    The order depends only on the pack's name and the words. Therefore a reprint has the same
    sheets, and an added word moves only the later words, by one place.
    """

    def rank(word: str) -> bytes:
        return sha256(f"{pack.name} {word}".encode()).digest()

    return replace(pack, words=tuple(sorted(pack.words, key=rank)))

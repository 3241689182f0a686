"""A word game as everybody at the table sees it: its cards on lit cells, and a line that says whose
turn it is, the clue, and how many are left.
"""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from pi_table.console.screen import name
from pi_table.console.shapes import Rect, Shape, Text
from pi_table.console.symbols import COLOURS, sign
from pi_table.console.word_games.clue_entry import number_text
from pi_table.console.word_games.grid import NUKE_CELL, nuke_text
from pi_table.geometry import CELL_COUNT, CELLS
from pi_table.language import Words, say, say_many
from pi_table.rules.word_games.board import Phase
from pi_table.rules.word_games.key import Identity
from pi_table.rules.word_games.views import NukeView, PublicView, known
from pi_table.simulator.glow import mix
from pi_table.simulator.layout import (
    CARD,
    CELL_HEIGHT,
    CELL_WIDTH,
    EDGE,
    INK,
    NIGHT,
    PALE,
    SOFT,
    corner,
)


def status(view: PublicView | None) -> Words:
    """What the table would say if it could speak; made of the public view alone."""
    if view is None:
        return say("No game has begun: choose one on the hidden screen.")
    left = say("red {red}, blue {blue} left", red=view.left.red, blue=view.left.blue)
    return say("{now}   ·   {left}", now=_now(view), left=left)


def _now(view: PublicView) -> Words:
    if view.outcome is not None:
        winner = view.outcome.winner
        return say("Nobody wins") if winner is None else say("{team} wins", team=name(winner))
    assert view.turn is not None
    team = name(view.turn)
    if view.paused:
        return say("A pause")
    if view.phase is Phase.PLACE:
        return _laying(view, team)
    if view.phase is Phase.COVER:
        return say("{team} covers one of {other}", team=team, other=name(view.turn.other))
    if view.phase is Phase.CLUE:
        return say("{team} waits for its clue", team=team)
    if view.phase is Phase.PENALTY:
        return say("{team} may cover a cell", team=team)
    if view.phase is Phase.CHALLENGE:
        return say("{team}’s clue is challenged: {clue}", team=team, clue=_clue(view))
    left = view.guesses_left
    if left is None:
        return say("{team} guesses: {clue}", team=team, clue=_clue(view))
    return say_many(
        "{team} guesses: {clue} ({count} guess left)",
        "{team} guesses: {clue} ({count} guesses left)",
        left,
        team=team,
        clue=_clue(view),
    )


def _laying(view: PublicView, team: Words) -> Words:
    if view.next_word:
        return say("{team} lays {word}: touch an empty cell", team=team, word=view.next_word)
    return say("{team} lays a card: touch its cell", team=team)


def _clue(view: PublicView) -> Words:
    assert view.clue is not None
    number = number_text(view.clue.number)
    if view.clue.word is None:
        return number
    return say("{word}, {number}", word=view.clue.word, number=number)


def cells(view: PublicView | None, lights: Sequence[int]) -> Iterator[Shape]:
    """The 25 cells, lit and with their cards."""
    for cell in range(CELL_COUNT):
        if view is not None and view.nuke is not UNSET and cell == NUKE_CELL:
            yield from _nuke(view.nuke, lights[cell])
        else:
            yield from _cell(cell, view, lights[cell])


def _cell(cell: int, view: PublicView | None, light: int) -> list[Shape]:
    x, y = corner(cell)
    identity = None if view is None else known(view, cell)
    word = None if view is None else view.cells[CELLS[cell]].word
    shapes: list[Shape] = [Rect(x, y, CELL_WIDTH, CELL_HEIGHT, light, radius=14, target=cell)]
    inside = (x + EDGE, y + EDGE, CELL_WIDTH - 2 * EDGE, CELL_HEIGHT - 2 * EDGE)
    if view is not None and view.placed is not UNSET and CELLS[cell] not in view.placed:
        card, ink, name_ink = NIGHT, PALE, SOFT  # its card is still to be laid
    elif identity is None:
        card = mix(mix(NIGHT, CARD, 0.5), light, 0.25)
        ink, name_ink = INK, mix(card, INK, 0.6)
    else:
        card = mix(COLOURS[identity].deep, light, 0.15)
        ink = name_ink = PALE
    shapes.append(Rect(*inside, card, radius=8))
    shapes.append(Text(x + 14, y + 10, 40, 16, CELLS[cell], 14, name_ink, least=14))
    if identity is not None:
        shapes += sign(identity, x + CELL_WIDTH / 2, y + 36, 15)
    if word is not None:
        top = y + 34 if identity is None else y + 58
        shapes.append(
            Text(x + EDGE + 3, top, CELL_WIDTH - 2 * EDGE - 6, 34, word, 20, ink, "centre", 12)
        )
    return shapes


def _nuke(nuke: NukeView, light: int) -> list[Shape]:
    """The cell without a card, which shows how the nuke stands."""
    x, y = corner(NUKE_CELL)
    return [
        Rect(x, y, CELL_WIDTH, CELL_HEIGHT, light, radius=14, target=NUKE_CELL),
        Rect(x + EDGE, y + EDGE, CELL_WIDTH - 2 * EDGE, CELL_HEIGHT - 2 * EDGE, NIGHT, radius=8),
        *sign(Identity.NUKE, x + CELL_WIDTH / 2, y + 42, 20, PALE),
        Text(x + 12, y + 66, CELL_WIDTH - 24, 26, nuke_text(nuke), 17, PALE, "centre", 12),
    ]

"""The question to the referee about the clue on the screen, and the drawing of its answer."""

from typing import Final

from pi_table.common.geometry import CELLS
from pi_table.common.language import Lang, Words, say
from pi_table.games.referee.reasons import Opinion, Verdict
from pi_table.games.rules.profile import HOUSE_RULES
from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console import style
from pi_table.screens.console.judge import Question
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import Model
from pi_table.screens.console.screen import language
from pi_table.screens.console.shapes import Colour, Face, Rect, Scene, Text
from pi_table.screens.console.symbols import cross, query, tick
from pi_table.screens.console.word_games.clue_entry import Give, Word

VERDICTS: Final = {
    Verdict.FINE: say("The referee: fine"),
    Verdict.DOUBTFUL: say("The referee: doubtful"),
    Verdict.INVALID: say("The referee: invalid"),
}
SIGNS: Final = {Verdict.FINE: tick, Verdict.DOUBTFUL: query, Verdict.INVALID: cross}
RULES: Final[dict[str | None, Words]] = {
    None: say("It finds nothing against this clue."),
    "CL-1": say("One word; the house may allow compounds and abbreviations."),
    "CL-2": say("No form of a word on the table, no compound with it."),
    "CL-3": say("No part of a word on the table, nothing related to a part."),
    "CL-4": say("The same spelling is the same word."),
    "CL-8": say("A rhyme is good for its meaning alone."),
    "CL-9": say("Letters and numbers are good for their meaning alone."),
    "CL-11": say("Only words that the language uses."),
    "CL-12": say("Names of several words only as the house allows."),
    "AL-13": say("One word for its meaning; no alias in play, no part of one."),
}
"""The meaning of each rule, by its id. The id None means that a clue breaks no rule."""


def question_of(model: Model) -> Question | None:
    """Return the question to the referee about the clue on the screen, or None.

    There is a question if the clue is complete, its word was typed, and the table knows the words
    of the cards.
    """
    table, screen = model.table, model.screen
    if not isinstance(table, TableMessage) or not isinstance(screen, Give) or not screen.word:
        return None
    public, settings = table.public, table.settings
    if public is None or settings is None or not _knows_words(table):
        return None
    cells = [public.cells[name] for name in CELLS]
    return Question(
        word=screen.word,
        number=screen.number,
        board=tuple(cell.word for cell in cells),
        covered=tuple(cell.word for cell in cells if cell.word and cell.covered is not None),
        lang=settings.lang,
        profile=public.profile,
        house=tuple(rule for rule in HOUSE_RULES if getattr(settings, rule)),
    )


def language_to_prepare(model: Model) -> Lang | None:
    """Return the language of a clue that is being typed and will be judged; None without such a
    clue."""
    table = model.table
    if isinstance(table, TableMessage) and isinstance(model.screen, Word) and _knows_words(table):
        return language(table)
    return None


def referee(box: Box, model: Model, table: TableMessage, question: Question) -> Scene:
    """Draw the referee's answer to ``question``. Until it arrives, say that the referee is
    thinking."""
    judged = model.judged
    ground = Rect(*box, style.SURFACE, radius=style.RADIUS)
    if judged is not None and judged.question == question and judged.opinion is not None:
        return (ground, *_opinion(box, model.lang, table, judged.opinion))
    words = say("The referee is thinking…")
    if judged is not None and judged.question == question:
        words = say("The referee has no opinion.")
    text = Text(*box.inset(12), words, style.BODY, style.SOFT, "centre")
    return (ground, text)


def _opinion(box: Box, lang: Lang, table: TableMessage, opinion: Opinion) -> Scene:
    x, y, w = box.x + 10, box.y, box.w - 20
    ink = style.INK if opinion.verdict is Verdict.FINE else style.ACCENT
    shapes: Scene = (
        *SIGNS[opinion.verdict](x + 9, y + 17, 8, ink),
        Text(x + 28, y + 2, w - 28, 30, VERDICTS[opinion.verdict], style.BODY, ink, face=Face.BOLD),
    )
    said: list[tuple[Words, Colour]] = [(RULES[opinion.rule], style.INK)]
    if opinion.reason is not None:
        said[0] = (opinion.reason.text(lang), style.INK)
        if box.h >= _ROOM_FOR_ALL:
            said.append((RULES[opinion.rule], style.SOFT))
    said.append((_who_decides(table, opinion.verdict), style.SOFT))
    h = (box.h - 36) / len(said)
    for place, (words, ink) in enumerate(said):
        at = (x, y + 33 + place * h, w, h)
        shapes += (Text(*at, words, style.SMALL, ink),)
    return shapes


_ROOM_FOR_ALL: Final = 150
"""Units: the minimum height of a box that has room for the rule as well as the reason."""


def _who_decides(table: TableMessage, verdict: Verdict) -> Words:
    """Return a sentence that says who decides about the clue: never the referee (CN-18, CN-19)."""
    if table.settings is not None and table.settings.players == "cooperative":
        return say("Only an opinion: the group decides.")
    if verdict is not Verdict.FINE:
        return say("Only an opinion. Ask the other spymaster, quietly.")
    return say("Only an opinion: the other spymaster decides.")


def _knows_words(table: TableMessage) -> bool:
    return table.public is not None and any(cell.word for cell in table.public.cells.values())

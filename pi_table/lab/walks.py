"""A walk through every game: scenarios that take pictures of the table and its hidden screen."""

from collections.abc import Iterator
from typing import Any, Final

from pi_table.common.geometry import CELLS
from pi_table.common.language import Lang
from pi_table.lab.scenario_lines import (
    ALIAS_KEY,
    DISCUSSES,
    KEY,
    Line,
    act,
    cells_of,
    clue,
    codex_messages,
    codex_votes,
    guess,
    hold,
)

WORDS: Final[dict[Lang, str]] = {
    "en": "ORBIT PEPPER WITNESS HARBOUR CROW GALAXY ANCHOR JURY VANILLA TIGER TRUMPET BAIL COMET "
    "SAIL GINGER MIRROR DRUM JUDGE TIDE SUGAR ROCKET CELLO ALIBI BUOY ZEBRA",
    "it": "ORBITA PEPE TESTIMONE PORTO CORVO GALASSIA ANCORA GIURIA VANIGLIA TIGRE TROMBA CAUZIONE "
    "COMETA VELA ZENZERO SPECCHIO TAMBURO GIUDICE MAREA ZUCCHERO RAZZO FLAUTO ALIBI BOA ZEBRA",
}
"""The 25 words on the table during a walk."""


def _game(profile: str, lang: Lang, key: str | None = KEY, **options: Any) -> Line:
    words: list[str | None] | None = [*WORDS[lang].split()] if key else None
    if words and key == ALIAS_KEY:
        words[ALIAS_KEY.index("-")] = None
    settings = {"lang": lang, **options}
    return {"game": {"profile": profile, "options": settings, "words": words, "key": key}}


def _picture(at: float, name: str) -> Line:
    return {"at": at, "picture": f"{name}.png"}


def _press(at: float, given: str) -> Line:
    return {"at": at, "console": given}


def _teams(profile: str, lang: Lang, **options: Any) -> Iterator[Line]:
    """Yield a game between two teams. It ends when the assassin is touched."""
    yield _game(profile, lang, **options)
    yield _picture(3.0, "1-clue-awaited")
    yield _press(3.1, "peek")
    yield _picture(3.5, "2-key-shown")
    yield _press(3.6, "peek")
    yield clue(4.0, number=2)
    yield _picture(7.0, "3-red-guesses")
    yield {"at": 7.1, "touch": "A1"}
    yield _picture(7.3, "4-finger-held")
    yield {"at": 7.7, "release": "A1"}
    yield _picture(8.1, "5-about-to-tell")
    yield _picture(9.2, "6-right")
    yield from hold(11.0, "C1")
    yield _picture(12.9, "7-bystander")
    yield {"at": 15.0, "touch": "A2"}
    yield _picture(15.1, "8-refused")
    yield {"at": 15.5, "release": "A2"}
    yield clue(16.0, "blue", 1)
    yield from hold(19.0, "C3")
    yield _picture(21.4, "9-assassin")
    yield _picture(27.0, "10-red-wins")
    yield _picture(36.0, "11-over")


def _group(profile: str, lang: Lang) -> Iterator[Line]:
    """Yield a game in which one group plays alone and wins."""
    yield _game(profile, lang, players="cooperative")
    yield clue(1.0, number="unlimited")
    for number, cell in enumerate(cells_of(KEY, "r")):
        yield guess(2.0 + 2 * number, cell)
        if number == 0:
            yield _picture(3.9, "1-found")
    yield _picture(24.0, "2-won")


def _lay_out_cards(profile: str, lang: Lang) -> Iterator[Line]:
    yield _game(profile, lang, key=None)
    yield _picture(2.0, "1-first-card")
    for number, cell in enumerate(CELLS):
        yield from hold(3.0 + number, cell)
        if number == 9:
            yield _picture(12.8, "2-half-laid")
    yield _picture(29.2, "3-all-down")
    yield _picture(33.0, "4-clue-awaited")


def _alias(lang: Lang) -> Iterator[Line]:
    """Yield a game of Alias 24 in which the nuke is armed and then touched."""
    yield _game("alias-24", lang, ALIAS_KEY, nuke="mad")
    yield _picture(3.0, "1-clue-awaited")
    yield clue(3.1, "blue", "unlimited")
    for number, cell in enumerate([*cells_of(ALIAS_KEY, "r")[:7], "C1"]):
        yield guess(4.0 + number, cell, "blue")
    yield _picture(15.0, "2-red-is-next")
    yield clue(15.1, "red", "unlimited")
    for number, cell in enumerate(cells_of(ALIAS_KEY, "b")[:5]):
        yield guess(18.0 + number, cell)
    yield _picture(26.0, "3-armed")
    nuke = CELLS[ALIAS_KEY.index("a")]
    yield from hold(28.0, nuke)
    yield _picture(30.5, "4-nuke")


def _codex(lang: Lang) -> Iterator[Line]:
    yield {"game": {"profile": "codex", "options": {"lang": lang}, "deal": None}}
    yield _picture(1.0, "1-called")
    yield from codex_messages()
    yield _picture(DISCUSSES + 2.0, "2-talk")
    yield act(DISCUSSES + 5.0, "operator", "end-discussion")
    votes = codex_votes()
    yield from votes[:3]
    yield _picture(DISCUSSES + 15.0, "3-votes")
    yield from votes[3:]
    yield _picture(DISCUSSES + 26.0, "4-machine")


def walks(lang: Lang) -> dict[str, list[Line]]:
    return {
        "codenames": [*_teams("codenames", lang)],
        "nome-in-codice": [*_teams("nome-in-codice", lang, players="shared-operative")],
        "nome-in-codice-group": [*_group("nome-in-codice", lang)],
        "deep-undercover": [*_lay_out_cards("deep-undercover", lang)],
        "alias-24": [*_alias(lang)],
        "codex": [*_codex(lang)],
    }

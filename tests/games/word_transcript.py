"""The transcript of a word game: its state, the grid, and the particulars of each seat."""

import json
from collections.abc import Iterator

import msgspec
from given_keys import GivenKeys
from replaying import Json, Table

from pi_table.common.geometry import CELLS, SIDE
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.game import SEATS
from pi_table.games.rules.word_games.key import CLASSIC, LAYOUTS, Identity, Key, Layout

LETTERS = {identity.value: identity.letter for identity in Identity}
DRAWN = ("bnrbrrbbnrnbarbbnrnbrnbrn", "nnnnnnnbbbbbbbbarrrrrrrrr")
"""The keys that are drawn in these games, one after the other, over and over; in Alias 24"""
DRAWN_ALIASES = ("rnrbarnnrbbr-bnrnbbrrbnrb", "nnnnnnbbbbbb-bbarrrrrrrrr")
SWAPPED = str.maketrans("rb", "br")


class Drawn(GivenKeys):
    """The draws in these games; if either team could start, red does."""

    def __init__(self) -> None:
        self._drawn = 0

    def below(self, count: int) -> int:
        return 0

    def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
        letters = (DRAWN if layout is CLASSIC else DRAWN_ALIASES)[self._drawn % len(DRAWN)]
        self._drawn += 1
        key = Key.read(letters, layout)
        if starts in (None, key.starts):
            return key
        return Key.read(letters.translate(SWAPPED), layout)


class WordTable(Table):
    """A word game."""

    def __init__(self) -> None:
        super().__init__(Drawn())

    def status(self, before: Json) -> str:
        return status(self.public, before)

    def views(self) -> Iterator[str]:
        """Yield the public view."""
        answers = {
            seat.value: self.answer(json.dumps({"seat": seat.value, "act": "look"}))
            for seat in SEATS
        }
        looks = {seat: answer["told"] for seat, answer in answers.items() if answer["ok"]}
        keys = {seat: look["key"] for seat, look in looks.items() if look.get("key")}
        yield self.status({})
        yield from grid(self.public, keys)
        for team, words in self.public.get("hands", {}).items():
            yield f"{team}’s hand: {', '.join(words) or 'empty'}"
        yield f"{'everybody':<15}  sees the public view"
        for seat, look in looks.items():
            yield f"{seat:<15}  {', '.join(self._particular(seat, look))}"

    def _particular(self, seat: str, look: Json) -> Iterator[str]:
        """Yield the lines that are particular to a seat's view."""
        look = dict(look)
        assert look.pop("seat") == seat
        if look.pop("public") != self.public:
            yield "sees ANOTHER public view"
        if look.pop("key", None):
            yield "sees the key"
        if (settings := look.pop("settings", None)) is not None:
            yield f"sees the settings ({_settings(self.public['profile'], settings)})"
        yield f"may {' · '.join(look.pop('may')) or 'do nothing'}"
        for name, value in look.items():
            if value:
                yield f"sees {name} {json.dumps(value)}"


def _settings(profile: str, settings: Json) -> str:
    defaults = msgspec.to_builtins(PROFILES[profile].defaults)
    changed = [f"{name} {value}" for name, value in settings.items() if defaults[name] != value]
    return ", ".join(changed) or "as ever"


def status(view: Json, before: Json) -> str:
    """All of a public view but for the grid, and which cells changed since the view ``before``."""
    return " · ".join([*_status(view), *_changes(view, before)])


def _status(view: Json) -> Iterator[str]:
    rest = dict(view)
    del rest["profile"], rest["cells"]
    turn = rest.pop("turn")
    yield rest.pop("phase") + (f", {turn} to move" if turn else "")
    clue, left = rest.pop("clue"), rest.pop("guesses_left")
    if clue:
        yield f"{clue['word'] or '(spoken)'} {clue['number']}"
    if left is not None or view["phase"] == "guess":
        yield f"guesses left {'without limit' if left is None else left}"
    if made := rest.pop("guesses"):
        yield f"{made} made"
    to_find = rest.pop("left")
    yield f"to find: red {to_find['red']}, blue {to_find['blue']}"
    yield f"{rest.pop('starts')} started"
    if nuke := rest.pop("nuke", None):
        yield f"nuke {nuke['mode']}{', ARMED' * nuke['armed']}"
    if (placed := rest.pop("placed", None)) is not None:
        yield f"cards laid: {len(placed)}"
    if next_word := rest.pop("next_word", None):
        yield f"next {next_word}"
    if hands := rest.pop("hands", None):
        yield "in hand: " + ", ".join(f"{team} {len(words)}" for team, words in hands.items())
    if timer := rest.pop("timer"):
        yield (
            f"{timer['mode']} {timer['left']:g} s, "
            f"{'running' if timer['running'] else 'standing'}{', URGING' * timer['urging']}"
        )
    if rest.pop("paused"):
        yield "PAUSED"
    if shown := rest.pop("shown"):
        yield "was shown: " + ", ".join(f"{cell} {what}" for cell, what in shown.items())
    for count in ("corrections", "new_keys"):
        if number := rest.pop(count):
            yield f"{count.replace('_', ' ')}: {number}"
    if clues := rest.pop("clues"):
        guessed = [" ".join(given["cells"]) for given in clues]
        latest = {name: clues[-1][name] for name in clues[-1] if name != "cells"}
        assert not clue or latest == {"team": turn, **clue}
        yield f"clues: {len(clues)}"
        if any(guessed):
            yield f"guessed: {', '.join(cells or 'none' for cells in guessed)}"
    if outcome := rest.pop("outcome"):
        assert [*outcome] == ["winner", "losers", "why", "score"]
        losers = ", ".join(outcome["losers"]) or "nobody"
        score = "" if outcome["score"] is None else f", score {outcome['score']}"
        yield f"{outcome['winner'] or 'nobody'} WON, {losers} lost ({outcome['why']}){score}"
    if key := rest.pop("key", None):
        yield f"KEY {key}"
    assert not rest, f"the texts do not show {rest}"


def _changes(view: Json, before: Json) -> Iterator[str]:
    if not before:
        return
    for name in CELLS:
        then, now = before["cells"][name]["covered"], view["cells"][name]["covered"]
        if then != now:
            yield f"{name} is {now or 'open again'}"
    laid, were_laid = _with_cards(view), _with_cards(before)
    yield from (f"{name} has a card" for name in CELLS if name in laid - were_laid)
    yield from (f"{name} has none" for name in CELLS if name in were_laid - laid)


def _with_cards(view: Json) -> set[str]:
    """The cells that have a card."""
    without = LAYOUTS[view["profile"]].without_card
    return {*view.get("placed", CELLS)} - {name for name in CELLS if CELLS.index(name) == without}


def grid(view: Json, keys: dict[str, str]) -> Iterator[str]:
    """The table as the operatives see it; beside it each key that somebody sees."""
    shown = [_cell(view, name) for name in CELLS]
    width = max(map(len, shown)) + 2
    yield "   " + "".join(f"{column:<{width}}" for column in "ABCDE") + "  ".join(keys)
    for row in range(SIDE):
        part = slice(row * SIDE, (row + 1) * SIDE)
        words = "".join(f"{word:<{width}}" for word in shown[part])
        drawn = "  ".join(f"{' '.join(key[part]):<{len(seat)}}" for seat, key in keys.items())
        yield f"{row + 1}  {words}{drawn}"


def _cell(view: Json, name: str) -> str:
    """Its word, or a dash for a card without one, and what it is covered with."""
    cell = view["cells"][name]
    if name not in _with_cards(view):
        assert cell == {"word": None, "covered": None}
        return ""
    return (cell["word"] or "-") + (f" [{LETTERS[cell['covered']]}]" if cell["covered"] else "")

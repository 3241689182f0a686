"""The referee on the command line. It reads clues as JSON Lines and writes one verdict for each."""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import did_you_mean, say, to_json
from pi_table.games.referee.opinion import PROFILES, Number, opinion
from pi_table.games.referee.reasons import LANGUAGES, Opinion


class Clue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clue, with the board and the rules by which it is judged."""

    word: str
    number: int | Literal["unlimited"]
    board: tuple[str | None, ...]
    lang: str
    covered: tuple[str | None, ...] = ()
    profile: str = "codenames"
    house: tuple[str, ...] = ()
    langs: tuple[str, ...] = ()
    """Languages in which to return the reason. If empty, only the clue's language is used."""


def judge_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield a verdict for each line. Raises InputError for an invalid line; the message has the
    line's number."""
    for number, line in enumerate(lines, start=1):
        try:
            yield verdict(_read(line))
        except InputError as error:
            raise InputError(say("Line {number}: {error}", number=number, error=error)) from None


def verdict(clue: Clue) -> str:
    """Return the opinion on a clue as a line of JSON. Raises InputError as `opinion` does."""
    found: Opinion = opinion(
        clue.word, clue.number, clue.board, clue.covered, clue.lang, clue.profile, clue.house
    )
    why = found.reason
    reason = None if why is None else why.text(clue.lang)
    told = {lang: why.text(lang) for lang in clue.langs if lang in LANGUAGES} if why else None
    answer = {
        "verdict": str(found.verdict),
        "rule": found.rule,
        "reason": told if clue.langs else reason,
    }
    return to_json(answer).decode()


def language_of(profile: str) -> str:
    """Return the default language of a game with clues. Raises InputError for any other game."""
    if profile not in PROFILES:
        raise InputError(
            say(
                "There is no game with clues {profile}; {did_you_mean}",
                profile=repr(profile),
                did_you_mean=did_you_mean(profile, [*PROFILES]),
            )
        )
    return PROFILES[profile]


def number_of(text: str) -> Number:
    """Parse the typed number of a clue: an integer or ``unlimited``. Raises InputError."""
    if text == "unlimited":
        return "unlimited"
    try:
        return int(text)
    except ValueError:
        raise InputError(
            say(
                "The clue's number cannot be {text}; it is a whole number, or 'unlimited'.",
                text=repr(text),
            )
        ) from None


def _read(line: str) -> Clue:
    try:
        return msgspec.json.decode(line, type=Clue)
    except msgspec.DecodeError as error:
        raise InputError(say("this is not a clue: {error}.", error=error)) from None

"""Games and acts as JSON: what a person or a program writes, made into values and checked."""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

from pi_table.errors import InputError, did_you_mean
from pi_table.geometry import CELL_COUNT, cell_named
from pi_table.rules import acts, events
from pi_table.rules.board import UNLIMITED, Number
from pi_table.rules.key import Key
from pi_table.rules.profile import profile_named, settings_for
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Seat

Draw = Callable[[], Key]

_GAME_FIELDS: Final = ("profile", "options", "words", "key")


def read_game(given: object, draw: Draw, at: float = 0.0) -> events.Dealt:
    """The deal of a game: ``{"profile", "options", "words", "key"}``, the last three optional.

    A key that is not given is drawn. Raises InputError.
    """
    if not isinstance(given, dict):
        raise InputError("A game is a JSON object with at least a profile.")
    for name in given:
        if name not in _GAME_FIELDS:
            raise InputError(f"A game has no field {name!r}; {did_you_mean(name, _GAME_FIELDS)}")
    profile = profile_named(given.get("profile"))
    options = given.get("options")
    settings = settings_for(profile, {} if options is None else options)
    words = _read_words(given.get("words"))
    key = given.get("key")
    if key is not None and not isinstance(key, str):
        raise InputError("A key is text of 25 letters, or null for one that is drawn.")
    return events.Dealt(at, profile.id, settings, words, draw() if key is None else Key.read(key))


def _read_words(given: object) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != CELL_COUNT:
        raise InputError(f"The words of a game are a list of {CELL_COUNT}, or null.")
    seen: dict[str, str] = {}
    for word in given:
        if not isinstance(word, str) or not word.strip() or not word.isprintable():
            raise InputError(f"Each of the {CELL_COUNT} words is text on one line, and not empty.")
        alike = unicodedata.normalize("NFC", "".join(word.casefold().split()))
        if alike in seen:
            raise InputError(
                f"The words {seen[alike]!r} and {word!r} are the same but for case and spaces: "
                "one of the two must go."
            )
        seen[alike] = word
    return tuple(given)


def read_seat(given: object) -> Seat:
    """The seat with this name. Raises Refused."""
    seat = _SEATS.get(given) if isinstance(given, str) else None
    if seat is None:
        raise Refused(Reason.UNKNOWN_SEAT)
    return seat


_SEATS: Final = {seat.value: seat for seat in Seat}


def read_act(given: Mapping[str, Any], draw: Draw) -> acts.Act:
    """The act that a JSON object describes. Raises Refused for what it lacks or gets wrong."""
    reader = _READERS.get(given["act"])
    if reader is None:
        raise Refused(Reason.UNKNOWN_ACT)
    return reader(given, draw)


def read_time(given: object, last: float) -> float:
    """The time of an act (seconds), not before ``last``. Raises Refused."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise Refused(Reason.BAD_TIME)
    if not last <= given <= LATEST:
        raise Refused(Reason.BAD_TIME)
    return float(given)


LATEST: Final = 1e6
"""Seconds of game time, eleven days; longer is a mistake."""


def _cell(given: Mapping[str, Any]) -> int:
    if "cell" not in given:
        raise Refused(Reason.MISSING_FIELD)
    cell = cell_named(given["cell"])
    if cell is None:
        raise Refused(Reason.UNKNOWN_CELL)
    return cell


def _number(given: Mapping[str, Any]) -> Number:
    if "number" not in given:
        raise Refused(Reason.MISSING_FIELD)
    number = given["number"]
    if number == UNLIMITED:
        return UNLIMITED
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refused(Reason.BAD_NUMBER)
    return number


def _clue(given: Mapping[str, Any], draw: Draw) -> acts.Act:
    word = given.get("word")
    if word is not None:
        if not isinstance(word, str):
            raise Refused(Reason.BAD_WORD)
        word = word.strip()
    return acts.GiveClue(_number(given), word)


def _correct(given: Mapping[str, Any], draw: Draw) -> acts.Act:
    return acts.Correct(_number(given) if given.get("number") is not None else None)


def _plain(kind: Callable[[], acts.Act]) -> Callable[[Mapping[str, Any], Draw], acts.Act]:
    return lambda given, draw: kind()


_READERS: Final[dict[str, Callable[[Mapping[str, Any], Draw], acts.Act]]] = {
    "clue": _clue,
    "guess": lambda given, draw: acts.Guess(_cell(given)),
    "stop": _plain(acts.Stop),
    "challenge": _plain(acts.Challenge),
    "allow": _plain(acts.Allow),
    "uphold": _plain(acts.Uphold),
    "cover": lambda given, draw: acts.Cover(_cell(given)),
    "decline": _plain(acts.Decline),
    "hourglass": _plain(acts.TurnHourglass),
    "pause": _plain(acts.Pause),
    "resume": _plain(acts.Resume),
    "correct": _correct,
    "new-key": lambda given, draw: acts.NewKey(draw()),
    "abandon": _plain(acts.Abandon),
    "reveal": _plain(acts.Reveal),
}
assert {*_READERS} == {acts.name_of(kind) for kind in acts.Act.__subclasses__()}

"""A scenario: a list of events at the table with their times, as lines of JSON.

The first line may be ``{"game": {…}}``, in the form that `pi-table play` reads. Every other line
has ``"at"`` (the time in seconds, never less than on the line before) and one event:

- ``"touch"`` or ``"release"``: a cell, or the pad ``end-turn`` or ``hourglass``;
- ``"console"``: ``press``, ``turn+1``, ``turn-1``, ``back``, ``peek`` or ``unpeek``;
- ``"phone"``: a seat. Its code is shown, and a phone scans it;
- ``"act"``: an act that `games.rules.play` can read, as if somebody entered it at the console;
- ``"picture"``: the name of a PNG or of a GIF. ``"of"`` is ``table``, ``console`` or ``both``. The
  duration of a GIF is in ``"seconds"``;
- ``"say"``: a sentence for the people who watch.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.geometry import place_named
from pi_table.common.language import did_you_mean, say
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.games import read_time
from pi_table.games.rules.refusal import Refused

OF: Final = ("both", "table", "console")
KINDS: Final = (".png", ".gif")
MAX_SECONDS: Final = 20
"""Maximum duration of a moving picture in seconds, because each second needs ten frames in
memory."""


class Start(msgspec.Struct, frozen=True):
    game: Any


class Touch(msgspec.Struct, frozen=True):
    place: int


class Release(msgspec.Struct, frozen=True):
    place: int


class Console(msgspec.Struct, frozen=True):
    given: Input


class Act(msgspec.Struct, frozen=True):
    do: dict[str, Any]


class Phone(msgspec.Struct, frozen=True):
    seat: str


class Picture(msgspec.Struct, frozen=True):
    name: str
    of: str
    seconds: float = 0.0
    """Duration of a moving picture in seconds; 0 for a still picture."""


class Narration(msgspec.Struct, frozen=True):
    """A sentence that explains the game to those who watch it."""

    sentence: str


What = Start | Touch | Release | Console | Act | Phone | Picture | Narration


class Step(msgspec.Struct, frozen=True):
    """An event, its time ``at`` in seconds, and the number of its line, counted from 1."""

    at: float
    what: What
    line: int


def read_scenario(lines: Iterable[str], source: str | None = None) -> Iterator[Step]:
    """Yield the steps of a scenario. Each line is read only when its step is requested.

    ``source`` is the name of the scenario's file. Raises InputError, with the line's number, for a
    line that cannot be played.
    """
    at = 0.0
    for number, line in enumerate(lines, start=1):
        with blaming(number, source):
            given = _object(line)
            if number == 1 and "game" in given:
                what: What = Start(given["game"])
            else:
                at = _time(given.pop("at", None), at)
                what = _what(given)
        yield Step(at, what, number)


@contextmanager
def blaming(line: int, source: str | None = None) -> Iterator[None]:
    """Context manager that adds the line's number, and the file's name if given, to an
    InputError."""
    try:
        yield
    except InputError as error:
        if source is None:
            raise InputError(say("Line {line}: {error}", line=line, error=error)) from None
        raise InputError(
            say("Line {line} of {source}: {error}", line=line, source=source, error=error)
        ) from None


def _object(line: str) -> dict[str, Any]:
    try:
        given = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise InputError(say("this is not JSON: {error}.", error=error)) from None
    if not isinstance(given, dict):
        raise InputError(say("this is JSON, but not an object."))
    return given


def _time(given: object, last: float) -> float:
    try:
        return read_time(given, last)
    except Refused:
        raise InputError(say('a line needs a time "at", in seconds, that never falls.')) from None


def _what(given: dict[str, Any]) -> What:
    of, seconds = given.pop("of", None), given.pop("seconds", None)
    if len(given) != 1:
        raise InputError(
            say("besides its time, a line has one of {readers}.", readers=", ".join(_READERS))
        )
    ((name, value),) = given.items()
    if name not in _READERS:
        raise InputError(
            say(
                "there is no event {name}; {did_you_mean}",
                name=repr(name),
                did_you_mean=did_you_mean(name, [*_READERS]),
            )
        )
    if name == "picture":
        return _picture(value, of or "both", seconds)
    if of is not None or seconds is not None:
        raise InputError(say('"of" and "seconds" belong to a picture.'))
    return _READERS[name](value)


def _place(name: object) -> int:
    place = place_named(name)
    if place is None:
        raise InputError(
            say(
                "there is no place {name}: they are A1 to E5, end-turn and hourglass.",
                name=repr(name),
            )
        )
    return place


def _console(name: object) -> Console:
    known = tuple(given.value for given in Input)
    if name not in known:
        raise InputError(
            say(
                "the console has no input {name}; {did_you_mean}",
                name=repr(name),
                did_you_mean=did_you_mean(str(name), known),
            )
        )
    return Console(Input(name))


def _act(do: object) -> Act:
    if not isinstance(do, dict):
        raise InputError(say('an "act" is an object, as `pi-table play` reads it.'))
    return Act(do)


def _phone(seat: object) -> Phone:
    if not isinstance(seat, str):
        raise InputError(say('a "phone" is for a seat, named by a text.'))
    return Phone(seat)


def _picture(name: object, of: object, seconds: Any) -> Picture:
    if not isinstance(name, str) or Path(name).name != name or Path(name).suffix not in KINDS:
        raise InputError(say("a picture is the name of a .png or a .gif file, without a folder."))
    if of not in OF:
        raise InputError(
            say(
                "there is no picture of {of}; {did_you_mean}",
                of=repr(of),
                did_you_mean=did_you_mean(str(of), OF),
            )
        )
    if Path(name).suffix == ".png":
        if seconds is not None:
            raise InputError(say('a .png does not move: name a .gif, or leave "seconds" out.'))
        return Picture(name, str(of))
    if type(seconds) not in (int, float) or not 0 < seconds <= MAX_SECONDS:
        raise InputError(
            say(
                'a .gif needs "seconds", more than 0 and {longest_seconds} at most.',
                longest_seconds=MAX_SECONDS,
            )
        )
    return Picture(name, str(of), seconds)


def _narration(sentence: object) -> Narration:
    if not isinstance(sentence, str):
        raise InputError(say("what is said is text."))
    return Narration(sentence)


_READERS: Final[dict[str, Callable[[Any], What]]] = {
    "touch": lambda name: Touch(_place(name)),
    "release": lambda name: Release(_place(name)),
    "console": _console,
    "act": _act,
    "phone": _phone,
    "picture": lambda name: _picture(name, "both", None),
    "say": _narration,
}

"""Play a game by the rules alone, without a table: JSON Lines in, one line of answer for each.

The first line describes a game, as `games.read_opening` reads it. Every other line is an act, such
as ``{"seat": "red-operatives", "act": "guess", "cell": "A1", "at": 12.5}``. Three more acts are
``look`` (return the seat's view), ``clues`` (return all clues of a word game) and ``tick`` (let
time pass). The README shows a game; `explain` lists the acts and settings of a profile.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.explained import line_about
from pi_table.games.rules.profile import Profile, choices
from pi_table.games.rules.refusal import Reason, Refused


def play(lines: Iterable[str], chance: Chance) -> Iterator[str]:
    """Yield a line of JSON for each of ``lines``. ``chance`` draws a key or deal that is missing.

    Raises InputError for a line that cannot be read; the message has the line's number.
    """
    table: _Table | None = None
    number = 0
    for number, line in enumerate(lines, start=1):
        try:
            given = _object(line)
            if table is None:
                table = _Table(games.evolve(None, games.read_opening(given, chance)), chance)
                answer = table.answer(ok=True, told=None)
            else:
                answer = table.do(given)
        except InputError as error:
            raise InputError(say("Line {number}: {error}", number=number, error=error)) from None
        yield msgspec.json.encode(answer).decode()
    if table is None:
        raise InputError(say("Line 1 is missing; the first line of a game must describe it."))


class _Table:
    def __init__(self, state: games.AnyState, chance: Chance) -> None:
        self._state = state
        self._chance = chance
        self._now = 0.0

    def answer(self, ok: bool, **more: object) -> dict[str, object]:
        return {"ok": ok, "view": games.public_view(self._state.board, self._now), **more}

    def do(self, given: Mapping[str, Any]) -> dict[str, object]:
        act = given.get("act")
        if not isinstance(act, str):
            raise InputError(say('an act needs a text "act" that names it.'))
        if act != "tick" and not isinstance(given.get("seat"), str):
            raise InputError(say('an act needs a text "seat": who does it.'))
        try:
            told = self._do_act(given, act)
        except Refused as refusal:
            return self.answer(ok=False, reason=refusal.reason.value)
        return self.answer(ok=True, told=told)

    def _do_act(self, given: Mapping[str, Any], act: str) -> object:
        """Do an act and return the result that only the seat may see. Raises Refused."""
        self._now = games.read_time(given.get("at", self._now), self._now)
        self._state, _ = games.settle(self._state, self._now)
        if act == "tick":
            return None
        seat = games.read_seat(given["seat"], self._state.board)
        if act == "look":
            return games.view(self._state, seat, self._now)
        if act == "clues":
            return games.clues(self._state.board)
        done = games.read_act(given, self._state, self._chance)
        self._state, happened = games.step(self._state, seat, done, self._now)
        return games.private_result(self._state, seat, happened)


def _object(line: str) -> dict[str, Any]:
    try:
        given = json.loads(line, parse_int=_whole_number, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(
            say("this is not JSON: {msg}, at column {colno}.", msg=error.msg, colno=error.colno)
        ) from None
    except RecursionError:
        raise InputError(say("this is nested too deeply.")) from None
    if not isinstance(given, dict):
        raise InputError(say("this is JSON, but not an object."))
    return given


def _whole_number(digits: str) -> int | float:
    """Convert digits to int. Twenty or more digits become a float, because Python refuses to
    convert thousands of digits to int."""
    return int(digits) if len(digits) < 20 else float(digits)


def _no_number(name: str) -> None:
    """Refuse NaN and Infinity: Python accepts them, but JSON does not have them."""
    raise InputError(say("this is not JSON: {name} is not a number.", name=name))


def explain(profile: Profile) -> Iterator[str]:
    """Yield lines that list the seats, acts, reasons for refusals and settings of a game."""
    game = games.game_of(profile)
    yield f"{profile.id}: {profile.title}"
    yield ""
    yield f"Seats: {', '.join(seat.value for seat in game.SEATS)}."
    yield ""
    yield "Acts (who; in which phases):"
    yield from game.explain(profile)
    yield line_about("look", "anyone. See what that seat may see.")
    yield line_about("tick", "nobody. Let time pass.")
    yield ""
    yield "Reasons for refusing an act:"
    for reason in Reason:
        if reason.where(profile):
            yield line_about(reason.value, reason.sentence)
    yield ""
    yield "Settings (default; the values to choose from):"
    for name in profile.settings:
        default = msgspec.json.encode(getattr(profile.defaults, name)).decode()
        yield line_about(name, f"{default} ({choices(name)})")

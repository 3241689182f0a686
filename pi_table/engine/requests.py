"""What can be asked for at the console: acts of the rules, and the operator's own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from pi_table.engine.dealing import CARDS, Cards, Wish
from pi_table.engine.families import family_of
from pi_table.engine.inputs import Asked
from pi_table.engine.moves import (
    Move,
    Unable,
    acted,
    check_that_it_can_be_stored,
    check_that_none_is_played,
    playing,
)
from pi_table.engine.outputs import Deal, ListGames, Open, ReadRecord, Verdict
from pi_table.engine.peek import Peek, begin, may_be_told
from pi_table.engine.situation import Situation
from pi_table.errors import InputError, TableError, did_you_mean
from pi_table.language import language_named
from pi_table.rules import games
from pi_table.rules.profile import options_at_a_table, options_of, profile_named
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Role, Seat


class Tell(msgspec.Struct, frozen=True):
    """Nothing is to be done but to answer with what is ``told``."""

    told: object = None


class SetPeek(msgspec.Struct, frozen=True):
    """This peek is to be on from now on; with None, nobody peeks."""

    peek: Peek | None


Work = Move | Tell | SetPeek | Deal | ListGames | ReadRecord | Open
"""What is to be done about a request."""


def work_of(asked: Asked, situation: Situation, now: float) -> Work:
    """What is to be done about a request. Raises TableError to refuse it."""
    do = asked.do
    if not isinstance(do.get("act"), str):
        raise Refused(Reason.UNKNOWN_ACT)
    own = _OWN_ACTS.get(do["act"])
    if own is not None:
        if do.get("seat") != Seat.OPERATOR.value:
            raise Refused(Reason.WRONG_SEAT)
        return own(asked, situation)
    game = playing(situation.game)
    seat = games.read_seat(do.get("seat"), game.board)
    if do["act"] == "peek":
        return SetPeek(begin(game.state, game.number, seat, now, situation.peek_seconds))
    if do["act"] == "unpeek":
        return SetPeek(None)
    is_told = may_be_told(situation.peek, seat)
    if do["act"] == "look":
        seen = family_of(game.board).look(game.state, seat, game.time(now), is_told)
        if seat.role is Role.OPERATOR:
            seen = msgspec.structs.replace(seen, faults=situation.faults)
        return Tell(seen)
    if do["act"] == "clues":
        return Tell(games.clues(game.board))
    # Before the rules are asked: a table that stores nothing would tell without a trace, cell by
    # cell, which covers they refuse (ALL-1).
    check_that_it_can_be_stored(situation.closed, situation.fault)
    act = games.read_act(do, game.state, situation.chance)
    move = acted(game, seat, act, now)
    return move if is_told else msgspec.structs.replace(move, told=None)


def operators_acts(situation: Situation) -> tuple[str, ...]:
    """The acts that are not of the rules, and that the operator may ask for now."""
    if situation.closed:
        return ("try-again", "set-aside")
    acts: tuple[str, ...] = ("record",)
    if situation.game is None:
        acts = ("start", "record")
    elif situation.game.board.outcome is not None:
        acts = ("start", "next", "record")
    return acts if situation.fault is None else (*acts, "try-again")


def _start(asked: Asked, situation: Situation) -> Work:
    names = ("profile", "options", "nicknames")
    game = {name: asked.do[name] for name in names if name in asked.do}
    wish = _wish(asked.do, situation.cards)
    check_that_none_is_played(situation.game)
    profile, options = profile_named(game.get("profile")), game.get("options")
    if options is None or isinstance(options, dict):  # else whoever reads the game says what it is
        game["options"] = options_at_a_table(profile, options or {})
    return Deal(asked.to, game, wish)


def _next(asked: Asked, situation: Situation) -> Work:
    """The same game again, with other cards and another key (CN-23)."""
    before = playing(situation.game)
    check_that_none_is_played(before)
    opening = before.opening
    options = options_of(profile_named(opening.profile), opening.settings)
    kept, wish = family_of(before.board).next_game(opening)
    return Deal(asked.to, {"profile": opening.profile, "options": options, **kept}, wish)


def _record(asked: Asked, situation: Situation) -> Work:
    number = asked.do.get("game")
    if number is None:
        game = situation.game
        is_played = game is not None and game.board.outcome is None and not situation.closed
        return ListGames(asked.to, game.number if game is not None and is_played else None)
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refused(Reason.BAD_NUMBER)
    lang = asked.do.get("lang")
    return ReadRecord(asked.to, number, None if lang is None else language_named(lang))


def _try_again(asked: Asked, situation: Situation) -> Work:
    if situation.fault is None:
        raise Unable("nothing-to-mend", "The journal is in order.")
    return Open(aside=False)


def _set_aside(asked: Asked, situation: Situation) -> Work:
    if not situation.closed:
        raise Unable("nothing-to-mend", "The journal is open.")
    return Open(aside=True)


def _wish(do: Mapping[str, Any], usual: Cards) -> Wish:
    """What words an act of starting asks for. Raises InputError."""
    cards, pack, blanks = do.get("cards", usual), do.get("pack"), do.get("blanks", [])
    if cards not in CARDS:
        raise InputError(f"There are no cards {cards!r}; {did_you_mean(str(cards), CARDS)}")
    if pack is not None and not isinstance(pack, str):
        raise InputError("A word pack is asked for by its name.")
    if not isinstance(blanks, list) or not all(isinstance(word, str) for word in blanks):
        raise InputError("Words on blank cards are a list of texts.")
    return Wish(cards, pack, tuple(blanks))


_OWN_ACTS: Final[dict[str, Callable[[Asked, Situation], Work]]] = {
    "start": _start,
    "next": _next,
    "record": _record,
    "try-again": _try_again,
    "set-aside": _set_aside,
}
"""What the table itself can be asked for by its operator. What any seat can ask it for (`peek`,
`unpeek`, `look`, `clues`) is in `work_of`; all other acts are the rules'."""


def verdict_of(refusal: TableError) -> Verdict:
    """The answer to a request that the rules, the table or the disk refused."""
    if isinstance(refusal, Refused):
        reason = refusal.reason.value
    elif isinstance(refusal, Unable):
        reason = refusal.reason
    else:
        reason = "cannot-store" if isinstance(refusal, OSError) else "unusable"
    return Verdict(ok=False, reason=reason, sentence=str(refusal))

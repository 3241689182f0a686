"""What can be asked of the table on the console: acts of the rules, and its operator's own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from pi_table.engine.archive import Archive
from pi_table.engine.dealing import CARDS, Cards, Wish
from pi_table.engine.session import Move, Session, Unable
from pi_table.errors import InputError, did_you_mean
from pi_table.language import language_named
from pi_table.rules import games
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Role, Seat


class Requests:
    """Reads what is asked for, as JSON, and says what comes of it.

    ``cards`` is how games get their words unless it is said otherwise; ``faults`` tells what is
    wrong with the table; ``reopen`` opens the journal again, having set the old one aside if it is
    told to (it raises StorageError), and ``changed`` is called when it did.
    """

    def __init__(
        self,
        session: Session,
        archive: Archive,
        cards: Cards,
        faults: Callable[[], tuple[str, ...]],
        reopen: Callable[[bool], None],
        changed: Callable[[float], None],
    ) -> None:
        self._session = session
        self._archive = archive
        self._cards: Cards = cards
        self._faults = faults
        self._reopen = reopen
        self._changed = changed

    def asked(self, do: Mapping[str, Any], now: float) -> object:
        """The move that is asked for, or what is told. Raises TableError."""
        if not isinstance(do.get("act"), str):
            raise Refused(Reason.UNKNOWN_ACT)
        own = _OWN_ACTS.get(do["act"])
        if own is not None:
            if do.get("seat") != Seat.OPERATOR.value:
                raise Refused(Reason.WRONG_SEAT)
            return own(self, do, now)
        seat = games.read_seat(do.get("seat"), self._session.playing().board)
        if do["act"] == "look":
            seen = games.view(self._session.playing(), seat, self._session.time(now))
            if seat.role is Role.OPERATOR:
                return msgspec.structs.replace(seen, faults=self._faults())
            return seen
        if do["act"] == "clues":
            return games.clues(self._session.playing().board)
        act = games.read_act(do, self._session.playing(), self._session.chance)
        return self._session.move(seat, act, now)

    def _start(self, do: Mapping[str, Any], now: float) -> Move:
        game = {name: do[name] for name in ("profile", "options", "nicknames") if name in do}
        return self._session.opening(game, _wish(do, self._cards), now)

    def _next(self, do: Mapping[str, Any], now: float) -> Move:
        """CN-23: the same game again, with other cards and another key."""
        return self._session.same_again(now)

    def _record(self, do: Mapping[str, Any], now: float) -> object:
        number = do.get("game")
        if number is None:
            return self._archive.games()
        if isinstance(number, bool) or not isinstance(number, int):
            raise Refused(Reason.BAD_NUMBER)
        lang = do.get("lang")
        return self._archive.record(number, None if lang is None else language_named(lang))

    def _try_again(self, do: Mapping[str, Any], now: float) -> None:
        if self._session.fault is None:
            raise Unable("nothing-to-mend", "The journal is in order.")
        self._mend(now, aside=False)

    def _set_aside(self, do: Mapping[str, Any], now: float) -> None:
        if not self._session.closed:
            raise Unable("nothing-to-mend", "The journal is open.")
        self._mend(now, aside=True)

    def _mend(self, now: float, aside: bool) -> None:
        self._session.close()
        try:
            self._reopen(aside)
        finally:
            self._changed(now)

    @property
    def of_the_operator(self) -> tuple[str, ...]:
        """The acts that are not of the rules, and that the operator may ask for now."""
        if self._session.closed:
            return ("try-again", "set-aside")
        board = self._session.board
        acts: tuple[str, ...] = ("record",)
        if board is None:
            acts = ("start", "record")
        elif board.outcome is not None:
            acts = ("start", "next", "record")
        return acts if self._session.fault is None else (*acts, "try-again")


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


_OWN_ACTS: Final[dict[str, Callable[[Requests, Mapping[str, Any], float], object]]] = {
    "start": Requests._start,
    "next": Requests._next,
    "record": Requests._record,
    "try-again": Requests._try_again,
    "set-aside": Requests._set_aside,
}
"""What the table itself can be asked for by its operator; all other acts are the rules'."""

"""What can be asked for at the console: acts of the rules, and the operator's own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from pi_table import __version__
from pi_table.common.errors import InputError, TableError, did_you_mean
from pi_table.common.geometry import PLACES
from pi_table.common.house import changed
from pi_table.common.language import language_named
from pi_table.games.rules import games
from pi_table.games.rules.profile import options_at_a_table, options_of, profile_named
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.operator import Findings
from pi_table.protocols.ipc.service import Page
from pi_table.table.engine.dealing import CARDS, Cards, Wish
from pi_table.table.engine.families import family_of
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.lock import (
    check_that_a_pin_can_be_tried,
    is_locked,
    locked,
)
from pi_table.table.engine.marks import marked
from pi_table.table.engine.moves import (
    Unable,
    acted,
    check_that_it_can_be_stored,
    check_that_none_is_played,
    playing,
)
from pi_table.table.engine.outcome import Locked, Marked, Outcome, Peeks, Served, Told
from pi_table.table.engine.outputs import TrySound, Verdict
from pi_table.table.engine.peek import begin, may_be_told
from pi_table.table.engine.phones.links import Keeps
from pi_table.table.engine.phones.shown import MARK
from pi_table.table.engine.requests.house import check_that_a_game_may_begin
from pi_table.table.engine.service import (
    begun,
    check_that_nobody_services,
    read_lit,
    read_page,
)
from pi_table.table.engine.situation import Situation
from pi_table.table.engine.storage.orders import (
    ChangeHouse,
    Deal,
    EndLinks,
    ListGames,
    MakeLink,
    Open,
    ReadRecord,
    ReadTally,
    SetPin,
    SwitchOff,
    TryPin,
)
from pi_table.table.engine.storage.pin import is_pin


def decide(request: Request, situation: Situation, now: float) -> Outcome:
    """What is to be done about a request. Raises TableError to refuse it."""
    do = request.do
    if not isinstance(do.get("act"), str):
        raise Refused(Reason.UNKNOWN_ACT)
    own = _OWN_ACTS.get(do["act"])
    if own is not None:
        if do.get("seat") != Seat.OPERATOR.value:
            raise Refused(Reason.WRONG_SEAT)
        if is_locked(situation.lock, situation.house, Role.OPERATOR, do["act"]):
            raise locked()
        return own(request, situation, now)
    game = playing(situation.game)
    seat = games.read_seat(do.get("seat"), game.board)
    if is_locked(situation.lock, situation.house, seat.role, do["act"]):
        raise locked()
    if do["act"] == "peek":
        return Peeks(begin(game.state, game.number, seat, now, situation.peek_seconds))
    if do["act"] == "unpeek":
        return Peeks(None)
    is_told = may_be_told(situation.peek, seat)
    if do["act"] == "look":
        seen = family_of(game.board).look(game.state, seat, game.time(now), is_told)
        if seat.role is Role.OPERATOR:
            seen = msgspec.structs.replace(seen, faults=situation.faults)
        return Told(seen)
    if do["act"] == "clues":
        return Told(games.clues(game.board))
    if do["act"] == MARK:
        return Marked(marked(situation.marks, game, seat, do.get("cell")))
    # Before the rules are asked: a table that stores nothing would tell without a trace, cell by
    # cell, which covers they refuse (ALL-1).
    check_that_it_can_be_stored(situation.closed, situation.fault)
    act = games.read_act(do, game.state, situation.chance)
    move = acted(game, seat, act, now)
    return move if is_told else msgspec.structs.replace(move, told=None)


def operators_acts(situation: Situation) -> tuple[str, ...]:
    """The acts that are not of the rules, and that the operator may ask for now; what can be asked
    for at any time, the lock alone decides."""
    if situation.closed:
        acts: tuple[str, ...] = ("try-again", "set-aside")
    elif situation.game is None:
        acts = ("start", "record")
    elif situation.game.board.outcome is not None:
        acts = ("start", "next", "record")
    else:
        acts = ("record",)
    if situation.fault is not None and not situation.closed:
        acts = (*acts, "try-again")
    if situation.game is not None and _has_clues(situation.game.board):
        acts = ("clues", *acts)
    return unlocked(situation, Role.OPERATOR, acts)


def _has_clues(board: games.AnyBoard) -> bool:
    try:
        return bool(games.clues(board))
    except Refused:
        return False  # a game of another family


def unlocked(situation: Situation, role: Role, acts: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the acts for which such a seat does not need the PIN now."""
    lock, house = situation.lock, situation.house
    return tuple(act for act in acts if not is_locked(lock, house, role, act))


def _check_that_one_can_begin(request: Request, situation: Situation) -> None:
    """Raises Unable while a game is being played, unless it is to be ended for the next one; and
    while the table is in service."""
    check_that_nobody_services(situation.service)
    check_that_a_game_may_begin(situation)
    if not _flag(request.do, "ending"):
        check_that_none_is_played(situation.game)
    elif is_locked(situation.lock, situation.house, Role.OPERATOR, "abandon"):
        raise locked()


def _flag(do: Mapping[str, Any], name: str) -> bool:
    flag = do.get(name, False)
    if not isinstance(flag, bool):
        raise InputError(f"{name!r} is true or false.")
    return flag


def _start(request: Request, situation: Situation, now: float) -> Outcome:
    """A new game. With ``ending`` it may end the one that is played."""
    names = ("profile", "options", "nicknames", "starts")
    game = {name: request.do[name] for name in names if name in request.do}
    wish = _wish(request.do, situation.cards)
    _check_that_one_can_begin(request, situation)
    profile, options = profile_named(game.get("profile")), game.get("options")
    if options is None or isinstance(options, dict):  # else whoever reads the game says what it is
        game["options"] = options_at_a_table(profile, options or {})
    return Deal(request.to, game, wish)


def _next(request: Request, situation: Situation, now: float) -> Outcome:
    """The same game again, with other cards and another key (CN-23). With ``swap`` the team starts
    that did not; with ``keep_phones`` phones are asked whether they keep their seats."""
    before = playing(situation.game)
    _check_that_one_can_begin(request, situation)
    swaps, keeps = _flag(request.do, "swap"), _flag(request.do, "keep_phones")
    if swaps and keeps:
        raise InputError("Whoever swaps sides changes seats: then phones need new codes.")
    if keeps:
        _check_that_phones_are_allowed(situation)
    opening, family = before.opening, family_of(before.board)
    options = options_of(profile_named(opening.profile), opening.settings)
    kept, wish = family.next_game(opening, before.board, swaps)
    game = {"profile": opening.profile, "options": options, **kept}
    return Deal(request.to, game, wish, _keeps(family.SEATS_ARE_PEOPLE, keeps))


def _keeps(seats_are_people: bool, asks: bool) -> Keeps:
    if seats_are_people:
        return Keeps.ALL
    return Keeps.ASKED if asks else Keeps.NONE


def _check_that_phones_are_allowed(situation: Situation) -> None:
    """Raises Unable where the house wants its PIN before a seat gets a phone."""
    if situation.house.phones_need_pin and not situation.lock.is_open:
        raise locked()


def _record(request: Request, situation: Situation, now: float) -> Outcome:
    number = request.do.get("game")
    if number is None:
        return ListGames(request.to, situation.played_number)
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refused(Reason.BAD_NUMBER)
    lang = request.do.get("lang")
    return ReadRecord(request.to, number, None if lang is None else language_named(lang))


def _house(request: Request, situation: Situation, now: float) -> Outcome:
    """Settings of the house change."""
    settings = request.do.get("set")
    if not isinstance(settings, dict):
        raise InputError("What the house sets is an object of settings and their values.")
    changed(situation.house, settings)
    return ChangeHouse(request.to, settings)


def _packs(request: Request, situation: Situation, now: float) -> Outcome:
    """Every word pack, also those that the house does not offer."""
    return Told(situation.every_pack)


def _here(request: Request, situation: Situation, now: float) -> Outcome:
    """Somebody is at the hidden screen, and asks for nothing else."""
    return Told()


def _doctor(request: Request, situation: Situation, now: float) -> Outcome:
    """What the engine knows of its own health."""
    touch = situation.touch
    return Told(
        Findings(
            version=__version__,
            faults=situation.faults,
            deaf=tuple(PLACES[place] for place in sorted(touch.deaf)),
            wet=touch.blocked,
            can_store=not situation.closed,
        )
    )


def _switch_off(request: Request, situation: Situation, now: float) -> Outcome:
    return SwitchOff(request.to)


def _unlock(request: Request, situation: Situation, now: float) -> Outcome:
    pin = request.do.get("pin")
    if not is_pin(pin):
        raise _NO_PIN
    check_that_a_pin_can_be_tried(situation.lock, situation.pin_wait)
    return TryPin(request.to, pin)


def _lock(request: Request, situation: Situation, now: float) -> Outcome:
    return Locked(msgspec.structs.replace(situation.lock, open_until=None))


def _set_pin(request: Request, situation: Situation, now: float) -> Outcome:
    """Another PIN from now on; null: none."""
    pin = request.do.get("pin")
    if pin is not None and not is_pin(pin):
        raise _NO_PIN
    return SetPin(request.to, pin)


_NO_PIN: Final = Unable("bad-pin", "A PIN has four to eight digits.")


def _tally(request: Request, situation: Situation, now: float) -> Outcome:
    """What was won this evening."""
    return ReadTally(request.to, situation.played_number)


def _try_again(request: Request, situation: Situation, now: float) -> Outcome:
    if situation.fault is None:
        raise Unable("nothing-to-mend", "The journal is in order.")
    return Open(aside=False)


def _set_aside(request: Request, situation: Situation, now: float) -> Outcome:
    if not situation.closed:
        raise Unable("nothing-to-mend", "The journal is open.")
    return Open(aside=True)


def _wish(do: Mapping[str, Any], usual: Cards) -> Wish:
    """What words an act of starting asks for. Raises InputError."""
    cards, pack, blanks = do.get("cards", usual), do.get("pack"), do.get("blanks", [])
    if cards not in CARDS:
        raise InputError(f"There are no cards {cards!r}; {did_you_mean(str(cards), CARDS)}")
    if pack is not None and not isinstance(pack, str):
        raise InputError("Ask for a word pack by its name.")
    if not isinstance(blanks, list) or not all(isinstance(word, str) for word in blanks):
        raise InputError("Words on blank cards are a list of texts.")
    return Wish(cards, pack, tuple(blanks))


def _phone(request: Request, situation: Situation, now: float) -> Outcome:
    """A new link for the phone of a seat, in the stead of the one it had."""
    _check_that_phones_are_allowed(situation)
    seat, game = _seat_of_a_phone(request.do, situation), playing(situation.game)
    if game.board.outcome is not None:
        raise Unable("game-over", "This game is over: begin the next one, then show the code.")
    if situation.phones.address is None or not situation.phones.relayed:
        raise Unable("no-pages", "No pages are served at the moment: phones cannot be reached.")
    links = situation.phones
    if links.of(seat) is None and all(links.phones):
        raise Unable("no-room", "Six phones have a seat: let go of one first.")
    return MakeLink(request.to, seat, game.number)


def _let_go(request: Request, situation: Situation, now: float) -> Outcome:
    """The phone of a seat has it no more: it is lost, or somebody else's. If only ``unused``, a
    link that a phone has opened stays."""
    seat = _seat_of_a_phone(request.do, situation)
    if _flag(request.do, "unused") and seat not in situation.phones.unused():
        return Told()
    if situation.phones.of(seat) is None:
        raise Unable("no-link", "That seat has no phone.")
    return EndLinks(request.to, seat)


def _desk(request: Request, situation: Situation, now: float) -> Outcome:
    """A new link for the operator's desk, in the stead of the one that there was."""
    if not situation.lock.is_set:
        raise Unable("no-pin", "A desk is opened with the operator’s PIN: set one first.")
    if situation.phones.address is None or not situation.phones.relayed:
        raise Unable("no-pages", "No pages are served at the moment: a desk cannot be reached.")
    return MakeLink(request.to, Seat.OPERATOR, None)


def _close_desk(request: Request, situation: Situation, now: float) -> Outcome:
    """Nobody has a desk any more. If only ``unused``, a link that a device has opened stays."""
    if _flag(request.do, "unused") and not situation.line.is_unused:
        return Told()
    if situation.line.link is None:
        raise Unable("no-link", "Nobody has a link for a desk.")
    return EndLinks(request.to, Seat.OPERATOR)


def _seat_of_a_phone(do: Mapping[str, Any], situation: Situation) -> Seat:
    """The seat that a request is about. Raises Refused for one that can have no phone."""
    board = playing(situation.game).board
    seat = games.read_seat(do.get("for"), board)
    if seat.role is Role.OPERATOR:
        raise Refused(Reason.WRONG_SEAT)
    if seat.role is Role.AGENT and board.settings.screens != "phones":
        raise Refused(Reason.NO_PHONES)
    return seat


def _service(request: Request, situation: Situation, now: float) -> Outcome:
    """The table is in service from now on, or still, and something is tried: a page, lights, the
    loudspeaker. Refused while a game is under way, which stays as it is."""
    if situation.played is not None:
        raise Unable("game-in-progress", "A game is under way: service has to wait for its end.")
    page = read_page(request.do.get("page", Page.MENU.value))
    lit = request.do.get("lit")
    service = begun(situation.service, page, None if lit is None else read_lit(lit), now)
    return Served(service, _sound(request.do))


def _sound(do: Mapping[str, Any]) -> TrySound | None:
    """How the loudspeaker is to be tried. Raises InputError."""
    match do.get("sound"):
        case None:
            return None
        case "sound":
            return TrySound(None)
        case "speech":
            return TrySound(language_named(do.get("lang")))
    raise InputError("Of the loudspeaker, “sound” or “speech” can be tried.")


def _leave_service(request: Request, situation: Situation, now: float) -> Outcome:
    return Served(None)


_OWN_ACTS: Final[dict[str, Callable[[Request, Situation, float], Outcome]]] = {
    "start": _start,
    "next": _next,
    "record": _record,
    "tally": _tally,
    "house": _house,
    "packs": _packs,
    "here": _here,
    "doctor": _doctor,
    "shutdown": _switch_off,
    "unlock": _unlock,
    "lock": _lock,
    "set-pin": _set_pin,
    "phone": _phone,
    "let-go": _let_go,
    "desk": _desk,
    "close-desk": _close_desk,
    "service": _service,
    "leave-service": _leave_service,
    "try-again": _try_again,
    "set-aside": _set_aside,
}
"""What the table itself can be asked for by its operator. What other seats can ask it for (`peek`,
`unpeek`, `look`, `clues`, `mark`) is in `decide`; all other acts are the rules'."""


def verdict_of(refusal: TableError) -> Verdict:
    """The answer to a request that the rules, the table or the disk refused."""
    if isinstance(refusal, Refused):
        reason = refusal.reason.value
    elif isinstance(refusal, Unable):
        reason = refusal.reason
    else:
        reason = "cannot-store" if isinstance(refusal, OSError) else "unusable"
    return Verdict(ok=False, reason=reason, sentence=str(refusal))

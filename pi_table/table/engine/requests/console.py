"""The operator's acts at the hidden screen."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from pi_table import __version__
from pi_table.common.errors import InputError, TableError
from pi_table.common.geometry import PLACES
from pi_table.common.house_settings import with_settings
from pi_table.common.language import did_you_mean, language_named, say
from pi_table.games.rules import games
from pi_table.games.rules.profile import options_at_a_table, options_of, profile_named
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.operator import Findings
from pi_table.protocols.ipc.service import Lit, Page
from pi_table.table.engine.dealing import CARDS, Cards, WordSource
from pi_table.table.engine.families.registry import family_of
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.outputs import TrySound, Verdict
from pi_table.table.engine.phones.links import Keeps
from pi_table.table.engine.requests.fields import Fields, Flag, Pin, Settings
from pi_table.table.engine.requests.house import check_that_a_game_may_begin
from pi_table.table.engine.requests.outcome import AnswerOnly, Outcome, SetLock, SetService
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.lock import check_that_a_pin_can_be_tried, needs_pin, pin_needed
from pi_table.table.engine.state.moves import Unable, check_that_none_is_played, playing
from pi_table.table.engine.state.service import check_lit, check_that_nobody_services, start_service
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

ON_PHONES: Final = {"screens": "phones"}
"""The settings of a game whose secrets are entered on phones."""


def _no_cards(_: str, cards: object, __: object) -> InputError:
    return InputError(
        say(
            "There are no cards {cards}; {did_you_mean}",
            cards=repr(cards),
            did_you_mean=did_you_mean(str(cards), CARDS),
        )
    )


class Start(Fields, frozen=True):
    """The options of a new game. Only ``cards``, ``pack``, ``blanks`` and ``ending`` are checked
    here. The other fields are checked when the game is dealt."""

    cards: Annotated[Cards, _no_cards] | UnsetType = UNSET
    pack: Annotated[str | None, lambda *_: InputError(say("Ask for a word pack by its name."))] = (
        None
    )
    blanks: Annotated[
        tuple[str, ...], lambda *_: InputError(say("Words on blank cards are a list of texts."))
    ] = ()
    ending: Flag = False
    """True if the new game may end a game in play."""
    profile: Any = UNSET
    options: Any = UNSET
    nicknames: Any = UNSET
    starts: Any = UNSET


def start_game(request: Request, fields: Start, snapshot: Snapshot, now: float) -> Outcome:
    _check_that_one_may_end(fields.ending, snapshot)
    names = ("profile", "options", "nicknames", "starts")
    said = {name: getattr(fields, name) for name in names}
    game = {name: value for name, value in said.items() if value is not UNSET}
    profile, options = profile_named(game.get("profile")), game.get("options")
    if options is None or isinstance(options, dict):  # other values are refused by the reader
        game["options"] = options_at_a_table(profile, options or {})
    cards = snapshot.cards if fields.cards is UNSET else fields.cards
    return Deal(request.to, game, WordSource(cards, fields.pack, fields.blanks))


class Next(Fields, frozen=True):
    """The options of the next game. ``ending``: the next game may end a game in play. ``swap``: the
    other team starts. ``keep_phones``: users of phones are asked whether they keep their seats."""

    ending: Flag = False
    swap: Flag = False
    keep_phones: Flag = False


def start_next(request: Request, fields: Next, snapshot: Snapshot, now: float) -> Outcome:
    """Start another game of the same profile and settings (CN-23). If the hidden screen was removed
    since the last game, agents of Codex now enter their secrets on phones."""
    before = playing(snapshot.game)
    _check_that_one_may_end(fields.ending, snapshot)
    swaps, keeps = fields.swap, fields.keep_phones
    if swaps and keeps:
        raise InputError(say("Swapping sides changes seats, so phones need new codes."))
    if keeps:
        check_phones_allowed(snapshot)
    opening, family = before.opening, family_of(before.board)
    options = options_of(profile_named(opening.profile), opening.settings)
    if not snapshot.has_screen and "screens" in options:
        options |= ON_PHONES
    kept, source = family.next_game(opening, before.board, swaps)
    game = {"profile": opening.profile, "options": options, **kept}
    return Deal(request.to, game, source, _keeps(family.SEATS_ARE_PEOPLE, keeps))


def check_can_start(snapshot: Snapshot) -> None:
    """Raise Unable while no game may begin at the table, for example in service mode."""
    check_that_nobody_services(snapshot.service)
    check_that_a_game_may_begin(snapshot)


def check_can_start_next(snapshot: Snapshot) -> None:
    """Raise Unable if there was no game yet, or while no game may begin."""
    playing(snapshot.game)
    check_can_start(snapshot)


def _check_that_one_may_end(ending: bool, snapshot: Snapshot) -> None:
    """Raise Unable if a game is in play and the request may not end it."""
    if not ending:
        check_that_none_is_played(snapshot.game)
    elif needs_pin(snapshot.lock, snapshot.house, "abandon"):
        raise pin_needed()


def can_start(snapshot: Snapshot) -> bool:
    """True if no game is in play and a new game could be stored."""
    return not snapshot.closed and snapshot.played is None


def can_start_next(snapshot: Snapshot) -> bool:
    """True if the last game is over, and a new game could be stored."""
    return can_start(snapshot) and snapshot.game is not None


def _keeps(seats_are_people: bool, asks: bool) -> Keeps:
    if seats_are_people:
        return Keeps.ALL
    return Keeps.ASKED if asks else Keeps.NONE


def check_phones_allowed(snapshot: Snapshot) -> None:
    """Raise Unable if linking a phone needs the PIN and the operator's page is locked."""
    if snapshot.house.phones_need_pin and not snapshot.lock.is_open:
        raise pin_needed()


class Record(Fields, frozen=True):
    game: Annotated[int | None, lambda *_: Refused(Reason.BAD_NUMBER)] = None
    """The number of the game to read; None for a list of the finished games."""
    lang: Any = None
    """The language of the record; None for the game's own language."""


def read_record(request: Request, fields: Record, snapshot: Snapshot, now: float) -> Outcome:
    if fields.game is None:
        return ListGames(request.to, snapshot.played_number)
    lang = None if fields.lang is None else language_named(fields.lang)
    return ReadRecord(request.to, fields.game, lang)


def has_records(snapshot: Snapshot) -> bool:
    return not snapshot.closed


class Changes(Fields, frozen=True):
    settings: Settings = msgspec.field(name="set")


def change_house(request: Request, fields: Changes, snapshot: Snapshot, now: float) -> Outcome:
    with_settings(snapshot.house, fields.settings)
    return ChangeHouse(request.to, fields.settings)


def list_packs(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return AnswerOnly(snapshot.every_pack)


def note_presence(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    """Do nothing. The request itself shows that somebody is at the hidden screen."""
    return AnswerOnly()


def report_health(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    touch = snapshot.touch
    return AnswerOnly(
        Findings(
            version=__version__,
            faults=snapshot.faults,
            deaf=tuple(PLACES[place] for place in sorted(touch.deaf)),
            wet=touch.blocked,
            can_store=not snapshot.closed,
        )
    )


def switch_off(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return SwitchOff(request.to)


class EnterPin(Fields, frozen=True):
    pin: Pin


def enter_pin(request: Request, fields: EnterPin, snapshot: Snapshot, now: float) -> Outcome:
    check_that_a_pin_can_be_tried(snapshot.lock, snapshot.pin_wait)
    return TryPin(request.to, fields.pin)


def lock_page(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return SetLock(msgspec.structs.replace(snapshot.lock, open_until=None))


class NewPin(Fields, frozen=True):
    pin: Pin | None = None


def set_pin(request: Request, fields: NewPin, snapshot: Snapshot, now: float) -> Outcome:
    return SetPin(request.to, fields.pin)


def read_tally(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return ReadTally(request.to, snapshot.played_number)


def reopen_journal(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return Open(aside=False)


def check_has_fault(snapshot: Snapshot) -> None:
    if snapshot.fault is None:
        raise Unable("nothing-to-mend", say("The journal is in order."))


def can_reopen_journal(snapshot: Snapshot) -> bool:
    return snapshot.closed or snapshot.fault is not None


def set_journal_aside(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return Open(aside=True)


def check_is_closed(snapshot: Snapshot) -> None:
    if not snapshot.closed:
        raise Unable("nothing-to-mend", say("The journal is open."))


def can_set_journal_aside(snapshot: Snapshot) -> bool:
    return snapshot.closed


class ForSeat(Fields, frozen=True):
    seat: Any = msgspec.field(name="for", default=None)
    """The seat as JSON. The rules of the game in play check this value."""


def link_phone(request: Request, fields: ForSeat, snapshot: Snapshot, now: float) -> Outcome:
    """Make a new link for the phone of a seat, replacing the old one."""
    seat, game = _seat_of_a_phone(fields.seat, snapshot), playing(snapshot.game)
    if game.board.outcome is not None:
        raise Unable("game-over", say("This game is over: begin the next one, then show the code."))
    if snapshot.phones.address is None or not snapshot.phones.relayed:
        raise Unable(
            "no-pages", say("No pages are served at the moment: phones cannot be reached.")
        )
    links = snapshot.phones
    if links.of(seat) is None and all(links.phones):
        raise Unable("no-room", say("Six phones have a seat: disconnect one first."))
    return MakeLink(request.to, seat, game.number)


class LetGo(ForSeat, frozen=True):
    unused: Flag = False
    """True to end the link only if no phone has opened it."""


def let_phone_go(request: Request, fields: LetGo, snapshot: Snapshot, now: float) -> Outcome:
    """End the link of a seat's phone, for example because the phone is lost."""
    seat = _seat_of_a_phone(fields.seat, snapshot)
    if fields.unused and seat not in snapshot.phones.unused_seats():
        return AnswerOnly()
    if snapshot.phones.of(seat) is None:
        raise Unable("no-link", say("That seat has no phone."))
    return EndLinks(request.to, seat)


def link_desk(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    """Make a new link for the operator's desk, replacing the old one."""
    return MakeLink(request.to, Seat.OPERATOR, None)


def check_can_link_desk(snapshot: Snapshot) -> None:
    """Raise Unable if no PIN is set, or if no web pages are served."""
    if not snapshot.lock.is_set:
        raise Unable("no-pin", say("The desk opens with the operator’s PIN: set one first."))
    if snapshot.phones.address is None or not snapshot.phones.relayed:
        raise Unable(
            "no-pages", say("No pages are served at the moment: the desk cannot be reached.")
        )


class CloseDesk(Fields, frozen=True):
    unused: Flag = False
    """True to end the link only if no device has opened it."""


def close_desk(request: Request, fields: CloseDesk, snapshot: Snapshot, now: float) -> Outcome:
    if fields.unused and not snapshot.line.is_unused:
        return AnswerOnly()
    if snapshot.line.link is None:
        raise Unable("no-link", say("No device has a link to the desk."))
    return EndLinks(request.to, Seat.OPERATOR)


def _seat_of_a_phone(named: object, snapshot: Snapshot) -> Seat:
    """Return the seat that a request names. Raises Refused if that seat cannot have a phone."""
    board = playing(snapshot.game).board
    seat = games.read_seat(named, board)
    if seat.role is Role.OPERATOR:
        raise Refused(Reason.WRONG_SEAT)
    if seat.role is Role.AGENT and board.settings.screens != "phones":
        raise Refused(Reason.NO_PHONES)
    return seat


def _no_page(_: str, named: object, __: object) -> InputError:
    names = ", ".join(page.value for page in Page)
    return InputError(
        say(
            "The service mode has no page {named}: there are {names}.",
            named=repr(named),
            names=names,
        )
    )


def _not_lit(_: str, __: object, error: object) -> InputError:
    return InputError(say("These lights cannot be tried: {error}.", error=error))


class Serve(Fields, frozen=True):
    page: Annotated[Page, _no_page] = Page.MENU
    lit: Annotated[Lit, _not_lit] | None = None
    sound: Annotated[
        Literal["sound", "speech"] | None,
        lambda *_: InputError(say("The loudspeaker can be tested with “sound” or “speech”.")),
    ] = None
    lang: Any = None
    """The language of the sentence in the loudspeaker test."""


def serve(request: Request, fields: Serve, snapshot: Snapshot, now: float) -> Outcome:
    if fields.lit is not None:
        check_lit(fields.lit, len(snapshot.string))
    service = start_service(snapshot.service, fields.page, fields.lit, now, snapshot.string)
    match fields.sound:
        case "sound":
            return SetService(service, TrySound(None))
        case "speech":
            return SetService(service, TrySound(language_named(fields.lang)))
    return SetService(service)


def check_no_game(snapshot: Snapshot) -> None:
    """Raise Unable while a game is in play."""
    if snapshot.played is not None:
        raise Unable(
            "game-in-progress", say("A game is under way: service has to wait for its end.")
        )


def leave_service(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return SetService(None)


def verdict_of(refusal: TableError) -> Verdict:
    """Return the verdict for a refusal, which may come from the rules, the table or the disk."""
    if isinstance(refusal, Refused):
        reason = refusal.reason.value
    elif isinstance(refusal, Unable):
        reason = refusal.reason
    else:
        reason = "cannot-store" if isinstance(refusal, OSError) else "unusable"
    return Verdict(ok=False, reason=reason, sentence=str(refusal))

"""The messages for the sockets: for everybody, for the hidden screen, and for phones.

Each family makes its game's part (`families`).
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from pi_table import __version__
from pi_table.common.errors import TableError
from pi_table.common.geometry import PLACES
from pi_table.common.language import LANGUAGES, in_english, translate
from pi_table.devices.hal.contracts import Readings
from pi_table.games.rules import games
from pi_table.games.rules.profile import Family, Settings, profile_named
from pi_table.games.rules.seat import Role, Seat
from pi_table.protocols.ipc.house import HouseMessage, HouseSettings
from pi_table.protocols.ipc.messages import (
    AnyPublicMessage,
    AnyTableMessage,
    DeskState,
    PageLock,
    Pages,
    Presence,
    PublicMessage,
    Said,
    TableMessage,
)
from pi_table.protocols.ipc.phones import PhoneAnswer, PhoneMessage, PhoneRules
from pi_table.protocols.ipc.service import InService, Pads, Page
from pi_table.table.engine.families.families import family_of
from pi_table.table.engine.idle import abandons, changes
from pi_table.table.engine.outputs import Verdict
from pi_table.table.engine.phones.phones import Phone, Phones
from pi_table.table.engine.phones.shown import MARK, Shown
from pi_table.table.engine.requests.acts import act_on_phone
from pi_table.table.engine.requests.door import as_from_a_phone, offered, without_pin
from pi_table.table.engine.situation import Situation
from pi_table.table.engine.state import peek


def to_everybody(situation: Situation, said: tuple[Said, ...], now: float) -> AnyPublicMessage:
    """Return the message for the public socket; ``said`` are the last announcements."""
    game = situation.game
    if game is None:
        message: AnyPublicMessage = PublicMessage(None, situation.out_of_order, said)
    else:
        view = games.public_view(game.board, game.time(now))
        message = family_of(game.board).public_message(view, situation.out_of_order, said)
    if isinstance(message, PublicMessage):
        message = replace(message, marks=situation.marks.by_name)
    return replace(
        message,
        idle=situation.idle.presence,
        idle_left=_idle_left(situation, now),
        service=situation.service is not None,
        out_of_service=situation.out_of_service,
        seated=situation.seated,
    )


def _idle_left(situation: Situation, now: float) -> float | None:
    """Return the seconds until the question, or a game that is set apart, is given up."""
    idle, house, played = situation.idle, situation.house, situation.played
    if idle.presence is Presence.PLAYING:
        return None
    asked = idle.presence is Presence.ASKED
    due = changes(idle, house, played) if asked else abandons(idle, house, played)
    return None if due is None else round(max(0.0, due - now), 3)


def pages(phones: Phones, now: float) -> Pages | None:
    """Return the pages for screens and phones; None if nothing serves them."""
    if not phones.relayed or phones.address is None:
        return None
    return Pages(phones.address, phones.told(now))


def _in_service(situation: Situation, now: float) -> InService | None:
    """Return the state and the readings of service; None if the table is not in service."""
    service, touch = situation.service, situation.touch
    if service is None:
        return None
    readings = service.readings or Readings()
    pads = Pads(
        readings.deltas,
        service.most,
        readings.thresholds,
        touch.touched,
        touch.deaf,
        readings.noisy,
    )
    return InService(
        service.page,
        round(max(0.0, service.ends - now), 3),
        service.lit,
        pads if service.page is Page.TOUCH and readings.deltas else None,
        readings.current_ma,
        readings.capped,
        {**situation.counts, **msgspec.structs.asdict(readings.counts)},
    )


def desk_state(situation: Situation, now: float) -> DeskState | None:
    """Return the state of the operator's desk; None if it has no link."""
    line = situation.line
    if line.link is None:
        return None
    return DeskState(line.state(now), situation.desk.is_open, line.handshake.tried)


def to_the_house(situation: Situation) -> HouseMessage:
    """Return the message for a program that looks after several tables: the table's condition, and
    nothing about a game."""
    touch, house, in_force = situation.touch, situation.house, situation.in_force
    settings = {name: getattr(house, name) for name in HouseSettings.__struct_fields__}
    return HouseMessage(
        version=__version__,
        faults=situation.faults,
        out_of_order=situation.out_of_order,
        link=touch.trouble is None,
        deaf=tuple(PLACES[place] for place in sorted(touch.deaf)),
        wet=touch.blocked,
        can_store=not situation.closed,
        counts=dict(situation.counts),
        settings=HouseSettings(**settings),
        latest=situation.latest,
        locating=in_force.located_until is not None,
        kept_free=in_force.free_until is not None,
    )


def to_the_console(situation: Situation, said: tuple[Said, ...], now: float) -> AnyTableMessage:
    """Return the message for the hidden screen; ``said`` are the last announcements. It contains
    hidden information only during a peek."""
    game = situation.game
    own = offered(situation)
    may = {Seat.OPERATOR.value: own}
    if game is not None:
        may = {
            seat.value: without_pin(situation, seat.role, games.may(game.state, seat))
            for seat in games.seats(game.board)
        }
        may[Seat.OPERATOR.value] += own
    common: dict[str, Any] = {
        "may": may,
        "settings": None if game is None else game.board.settings,
        "game": None if game is None else game.number,
        "cards": situation.cards,
        "packs": situation.packs,
        "house": situation.house,
        "idle": situation.idle.presence,
        "idle_left": _idle_left(situation, now),
        "lock": PageLock(
            situation.lock.is_set, situation.lock.is_open, round(situation.pin_wait, 3)
        ),
        "faults": situation.faults,
        "said": said,
        "peek": peek.for_the_console(situation.peek, now),
        "service": _in_service(situation, now),
        "pages": pages(situation.phones, now),
        "desk": desk_state(situation, now),
    }
    if game is None:
        return TableMessage(None, None, **common)
    time = game.time(now)
    view = games.public_view(game.board, time)
    peeks = None if situation.peek is None else situation.peek.seat
    return family_of(game.board).console_message(game.state, view, time, peeks, common)


def to_a_phone(phone: Phone, situation: Situation, now: float) -> bytes:
    """Return the message for a phone, as JSON."""
    seat, game = phone.link.seat, situation.game
    shown, family, number, rules = Shown(()), Family.WORDS, None, None
    if game is not None and seat in situation.seated and seat in games.seats(game.board):
        family, number = profile_named(game.board.profile).family, game.number
        rules = _rules(game.board.settings)
        # Hidden information is shown only while people are present.
        holds = phone.is_holding(now) and situation.idle.presence is Presence.PLAYING
        may = _may(game.state, seat, situation)
        shown = family_of(game.board).phone(game.state, seat, game.time(now), may, holds)
    message = PhoneMessage(
        seat,
        family,
        number,
        shown.may,
        shown.key,
        shown.door,
        shown.agent,
        rules,
        phone.handshake.tried,
        phone.answer,
        phone.is_asked,
    )
    return msgspec.json.encode(message, enc_hook=in_english)


def _rules(settings: Settings) -> PhoneRules:
    names = PhoneRules.__struct_fields__
    return PhoneRules(**{name: getattr(settings, name) for name in names})


def _may(state: games.AnyState, seat: Seat, situation: Situation) -> tuple[str, ...]:
    """Return the acts that rules and house allow a seat now and that a phone can request."""
    of_the_rules = games.may(state, seat)
    if seat.role is Role.OPERATIVES and "guess" in of_the_rules:
        return (MARK,)
    may = tuple(name for name in of_the_rules if seat.role in act_on_phone(name).phones)
    return without_pin(as_from_a_phone(situation), seat.role, may)


def answer_to_phone(number: int, verdict: Verdict, refusal: TableError | None) -> PhoneAnswer:
    """Return the answer to a phone's request. Its sentence is in every language, because the table
    does not know the page's language."""
    sentence = None if refusal is None else str(refusal)
    in_every: dict[str, str] | None = (
        None if sentence is None else {lang: translate(sentence, lang) for lang in LANGUAGES}
    )
    return PhoneAnswer(number, verdict.ok, verdict.reason, in_every, verdict.told)

"""The messages for the sockets: for the public, the house, the hidden screen, and phones.

The code of each family (`families`) makes the part about its games.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from pi_table import __version__
from pi_table.common.errors import TableError
from pi_table.common.geometry import PLACES
from pi_table.common.language import LANGUAGES, to_json, translate
from pi_table.devices.hal.contracts import Readings
from pi_table.games.rules import games
from pi_table.games.rules.profile import Family, profile_named
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
from pi_table.table.engine.families.registry import family_of
from pi_table.table.engine.idle import abandoned_at, next_change_at
from pi_table.table.engine.outputs import Verdict
from pi_table.table.engine.phones.phones import Phone, Phones
from pi_table.table.engine.phones.shown import MARK, PhoneView
from pi_table.table.engine.requests.acts import act_on_phone
from pi_table.table.engine.requests.door import acts_on_offer, as_from_a_phone, without_pin
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state import peek


def to_everybody(snapshot: Snapshot, said: tuple[Said, ...], now: float) -> AnyPublicMessage:
    game = snapshot.game
    if game is None:
        message: AnyPublicMessage = PublicMessage(None, snapshot.out_of_order, said)
    else:
        view = games.public_view(game.board, game.time(now))
        message = family_of(game.board).public_message(view, snapshot.out_of_order, said)
    if isinstance(message, PublicMessage):
        message = replace(message, marks=snapshot.marks.by_name)
    return replace(
        message,
        idle=snapshot.idle.presence,
        idle_left=_idle_left(snapshot, now),
        service=snapshot.service is not None,
        out_of_service=snapshot.out_of_service,
        seated=snapshot.seated,
        tonight=snapshot.tonight,
    )


def _idle_left(snapshot: Snapshot, now: float) -> float | None:
    """Return the seconds until the table begins to sleep, if it has asked whether anybody still
    plays, or the seconds until it abandons the game. None if neither will happen."""
    idle, house, played = snapshot.idle, snapshot.house, snapshot.played
    if idle.presence is Presence.PLAYING:
        return None
    asked = idle.presence is Presence.ASKED
    due = next_change_at(idle, house, played) if asked else abandoned_at(idle, house, played)
    return None if due is None else round(max(0.0, due - now), 3)


def pages(phones: Phones, now: float) -> Pages | None:
    """Return the address of the web pages and the state of the phones; None if no pages
    are served."""
    if not phones.relayed or phones.address is None:
        return None
    return Pages(phones.address, phones.seat_phones(now))


def _in_service(snapshot: Snapshot, now: float) -> InService | None:
    service, touch = snapshot.service, snapshot.touch
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
        {**snapshot.counts, **msgspec.structs.asdict(readings.counts)},
        service.string,
    )


def desk_state(snapshot: Snapshot, now: float) -> DeskState | None:
    """Return the state of the operator's desk; None if the desk has no link."""
    line = snapshot.line
    if line.link is None:
        return None
    return DeskState(line.state(now), snapshot.desk.is_open, line.handshake.tried)


def to_the_house(snapshot: Snapshot) -> HouseMessage:
    """Return the message for programs that manage tables. It has nothing about a game in play."""
    touch, house, in_force = snapshot.touch, snapshot.house, snapshot.in_force
    settings = {name: getattr(house, name) for name in HouseSettings.__struct_fields__}
    return HouseMessage(
        version=__version__,
        faults=snapshot.faults,
        out_of_order=snapshot.out_of_order,
        link=touch.trouble is None,
        deaf=tuple(PLACES[place] for place in sorted(touch.deaf)),
        wet=touch.blocked,
        can_store=not snapshot.closed,
        counts=dict(snapshot.counts),
        settings=HouseSettings(**settings),
        latest=snapshot.latest,
        locating=in_force.located_until is not None,
        kept_free=in_force.free_until is not None,
    )


def to_the_console(snapshot: Snapshot, said: tuple[Said, ...], now: float) -> AnyTableMessage:
    """Return the message for the hidden screen, with hidden information only during a peek."""
    game = snapshot.game
    own = acts_on_offer(snapshot)
    may = {Seat.OPERATOR.value: own}
    if game is not None:
        may = {
            seat.value: without_pin(snapshot, seat.role, games.may(game.state, seat))
            for seat in games.seats(game.board)
        }
        may[Seat.OPERATOR.value] += own
    common: dict[str, Any] = {
        "may": may,
        "settings": None if game is None else game.board.settings,
        "game": None if game is None else game.number,
        "cards": snapshot.cards,
        "packs": snapshot.packs,
        "house": snapshot.house,
        "idle": snapshot.idle.presence,
        "idle_left": _idle_left(snapshot, now),
        "lock": PageLock(snapshot.lock.is_set, snapshot.lock.is_open, round(snapshot.pin_wait, 3)),
        "faults": snapshot.faults,
        "said": said,
        "peek": peek.for_the_console(snapshot.peek, now),
        "service": _in_service(snapshot, now),
        "pages": pages(snapshot.phones, now),
        "desk": desk_state(snapshot, now),
    }
    if game is None:
        return TableMessage(None, None, **common)
    time = game.time(now)
    view = games.public_view(game.board, time)
    peeks = None if snapshot.peek is None else snapshot.peek.seat
    return family_of(game.board).console_message(game.state, view, time, peeks, common)


def to_a_phone(phone: Phone, snapshot: Snapshot, now: float) -> bytes:
    """Return the message for a phone, as JSON."""
    seat, game = phone.link.seat, snapshot.game
    shown, family, number, rules = PhoneView(()), Family.WORDS, None, None
    if game is not None and seat in snapshot.seated and seat in games.seats(game.board):
        family, number = profile_named(game.board.profile).family, game.number
        settings, names = game.board.settings, PhoneRules.__struct_fields__
        rules = PhoneRules(**{name: getattr(settings, name) for name in names})
        # Hidden information is shown only while people are present.
        holds = phone.is_holding(now) and snapshot.idle.presence is Presence.PLAYING
        may = _may(game.state, seat, snapshot)
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
    return to_json(message)


def _may(state: games.AnyState, seat: Seat, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the acts that both rules and house allow a seat now, and that its phone
    can request."""
    of_the_rules = games.may(state, seat)
    if seat.role is Role.OPERATIVES and "guess" in of_the_rules:
        return (MARK,)
    may = tuple(name for name in of_the_rules if seat.role in act_on_phone(name).phones)
    return without_pin(as_from_a_phone(snapshot), seat.role, may)


def answer_to_phone(number: int, verdict: Verdict, refusal: TableError | None) -> PhoneAnswer:
    """Return the answer to a phone's request. The answer's sentence is in every language, because
    the table does not know the language of the phone's page."""
    sentence = None if refusal is None else str(refusal)
    in_every: dict[str, str] | None = (
        None if sentence is None else {lang: translate(sentence, lang) for lang in LANGUAGES}
    )
    return PhoneAnswer(number, verdict.ok, verdict.reason, in_every, verdict.told)

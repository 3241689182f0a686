"""The acts of the operator's desk.

The desk cannot see any key. About a game in play, it reports only what every public screen shows;
it can pause, resume or end that game. At a table without a hidden screen it can do more
(`desk_play.py`). Most acts are those of the operator's page on the hidden screen, but the desk has
its own lock.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from pi_table import __version__
from pi_table.common.decoding import ENCODINGS
from pi_table.common.errors import InputError
from pi_table.common.geometry import PLACES
from pi_table.common.house_settings import with_settings, within
from pi_table.common.language import Lang, Say, did_you_mean, say, translate
from pi_table.games.announcer.status import status
from pi_table.games.lines.faults import FAULT_LINES
from pi_table.games.rules import games
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.profile import PROFILES, profile_named
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.plain_list import How
from pi_table.games.words.shape import Separator
from pi_table.protocols.ipc.service import Page
from pi_table.table.engine.desk.desk import Desk
from pi_table.table.engine.desk.line import DeskRequest
from pi_table.table.engine.desk.settings import groups, with_rule
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.outputs import Verdict
from pi_table.table.engine.requests import desk_play
from pi_table.table.engine.requests.console import EnterPin, check_no_game
from pi_table.table.engine.requests.fields import (
    Fields,
    Flag,
    InLanguage,
    Language,
    Pin,
    Refusal,
    Text,
    Whole,
    not_a_text,
)
from pi_table.table.engine.requests.game import play
from pi_table.table.engine.requests.outcome import AnswerOnly, LockDesk, Outcome, SetDeskService
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.lock import check_that_a_pin_can_be_tried
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.state.service import start_service
from pi_table.table.engine.storage import desk_orders as orders
from pi_table.table.engine.storage.orders import ChangeHouse, ChangePin, ReadRecord, Restore, TryPin
from pi_table.table.engine.storage.packs import ListToRead
from pi_table.table.engine.storage.transfer import PIECE_BYTES

MAX_STORIES: Final = 200


class DeskStands(msgspec.Struct, frozen=True):
    """The state of the operator's desk."""

    open: bool
    """True while the desk is unlocked with the PIN."""
    pin: bool
    left: float | None
    """Seconds until the desk locks itself; None while it is locked."""
    version: str
    playing: bool
    """True if a game is in play. Then no backup can be made, and nothing can be tested."""
    faults: int
    screen: bool
    """True if the table has a hidden screen."""


class DeskPhone(msgspec.Struct, frozen=True):
    """A seat that has a phone."""

    seat: Seat
    nickname: str | None
    """The nickname of an agent; None in a word game."""


class DeskNow(msgspec.Struct, frozen=True):
    """The current state of the table and its computer."""

    game: str | None
    """The title of the game in play; None if no game is played."""
    status: str
    """A line for people: whose turn it is, how the last game ended, that no game has begun, or that
    the table is in service mode."""
    minutes: int | None
    """Minutes since the game in play began; None if no game is played."""
    phones: tuple[DeskPhone, ...]
    may: tuple[str, ...]
    """The acts of `GAME_ACTS` that are possible now; at a table without a hidden screen, also those
    of `desk_play.GAME_ACTS` and `desk_play.JOURNAL_ACTS`."""
    volume: int
    """Volume of the loudspeaker in percent."""
    muted: bool
    quiet: bool
    """True in the quiet hours."""
    faults: tuple[str, ...]
    wet: bool
    version: str
    temperature: float | None = None
    """Temperature of the processor in °C; None if unknown."""
    uptime: int = 0
    """Seconds since the machine was switched on."""


GAME_ACTS: Final = ("pause", "resume", "abandon")
"""The acts in a game that the desk can request. The desk acts in the operator's seat."""


class DeskCount(msgspec.Struct, frozen=True):
    label: str
    meaning: str
    count: int


class DeskDoctor(msgspec.Struct, frozen=True):
    version: str
    faults: tuple[str, ...]
    deaf: tuple[str, ...]
    wet: bool
    can_store: bool
    counts: tuple[DeskCount, ...]


class DeskPads(msgspec.Struct, frozen=True):
    """The readings of the pads: first the 27 places, then the four strips of the rim."""

    left: float
    """Seconds until service mode ends by itself."""
    names: tuple[str, ...]
    deltas: tuple[int | None, ...]
    """The load of each pad in counts; None if it cannot be read."""
    most: tuple[int | None, ...]
    thresholds: tuple[int, ...]
    touched: tuple[int, ...]
    deaf: tuple[int, ...]
    noisy: tuple[int, ...]


def answer_fields(verdict: Verdict, lang: Lang, desk: Desk, now: float) -> dict[str, Any]:
    """Return the fields of an answer to the desk. The sentence of a refusal is in ``lang``."""
    sentence = verdict.sentence
    if sentence is not None:
        sentence = translate(sentence, lang)
    return {
        "ok": verdict.ok,
        "reason": verdict.reason,
        "sentence": sentence,
        "told": verdict.told,
        "open": desk.is_open,
        "left": None if desk.ends is None else round(desk.ends - now, 3),
    }


def report_state(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    desk = snapshot.desk
    return AnswerOnly(
        DeskStands(
            open=desk.is_open,
            pin=snapshot.lock.is_set,
            left=None if desk.ends is None else round(desk.ends - now, 3),
            version=__version__,
            playing=snapshot.played is not None,
            faults=len(snapshot.faults),
            screen=snapshot.has_screen,
        )
    )


def report_now(request: Request, fields: InLanguage, snapshot: Snapshot, now: float) -> Outcome:
    game, house, lang = snapshot.game, snapshot.house, fields.lang
    view = None if game is None else games.public_view(game.board, game.time(now))
    played = None if game is None or snapshot.played is None else game
    agents = view.agents if isinstance(view, CodexView) else ()
    may = () if game is None else games.may(game.state, Seat.OPERATOR)
    names = GAME_ACTS if snapshot.has_screen else (*GAME_ACTS, *desk_play.GAME_ACTS)
    told = DeskNow(
        game=None if played is None else translate(Say(PROFILES[played.board.profile].title), lang),
        status=translate(status(view, snapshot.service is not None), lang),
        minutes=None if played is None else int(played.time(now) // 60),
        phones=tuple(
            DeskPhone(seat, agents[AGENTS.index(seat)].nickname if agents else None)
            for seat in snapshot.seated
        ),
        may=(*(name for name in names if name in may), *_answers_to_a_journal(snapshot)),
        volume=house.volume,
        muted=house.muted,
        quiet=within(house.quiet_from, house.quiet_until, snapshot.time_of_day),
        faults=tuple(translate(fault, lang) for fault in snapshot.faults),
        wet=snapshot.touch.blocked,
        version=__version__,
    )
    return orders.ReadMachine(request.to, told)


def _answers_to_a_journal(snapshot: Snapshot) -> Iterator[str]:
    if not snapshot.has_screen:
        yield from (name for name, can in desk_play.JOURNAL_ACTS.items() if can(snapshot))


def act_in_game(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    """Do an act of the game from the operator's seat."""
    as_operator = {**request.do, "seat": Seat.OPERATOR.value}
    return play(replace(request, do=as_operator), None, snapshot, now)


def enter_pin(request: Request, fields: EnterPin, snapshot: Snapshot, now: float) -> Outcome:
    check_that_a_pin_can_be_tried(snapshot.lock)
    return TryPin(request.to, fields.pin, at_desk=True)


def lock_desk(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return LockDesk()


class ChangedPin(Fields, frozen=True):
    pin: Pin
    new: Pin


def change_pin(request: Request, fields: ChangedPin, snapshot: Snapshot, now: float) -> Outcome:
    """Change the PIN. The request must contain the current PIN."""
    check_that_a_pin_can_be_tried(snapshot.lock)
    return ChangePin(request.to, fields.pin, fields.new)


def list_settings(request: Request, fields: InLanguage, snapshot: Snapshot, now: float) -> Outcome:
    return AnswerOnly(groups(snapshot.house, snapshot.every_pack, fields.lang))


class Change(Fields, frozen=True):
    settings: Annotated[
        dict[str, Any],
        Meta(min_length=1, max_length=1),
        lambda *_: InputError(
            say("One setting of the house changes at a time: give its name and value.")
        ),
    ] = msgspec.field(name="set")


def change_house(request: Request, fields: Change, snapshot: Snapshot, now: float) -> Outcome:
    with_settings(snapshot.house, fields.settings)
    return ChangeHouse(request.to, fields.settings)


class Rule(Fields, frozen=True):
    profile: Any = None
    setting: Any = None
    value: Any = None


def change_rule(request: Request, fields: Rule, snapshot: Snapshot, now: float) -> Outcome:
    rules = with_rule(snapshot.house, fields.profile, fields.setting, fields.value)
    return ChangeHouse(request.to, {"rules": rules})


def report_health(request: Request, fields: InLanguage, snapshot: Snapshot, now: float) -> Outcome:
    lang, service = fields.lang, snapshot.service
    counts = dict(snapshot.counts)
    if service is not None and service.readings is not None:
        counts |= msgspec.structs.asdict(service.readings.counts)
    return AnswerOnly(
        DeskDoctor(
            version=__version__,
            faults=tuple(translate(fault, lang) for fault in snapshot.faults),
            deaf=tuple(PLACES[place] for place in sorted(snapshot.touch.deaf)),
            wet=snapshot.touch.blocked,
            can_store=not snapshot.closed,
            counts=tuple(
                DeskCount(
                    translate(line.label, lang), translate(line.meaning, lang), counts[line.name]
                )
                for line in FAULT_LINES
                if line.name in counts
            ),
        )
    )


def try_pads(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    """Start or continue the test of the pads, which is a part of service mode."""
    return SetDeskService(
        start_service(snapshot.desk.service, Page.TOUCH, None, now, snapshot.string)
    )


def check_can_try_pads(snapshot: Snapshot) -> None:
    """Raise Unable during a game, or while the hidden screen is in service mode."""
    check_no_game(snapshot)
    if snapshot.desk.service is None and snapshot.service is not None:
        raise Unable(
            "in-service", say("The table is being serviced: leave the service mode first.")
        )


def leave_service(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return SetDeskService(None)


def report_pads(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    service, touch = snapshot.desk.service, snapshot.touch
    if service is None:
        raise Unable("no-service", say("The test of the pads has ended: begin again."))
    readings = service.readings
    if readings is None:
        return AnswerOnly()
    return AnswerOnly(
        DeskPads(
            round(max(0.0, service.ends - now), 3),
            PLACES,
            readings.deltas,
            service.most,
            readings.thresholds,
            tuple(sorted(touch.touched)),
            tuple(sorted(touch.deaf)),
            tuple(sorted(readings.noisy)),
        )
    )


class Games(Fields, frozen=True):
    most: Whole = MAX_STORIES
    lang: Language = "en"


def list_games(request: Request, fields: Games, snapshot: Snapshot, now: float) -> Outcome:
    most = max(1, min(fields.most, MAX_STORIES))
    return orders.ListStories(request.to, snapshot.played_number, most, fields.lang)


class Record(Fields, frozen=True):
    game: Whole
    lang: Language = "en"


def read_record(request: Request, fields: Record, snapshot: Snapshot, now: float) -> Outcome:
    return ReadRecord(request.to, fields.game, fields.lang)


class Statistics(Fields, frozen=True):
    """The games to count: those of ``profile`` and of the language ``of``. None means all profiles
    or all languages. ``lang`` is the language of the answer."""

    profile: Any = None
    of: Language | None = None
    lang: Language = "en"


def count_games(request: Request, fields: Statistics, snapshot: Snapshot, now: float) -> Outcome:
    profile, of = fields.profile, fields.of
    if profile is not None:
        profile_named(profile)
    return orders.Count(request.to, snapshot.played_number, profile, of, fields.lang)


def list_packs(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return orders.ListPacks(request.to, _lang_of(request))


class Name(Fields, frozen=True):
    name: Text


def read_pack(request: Request, fields: Name, snapshot: Snapshot, now: float) -> Outcome:
    return orders.ReadPack(request.to, fields.name)


class Put(Fields, frozen=True, kw_only=True):
    at: Whole
    piece: Annotated[bytes, lambda *_: InputError(say("A piece is base64."))] = b""
    what: Annotated[
        Literal["text", "backup"],
        lambda *_: InputError(say("An upload is a “text” or a “backup”.")),
    ]


def put_piece(request: Request, fields: Put, snapshot: Snapshot, now: float) -> Outcome:
    at, piece = fields.at, fields.piece
    if len(piece) > PIECE_BYTES:
        raise InputError(say("A piece has at most {piece} bytes.", piece=f"{PIECE_BYTES:,}"))
    if fields.what == "text":
        return orders.PutText(request.to, at, piece)
    check_backup_allowed(snapshot)
    return orders.PutPiece(request.to, at, piece)


def check_pack(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return orders.CheckPack(request.to, _lang_of(request))


def _not_one_of(known: Iterable[str]) -> Refusal:
    def refuse(name: str, said: object, _: object) -> InputError:
        names = [*known]
        return InputError(
            say(
                "There is no {name} {said}; {did_you_mean}",
                name=name,
                said=repr(said),
                did_you_mean=did_you_mean(str(said), names),
            )
        )

    return refuse


def _any_of(known: Iterable[str]) -> Meta:
    return Meta(pattern=rf"^({'|'.join(map(re.escape, known))})\Z")


class WordList(Fields, frozen=True):
    """The list of words to read, and its format. Fields of the format that are None are
    detected."""

    of: Text | None = None
    """The name of a faulty pack of the house, to be read as a list; None for the uploaded text."""
    encoding: Annotated[str, _any_of(ENCODINGS), _not_one_of(ENCODINGS)] | None = None
    separator: Annotated[Separator, _not_one_of(Separator)] | None = None
    column: Whole | None = None
    source: Text | None = None
    language: Annotated[str, _any_of(LANGUAGES), _not_one_of(LANGUAGES)] | None = None
    title: Annotated[str, Meta(max_length=255), not_a_text] | None = None
    adults: Flag = False
    make: Flag = False


def read_list(request: Request, fields: WordList, snapshot: Snapshot, now: float) -> Outcome:
    source = fields.of or fields.source
    if source is None:
        raise not_a_text("source")
    wanted = ListToRead(
        lang=_lang_of(request),
        of=fields.of,
        source=source,
        encoding=fields.encoding,
        how=How(fields.separator, fields.column),
        language=fields.language or "",
        title=fields.title or "",
        adults=fields.adults,
        is_to_be_made=fields.make,
    )
    return orders.ReadList(request.to, wanted)


class Save(Fields, frozen=True):
    was: Text | None = None
    """The former name of the pack; None for a new pack."""


def save_pack(request: Request, fields: Save, snapshot: Snapshot, now: float) -> Outcome:
    return orders.SavePack(request.to, fields.was, _lang_of(request))


def remove_pack(request: Request, fields: Name, snapshot: Snapshot, now: float) -> Outcome:
    return orders.RemovePack(request.to, fields.name)


def make_backup(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return orders.MakeBackup(request.to)


class Get(Fields, frozen=True):
    at: Whole


def get_piece(request: Request, fields: Get, snapshot: Snapshot, now: float) -> Outcome:
    return orders.GetPiece(request.to, fields.at)


def check_backup(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return orders.CheckBackup(request.to)


def restore(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return Restore(request.to)


def drop_transfers(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    return orders.Drop(request.to)


def check_backup_allowed(snapshot: Snapshot) -> None:
    """Raise Unable while a game is in play, because a backup contains the game's key."""
    if snapshot.played is not None:
        raise Unable(
            "game-in-progress",
            say("A game is under way, and a backup would hold its key: wait for its end."),
        )


def _lang_of(request: Request) -> Lang:
    assert isinstance(request.to, DeskRequest)
    return request.to.lang

"""What can be asked for at the operator's desk, and what it brings about.

Nothing here starts, plays or shows a game, and no key is within reach: what is told of games is of
finished ones alone. Most acts are those of the operator's page on the hidden screen, judged by the
desk's own lock.
"""

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from pi_table import __version__
from pi_table.common.decoding import ENCODINGS
from pi_table.common.errors import InputError
from pi_table.common.geometry import PLACES
from pi_table.common.house import changed
from pi_table.common.language import Lang, did_you_mean, say, written
from pi_table.games.lines.faults import FAULT_LINES
from pi_table.games.rules.profile import profile_named
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.plain_list import How
from pi_table.games.words.shape import Separator
from pi_table.protocols.ipc.service import Page
from pi_table.table.engine.desk.line import DeskRequest
from pi_table.table.engine.desk.session import Desk
from pi_table.table.engine.desk.settings import groups, with_rule
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.outputs import Verdict
from pi_table.table.engine.requests.console import EnterPin, check_no_game
from pi_table.table.engine.requests.fields import (
    Fields,
    Flag,
    Language,
    Pin,
    Refusal,
    Text,
    Whole,
    not_a_text,
)
from pi_table.table.engine.requests.outcome import DeskLocked, Outcome, ServedFromDesk, Told
from pi_table.table.engine.situation import Situation
from pi_table.table.engine.state.lock import check_that_a_pin_can_be_tried
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.state.service import begun
from pi_table.table.engine.storage import desk_orders as orders
from pi_table.table.engine.storage.orders import ChangeHouse, ChangePin, ReadRecord, Restore, TryPin
from pi_table.table.engine.storage.packs import ListToRead
from pi_table.table.engine.storage.transfer import PIECE

MOST_STORIES: Final = 200


class DeskStands(msgspec.Struct, frozen=True):
    """How the desk stands."""

    open: bool
    """Was the PIN entered?"""
    pin: bool
    """Is a PIN set?"""
    left: float | None
    """The seconds until the desk locks itself; None while it is locked."""
    version: str
    playing: bool
    """Is a game under way? Then no backup is made, and nothing is tried."""
    faults: int
    """How many things are wrong with the table."""


class DeskCount(msgspec.Struct, frozen=True):
    """How often something went wrong, and what that means."""

    label: str
    meaning: str
    count: int


class DeskDoctor(msgspec.Struct, frozen=True):
    """What the engine knows of its own health."""

    version: str
    faults: tuple[str, ...]
    deaf: tuple[str, ...]
    wet: bool
    can_store: bool
    counts: tuple[DeskCount, ...]


class DeskPads(msgspec.Struct, frozen=True):
    """What the pads read: the 27 places, and then the four strips of the rim."""

    left: float
    """The seconds until service ends by itself."""
    names: tuple[str, ...]
    """What the places are called."""
    deltas: tuple[int | None, ...]
    """The load of each pad in counts; None where it cannot be read."""
    most: tuple[int | None, ...]
    thresholds: tuple[int, ...]
    touched: tuple[int, ...]
    deaf: tuple[int, ...]
    noisy: tuple[int, ...]


def told(verdict: Verdict, lang: Lang, desk: Desk, now: float) -> dict[str, Any]:
    """What a desk is told of what it asked for; a sentence is in the language of whoever sits
    there."""
    sentence = verdict.sentence
    if sentence is not None:
        sentence = written(sentence, lang)
    return {
        "ok": verdict.ok,
        "reason": verdict.reason,
        "sentence": sentence,
        "told": verdict.told,
        "open": desk.is_open,
        "left": None if desk.ends is None else round(desk.ends - now, 3),
    }


def report_state(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    desk = situation.desk
    return Told(
        DeskStands(
            open=desk.is_open,
            pin=situation.lock.is_set,
            left=None if desk.ends is None else round(desk.ends - now, 3),
            version=__version__,
            playing=situation.played is not None,
            faults=len(situation.faults),
        )
    )


def enter_pin(request: Request, fields: EnterPin, situation: Situation, now: float) -> Outcome:
    check_that_a_pin_can_be_tried(situation.lock)
    return TryPin(request.to, fields.pin, at_desk=True)


def lock_desk(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    return DeskLocked()


class ChangedPin(Fields, frozen=True):
    pin: Pin
    new: Pin


def change_pin(request: Request, fields: ChangedPin, situation: Situation, now: float) -> Outcome:
    """Another PIN, by whoever knows the one that holds."""
    check_that_a_pin_can_be_tried(situation.lock)
    return ChangePin(request.to, fields.pin, fields.new)


class InLanguage(Fields, frozen=True):
    lang: Language = "en"
    """The language of what is told."""


def list_settings(
    request: Request, fields: InLanguage, situation: Situation, now: float
) -> Outcome:
    return Told(groups(situation.house, situation.every_pack, fields.lang))


class Change(Fields, frozen=True):
    settings: Annotated[
        dict[str, Any],
        Meta(min_length=1, max_length=1),
        lambda *_: InputError(
            say("One setting of the house changes at a time: give its name and value.")
        ),
    ] = msgspec.field(name="set")


def change_house(request: Request, fields: Change, situation: Situation, now: float) -> Outcome:
    """One setting of the house changes."""
    changed(situation.house, fields.settings)
    return ChangeHouse(request.to, fields.settings)


class Rule(Fields, frozen=True):
    """A house rule of a game, which the game reads."""

    profile: Any = None
    setting: Any = None
    value: Any = None


def change_rule(request: Request, fields: Rule, situation: Situation, now: float) -> Outcome:
    """One house rule of a game changes."""
    rules = with_rule(situation.house, fields.profile, fields.setting, fields.value)
    return ChangeHouse(request.to, {"rules": rules})


def report_health(
    request: Request, fields: InLanguage, situation: Situation, now: float
) -> Outcome:
    lang, service = fields.lang, situation.service
    counts = dict(situation.counts)
    if service is not None and service.readings is not None:
        counts |= msgspec.structs.asdict(service.readings.counts)
    return Told(
        DeskDoctor(
            version=__version__,
            faults=tuple(written(fault, lang) for fault in situation.faults),
            deaf=tuple(PLACES[place] for place in sorted(situation.touch.deaf)),
            wet=situation.touch.blocked,
            can_store=not situation.closed,
            counts=tuple(
                DeskCount(written(line.label, lang), written(line.meaning, lang), counts[line.name])
                for line in FAULT_LINES
                if line.name in counts
            ),
        )
    )


def try_pads(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    """The pads are tried, in service."""
    return ServedFromDesk(begun(situation.desk.service, Page.TOUCH, None, now))


def check_can_try_pads(situation: Situation) -> None:
    """Raises Unable while a game is under way, or somebody at the hidden screen tries something."""
    check_no_game(situation)
    if situation.desk.service is None and situation.service is not None:
        raise Unable("in-service", say("The table is in service: leave that first."))


def leave_service(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    return ServedFromDesk(None)


def report_pads(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    service, touch = situation.desk.service, situation.touch
    if service is None:
        raise Unable("no-service", say("The pads are not tried any more: begin again."))
    readings = service.readings
    if readings is None:
        return Told()
    return Told(
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
    most: Whole = MOST_STORIES
    lang: Language = "en"


def list_games(request: Request, fields: Games, situation: Situation, now: float) -> Outcome:
    most = max(1, min(fields.most, MOST_STORIES))
    return orders.ListStories(request.to, situation.played_number, most, fields.lang)


class Record(Fields, frozen=True):
    game: Whole
    lang: Language = "en"


def read_record(request: Request, fields: Record, situation: Situation, now: float) -> Outcome:
    return ReadRecord(request.to, fields.game, fields.lang)


class Statistics(Fields, frozen=True):
    """The games that are to be counted: of a profile, in a language; None: of all."""

    profile: Any = None
    of: Language | None = None
    lang: Language = "en"


def count_games(request: Request, fields: Statistics, situation: Situation, now: float) -> Outcome:
    profile, of = fields.profile, fields.of
    if profile is not None:
        profile_named(profile)
    return orders.Count(request.to, situation.played_number, profile, of, fields.lang)


def list_packs(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    return orders.ListPacks(request.to, _lang_of(request))


class Name(Fields, frozen=True):
    name: Text
    """The name of a word pack."""


def read_pack(request: Request, fields: Name, situation: Situation, now: float) -> Outcome:
    return orders.ReadPack(request.to, fields.name)


class Put(Fields, frozen=True, kw_only=True):
    at: Whole
    piece: Annotated[bytes, lambda *_: InputError(say("A piece is base64."))] = b""
    what: Annotated[
        Literal["text", "backup"],
        lambda *_: InputError(say("What comes up is a “text” or a “backup”.")),
    ]


def put_piece(request: Request, fields: Put, situation: Situation, now: float) -> Outcome:
    """A piece of a text, or of a backup, comes up."""
    at, piece = fields.at, fields.piece
    if len(piece) > PIECE:
        raise InputError(say("A piece has at most {piece} bytes.", piece=f"{PIECE:,}"))
    if fields.what == "text":
        return orders.PutText(request.to, at, piece)
    check_backup_allowed(situation)
    return orders.PutPiece(request.to, at, piece)


def check_pack(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
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
    """A text that is one of these."""
    return Meta(pattern=rf"^({'|'.join(map(re.escape, known))})\Z")


class WordList(Fields, frozen=True):
    """How a list of words is to be read; None: as it looks."""

    of: Text | None = None
    """The pack whose words these are."""
    encoding: Annotated[str, _any_of(ENCODINGS), _not_one_of(ENCODINGS)] | None = None
    separator: Annotated[Separator, _not_one_of(Separator)] | None = None
    column: Whole | None = None
    source: Text | None = None
    language: Annotated[str, _any_of(LANGUAGES), _not_one_of(LANGUAGES)] | None = None
    title: Annotated[str, Meta(max_length=255), not_a_text] | None = None
    adults: Flag = False
    make: Flag = False


def read_list(request: Request, fields: WordList, situation: Situation, now: float) -> Outcome:
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
    """What the pack was called before; None for a new one."""


def save_pack(request: Request, fields: Save, situation: Situation, now: float) -> Outcome:
    return orders.SavePack(request.to, fields.was, _lang_of(request))


def remove_pack(request: Request, fields: Name, situation: Situation, now: float) -> Outcome:
    return orders.RemovePack(request.to, fields.name)


def make_backup(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    return orders.MakeBackup(request.to)


class Get(Fields, frozen=True):
    at: Whole


def get_piece(request: Request, fields: Get, situation: Situation, now: float) -> Outcome:
    """A piece of a backup goes down."""
    return orders.GetPiece(request.to, fields.at)


def check_backup(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    return orders.CheckBackup(request.to)


def restore(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    return Restore(request.to)


def drop_transfers(request: Request, fields: None, situation: Situation, now: float) -> Outcome:
    return orders.Drop(request.to)


def check_backup_allowed(situation: Situation) -> None:
    """Raises Unable while a game is under way: a backup holds its key."""
    if situation.played is not None:
        raise Unable(
            "game-in-progress",
            say("A game is under way, and a backup would hold its key: wait for its end."),
        )


def _lang_of(request: Request) -> Lang:
    """The language of whoever sits at the desk."""
    assert isinstance(request.to, DeskRequest)
    return request.to.lang

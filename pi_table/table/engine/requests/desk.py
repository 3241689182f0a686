"""What can be asked for at the operator's desk, and what it brings about.

Nothing here starts, plays or shows a game, and no key is within reach: what is told of games is of
finished ones alone. Most acts are those of the operator's page on the hidden screen, judged by the
desk's own lock.
"""

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from pi_table import __version__
from pi_table.common.decoding import ENCODINGS
from pi_table.common.errors import InputError, did_you_mean
from pi_table.common.geometry import PLACES
from pi_table.common.house import changed
from pi_table.common.language import Lang, language_named, translated, written
from pi_table.games.lines.faults import FAULT_LINES
from pi_table.games.rules.profile import profile_named
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.plain_list import How
from pi_table.games.words.shape import Separator
from pi_table.protocols.ipc.service import Page
from pi_table.table.engine.desk.line import DeskRequest
from pi_table.table.engine.desk.session import Desk, check_that_it_is_open
from pi_table.table.engine.desk.settings import groups, with_rule
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.lock import check_that_a_pin_can_be_tried
from pi_table.table.engine.moves import Unable
from pi_table.table.engine.outcome import DeskLocked, Outcome, ServedFromDesk, Told
from pi_table.table.engine.outputs import Verdict
from pi_table.table.engine.rights import right_to
from pi_table.table.engine.service import begun
from pi_table.table.engine.situation import Situation
from pi_table.table.engine.storage import desk_orders as orders
from pi_table.table.engine.storage.orders import (
    ChangeHouse,
    ChangePin,
    ReadRecord,
    ReadTally,
    Restore,
    SwitchOff,
    TryPin,
)
from pi_table.table.engine.storage.packs import ListToRead
from pi_table.table.engine.storage.pin import is_pin
from pi_table.table.engine.storage.transfer import PIECE

LONGEST_SENTENCE: Final = 600
"""Signs of a sentence that is told in the desk's language; a longer one holds what was sent."""
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


def decide(request: Request, situation: Situation, now: float) -> Outcome:
    """What is to be done about a request of the desk. Raises TableError to refuse it."""
    name = request.do.get("act")
    if not right_to(name).while_locked:
        check_that_it_is_open(situation.desk)  # strangers are told no acts
    if not isinstance(name, str) or name not in _ACTS:
        raise InputError(f"A desk has no act {name!r}; {did_you_mean(str(name), [*_ACTS])}")
    return _ACTS[name](request, situation, now)


def is_sign_of_life(act: object) -> bool:
    """Is this something that somebody asks for, and not the page by itself? It keeps a desk
    open."""
    return not right_to(act).by_itself


def told(verdict: Verdict, lang: Lang, desk: Desk, now: float) -> dict[str, Any]:
    """What a desk is told of what it asked for; a sentence is in the language of whoever sits
    there."""
    sentence = verdict.sentence
    if sentence is not None and len(sentence) <= LONGEST_SENTENCE:
        sentence = translated(sentence, lang)
    return {
        "ok": verdict.ok,
        "reason": verdict.reason,
        "sentence": sentence,
        "told": verdict.told,
        "open": desk.is_open,
        "left": None if desk.ends is None else round(desk.ends - now, 3),
    }


def _state(request: Request, situation: Situation, now: float) -> Outcome:
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


def _unlock(request: Request, situation: Situation, now: float) -> Outcome:
    pin = _pin(request.do, "pin")
    check_that_a_pin_can_be_tried(situation.lock)
    return TryPin(request.to, pin, at_desk=True)


def _lock(request: Request, situation: Situation, now: float) -> Outcome:
    return DeskLocked()


def _change_pin(request: Request, situation: Situation, now: float) -> Outcome:
    """Another PIN, by whoever knows the one that holds."""
    pin, new = _pin(request.do, "pin"), _pin(request.do, "new")
    check_that_a_pin_can_be_tried(situation.lock)
    return ChangePin(request.to, pin, new)


def _settings(request: Request, situation: Situation, now: float) -> Outcome:
    return Told(groups(situation.house, situation.every_pack, _lang(request.do)))


def _house(request: Request, situation: Situation, now: float) -> Outcome:
    """One setting of the house changes."""
    settings = request.do.get("set")
    if not isinstance(settings, dict) or len(settings) != 1:
        raise InputError("One setting of the house changes at a time: give its name and value.")
    changed(situation.house, settings)
    return ChangeHouse(request.to, settings)


def _rule(request: Request, situation: Situation, now: float) -> Outcome:
    """One house rule of a game changes."""
    do = request.do
    rules = with_rule(situation.house, do.get("profile"), do.get("setting"), do.get("value"))
    return ChangeHouse(request.to, {"rules": rules})


def _doctor(request: Request, situation: Situation, now: float) -> Outcome:
    lang, service = _lang(request.do), situation.service
    counts = dict(situation.counts)
    if service is not None and service.readings is not None:
        counts |= msgspec.structs.asdict(service.readings.counts)
    return Told(
        DeskDoctor(
            version=__version__,
            faults=tuple(translated(fault, lang) for fault in situation.faults),
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


def _service(request: Request, situation: Situation, now: float) -> Outcome:
    """The pads are tried, in service. Refused while a game is under way, and while somebody at the
    hidden screen tries something."""
    if situation.played is not None:
        raise Unable("game-in-progress", "A game is under way: service has to wait for its end.")
    own = situation.desk.service
    if own is None and situation.service is not None:
        raise Unable("in-service", "The table is in service: leave that first.")
    return ServedFromDesk(begun(own, Page.TOUCH, None, now))


def _leave_service(request: Request, situation: Situation, now: float) -> Outcome:
    return ServedFromDesk(None)


def _pads(request: Request, situation: Situation, now: float) -> Outcome:
    service, touch = situation.desk.service, situation.touch
    if service is None:
        raise Unable("no-service", "The pads are not tried any more: begin again.")
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


def _stories(request: Request, situation: Situation, now: float) -> Outcome:
    most = _whole(request.do, "most", MOST_STORIES)
    most = max(1, most)
    return orders.ListStories(request.to, situation.played_number, most, _lang(request.do))


def _record(request: Request, situation: Situation, now: float) -> Outcome:
    return ReadRecord(request.to, _whole(request.do, "game"), _lang(request.do))


def _tally(request: Request, situation: Situation, now: float) -> Outcome:
    return ReadTally(request.to, situation.played_number)


def _statistics(request: Request, situation: Situation, now: float) -> Outcome:
    profile, of = request.do.get("profile"), request.do.get("of")
    if profile is not None:
        profile_named(profile)
    return orders.Count(
        request.to,
        situation.played_number,
        profile,
        None if of is None else language_named(of),
        _lang(request.do),
    )


def _packs(request: Request, situation: Situation, now: float) -> Outcome:
    return orders.ListPacks(request.to, _lang_of(request))


def _pack(request: Request, situation: Situation, now: float) -> Outcome:
    return orders.ReadPack(request.to, _text(request.do, "name"))


def _put(request: Request, situation: Situation, now: float) -> Outcome:
    """A piece of a text, or of a backup, comes up."""
    at, piece = _whole(request.do, "at"), _piece(request.do)
    match request.do.get("what"):
        case "text":
            return orders.PutText(request.to, at, piece)
        case "backup":
            _refuse_in_game(situation)
            return orders.PutPiece(request.to, at, piece)
    raise InputError("What comes up is a “text” or a “backup”.")


def _check_pack(request: Request, situation: Situation, now: float) -> Outcome:
    return orders.CheckPack(request.to, _lang_of(request))


def _read_list(request: Request, situation: Situation, now: float) -> Outcome:
    do = request.do
    of = None if do.get("of") is None else _text(do, "of")
    encoding, separator = _one_of(do, "encoding", ENCODINGS), _one_of(do, "separator", Separator)
    column = None if do.get("column") is None else _whole(do, "column")
    wanted = ListToRead(
        lang=_lang_of(request),
        of=of,
        source=of or _text(do, "source"),
        encoding=encoding,
        how=How(None if separator is None else Separator(separator), column),
        language=_one_of(do, "language", LANGUAGES) or "",
        title="" if not do.get("title") else _text(do, "title"),
        adults=do.get("adults") is True,
        is_to_be_made=do.get("make") is True,
    )
    return orders.ReadList(request.to, wanted)


def _save_pack(request: Request, situation: Situation, now: float) -> Outcome:
    was = request.do.get("was")
    before = None if was is None else _text(request.do, "was")
    return orders.SavePack(request.to, before, _lang_of(request))


def _remove_pack(request: Request, situation: Situation, now: float) -> Outcome:
    return orders.RemovePack(request.to, _text(request.do, "name"))


def _backup(request: Request, situation: Situation, now: float) -> Outcome:
    _refuse_in_game(situation)
    return orders.MakeBackup(request.to)


def _get(request: Request, situation: Situation, now: float) -> Outcome:
    _refuse_in_game(situation)
    return orders.GetPiece(request.to, _whole(request.do, "at"))


def _check_backup(request: Request, situation: Situation, now: float) -> Outcome:
    _refuse_in_game(situation)
    return orders.CheckBackup(request.to)


def _restore(request: Request, situation: Situation, now: float) -> Outcome:
    _refuse_in_game(situation)
    return Restore(request.to)


def _drop(request: Request, situation: Situation, now: float) -> Outcome:
    return orders.Drop(request.to)


def _shutdown(request: Request, situation: Situation, now: float) -> Outcome:
    return SwitchOff(request.to)


def _refuse_in_game(situation: Situation) -> None:
    """Raises Unable while a game is under way: a backup holds its key."""
    if situation.played is not None:
        raise Unable(
            "game-in-progress",
            "A game is under way, and a backup would hold its key: wait for its end.",
        )


def _lang_of(request: Request) -> Lang:
    """The language of whoever sits at the desk."""
    assert isinstance(request.to, DeskRequest)
    return request.to.lang


def _lang(do: Mapping[str, Any]) -> Lang:
    return language_named(do.get("lang", "en"))


def _pin(do: Mapping[str, Any], name: str) -> str:
    pin = do.get(name)
    if not is_pin(pin):
        raise Unable("bad-pin", "A PIN has four to eight digits.")
    return pin


def _text(do: Mapping[str, Any], name: str) -> str:
    text = do.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= 255:
        raise InputError(f"{name!r} is a text of 1 to 255 characters.")
    return text


def _one_of(do: Mapping[str, Any], name: str, known: Iterable[str]) -> str | None:
    """One of the names that are known, or None."""
    said, names = do.get(name), [*known]
    if said is not None and said not in names:
        raise InputError(f"There is no {name} {said!r}; {did_you_mean(str(said), names)}")
    return said


def _whole(do: Mapping[str, Any], name: str, usual: int | None = None) -> int:
    number = do.get(name, usual)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << 40:
        raise InputError(f"{name!r} is a whole number, 0 or more.")
    return number if usual is None else min(number, usual)


def _piece(do: Mapping[str, Any]) -> bytes:
    try:
        piece = b64decode(do.get("piece", ""), validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise InputError("A piece is base64.") from None
    if len(piece) > PIECE:
        raise InputError(f"A piece has at most {PIECE:,} bytes.")
    return piece


_ACTS: Final[dict[str, Callable[[Request, Situation, float], Outcome]]] = {
    "state": _state,
    "unlock": _unlock,
    "lock": _lock,
    "change-pin": _change_pin,
    "settings": _settings,
    "house": _house,
    "rule": _rule,
    "doctor": _doctor,
    "service": _service,
    "leave-service": _leave_service,
    "pads": _pads,
    "games": _stories,
    "record": _record,
    "tally": _tally,
    "statistics": _statistics,
    "packs": _packs,
    "pack": _pack,
    "put": _put,
    "check-pack": _check_pack,
    "read-list": _read_list,
    "save-pack": _save_pack,
    "remove-pack": _remove_pack,
    "backup": _backup,
    "get": _get,
    "check-backup": _check_backup,
    "restore": _restore,
    "drop": _drop,
    "shutdown": _shutdown,
}
"""Everything that a desk can ask for."""

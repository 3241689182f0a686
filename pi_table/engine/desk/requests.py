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
from pi_table.decoding import ENCODINGS
from pi_table.engine.desk import orders
from pi_table.engine.desk.files.transfer import PIECE
from pi_table.engine.desk.session import Desk, check_that_it_is_open
from pi_table.engine.desk.settings import groups, with_rule
from pi_table.engine.inputs import AskedAtDesk
from pi_table.engine.lock import check_that_a_pin_can_be_tried
from pi_table.engine.moves import Unable
from pi_table.engine.outputs import (
    AtDesk,
    ChangeHouse,
    ChangePin,
    ReadRecord,
    ReadTally,
    Restore,
    SwitchOff,
    TryPin,
    Verdict,
)
from pi_table.engine.pin import is_pin
from pi_table.engine.service import Service, begun
from pi_table.engine.situation import Situation
from pi_table.errors import InputError, did_you_mean
from pi_table.geometry import PLACES
from pi_table.house import changed
from pi_table.ipc.service import Page
from pi_table.language import Lang, language_named, translated, written
from pi_table.lines.faults import FAULT_LINES
from pi_table.rules.profile import profile_named
from pi_table.words.number import LANGUAGES
from pi_table.words.plain_list import How
from pi_table.words.shape import Separator

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


class TellDesk(msgspec.Struct, frozen=True):
    """Nothing is to be done but to answer with what is ``told``."""

    told: object = None


class LockDesk(msgspec.Struct, frozen=True):
    """The desk is locked from now on."""


class ServeFromDesk(msgspec.Struct, frozen=True):
    """The desk tries so in service from now on; with None, nothing."""

    service: Service | None


Work = (
    TellDesk
    | LockDesk
    | ServeFromDesk
    | AtDesk
    | ChangeHouse
    | ChangePin
    | ReadRecord
    | ReadTally
    | Restore
    | SwitchOff
    | TryPin
)
"""What is to be done about a request of the desk."""


def work_of(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    """What is to be done about a request of the desk. Raises TableError to refuse it."""
    name = asked.do.get("act")
    if not isinstance(name, str) or name not in WHILE_LOCKED:
        check_that_it_is_open(situation.desk)  # strangers are told no acts
    if not isinstance(name, str) or name not in _ACTS:
        raise InputError(f"A desk has no act {name!r}; {did_you_mean(str(name), [*_ACTS])}")
    return _ACTS[name](asked, situation, now)


def is_sign_of_life(act: object) -> bool:
    """Is this something that somebody asks for, and not the page by itself? It keeps a desk
    open."""
    return not (isinstance(act, str) and act in NO_SIGN_OF_LIFE)


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


def _state(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    desk = situation.desk
    return TellDesk(
        DeskStands(
            open=desk.is_open,
            pin=situation.lock.is_set,
            left=None if desk.ends is None else round(desk.ends - now, 3),
            version=__version__,
            playing=situation.played is not None,
            faults=len(situation.faults),
        )
    )


def _unlock(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    pin = _pin(asked.do, "pin")
    check_that_a_pin_can_be_tried(situation.lock)
    return TryPin(asked.to, pin)


def _lock(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return LockDesk()


def _change_pin(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    """Another PIN, by whoever knows the one that holds."""
    pin, new = _pin(asked.do, "pin"), _pin(asked.do, "new")
    check_that_a_pin_can_be_tried(situation.lock)
    return ChangePin(asked.to, pin, new)


def _settings(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return TellDesk(groups(situation.house, situation.every_pack, _lang(asked.do)))


def _house(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    """One setting of the house changes."""
    settings = asked.do.get("set")
    if not isinstance(settings, dict) or len(settings) != 1:
        raise InputError("One setting of the house changes at a time: give its name and value.")
    changed(situation.house, settings)
    return ChangeHouse(asked.to, settings)


def _rule(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    """One house rule of a game changes."""
    do = asked.do
    rules = with_rule(situation.house, do.get("profile"), do.get("setting"), do.get("value"))
    return ChangeHouse(asked.to, {"rules": rules})


def _doctor(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    lang, service = _lang(asked.do), situation.service
    counts = dict(situation.counts)
    if service is not None and service.readings is not None:
        counts |= msgspec.structs.asdict(service.readings.counts)
    return TellDesk(
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


def _service(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    """The pads are tried, in service. Refused while a game is under way, and while somebody at the
    hidden screen tries something."""
    if situation.played is not None:
        raise Unable("game-in-progress", "A game is under way: service has to wait for its end.")
    own = situation.desk.service
    if own is None and situation.service is not None:
        raise Unable("in-service", "The table is in service: leave that first.")
    return ServeFromDesk(begun(own, Page.TOUCH, None, now))


def _leave_service(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return ServeFromDesk(None)


def _pads(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    service, touch = situation.desk.service, situation.touch
    if service is None:
        raise Unable("no-service", "The pads are not tried any more: begin again.")
    readings = service.readings
    if readings is None:
        return TellDesk()
    return TellDesk(
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


def _stories(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    most = _whole(asked.do, "most", MOST_STORIES)
    return AtDesk(
        asked.to,
        orders.ListStories(situation.played_number, max(1, most), _lang(asked.do)),
    )


def _record(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return ReadRecord(asked.to, _whole(asked.do, "game"), _lang(asked.do))


def _tally(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return ReadTally(asked.to, situation.played_number)


def _statistics(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    profile, of = asked.do.get("profile"), asked.do.get("of")
    if profile is not None:
        profile_named(profile)
    order = orders.Count(
        situation.played_number,
        profile,
        None if of is None else language_named(of),
        _lang(asked.do),
    )
    return AtDesk(asked.to, order)


def _packs(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return AtDesk(asked.to, orders.ListPacks(asked.to.lang))


def _pack(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return AtDesk(asked.to, orders.ReadPack(_text(asked.do, "name")))


def _put(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    """A piece of a text, or of a backup, comes up."""
    at, piece = _whole(asked.do, "at"), _piece(asked.do)
    match asked.do.get("what"):
        case "text":
            return AtDesk(asked.to, orders.PutText(at, piece))
        case "backup":
            _refuse_in_game(situation)
            return AtDesk(asked.to, orders.PutPiece(at, piece))
    raise InputError("What comes up is a “text” or a “backup”.")


def _check_pack(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return AtDesk(asked.to, orders.CheckPack(asked.to.lang))


def _read_list(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    do = asked.do
    of = None if do.get("of") is None else _text(do, "of")
    encoding, separator = _one_of(do, "encoding", ENCODINGS), _one_of(do, "separator", Separator)
    column = None if do.get("column") is None else _whole(do, "column")
    order = orders.ReadList(
        lang=asked.to.lang,
        of=of,
        source=of or _text(do, "source"),
        encoding=encoding,
        how=How(None if separator is None else Separator(separator), column),
        language=_one_of(do, "language", LANGUAGES) or "",
        title="" if not do.get("title") else _text(do, "title"),
        adults=do.get("adults") is True,
        is_to_be_made=do.get("make") is True,
    )
    return AtDesk(asked.to, order)


def _save_pack(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    was = asked.do.get("was")
    before = None if was is None else _text(asked.do, "was")
    return AtDesk(asked.to, orders.SavePack(before, asked.to.lang))


def _remove_pack(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return AtDesk(asked.to, orders.RemovePack(_text(asked.do, "name")))


def _backup(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    _refuse_in_game(situation)
    return AtDesk(asked.to, orders.MakeBackup())


def _get(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    _refuse_in_game(situation)
    return AtDesk(asked.to, orders.GetPiece(_whole(asked.do, "at")))


def _check_backup(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    _refuse_in_game(situation)
    return AtDesk(asked.to, orders.CheckBackup())


def _restore(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    _refuse_in_game(situation)
    return Restore(asked.to)


def _drop(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return AtDesk(asked.to, orders.Drop())


def _shutdown(asked: AskedAtDesk, situation: Situation, now: float) -> Work:
    return SwitchOff(asked.to)


def _refuse_in_game(situation: Situation) -> None:
    """Raises Unable while a game is under way: a backup holds its key."""
    if situation.played is not None:
        raise Unable(
            "game-in-progress",
            "A game is under way, and a backup would hold its key: wait for its end.",
        )


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


_ACTS: Final[dict[str, Callable[[AskedAtDesk, Situation, float], Work]]] = {
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
WHILE_LOCKED: Final = frozenset({"state", "unlock"})
NO_SIGN_OF_LIFE: Final = frozenset({"state", "pads"})
"""What a page asks for by itself."""

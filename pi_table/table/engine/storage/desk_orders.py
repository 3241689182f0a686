"""The orders of the operator's desk. They are carried out while the game goes on."""

from base64 import b64encode
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Lang, Say, translate
from pi_table.common.machine import temperature, uptime
from pi_table.games.names import how_it_ended
from pi_table.games.rules.profile import PROFILES
from pi_table.protocols.ipc.records import Summary
from pi_table.table.engine.storage.backups import BackedUp
from pi_table.table.engine.storage.order import Read, Thread
from pi_table.table.engine.storage.packs import Checked, ListToRead
from pi_table.table.engine.storage.results import Fetched, PacksChanged, Result
from pi_table.table.engine.storage.statistics import Statistics
from pi_table.table.engine.storage.storage import Storage

# --- word packs


class ListPacks(Read, frozen=True):
    lang: Lang

    def read(self, storage: Storage) -> Any:
        return storage.packs.list_packs(self.lang)


class ReadPack(Read, frozen=True):
    name: str

    def read(self, storage: Storage) -> Any:
        return storage.packs.read_pack(self.name)


class CheckPack(Read, frozen=True):
    lang: Lang

    def read(self, storage: Storage) -> Checked:
        return _in_language(storage.packs.check(storage.transfers.whole_text()), self.lang)


class ReadList(Read, frozen=True):
    list: ListToRead

    def read(self, storage: Storage) -> Any:
        return storage.packs.read_list(self.list, bytes(storage.transfers.text))


class SavePack(Read, frozen=True):
    """Stores the uploaded text as a pack. The result is PacksChanged, Fetched or NotFetched."""

    was: str | None
    """The former name of the pack; None for a new pack."""
    lang: Lang

    def fetch(self, storage: Storage) -> Result:
        checked = storage.packs.save(storage.transfers.whole_text(), self.was)
        told = _in_language(checked, self.lang)
        return _packs_changed(self.to, told, storage) if checked.ok else Fetched(self.to, told)


class RemovePack(Read, frozen=True):
    name: str

    def fetch(self, storage: Storage) -> PacksChanged:
        storage.packs.remove(self.name)
        return _packs_changed(self.to, None, storage)


def _packs_changed(to: object, told: object, storage: Storage) -> PacksChanged:
    """Read the packs again, so that the next game is dealt from them; return the result
    for ``to``."""
    dealer = storage.dealer
    dealer.shelf = replace(dealer.shelf, packs=storage.packs.read_packs().packs)
    return PacksChanged(to, told, dealer.shelf.offered_packs())


def _in_language(checked: Checked, lang: Lang) -> Checked:
    told = (replace(each, what=translate(each.what, lang)) for each in checked.complaints)
    return replace(checked, complaints=tuple(told))


# --- finished games


class Story(msgspec.Struct, frozen=True):
    """A finished game in the list that the desk shows."""

    number: int
    begun: str
    """Time at which the game started: ISO 8601."""
    profile: str
    title: str
    ended: str


class ListStories(Read, frozen=True):
    playing: int | None
    """The number of the game in play, which is not listed; None if there is none."""
    most: int
    lang: Lang

    def read(self, storage: Storage) -> list[Story]:
        return [_story(game, self.lang) for game in storage.records.games(self.playing, self.most)]


def _story(game: Summary, lang: Lang) -> Story:
    title = translate(Say(PROFILES[game.profile].title), lang)
    ended = translate(how_it_ended(game.outcome), lang)
    return Story(game.number, game.begun, game.profile, title, ended)


class Counts(msgspec.Struct, frozen=True):
    statistics: Statistics
    titles: dict[str, str]


class Count(Read, frozen=True):
    playing: int | None
    """The number of the game in play, which is not counted; None if there is none."""
    profile: str | None
    of: str | None
    """The language of the games to count; None for all languages. If ``profile`` is None, games of
    all profiles are counted."""
    lang: Lang

    def read(self, storage: Storage) -> Counts:
        counted = storage.counted.statistics(self.playing, self.profile, self.of)
        titles = {name: translate(Say(game.title), self.lang) for name, game in PROFILES.items()}
        return Counts(counted, titles)


# --- the machine


class ReadMachine(Read, frozen=True):
    """Fills in the computer's temperature and uptime in an answer that has these fields."""

    told: Any

    def read(self, storage: Storage) -> Any:
        return replace(self.told, temperature=temperature(), uptime=uptime())


# --- uploads and downloads, in pieces


class PutText(Read, frozen=True):
    at: int
    piece: bytes

    def read(self, storage: Storage) -> int:
        return storage.transfers.put_text(self.at, self.piece)


class MakeBackup(Read, frozen=True):
    def read(self, storage: Storage) -> BackedUp:
        return storage.backups.make(storage.transfers.down)


class GetPiece(Read, frozen=True):
    """Reads a piece of the backup for download, as base64."""

    at: int

    def read(self, storage: Storage) -> str:
        return b64encode(storage.transfers.get(self.at)).decode()


class PutPiece(Read, frozen=True):
    at: int
    piece: bytes

    def read(self, storage: Storage) -> int:
        return storage.transfers.put(self.at, self.piece)


class CheckBackup(Read, frozen=True):
    thread: ClassVar[Thread] = Thread.CHECKER

    def read(self, storage: Storage) -> BackedUp:
        return storage.backups.check(storage.transfers.up)


class Drop(Read, frozen=True):
    def read(self, storage: Storage) -> None:
        storage.drop_transfers()

"""The orders of the operator's desk. Each goes on beside the game."""

from base64 import b64encode
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Lang, Say, written
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
    """The order to list all word packs."""

    lang: Lang
    """The language in which is told what is wrong with one."""

    def read(self, storage: Storage) -> Any:
        return storage.packs.listed(self.lang)


class ReadPack(Read, frozen=True):
    """The order to tell the text of a pack."""

    name: str

    def read(self, storage: Storage) -> Any:
        return storage.packs.opened(self.name)


class CheckPack(Read, frozen=True):
    """The order to check the text that came up."""

    lang: Lang
    """The language in which is told what is wrong with it."""

    def read(self, storage: Storage) -> Checked:
        return _in_language(storage.packs.checked(storage.transfers.whole_text()), self.lang)


class ReadList(Read, frozen=True):
    """The order to read what came up as a list of words, however it is written."""

    list: ListToRead

    def read(self, storage: Storage) -> Any:
        return storage.packs.read_list(self.list, bytes(storage.transfers.text))


class SavePack(Read, frozen=True):
    """The order to keep the text that came up as a pack; PacksChanged, Fetched or NotFetched
    answers."""

    was: str | None
    """What the pack was called before; None for a new one."""
    lang: Lang
    """The language in which is told what is wrong with it."""

    def fetch(self, storage: Storage) -> Result:
        checked = storage.packs.save(storage.transfers.whole_text(), self.was)
        told = _in_language(checked, self.lang)
        return _packs_changed(self.to, told, storage) if checked.ok else Fetched(self.to, told)


class RemovePack(Read, frozen=True):
    """The order to take a pack of the house away; PacksChanged or NotFetched answers."""

    name: str

    def fetch(self, storage: Storage) -> PacksChanged:
        storage.packs.remove(self.name)
        return _packs_changed(self.to, None, storage)


def _packs_changed(to: object, told: object, storage: Storage) -> PacksChanged:
    """Let the next game be dealt of the packs as they are now."""
    dealer = storage.dealer
    dealer.shelf = replace(dealer.shelf, packs=storage.packs.found().packs)
    return PacksChanged(to, told, dealer.shelf.listed())


def _in_language(checked: Checked, lang: Lang) -> Checked:
    """What came of checking a text, with its complaints in a language; they are English before."""
    told = (replace(each, what=written(each.what, lang)) for each in checked.complaints)
    return replace(checked, complaints=tuple(told))


# --- finished games


class Story(msgspec.Struct, frozen=True):
    """A finished game, as the desk lists it."""

    number: int
    begun: str
    """When it was begun: ISO 8601."""
    profile: str
    title: str
    ended: str


class ListStories(Read, frozen=True):
    """The order to list the finished games, newest first."""

    playing: int | None
    """The number of the game that is played, which is none of them."""
    most: int
    lang: Lang

    def read(self, storage: Storage) -> list[Story]:
        return [_story(game, self.lang) for game in storage.records.games(self.playing, self.most)]


def _story(game: Summary, lang: Lang) -> Story:
    title = written(Say(PROFILES[game.profile].title), lang)
    ended = written(how_it_ended(game.outcome), lang)
    return Story(game.number, game.begun, game.profile, title, ended)


class Counts(msgspec.Struct, frozen=True):
    """Statistics, with what the games are called."""

    statistics: Statistics
    titles: dict[str, str]


class Count(Read, frozen=True):
    """The order to count finished games up."""

    playing: int | None
    """The number of the game that is played, which is none of them."""
    profile: str | None
    """The profile of the games; None for all."""
    of: str | None
    """The language of the games; None for all."""
    lang: Lang

    def read(self, storage: Storage) -> Counts:
        counted = storage.counted.statistics(self.playing, self.profile, self.of)
        titles = {name: written(Say(game.title), self.lang) for name, game in PROFILES.items()}
        return Counts(counted, titles)


# --- what goes up and down, in pieces


class PutText(Read, frozen=True):
    """The order to take a piece of a text that comes up."""

    at: int
    piece: bytes

    def read(self, storage: Storage) -> int:
        return storage.transfers.put_text(self.at, self.piece)


class MakeBackup(Read, frozen=True):
    """The order to make a backup."""

    def read(self, storage: Storage) -> BackedUp:
        return storage.backups.make(storage.transfers.down)


class GetPiece(Read, frozen=True):
    """The order to tell a piece of the backup that goes down, as base64."""

    at: int

    def read(self, storage: Storage) -> str:
        return b64encode(storage.transfers.get(self.at)).decode()


class PutPiece(Read, frozen=True):
    """The order to take a piece of a backup that comes up."""

    at: int
    piece: bytes

    def read(self, storage: Storage) -> int:
        return storage.transfers.put(self.at, self.piece)


class CheckBackup(Read, frozen=True):
    """The order to read the backup that came up whole."""

    thread: ClassVar[Thread] = Thread.CHECKER

    def read(self, storage: Storage) -> BackedUp:
        return storage.backups.check(storage.transfers.up)


class Drop(Read, frozen=True):
    """The order to forget what is on its way."""

    def read(self, storage: Storage) -> None:
        storage.drop_transfers()

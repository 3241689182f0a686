"""Carries out what a desk needs the disk for, on the thread that deals and reads the record."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from pi_table.engine.dealing import Dealer
from pi_table.engine.desk.files.backups import BackedUp, Backups
from pi_table.engine.desk.files.counted import Counted
from pi_table.engine.desk.files.packs import Checked, PackFolder
from pi_table.engine.desk.files.transfer import Transfers
from pi_table.engine.desk.orders import (
    CheckPack,
    Count,
    DeskOrder,
    Drop,
    GetPiece,
    ListPacks,
    ListStories,
    MakeBackup,
    PutPiece,
    PutText,
    ReadList,
    ReadPack,
    RemovePack,
    SavePack,
)
from pi_table.engine.records import Records
from pi_table.engine.statistics import Statistics
from pi_table.ipc.records import Summary
from pi_table.language import Lang, Say, translated, written
from pi_table.names import how_it_ended
from pi_table.rules.profile import PROFILES


class Story(msgspec.Struct, frozen=True):
    """A finished game, as the desk lists it."""

    number: int
    begun: str
    """When it was begun: ISO 8601."""
    profile: str
    title: str
    ended: str


class Counts(msgspec.Struct, frozen=True):
    """Statistics, with what the games are called."""

    statistics: Statistics
    titles: dict[str, str]


class Clerk:
    """What a table keeps for its desk."""

    def __init__(self, path: Path, dealer: Dealer, packs: PackFolder, backups: Backups) -> None:
        """``path`` is the journal's, in whose folder lies what is on its way."""
        self._path = path
        self._dealer = dealer
        self._packs = packs
        self._backups = backups
        self._counted = Counted(path)
        self.transfers = Transfers(path.parent)
        self._forget()
        self.shelf_changed = False
        """Is another pack on the dealer's shelf than before the last order?"""

    def reopened(self) -> None:
        """Learn that the journal may be another one."""
        self._counted = Counted(self._path)

    def carry_out(self, order: DeskOrder, records: Records) -> Any:
        """Do what is ordered, but for `check`; answer with what the desk is told. Raises
        TableError."""
        self.shelf_changed = False
        match order:
            case ListPacks(lang=lang):
                return self._packs.listed(lang)
            case ReadPack(name=name):
                return self._packs.opened(name)
            case CheckPack(lang=lang):
                return _in_language(self._packs.checked(self.transfers.whole_text()), lang)
            case ReadList():
                return self._packs.read_list(order, bytes(self.transfers.text))
            case SavePack(was=was, lang=lang):
                return _in_language(self._saved(was), lang)
            case RemovePack(name=name):
                self._packs.remove(name)
                self._renew_shelf()
                return None
            case PutText(at=at, piece=piece):
                return self.transfers.put_text(at, piece)
            case ListStories(playing=playing, most=most, lang=lang):
                return [_story(game, lang) for game in records.games(playing, most)]
            case Count(playing=playing, profile=profile, of=of, lang=lang):
                counted = self._counted.statistics(playing, profile, of)
                titles = {name: written(Say(game.title), lang) for name, game in PROFILES.items()}
                return Counts(counted, titles)
            case MakeBackup():
                return self._backups.make(self.transfers.down)
            case GetPiece(at=at):
                return b64encode(self.transfers.get(at)).decode()
            case PutPiece(at=at, piece=piece):
                return self.transfers.put(at, piece)
            case Drop():
                self.transfers.drop()
                self._forget()
                return None

    def check(self) -> BackedUp:
        """What the backup that came up holds. May be done beside all else. Raises TableError where
        it cannot be restored."""
        return self._backups.check(self.transfers.up)

    def stop_check(self) -> None:
        """End a check, and let no other begin. May be called by any thread."""
        self._backups.stop()

    def restore(self) -> None:
        """Put the backup that was checked in the place of what the table has, whose journal is
        closed. Raises TableError; `is_half_restored` says then whether anything is changed."""
        self._backups.restore(self.transfers.up)

    def is_half_restored(self) -> bool:
        """Is a restore decided and not finished? Then the table cannot go on before it is."""
        return self._backups.is_to_be_finished()

    def _forget(self) -> None:
        """Leave nothing of what was cut off beside a file on its way: it holds keys."""
        for file in (self.transfers.down, self.transfers.up):
            self._backups.forget(file)

    def _saved(self, was: str | None) -> Checked:
        checked = self._packs.save(self.transfers.whole_text(), was)
        if checked.ok:
            self._renew_shelf()
        return checked

    def _renew_shelf(self) -> None:
        """Let the next game be dealt of the packs as they are now."""
        self._dealer.shelf = replace(self._dealer.shelf, packs=self._packs.found().packs)
        self.shelf_changed = True


def _in_language(checked: Checked, lang: Lang) -> Checked:
    """What came of checking a text, with its complaints in a language; they are English before."""
    told = (replace(each, what=translated(each.what, lang)) for each in checked.complaints)
    return replace(checked, complaints=tuple(told))


def _story(game: Summary, lang: Lang) -> Story:
    title = translated(Say(PROFILES[game.profile].title), lang)
    ended = written(how_it_ended(game.outcome), lang)
    return Story(game.number, game.begun, game.profile, title, ended)

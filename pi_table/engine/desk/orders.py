"""What a desk needs the disk for. Each is carried out beside the game, by `desk.files.clerk`."""

import msgspec

from pi_table.language import Lang
from pi_table.words.plain_list import How


class ListPacks(msgspec.Struct, frozen=True):
    """All word packs are to be listed."""

    lang: Lang
    """The language in which is told what is wrong with one."""


class ReadPack(msgspec.Struct, frozen=True):
    """The text of a pack is to be told."""

    name: str


class CheckPack(msgspec.Struct, frozen=True):
    """The text that came up is to be checked."""

    lang: Lang
    """The language in which is told what is wrong with it."""


class ReadList(msgspec.Struct, frozen=True):
    """What came up is to be read as a list of words, however it is written."""

    lang: Lang
    """The language in which is told what was understood."""
    of: str | None = None
    """The pack of the house that is read instead, which is none as it is; None: what came up."""
    source: str = "?"
    """The name of the file that it is from."""
    encoding: str | None = None
    """The encoding that somebody chose; None: none, and doubts are told."""
    how: How = How()
    language: str = ""
    """The language of the words; empty: not said."""
    title: str = ""
    """What people are to call the pack; empty: not said."""
    adults: bool = False
    is_to_be_made: bool = False
    """Is the text of a pack to be made of it?"""


class SavePack(msgspec.Struct, frozen=True):
    """The text that came up is to be kept as a pack."""

    was: str | None
    """What the pack was called before; None for a new one."""
    lang: Lang
    """The language in which is told what is wrong with it."""


class RemovePack(msgspec.Struct, frozen=True):
    """A pack of the house is to be taken away."""

    name: str


class PutText(msgspec.Struct, frozen=True):
    """A piece of a text comes up."""

    at: int
    piece: bytes


class ListStories(msgspec.Struct, frozen=True):
    """The finished games are to be listed."""

    playing: int | None
    """The number of the game that is played, which is none of them."""
    most: int
    lang: Lang


class Count(msgspec.Struct, frozen=True):
    """Finished games are to be counted up."""

    playing: int | None
    """The number of the game that is played, which is none of them."""
    profile: str | None
    """The profile of the games; None for all."""
    of: str | None
    """The language of the games; None for all."""
    lang: Lang


class MakeBackup(msgspec.Struct, frozen=True):
    """A backup is to be made."""


class GetPiece(msgspec.Struct, frozen=True):
    """A piece of the backup goes down."""

    at: int


class PutPiece(msgspec.Struct, frozen=True):
    """A piece of a backup comes up."""

    at: int
    piece: bytes


class CheckBackup(msgspec.Struct, frozen=True):
    """The backup that came up is to be read whole."""


class Drop(msgspec.Struct, frozen=True):
    """What is on its way is to be forgotten."""


DeskOrder = (
    ListPacks
    | ReadPack
    | CheckPack
    | ReadList
    | SavePack
    | RemovePack
    | PutText
    | ListStories
    | Count
    | MakeBackup
    | GetPiece
    | PutPiece
    | CheckBackup
    | Drop
)

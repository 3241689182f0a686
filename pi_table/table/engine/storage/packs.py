"""Lists, checks, stores and removes the word packs of a house, and makes packs from lists
of words."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.decoding import decode_text, readings
from pi_table.common.errors import InputError, StorageError
from pi_table.common.files import read_small_file, remove, write_whole
from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import Lang, say, system_says, translate
from pi_table.games.words import pack as pack_files
from pi_table.games.words.kinship import kinship
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.pack import (
    ENDING,
    MAX_BYTES,
    Audience,
    Fault,
    Pack,
    check_pack,
    other_files,
    packs,
    text_of,
)
from pi_table.games.words.pack_text import GROWING, SEPARATED, Line
from pi_table.games.words.plain_list import How, as_pack, has_head, name_for, read_list
from pi_table.games.words.word import Words

MAX_PACKS: Final = 60
"""Maximum number of own packs that a house may store."""
MODE: Final = 0o644
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
"""The names allowed for a pack that the desk stores: simple file names only."""


class ListedPack(msgspec.Struct, frozen=True):
    """A pack in the desk's list."""

    name: str
    title: str
    language: str
    adults: bool
    own: bool
    """True if the pack is the house's own, so that it can be changed and removed."""
    words: int
    few: bool = False
    """True if the pack has too few words to be dealt yet."""
    faults: int = 0
    """Number of the pack's faults. A pack with any fault is never dealt."""
    why: str = ""
    """The pack's first fault as a sentence, in the language of the desk."""


class Complaint(msgspec.Struct, frozen=True):
    """A fault of a pack. ``line`` counts from 1; it is None if the fault is not in a
    single line."""

    line: int | None
    what: str


class Checked(msgspec.Struct, frozen=True):
    ok: bool
    complaints: tuple[Complaint, ...] = ()
    name: str = ""
    title: str = ""
    words: int = 0
    many: int = 0
    """Number of words with two senses or more."""
    kin: tuple[tuple[str, str], ...] = ()
    """Some pairs of related words, which are never dealt together."""
    shared: tuple[tuple[str, int], ...] = ()
    """Titles of other packs in the same language, each with the number of words that it shares with
    this pack. A pack that is never dealt because of faulty words counts too."""
    is_list: bool = False
    """True if the text can be read as a list of words, from which a pack can be made."""


class PackText(msgspec.Struct, frozen=True):
    """The text of a pack, and whether the pack is the house's own."""

    name: str
    own: bool
    text: str


class ReadingOfList(msgspec.Struct, frozen=True):
    """A possible encoding of a list, with sample words that show people whether it is right."""

    encoding: str
    label: str
    samples: tuple[str, ...]


class ListToRead(msgspec.Struct, frozen=True):
    """The settings for reading a list of words. ``lang`` is the language of the result's texts."""

    lang: Lang
    of: str | None = None
    """The name of a faulty pack of the house, to be read as a list; None for the uploaded text."""
    source: str = "?"
    """The name of the list's file."""
    encoding: str | None = None
    """The chosen encoding; None to detect it and report doubts."""
    how: How = How()
    language: str = ""
    """The language of the words; empty if unknown."""
    title: str = ""
    """The title of the new pack; empty if unknown."""
    adults: bool = False
    is_to_be_made: bool = False
    """True to make the text of a pack from the list."""


class ListRead(msgspec.Struct, frozen=True):
    """The result of reading a list: possible encodings, and some words and lines as examples.
    ``said``, ``doubts``, ``left_out`` and the separators' labels are in the language
    `ListToRead.lang`."""

    encodings: tuple[ReadingOfList, ...]
    encoding: str | None
    """The encoding used; None if nothing was read, because a person must choose an encoding."""
    said: tuple[str, ...] = ()
    doubts: tuple[Complaint, ...] = ()
    left_out: tuple[Complaint, ...] = ()
    many_left_out: int = 0
    words: int = 0
    first: tuple[str, ...] = ()
    separator: str = ""
    separators: tuple[tuple[str, str, int], ...] = ()
    """For each possible separator: its name, its label and the number of words."""
    columns: tuple[int, ...] = ()
    """Numbers of the possible columns, from 1; fewer than two if there is no choice."""
    column: int = 0
    title: str = ""
    """The requested title, or else the title at the top of the list; empty if there is neither."""
    language: str = ""
    """The requested language, or else the language at the top of the list; empty if there is
    neither."""
    adults: bool = False
    text: str = ""
    """The text of the new pack; empty if no pack was made."""
    as_it_is: str = ""
    """The whole text, for people to edit, if it is already the text of a pack and not a list;
    otherwise empty."""


MAX_REPORTED_LINES: Final = 100
MAX_REPORTED_WORDS: Final = 60


class PackFolder:
    """The packs that come with the table, and the packs in a folder of the house."""

    def __init__(self, folder: Path | None, usual: str = "") -> None:
        """``usual`` is the name of the default pack in the configuration. The table cannot start
        without it."""
        self._folder = folder
        self._usual = usual

    def read_packs(self, *, compare: bool = True) -> pack_files.Packs:
        there = self._folder is not None and self._folder.is_dir()
        return packs(self._folder if there else None, compare=compare)

    def list_packs(self, lang: Lang = "en") -> tuple[ListedPack, ...]:
        """Return all packs, the house's own first. Packs that cannot be dealt are included, with
        the reason."""
        found = self.read_packs()
        own = self._own()
        listed = [
            _list_entry(pack, pack.name in own, few)
            for some, few in ((found.packs, False), (found.growing, True))
            for pack in some
        ]
        faults: dict[str, list[Fault]] = {}
        for fault in found.faults:
            faults.setdefault(fault.file.removesuffix(ENDING), []).append(fault)
        listed += [
            ListedPack(
                name,
                name,
                "",
                False,
                True,
                0,
                faults=len(those),
                why=translate(str(those[0]), lang),
            )
            for name, those in faults.items()
            if name in own
        ]
        return tuple(sorted(listed, key=lambda pack: (not pack.own, pack.name)))

    def read_pack(self, name: str) -> PackText:
        """Return the text of a pack, even of a pack that cannot be dealt. Raises StorageError.
        Raises InputError if there is no such pack, or if its file is not UTF-8."""
        if name in self._own():
            return PackText(name, own=True, text=decode_text(self._content(name), name))
        for pack in self.read_packs().packs:
            if pack.name == name:
                return PackText(name, own=False, text=text_of(pack))
        raise InputError(say("There is no word pack {name} any more.", name=repr(name)))

    def check(self, text: str) -> Checked:
        """Return the faults in the text of a pack, line by line. If there are none, return a
        summary."""
        return self._report(self._pack(text))

    def _report(self, found: Pack | tuple[Fault, ...]) -> Checked:
        if not isinstance(found, Pack):
            complaints = tuple(Complaint(each.line, each.what) for each in found)
            return Checked(False, complaints, is_list=any(each.is_list for each in found))
        known = kinship(found.words, found.language)
        pairs = (
            (word, other)
            for word in found.words
            for other in sorted(known.kin.get(word, ()))
            if word < other
        )
        return Checked(
            True,
            name=found.name,
            title=found.title,
            words=len(found.words),
            many=len(known.many),
            kin=tuple(pair for _, pair in zip(range(10), pairs, strict=False)),
            shared=tuple(_shared_words(found, self.read_packs(compare=False).packs)),
        )

    def read_list(self, order: ListToRead, came_up: bytes) -> ListRead:
        """Read a list: the upload, or a file in the house's folder. Raises StorageError. Raises
        InputError if there is no such file, or if it is not text."""
        data = came_up if order.of is None else self._content(order.of)
        possible = readings(data, order.source)
        encodings = tuple(ReadingOfList(it.encoding, it.label(), it.samples()) for it in possible)
        chosen = next((it for it in possible if it.encoding == order.encoding), None)
        if chosen is None and possible[0].is_certain():
            chosen = possible[0]
        if chosen is None:
            return ListRead(encodings, None)
        if has_head(chosen.text) and not self.check(chosen.text).is_list:
            return ListRead(encodings, chosen.encoding, as_it_is=chosen.text)
        found = read_list(chosen.text, order.language, order.how)
        head = found.head
        title = order.title or head.get("title", "")
        language = order.language or head.get("language", "")
        adults = order.adults or head.get("audience") == Audience.ADULTS
        text = ""
        if order.is_to_be_made and title and language in LANGUAGES:
            taken = {each.casefold() for each in (*self._own(), *pack_files.shipped_names())}
            own = "" if order.of is None or not _NAME.fullmatch(order.of) else order.of
            name = own or name_for(head.get("name") or title, taken)
            audience = Audience.ADULTS if adults else Audience.EVERYBODY
            text = as_pack(found, name, title, language, audience, order.source)
        return ListRead(
            encodings=encodings,
            encoding=chosen.encoding,
            said=tuple(translate(each, order.lang) for each in found.said),
            doubts=_complaints(found.doubts, order.lang),
            left_out=_complaints(found.left_out[:MAX_REPORTED_LINES], order.lang),
            many_left_out=len(found.left_out),
            words=len(found.words),
            first=found.words[:MAX_REPORTED_WORDS],
            separator=found.separator,
            separators=tuple(
                (each, translate(SEPARATED[each], order.lang), count)
                for each, count in found.separators
            ),
            columns=found.columns,
            column=found.column,
            title=title,
            language=language,
            adults=adults,
            text=text,
        )

    def save(self, text: str, was: str | None) -> Checked:
        """Store a pack, completely or not at all; a pack with faults is not stored. Return the
        result of its check. ``was`` is the pack's former name, None for a new pack. Raises
        InputError if the pack may not be stored, and StorageError."""
        found = self._pack(text)
        if not isinstance(found, Pack):
            return self._report(found)
        folder, own = self._folder, self._own()
        if folder is None:
            raise InputError(
                say(
                    "This table has no folder for word packs: name one in the configuration, under "
                    "[table] packs."
                )
            )
        if found.name != was and found.name.casefold() in {name.casefold() for name in own}:
            raise InputError(
                say(
                    "There is a word pack {name} already: give this one another name.",
                    name=found.name,
                )
            )
        if was not in own and len(own) >= MAX_PACKS:
            raise InputError(
                say(
                    "The house has {most_packs} packs of its own, and keeps no more: delete one.",
                    most_packs=MAX_PACKS,
                )
            )
        if was is not None and was != found.name:
            self._refuse_usual(was)
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            write_whole(folder / f"{found.name}.txt", [text.encode()], MODE)
            if was in own and was != found.name:
                remove(own[was])
        except OSError as error:
            raise _not_written(folder, error) from None
        return self._report(found)

    def remove(self, name: str) -> None:
        """Remove a pack of the house. Raises InputError and StorageError."""
        own = self._own()
        if name not in own:
            raise InputError(
                say("There is no word pack {name} of the house’s own.", name=repr(name))
            )
        self._refuse_usual(name)
        try:
            remove(own[name])
        except OSError as error:
            raise _not_written(own[name].parent, error) from None

    def _own(self) -> dict[str, Path]:
        """Return the files in the house's folder by pack name. A file that is not named like a pack
        is listed by its whole name."""
        if self._folder is None or not self._folder.is_dir():
            return {}
        try:
            found = {
                file.name.removesuffix(ENDING): file
                for file in self._folder.iterdir()
                if file.name.endswith(ENDING) and not file.name.startswith(".")
            }
            return found | {file.name: file for file in other_files(self._folder)}
        except OSError as error:
            raise StorageError(
                say(
                    "The folder of word packs {folder} cannot be read ({strerror}).",
                    folder=self._folder,
                    strerror=system_says(error),
                )
            ) from None

    def _content(self, name: str) -> bytes:
        own = self._own()
        if name not in own:
            raise InputError(say("There is no word pack {name} any more.", name=repr(name)))
        try:
            content = read_small_file(own[name], MAX_BYTES)
        except OSError as error:
            raise StorageError(
                say(
                    "The word pack {name} cannot be read ({strerror}).",
                    name=name,
                    strerror=system_says(error),
                )
            ) from None
        if len(content) > MAX_BYTES:
            raise InputError(
                say(
                    "The word pack {name} has more than {most_bytes} bytes; make two packs of it.",
                    name=name,
                    most_bytes=f"{MAX_BYTES:,}",
                )
            )
        return content

    def _pack(self, text: str) -> Pack | tuple[Fault, ...]:
        if len(text.encode()) > MAX_BYTES:
            line = text.encode()[:MAX_BYTES].count(b"\n") + 1
            what = say(
                "here the text goes beyond {most_bytes} bytes, the most that a pack may "
                "have; make two packs of it.",
                most_bytes=f"{MAX_BYTES:,}",
            )
            return (Fault("", line, what),)
        least = 0 if _name_in_head(text).startswith(GROWING) else CELL_COUNT
        found = check_pack(text, least)
        if not isinstance(found, Pack):
            return found
        heads = (each.lstrip() for each in text.split("\n"))
        line = next((n for n, each in enumerate(heads, 1) if each.startswith("name")), 1)
        if found.name not in self._own() and not _NAME.fullmatch(found.name):
            what = say(
                "a pack that is kept here has a name of small letters, digits and hyphens, 40 at "
                "most; choose such a name."
            )
            return (Fault("", line, what),)
        taken = pack_files.fault_of_shipped_name(found.name)
        if taken is not None:
            return (Fault("", line, taken),)
        return found

    def _refuse_usual(self, name: str) -> None:
        if name == pack_files.resolve_name(self._usual, self._own()):
            raise InputError(
                say(
                    "The configuration names the word pack {name} as the usual one ([table] "
                    "pack), and the table would not start without it: change that first.",
                    name=name,
                )
            )


def _name_in_head(text: str) -> str:
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        if colon and key.strip() == "name":
            return value.strip()
    return ""


def _complaints(lines: Iterable[Line], lang: Lang) -> tuple[Complaint, ...]:
    return tuple(Complaint(number, translate(what, lang)) for number, what in lines)


def _list_entry(pack: Pack, own: bool, few: bool) -> ListedPack:
    adults = pack.audience is Audience.ADULTS
    return ListedPack(pack.name, pack.title, pack.language, adults, own, len(pack.words), few)


def _shared_words(pack: Pack, others: Iterable[Pack]) -> Iterable[tuple[str, int]]:
    there = Words(pack.language, pack.words)
    for other in others:
        if other.language == pack.language and other.name != pack.name:
            alike = sum(there.like(word) is not None for word in other.words)
            if alike:
                yield other.title, alike


def _not_written(folder: Path, error: OSError) -> StorageError:
    return StorageError(
        say(
            "The folder of word packs {folder} cannot be written ({strerror}): check that there "
            "is room, and that it belongs to the table.",
            folder=folder,
            strerror=system_says(error),
        )
    )

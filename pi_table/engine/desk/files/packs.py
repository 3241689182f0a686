"""The word packs of a house: looked at, checked line by line, kept whole, and taken away."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from pi_table.errors import InputError, StorageError
from pi_table.geometry import CELL_COUNT
from pi_table.small_file import read_small_file
from pi_table.whole_file import remove, write_whole
from pi_table.words import pack as pack_files
from pi_table.words.kinship import kinship
from pi_table.words.pack import GROWING, MOST_BYTES, Audience, Fault, Pack, checked, packs, text_of
from pi_table.words.word import Words

MOST_PACKS: Final = 60
"""How many packs of its own a house keeps."""
MODE: Final = 0o644
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
"""What a pack may be called that is kept from the desk: the name of a file, and nothing else."""


class ListedPack(msgspec.Struct, frozen=True):
    """A pack, as the desk lists it."""

    name: str
    title: str
    language: str
    adults: bool
    own: bool
    """Is it the house's own? Then it can be changed and taken away."""
    words: int
    few: bool = False
    """Has it too few words to be dealt as yet?"""
    faults: int = 0
    """How much is wrong with it: such a pack is left out."""


class Complaint(msgspec.Struct, frozen=True):
    """What is wrong with a pack; ``line`` counts from 1, None where it is no single line."""

    line: int | None
    what: str


class Checked(msgspec.Struct, frozen=True):
    """What came of checking a text."""

    ok: bool
    complaints: tuple[Complaint, ...] = ()
    name: str = ""
    title: str = ""
    words: int = 0
    many: int = 0
    """How many of the words have two senses or more."""
    kin: tuple[tuple[str, str], ...] = ()
    """Some pairs of words that are kin, and so never lie together."""
    shared: tuple[tuple[str, int], ...] = ()
    """The packs of the same language that have some of the words, too, and how many."""


class Opened(msgspec.Struct, frozen=True):
    """The text of a pack."""

    name: str
    own: bool
    text: str


class PackFolder:
    """The packs that come with the table, and those in a folder of the house's."""

    def __init__(self, folder: Path | None, usual: str = "") -> None:
        """``usual`` is the pack that the configuration names, which the table cannot do without."""
        self._folder = folder
        self._usual = usual

    def found(self) -> pack_files.Packs:
        """All packs, read anew."""
        there = self._folder is not None and self._folder.is_dir()
        return packs(self._folder if there else None)

    def listed(self) -> tuple[ListedPack, ...]:
        """All packs, those of the house first; also those that are left out."""
        found = self.found()
        own = self._own()
        listed = [
            _listed(pack, pack.name in own, few)
            for some, few in ((found.packs, False), (found.growing, True))
            for pack in some
        ]
        counts: dict[str, int] = {}
        for fault in found.faults:
            name = fault.file.removesuffix(".txt")
            counts[name] = counts.get(name, 0) + 1
        listed += [
            ListedPack(name, name, "", False, True, 0, faults=count)
            for name, count in counts.items()
            if name in own
        ]
        return tuple(sorted(listed, key=lambda pack: (not pack.own, pack.name)))

    def opened(self, name: str) -> Opened:
        """The text of a pack, one that is left out too. Raises InputError and StorageError."""
        own = self._own()
        if name in own:
            try:
                text = read_small_file(own[name], MOST_BYTES).decode("utf-8-sig", "replace")
            except OSError as error:
                raise StorageError(
                    f"The word pack {name} cannot be read ({error.strerror})."
                ) from None
            return Opened(name, own=True, text=text)
        for pack in self.found().packs:
            if pack.name == name:
                return Opened(name, own=False, text=text_of(pack))
        raise InputError(f"There is no word pack {name!r} any more.")

    def checked(self, text: str) -> Checked:
        """What is wrong with the text of a pack, line by line; or else what is in it."""
        found = self._pack(text)
        if not isinstance(found, Pack):
            return Checked(False, tuple(Complaint(each.line, each.what) for each in found))
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
            shared=tuple(_shared(found, self.found().packs)),
        )

    def save(self, text: str, was: str | None) -> Checked:
        """Keep a pack, whole or not at all; ``was`` is what it was called that is changed, None for
        a new one. Raises InputError where it cannot be kept, and StorageError."""
        found = self._pack(text)
        if not isinstance(found, Pack):
            return self.checked(text)
        folder, own = self._folder, self._own()
        if folder is None:
            raise _no_folder()
        if found.name != was and found.name.casefold() in {name.casefold() for name in own}:
            raise InputError(
                f"There is a word pack {found.name} already: give this one another name."
            )
        if was not in own and len(own) >= MOST_PACKS:
            raise InputError(
                f"The house has {MOST_PACKS} packs of its own, and keeps no more: take one away."
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
        return self.checked(text)

    def remove(self, name: str) -> None:
        """Take a pack of the house's away. Raises InputError and StorageError."""
        own = self._own()
        if name not in own:
            raise InputError(f"There is no word pack {name!r} of the house’s own.")
        self._refuse_usual(name)
        try:
            remove(own[name])
        except OSError as error:
            raise _not_written(own[name].parent, error) from None

    def _own(self) -> dict[str, Path]:
        """The files in the house's folder, by the names of their packs."""
        if self._folder is None or not self._folder.is_dir():
            return {}
        try:
            return {
                file.name.removesuffix(".txt"): file
                for file in self._folder.iterdir()
                if file.name.endswith(".txt") and not file.name.startswith(".")
            }
        except OSError as error:
            raise StorageError(
                f"The folder of word packs {self._folder} cannot be read ({error.strerror})."
            ) from None

    def _pack(self, text: str) -> Pack | tuple[Fault, ...]:
        if len(text.encode()) > MOST_BYTES:
            line = text.encode()[:MOST_BYTES].count(b"\n") + 1
            what = (
                f"here the text goes beyond {MOST_BYTES:,} bytes, the most that a pack may have; "
                "make two packs of it."
            )
            return (Fault("", line, what),)
        least = 0 if _named(text).startswith(GROWING) else CELL_COUNT
        found = checked(text, least)
        if not isinstance(found, Pack):
            return found
        heads = (each.lstrip() for each in text.split("\n"))
        line = next((n for n, each in enumerate(heads, 1) if each.startswith("name")), 1)
        if found.name not in self._own() and not _NAME.fullmatch(found.name):
            what = (
                "a pack that is kept here has a name of small letters, digits and hyphens, 40 at "
                "most; write such a one."
            )
            return (Fault("", line, what),)
        if found.name.casefold() in {each.casefold() for each in pack_files.shipped_names()}:
            what = "a pack that comes with the table has this name; write another one."
            return (Fault("", line, what),)
        return found

    def _refuse_usual(self, name: str) -> None:
        if name == self._usual:
            raise InputError(
                f"The configuration names the word pack {name} as the usual one ([table] pack), "
                "and the table would not start without it: change that first."
            )


def _named(text: str) -> str:
    """The name that the head of a pack says; empty where it says none."""
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        if colon and key.strip() == "name":
            return value.strip()
    return ""


def _listed(pack: Pack, own: bool, few: bool) -> ListedPack:
    adults = pack.audience is Audience.ADULTS
    return ListedPack(pack.name, pack.title, pack.language, adults, own, len(pack.words), few)


def _shared(pack: Pack, others: Iterable[Pack]) -> Iterable[tuple[str, int]]:
    """The other packs of its language, and how many words of this one each has."""
    there = Words(pack.language, pack.words)
    for other in others:
        if other.language == pack.language and other.name != pack.name:
            alike = sum(there.like(word) is not None for word in other.words)
            if alike:
                yield other.title, alike


def _no_folder() -> InputError:
    return InputError(
        "This table has no folder for word packs: name one in the configuration, under [table] "
        "packs."
    )


def _not_written(folder: Path, error: OSError) -> StorageError:
    return StorageError(
        f"The folder of word packs {folder} cannot be written ({error.strerror}): see that there "
        "is room, and that it belongs to the table."
    )

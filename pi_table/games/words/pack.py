"""Word packs: text files of words to deal, with a header that describes them.

The header has ``key: value`` lines, and ends at an empty line. Each line below has one word. A line
that begins with ``#`` is a comment::

    name: kitchen
    title: Our kitchen
    language: en
    audience: everybody
    source: the cook
    licence: MIT

    APRON
    BREAD KNIFE
    OMELETTE = OMELET

The file has the name of its pack: ``kitchen.txt``. Words are always shown in capitals, and may have
spaces in them. An English word may have two spellings, the British one first. Some packs are
shipped with the program. The operator's own packs are in another folder, and must not have the name
of a shipped pack.
"""

from collections.abc import Collection
from enum import StrEnum
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.decoding import EncodingError, decode_text
from pi_table.common.errors import InputError
from pi_table.common.files import read_small_file
from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import did_you_mean, join_texts, say, system_says
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.pack_text import GROWING, parse
from pi_table.games.words.shape import BETWEEN

MAX_BYTES: Final = 256 * 1024
"""Maximum size in bytes of a file that is read as a pack: room for 20,000 words."""
FOR_THIS_TABLE: Final = "none; for this table alone"
"""The ``licence`` of a pack whose words may only be used at this table."""
ENDING: Final = ".txt"
"""Ending of the name of a pack's file, in lower case."""
_NOTES: Final = (".md", "~")
"""A file in a folder of packs is ignored if its name has one of these endings: those of notes, and
of editors' backups."""
_ALIASES: Final = {
    **dict.fromkeys(("en", "eng", "inglese"), "english"),
    **dict.fromkeys(("it", "ita", "italian"), "italiano"),
}
"""Other names of shipped packs, such as the codes and names of their languages."""


class Audience(StrEnum):
    """The people to whom a pack may be offered."""

    EVERYBODY = "everybody"
    ADULTS = "adults"


class Pack(msgspec.Struct, frozen=True):
    """Words to deal, and the header that describes them."""

    name: str
    title: str
    """The title shown to people, in the pack's own language."""
    language: str
    """Code of the language of the words: one of `number.LANGUAGES`."""
    audience: Audience
    source: str
    licence: str
    words: tuple[str, ...]
    """The words in the order of the file: in capitals, no two alike. There are at least 25. Only a
    pack of guests' words may have fewer."""
    twins: dict[str, str] = {}
    """The second spelling of each word that has two spellings. It is like no other word of the
    pack."""


class Fault(msgspec.Struct, frozen=True):
    """One reason why a file is not a valid pack."""

    file: str
    line: int | None
    """Number of the line, from 1. None if the fault does not belong to a single line."""
    what: str
    is_list: bool = False
    """True if ``plain_list`` can read the file as a list, although it is not a valid pack."""

    def __str__(self) -> str:
        if self.line is None:
            return say("{file}: {what}", file=self.file, what=self.what)
        return say("{file}, line {line}: {what}", file=self.file, line=self.line, what=self.what)


class Packs(msgspec.Struct, frozen=True):
    """All packs that were found, sorted by name, and the faults of invalid ones."""

    packs: tuple[Pack, ...]
    """The packs with enough words for a deal."""
    growing: tuple[Pack, ...]
    """The packs of guests' words that do not have enough words for a deal yet."""
    faults: tuple[Fault, ...]


def packs(folder: Path | None = None, *, compare: bool = True) -> Packs:
    """Return the shipped packs, the packs of the operator's ``folder``, and the faults of both.

    Without ``compare``, the words of the operator's packs are assumed to be valid, which is faster.
    """
    shipped, own = _files_of_shipped(), dict[str, Traversable]()
    found: list[Pack] = []
    faults: list[Fault] = []
    if folder is not None:
        try:
            own = _texts_in(folder)
            faults += [_wrong_name(file.name) for file in other_files(folder)]
        except OSError as error:
            faults.append(_unreadable_folder(folder, error))
    for name in _name_clashes(own, shipped):
        faults.append(_name_taken(own.pop(name)))
    for name, file in sorted((shipped | own).items()):
        least = 0 if name.startswith(GROWING) else CELL_COUNT
        # Comparing 2,000 words takes 40 ms, so only tests compare the words of shipped packs.
        pack = check_pack(file, least, compare=compare and name in own)
        if isinstance(pack, Pack):
            found.append(pack)
        else:
            faults += pack
    return Packs(
        packs=tuple(pack for pack in found if len(pack.words) >= CELL_COUNT),
        growing=tuple(pack for pack in found if len(pack.words) < CELL_COUNT),
        faults=tuple(faults),
    )


def pack_named(name: str, folder: Path | None = None) -> Pack:
    """Return the pack with this name, a shipped one or one in the operator's ``folder``.

    Raises InputError if no pack has the name, if two packs have it, or if the pack cannot be used.
    """
    shipped, own = _files_of_shipped(), _own(folder)
    known = shipped | own
    name = resolve_name(name, known)
    for taken in _name_clashes(own, shipped):
        if taken.casefold() == name.casefold():
            raise InputError(str(_name_taken(own[taken])))
    if name not in known:
        raise InputError(
            say(
                "There is no word pack {name}; {did_you_mean}",
                name=repr(name),
                did_you_mean=did_you_mean(name, sorted(known)),
            )
        )
    return read_pack(known[name])


def resolve_name(name: str, known: Collection[str]) -> str:
    """Return the name in ``known`` that is meant by ``name``, or ``name`` itself if there is none.

    ``name`` may also be a shipped pack's language, in English or Italian (``italian`` for
    ``italiano``). Capitals make no difference, and spaces may replace hyphens (``After dark``).
    """
    key = name.casefold().replace(" ", "-")
    return next((each for each in (name, key, _ALIASES.get(key)) if each in known), None) or name


def shipped_names() -> tuple[str, ...]:
    """Return the sorted names of the shipped packs. The operator's packs must have other names."""
    return tuple(sorted(_files_of_shipped()))


def fault_of_shipped_name(name: str) -> str | None:
    """Return why a new pack cannot have this name, because a shipped pack has it; else None."""
    if name.casefold() not in {each.casefold() for each in shipped_names()}:
        return None
    return say("a pack that comes with the table has this name; write another one.")


def fault_of_name_of(file: Path) -> Fault | None:
    """Return a fault if tables ignore this pack file because a shipped pack has its name; else
    None. A shipped pack's own file has no fault."""
    shipped = _files_of_shipped()
    if not file.name.endswith(ENDING) or file.resolve() in shipped.values():
        return None
    clashes = _name_clashes([file.name.removesuffix(ENDING)], shipped)
    return _name_taken(file) if clashes else None


def read_pack(source: Traversable | str, least: int = CELL_COUNT) -> Pack:
    """Return the pack in ``source``, which is a file or, as a string, the text itself.

    Raises InputError if the file cannot be read or the pack has faults. The message has one line
    for each fault, with the number of the faulty line. Fewer words than ``least`` are a fault.
    """
    found = check_pack(source, least)
    if isinstance(found, Pack):
        return found
    raise InputError(join_texts("\n", map(str, found)))


def check_pack(
    source: Traversable | str, least: int = CELL_COUNT, *, compare: bool = True
) -> Pack | tuple[Fault, ...]:
    """Return the pack, as ``read_pack`` does, or its faults instead of an error.

    Without ``compare``, the words are assumed to be valid, which is faster.
    """
    if isinstance(source, str):
        return _parse(source, say("The word pack"), None, least, compare)
    text = _text(source)
    if isinstance(text, Fault):
        return (text,)
    name = source.name.removesuffix(ENDING)
    if name != source.name:
        return _parse(text, source.name, name, least, compare)
    found = _parse(text, source.name, None, least, compare)
    if isinstance(found, Pack):
        return (_wrong_name(source.name),)
    return found if found[0].is_list else (_wrong_name(source.name), *found)


def fault_of_file(file: Path) -> str | None:
    """Return why a file cannot be read as text, or None. Faults of the pack in it do not count."""
    text = _text(file)
    return text.what if isinstance(text, Fault) else None


def spelt(pack: Pack, *, american: bool) -> Pack:
    """Return a pack in American or British spelling. The given pack must be in British spelling."""
    if not american or not pack.twins:
        return pack
    return replace(
        pack,
        words=tuple(pack.twins.get(word, word) for word in pack.words),
        twins={other: word for word, other in pack.twins.items()},
    )


def text_of(pack: Pack) -> str:
    """Return the text of a pack, in the form that ``read_pack`` reads."""
    head = (f"{key}: {getattr(pack, key)}" for key in HEAD_KEYS)
    lines = (
        f"{word}{BETWEEN}{pack.twins[word]}" if word in pack.twins else word for word in pack.words
    )
    return "\n".join((*head, "", *lines, ""))


HEAD_KEYS: Final = tuple(
    field for field in Pack.__struct_fields__ if field not in ("words", "twins")
)
"""The keys of a pack's header, in their usual order."""
_CHOICES: Final = {"language": LANGUAGES, "audience": tuple(each.value for each in Audience)}


def _parse(
    text: str, file: str, name: str | None, least: int, compare: bool
) -> Pack | tuple[Fault, ...]:
    """Return the pack in a text, or its faults. If ``name`` is not None, the pack must have this
    name."""
    keys = {key: _CHOICES.get(key) for key in HEAD_KEYS}
    found = parse(text, keys, name, least, compare=compare)
    if found.faults:
        return tuple(Fault(file, line, what, found.is_list) for line, what in found.faults)
    return msgspec.convert({**found.head, "words": found.words, "twins": found.twins}, Pack)


def _files_of_shipped() -> dict[str, Traversable]:
    return _texts_in(files("pi_table.games.words") / "packs")


def _own(folder: Path | None) -> dict[str, Traversable]:
    """Return the operator's pack files by name. Raises InputError if the folder cannot be read."""
    if folder is None:
        return {}
    try:
        return _texts_in(folder)
    except OSError as error:
        raise InputError(str(_unreadable_folder(folder, error))) from error


def _texts_in(folder: Traversable) -> dict[str, Traversable]:
    return {
        file.name.removesuffix(ENDING): file
        for file in folder.iterdir()
        if file.name.endswith(ENDING) and not file.name.startswith(".")
    }


def other_files(folder: Path) -> list[Path]:
    """Return, sorted, the files in a folder that are ignored because they are not named like packs.

    Hidden files, notes (``.md``) and editors' backups are not included. Raises OSError.
    """
    return sorted(
        file
        for file in folder.iterdir()
        if not file.name.startswith(".")
        and not file.name.endswith((ENDING, *_NOTES))
        and file.is_file()
    )


def _name_clashes(own: Collection[str], shipped: Collection[str]) -> list[str]:
    """Return the names of the operator's packs that shipped packs also have, ignoring upper and
    lower case."""
    folded = {name.casefold() for name in shipped}
    return sorted(name for name in own if name.casefold() in folded)


def _name_taken(file: Traversable) -> Fault:
    what = say(
        "a pack that comes with the table has this name; rename the file and the pack in it."
    )
    return Fault(file.name, None, what)


def _wrong_name(file: str) -> Fault:
    name = f"{Path(file).stem.lower()}{ENDING}"
    what = say(
        "no table reads it, because the name of a pack's file ends in '{ending}'; call it {name}.",
        ending=ENDING,
        name=repr(name),
    )
    return Fault(file, None, what)


def _text(source: Traversable) -> str | Fault:
    """Return the text of a pack's file, or the fault that makes it unreadable."""
    try:
        content = _content(source)
        if len(content) > MAX_BYTES:
            return _too_large(source.name, content)
        return decode_text(content, source.name)
    except EncodingError as error:
        return Fault(source.name, error.line, error.what, is_list=True)
    except OSError as error:
        return _unreadable(source.name, error)


def _content(source: Traversable) -> bytes:
    """Return the bytes of a file; if it is too large, only the first bytes. Raises OSError."""
    if isinstance(source, Path):
        return read_small_file(source, MAX_BYTES)
    return source.read_bytes()


def _too_large(file: str, content: bytes) -> Fault:
    line = content.count(b"\n", 0, MAX_BYTES) + 1
    what = say(
        "here the file goes beyond {most_bytes} bytes, the most that a pack may have; make "
        "two packs of it.",
        most_bytes=f"{MAX_BYTES:,}",
    )
    return Fault(file, line, what)


def _unreadable(file: str, error: OSError) -> Fault:
    what = say(
        "it cannot be read ({strerror}); check that it is there and may be read.",
        strerror=system_says(error),
    )
    return Fault(file, None, what)


def _unreadable_folder(folder: Path, error: OSError) -> Fault:
    what = say(
        "the folder of word packs cannot be read ({strerror}); make it, or correct its name in "
        "the settings.",
        strerror=system_says(error),
    )
    return Fault(str(folder), None, what)

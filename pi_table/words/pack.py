"""Word packs: text files of words to deal, with a head that says what they are.

A head of ``key: value`` lines, an empty line, then one word a line; a line that begins with ``#``
is a comment::

    name: kitchen
    title: Our kitchen
    language: en
    audience: everybody
    source: the cook
    licence: MIT

    APRON
    BREAD KNIFE

The file is called after the name of its pack: ``kitchen.txt``. Words are shown in capitals, however
they are written, and may have spaces in them.
"""

import unicodedata
from enum import StrEnum
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import dropwhile
from pathlib import Path
from typing import Final

import msgspec

from pi_table.errors import InputError, did_you_mean
from pi_table.geometry import CELL_COUNT

LONGEST_WORD: Final = 14
"""The most characters that fit on a cell, spaces included."""


class Audience(StrEnum):
    """Whom a pack may be offered to."""

    EVERYBODY = "everybody"
    ADULTS = "adults"


class Pack(msgspec.Struct, frozen=True):
    """Words to deal: 25 or more, in capitals, no two alike, in the order of the file."""

    name: str
    title: str
    language: str
    audience: Audience
    source: str
    licence: str
    words: tuple[str, ...]


_HEAD_KEYS: Final = tuple(field for field in Pack.__struct_fields__ if field != "words")
_AUDIENCES: Final = tuple(audience.value for audience in Audience)

_Line = tuple[int, str]  # its number from 1, and its text, or what is wrong with it


def read_pack(source: Traversable | str) -> Pack:
    """The pack in a file (a Path will do), or, if ``source`` is a string, in this very text.

    Raises InputError if the file cannot be read, or with every fault of the pack at once, one on
    a line of the message, each with the number of its line in the pack.
    """
    if isinstance(source, str):
        return _parsed(source, "The word pack")
    try:
        text = source.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"The word pack {source} cannot be read ({error.strerror}); "
            "check that it is there and may be read."
        ) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{source.name}, line {line}: this is not UTF-8 text; save the file as UTF-8."
        ) from error
    return _parsed(text, source.name, name=source.name.removesuffix(".txt"))


def pack_named(name: str, folder: Path | None = None) -> Pack:
    """The pack of this name, from the operator's ``folder`` if it is there, or else a shipped one.

    Raises InputError if there is none, or if it cannot be used.
    """
    known = _pack_files(folder)
    if name not in known:
        raise InputError(f"There is no word pack {name!r}; {did_you_mean(name, sorted(known))}")
    return read_pack(known[name])


def packs_available(folder: Path | None = None) -> tuple[str, ...]:
    """The names that ``pack_named`` knows, in alphabetical order; the packs are not read."""
    return tuple(sorted(_pack_files(folder)))


def _folded(word: str) -> str:
    """What is left of a word without case and spaces."""
    return unicodedata.normalize("NFC", "".join(word.casefold().split()))


def _without_accents(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _pack_files(folder: Path | None) -> dict[str, Traversable]:
    """The file of every pack by the pack's name."""
    found = _texts_in(files("pi_table.words") / "packs")
    if folder is not None:
        try:
            found |= _texts_in(folder)
        except OSError as error:
            raise InputError(
                f"The folder of word packs {folder} cannot be read ({error.strerror}); "
                "make it, or mend its name in the settings."
            ) from error
    return found


def _texts_in(folder: Traversable) -> dict[str, Traversable]:
    return {
        file.name.removesuffix(".txt"): file
        for file in folder.iterdir()
        if file.name.endswith(".txt") and not file.name.startswith(".")
    }


def _parsed(text: str, title: str, name: str | None = None) -> Pack:
    """The pack in a text that errors call ``title``; it must bear the ``name``, if one is given."""
    faults: list[_Line] = []
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.rstrip().split("\n"), start=1)
        if not line.lstrip().startswith("#")
    ]
    for number, line in lines:
        # Invisible characters make words that look alike, and cells that look broken.
        if unseen := [sign for sign in line if unicodedata.category(sign).startswith("C")]:
            signs = ", ".join(f"U+{ord(sign):04X}" for sign in unseen)
            faults.append((number, f"{line!r} has control characters ({signs}); remove them."))

    head_lines, word_lines = _split(lines, faults)
    head = _head(head_lines, name, faults)
    words = _words(word_lines, faults)
    if len(words) < CELL_COUNT:
        end = lines[-1][0] if lines else 1
        few = f"the pack needs {CELL_COUNT} different words and has {len(words)}; add some."
        faults.append((end, few))
    if faults:
        faults.sort(key=lambda fault: fault[0])
        raise InputError("\n".join(f"{title}, line {line}: {what}" for line, what in faults))
    return msgspec.convert({**head, "words": words}, Pack)


def _split(lines: list[_Line], faults: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """The lines of the head, and those of the words."""
    lines = list(dropwhile(lambda line: not line[1], lines))
    for end, (_, line) in enumerate(lines):
        if not line:
            return lines[:end], lines[end + 1 :]
    for end, (number, line) in enumerate(lines):
        if ":" not in line:
            faults.append((number, f"put an empty line between the head and {line!r}."))
            return lines[:end], lines[end:]
    return lines, []


def _head(lines: list[_Line], name: str | None, faults: list[_Line]) -> dict[str, str]:
    head: dict[str, str] = {}
    for number, line in lines:
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            faults.append((number, f"{line!r} is no head line; write 'key: value'."))
        elif key not in _HEAD_KEYS:
            faults.append((number, f"unknown key {key!r}; {did_you_mean(key, _HEAD_KEYS)}"))
        elif key in head:
            faults.append((number, f"{key!r} is in the head already; remove one of the two."))
        elif not value:
            faults.append((number, f"{key!r} says nothing; write '{key}: …'."))
        elif key == "name" and name not in (None, value):
            faults.append((number, f"the name {value!r} is not the file's; write {name!r}."))
        elif key == "audience" and value not in _AUDIENCES:
            faults.append(
                (number, f"unknown audience {value!r}; {did_you_mean(value, _AUDIENCES)}")
            )
        head.setdefault(key, value)
    end = lines[-1][0] if lines else 1
    faults += [
        (end, f"the head has no {key!r}; add a line '{key}: …'.")
        for key in _HEAD_KEYS
        if key not in head
    ]
    return head


def _words(lines: list[_Line], faults: list[_Line]) -> tuple[str, ...]:
    seen: dict[str, tuple[int, str]] = {}  # what tells words apart → where it stands, the word
    for number, line in lines:
        word = unicodedata.normalize("NFC", " ".join(line.split()).upper())
        apart = _without_accents(_folded(word))
        if not word:
            faults.append((number, "there is no word; write one, or remove the line."))
            continue
        if apart in seen:
            first, other = seen[apart]
            faults.append(
                (number, f"{word!r} is {other!r} of line {first} again; remove one of the two.")
            )
        if len(word) > LONGEST_WORD:
            faults.append(
                (
                    number,
                    f"{word!r} has {len(word)} characters and a cell takes {LONGEST_WORD}; "
                    "choose a shorter word.",
                )
            )
        seen.setdefault(apart, (number, word))
    return tuple(word for _, word in seen.values())

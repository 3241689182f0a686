"""``pi-table words``: show word packs, check your own packs, and make packs from lists."""

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from shlex import quote
from typing import TextIO

import msgspec
from msgspec.structs import replace

from pi_table.common.decoding import Reading, readings
from pi_table.common.errors import InputError
from pi_table.common.files import read_small_file, write_whole
from pi_table.common.geometry import CELL_COUNT
from pi_table.common.language import did_you_mean, for_reader, join_texts, say, system_says, to_json
from pi_table.games.words.number import LANGUAGES
from pi_table.games.words.pack import (
    ENDING,
    MAX_BYTES,
    Audience,
    Fault,
    Pack,
    check_pack,
    fault_of_name_of,
    fault_of_shipped_name,
    pack_named,
    packs,
    shipped_names,
    spelt,
    text_of,
)
from pi_table.games.words.plain_list import How, Understood, as_pack, name_for, read_list
from pi_table.games.words.report import Knows, figures, tell


def _tell(out: TextIO, text: str) -> None:
    print(for_reader(text), file=out)


def check(files: Sequence[Path], out: TextIO) -> int:
    """Print the faults of each file, line by line; return 1 if there are any faults, else 0."""
    status = 0
    for file in files:
        found, taken = check_pack(file), fault_of_name_of(file)
        if taken is not None:
            found = (taken,) if isinstance(found, Pack) else (taken, *found)
        if isinstance(found, Pack):
            _tell(out, say("{file} is in order: {len} words.", file=file, len=len(found.words)))
            continue
        status = 1
        for fault in found:
            _tell(out, str(replace(fault, file=str(file))))
        if any(fault.is_list for fault in found):
            advice = say(
                "To make a pack from such a list: pi-table words import {quote}",
                quote=quote(str(file)),
            )
            _tell(out, advice)
    return status


class Wanted(msgspec.Struct, frozen=True):
    """The options for making a pack from a list. None means that an option was not given."""

    language: str | None = None
    name: str | None = None
    title: str | None = None
    audience: Audience = Audience.EVERYBODY
    encoding: str | None = None
    how: How = How()


Ask = Callable[[str], str]
"""A function that asks the person at the terminal a question and returns the answer."""


def import_list(file: Path, wanted: Wanted, folder: Path, ask: Ask | None, out: TextIO) -> int:
    """Make a pack from the list in ``file``, and write the pack into ``folder``.

    The list may have nearly any form; the function prints how it read the list. Returns 0, or 1 if
    the list has too few words for a pack: in this case nothing is written. ``ask`` is used to ask
    for a missing language and name. Raises InputError if a file cannot be read or written, if a
    required option is missing, and if a shipped pack has the name.
    """
    reading = _choose_reading(file, wanted.encoding)
    understood = read_list(reading.text, wanted.language or "", wanted.how)
    if reading.encoding != "utf-8":
        _tell(out, say("{file} was read as {label} text.", file=file, label=reading.label()))
    language = wanted.language or understood.head.get("language")
    told: tuple[str, ...] = ()
    if language is None:
        told = understood.said
        _tell_said(file, told, out)
        language = _ask_language(ask)
    if language not in LANGUAGES:
        near = did_you_mean(language, LANGUAGES)
        raise InputError(
            say("There are no packs in {language}; {near}", language=repr(language), near=near)
        )
    understood = read_list(reading.text, language, wanted.how)
    if understood.said != told:
        _tell_said(file, understood.said, out)
    title = wanted.title or understood.head.get("title") or wanted.name or file.stem
    name = wanted.name or _name(understood, file, ask)
    for number, what in understood.doubts:
        _tell(out, say("{file}, line {number}: {what}", file=file, number=number, what=what))
    for number, what in understood.left_out:
        _tell(
            out, say("{file}, line {number}, left out: {what}", file=file, number=number, what=what)
        )
    count = len(understood.words)
    if count < CELL_COUNT:
        few = say(
            "A pack needs {cell_count} words, and here are only {count}: nothing is written.",
            cell_count=CELL_COUNT,
            count=count,
        )
        _tell(out, few)
        return 1
    text = as_pack(understood, name, title, language, wanted.audience, file.name)
    found = check_pack(text)
    if not isinstance(found, Pack):
        raise InputError(join_texts("\n", map(str, found)))
    path = folder / f"{name}{ENDING}"
    taken = fault_of_shipped_name(name)
    if taken is not None:
        raise InputError(str(Fault(path.name, None, taken)))
    _write_new(path, text)
    _tell(out, say("{path} is a pack of {count} words now.", path=path, count=count))
    return 0


def _choose_reading(file: Path, encoding: str | None) -> Reading:
    """Return the text of a file, decoded from UTF-8, UTF-16 or the given ``encoding``.

    Raises InputError if the file cannot be read or its encoding is uncertain.
    """
    try:
        data = read_small_file(file, 4 * MAX_BYTES)
    except OSError as error:
        raise InputError(
            say(
                "The list {file} cannot be read ({strerror}): check its path and rights.",
                file=file,
                strerror=system_says(error),
            )
        ) from None
    if len(data) > 4 * MAX_BYTES:
        raise InputError(
            say(
                "The list {file} has more than {it} bytes: make two lists of it.",
                file=file,
                it=f"{4 * MAX_BYTES:,}",
            )
        )
    possible = readings(data, file)
    if possible[0].is_certain() and encoding in (None, possible[0].encoding):
        return possible[0]
    for reading in possible:
        if reading.encoding == encoding:
            return reading
    choices = (
        say(
            "  --encoding {encoding}  {samples}",
            encoding=f"{each.encoding:<10}",
            samples=", ".join(each.samples()),
        )
        for each in possible
    )
    asked = say(
        "{file} is not UTF-8 text; choose the encoding in which its words read right:", file=file
    )
    raise InputError(join_texts("\n", (asked, *choices)))


def _tell_said(file: Path, said: Iterable[str], out: TextIO) -> None:
    for sentence in said:
        _tell(out, say("{file}: {sentence}", file=file, sentence=sentence))


def _ask_language(ask: Ask | None) -> str:
    """Ask for the language of the words. Raises InputError if ``ask`` is None."""
    choices = ", ".join(LANGUAGES)
    if ask is None:
        raise InputError(
            say(
                "Give the language of the words: --language, and one of {choices}.", choices=choices
            )
        )
    return ask(say("In which language are the words ({choices})?", choices=choices))


def _name(understood: Understood, file: Path, ask: Ask | None) -> str:
    """Return the name that the person chooses. The default is the name in the list's header, or the
    name of the file, changed if a shipped pack has it."""
    own = name_for(understood.head.get("name", file.stem), shipped_names())
    return (ask(say("What is the pack called ({own})?", own=own)) if ask is not None else "") or own


def _write_new(path: Path, text: str) -> None:
    """Write a new file. Raises InputError if the file exists or cannot be written."""
    if path.exists():
        raise InputError(
            say("There is a {path} already; choose another --name, or another --folder.", path=path)
        )
    try:
        write_whole(path, [text.encode()], 0o644)
    except OSError as error:
        raise InputError(
            say(
                "{path} cannot be written ({strerror}); choose another --folder.",
                path=path,
                strerror=system_says(error),
            )
        ) from None


def list_packs(folder: Path | None, out: TextIO, err: TextIO) -> int:
    """Print the valid packs on ``out``, and the faults of other packs on ``err``.

    Returns 1 if there are faults, else 0.
    """
    found = packs(folder)
    known = sorted((*found.packs, *found.growing), key=lambda pack: pack.name)
    width = max(len(pack.name) for pack in known)
    for pack in known:
        growing = for_reader(say(" (too few to deal as yet)")) if pack in found.growing else ""
        print(
            f"{pack.name:<{width}}  {pack.language}  {pack.audience.value:<9}  "
            f"{len(pack.words):>5}  {pack.title}{growing}",
            file=out,
        )
    for fault in found.faults:
        _tell(err, str(fault))
    return 1 if found.faults else 0


def show(name: str, folder: Path | None, spelling: str | None, out: TextIO) -> int:
    """Print a pack in the form of its file, without the comments.

    With ``spelling``, each word is printed only in that spelling: American or British. Raises
    InputError if the pack cannot be used.
    """
    pack = pack_named(name, folder)
    if spelling is not None:
        pack = replace(spelt(pack, american=spelling == "american"), twins={})
    out.write(text_of(pack))
    return 0


def report(
    names: Sequence[str],
    folder: Path | None,
    spelling: str,
    deals: int,
    seed: int,
    as_json: bool,
    knows: Knows,
    out: TextIO,
) -> int:
    """Print the statistics of the named packs, or of all valid packs, as text or as JSON Lines.

    Returns 1 if kin (related words) are on the same simulated board, else 0. Raises InputError.
    """
    if deals < 1:
        raise InputError(say("{deals} boards give no result; deal at least one.", deals=deals))
    known = {pack.name: pack for pack in packs(folder).packs}
    wanted = [known.get(name) or pack_named(name, folder) for name in names]
    known |= {pack.name: pack for pack in wanted}
    shelf = [spelt(pack, american=spelling == "american") for pack in known.values()]
    status = 0
    for pack in shelf:
        if names and pack.name not in [each.name for each in wanted]:
            continue
        found = figures(pack, shelf, deals, random.Random(seed), knows)
        if found.deals_with_kin:
            status = 1
        if as_json:
            print(to_json(found).decode(), file=out)
        else:
            tell(found, out)
    return status

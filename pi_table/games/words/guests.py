"""Keep guests' words for later games, in one pack for each language, if the operator allows it.

Such a pack is an ordinary file in the operator's folder of packs, and people may edit it. The file
is always replaced as a whole: after a power cut it has all of the new words or none of them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pi_table.common.errors import InputError, TableError
from pi_table.common.files import write_whole
from pi_table.common.language import say, system_says
from pi_table.games.words.pack import FOR_THIS_TABLE, MAX_BYTES, Audience, Pack, read_pack, text_of
from pi_table.games.words.pack_text import GROWING
from pi_table.games.words.shape import BETWEEN
from pi_table.games.words.word import Words, Wrong, display_form, fault_of

_TITLES: Final = {"en": "Our guests' words", "it": "Le parole degli ospiti"}


class GuestsError(TableError, OSError):
    """The pack of guests' words cannot be read or written."""


def guests_pack(language: str) -> str:
    return GROWING + language


def keep(
    folder: Path, language: str, words: Iterable[str], audience: Audience = Audience.ADULTS
) -> tuple[str, ...]:
    """Add guests' words to their pack in the operator's ``folder``. Return the added words.

    A word that is like a word of the pack is not added. A word with `` = `` is not added either: a
    pack would read it as two spellings. The file's header and comments stay. ``audience`` is only
    used for a new pack: by default adults, because nobody checks guests' words. Two processes must
    not call this at the same time. Raises InputError for an invalid word or a pack with faults, and
    GuestsError for a file error. In these cases the file stays as it was.
    """
    path = (folder / f"{guests_pack(language)}.txt").resolve()
    try:
        if path.exists():
            pack = read_pack(path, least=0)
            text = path.read_bytes().decode().rstrip()
        else:
            pack = _empty(language, audience)
            text = text_of(pack).rstrip()
        new = _new(words, Words(pack.language, (*pack.words, *pack.twins.values())))
        if new:
            # An empty line ends the header of a pack that has no word yet.
            text = "\n".join([text, *([] if pack.words else [""]), *new, ""])
            if len(text.encode()) > MAX_BYTES:
                raise InputError(
                    say(
                        "The guests' words in {path} would be more than {most_bytes} bytes, and "
                        "a larger pack is not read: remove some.",
                        path=path,
                        most_bytes=f"{MAX_BYTES:,}",
                    )
                )
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
            write_whole(path, [text.encode()], mode)
    except OSError as error:
        raise GuestsError(
            say(
                "The guests' words cannot be written to {path} ({strerror}); check the folder of "
                "word packs and the room on the disk.",
                path=path,
                strerror=system_says(error),
            )
        ) from error
    return tuple(new)


def _empty(language: str, audience: Audience) -> Pack:
    return Pack(
        name=guests_pack(language),
        title=_TITLES[language],
        language=language,
        audience=audience,
        source="guests at the table",
        licence=FOR_THIS_TABLE,
        words=(),
    )


def _new(words: Iterable[str], there: Words) -> list[str]:
    """Return the words to add. A word such as ``E = MC2`` is left out, because a pack would read it
    as two spellings of a word."""
    new: list[str] = []
    for word in words:
        fault = fault_of(word, there)
        if fault is None and BETWEEN in f" {display_form(word)} ":
            continue
        if fault is None:
            new.append(display_form(word))
            there.add(new[-1])
        elif fault.why is not Wrong.ALIKE:
            raise InputError(
                say(
                    "The word {word} cannot be kept ({why}); write another.",
                    word=repr(word[:40]),
                    why=fault.why,
                )
            )
    return new

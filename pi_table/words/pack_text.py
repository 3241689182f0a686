"""The text of a word pack, line by line: its head, its words, and everything that is wrong.

However long a text is, and whatever is in it, so many faults are told, in sentences so long.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile
from typing import Final

import msgspec

from pi_table.errors import did_you_mean
from pi_table.lettering import Misfit, misfit
from pi_table.words.word import (
    LONGEST_WORD,
    WordFault,
    Words,
    Wrong,
    fault_of,
    foreign,
    shown,
    unseen,
)

MOST_FAULTS: Final = 100
"""How many faults of one pack are told; what comes after them is not looked at."""
LONGEST_TOLD: Final = 40
"""Characters of a line that a sentence about it repeats."""
MOST_SIGNS: Final = 5
"""How many of the characters that cannot be in a line are named."""

BETWEEN: Final = " = "
"""What stands between the two spellings of a word, the British one before it."""
SPELT_TWICE: Final = "en"
"""The language whose words may have two spellings."""

Line = tuple[int, str]
"""The number of a line, from 1, and its text or what is wrong with it."""

Keys = Mapping[str, Sequence[str] | None]
"""The keys of a head, all of them needed, and the values that each may have; None: any."""


class Parsed(msgspec.Struct, frozen=True):
    """What the text of a pack holds. It is a pack if there are no ``faults``."""

    head: dict[str, str]
    """The keys of the head, with their values."""
    words: tuple[str, ...]
    """The words, in the order of the lines."""
    twins: dict[str, str]
    """For the words with two spellings: the second one."""
    faults: tuple[Line, ...]
    """What is wrong, in the order of the lines."""


def parse(text: str, keys: Keys, name: str | None, least: int, *, compare: bool) -> Parsed:
    """Read the text of a pack that must bear the ``name`` (None: any) and have ``least`` words.

    Without ``compare`` its words are taken to be in order, each with all others.
    """
    faults: list[Line] = []
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.rstrip().split("\n"), start=1)
        if not line.lstrip().startswith("#")
    ]
    head_lines, word_lines = _split(lines, faults)
    head = _head(head_lines, keys, name, faults)
    words: dict[str, str | None]
    if compare:
        words = _words(word_lines, head.get("language", ""), faults)
    else:
        words = dict(_in_order(line) for _, line in word_lines)
    if len(faults) < MOST_FAULTS and len(words) < least:
        end = lines[-1][0] if lines else 1
        few = f"the pack needs {least} different words and has {len(words)}; add some."
        faults.append((end, few))
    faults.sort(key=lambda fault: fault[0])
    if len(faults) >= MOST_FAULTS:
        last = faults[MOST_FAULTS - 1][0]
        more = f"these are {MOST_FAULTS} faults already; mend them, and check the pack again."
        faults[MOST_FAULTS:] = [(last, more)]
    twins = {word: other for word, other in words.items() if other is not None}
    return Parsed(head, tuple(words), twins, tuple(faults))


def _split(lines: list[Line], faults: list[Line]) -> tuple[list[Line], list[Line]]:
    """The lines of the head, and those of the words."""
    lines = _from_the_first_that_says_something(lines)
    for end, (_, line) in enumerate(lines):
        if not line:
            return lines[:end], _from_the_first_that_says_something(lines[end:])
    for end, (number, line) in enumerate(lines):
        if ":" not in line:
            sentence = f"put an empty line between the head and {_quoted(line)}."
            faults.append((number, sentence))
            return lines[:end], lines[end:]
    return lines, []


def _from_the_first_that_says_something(lines: list[Line]) -> list[Line]:
    return list(dropwhile(lambda line: not line[1], lines))


def _head(lines: list[Line], keys: Keys, name: str | None, faults: list[Line]) -> dict[str, str]:
    head: dict[str, str] = {}
    for number, line in lines:
        if len(faults) >= MOST_FAULTS:
            break
        key, colon, value = (part.strip() for part in line.partition(":"))
        choices = keys.get(key)
        if unseen(line):
            faults.append((number, _told_unseen(line)))
        elif not colon:
            faults.append((number, f"{_quoted(line)} is no head line; write 'key: value'."))
        elif key not in keys:
            near = did_you_mean(key[:LONGEST_TOLD], [*keys])
            faults.append((number, f"unknown key {_quoted(key)}; {near}"))
        elif key in head:
            faults.append((number, f"{key!r} is in the head already; remove one of the two."))
        elif not value or (key == "title" and misfit(value) is Misfit.EMPTY):
            faults.append((number, f"{key!r} says nothing; write '{key}: …'."))
        elif key == "name" and name not in (None, value):
            sentence = f"the name {_quoted(value)} is not the file's; write {name!r}."
            faults.append((number, sentence))
        elif key == "title" and foreign(value):
            faults.append((number, _told_foreign(value)))
        elif choices is not None and value not in choices:
            near = did_you_mean(value[:LONGEST_TOLD], [*choices])
            faults.append((number, f"unknown {key} {_quoted(value)}; {near}"))
        head.setdefault(key, value)
    end = lines[-1][0] if lines else 1
    faults += [
        (end, f"the head has no {key!r}; add a line '{key}: …'.") for key in keys if key not in head
    ]
    return head


def _in_order(line: str) -> tuple[str, str | None]:
    """The word of a line without a fault, and its second spelling if it has one."""
    word, between, other = line.partition(BETWEEN)
    return shown(word), shown(other) if between else None


def _words(lines: list[Line], language: str, faults: list[Line]) -> dict[str, str | None]:
    """The words, each with its second spelling if it has one."""
    words = Words(language)
    found: dict[str, str | None] = {}
    stands: dict[str, int] = {}  # each of the words, in each spelling → the number of its line
    for number, line in lines:
        if len(faults) >= MOST_FAULTS:
            break
        # With a space at each end, a spelling that is missing there is told.
        spellings = [text.strip() for text in f" {line} ".split(BETWEEN)]
        if sentence := _fault_of_spellings(spellings, line, language):
            faults.append((number, sentence))
            continue
        faulty = [(fault_of(text, words), text) for text in spellings]
        told = [(fault, text) for fault, text in faulty if fault is not None]
        faults += [(number, _sentence(fault, text, stands)) for fault, text in told]
        if any(fault.why in (Wrong.EMPTY, Wrong.ALIKE) for fault, _ in told):
            continue
        word, *others = map(shown, spellings)
        found[word] = others[0] if others else None
        for each in (word, *others):
            words.add(each)
            stands[each] = number
    return found


def _fault_of_spellings(spellings: Sequence[str], line: str, language: str) -> str | None:
    """What is wrong with the spellings of a line that has several."""
    if len(spellings) == 1:
        return None
    if language not in (SPELT_TWICE, ""):  # the head may be wrong, too, which is told already
        return f"{_quoted(line)} has two spellings, as English words alone may; leave one of them."
    if len(spellings) > 2 or "" in spellings or len({*map(shown, spellings)}) == 1:
        return (
            f"{_quoted(line)} is no word with two spellings; write the British one, ' = ' and the "
            "American one."
        )
    return None


def _sentence(fault: WordFault, line: str, stands: Mapping[str, int]) -> str:
    match fault.why:
        case Wrong.UNSEEN:
            return _told_unseen(line)
        case Wrong.FOREIGN:
            return _told_foreign(line)
        case Wrong.TOO_LONG:
            return (
                f"{_quoted(fault.word)} has {len(fault.word)} characters and a cell takes "
                f"{LONGEST_WORD}; choose a shorter word."
            )
        case Wrong.ALIKE if fault.other is not None:
            return (
                f"{fault.word!r} is {fault.other!r} of line {stands[fault.other]} again; "
                "remove one of the two."
            )
        case _:
            return "there is no word; write one, or remove the line."


def _told_unseen(line: str) -> str:
    signs = (f"U+{ord(sign):04X}" for sign in unseen(line))
    return (
        f"{_quoted(line)} has characters that nobody can read ({_few(signs)}); write it without "
        "them."
    )


def _told_foreign(text: str) -> str:
    signs = (f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".strip() for sign in foreign(text))
    return (
        f"{_quoted(text)} has letters or signs of another script, or others that the table cannot "
        f"show and print ({_few(signs)}); write it without them."
    )


def _few(signs: Iterable[str]) -> str:
    """The first of several names, each once."""
    names = [*dict.fromkeys(signs)]
    return ", ".join([*names[:MOST_SIGNS], *(["…"] if len(names) > MOST_SIGNS else [])])


def _quoted(text: str) -> str:
    """A text as Python writes it, and not all of a long one."""
    return repr(text if len(text) <= LONGEST_TOLD else text[:LONGEST_TOLD] + "…")

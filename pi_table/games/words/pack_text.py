"""Parse the text of a word pack, line by line: its header, its words, and all its faults.

Long texts do no harm: the number of faults and the length of each message are limited.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile
from typing import Final

import msgspec

from pi_table.common.decoding import lost_letter_message
from pi_table.common.language import did_you_mean, say
from pi_table.common.lettering import LOST, Misfit, foreign, misfit, unseen
from pi_table.games.words.shape import (
    BETWEEN,
    Habits,
    Mark,
    NoWord,
    Separator,
    habits_of,
    no_word,
    parts_of,
    repair_encoding,
    separators_in,
    split_markup,
)
from pi_table.games.words.word import (
    MAX_WORD_LENGTH,
    WordFault,
    Words,
    Wrong,
    display_form,
    fault_of,
)

MAX_FAULTS: Final = 100
"""Maximum number of faults reported for one pack; the rest of the text is not checked."""
MAX_QUOTED: Final = 40
"""Maximum number of characters of a line that an error message quotes."""
MAX_SIGNS: Final = 5
"""Maximum number of a line's invalid characters that an error message lists."""

SPELT_TWICE: Final = "en"
"""The only language whose words may have two spellings."""

GROWING: Final = "guests-"
"""Prefix of the names of packs that the table fills by itself with guests' words. Too few words are
not a fault in such a pack, and its words are not searched for list markup."""

Line = tuple[int, str]
"""The number of a line, from 1, with its text or with a message about it."""

Keys = Mapping[str, Sequence[str] | None]
"""The required keys of a pack's header, each with its allowed values. None allows any value."""


class Parsed(msgspec.Struct, frozen=True):
    """The contents of a pack's text. The text is a valid pack if ``faults`` is empty."""

    head: dict[str, str]
    words: tuple[str, ...]
    """The words, in the order of the lines."""
    twins: dict[str, str]
    """The second spelling of each word that has two spellings."""
    faults: tuple[Line, ...]
    """The faults, in the order of the lines."""
    is_list: bool = False
    """True if ``plain_list`` can read the text as a list of words."""


def parse(text: str, keys: Keys, name: str | None, least: int, *, compare: bool) -> Parsed:
    """Parse the text of a pack with this ``name`` (None: any) and at least ``least`` words.

    Without ``compare``, the words are assumed to be valid and all different.
    """
    faults: list[Line] = []
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.rstrip().split("\n"), start=1)
        if not line.lstrip().startswith("#")
    ]
    if compare and (found := _plain_list(lines, keys)):
        return Parsed({}, (), {}, (found,), is_list=True)
    head_lines, word_lines = _split(lines, faults)
    head = _head(head_lines, keys, name, faults)
    words: dict[str, str | None]
    shapes: list[Line] = []
    if compare:
        if not head.get("name", "").startswith(GROWING):
            word_lines = _report_shapes(word_lines, shapes)
        faults += shapes
        words = _words(word_lines, head.get("language", ""), faults)
    else:
        words = dict(_in_order(line) for _, line in word_lines)
    if not shapes and len(faults) < MAX_FAULTS and len(words) < least:
        end = lines[-1][0] if lines else 1
        few = say(
            "the pack needs {least} different words and has {len}; add some.",
            least=least,
            len=len(words),
        )
        faults.append((end, few))
    faults.sort(key=lambda fault: fault[0])
    if len(faults) >= MAX_FAULTS:
        last = faults[MAX_FAULTS - 1][0]
        more = say(
            "these are {most_faults} faults already; correct them, and check the pack again.",
            most_faults=MAX_FAULTS,
        )
        faults[MAX_FAULTS:] = [(last, more)]
    twins = {word: other for word, other in words.items() if other is not None}
    return Parsed(head, tuple(words), twins, tuple(faults), is_list=bool(shapes))


def head_key(line: str, keys: Iterable[str]) -> str | None:
    """Return the key of a header line, in lower case, if it is one of ``keys``; else None."""
    key, colon, _ = line.partition(":")
    key = key.strip().lower()
    return key if colon and key in keys else None


def _plain_list(lines: list[Line], keys: Keys) -> Line | None:
    """Return the fault of a text that has words but not a single header line; else None."""
    said = [(number, line) for number, line in lines if line]
    if not said or any(head_key(line, keys) for _, line in said):
        return None
    what = say(
        "this is a plain list of words without the head of a pack; write above it 'name: …' and "
        "the five other lines of a head."
    )
    return said[0][0], what


def _report_shapes(lines: list[Line], shapes: list[Line]) -> list[Line]:
    """Return the lines with one bare word. For each kind of other line, add one report to
    ``shapes``."""
    habits = habits_of([line for _, line in lines if line])
    bare: list[Line] = []
    found: dict[NoWord | Separator | Mark, list[Line]] = {}
    for number, line in lines:
        kind = _shape_of(line, habits)
        if kind is None:
            bare.append((number, line))
        else:
            found.setdefault(kind, []).append((number, line))
    for kind, those in found.items():
        number, line = those[0]
        more = {1: "", 2: say(" Another line is like it.")}.get(
            len(those), say(" {len} more lines are like it.", len=len(those) - 1)
        )
        shapes.append((number, _shape_message(kind, line, habits) + more))
    return bare


def wrong_shape(line: str) -> str | None:
    """Return a message that says why a line is not one bare word. None if it is one, or if another
    check reports the line."""
    kind = _shape_of(line, Habits())
    return None if kind is None else _shape_message(kind, line, Habits())


def _shape_of(line: str, habits: Habits) -> NoWord | Separator | Mark | None:
    """Return what makes a line different from one bare word; None if there is no difference."""
    if line.isascii() and line.isalpha():  # fast path for nearly all lines: no place for markup
        return None
    if not line or unseen(line.replace("\t", "")):
        return None
    if kind := no_word(line):
        return kind
    if separators := separators_in(line):
        return separators[0]
    marks = split_markup(line, habits).marks
    return marks[0] if marks else None


def _shape_message(kind: NoWord | Separator | Mark, line: str, habits: Habits) -> str:
    it, bare = quote(line), quote(split_markup(line, habits).word)
    match kind:
        case Separator():
            count = len(parts_of(line, kind))
            if kind is Separator.TAB:  # tabs are invisible
                return say(
                    "{it} has {count} words and tabs (U+0009); write one word a line.",
                    it=it,
                    count=count,
                )
            return say(
                "{it} has {count} words, {separated}; write one word a line.",
                it=it,
                count=count,
                separated=SEPARATED[kind],
            )
        case Mark.SPELLINGS:
            return say(
                "{it} may be one word, or two spellings of one; write {bare} for the two.",
                it=it,
                bare=bare,
            )
        case Mark():
            return say(
                "{it} has {besides}; write {bare} alone.", it=it, besides=BESIDES[kind], bare=bare
            )
        case NoWord.COMMENT:
            return say("{it} is a comment of another kind; begin it with '#'.", it=it)
        case NoWord.LOST:
            return lost_letter_message(line)
        case NoWord.TWICE_ENCODED:
            right = quote(repair_encoding(line) or "")
            return say(
                "{it} was saved in the wrong encoding, and is perhaps {right}; type it again.",
                it=it,
                right=right,
            )
        case _:
            return say(
                "{it} is {no_words}; remove it, or write the word alone.",
                it=it,
                no_words=NO_WORDS[kind],
            )


SEPARATED: Final = {
    Separator.LINES: say("one word a line"),
    Separator.TAB: say("separated by tabs"),
    Separator.SEMICOLON: say("separated by semicolons"),
    Separator.BAR: say("separated by bars"),
    Separator.COMMA: say("separated by commas"),
    Separator.DOT: say("separated by dots"),
    Separator.SLASH: say("separated by slashes"),
    Separator.DASH: say("separated by dashes"),
    Separator.COLON: say("separated by colons"),
    Separator.SPACE: say("separated by spaces"),
}
BESIDES: Final = {
    Mark.BULLET: say("the bullet of a list"),
    Mark.NUMBER: say("the number of a list"),
    Mark.COUNT: say("a count behind it"),
    Mark.QUOTES: say("quotation marks around it"),
    Mark.COMMENT: say("a comment behind it"),
    Mark.ENDING: say("a separator at its end"),
    Mark.CODE: say("a sign that is spelt as in HTML"),
    Mark.SPELLINGS: say("two spellings without spaces"),
}
NO_WORDS: Final = {
    NoWord.COMMENT: say("a comment of the list"),
    NoWord.HEADING: say("a heading of the list"),
    NoWord.PROGRAM: say("a line of a web page or a program"),
    NoWord.TWICE_ENCODED: say("a word in the wrong encoding"),
    NoWord.LOST: say("a word that has lost a letter"),
}


def left_out_sentence(text: str, kind: NoWord) -> str:
    """Return a message that says why a text of the list was left out."""
    return say("{quoted} was taken for {no_words}.", quoted=quote(text), no_words=NO_WORDS[kind])


def _split(lines: list[Line], faults: list[Line]) -> tuple[list[Line], list[Line]]:
    lines = _from_the_first_that_says_something(lines)
    for end, (_, line) in enumerate(lines):
        if not line:
            return lines[:end], _from_the_first_that_says_something(lines[end:])
    for end, (number, line) in enumerate(lines):
        if ":" not in line:
            sentence = say("put an empty line between the head and {quoted}.", quoted=quote(line))
            faults.append((number, sentence))
            return lines[:end], lines[end:]
    return lines, []


def _from_the_first_that_says_something(lines: list[Line]) -> list[Line]:
    return list(dropwhile(lambda line: not line[1], lines))


def _head(lines: list[Line], keys: Keys, name: str | None, faults: list[Line]) -> dict[str, str]:
    head: dict[str, str] = {}
    for number, line in lines:
        if len(faults) >= MAX_FAULTS:
            break
        fault = _fault_of_head(line, head, keys, name)
        if fault is not None:
            faults.append((number, fault))
        key, _, value = (part.strip() for part in line.partition(":"))
        head.setdefault(key, value)
    end = lines[-1][0] if lines else 1
    faults += [
        (end, say("the head has no {key}; add a line '{key_2}: …'.", key=repr(key), key_2=key))
        for key in keys
        if key not in head
    ]
    return head


def _fault_of_head(line: str, head: Mapping[str, str], keys: Keys, name: str | None) -> str | None:
    """Return the fault of a header line, or None. ``head`` has the fields of the lines above."""
    key, colon, value = (part.strip() for part in line.partition(":"))
    choices = keys.get(key)
    if unseen(line):
        return _unseen_message(line)
    if LOST in line:
        return lost_letter_message(line)
    if not colon:
        return say("{quote} is not a head line; write 'key: value'.", quote=quote(line))
    if key not in keys:
        near = did_you_mean(key[:MAX_QUOTED], [*keys])
        return say("unknown key {quoted}; {near}", quoted=quote(key), near=near)
    if key in head:
        return say("{key} is in the head already; remove one of the two.", key=repr(key))
    if not value or (key == "title" and misfit(value) is Misfit.EMPTY):
        return say("{key} is empty; write '{key_2}: …'.", key=repr(key), key_2=key)
    if key == "name" and name not in (None, value):
        return say(
            "the name {quoted} is not the file's; write {name}.",
            quoted=quote(value),
            name=repr(name),
        )
    if key == "title" and foreign(value):
        return _foreign_message(value)
    if choices is not None and value not in choices:
        near = did_you_mean(value[:MAX_QUOTED], [*choices])
        return say("unknown {key} {quoted}; {near}", key=key, quoted=quote(value), near=near)
    return None


def _in_order(line: str) -> tuple[str, str | None]:
    """Return the word of a valid line, and its second spelling or None."""
    word, between, other = line.partition(BETWEEN)
    return display_form(word), display_form(other) if between else None


def _words(lines: list[Line], language: str, faults: list[Line]) -> dict[str, str | None]:
    words = WordLines(language)
    for number, line in lines:
        if len(faults) >= MAX_FAULTS:
            break
        faults += [(number, sentence) for sentence in words.take(number, line)]
    return words.found


class WordLines:
    """Collects the words of a pack, line by line."""

    def __init__(self, language: str) -> None:
        self.found: dict[str, str | None] = {}
        """The words, each with its second spelling or None."""
        self._language = language
        self._words = Words(language)
        self._stands: dict[str, int] = {}
        """The line number of each word, by each spelling of the word."""

    def take(self, number: int, line: str, *, faulty: bool = True) -> list[str]:
        """Check a line, add its word, and return the faults of the line.

        Words with faults are added if ``faulty``, except an empty word or one that is like another.
        """
        # The added spaces make a missing first or last spelling an empty one, which is reported.
        spellings = [text.strip() for text in f" {line} ".split(BETWEEN)]
        if sentence := _fault_of_spellings(spellings, line, self._language):
            return [sentence]
        judged = [(fault_of(text, self._words), text) for text in spellings]
        faults = [(fault, text) for fault, text in judged if fault is not None]
        told = [_sentence(fault, text, self._stands) for fault, text in faults]
        if any(fault.why in (Wrong.EMPTY, Wrong.ALIKE) or not faulty for fault, _ in faults):
            return told
        word, *others = map(display_form, spellings)
        self.found[word] = others[0] if others else None
        for each in (word, *others):
            self._words.add(each)
            self._stands[each] = number
        return told


def _fault_of_spellings(spellings: Sequence[str], line: str, language: str) -> str | None:
    if len(spellings) == 1:
        return None
    if language not in (SPELT_TWICE, ""):  # "" if the header is wrong, which is reported
        return say(
            "{quote} has two spellings, which only English words may have; leave one of them.",
            quote=quote(line),
        )
    if len(spellings) > 2 or "" in spellings or len({*map(display_form, spellings)}) == 1:
        return say(
            "{quoted} is not a word with two spellings; write the British one, ' = ' and the "
            "American one.",
            quoted=quote(line),
        )
    return None


def _sentence(fault: WordFault, line: str, stands: Mapping[str, int]) -> str:
    match fault.why:
        case Wrong.UNSEEN:
            return _unseen_message(line)
        case Wrong.FOREIGN:
            return _foreign_message(line)
        case Wrong.TOO_LONG:
            return say(
                "{quoted} has {len} characters and a cell takes {longest_word}; choose a "
                "shorter word.",
                quoted=quote(fault.word),
                len=len(fault.word),
                longest_word=MAX_WORD_LENGTH,
            )
        case Wrong.ALIKE if fault.other is not None:
            return say(
                "{word} is the same as {other} in line {stands}; remove one of the two.",
                word=repr(fault.word),
                other=repr(fault.other),
                stands=stands[fault.other],
            )
        case _:
            return say("there is no word; write one, or remove the line.")


def _unseen_message(line: str) -> str:
    signs = (f"U+{ord(sign):04X}" for sign in unseen(line))
    return say(
        "{quoted} has characters that nobody can read ({few}); write it without them.",
        quoted=quote(line),
        few=_few(signs),
    )


def _foreign_message(text: str) -> str:
    signs = (f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".strip() for sign in foreign(text))
    return say(
        "{quoted} has letters or signs of another script, or others that the table cannot "
        "show and print ({few}); write it without them.",
        quoted=quote(text),
        few=_few(signs),
    )


def _few(signs: Iterable[str]) -> str:
    """Return the first few of several names as one text, each name once, with … for the others."""
    names = [*dict.fromkeys(signs)]
    return ", ".join([*names[:MAX_SIGNS], *(["…"] if len(names) > MAX_SIGNS else [])])


def quote(text: str) -> str:
    """Return a text in quotation marks, as ``repr`` does, shortened if it is long."""
    return repr(text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "…")

"""Read a list of words in nearly any form.

The words may be on separate lines, in one column of a table, or separated by commas, semicolons,
tabs or bars. They may have bullets, numbers, counts or quotation marks. The result reports whatever
was removed, and each line that was left out, with its number and the reason. If a list can be read
in two ways, the result says how to choose the other way. A pack is read as a list with a header.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import say
from pi_table.games.words.list_table import (
    TITLES,
    Cell,
    Table,
    of_column,
    table_of,
    without_header,
    word_count,
)
from pi_table.games.words.pack import FOR_THIS_TABLE, HEAD_KEYS, Audience, Pack, text_of
from pi_table.games.words.pack_text import (
    BESIDES,
    SEPARATED,
    Line,
    WordLines,
    head_key,
    left_out_sentence,
    quote,
    wrong_shape,
)
from pi_table.games.words.shape import (
    SIGNS,
    Mark,
    NoWord,
    Separator,
    habits_of,
    no_word,
    parts_of,
    separators_in,
    split_markup,
    tidy,
    without_codes,
)
from pi_table.games.words.word import MAX_WORD_LENGTH


class How(msgspec.Struct, frozen=True):
    """The options for reading a list."""

    separator: Separator | None = None
    """The separator between the words. None means: detect it."""
    column: int | None = None
    """Number of the column with the words, from 1; 0 for all columns. None means: detect it."""


class Understood(msgspec.Struct, frozen=True):
    """The result of reading a list."""

    head: dict[str, str]
    """The fields of the list's header, as in a pack. Empty if the list has no header."""
    words: tuple[str, ...]
    """The words that can be dealt, no two alike, in the order of the list."""
    twins: dict[str, str]
    """The second spelling of each word that has two spellings."""
    separator: Separator
    """The separator that was used between the words."""
    separators: tuple[tuple[Separator, int], ...]
    """Each possible separator, with the number of words into which it splits the list."""
    columns: tuple[int, ...]
    """Numbers, from 1, of the columns with text. Empty if the list is not a table."""
    column: int
    """Number of the column that was read, from 1; 0 for all columns."""
    said: tuple[str, ...]
    """A summary of the reading, in sentences."""
    doubts: tuple[Line, ...]
    """Lines that could also be read in another way, each with advice."""
    left_out: tuple[Line, ...]
    """Lines that were left out, each with the reason."""


AUTOMATIC: Final = How()


def read_list(text: str, language: str = "", how: How = AUTOMATIC) -> Understood:
    """Read the text of a list. The lines must end in a line feed.

    ``language`` decides which words are singular and plural of one word, and whether words may have
    two spellings. An empty ``language`` stands for the language in the list's header, if any.
    """
    head, lines = _split_head(text)
    language = language or head.get("language", "")
    left_out: list[Line] = []
    doubts: list[Line] = []
    lines = _unseen_taken_off(_without_brackets(lines), doubts)
    lines, codes = _codes_taken_off(_without_no_words(lines, left_out))
    possible = _possible(lines)
    tables = {each: table_of(lines, each) for each in possible}
    counts = {each: word_count(table) for each, table in tables.items()}
    separator = how.separator or max(possible, key=lambda each: counts[each])
    table = tables.get(separator) or table_of(lines, separator)
    if how.separator is None:
        doubts += _doubts_about(separator, counts, lines)
    table = without_header(table, left_out)
    cells, column = of_column(table, how.column, doubts, left_out)
    words, taken_off = _words(cells, language, left_out, doubts)
    taken_off = codes | taken_off
    return Understood(
        head=head,
        words=tuple(words),
        twins={word: other for word, other in words.items() if other is not None},
        separator=separator,
        separators=tuple(counts.items()),
        columns=table.places,
        column=column,
        said=tuple(_summary(len(words), table, column, taken_off)),
        doubts=tuple(sorted(doubts, key=lambda line: line[0])),
        left_out=tuple(sorted(left_out, key=lambda line: line[0])),
    )


def has_head(text: str) -> bool:
    return bool(_split_head(text)[0])


def as_pack(
    understood: Understood, name: str, title: str, language: str, audience: Audience, source: str
) -> str:
    """Return the text of a pack with the words of a list. The list's source and licence are kept if
    it has them."""
    head = {
        "name": name,
        "title": title,
        "language": language,
        "audience": audience,
        "source": source,
        "licence": FOR_THIS_TABLE,
    }
    head |= {key: it for key, it in understood.head.items() if key in ("source", "licence") and it}
    pack = msgspec.convert({**head, "words": understood.words, "twins": understood.twins}, Pack)
    return text_of(pack)


def name_for(title: str, taken: Collection[str]) -> str:
    """Return a pack name made from a title: at most 40 characters, and not in ``taken``."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:MAX_NAME_LENGTH].strip("-") or "words"
    number = 1
    found = name
    while found in taken:
        number += 1
        found = f"{name[: MAX_NAME_LENGTH - 4].strip('-')}-{number}"
    return found


MAX_NAME_LENGTH: Final = 40


def _split_head(text: str) -> tuple[dict[str, str], list[Line]]:
    """Return the fields of the header (empty if there is none), and the lines below it."""
    head: dict[str, str] = {}
    lines = [*enumerate(_OTHER_LINE_ENDS.sub("\n", text).split("\n"), 1)]
    first = 0
    for place, (_, line) in enumerate(lines):
        key = head_key(line, HEAD_KEYS)
        if key is not None:
            head.setdefault(key, line.partition(":")[2].strip())
            first = place + 1
        elif line.strip() and not line.lstrip().startswith("#"):
            break
    return head, lines[first:]


_OTHER_LINE_ENDS: Final = re.compile("[\v\f\x85\u2028\u2029]")
_GAP: Final = re.compile("(?<=\\S) {2,}(?=\\S)")
"""A gap of several spaces, as in tables whose columns are aligned with spaces."""
_UNSEEN: Final = re.compile("[\ufeff\u200b\u200e\u200f\u2060\u00ad]")


def _without_brackets(lines: list[Line]) -> list[Line]:
    """Return the lines without the brackets that surround a list in JSON or in a program."""
    said = [place for place, (_, line) in enumerate(lines) if line.strip()]
    if not said:
        return lines
    opening, closing = (lines[place][1] for place in (said[0], said[-1]))
    if not (_OPENING.match(opening) and _CLOSING.search(closing)):
        return lines
    if len(said) > 1 and "]" in opening:
        return lines  # a heading in brackets
    lines = [*lines]
    lines[said[0]] = lines[said[0]][0], _OPENING.sub("", opening)
    last, closing = lines[said[-1]]
    lines[said[-1]] = last, _CLOSING.sub("", closing)
    return lines


_OPENING: Final = re.compile(r"\s*\{?\s*(?:\"\w{1,40}\"\s*:|[\w$ ]{1,40}=)?\s*\[")
_CLOSING: Final = re.compile(r"\]\s?\}?\s?;?\s?$")


def _unseen_taken_off(lines: list[Line], doubts: list[Line]) -> list[Line]:
    """Return the lines without invisible characters. Wide gaps become tabs if nearly all lines have
    one."""
    for number, line in lines:
        if _UNSEEN.search(line):
            what = say(
                "{quoted} had signs that nobody sees, which were taken off.", quoted=quote(line)
            )
            doubts.append((number, what))
    bare = [(number, _UNSEEN.sub("", line).strip()) for number, line in lines]
    said = [line for _, line in bare if line]
    if 5 * sum(_GAP.search(line) is not None for line in said) >= 4 * len(said):
        bare = [(number, _GAP.sub("\t", line)) for number, line in bare]
    return [(number, tidy(line)) for number, line in bare]


def _without_no_words(lines: list[Line], left_out: list[Line]) -> list[Line]:
    """Return the lines that may have words. Add other lines with text to ``left_out``."""
    found: list[Line] = []
    kinds = Counter(no_word(line) for _, line in lines if line)
    most = {kind for kind, count in kinds.items() if 5 * count >= 4 * kinds.total()}
    for number, line in lines:
        if not any(sign.isalnum() for sign in line):
            if _BELOW_TITLES.fullmatch(line.strip()) and found:
                above, titles = found.pop()
                left_out.append((above, left_out_sentence(titles, NoWord.HEADING)))
            continue
        kind = NoWord.HEADING if _OF_EXCEL.fullmatch(line.strip()) else no_word(line)
        if kind is None or (kind in most and _IN_SIGNS.match(line)):
            found.append((number, line))
        else:
            left_out.append((number, left_out_sentence(line.strip(), kind)))
    return found


def _codes_taken_off(lines: list[Line]) -> tuple[list[Line], "dict[Mark, _TakenOff]"]:
    """Return the lines with HTML character codes decoded, and a record of the first decoded line.

    Lines must be decoded before they are split, because the codes contain semicolons.
    """
    bare = [(number, without_codes(line)) for number, line in lines]
    changed = [(*old, new) for old, (_, new) in zip(lines, bare, strict=True) if old[1] != new]
    if not changed:
        return bare, {}
    return bare, {Mark.CODE: _TakenOff(*changed[0], len(changed))}


_BELOW_TITLES: Final = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")
"""The line below the column titles of a Markdown table."""
_IN_SIGNS: Final = re.compile(r"#\w|\[")
"""Beginning of a comment or heading. If most lines begin like this, these lines are words."""
_OF_EXCEL: Final = re.compile(r"sep=.")


def _possible(lines: list[Line]) -> list[Separator]:
    """Return the separators that may be between the words, the most certain one first."""
    found: Counter[Separator] = Counter()
    for _, line in lines:
        found.update(separators_in(line))
    plain = [each for each in SIGNS if found[each]]
    if plain:
        return [*plain, *([Separator.LINES] if _are_rare(found, plain, lines) else [])]
    paired = [
        each
        for each in (Separator.DASH, Separator.COLON)
        if 5 * sum(len(parts_of(line, each)) > 1 for _, line in lines) >= 4 * len(lines) > 0
    ]
    if paired:
        return [*paired, Separator.LINES]
    long = [line for _, line in lines if len(line) > MAX_WORD_LENGTH]
    others = [
        each
        for each in (Separator.DOT, Separator.SLASH, Separator.DASH, Separator.SPACE)
        if any(each in separators_in(line) for line in long)
    ]
    if not others and 5 * sum(" " in line for line in long) >= 4 * len(lines) > 0:
        others = [Separator.SPACE]  # nearly every line has several words
    # If there are other separators, spaces are part of the words.
    signs = [each for each in others if each is not Separator.SPACE]
    return [*(signs or others), Separator.LINES]


def _are_rare(found: Counter[Separator], plain: Sequence[Separator], lines: list[Line]) -> bool:
    """True if each of the separators is in fewer than one line of five. They may then be part of
    words."""
    return max(found[each] for each in plain) * 5 < len(lines)


def _doubts_about(
    separator: Separator, counts: dict[Separator, int], lines: list[Line]
) -> Iterator[Line]:
    """Yield an example line for each separator that was not used but would give a different number
    of words."""
    if separator is Separator.SPACE:
        number, line = lines[0]
        yield (
            number,
            say(
                "{quoted} was read as separated by spaces; if some words have spaces in them, "
                "put commas between all of them.",
                quoted=quote(line),
            ),
        )
    for other, count in counts.items():
        if other is separator or count in (0, counts[separator]):
            continue
        apart = separator if other is Separator.LINES else other
        number, line = next(
            ((number, line) for number, line in lines if apart in separators_in(line)), lines[0]
        )
        yield (
            number,
            say(
                "{quoted} was read as {separated}; if the list is {separated_2}, it has {count} "
                "words: choose that then.",
                quoted=quote(line),
                separated=SEPARATED[separator],
                separated_2=SEPARATED[other],
                count=count,
            ),
        )


class _TakenOff(msgspec.Struct, frozen=True):
    """A kind of markup that was removed beside words: its first occurrence, and how often it
    occurred."""

    line: int
    before: str
    after: str
    count: int


def _words(
    cells: Sequence[Cell], language: str, left_out: list[Line], doubts: list[Line]
) -> tuple[dict[str, str | None], dict[Mark, _TakenOff]]:
    """Return the words, each with its second spelling or None, and the markup that was removed."""
    habits = habits_of([cell.text for cell in cells])
    words = WordLines(language)
    letters = sum(len(cell.text) == 1 for cell in cells) >= MIN_LETTERS
    taken_off: dict[Mark, _TakenOff] = {}
    for cell in cells:
        shape = split_markup(cell.text, habits)
        word = shape.word
        if not any(sign.isalnum() for sign in word):
            continue
        if sign := next((each for each in SIGNS.values() if each in word), None):
            what = say(
                "{quote} contains {sign}, which no word has; write it without.",
                quote=quote(word),
                sign=repr(sign),
            )
            left_out.append((cell.line, what))
            continue
        if letters and len(word) == 1:
            left_out.append((cell.line, left_out_sentence(word, NoWord.HEADING)))
            continue
        is_first = not words.found
        wrong = wrong_shape(word)
        faults = [wrong] if wrong else words.take(cell.line, word, faulty=False)
        if faults:
            left_out.append((cell.line, faults[0]))
            continue
        for mark in shape.marks:
            first = taken_off.get(mark, _TakenOff(cell.line, cell.text, word, 0))
            taken_off[mark] = replace(first, count=first.count + 1)
        if is_first and word.casefold() in TITLES:
            what = say(
                "{quoted} may be a heading, and was read as a word; if it is one, remove it.",
                quoted=quote(word),
            )
            doubts.append((cell.line, what))
    return words.found, taken_off


MIN_LETTERS: Final = 3
"""Minimum number of single letters that count as the headings of an alphabetical list."""


def _summary(
    count: int, table: Table, column: int, taken_off: Mapping[Mark, _TakenOff]
) -> Iterator[str]:
    how = SEPARATED[table.separator]
    yield (
        say("1 word, {how}.", how=how)
        if count == 1
        else say("{count} words, {how}.", count=count, how=how)
    )
    if column:
        yield say("Column {column} was read, and nothing of the other columns.", column=column)
    if table.numbers:
        yield say("{numbers} numbers beside the words were taken off.", numbers=table.numbers)
    for mark, it in taken_off.items():
        before, after = quote(it.before), quote(it.after)
        yield say(
            "{before} in line {line} had {besides}, and was read as {after}.",
            before=before,
            line=it.line,
            besides=BESIDES[mark],
            after=after,
        )
        if it.count > 1:
            yield say("The same holds for {count} more.", count=it.count - 1)

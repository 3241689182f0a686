"""Lists as people have them: what is understood, what is told, and that no letter is lost."""

from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pi_table.games.words.pack import Audience, Pack, check_pack
from pi_table.games.words.plain_list import How, as_pack, name_for, read_list
from pi_table.games.words.shape import Separator

NAMES = (
    *("ANCHOR", "BASKET", "CANDLE", "DRAGON", "ENGINE", "FEATHER", "GUITAR", "HAMMER", "ISLAND"),
    *("JUNGLE", "KETTLE", "LADDER", "MARBLE", "NEEDLE", "ORCHID", "PEPPER", "QUARTZ", "RIBBON"),
    *("SADDLE", "TEMPLE", "URCHIN", "VIOLIN", "WALNUT", "YOGURT", "ZEBRA"),
)
WORDS = (*NAMES, "ICE CREAM", "CAFÉ", "JACK-O-LANTERN", "ROCK'N'ROLL")
HEAD = (
    "name: kitchen\ntitle: Our kitchen\nlanguage: en\naudience: adults\nsource: us\n"
    "licence: MIT\n\n"
)


def lines(pattern: str, between: str = "\n") -> str:
    return between.join(pattern.format(n=n, w=word) for n, word in enumerate(WORDS, 1))


LISTS = {
    "one a line": lines("{w}"),
    "small letters": lines("{w}").lower(),
    "empty lines between": lines("{w}", "\n\n\n"),
    "commas": lines("{w}", ", "),
    "commas at the ends": lines("{w},"),
    "commas over several lines": lines("{w}", ",").replace("HAMMER,", "HAMMER,\n"),
    "semicolons": lines("{w}", ";"),
    "columns made with spaces": "\n".join(
        f"{WORDS[n]}      {WORDS[n + 1]}   {WORDS[n + 2]}" for n in range(0, 27, 3)
    )
    + f"\n{WORDS[27]}   {WORDS[28]}",
    "tabs": lines("{w}", "\t"),
    "bars": lines("{w}", " | "),
    "dots": lines("{w}", " • "),
    "dashes": lines("{w}", " - "),
    "slashes": lines("{w}", " / "),
    "a table in Markdown": "|words|\n|---|\n" + lines("| {w} |"),
    "hyphens before": lines("- {w}"),
    "stars before": lines("* {w}"),
    "dots before": lines("•\t{w}"),
    "boxes before": lines("- [ ] {w}"),
    "hyphens right before": lines("-{w}"),
    "numbers": lines("{n}. {w}"),
    "numbers in brackets": lines("({n}) {w}"),
    "numbers right before": lines("{n}.{w}"),
    "bare numbers": lines("{n} {w}"),
    "numbers and tabs": lines("{n}\t{w}"),
    "numbers in one line": lines("{n}. {w}", ", "),
    "letters before": lines("a) {w}"),
    "counts in brackets": lines("{w} ({n})"),
    "counts behind colons": lines("{w}: {n}"),
    "bare counts": lines("{w} {n}"),
    "counts times": lines("{w} x{n}"),
    "counts in a column": lines("{w},{n}"),
    "a table with a header": "word;count\n" + lines("{w};{n}"),
    "Excel's CSV": "sep=;\r\n" + lines('"{w}";{n}', "\r\n").replace("\r\n", "\n"),
    "a column with gaps": lines("{n};{w};noun").replace("8;HAMMER;noun", ";HAMMER;"),
    "kinds in a column": lines("{w},noun"),
    "explanations in a column": lines("{w},a thing of which everybody knows what it is ({n})"),
    "quotation marks": lines('"{w}"'),
    "typographic ones": lines("“{w}”"),
    "stars around": lines("**{w}**"),
    "single ones": lines("'{w}'"),
    "a list of a program": "[" + lines('"{w}"', ", ") + "]",
    "JSON over several lines": "[\n" + lines('  "{w}"', ",\n") + "\n]\n",
    "comments": "# ours\n// the kitchen's\n" + lines("{w}"),
    "comments behind": lines("{w}").replace("HAMMER", "HAMMER # x").replace("ZEBRA", "ZEBRA // y"),
    "full stops": lines("{w}."),
    "HTML codes": lines("{w}").replace("É", "&Eacute;").replace("'", "&#39;"),
    "other line ends": lines("{w}", "\u2028"),
    "a second byte order mark": lines("{w}").replace("HAMMER", "\ufeffHAMMER"),
    "a head of a pack": HEAD + lines("{w}", ", "),
    "a tick before": lines("☐ {w}"),
    "an emoji before": lines("👉 {w}"),
    "number signs before": lines("#{w}"),
    "numbers with their sign": lines("#{n} {w}"),
    "letters and full stops": lines("x. {w}"),
    "brackets around": lines("[{w}]"),
    "explanations behind colons": lines("{w}: a thing that is well known ({n})"),
    "explanations behind dashes": lines("{w} – a thing that is well known ({n})"),
    "times in a column": lines("{w}\t{n}:10"),
    "dates in a column": lines("2026-01-{n:02},{w}"),
    "an object of JSON": '{"words": [' + lines('"{w}"', ", ") + "]}",
    "a line of a program": "const words = [" + lines("'{w}'", ", ") + "];",
    "lines of a program": "$words = array(\n" + lines("  '{w}',") + "\n);",
    "letters as headings": lines("{w}\n\n{w[0]}\n"),
    "headings": "[Animals]\n" + lines("{w}").replace("HAMMER", "Tools:\nHAMMER"),
}  # fmt: skip


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_list_is_read_word_for_word_however_it_is_written(text: str) -> None:
    found = read_list(text, "en")
    assert found.words == WORDS, (found.said, found.left_out)
    pack = check_pack(as_pack(found, "ours", "Ours", "en", Audience.EVERYBODY, "us"))
    assert isinstance(pack, Pack), pack
    assert pack.words == WORDS


def test_a_few_words_in_each_line_are_read_apart() -> None:
    text = "\n".join(" ".join(NAMES[n : n + 3]) for n in range(0, 25, 3))
    found = read_list(text, "en")
    assert found.words == NAMES
    assert "if some words have spaces in them" in found.doubts[0][1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("commas", "29 words, separated by commas."),
        ("one a line", "29 words, one word a line."),
        ("numbers", "'1. ANCHOR' in line 1 had the number of a list, and was read as 'ANCHOR'."),
        ("counts in a column", "29 numbers beside the words were taken off."),
        ("kinds in a column", "Column 1 was read, and nothing of the other columns."),
        ("HTML codes", "had a sign that is spelt as in HTML, and was read as 'CAFÉ'."),
    ],
)
def test_what_was_understood_is_told(text: str, said: str) -> None:
    told = read_list(LISTS[text], "en").said
    assert any(said in each for each in told), told


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("apple", "'APPLE' is the same as 'APPLE' in line 1"),
        ("Apples", "'APPLES' is the same as 'APPLE' in line 1"),
        ("SOMETHING MUCH TOO LONG", "a cell takes 14"),
        ("Тест", "another script"),
        ("CAFFÃˆ", "in the wrong encoding"),
        ("CAFF\ufffd", "a word that has lost a letter"),
        ("<li>ANCHOR</li>", "a line of a web page"),
        ("# ours", "a comment of the list"),
        ("// ours", "a comment of the list"),
        ("Tools:", "a heading of the list"),
    ],
)
def test_what_is_left_out_is_told_with_its_line_and_why(line: str, why: str) -> None:
    found = read_list("\n".join(["Apple", *NAMES, line]), "en")
    assert found.words == ("APPLE", *NAMES)
    ((number, told),) = found.left_out
    assert number == 27
    assert why in told


@pytest.mark.parametrize(
    ("text", "line", "doubt"),
    [
        ("\n".join([*NAMES, "READY, GO"]), 26, "if the list is one word a line, it has 26 words"),
        (" ".join(NAMES), 1, "separated by spaces; if some words have spaces in them, put commas"),
        ("A,B;C\n" + ";".join(NAMES), 1, "if the list is separated by commas"),
        ("\n".join(f"{a},{a[::-1]}" for a in NAMES), 1, "was read as 2 words; if only one"),
        ("\n".join(["Words", *NAMES]), 1, "may be a heading, and was read as a word"),
        ("\n".join([*NAMES, "AP\u200bPLE"]), 26, "signs that nobody sees"),
    ],
)
def test_where_two_readings_are_possible_the_other_is_told_with_its_line(
    text: str, line: int, doubt: str
) -> None:
    doubts = read_list(text, "en").doubts
    assert any(number == line and doubt in told for number, told in doubts), doubts


def test_the_other_reading_can_be_chosen() -> None:
    text = "\n".join(f"{word}, {word[::-1]}" for word in NAMES)
    assert len(read_list(text, "en").words) == 50
    assert read_list(text, "en", How(column=1)).words == tuple(NAMES)
    assert read_list(text, "en", How(column=2)).words == tuple(word[::-1] for word in NAMES)
    spaced = " ".join(NAMES)
    assert read_list(spaced, "en").words == tuple(NAMES)
    assert read_list(spaced, "en", How(Separator.LINES)).words == ()


@pytest.mark.parametrize("word", ["7 UP", "CATCH 22", "42", "E=MC2", "AC/DC", "C#", "R&B", "ST."])
def test_what_looks_like_a_number_or_a_sign_of_a_list_in_one_word_stays(word: str) -> None:
    found = read_list("\n".join([*NAMES, word]), "en")
    assert found.words == (*NAMES, word)
    assert (found.doubts, found.left_out) == ((), ())


def test_what_stands_beyond_the_columns_of_a_table_is_told() -> None:
    text = "\n".join(f"{word};noun" for word in NAMES) + ";SAIL"
    found = read_list(text, "en")
    assert found.words == NAMES
    assert (25, "'SAIL' is beyond the columns.") in found.left_out


def test_dots_and_slashes_in_one_list_are_both_offered() -> None:
    text = " • ".join(NAMES[:12]) + "\n" + " / ".join(NAMES[12:])
    offered = [each for each, _ in read_list(text, "en").separators]
    assert offered == [Separator.DOT, Separator.SLASH, Separator.LINES]


def test_two_spellings_are_taken_in_english_alone() -> None:
    text = "\n".join([*NAMES, "COLOUR=COLOR"])
    english, italian = read_list(text, "en"), read_list(text, "it")
    assert english.twins == {"COLOUR": "COLOR"}
    assert "'COLOUR=COLOR' in line 26 had two spellings" in english.said[1]
    assert italian.words == tuple(NAMES)
    assert italian.left_out[0][0] == 26


def test_a_head_is_kept() -> None:
    found = read_list(HEAD + ", ".join(NAMES))
    assert found.head["title"] == "Our kitchen"
    text = as_pack(found, "kitchen", "Our kitchen", "en", Audience.ADULTS, "a file")
    assert "\nsource: us\nlicence: MIT\n" in text


ODD: Final = (
    *(
        "ANCHOR",
        "caffè",
        "É",
        "1",
        "22",
        "- ",
        "* ",
        "• ",
        "1. ",
        "(3)",
        " x3",
        ",",
        ";",
        "|",
        "\t",
    ),
    *("/", " - ", " = ", "=", '"', "'", "“", "”", "#", "// ", "&egrave;", "<b>", "[", "]", ":"),
    *("\n", " ", "\ufeff", "\ufffd", "Ã¨", "🍕", "Т", ".", "_", "sep=;", "word", "name: x"),
)


@example(["|", "// ", "1"], "en")
@example(["- ", "=", "\t", "22"], "it")
@given(st.lists(st.sampled_from(ODD), max_size=60), st.sampled_from(["en", "it", ""]))
def test_whatever_is_understood_makes_a_pack_in_order(parts: list[str], language: str) -> None:
    found = read_list("".join(parts), language)
    text = as_pack(found, "ours", "Ours", language or "en", Audience.EVERYBODY, "us")
    if found.words and language:
        pack = check_pack(text, 1)
        assert isinstance(pack, Pack), pack
        assert pack.words == found.words


@pytest.mark.parametrize("text", ["", "\n\n", "...\n---\n", "# nothing", "\0" * 100, "[]", ",,,;;"])
def test_a_list_without_words_has_none(text: str) -> None:
    assert read_list(text, "en").words == ()


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Our kitchen", "our-kitchen"),
        ("Città & Caffè.txt", "citta-caffe-txt"),
        ("LISTA", "lista"),
        ("…", "words"),
        ("x" * 90, "x" * 40),
        ("english", "english-2"),
    ],
)
def test_a_title_makes_a_name_that_is_free(title: str, name: str) -> None:
    assert name_for(title, {"english"}) == name

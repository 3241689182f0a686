"""Word packs: what a file must be like, what is said when it is not, and the packs we ship."""

import os
import re
import unicodedata
from pathlib import Path

import pytest

from pi_table.common.errors import InputError
from pi_table.games.words.pack import (
    MAX_BYTES,
    Audience,
    Pack,
    pack_named,
    packs,
    read_pack,
    shipped_names,
    spelt,
    text_of,
)
from pi_table.games.words.pack_text import MAX_FAULTS
from pi_table.games.words.word import MAX_WORD_LENGTH

HEAD = """\
name: kitchen
title: Our kitchen
language: en
audience: everybody
source: the cook
licence: MIT
"""
WORDS = [f"SPICE {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]  # lines 8 to 33


def pack_text(head: str = HEAD, words: list[str] = WORDS) -> str:
    return head + "\n" + "".join(f"{word}\n" for word in words)


def with_word(number: int, word: str) -> str:
    """A sound pack but for one word; number 0 stands in line 8."""
    return pack_text(words=[*WORDS[:number], word, *WORDS[number:]])


def without_accents(word: str) -> str:
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def faults_of(source: Path | str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_pack(source)
    return str(caught.value).split("\n")


def test_a_sound_pack_is_read_whole() -> None:
    assert read_pack(pack_text()) == Pack(
        name="kitchen",
        title="Our kitchen",
        language="en",
        audience=Audience.EVERYBODY,
        source="the cook",
        licence="MIT",
        words=tuple(WORDS),
    )


def test_comments_and_empty_lines_around_the_pack_do_not_count() -> None:
    text = "# ours\n\n" + HEAD.replace("title", "# said aloud\ntitle") + "\n# hot\n"
    assert read_pack(text + "\n".join(WORDS) + "\n\n\n") == read_pack(pack_text())


def test_words_become_capitals_with_single_spaces_and_composed_accents() -> None:
    pack = read_pack(with_word(0, "  cafe\u0301   creme"))
    assert pack.words[0] == "CAFÉ CREME"


def test_a_word_may_have_two_spellings_the_british_one_first() -> None:
    pack = read_pack(pack_text(words=[*WORDS, "omelette  =  Omelet", "E=MC2"]))
    assert pack.words == (*WORDS, "OMELETTE", "E=MC2")
    assert pack.twins == {"OMELETTE": "OMELET"}
    american = spelt(pack, american=True)
    assert american.words == (*WORDS, "OMELET", "E=MC2")
    assert spelt(pack, american=False) == pack
    assert "\nOMELETTE = OMELET\n" in text_of(pack)
    assert read_pack(text_of(pack)) == pack


def test_only_english_words_have_two_spellings() -> None:
    words = [f"W{number}" for number in range(25)]
    [fault] = faults_of(pack_text(HEAD.replace(": en", ": it"), [*words, "COLOUR = COLOR"]))
    assert "'COLOUR = COLOR' has two spellings, which only English words may have" in fault


def test_a_pack_without_a_second_spelling_is_the_same_in_both() -> None:
    pack = read_pack(pack_text())
    assert spelt(pack, american=True) == pack


def test_a_value_in_the_head_may_have_a_colon() -> None:
    assert read_pack(pack_text(HEAD.replace("the cook", "cook: Ada"))).source == "cook: Ada"


def test_files_of_other_systems_are_read_too(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.txt"
    file.write_bytes(b"\xef\xbb\xbf" + pack_text().replace("\n", "\r\n").encode())
    assert read_pack(file) == read_pack(pack_text())


@pytest.mark.parametrize("key", ["name", "title", "language", "audience", "source", "licence"])
def test_each_missing_key_is_reported_where_the_head_ends(key: str) -> None:
    head = re.sub(f"{key}: .*\n", "", HEAD)
    [fault] = faults_of(pack_text(head))
    assert fault.startswith(f"The word pack, line 5: the head has no '{key}'")


@pytest.mark.parametrize(
    ("text", "line", "saying"),
    [
        (pack_text(HEAD + "licences: MIT\n"), 7, "did you mean 'licence'?"),
        (pack_text(HEAD + "title: Yours\n"), 7, "'title' is in the head already"),
        (pack_text(HEAD + "by the cook\n"), 7, "'by the cook' is not a head line"),
        (pack_text(HEAD.replace("the cook", "")), 5, "'source' is empty"),
        (pack_text(HEAD.replace("everybody", "adult")), 4, "did you mean 'adults'?"),
        (pack_text(HEAD.replace("Our", "Our\a")), 2, "U+0007"),
        (
            pack_text(HEAD.replace(": en", ": fr")),
            3,
            "unknown language 'fr'; choose one of: en, it.",
        ),
        (HEAD + "\n".join(WORDS), 7, "put an empty line between the head and 'SPICE A'"),
        (with_word(9, WORDS[2]), 17, "'SPICE C' is the same as 'SPICE C' in line 10"),
        (with_word(9, "spice c"), 17, "in line 10"),
        (with_word(9, "SPÍCE C"), 17, "'SPÍCE C' is the same as 'SPICE C' in line 10"),
        (with_word(9, "SPI CEC"), 17, "in line 10"),
        (with_word(9, "SPICE CS"), 17, "'SPICE CS' is the same as 'SPICE C' in line 10"),
        (with_word(0, "spice qs"), 25, "'SPICE Q' is the same as 'SPICE QS' in line 8"),
        (with_word(9, "..."), 17, "there is no word"),
        (with_word(9, "M" * (MAX_WORD_LENGTH + 1)), 17, "has 15 characters and a cell takes 14"),
        (with_word(9, ""), 17, "there is no word"),
        (with_word(9, "OVEN\tTRAY"), 17, "U+0009"),
        (with_word(9, "OV\u200bEN"), 17, "U+200B"),
        (with_word(9, "OV\u3164EN"), 17, "that nobody can read (U+3164)"),
        (with_word(9, "OV\0EN"), 17, "U+0000"),
        (with_word(9, "\u041eVEN"), 17, "(U+041E CYRILLIC CAPITAL LETTER O)"),
        (with_word(9, "x" * 200_000), 17, "XXX…' has 200000 characters"),
        (with_word(9, "\0" * 200_000), 17, "U+0000"),
        (with_word(9, "".join(map(chr, range(0x400, 0x4FF)))), 17, "IE WITH GRAVE, U+0401"),
        (pack_text(HEAD + "k" * 200_000 + ": 1\n"), 7, "unknown key 'kkk"),
        (pack_text(HEAD + "k" * 200_000 + "\n"), 7, "…' is not a head line"),
        (pack_text(HEAD.replace(": en", ": " + "n" * 200_000)), 3, "unknown language 'nnn"),
        (with_word(9, "HARBOUR = "), 17, "'HARBOUR =' is not a word with two spellings"),
        (with_word(9, "= HARBOR"), 17, "'= HARBOR' is not a word with two spellings"),
        (with_word(9, "ARBOUR = ARBOR = ARBER"), 17, "is not a word with two spellings"),
        (with_word(9, "harbour = HARBOUR"), 17, "is not a word with two spellings"),
        (with_word(9, "SPICE c = SPYCE"), 17, "'SPICE C' is the same as 'SPICE C' in line 10"),
        (with_word(9, "SPYCE = SPICE C"), 17, "'SPICE C' is the same as 'SPICE C' in line 10"),
        (with_word(9, "SPYCE = ?"), 17, "there is no word"),
        (with_word(9, "HARBOUR = " + "M" * 15), 17, "has 15 characters"),
        (with_word(9, "\u041eVEN = OVEN"), 17, "(U+041E CYRILLIC CAPITAL LETTER O)"),
        (
            pack_text(words=[*WORDS, "COLOUR = COLOR", "color"]),
            35,
            "'COLOR' is the same as 'COLOR' in line 34",
        ),
        (pack_text(words=WORDS[:24]), 31, "needs 25 different words and has 24"),
        (pack_text(words=[]), 6, "needs 25 different words and has 0"),
    ],
)
def test_each_fault_is_reported_alone_with_its_line(text: str, line: int, saying: str) -> None:
    [fault] = faults_of(text)
    assert fault.startswith(f"The word pack, line {line}: ")
    assert saying in fault
    assert len(fault) < 400


@pytest.mark.parametrize(
    ("words", "line", "saying"),
    [
        ([",".join(WORDS)], 8, "has 26 words, separated by commas; write one word a line."),
        ([";".join(WORDS)], 8, "separated by semicolons"),
        (["\t".join(WORDS)], 8, "has 26 words and tabs (U+0009); write one word a line."),
        ([" | ".join(WORDS)], 8, "separated by bars"),
        ([" • ".join(WORDS)], 8, "separated by dots"),
        ([" ".join(WORDS)], 8, "separated by spaces"),
        ([*WORDS, "READY, GO"], 34, "'READY, GO' has 2 words, separated by commas"),
        ([*WORDS, "APPLE,"], 34, "'APPLE,' has a separator at its end; write 'APPLE' alone."),
        ([*WORDS, '"PEACH"'], 34, "has quotation marks around it; write 'PEACH' alone."),
        ([*WORDS, "“PEACH”"], 34, "has quotation marks around it; write 'PEACH' alone."),
        ([*WORDS, "- APPLE"], 34, "'- APPLE' has the bullet of a list; write 'APPLE' alone."),
        ([*WORDS, "1. APPLE"], 34, "'1. APPLE' has the number of a list; write 'APPLE' alone."),
        ([*WORDS, "APPLE (12)"], 34, "has a count behind it; write 'APPLE' alone."),
        ([f"{w} {n}" for n, w in enumerate(WORDS)], 8, "count behind it; write 'SPICE A' alone."),
        ([f"{n} {w}" for n, w in enumerate(WORDS)], 8, "has the number of a list"),
        ([*WORDS, "COLOUR=COLOR"], 34, "or two spellings of one; write 'COLOUR = COLOR' for"),
        ([*WORDS, "COLOUR =COLOR"], 34, "or two spellings of one; write 'COLOUR = COLOR' for"),
        ([*WORDS, "// ours"], 34, "'// ours' is a comment of another kind; begin it with '#'."),
        ([*WORDS, "APPLE # red"], 34, "has a comment behind it; write 'APPLE' alone."),
        ([*WORDS, "CAFF&Egrave;"], 34, "spelt as in HTML; write 'CAFFÈ' alone."),
        ([*WORDS, "<li>APPLE"], 34, "is a line of a web page"),
        ([*WORDS, "[Animals]"], 34, "is a heading of the list"),
        ([*WORDS, "CAFFÃˆ"], 34, "was saved in the wrong encoding, and is perhaps 'CAFFÈ'; type"),
        ([*WORDS, "CAFF\ufffd"], 34, "in 'CAFF\ufffd' a letter was lost"),
        ([f"* {w}" for w in WORDS], 8, "write 'SPICE A' alone. 25 more lines are like it."),
        ([*WORDS, "A,B", "C,D"], 34, "write one word a line. Another line is like it."),
    ],
)
def test_a_list_that_was_written_in_another_way_is_told_once_with_its_line(
    words: list[str], line: int, saying: str
) -> None:
    [fault] = faults_of(pack_text(words=words))
    assert fault.startswith(f"The word pack, line {line}: ")
    assert saying in fault
    assert len(fault) < 300


@pytest.mark.parametrize("text", ["\n".join(WORDS), "# ours\n\n" + ", ".join(WORDS), "APPLE"])
def test_a_list_without_a_head_is_told_in_one_sentence(text: str) -> None:
    [fault] = faults_of(text)
    line = 3 if text.startswith("#") else 1
    assert fault.startswith(f"The word pack, line {line}: this is a plain list of words")


@pytest.mark.parametrize("word", ["7 UP", "CATCH 22", "42", "E=MC2", "AC/DC", "C#", "R&B", "ST."])
def test_signs_that_lists_have_are_no_fault_of_a_word(word: str) -> None:
    assert read_pack(pack_text(words=[*WORDS, word])).words == (*WORDS, word)


def test_a_letter_that_was_lost_in_the_head_is_told() -> None:
    [fault] = faults_of(pack_text(HEAD.replace("Our", "Our caff\ufffd")))
    assert fault.startswith("The word pack, line 2: in 'title: Our caff\ufffd")


def test_a_file_with_the_line_ends_of_an_old_mac_is_read(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.txt"
    file.write_bytes(pack_text().replace("\n", "\r").encode())
    assert read_pack(file) == read_pack(pack_text())


def test_of_a_thousand_faults_a_hundred_are_told() -> None:
    for text in (
        pack_text(words=["dog"] * 1_000),
        pack_text(words=["x" * 20] * 1_000),
        pack_text(HEAD + "k: 1\n" * 1_000),
    ):
        faults = faults_of(text)
        assert len(faults) == MAX_FAULTS + 1
        assert faults[-1].endswith(
            "these are 100 faults already; correct them, and check the pack again."
        )


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 2 << 30])
def test_a_file_that_is_too_large_is_told_with_the_line(tmp_path: Path, size: int) -> None:
    file = tmp_path / "kitchen.txt"
    file.write_text(pack_text(), encoding="utf-8")
    lines = pack_text().count("\n")
    with file.open("ab") as growing:
        growing.truncate(size)  # one line without an end
    [fault] = faults_of(file)
    assert fault.startswith(
        f"kitchen.txt, line {lines + 1}: here the file goes beyond 262,144 bytes"
    )


def test_what_is_no_file_is_no_pack_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "kitchen.txt")
    (tmp_path / "cellar.txt").symlink_to("/dev/zero")
    for name in ("kitchen.txt", "cellar.txt"):
        [fault] = faults_of(tmp_path / name)
        assert fault.startswith(f"{name}: it cannot be read (It is a pipe, a socket or a device")
    assert len(packs(tmp_path).faults) == 2


def test_the_longest_word_and_the_smallest_pack_are_still_good() -> None:
    words = ["M" * MAX_WORD_LENGTH, *WORDS[:24]]
    assert read_pack(pack_text(words=words)).words == tuple(words)


def test_all_faults_are_reported_at_once_in_the_order_of_the_lines() -> None:
    head = HEAD.replace("licence: MIT\n", "colour: red\n")
    faults = faults_of(pack_text(head, ["OVEN", "M" * 20, "oven", "SA\aLT", *WORDS[:4]]))
    assert [int(re.findall(r"line (\d+): ", fault)[0]) for fault in faults] == [6, 6, 9, 10, 11, 15]


def test_empty_lines_do_not_count_as_words() -> None:
    faults = faults_of(pack_text(words=[*WORDS[:3], "", "", *WORDS[3:24]]))
    assert [fault.split(";")[0] for fault in faults] == [
        "The word pack, line 11: there is no word",
        "The word pack, line 12: there is no word",
        "The word pack, line 33: the pack needs 25 different words and has 24",
    ]


def test_there_may_be_more_than_one_empty_line_under_the_head() -> None:
    assert read_pack(HEAD + "\n# hot\n\n\n" + "\n".join(WORDS)) == read_pack(pack_text())


def test_number_goes_by_the_language_of_the_pack() -> None:
    numbers = [f"W{number}" for number in range(26)]
    one_and_many = pack_text(words=[*numbers, "GATTO", "GATTI", "CASA", "CASO"])
    assert len(read_pack(one_and_many).words) == 30
    [fault] = faults_of(one_and_many.replace("language: en", "language: it"))
    assert "'GATTI' is the same as 'GATTO' in line 34" in fault


def test_what_a_pack_is_written_as_reads_back() -> None:
    pack = read_pack(pack_text())
    assert text_of(pack) == pack_text()


def test_a_word_that_is_there_twice_counts_once() -> None:
    faults = faults_of(pack_text(words=[*WORDS[:24], "spice bs"]))
    assert [fault.split("; ")[0] for fault in faults] == [
        "The word pack, line 32: 'SPICE BS' is the same as 'SPICE B' in line 9",
        "The word pack, line 32: the pack needs 25 different words and has 24",
    ]


def test_a_head_without_an_end_is_told_after_what_is_wrong_in_it() -> None:
    faults = faults_of(HEAD.replace("title", "titel") + "\n".join(WORDS))
    assert [int(re.findall(r"line (\d+): ", fault)[0]) for fault in faults] == [2, 6, 7]


def test_an_empty_file_lacks_everything() -> None:
    faults = faults_of("")
    assert len(faults) == 7
    assert all(fault.startswith("The word pack, line 1: ") for fault in faults)


def test_faults_of_a_file_bear_its_name(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.txt"
    file.write_text(with_word(3, ""), encoding="utf-8")
    [fault] = faults_of(file)
    assert fault.startswith("kitchen.txt, line 11: ")


def test_a_file_must_be_called_after_its_pack(tmp_path: Path) -> None:
    file = tmp_path / "bathroom.txt"
    file.write_text(pack_text(), encoding="utf-8")
    [fault] = faults_of(file)
    assert fault.startswith("bathroom.txt, line 1: the name 'kitchen' is not the file's")


def test_a_file_in_another_encoding_is_refused_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.txt"
    file.write_bytes(with_word(2, "CAFÉ").encode("latin-1"))
    assert faults_of(file) == [
        "kitchen.txt, line 10: this is not UTF-8 text, but perhaps Windows-1252 ('CAFÉ'); "
        "save the file as UTF-8."
    ]


def test_a_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path: Path) -> None:
    [missing] = faults_of(tmp_path / "kitchen.txt")
    assert "No such file" in missing
    [folder] = faults_of(tmp_path)
    assert "Is a directory" in folder


@pytest.mark.parametrize("name", shipped_names())
@pytest.mark.parametrize("american", [False, True])
def test_in_a_shipped_pack_no_word_is_inside_another(name: str, american: bool) -> None:
    words = spelt(pack_named(name), american=american).words
    assert [
        (word, other) for word in words for other in words if word != other and word in other
    ] == []


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_pack_is_written_as_it_is_shown(name: str) -> None:
    written = Path(__file__).parents[2] / "pi_table/games/words/packs" / f"{name}.txt"
    body = written.read_text(encoding="utf-8").split("\n\n", 1)[1]
    lines = [line for line in body.splitlines() if not line.startswith("#")]
    assert "\n".join(lines) == text_of(pack_named(name)).split("\n\n", 1)[1].rstrip()


def test_the_english_pack_keeps_its_promises() -> None:
    pack = pack_named("english")
    assert (pack.language, pack.audience, pack.licence) == ("en", Audience.EVERYBODY, "MIT")
    assert pack.source.startswith("our own choosing")
    assert 850 <= len(pack.words) <= 900
    assert list(pack.words) == sorted(pack.words)
    words = [*pack.words, *pack.twins.values()]
    assert [word for word in words if not re.fullmatch("[A-Z]{3,11}", word)] == []


def test_the_pack_for_adults_keeps_its_promises() -> None:  # DU-1
    pack = pack_named("after-dark")
    assert (pack.language, pack.audience, pack.licence) == ("en", Audience.ADULTS, "MIT")
    assert pack.source.startswith("our own choosing")
    assert len(pack.words) >= 400
    assert list(pack.words) == sorted(pack.words, key=without_accents)
    words = [*pack.words, *pack.twins.values()]
    assert [word for word in words if not re.fullmatch("[A-ZÉ' ]{3,14}", word)] == []
    in_both = {*pack.words} & {*pack_named("english").words}
    assert len(in_both) <= len(pack.words) / 10

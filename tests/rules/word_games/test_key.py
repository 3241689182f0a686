"""The key: its text, its hiding, and that each of them has one number (CN-2)."""

import pickle
import pprint
import secrets
from collections import Counter
from itertools import permutations
from math import comb, factorial, log2
from random import Random
from secrets import randbelow

import msgspec
import pytest
from given_keys import drawn
from rich.pretty import pretty_repr

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules import chance as chances
from pi_table.games.rules.chance import DRAWN_BYTES, Chance
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.drawing import EveryKey, Numbering
from pi_table.games.rules.word_games.key import (
    ALIAS,
    CLASSIC,
    Identity,
    Key,
    Layout,
    identity_at,
    layout_of,
)

RED_STARTS = "rbnarbnrbnrbnrbnrbnrbnrbr"
SWAPPED = str.maketrans("rb", "br")
BLUE_STARTS = RED_STARTS.translate(SWAPPED)
BLUE_HUNTS_NINE = "rbnarbnrbnrb-rbnrbnrbnrbr"
RED_HUNTS_NINE = BLUE_HUNTS_NINE.translate(SWAPPED)
KEYS = Numbering(9, 8, 7)


def agents_in(word: str) -> tuple[int, int]:
    return word.count("r"), word.count("b")


SPLITS = {tuple(agents_in(words[0]) for words in split): split for split in KEYS._splits}
STARTS = dict(zip(SPLITS, KEYS._starts, strict=True))  # strict: no split is there twice


def number_of(letters: str) -> int:
    """The number of a key, worked out from its text: the way back."""
    others = letters.replace("a", "")
    blocks = others[:8], others[8:16], others[16:]
    counts = tuple(agents_in(block) for block in blocks)
    (_, middle, right), start = SPLITS[counts], STARTS[counts]
    first, second, third = (
        words.index(block) for words, block in zip(SPLITS[counts], blocks, strict=True)
    )
    arrangement = start + (first * len(middle) + second) * len(right) + third
    return arrangement * CELL_COUNT + letters.index("a")


# --- what a key says


def test_a_key_reads_back_from_its_letters() -> None:
    for letters in (RED_STARTS, BLUE_STARTS, drawn(randbelow).letters):
        assert Key.read(letters).letters == letters
    for letters in (BLUE_HUNTS_NINE, RED_HUNTS_NINE, drawn(randbelow, ALIAS).letters):
        assert Key.read(letters, ALIAS).letters == letters


def test_the_cells_are_read_in_the_order_of_the_letters() -> None:
    key = Key.read(RED_STARTS)
    assert [key.identity(cell) for cell in range(4)] == [
        Identity.RED,
        Identity.BLUE,
        Identity.BYSTANDER,
        Identity.ASSASSIN,
    ]
    assert "".join(key.identity(cell).letter for cell in range(CELL_COUNT)) == RED_STARTS


def test_the_team_with_nine_agents_starts() -> None:  # CN-2
    red, blue = Key.read(RED_STARTS), Key.read(BLUE_STARTS)
    assert (red.starts, red.letters.count("r"), red.letters.count("b")) == (Team.RED, 9, 8)
    assert (blue.starts, blue.letters.count("r"), blue.letters.count("b")) == (Team.BLUE, 8, 9)


def test_in_alias_24_the_team_that_hunts_nine_starts() -> None:  # AL-1, AL-3, AL-4
    red, blue = Key.read(RED_HUNTS_NINE, ALIAS), Key.read(BLUE_HUNTS_NINE, ALIAS)
    assert (red.starts, red.letters.count("r"), red.letters.count("b")) == (Team.RED, 8, 9)
    assert (blue.starts, blue.letters.count("r"), blue.letters.count("b")) == (Team.BLUE, 9, 8)
    assert [ALIAS.quarry(team) for team in Team] == [Team.BLUE, Team.RED]
    assert [CLASSIC.quarry(team) for team in Team] == [Team.RED, Team.BLUE]


def test_a_key_says_which_game_it_is_of() -> None:
    # AL-1: the cell in the middle holds no card, so nobody needs to be told
    assert layout_of(RED_STARTS) is CLASSIC
    assert layout_of(RED_HUNTS_NINE) is ALIAS
    key = Key.read(BLUE_HUNTS_NINE, ALIAS)
    assert [key.identity(cell) for cell in range(4)] == [
        Identity.RED,
        Identity.BLUE,
        Identity.DECOY,
        Identity.NUKE,
    ]
    assert [identity_at(BLUE_HUNTS_NINE, cell) for cell in (2, 3, 12)] == [
        Identity.DECOY,
        Identity.NUKE,
        None,
    ]
    assert identity_at(RED_STARTS, 2) is Identity.BYSTANDER
    with pytest.raises(KeyError):
        key.identity(12)


def test_each_team_is_the_others_other() -> None:
    assert [team.other for team in Team] == [Team.BLUE, Team.RED]


def test_an_identity_knows_its_letter_and_its_team() -> None:
    assert [(i.value, i.letter, i.team) for i in Identity] == [
        ("red", "r", Team.RED),
        ("blue", "b", Team.BLUE),
        ("bystander", "n", None),
        ("assassin", "a", None),
        ("decoy", "n", None),
        ("nuke", "a", None),
    ]
    assert [CLASSIC.by_letter[letter] for letter in "rbna"] == list(Identity)[:4]
    assert [ALIAS.by_letter[letter].value for letter in "rbna"] == ["red", "blue", "decoy", "nuke"]
    assert [team.letter for team in Team] == ["r", "b"]


def test_teams_and_identities_are_stored_by_their_words() -> None:
    for member in (*Team, *Identity):
        assert msgspec.json.decode(msgspec.json.encode(member), type=type(member)) is member
        assert pickle.loads(pickle.dumps(member)) is member
        assert {member: 1}[type(member)(member.value)] == 1


# --- what it does not


class Holder(msgspec.Struct, frozen=True):
    key: Key


@pytest.mark.parametrize("letters", [RED_STARTS, BLUE_STARTS])
def test_no_way_of_printing_shows_anything_of_a_key(letters: str) -> None:
    # ALL-1: the same for every key, so not even who starts
    key = Key(letters)
    for text in (
        repr(key),
        str(key),
        f"{key}",
        f"{key!r}",
        f"{key!a}",
        "%s %r" % (key, key),  # noqa: UP031
    ):
        assert text.replace("Key(hidden)", "").strip() == ""
    assert pprint.pformat([key]) == "[Key(hidden)]"
    assert repr(Holder(key)) == "Holder(key=Key(hidden))"
    assert pretty_repr(Holder(key)) == "Holder(key=Key(letters='hidden'))"
    with pytest.raises(TypeError) as refused:
        format(key, ">30")
    assert str(refused.value) == "unsupported format string passed to Key.__format__"


def test_what_stores_a_key_gets_its_letters() -> None:
    key = Key(RED_STARTS)
    assert pickle.loads(pickle.dumps(key)) == key
    assert msgspec.to_builtins(key) == {"letters": RED_STARTS}
    assert msgspec.json.decode(msgspec.json.encode(key), type=Key) == key


LIKEWISE = {"not 25 letters": "", "has other letters": "x" * 25, "wrong number": "a" * 25}
LIKEWISE_IN_ALIAS_24 = {**LIKEWISE, "wrong number": "aaaaaaaaaaaa-aaaaaaaaaaaa"}
"""Texts of which the same is wrong."""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (RED_STARTS[:-1], "not 25 letters"),
        (RED_STARTS + "n", "not 25 letters"),
        (RED_STARTS.upper(), "has other letters"),
        (RED_STARTS[:-1] + "-", "has other letters"),
        ("", "not 25 letters"),
        (None, "not 25 letters"),
        ([*RED_STARTS], "not 25 letters"),
        (RED_STARTS[:-1] + "n", "wrong number"),  # 8, 8, 8, 1
        (RED_STARTS[:-1] + "a", "wrong number"),  # 8, 8, 7, 2
        (RED_STARTS.replace("a", "n"), "wrong number"),  # 9, 8, 8, 0
        ("b" + RED_STARTS[1:-1] + "b", "wrong number"),  # 7, 10, 7, 1
        (RED_STARTS.replace("b", "r", 1), "wrong number"),  # 10, 7, 7, 1
        (RED_STARTS.replace("n", "b", 1), "wrong number"),  # 9, 9, 6, 1
        ("r" * 25, "wrong number"),
    ],
)
def test_what_is_no_key_is_refused_and_not_quoted(text: object, complaint: str) -> None:
    # CN-2, ALL-1: what is said is the same whatever the text was
    with pytest.raises(InputError, match=complaint) as refused:
        Key.read(text)
    with pytest.raises(InputError, match=complaint) as other:
        Key.read(LIKEWISE[complaint])
    assert str(refused.value) == str(other.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (RED_STARTS, "has other letters"),
        (RED_HUNTS_NINE.replace("-", "n"), "has other letters"),
        (RED_HUNTS_NINE.replace("-", ""), "not 25 letters"),
        ("-" + RED_HUNTS_NINE.replace("-", ""), "has other letters"),
        (RED_HUNTS_NINE[:-1] + "-", "has other letters"),
        (RED_HUNTS_NINE + "n", "not 25 letters"),
        ("", "not 25 letters"),
        (None, "not 25 letters"),
        (RED_HUNTS_NINE.replace("n", "a", 1), "wrong number"),
        (RED_HUNTS_NINE.replace("n", "r", 1), "wrong number"),
    ],
)
def test_what_is_no_key_of_alias_24_is_refused_and_not_quoted(text: object, complaint: str) -> None:
    # AL-1, ALL-1
    with pytest.raises(InputError, match=complaint) as refused:
        Key.read(text, ALIAS)
    with pytest.raises(InputError) as other:
        Key.read(LIKEWISE_IN_ALIAS_24[complaint], ALIAS)
    assert str(refused.value) == str(other.value)


# --- how it is drawn


@pytest.mark.parametrize("counts", [(3, 2, 1), (2, 1, 3), (3, 2, 2), (1, 0, 0)])
def test_each_key_of_a_small_game_has_exactly_one_number(counts: tuple[int, int, int]) -> None:
    # CN-2
    starting, other, bystanders = counts
    numbering = Numbering(starting, other, bystanders)
    numbered = [numbering.letters(number) for number in range(numbering.count)]
    packs = (
        "r" * red + "b" * blue + "n" * bystanders + "a"
        for red, blue in ((starting, other), (other, starting))
    )
    keys = {"".join(cards) for pack in packs for cards in permutations(pack)}
    assert Counter(numbered) == Counter(keys)


@pytest.mark.parametrize("hostile", [False, True])
@pytest.mark.parametrize("without", [None, 0, 3, 6])
@pytest.mark.parametrize("starts", [None, *Team])
def test_each_key_of_a_small_game_that_lets_a_team_start_has_exactly_one_number(
    starts: Team | None, without: int | None, hostile: bool
) -> None:  # CN-2, AL-4, DU-2, NC-3: of seven cards, or of six and a cell without one
    cards = 6 if without is not None else 7
    layout = Layout(3, 2, cards - 6, Identity.BYSTANDER, Identity.ASSASSIN, without, hostile)
    asked: list[int] = []

    def below(count: int) -> int:
        asked.append(count)
        return number

    number = 0
    found = [drawn(below, layout, starts).letters]
    while (number := number + 1) < asked[0]:
        found.append(drawn(below, layout, starts).letters)
    assert {*asked} == {len(found)}
    more = {
        team: "r" if (team is Team.RED) is not hostile else "b" for team in Team
    }  # the letter of which there are three where the team starts
    packs = [
        more[team] * 3 + more[team.other] * 2 + "n" * (cards - 6) + "a"
        for team in ([starts] if starts else Team)
    ]
    keys = {"".join(order) for pack in packs for order in permutations(pack)}
    if without is not None:
        keys = {key[:without] + "-" + key[without:] for key in keys}
    assert Counter(found) == Counter(keys)


@pytest.mark.parametrize("layout", [CLASSIC, ALIAS])
@pytest.mark.parametrize("starts", Team)
def test_at_either_end_of_the_numbers_the_team_that_is_to_start_does(
    layout: Layout, starts: Team
) -> None:  # CN-2, AL-4
    half = EveryKey(layout).count // 2
    chance = Random(24)
    numbers = [0, half - 1, *(chance.randrange(half) for _ in range(500))]
    for number in numbers:
        key = drawn(lambda count: number if count == half else -1, layout, starts)  # noqa: B023
        assert Key.read(key.letters, layout).starts is starts


def test_there_are_as_many_numbers_of_alias_24_as_keys() -> None:
    # AL-1, AL-4: 24 aliases, either team having the nine
    assert EveryKey(ALIAS).count == 2 * factorial(24) // (
        factorial(9) * factorial(8) * factorial(6)
    )


def test_there_are_as_many_numbers_as_keys() -> None:
    # CN-2: the assassin's cell, the starting team's among the rest, the other's, either way round
    assert KEYS.count == 2 * 25 * comb(24, 9) * comb(15, 8)
    assert KEYS.count == 2 * factorial(25) // (factorial(9) * factorial(8) * factorial(7))
    assert KEYS.count == 420_689_412_000
    assert round(log2(KEYS.count), 1) == 38.6


def test_a_key_leads_back_to_its_number() -> None:
    # CN-2: at both ends, on both sides of every seam, and anywhere
    seams = [start * CELL_COUNT for start in KEYS._starts] + [KEYS.count]
    chance = Random(25)
    numbers = [
        *seams[:-1],
        *(seam - 1 for seam in seams[1:]),
        *(chance.randrange(KEYS.count) for _ in range(2_000)),
    ]
    for number in numbers:
        letters = KEYS.letters(number)
        assert Key.read(letters).letters == letters
        assert number_of(letters) == number


def test_one_number_below_their_count_is_all_that_a_key_is_drawn_by() -> None:  # CN-2
    asked: list[int] = []

    def below(count: int) -> int:
        asked.append(count)
        return 123_456_789_012

    assert drawn(below).letters == KEYS.letters(123_456_789_012)
    assert asked == [420_689_412_000]


def test_it_is_the_operating_systems_generator_that_draws() -> None:
    # CN-2: no statistics could tell that a guessable one had taken its place
    assert Chance()._random_bytes is secrets.token_bytes


def test_the_bytes_of_a_draw_are_all_that_a_key_is_drawn_by() -> None:  # CN-2
    asked: list[int] = []

    def random_bytes(count: int) -> bytes:
        asked.append(count)
        return (5 * KEYS.count + 123_456_789_012).to_bytes(count)

    drawn = Chance(random_bytes).one_of(EveryKey())
    assert drawn.letters == KEYS.letters(123_456_789_012)
    assert asked == [DRAWN_BYTES]


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 25, 100, 128, 255, 256])
def test_every_result_of_a_draw_comes_from_as_many_bytes(  # CN-2
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With draws of one byte, where all of them can be tried."""
    monkeypatch.setattr(chances, "DRAWN_BYTES", 1)
    monkeypatch.setattr(chances, "MAX_COUNT", 256)
    kept: Counter[int] = Counter()
    for byte in range(256):
        draws = iter([bytes([byte]), b"\0"])
        result = Chance(lambda _: next(draws)).below(count)  # noqa: B023 - called at once
        kept[result] += next(draws, None) is not None
    assert kept == dict.fromkeys(range(count), 256 // count)

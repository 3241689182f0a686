"""`pi-table play`: what goes in, what comes out, and which lines end it."""

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from given_keys import GivenKeys
from hypothesis import given
from hypothesis import strategies as st

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELLS
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.play import explain, play
from pi_table.games.rules.profile import PROFILES, Family, Settings
from pi_table.games.rules.refusal import Reason, in_codex
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.game import SEATS
from pi_table.games.rules.word_games.key import ALIAS, CLASSIC, Key, Layout
from pi_table.games.rules.word_games.phases import TABLE

LETTERS = "rbnrbbrrnbnrabrrnbnrbnrbn"
GAME = json.dumps({"profile": "codenames", "options": {}, "words": None, "key": LETTERS})
WORDS = [f"word {number}" for number in range(25)]
CLUE = '{"seat": "red-spymaster", "act": "clue", "word": "flight", "number": 2}'
GUESS = '{"seat": "red-operatives", "act": "guess", "cell": "A1"}'
DEEP = 100_000
WORD_GAMES = [name for name, profile in PROFILES.items() if profile.family is Family.WORDS]


def answers(*lines: str) -> list[dict[str, Any]]:
    return [json.loads(answer) for answer in play(lines, Chance())]


def answer_to(line: str, *before: str) -> dict[str, Any]:
    """The answer to a line in a game in which ``before`` was done."""
    return answers(GAME, *before, line)[-1]


def clue(number: str, word: str = '"flight"') -> str:
    return f'{{"seat": "red-spymaster", "act": "clue", "word": {word}, "number": {number}}}'


def game(**fields: object) -> str:
    return json.dumps({"profile": "codenames", "key": LETTERS} | fields)


ALIAS_LETTERS = "rbnrbbrrnbnr-brrbnnbarbnb"


def alias(**fields: object) -> str:
    return game(**{"profile": "alias-24", "key": ALIAS_LETTERS} | fields)


def place(cell: str, seat: str = "red", **more: object) -> str:
    return json.dumps({"seat": f"{seat}-operatives", "act": "place", "cell": cell} | more)


def beginning(text: str) -> str:
    """Enough of a long line to name a test."""
    return text[:30]


# --- what comes out


def test_there_is_one_line_out_for_each_line_in_the_first_too() -> None:
    lines = [GAME, CLUE, GUESS, GUESS, '{"act": "tick"}']
    written = list(play(lines, Chance()))
    assert len(written) == len(lines)
    assert all("\n" not in line for line in written)


def test_an_answer_comes_before_the_next_line_is_asked_for() -> None:
    asked = count()

    def lines() -> Any:
        for line in (GAME, CLUE, GUESS):
            next(asked)
            yield line

    for number, _ in enumerate(play(lines(), Chance()), start=1):
        assert next(asked) == 2 * number - 1


def test_what_was_done_is_answered_with_the_view_and_what_the_seat_is_told() -> None:
    assert list(answer_to(CLUE)) == ["ok", "view", "told"]
    assert answer_to(CLUE)["ok"] is True
    assert answer_to(CLUE)["told"] is None
    assert list(answers(GAME)[0]) == ["ok", "view", "told"]


def test_what_was_refused_is_answered_with_the_view_and_the_reason() -> None:  # CN-5
    refused = answer_to(GUESS)
    assert list(refused) == ["ok", "view", "reason"]
    assert (refused["ok"], refused["reason"]) == (False, "no-clue-yet")


@pytest.mark.parametrize("seat", [seat.value for seat in SEATS])
def test_any_seat_may_look_and_is_told_its_view(seat: str) -> None:  # ALL-1
    answer = answer_to(json.dumps({"seat": seat, "act": "look"}))
    told = answer["told"]
    assert told["seat"] == seat
    assert told["public"] == answer["view"]
    assert ("key" in told) == seat.endswith("spymaster")
    assert LETTERS not in json.dumps(answer["view"])


def test_the_clues_are_told_to_whoever_asks() -> None:  # CN-25
    told = answer_to('{"seat": "blue-operatives", "act": "clues"}', CLUE)["told"]
    assert told == [{"team": "red", "word": "flight", "number": 2}]


# --- the first line


def test_a_key_that_is_not_given_is_drawn() -> None:  # CN-2
    class Known(GivenKeys):
        def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
            return Key(LETTERS.translate(str.maketrans("rb", "br")))

    for line in ('{"profile": "codenames"}', game(key=None)):
        (answer,) = (json.loads(line) for line in play([line], Known()))
        assert answer["view"]["starts"] == "blue"
        assert answer["view"]["left"] == {"red": 8, "blue": 9}


def test_the_team_with_nine_agents_starts() -> None:  # CN-3
    view = answers(GAME)[0]["view"]
    assert (view["turn"], view["left"], view["phase"]) == ("red", {"red": 9, "blue": 8}, "clue")


def test_given_words_lie_on_the_cells_in_their_order() -> None:  # CN-1
    cells = answers(game(words=WORDS))[0]["view"]["cells"]
    assert {name: cell["word"] for name, cell in cells.items()} == dict(
        zip(CELLS, WORDS, strict=True)
    )


def test_alias_24_has_24_words_and_a_key_without_c3() -> None:  # AL-1, AL-4
    words = [None if number == 12 else word for number, word in enumerate(WORDS)]
    view = answers(alias(words=words))[0]["view"]
    assert view["cells"]["C3"] == {"word": None, "covered": None}
    assert view["cells"]["B3"]["word"] == "word 11"
    assert (view["starts"], view["turn"], view["left"]) == ("red", "red", {"red": 8, "blue": 9})


@pytest.mark.parametrize("profile", WORD_GAMES)
def test_a_game_whose_words_are_given_is_dealt_whoever_deals(profile: str) -> None:  # DU-2
    without = 12 if profile == "alias-24" else None
    words = [None if number == without else word for number, word in enumerate(WORDS)]
    opened = {"profile": profile, "words": words, "options": {"dealing": "shared"}}
    assert answers(json.dumps(opened))[0]["view"]["phase"] == "clue"
    assert answers(json.dumps(opened | {"words": None}))[0]["view"]["phase"] == "place"


def test_a_key_that_is_given_for_cards_that_the_teams_lay_is_in_force_when_they_lie() -> None:
    # DU-2, ALL-1: which team starts is public at once, and nothing else
    look = '{"seat": "blue-spymaster", "act": "look"}'
    placed = [place(cell, ("red", "blue")[number % 2]) for number, cell in enumerate(CELLS)]
    opened = json.dumps({"profile": "deep-undercover", "key": LETTERS})
    first, *told, last, seen = answers(opened, *placed[:24], look, placed[24], look)
    assert first["view"]["starts"] == first["view"]["turn"] == "red"
    assert all(LETTERS not in json.dumps(answer) for answer in (first, *told, last))
    assert told[-1]["told"]["key"] is None
    assert (last["view"]["phase"], last["view"]["turn"]) == ("clue", "red")
    assert seen["told"]["key"] == LETTERS


def test_the_key_that_is_drawn_when_the_cards_lie_lets_the_team_start_that_did() -> None:  # DU-2
    asked: list[tuple[Layout, Team | None]] = []

    class Known(GivenKeys):
        def below(self, count: int) -> int:
            return count - 1

        def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
            asked.append((layout, starts))
            return super().key(layout, starts)

    cells = [cell for cell in CELLS if cell != "C3"]
    lines = [place(cell, ("blue", "red")[number % 2]) for number, cell in enumerate(cells)]
    opened = json.dumps({"profile": "alias-24", "options": {"dealing": "shared"}})
    told = [json.loads(answer) for answer in play([opened, *lines], Known())]
    assert all(answer["ok"] for answer in told)
    assert asked == [(ALIAS, Team.BLUE)]
    assert told[-1]["view"]["starts"] == "blue"
    assert told[-1]["view"]["left"] == {"red": 9, "blue": 8}


def handed(**fields: object) -> str:
    """A game whose words are in the hands of the teams; red starts."""
    hands = {"red": WORDS[:13], "blue": WORDS[13:]}
    return game(**{"profile": "deep-undercover", "hands": hands} | fields)


def test_hands_that_are_given_lie_open_until_all_cards_lie() -> None:  # DU-2
    choose = '{"seat": "red-operatives", "act": "choose", "word": "word 5"}'
    placed = [place(cell, ("red", "blue")[number % 2]) for number, cell in enumerate(CELLS)]
    first, chosen, *told = answers(handed(), choose, *placed)
    assert first["view"]["hands"] == {"red": WORDS[:13], "blue": WORDS[13:]}
    assert (first["view"]["next_word"], chosen["view"]["next_word"]) == ("word 0", "word 5")
    assert told[0]["view"]["cells"]["A1"]["word"] == "word 5"
    assert told[0]["view"]["hands"]["red"] == [*WORDS[:5], *WORDS[6:13]]
    assert all(answer["ok"] for answer in told)
    assert told[-1]["view"]["phase"] == "clue"
    assert "hands" not in told[-1]["view"]


def test_where_words_are_not_known_there_are_no_hands() -> None:  # DU-2
    opened = json.dumps({"profile": "deep-undercover", "words": None, "key": LETTERS})
    first, placed = answers(opened, place("A1", word="anything"))
    assert "hands" not in first["view"]
    assert first["view"]["next_word"] is None
    assert placed["ok"]
    choose = '{"seat": "blue-operatives", "act": "choose", "word": "anything"}'
    assert answers(opened, place("A1"), choose)[-1]["reason"] == "not-in-hand"


def test_options_may_be_absent_or_null() -> None:
    fields: dict[str, Any]
    for fields in ({}, {"options": None}, {"options": {}}):
        assert answers(game(**fields))[0]["ok"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "{}",
            f"The game is missing: give a profile, one of {', '.join(PROFILES)}.",
        ),
        ('{"profile": "codename"}', "did you mean 'codenames'?"),
        (handed(words=WORDS), "Hands are for shared dealing"),
        (handed(options={"dealing": "table"}), "Hands are for shared dealing"),
        (handed(hands=[WORDS[:13], WORDS[13:]]), "The hands are an object"),
        (handed(hands={"green": WORDS}), "The hands are an object"),
        (handed(hands={"red": WORDS[:12], "blue": WORDS[12:]}), "The hand of red is 13 words"),
        (handed(hands={"red": WORDS[:13]}), "The hand of blue is 12 words"),
        (handed(hands={"red": [*WORDS[:12], 5], "blue": WORDS[13:]}), "The hand of red is 13"),
        (handed(options={"players": "cooperative"}), "The hand of red is 25 words"),
        (
            handed(hands={"red": WORDS[:13], "blue": [*WORDS[14:], "WORD  3"]}),
            "The words 'word 3' and 'WORD  3' differ only in",
        ),
        ('{"profile": ["codenames"]}', "There is no game called ['codenames']"),
        ('{"profile": "\\ud800"}', "There is no game called '\\ud800'"),
        (game(key=None, at=3), "A game has no field 'at'"),
        (game(option={}), "did you mean 'options'?"),
        (game(options=[]), "The options of a game are an object"),
        (game(options=False), "The options of a game are an object"),
        (game(options={"zer": True}), "has no setting 'zer'; did you mean 'zero'?"),
        (game(options={"nuke": "mad"}), "has no setting 'nuke'; choose one of: lang, "),
        (
            game(options={"players": "three"}),
            "choose one of: teams, cooperative, shared-operative.",
        ),
        (alias(options={"players": "teams"}), "The game 'alias-24' has no setting 'players'"),
        (alias(options={"zero": True}), "The game 'alias-24' has no setting 'zero'"),
        (alias(options={"nuke": "sad"}), "cannot be 'sad'; did you mean 'mad'?"),
        (alias(key=LETTERS), "The key has other letters than it can have."),
        (alias(key=ALIAS_LETTERS.replace("n", "b", 1)), "The key has the wrong number of some"),
        (alias(words=WORDS), "C3 holds no card in this game: its word is null."),
        (alias(words=[None, *WORDS[1:12], None, *WORDS[13:]]), "that of A1 is not."),
        (alias(words=[*WORDS[:12], None, *WORDS[13:24], "WORD 0"]), "differ only in"),
        (alias(words=[*WORDS[:12], *WORDS[13:]]), "The words of a game are a list of 25, or null."),
        (game(key=ALIAS_LETTERS), "The key has other letters than it can have."),
        (game(options={"zero": 1}), "The setting 'zero' cannot be 1; it is true or false."),
        (game(options={"penalty": None}), "The setting 'penalty' cannot be null"),
        (game(options={"timer": "clok"}), "cannot be 'clok'; did you mean 'clock'?"),
        (game(options={"timer": ["clock"]}), "did you mean 'clock'?"),
        (game(options={"lang": "xx"}), "cannot be 'xx'; choose one of: en, it."),
        (game(options={"clue_seconds": 0}), "it is a whole number of seconds, 1 to 3600."),
        (game(options={"clue_seconds": 3601}), "it is a whole number of seconds, 1 to 3600."),
        (game(options={"clue_seconds": 1.5}), "it is a whole number of seconds, 1 to 3600."),
        (game(options={"clue_seconds": True}), "it is a whole number of seconds, 1 to 3600."),
        (game(options={"hourglass_seconds": 10**30}), "it is a whole number of seconds"),
        (game(key=LETTERS[:-1]), "The key is not 25 letters."),
        (game(key="r" * 25), "The key has the wrong number of some letter."),
        (game(key=25), "A key is text of 25 letters, or null"),
        (game(words=WORDS[:24]), "The words of a game are a list of 25, or null."),
        (game(words=[*WORDS, "one more"]), "The words of a game are a list of 25, or null."),
        (game(words=dict.fromkeys(WORDS)), "The words of a game are a list of 25, or null."),
        (game(words=[*WORDS[:24], None]), "Each of the 25 words is text of 1 to 40 characters"),
        (game(words=[*WORDS[:24], "  "]), "Each of the 25 words is text of 1 to 40 characters"),
        (game(words=[*WORDS[:24], "a\nb"]), "Each of the 25 words is text of 1 to 40 characters"),
        (game(words=[*WORDS[:24], "a\0b"]), "Each of the 25 words is text of 1 to 40 characters"),
        (game(words=[*WORDS[:24], "\ud800"]), "Each of the 25 words is text of 1 to 40 characters"),
        (game(words=[*WORDS[:24], "word 3"]), "'word 3' and 'word 3' differ only in"),
        (game(words=[*WORDS[:24], "WORD 3"]), "'word 3' and 'WORD 3' differ only in"),
        (game(words=[*WORDS[:24], " wo rd3 "]), "'word 3' and ' wo rd3 ' differ only in"),
        (game(words=["a"] * 25), "'a' and 'a' differ only in"),  # one object for all of them
        (game(words=[*WORDS[:12], "\u00e8", *WORDS[13:24], "\u00e8"]), "differ only in"),
        (game(words=[*WORDS[:23], "caf\u00e9", "cafe\u0301"]), "differ only in"),
        (game(words=[*WORDS[:23], "stra\u00dfe", "STRASSE"]), "differ only in"),
    ],
)
def test_a_first_line_that_makes_no_game_ends_it(line: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        answers(line)
    assert str(error.value).startswith("Line 1: ")
    assert complaint in str(error.value)


def test_no_complaint_about_a_game_tells_the_key() -> None:  # ALL-1
    for wrong in (game(key=LETTERS[:-1]), game(key=LETTERS[:-1] + "a"), game(zero=1)):
        with pytest.raises(InputError) as error:
            answers(wrong)
        assert LETTERS[:5] not in str(error.value)


def test_no_lines_at_all_are_an_error() -> None:
    with pytest.raises(InputError, match=r"^Line 1 is missing"):
        answers()


# --- lines that end it, wherever they stand


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "this is not JSON: Expecting value, at column 1."),
        ("   ", "this is not JSON"),
        ("act", "this is not JSON"),
        ('{"act": "tick"', "this is not JSON"),
        ('{"act": "tick"} {"act": "tick"}', "this is not JSON: Extra data, at column 17."),
        ("{'act': 'tick'}", "this is not JSON"),
        ('{"act": "tick", "at": NaN}', "NaN is not a number"),
        ('{"act": "tick", "at": -Infinity}', "-Infinity is not a number"),
        ('{"act": "tick", "word": "a\tb"}', "this is not JSON"),
        ('\ufeff{"act": "tick"}', "this is not JSON"),
        ("\ud800", "this is not JSON"),
        ("[" * DEEP, "this is nested too deeply."),
        ('{"a":' * DEEP, "this is nested too deeply."),
        ('{"act": "tick", "a": ' + "[" * DEEP + "]" * DEEP + "}", "this is nested too deeply."),
        ("[]", "this is JSON, but not an object."),
        ("null", "this is JSON, but not an object."),
        ("3", "this is JSON, but not an object."),
        ('"tick"', "this is JSON, but not an object."),
        ("{}", 'an act needs a text "act"'),
        ('{"seat": "operator"}', 'an act needs a text "act"'),
        ('{"seat": "operator", "act": null}', 'an act needs a text "act"'),
        ('{"seat": "operator", "act": ["look"]}', 'an act needs a text "act"'),
        ('{"act": "look"}', 'an act needs a text "seat"'),
        ('{"act": "look", "seat": null}', 'an act needs a text "seat"'),
        ('{"act": "no such act", "seat": 1}', 'an act needs a text "seat"'),
    ],
    ids=beginning,
)
def test_a_line_that_is_no_act_ends_it_and_is_named(line: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        answers(GAME, CLUE, line, GUESS)
    assert str(error.value).startswith("Line 3: ")
    assert complaint in str(error.value)


def test_what_came_before_a_line_that_ends_it_has_been_answered() -> None:
    written = play([GAME, CLUE, "nonsense"], Chance())
    assert json.loads(next(written))["ok"]
    assert json.loads(next(written))["ok"]
    with pytest.raises(InputError, match=r"^Line 3: "):
        next(written)


# --- acts that are refused


NO_NUMBERS = ["-1", "26", "1.5", "2.0", "1e1", "true", "null", '"2"', '"Unlimited"', "[2]", "{}"]
HUGE_NUMBERS = ["1e400", "-1e400", "9" * 25, "-" + "9" * 25, "9" * 5000]
NO_WORDS = ['""', '" "', '"a\\nb"', '"a\\u0000"', '"\\u200b"', '"\\ud800"', "5", "true", "[]"]
LONG_WORDS = [json.dumps("x" * 41), json.dumps("x" * 1_000_000)]


@pytest.mark.parametrize("number", NO_NUMBERS + HUGE_NUMBERS, ids=beginning)
def test_a_number_that_is_not_whole_or_not_in_its_range_is_refused(number: str) -> None:  # CN-5
    assert answer_to(clue(number))["reason"] == "bad-number"
    mended = f'{{"seat": "operator", "act": "correct", "number": {number}}}'
    assert answer_to(mended, CLUE)["reason"] == "bad-number"


def test_a_number_that_is_none_takes_no_guess_back() -> None:  # ALL-3
    mended = answer_to('{"seat": "operator", "act": "correct", "number": null}', CLUE, GUESS)
    assert mended["reason"] == "bad-number"
    assert mended["view"]["cells"]["A1"]["covered"] == "red"


ABANDON, TAKE_BACK = (f'{{"seat": "operator", "act": "{act}"}}' for act in ("abandon", "correct"))
STOP = '{"seat": "red-operatives", "act": "stop"}'
CHALLENGE = '{"seat": "blue-spymaster", "act": "challenge"}'
UPHOLD = '{"seat": "blue-spymaster", "act": "uphold"}'


@pytest.mark.parametrize(
    "before",
    [
        (),
        (CLUE,),
        (CLUE, GUESS),
        (CLUE, GUESS, STOP),
        (CLUE, CHALLENGE),
        (CLUE, CHALLENGE, UPHOLD),
    ],
    ids=len,
)
def test_an_abandon_by_mistake_is_taken_back_alone(before: tuple[str, ...]) -> None:  # ALL-3
    *_, then, ended, now = answers(GAME, *before, ABANDON, TAKE_BACK)
    assert ended["view"]["outcome"]["why"] == "stopped"
    assert now["view"] == then["view"] | {"corrections": 1}
    *_, again = answers(GAME, *before, ABANDON, TAKE_BACK, ABANDON, TAKE_BACK)
    assert again["view"] == then["view"] | {"corrections": 2}


def test_the_guess_before_an_abandon_is_taken_back_by_the_second_correction() -> None:  # ALL-3
    *_, now = answers(GAME, CLUE, GUESS, ABANDON, TAKE_BACK, TAKE_BACK)
    assert now["view"]["cells"]["A1"]["covered"] is None
    assert now["view"]["guesses"] == 0


def test_nothing_is_taken_back_once_the_key_is_open_to_everybody() -> None:  # ALL-5
    opened = '{"seat": "operator", "act": "reveal"}'
    assert answer_to(TAKE_BACK, CLUE, GUESS, ABANDON, opened)["reason"] == "nothing-to-correct"


@pytest.mark.parametrize("laid", [0, 1, 24])
def test_an_abandon_by_mistake_takes_no_card_off_the_table(laid: int) -> None:  # ALL-3, DU-2
    first = game(profile="deep-undercover", options={"dealing": "shared"})
    seats = ("red", "blue")
    cards = [place(cell, seats[turn % 2]) for turn, cell in enumerate(CELLS[:laid])]
    told = answers(first, *cards, ABANDON, TAKE_BACK)
    assert all(answer["ok"] for answer in told)
    assert told[-1]["view"] == told[-3]["view"] | {"corrections": 1}


def test_an_abandon_leaves_the_time_of_the_turn_as_it_was() -> None:  # ALL-3, CN-24
    first = game(options={"timer": "clock", "clock_end": "end-turn", "guess_seconds": 30})
    acts = ((CLUE, 0), (ABANDON, 20), (TAKE_BACK, 99))
    lines = [f'{line[:-1]}, "at": {at}}}' for line, at in acts]
    for at, phase in ((108, "guess"), (110, "clue")):
        *_, last = answers(first, *lines, json.dumps({"act": "tick", "at": at}))
        assert last["view"]["phase"] == phase


@pytest.mark.parametrize("number", ["1", "25", '"unlimited"'])
def test_the_numbers_at_both_ends_and_unlimited_are_accepted(number: str) -> None:  # CN-5, CN-16
    assert answer_to(clue(number))["view"]["clue"]["number"] == json.loads(number)


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("null", None),
        ('"sea"', "sea"),
        ('"  sea breeze "', "sea breeze"),
        ('"perch\\u00e9"', "perché"),
        (json.dumps("x" * 40), "x" * 40),
    ],
)
def test_a_clue_has_a_word_or_none(word: str, shown: str | None) -> None:  # CN-5
    assert answer_to(clue("2", word))["view"]["clue"]["word"] == shown


def test_words_are_kept_in_composed_unicode_with_signs_that_can_be_shown() -> None:  # CN-1, DU-2
    written = ["perche\u0301", "R2\u2011D2", " sea ", *WORDS[3:]]
    kept = ["perché", "R2-D2", "sea", *WORDS[3:]]
    (answer,) = answers(game(words=written))
    assert [cell["word"] for cell in answer["view"]["cells"].values()] == kept
    (answer,) = answers(handed(hands={"red": written[:13], "blue": written[13:]}))
    assert answer["view"]["hands"] == {"red": kept[:13], "blue": kept[13:]}


def test_a_clue_needs_no_word() -> None:  # CN-5
    spoken = '{"seat": "red-spymaster", "act": "clue", "number": 2}'
    assert answer_to(spoken)["view"]["clue"] == {"word": None, "number": 2}


@pytest.mark.parametrize("word", NO_WORDS + LONG_WORDS, ids=beginning)
def test_a_word_that_is_no_word_is_refused(word: str) -> None:  # CN-5, DU-2
    assert answer_to(clue("2", word))["reason"] == "bad-word"
    opened = game(options={"dealing": "shared"})
    card = f'{{"seat": "red-operatives", "act": "place", "cell": "A1", "word": {word}}}'
    assert answers(opened, card)[-1]["reason"] == "bad-word"


@pytest.mark.parametrize(
    "cell", ['"F1"', '"A6"', '"a1"', '"A1 "', '""', "0", "null", "true", '["A1"]', '"end-turn"']
)
def test_a_cell_that_there_is_not_is_refused(cell: str) -> None:  # CN-6
    touch = f'{{"seat": "red-operatives", "act": "guess", "cell": {cell}}}'
    assert answer_to(touch, CLUE)["reason"] == "unknown-cell"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"seat": "red-operatives", "act": "touch", "cell": "A1"}', "unknown-act"),
        ('{"seat": "red-operatives", "act": "send", "to": "agent-2"}', "unknown-act"),
        ('{"seat": "red-operatives", "act": "place", "cell": "A1", "word": "x"}', "cards-laid-out"),
        ('{"seat": "red-operatives", "act": "", "cell": "A1"}', "unknown-act"),
        ('{"seat": "red-operatives", "act": "\\ud800"}', "unknown-act"),
        ('{"seat": "agent-1", "act": "guess", "cell": "A1"}', "unknown-seat"),
        ('{"seat": "", "act": "look"}', "unknown-seat"),
        ('{"seat": "Operator", "act": "look"}', "unknown-seat"),
        ('{"seat": "red-operatives", "act": "guess"}', "missing-field"),
        ('{"seat": "red-spymaster", "act": "clue", "word": "x"}', "missing-field"),
        ('{"seat": "blue-spymaster", "act": "cover"}', "missing-field"),
    ],
)
def test_what_is_unknown_or_missing_is_refused(line: str, reason: str) -> None:
    assert answer_to(line)["reason"] == reason


def test_of_a_field_that_is_given_twice_the_last_counts() -> None:
    touch = '{"seat": "red-operatives", "act": "guess", "cell": "F9", "cell": "A1"}'
    assert answer_to(touch, CLUE)["ok"]


def test_further_fields_are_for_whoever_wrote_them() -> None:
    touch = '{"seat": "red-operatives", "act": "guess", "cell": "A1", "note": {"by": [1, null]}}'
    assert answer_to(touch, CLUE)["ok"]
    assert answer_to('{"act": "tick", "seat": 5, "note": "' + "x" * 5_000_000 + '"}')["ok"]


# --- time


@pytest.mark.parametrize(
    "at",
    ["-1", "true", "null", '"5"', "[]", "1e400", "1e300", "9" * 5000, "1000000.5"],
    ids=beginning,
)
def test_a_time_that_is_none_is_refused(at: str) -> None:  # CN-24
    assert answer_to(f'{{"act": "tick", "at": {at}}}')["reason"] == "bad-time"


def test_time_never_falls() -> None:  # CN-24
    told = answers(
        game(options={"timer": "clock", "clue_seconds": 60}),
        '{"act": "tick", "at": 10}',
        '{"act": "tick", "at": 9.999}',
        '{"act": "tick"}',
        '{"act": "tick", "at": 10}',
        '{"act": "tick", "at": 1000000}',
    )
    assert [answer["ok"] for answer in told] == [True, True, False, True, True, True]
    assert [answer["view"]["timer"]["left"] for answer in told] == [60, 50, 50, 50, 50, 0]


def test_an_act_without_a_time_happens_at_the_time_of_the_one_before() -> None:  # CN-24
    *_, last = answers(
        game(options={"timer": "clock", "clue_seconds": 60, "guess_seconds": 90}),
        CLUE[:-1] + ', "at": 30}',
        GUESS,
        '{"act": "tick", "at": 50}',
    )
    assert last["view"]["timer"]["left"] == 70


def test_time_goes_by_for_an_act_that_is_refused_too() -> None:  # CN-24
    *_, refused, later = answers(
        game(options={"timer": "clock", "clue_seconds": 60}),
        GUESS[:-1] + ', "at": 45}',
        '{"act": "tick", "at": 44}',
    )
    assert refused["view"]["timer"]["left"] == 15
    assert later["reason"] == "bad-time"


# --- anything at all

texts = st.text(alphabet="aZ1 \u00e9\u2028\ud800\0", max_size=3)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda children: st.lists(children, max_size=3),
    max_leaves=3,
)
names = [*(row.act.__struct_config__.tag for row in TABLE), "look", "clues", "tick"]
lines = st.fixed_dictionaries(
    {
        "act": st.sampled_from(names) | texts,
        "seat": st.sampled_from([seat.value for seat in Seat]) | texts,
    },
    optional={
        "cell": st.sampled_from(CELLS) | json_values,
        "number": st.integers(-1, 26) | json_values,
        "word": json_values,
        "at": st.floats(0, 100) | json_values,
    },
).map(json.dumps)


games_to_try = st.sampled_from(
    [
        *(GAME, alias(), alias(options={"dealing": "shared"})),
        *(game(options={"players": "cooperative"}), handed()),
    ]
)


@given(games_to_try, st.lists(lines, max_size=30))
def test_whatever_acts_are_tried_each_is_answered_and_a_refusal_changes_nothing(
    begun: str, tried: list[str]
) -> None:
    looks = [json.dumps({"seat": seat.value, "act": "look"}) for seat in Seat]
    told = answers(begun, *(line for act in tried for line in (*looks, act, *looks)))[1:]
    reasons = {reason.value for reason in Reason}
    each = 2 * len(looks) + 1
    for start in range(0, len(told), each):
        before, answer = told[start : start + len(looks)], told[start + len(looks)]
        after = told[start + len(looks) + 1 : start + each]
        if not answer["ok"]:
            assert answer["reason"] in reasons
            assert after == before


# --- the command


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "pi_table", "play", *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=False)


def test_the_command_plays_a_file_or_what_comes_in(tmp_path: Path) -> None:
    text = "\n".join([GAME, CLUE, GUESS]) + "\n"
    file = tmp_path / "acts.jsonl"
    file.write_text(text)
    for done in (run("--acts", str(file)), run("--acts", "-", given=text.encode())):
        assert (done.returncode, done.stderr) == (0, b"")
        assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True] * 3


@pytest.mark.parametrize("line", [b"nonsense", b"", b'{"act": "tick", "word": "\xff"}'])
def test_the_command_ends_with_2_and_names_the_line(line: bytes) -> None:
    done = run("--acts", "-", given=GAME.encode() + b"\n" + line + b"\n")
    assert done.returncode == 2
    assert b"Line 2: " in done.stderr
    assert b"Traceback" not in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_the_command_explains_a_profile() -> None:
    done = run("--explain", "codenames")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == list(explain(PROFILES["codenames"]))


def explained(profile: str) -> set[str]:
    """Return the names that the explanation of a game has."""
    return {line.split()[0] for line in explain(PROFILES[profile]) if line.startswith("  ")}


@pytest.mark.parametrize("profile", WORD_GAMES)
def test_the_explanation_lists_every_act_reason_and_setting_of_the_game_and_no_other(
    profile: str,
) -> None:
    others = {reason.value for reason in Reason if reason.where is in_codex}
    others |= {"ready-first", "ready-already"}  # of visits, which Codex alone has
    others |= {*Settings.__struct_fields__} - {*PROFILES[profile].settings}
    if profile == "alias-24":
        others |= {"cover-pending", "no-other-team", "not-own-agent"}
        others |= {"zero-is-off", "unlimited-is-off"}
    else:
        others |= {"no-card"}
    known = {*names, *(reason.value for reason in Reason), *Settings.__struct_fields__}
    assert explained(profile) == known - others


def test_the_explanation_lists_the_seats_and_the_values_of_the_settings() -> None:
    said = [*explain(PROFILES["nome-in-codice"])]
    assert f"Seats: {', '.join(seat.value for seat in SEATS)}." in said
    assert '  lang                 "it" (en, it)' in said
    assert '  players              "teams" (teams, cooperative, shared-operative)' in said
    assert "  zero                 true (true or false)" in said
    assert "  clue_seconds         120 (a whole number of seconds, 1 to 3600)" in said


@pytest.mark.parametrize("profile", WORD_GAMES)
def test_a_phase_in_which_an_absent_teams_agent_is_covered_is_explained_where_a_group_can_play(
    profile: str,
) -> None:  # NC-4
    (cover,) = (line for line in explain(PROFILES[profile]) if line.split()[:1] == ["cover"])
    phases = "penalty, cover" if "players" in PROFILES[profile].settings else "penalty"
    assert f"the team's spymaster ({phases})." in cover


def test_the_explanation_of_codex_is_of_codex() -> None:
    said = explained("codex")
    assert {"send", "attempt", "vote", "tick", "bad-code", "roles", "visit_seconds"} <= said
    assert not {"clue", "guess", "clues", "cell-covered", "zero", "timer"} & said
    assert (
        PROFILES["codex"].settings
        == tuple(line.split()[0] for line in explain(PROFILES["codex"]) if line.startswith("  "))[
            -len(PROFILES["codex"].settings) :
        ]
    )

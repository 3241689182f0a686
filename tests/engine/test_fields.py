"""The fields of acts: what each takes, and the sentence by which it refuses anything else."""

from typing import Any

import pytest

from pi_table.common.errors import TableError
from pi_table.table.engine.requests import console, desk, game, house
from pi_table.table.engine.requests.fields import Fields, InLanguage, read_fields

WHOLE = "is a whole number, 0 or more."
TEXT = "is a text of 1 to 255 characters."
A_LANGUAGE = "There is no language 'xx'; choose one of: en, it."
SET = "What the house sets is an object of settings and their values."
ONE = "One setting of the house changes at a time: give its name and value."
PAGES = "menu, lights, touch, sound, knobs, screen, faults"


@pytest.mark.parametrize(
    ("kind", "said", "sentence"),
    [
        (console.Start, {"cards": None}, "There are no cards None; choose one of: own, dealt."),
        (console.Start, {"cards": "deal"}, "There are no cards 'deal'; did you mean 'dealt'?"),
        (console.Start, {"pack": 1}, "Ask for a word pack by its name."),
        (console.Start, {"blanks": "sun"}, "Words on blank cards are a list of texts."),
        (console.Start, {"blanks": ["sun", 1]}, "Words on blank cards are a list of texts."),
        (console.Next, {"ending": 1}, "'ending' is true or false."),
        (console.Next, {"swap": None}, "'swap' is true or false."),
        (console.Record, {"game": True}, "The number must be from 1 to 25, or another that this"),
        (console.Changes, {}, SET),
        (console.Changes, {"set": []}, SET),
        (console.EnterPin, {"pin": "123"}, "A PIN has four to eight digits."),
        (console.EnterPin, {"pin": "1234\n"}, "A PIN has four to eight digits."),
        (console.EnterPin, {"pin": "١٢٣٤"}, "A PIN has four to eight digits."),
        (console.EnterPin, {"pin": "123456789"}, "A PIN has four to eight digits."),
        (console.Serve, {"page": 1}, f"The service mode has no page 1: there are {PAGES}."),
        (console.Serve, {"lit": 1}, "These lights cannot be tried: Expected `object`, got `int`."),
        (
            console.Serve,
            {"lit": {"light": "x"}},
            "These lights cannot be tried: Expected `int`, got `str` - at `$.light`.",
        ),
        (console.Serve, {"sound": True}, "The loudspeaker can be tested with “sound” or “speech”."),
        (InLanguage, {"lang": "xx"}, A_LANGUAGE),
        (desk.Change, {"set": {}}, ONE),
        (desk.Change, {"set": {"volume": 1, "muted": True}}, ONE),
        (desk.Games, {"most": -1}, f"'most' {WHOLE}"),
        (desk.Games, {"most": 1 << 40}, f"'most' {WHOLE}"),
        (desk.Games, {"most": 1.0}, f"'most' {WHOLE}"),
        (desk.Record, {"lang": "xx"}, f"'game' {WHOLE}"),
        (desk.Statistics, {"of": "xx", "lang": "yy"}, A_LANGUAGE),
        (desk.Name, {"name": ""}, f"'name' {TEXT}"),
        (desk.Name, {"name": "a" * 256}, f"'name' {TEXT}"),
        (desk.Put, {"what": "text"}, f"'at' {WHOLE}"),
        (desk.Put, {"at": 0, "piece": "QUJ"}, "A piece is base64."),
        (desk.Put, {"at": 0}, "An upload is a “text” or a “backup”."),
        (
            desk.WordList,
            {"separator": "x"},
            "There is no separator 'x'; choose one of: lines, tab, semicolon, bar, comma, dot,",
        ),
        (
            desk.WordList,
            {"encoding": "utf-8\n"},
            "There is no encoding 'utf-8\\n'; did you mean 'utf-8'?",
        ),
        (desk.WordList, {"column": -1}, f"'column' {WHOLE}"),
        (desk.WordList, {"title": "a" * 256}, f"'title' {TEXT}"),
        (desk.WordList, {"make": 1}, "'make' is true or false."),
        (game.Clue, {"number": 2}, "A word has 1 to 40 characters that the table can show and"),
        (game.Clue, {"word": "sun", "number": 26}, "The number must be from 1 to 25, or another"),
        (game.Clue, {"word": "sun", "number": "x"}, "The number must be from 1 to 25, or another"),
        (house.Locate, {}, "'seconds' is a whole number from 0 to 300."),
        (house.Locate, {"seconds": 301}, "'seconds' is a whole number from 0 to 300."),
        (house.Close, {"minutes": 121}, "'minutes' is a whole number from 0 to 120."),
        (house.KeepFree, {"seconds": 1801}, "'seconds' is a whole number from 0 to 1800."),
        (house.Set, {"settings": {}}, SET),
        (
            house.Finished,
            {"after": {"number": "1"}},
            "After which game does the list start? Expected `int`, got `str` - at `$.number`.",
        ),
    ],
)
def test_a_field_refuses_with_its_sentence(
    kind: type[Fields], said: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(TableError) as refused:
        read_fields(kind, {"act": "any", **said})
    told = str(refused.value)
    assert told.startswith(sentence)
    assert told == sentence or not sentence.endswith(".")


def test_what_an_act_does_not_know_is_ignored() -> None:
    said = read_fields(desk.Games, {"act": "games", "seat": "operator", "most": 5, "x": [[]]})
    assert (said.most, said.lang) == (5, "en")


def test_the_bounds_themselves_are_taken() -> None:
    assert read_fields(house.Locate, {"seconds": 300}).seconds == 300
    assert read_fields(house.Close, {"minutes": 120}).minutes == 120
    assert read_fields(house.KeepFree, {"seconds": 1800}).seconds == 1800
    assert read_fields(game.Clue, {"word": "sun", "number": 25}).number == 25
    assert read_fields(game.Clue, {"word": "sun", "number": "unlimited"}).number == "unlimited"
    assert read_fields(desk.Get, {"at": (1 << 40) - 1}).at == (1 << 40) - 1
    assert read_fields(desk.Name, {"name": "a" * 255}).name == "a" * 255
    assert read_fields(desk.WordList, {"title": "", "separator": None}).title == ""


def test_what_has_a_pin_shows_none() -> None:
    assert repr(read_fields(console.EnterPin, {"pin": "1234"})) == "EnterPin(…)"

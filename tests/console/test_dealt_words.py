"""Setting up where dealt words come from: a pack, and words of the players' own."""

from typing import Any

import pytest
from exploring import FAULTY, WIDE, Offering, blanks
from marked import marked, unmarked
from playing import Desk, RulesTable, choose, typed

from pi_table.common.errors import InputError
from pi_table.common.language import LANGUAGES, translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.word_games.events import Dealt
from pi_table.games.words.pack import packs
from pi_table.games.words.word import MAX_WORD_LENGTH, WordFault, Wrong
from pi_table.screens.console.blanks import Blanks, BlankWord, sentence, still_good
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.scene import scene
from pi_table.screens.console.setup import Setup
from pi_table.screens.console.shapes import Text
from pi_table.screens.console.update import update
from pi_table.table.engine.dealing import Dealer, Shelf, WordSource

__all__ = ["marked"]

PRESS, RIGHT, LEFT, BACK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK


def value(desk: Desk, label: str) -> str:
    return desk.values[desk.labels.index(label)]


def setup(*labels: str, table: RulesTable | None = None) -> Desk:
    """The choice of the next game, and then these lines of it."""
    return choose(Desk(table or Offering()), "The classic game", *labels)


def write(*words: str, table: RulesTable | None = None) -> Desk:
    """The list of words of the players' own, these written on it."""
    desk = setup("Our own words", table=table)
    for word in words:
        choose(desk, "Add a word").happen(*typed(f"{word}\n"))
    return desk


def started(desk: Desk) -> dict[str, Any]:
    """Return the request that starting the game now would send to the table."""
    start = Choose(desk.model.choices[0])
    _, (request,) = update(desk.model, start, 0.0)
    return request.do


PACKS: list[tuple[int, str, dict[str, str]]] = [
    (0, "The usual ones", {}),
    (1, "After dark (18+)", {"pack": "after-dark"}),
    (2, "English", {"pack": "english"}),
    (3, "The kitchen", {"pack": "kitchen"}),
    (4, "The usual ones", {}),
]


@pytest.mark.parametrize(("presses", "called", "asked"), PACKS)
def test_a_press_goes_on_to_the_next_pack_of_the_language(
    presses: int, called: str, asked: dict[str, str]
) -> None:
    # DU-1
    desk = setup(*["Words"] * presses)
    assert value(desk, "Words") == called
    do = started(desk)
    assert {name: do[name] for name in ("pack", "blanks") if name in do} == asked


def test_packs_are_of_the_language_of_the_game_and_one_of_another_is_dropped() -> None:
    desk = setup("Words", "Words")
    choose(desk, "House rules…", "Timer").happen(BACK)
    assert value(desk, "Words") == "English"
    choose(desk, "Language")
    assert value(desk, "Parole") == "Quelle solite"
    choose(desk, "Parole")
    assert value(desk, "Parole") == "Italiano"


@pytest.mark.parametrize("line", ["Words", "Our own words"])
def test_only_dealt_words_come_from_somewhere(line: str) -> None:
    # DU-3
    assert line in setup().labels
    assert line not in setup("Cards").labels
    of_agents = choose(Desk(Offering()), "Six agents, two codes").labels
    assert "Nicknames" in of_agents
    assert line not in of_agents


def test_where_no_pack_is_offered_there_is_none_to_choose() -> None:
    assert "Words" not in setup(table=RulesTable()).labels
    assert "Our own words" in setup(table=RulesTable()).labels


def test_what_was_chosen_for_dealt_words_is_not_asked_for_with_own_cards() -> None:
    desk = choose(write("apron"), "Done", "Words", "Cards")
    do = started(desk)
    assert do["cards"] == "own"
    assert not {"pack", "blanks"} & {*do}


def test_words_are_written_one_after_the_other_and_dealt() -> None:
    # DU-3
    desk = write("apron", " bread  knife")
    assert desk.labels == ["Add a word", "BREAD KNIFE", "APRON", "Done"]
    choose(desk, "Done")
    assert value(desk, "Our own words") == "2"
    assert started(desk)["blanks"] == ["APRON", "BREAD KNIFE"]


def test_what_is_written_during_a_game_outlasts_what_happens_in_it() -> None:
    # DU-3
    table = Offering()
    desk = choose(Desk(table.begin()), "New game…", "The classic game", "Our own words")
    choose(desk, "Add a word").happen(*typed("apron\n"))
    table.clue()
    assert desk.hear().labels == ["Add a word", "APRON", "Done"]
    choose(desk, "Add a word").happen(*typed("bread"))
    table.guess("A1")
    assert "BREAD" in desk.hear().texts
    desk.happen(*typed("\n"))
    choose(desk, "Done")
    assert value(desk, "Our own words") == "2"


def test_a_word_is_written_with_the_encoder() -> None:
    desk = write().happen(PRESS, PRESS, RIGHT, PRESS)
    assert "AB" in desk.texts
    desk.happen(*[LEFT] * 3, PRESS)
    assert "AB" not in desk.texts
    desk.happen(RIGHT, PRESS)
    assert desk.labels == ["Add a word", "A", "Done"]


def test_a_letter_typed_on_the_list_begins_a_word_and_back_leaves_it() -> None:
    desk = write().happen(*typed("pot"))
    assert "POT" in desk.texts
    desk.happen(BACK)
    assert desk.labels == ["Add a word", "Done"]


def test_a_press_on_a_word_takes_it_away() -> None:
    desk = choose(write("apron", "pot", "whisk"), "POT")
    assert desk.labels == ["Add a word", "WHISK", "APRON", "Done"]
    assert desk.labels[desk.model.selected] == "APRON"
    desk.happen(BACK)
    assert started(desk)["blanks"] == ["APRON", "WHISK"]


def test_nothing_written_is_no_word() -> None:
    assert write("", "  ").labels == ["Add a word", "Done"]


def test_letters_are_those_of_the_language_of_the_next_game() -> None:
    desk = choose(setup("Language", "Parole nostre"), "Aggiungi una parola")
    assert {*"ÀÈÉÌÒÙ"} <= {*desk.labels}
    assert not {*"ÀÈÉÌÒÙ"} & {*choose(write(), "Add a word").labels}


WRONG = [
    ("-", Wrong.EMPTY, "A word has at least one letter or digit."),
    ("#pot", Wrong.COMMENT, "A word cannot begin with #."),
    ("po\u200bt", Wrong.UNSEEN, "It contains an invisible character: erase it."),
    (
        "p\u043et",
        Wrong.FOREIGN,
        "It contains a letter or sign that the table cannot show: erase it.",
    ),
    ("w" * 17, Wrong.TOO_LONG, "17 characters are too many: 14 fit on a card."),
    ("cats", Wrong.ALIKE, "You already have this word: CAT."),
    ("càt", Wrong.ALIKE, "You already have this word: CAT."),
]


@pytest.mark.parametrize(("word", "why", "said"), WRONG)
def test_a_word_with_a_fault_is_not_taken_and_it_is_said_why(
    word: str, why: Wrong, said: str
) -> None:
    # DU-3
    desk = write("cat", word)
    screen = desk.model.screen
    assert isinstance(screen, BlankWord)
    assert screen.fault is not None
    assert screen.fault.why is why
    assert said in desk.texts
    desk.happen(*typed("\b" * len(word)), *typed("dog\n"))
    assert desk.labels == ["Add a word", "DOG", "CAT", "Done"]


def test_every_fault_has_a_sentence_of_its_own_in_every_language() -> None:
    for lang in LANGUAGES:
        said = {translate(sentence(WordFault(why, "W", "X")), lang) for why in Wrong}
        assert len(said) == len(Wrong)


def test_the_longest_word_is_taken() -> None:
    assert "W" * MAX_WORD_LENGTH in write("w" * MAX_WORD_LENGTH).labels


@pytest.mark.parametrize(("profile", "most"), [("codenames", 25), ("alias-24", 24)])
def test_there_are_as_many_as_the_game_has_cards(profile: str, most: int) -> None:
    # DU-3, AL-1
    title = PROFILES[profile].title
    desk = choose(Desk(Offering()), title, "Our own words")
    for word in WIDE[: most - 1]:
        choose(desk, "Add a word").happen(*typed(f"{word}\n"))
    assert "Add a word" in desk.labels
    choose(desk, "Add a word").happen(*typed(f"{WIDE[most - 1]}\n"))
    assert "Add a word" not in desk.labels
    desk.happen(*typed("z"))
    assert isinstance(desk.model.screen, Blanks)
    choose(desk, "Done")
    assert len(started(desk)["blanks"]) == most


def test_another_game_or_language_keeps_the_words_that_go_with_it() -> None:
    assert still_good(WIDE, "alias-24", "en") == WIDE[:24]
    assert still_good(("CANE", "CANI", "PANE"), "codenames", "it") == ("CANE", "PANE")
    desk = write("cane", "cani", "pane")
    choose(desk, "Done", "Language")
    assert started(desk)["blanks"] == ["CANE", "PANE"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_asked_for_can_be_dealt(lang: str) -> None:
    desk = choose(write("apron", "pot"), "Done", *(["Language"] if lang == "it" else []))
    do = started(desk)
    dealer = Dealer(Shelf(packs().packs))
    game = {name: do[name] for name in ("profile", "options")}
    dealt = dealer.deal(game, WordSource(do["cards"], do.get("pack"), tuple(do["blanks"])))
    assert isinstance(dealt, Dealt)
    assert {"APRON", "POT"} <= {*(dealt.words or ())}
    with pytest.raises(InputError):
        dealer.deal(
            game, WordSource("dealt", None, ("APRON", "aprons" if lang == "en" else "apron"))
        )


@pytest.mark.usefixtures("marked")
def test_every_text_comes_through_the_catalogues() -> None:
    data = {*WIDE, *(word.upper() for word in FAULTY), "CAT", *LANGUAGES.values()}
    for model in blanks("en"):
        texts = {each.text for each in scene(model, 0.0) if isinstance(each, Text)}
        past = {text for text in map(unmarked, map(str, texts - data)) if len(text) > 1}
        assert not {text for text in past if any(map(str.isalpha, text))}, model.screen


def test_the_screens_close_when_a_game_begins_elsewhere() -> None:
    desk = choose(write("pot"), "Add a word")
    assert [type(screen) for screen in desk.model.screens][1:] == [Setup, Blanks, BlankWord]
    desk.table.begin()
    assert len(desk.hear().model.screens) == 1


def test_taps_work_as_presses_do() -> None:
    desk = write("pot")
    desk.happen(Choose(desk.model.choices[desk.labels.index("POT")]))
    assert desk.labels == ["Add a word", "Done"]


def test_the_faulty_words_have_all_faults() -> None:
    found = {
        screen.fault.why
        for model in blanks("en")
        if isinstance(screen := model.screen, BlankWord) and screen.fault is not None
    }
    assert found == {*Wrong}
    assert len(FAULTY) == len(Wrong)

"""The referee's opinion on the screen: asked for in time, told in the screen's language, and only
an opinion."""

import re
import select
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from exploring import opinions
from marked import marked, unmarked
from msgspec.structs import replace
from patience import PATIENCE
from playing import KEY, WORDS, RulesTable
from test_hidden_key import TWIN

import pi_table.games.referee
from pi_table.common.errors import TableError
from pi_table.common.language import LANGUAGES, Lang, translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.referee import opinion
from pi_table.games.referee.reasons import Verdict, Why
from pi_table.games.rules.profile import HOUSE_RULES
from pi_table.protocols.ipc.client import Connected
from pi_table.protocols.ipc.messages import Request
from pi_table.screens.console import judge
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Happening, Typed
from pi_table.screens.console.inbox import Inbox
from pi_table.screens.console.judge import AtOnce, InBackground, Judged, Question, ask_referee
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import Text
from pi_table.screens.console.word_games.referee_says import RULES, VERDICTS, question_of

__all__ = ["marked"]

PRESS, RIGHT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.BACK, Input.PEEK
ALIAS_KEY = "rbrrbrbnbrab-nbrnbrnbnrnr"
ITALIAN = ("IMPOSTA", "GRATTACIELO", "BOCCA", *WORDS[3:])
ENGLISH = ("BREAK", "HORSESHOE", "ENGLAND", *WORDS[3:])


class Noting:
    """A judge that answers later, and notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.prepared: set[Lang] = set()

    def prepare(self, lang: Lang) -> None:
        self.prepared.add(lang)

    def ask(self, question: Question) -> None:
        self.asked.append(question)


class Spoken(Console):
    """A console at a table, whose first spymaster types."""

    def __init__(self, table: RulesTable, by: judge.Judge | None = None) -> None:
        self.requests: list[dict[str, Any]] = []
        super().__init__(self._note, judge=by)
        self.does(table.message())

    def _note(self, request: Request) -> None:
        self.requests.append(request.do)

    def does(self, *happenings: Happening) -> "Spoken":
        for happening in happenings:
            self.happen(happening, 0.0)
        return self

    def types(self, word: str, number: int = 2) -> "Spoken":
        """The word, then the number: the clue is about to be given."""
        while "number" not in type(self.model.screen).__name__.lower():
            self.does(PRESS)
        # A letter opens the keys on which it is typed.
        return self.does(*map(Typed, f"a\b{word}\n"), *map(Typed, str(number)))

    @property
    def texts(self) -> list[str]:
        return [str(each.text) for each in self.scene(0.0) if isinstance(each, Text)]


def table(words: tuple[str, ...] = ENGLISH, **options: Any) -> RulesTable:
    given = RulesTable(**options)
    given.words = words
    return given.begin()


SAID = [
    ("bread", ENGLISH, "en", "The referee: invalid", "“bread” is a part of BREAD KNIFE."),
    ("broken", ENGLISH, "en", "The referee: invalid", "That is a form of BREAK."),
    ("horse", ENGLISH, "en", "The referee: invalid", "“horse” is a part of HORSESHOE."),
    ("x", ENGLISH, "en", "The referee: doubtful", "A letter is good only for what it means."),
    ("island", ENGLISH, "en", "The referee: fine", "It finds nothing against this clue."),
    ("bocche", ITALIAN, "it", "L’arbitro: non vale", "È una forma di BOCCA."),
    ("lanterna", ITALIAN, "it", "L’arbitro: va bene", None),
    ("posta", ITALIAN, "it", "L’arbitro: dubbio", "IMPOSTA finisce in «posta»: senso o suono?"),
]


@pytest.mark.parametrize(("word", "words", "lang", "verdict", "reason"), SAID)
def test_before_a_clue_is_given_the_referee_says_what_it_thinks(
    word: str, words: tuple[str, ...], lang: str, verdict: str, reason: str | None
) -> None:
    # CL-1, CL-2, CL-3, CL-7, CL-8, CL-9
    words = (*words[:3], "BREAD KNIFE", *words[4:])
    console = Spoken(table(words, lang=lang)).types(word)
    assert verdict in console.texts
    assert reason is None or reason in console.texts
    fine = verdict in ("The referee: fine", "L’arbitro: va bene")
    decides = {"en": "the other spymaster decides.", "it": "decide l’altro capo."}
    asked = {"en": "Ask the other spymaster, quietly.", "it": "Chiedi all’altro capo, sottovoce."}
    assert any((decides if fine else asked)[lang] in text for text in console.texts)


@pytest.mark.parametrize("word", ["broken", "x", "island", "two words", "''"])
def test_nothing_is_refused(word: str) -> None:
    # CN-19: the other spymaster has the last word.
    console = Spoken(table()).types(word, 3)
    if {"The referee: doubtful", "The referee: invalid"} & {*console.texts}:
        console.does(Input.LEFT)  # it is not what the next press does
    console.does(PRESS)
    assert console.requests == [
        {"seat": "red-spymaster", "act": "clue", "word": word, "number": 3},
    ]


@pytest.mark.parametrize(
    ("word", "default"),
    [("flight", "gives this clue"), ("x", "Change the word"), ("broken", "Change the word")],
)
def test_what_it_calls_doubtful_or_invalid_is_not_what_the_next_press_does(
    word: str, default: str
) -> None:
    console = Spoken(table()).types(word, 3)
    choice = console.model.choices[console.model.selected]
    assert default in translate(choice.label, "en")


def test_it_speaks_the_language_of_the_screen_about_words_of_the_games() -> None:
    console = Spoken(table(lang="en")).types("broken")
    console.model = replace(console.model, lang="it")
    assert {"L’arbitro: non vale", "È una forma di BREAK."} <= {*console.texts}


def test_a_group_decides_for_itself() -> None:
    # NC-3
    console = Spoken(table(players="cooperative")).types("broken")
    assert "Only an opinion: the group decides." in console.texts


def test_what_binds_nobody_any_more_is_passed_as_covered() -> None:
    # CL-6
    given = table().do("red-spymaster", "clue", number=1).do("red-operatives", "guess", cell="C1")
    noted = Noting()
    Spoken(given, noted).types("english")
    (question,) = noted.asked
    assert question.board == ENGLISH
    assert question.covered == ("ENGLAND",)
    assert "The referee: fine" in Spoken(given).types("english").texts
    assert "The referee: invalid" in Spoken(table()).types("english").texts


def test_the_referee_goes_by_the_game_and_its_house_rules() -> None:
    # CL-1, CL-5, CL-12, AL-13
    noted = Noting()
    house = dict.fromkeys(HOUSE_RULES, True)
    given = RulesTable(key=ALIAS_KEY, profile="alias-24", lang="it", **house).begin()
    Spoken(given, noted).types("volo", 3)
    (asked,) = noted.asked
    assert (asked.word, asked.number, asked.lang) == ("volo", 3, "it")
    assert (asked.profile, asked.house) == ("alias-24", HOUSE_RULES)
    assert asked.board == (*WORDS[:12], None, *WORDS[13:])
    Spoken(table(abbreviations=True), noted).types("cia")
    assert noted.asked[-1].house == ("abbreviations",)


def guessed(key: str) -> RulesTable:
    given = table(key=key).do("red-spymaster", "clue", number=2)
    return given.do("red-operatives", "guess", cell="A1").do("red-operatives", "guess", cell="B1")


def test_its_opinion_does_not_depend_on_the_key() -> None:
    # ALL-1
    asked = []
    for key in (KEY, TWIN):
        noted = Noting()
        console = Spoken(guessed(key), noted).types("horse")
        console.does(PEEK, *map(Typed, "s\n"))
        asked.append(noted.asked)
        assert KEY not in repr(noted.asked)
        assert TWIN not in repr(noted.asked)
    assert asked[0] == asked[1]
    assert len(asked[0]) == 2
    texts = [Spoken(guessed(key)).types("english").texts for key in (KEY, TWIN)]
    assert texts[0] == texts[1]
    assert "The referee: invalid" in texts[0]


@pytest.mark.parametrize("how", ["own cards", "spoken"])
def test_where_it_cannot_judge_it_is_silent(how: str) -> None:
    noted = Noting()
    console = Spoken(RulesTable(words=how != "own cards").begin(), noted)
    if how == "own cards":
        console.types("flight")
        assert noted.prepared == set()
    else:
        console.does(PRESS, PRESS)
    assert any("will give" in text for text in console.texts)
    assert noted.asked == []
    assert not any("referee" in text for text in console.texts)


def test_it_is_prepared_while_the_word_is_typed_and_asked_once() -> None:
    noted = Noting()
    console = Spoken(table(lang="it"), noted).does(PRESS)
    assert noted.prepared == set()
    console.does(*map(Typed, "volo"))
    assert noted.prepared == {"it"}
    assert noted.asked == []
    console.does(*map(Typed, "\n2"), RIGHT, RIGHT, PEEK)
    assert [asked.word for asked in noted.asked] == ["volo"]
    assert "L’arbitro sta pensando…" in console.texts


def test_only_the_answer_to_what_is_on_the_screen_is_shown() -> None:
    noted = Noting()
    console = Spoken(table(), noted).types("broken")
    (broken,) = noted.asked
    console.does(*map(Typed, "s\n"))
    other = noted.asked[-1]
    console.does(ask_referee(broken))
    assert "The referee is thinking…" in console.texts
    console.does(ask_referee(other))
    assert "The referee is thinking…" not in console.texts
    console.does(BACK, Typed("4"))
    assert noted.asked[-1] == replace(other, number=4)


def test_after_the_table_was_away_it_is_asked_again() -> None:
    noted = Noting()
    console = Spoken(table(), noted).types("broken")
    console.does(ask_referee(noted.asked[0]), Connected(), table().message()).types("broken")
    assert len(noted.asked) == 2


@pytest.mark.parametrize("word", ["'", "--", " - "])
def test_of_what_is_no_word_it_has_no_opinion(word: str) -> None:
    console = Spoken(table()).types(word)
    asked = question_of(console.model)
    assert asked is not None
    assert console.model.judged == Judged(asked, None)
    assert "The referee has no opinion." in console.texts


def test_a_machine_without_dictionaries_has_no_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question_of(Spoken(table(), Noting()).types("broken").model)
    assert asked is not None
    for error in (TableError("The referee needs a package."), ImportError("no such package")):

        def missing(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(opinion, "opinion", missing)
        monkeypatch.setattr(opinion, "warm", missing)
        assert ask_referee(asked) == Judged(asked, None)
        judge.prepare("en")


def test_in_the_background_it_answers_in_turn_and_not_after_its_end() -> None:
    asked = question_of(Spoken(table(), Noting()).types("broken").model)
    assert asked is not None
    answers: SimpleQueue[Judged] = SimpleQueue()
    background = InBackground(answers.put)
    background.prepare("en")
    background.prepare("en")
    questions = [replace(asked, word=word) for word in ("broken", "island", "horse")]
    for question in questions:
        assert background.ask(question) is None
    assert [answers.get(timeout=60.0) for _ in questions] == [*map(ask_referee, questions)]
    background.ask(asked)
    background.close()
    assert answers.get_nowait() == ask_referee(asked)
    background.ask(asked)
    assert answers.empty()


def test_an_answer_from_the_background_wakes_the_loop_and_is_shown() -> None:
    with closing(Inbox()) as inbox, closing(InBackground(inbox.put)) as background:
        console = Spoken(table(), background).types("broken")
        assert "The referee is thinking…" in console.texts
        assert select.select([inbox.fileno()], [], [], PATIENCE)[0]
        assert "The referee: invalid" in console.does(*inbox.take()).texts


def test_by_itself_a_console_waits_for_the_answer() -> None:
    asked = question_of(Spoken(table(), Noting()).types("broken").model)
    assert asked is not None
    by = AtOnce()
    by.prepare("en")
    assert by.ask(asked) == ask_referee(asked)
    assert Spoken(table()).types("broken").model.judged == ask_referee(asked)


def test_every_rule_that_it_names_has_a_meaning() -> None:
    files = Path(next(iter(pi_table.games.referee.__path__))).glob("*.py")
    named = {rule for path in files for rule in re.findall(r'"([CA]L-\d+)"', path.read_text())}
    assert named
    assert {*RULES} == {None, *named}
    assert {*VERDICTS} == {*Verdict}


@pytest.mark.usefixtures("marked")
def test_every_text_comes_through_the_catalogues_but_its_own_sentences() -> None:
    for model in opinions("en"):
        given = model.judged and model.judged.opinion
        said = {given.reason.text("en")} if given and given.reason else set()
        data = {*WORDS, *said, "W" * 40}
        for each in scene(model, 0.0):
            if isinstance(each, Text) and each.text not in data:
                left = unmarked(translate(each.text, "en"))
                assert len(left) <= 2 or not any(map(str.isalpha, left)), left


def test_all_its_reasons_are_looked_at() -> None:
    for lang in LANGUAGES:
        given = [model.judged.opinion for model in opinions(lang) if model.judged]
        assert {each.reason.why for each in given if each and each.reason} == {*Why}
        assert {each.rule for each in given if each} == {*RULES}

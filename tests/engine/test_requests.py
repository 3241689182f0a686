"""The requests at the console, and their answers."""

from collections.abc import Callable

import pytest
from virtual_table import BLUE_KEY, RED_KEY, SEEN_OUT, VirtualTable

from pi_table.games.announcer.announcement import TENSION
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity
from pi_table.table.engine.outputs import Verdict
from pi_table.table.store.entries import StoredGame
from pi_table.table.store.journal import Journal

MakeTable = Callable[..., VirtualTable]


# --- what the operator does


def test_the_next_game_is_one_act_with_another_key_and_fresh_words(
    make_table: MakeTable,
) -> None:  # CN-23
    table = make_table(cards="dealt", keys=[RED_KEY, BLUE_KEY])
    table.start(timer="hourglass", zero=True)
    first = table.view
    assert table.ask("next").reason == "game-in-progress"
    table.do("abandon")
    assert "next" in table.message.may["operator"]
    table.do("next")
    second = table.view
    assert second.starts is Team.BLUE
    assert table.key == BLUE_KEY.letters
    assert table.message.settings is not None
    assert (table.message.settings.timer, table.message.settings.zero) == ("hourglass", True)
    words = [{cell.word for cell in view.cells.values()} for view in (first, second)]
    assert len(words[0] | words[1]) == 50
    assert table.message.game == 2


def test_words_do_not_come_again_after_a_restart(make_table: MakeTable) -> None:  # CN-23
    seen: set[str | None] = set()
    for game in range(4):
        table = make_table(cards="dealt")
        if game:
            table.do("abandon")
        table.start()
        seen |= {cell.word for cell in table.view.cells.values()}
        table.switch_off()
    assert len(seen) == 100


def test_a_game_with_own_cards_goes_on_with_own_cards(make_table: MakeTable) -> None:  # CN-23
    table = make_table(cards="dealt")
    table.do("start", profile="codenames", cards="own")
    table.do("abandon")
    table.do("next")
    assert {cell.word for cell in table.view.cells.values()} == {None}


def test_a_game_that_is_being_played_is_not_replaced(table: VirtualTable) -> None:
    verdict = table.ask("start", profile="codenames")
    assert verdict.reason == "game-in-progress"
    assert table.message.game == 1


@pytest.mark.parametrize(
    ("do", "reason"),
    [
        ({"act": "start", "seat": "red-spymaster", "profile": "codenames"}, "wrong-seat"),
        ({"act": "start", "seat": "operator", "profile": "codename"}, "unusable"),
        ({"act": "start", "seat": "operator"}, "unusable"),
        ({"act": "start", "seat": "operator", "profile": ["codenames"]}, "unusable"),
        ({"act": "start", "seat": "operator", "profile": "codenames", "cards": []}, "unusable"),
        (
            {"act": "start", "seat": "operator", "profile": "codenames", "options": {"x": 1}},
            "unusable",
        ),
        ({"act": "next", "seat": "operator"}, "no-game"),
        ({"act": "look", "seat": "operator"}, "no-game"),
        ({"act": "clues", "seat": "operator"}, "no-game"),
        ({"act": "pause", "seat": "operator"}, "no-game"),
        ({"act": "nonsense", "seat": "operator"}, "no-game"),
        ({"act": 5, "seat": "operator"}, "unknown-act"),
        ({}, "unknown-act"),
        ({"act": "look", "seat": "king"}, "no-game"),
        ({"act": "look", "seat": None}, "no-game"),
        ({"act": "record", "seat": "operator", "game": 1}, "unusable"),
        ({"act": "record", "seat": "operator", "game": 10**30}, "unusable"),
        ({"act": "record", "seat": "operator", "game": True}, "bad-number"),
        ({"act": "record", "seat": "operator", "game": "1"}, "bad-number"),
        ({"act": "try-again", "seat": "operator"}, "nothing-to-mend"),
        ({"act": "set-aside", "seat": "operator"}, "nothing-to-mend"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason_and_a_sentence(
    make_table: MakeTable, do: dict[str, object], reason: str
) -> None:
    table = make_table()
    answers: list[object] = []
    table.table.ask(do, answers.append)
    (verdict,) = answers
    assert (verdict.ok, verdict.reason) == (False, reason)  # type: ignore[attr-defined]
    assert verdict.sentence.endswith((".", "?"))  # type: ignore[attr-defined]


@pytest.mark.parametrize("act", [[], {}, None, 5, ["house"]])
def test_an_act_whose_name_is_no_text_is_refused(table: VirtualTable, act: object) -> None:
    answers: list[Verdict] = []
    table.table.ask({"act": act, "seat": "operator"}, answers.append)
    assert [verdict.reason for verdict in answers] == ["unknown-act"]


def test_the_console_learns_whether_there_are_clues(make_table: MakeTable) -> None:  # CN-25
    table = make_table(cards="dealt", keys=[RED_KEY])
    table.do("house", set={"guests_may": ["start", "abandon"]})
    table.do("set-pin", pin="4711")
    table.do("lock")
    for given in (False, True):
        table.start()
        if given:
            table.clue(1)
        assert ("clues" in table.message.may["operator"]) is given
        table.do("abandon")
        assert ("clues" in table.message.may["operator"]) is given


def test_the_clues_are_told_to_whoever_asks(table: VirtualTable) -> None:  # CN-25
    table.hold("C4")
    table.clue(3, "blue", "river")
    told = table.ask("clues", "red-operatives").told
    assert [(clue.team, clue.word, clue.number) for clue in told] == [
        (Team.RED, None, 2),
        (Team.BLUE, "river", 3),
    ]


def test_each_seat_is_told_what_it_may_see(table: VirtualTable) -> None:  # ALL-1
    looks = {seat: table.ask("look", seat).told for seat in table.message.may}
    assert {seat for seat, seen in looks.items() if hasattr(seen, "key")} == {
        "red-spymaster",
        "blue-spymaster",
    }
    assert all(seen.public == table.view for seen in looks.values())


def test_a_correction_takes_the_light_back_too(table: VirtualTable) -> None:  # ALL-3
    table.advance(SEEN_OUT)
    resting = table.light("A1")
    table.hold("A1")
    table.advance(SEEN_OUT)
    assert table.lit_as("A1") is Identity.RED
    table.do("correct")
    table.advance(SEEN_OUT)
    assert table.light("A1") == resting
    assert table.view.shown == {"A1": Identity.RED}


def test_a_guess_that_is_taken_back_before_its_answer_is_never_answered(
    table: VirtualTable,
) -> None:  # ALL-3
    table.advance(SEEN_OUT)
    table.hold("A1")
    table.advance(TENSION / 2)
    table.do("correct")
    for _ in range(30):
        table.advance(0.1)
        assert table.lit_as("A1") is None


# --- the record (ALL-4)


def test_the_record_is_read_on_the_console(table: VirtualTable) -> None:  # ALL-4, ALL-5
    assert table.ask("record").told == []
    refused = table.ask("record", game=1)
    assert refused.reason == "unusable"
    table.hold("A1")
    table.hold("E5")
    (summary,) = table.ask("record").told
    assert summary.number == 1
    hidden = [line.text for line in table.ask("record", game=1).told.lines]
    assert any("still hidden" in text for text in hidden)
    assert not any(text.startswith("The key:") for text in hidden)
    table.do("reveal")
    opened = [line.text for line in table.ask("record", game=1).told.lines]
    assert "Red guesses A1: red." in opened
    assert opened[-5:] == [
        "The key: A1 to E1  r r r r r",
        "The key: A2 to E2  r r r r b",
        "The key: A3 to E3  b b b b b",
        "The key: A4 to E4  b b n n n",
        "The key: A5 to E5  n n n n a",
    ]


def test_the_key_of_an_earlier_game_stands_in_its_record(table: VirtualTable) -> None:  # ALL-4
    table.do("abandon")
    table.do("next")
    lines = [line.text for line in table.ask("record", game=1).told.lines]
    assert lines[-1].startswith("The key:")
    assert table.ask("record", game=2).reason == "unusable"


def test_the_list_of_games_is_read_again_only_where_there_is_more_of_a_game(
    table: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:  # ALL-4
    table.do("abandon")
    read: list[int] = []
    original = Journal.read

    def counting(journal: Journal, number: int) -> StoredGame:
        read.append(number)
        return original(journal, number)

    monkeypatch.setattr(Journal, "read", counting)
    lists = [table.ask("record").told for _ in range(5)]
    assert read == [1]
    assert lists == [lists[0]] * 5
    table.do("reveal")
    table.do("record")
    assert read == [1, 1]


def test_a_table_that_was_closed_does_nothing_any_more(table: VirtualTable) -> None:
    table.table.close()
    assert table.asking("look") == []
    assert table.asking("pause", "blue-operatives") == []

"""The public screens and acts at the hidden screen while nobody is in, phase by phase."""

import itertools

import pytest
from codex_table import (
    BACK,
    BLUE_CODE,
    LEFT,
    PRESS,
    RED_CODE,
    RIGHT,
    CodexTable,
    come_in,
    desk,
    wait,
)
from playing import Desk, RulesTable, choose

from pi_table.protocols.ipc.client import Disconnected
from pi_table.screens.console.codex.public_menu import Public
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.shapes import Rect, Text, hit
from pi_table.screens.console.word_games.game_menu import Home

ALL_SEND = ("agent-2", "agent-3", "agent-4", "agent-5", "agent-6", "agent-1")
FRAGMENTS = ("ABCD", "EFGH", "JKLM", "NPQR", "STUV", "WXYZ")


def discussing() -> CodexTable:
    return CodexTable().all_send(*ALL_SEND).visits(*({},) * 6)


def voting() -> CodexTable:
    table = discussing()
    table.do("operator", "end-discussion")
    return table


def over(code: str = RED_CODE, agent: str = "agent-1") -> CodexTable:
    table = CodexTable().all_send(*ALL_SEND)
    while table.turn != agent:
        table.visits({})
    table.enter().do(agent, "attempt", code=code)
    return table


def plate(at: Desk, cell: str) -> Rect:
    """Where the agent of a cell is drawn."""
    scene = at.scene
    (name,) = [shape for shape in scene if isinstance(shape, Text) and shape.text == cell]
    around = [
        shape
        for shape in scene
        if isinstance(shape, Rect)
        and shape.w < 400
        and shape.x <= name.x < shape.x + shape.w
        and shape.y <= name.y < shape.y + shape.h
    ]
    return around[0]


def test_the_one_to_step_up_is_seen_with_the_time_and_who_comes_after() -> None:
    # CX-10
    at = desk(CodexTable())
    assert {"Moon", "steps up to this screen", "0:45", "Messages", "Phase 1"} <= {*at.texts}
    assert "Then: Vega, Puma, Koala, Tango, Mistral" in at.texts
    at.table.now = 12.5
    assert "0:33" in at.texts
    at.table.tick(45.0)
    assert "0:45" in at.hear().texts  # a message is missing: a whole visit more


def test_each_agent_stands_where_the_cell_is_seen_from_the_spymasters_side() -> None:
    # CX-1
    at = desk(CodexTable())
    places = {cell: plate(at, cell) for cell in ("A1", "C1", "E1", "A5", "C5", "E5")}
    assert places["E1"].x < places["C1"].x < places["A1"].x
    assert places["E5"].x < places["C5"].x < places["A5"].x
    assert places["A5"].y < places["A1"].y
    for one, other in itertools.combinations(places.values(), 2):
        assert (one.x, one.y) != (other.x, other.y)
    names = {shape.text: shape for shape in at.scene if isinstance(shape, Text) and shape.y > 300}
    box = places["C1"]
    assert box.x <= names["Vega"].x < box.x + box.w


def test_the_roles_in_play_are_explained_to_anybody() -> None:
    # CX-3
    at = choose(desk(CodexTable()), "Roles in play")
    assert {"Hacker", "Leader", "Profiler"} <= {*at.texts}
    assert "Informer" not in at.texts
    assert len([text for text in at.texts if len(text) > 80]) == 3


def test_the_discussion_shows_its_time_and_can_be_ended() -> None:
    # CX-17
    at = desk(discussing())
    assert {"Discuss!", "5:00"} <= {*at.texts}
    at.table.now += 61.0
    assert "3:59" in at.texts
    at.happen(PRESS)
    assert "End the discussion now, and vote?" in at.texts
    at.happen(PRESS)
    assert at.asked == [{"seat": "operator", "act": "end-discussion"}]
    assert "votes, for everybody to see" in at.texts


def test_a_vote_is_entered_with_three_presses() -> None:
    # CX-7
    at = desk(voting()).happen(PRESS)
    assert at.labels == ["Vega", "Puma", "Koala", "Tango", "Mistral"]
    at.happen(RIGHT, PRESS)
    assert "Moon votes for Puma?" in at.texts
    at.happen(PRESS)
    assert at.asked == [{"seat": "agent-1", "act": "vote", "target": "agent-3"}]
    assert at.labels[0] == "Vega votes…"


def test_a_vote_is_entered_by_touch_on_the_agent() -> None:
    # CX-7
    at = desk(voting()).happen(PRESS)
    box = plate(at, "E5")
    at.happen(Choose(hit(at.scene, box.x + 5, box.y + 50)), PRESS)
    assert at.asked == [{"seat": "agent-1", "act": "vote", "target": "agent-6"}]
    box = plate(at, "A1")
    assert hit(at.happen(PRESS).scene, box.x + 5, box.y + 50) is not None  # Vega may
    at.happen(BACK)
    assert hit(at.scene, box.x + 5, box.y + 50) is None


def test_votes_are_seen_as_they_are_cast_and_counted() -> None:
    # CX-7
    table = voting().all_vote("agent-2", "agent-3", "agent-2")
    at = desk(table)
    assert at.texts.count("votes: Vega") == 2
    assert {"votes: Puma", "2 votes", "1 vote", "Koala votes…"} <= {*at.texts}
    table.do("agent-4", "vote", target="agent-1")
    assert at.hear().texts.count("1 vote") == 2


def test_a_vote_on_the_table_closes_the_one_that_was_being_entered() -> None:
    at = desk(voting()).happen(PRESS, PRESS)
    at.table.do("agent-1", "vote", target="agent-2")
    assert at.hear().labels[0] == "Vega votes…"


def test_what_the_machine_brought_to_light_is_seen_by_everybody() -> None:
    # CX-9
    table = voting().all_vote("agent-3", "agent-3", "agent-1", *("agent-3",) * 3)
    at = desk(table)
    assert {"Puma", "Truth machine", "I am Puma"} <= {*at.texts}
    table.enter().do("agent-3", "reveal", fact="fragment")
    assert "JKLM" in at.hear().texts
    choose(at, "Revealed so far")
    assert at.values == ["nothing yet"] * 2 + ["JKLM"] + ["nothing yet"] * 3


def test_three_wrong_codes_at_the_machine_are_for_the_operator_to_mend() -> None:
    # CX-19
    table = voting().all_vote("agent-3", "agent-3", "agent-1", *("agent-3",) * 3)
    for _ in range(3):
        table.do("agent-3", "enter-code", code="0000")
    at = desk(table)
    assert "needs a new code: More…" in at.texts
    assert "I am Puma" not in at.labels
    table.do("operator", "new-code", target="agent-3")
    choose(at.hear(), "I am Puma")
    for digit in "1357" * 2:
        choose(at, digit)
    assert at.asked == [{"seat": "agent-3", "act": "choose-code", "code": "1357"}]
    assert "Choose what is revealed" in at.labels


@pytest.mark.parametrize(
    ("table", "wins"),
    [(over(), "Red wins"), (over(BLUE_CODE, "agent-2"), "Blue wins")],
    ids=["red", "blue"],
)
def test_the_end_shows_who_won_and_after_a_question_all_identikits(
    table: CodexTable, wins: str
) -> None:
    # ALL-5
    at = desk(table)
    assert {wins, "The code was found", "Game over"} <= {*at.texts}
    assert not {*FRAGMENTS} & {*" ".join(at.texts).split()}
    choose(at, "Show all identikits")
    assert "Show everybody all six identikits?" in at.texts
    at.happen(PRESS)
    assert at.asked == [{"seat": "operator", "act": "reveal"}]
    assert {"1: ABCD", "3: WXYZ", "Leader", "Hacker", "Profiler"} <= {*at.texts}
    assert "ABCD  JKLM  STUV" in at.texts
    assert "Show all identikits" not in at.labels


def test_the_operator_pauses_and_abandons() -> None:
    at = desk(CodexTable())
    choose(at, "More…", "Pause")
    assert {"Paused", "All clocks are stopped."} <= {*at.texts}
    at.table.now = 500.0
    assert "0:45" in at.texts
    choose(at, "More…", "Abandon the game").happen(PRESS)
    assert [do["act"] for do in at.asked] == ["pause"]  # the question begins with no
    at.happen(PRESS, LEFT, PRESS)
    assert [do["act"] for do in at.asked] == ["pause", "abandon"]
    assert "Nobody wins" in at.texts


def test_the_next_game_and_another_one_begin_as_in_the_word_games() -> None:
    # CN-23
    at = desk(over()).happen(PRESS, PRESS)
    assert at.asked == [{"seat": "operator", "act": "next"}]
    assert "I am Moon" in at.labels
    assert "New game…" in desk(over()).labels


def test_games_played_and_faults_are_pages_as_in_the_word_games() -> None:
    table = CodexTable()
    table.game = 13
    at = desk(table)
    choose(at, "More…", "Games played").happen(PRESS)
    assert at.asked[-1] == {"seat": "operator", "act": "record", "game": 12, "lang": "en"}
    assert "A game of codenames begins; red starts." in at.texts
    at.table.faults = ("The controller does not answer. Check its cable.",)
    assert at.table.faults[0] in at.hear().texts
    at.happen(BACK, BACK, BACK, BACK)
    choose(at, "What is wrong?")
    assert at.table.faults[0] in at.texts


def test_a_fault_comes_up_in_a_visit_too_and_the_visit_goes_on_under_it() -> None:
    at = come_in(desk(CodexTable()))
    at.table.faults = ("The controller does not answer. Check its cable.",)
    assert at.table.faults[0] in at.hear().texts
    assert at.happen(BACK).labels[0] == "Send a message"


def test_the_language_can_be_changed_and_is_that_of_the_game() -> None:
    at = desk(CodexTable(lang="it"))
    assert at.model.lang == "it"
    at.happen(LEFT, PRESS, LEFT, PRESS)
    assert "I am Moon" in at.happen(BACK).labels


def test_the_home_screen_goes_by_the_game_that_is_played() -> None:
    words = Desk(RulesTable().begin())
    assert isinstance(words.model.screen, Home)
    agents = desk(CodexTable())
    assert isinstance(agents.model.screen, Public)
    words.happen(agents.table.message())
    assert isinstance(words.model.screen, Public)
    agents.happen(PRESS, Disconnected(), RulesTable().begin().message())
    assert isinstance(agents.model.screen, Home)


def test_a_timer_that_runs_is_painted_again() -> None:
    from pi_table.screens.console.console import Console

    console = Console(lambda request: None)
    table = CodexTable()
    console.happen(table.message(), 0.0)
    assert console.moves(1.0)
    assert not console.moves(46.0)
    table.do("operator", "pause")
    console.happen(table.message(), 1.0)
    assert not console.moves(1.0)


def test_another_lap_begins_with_the_next_seat() -> None:
    # CX-10
    table = voting().all_vote("agent-3", "agent-3", "agent-1", *("agent-3",) * 3)
    table.enter().do("agent-3", "reveal", fact="role")
    at = desk(table)
    assert {"Phase 2", "Vega", "Then: Puma, Koala, Tango, Mistral, Moon"} <= {*at.texts}
    assert wait(wait(at)).labels[0] == "I am Vega"

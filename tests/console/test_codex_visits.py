"""A visit to the hidden screen: what is pressed, and what the table is asked for."""

import pytest
from codex_table import (
    BACK,
    LEFT,
    PRESS,
    RIGHT,
    CodexTable,
    come_in,
    desk,
    digits,
    wait,
)
from playing import Desk, choose

from pi_table.devices.hal.contracts import Input
from pi_table.screens.console.console_events import Choose, Typed

ALL_SEND = ("agent-2", "agent-3", "agent-4", "agent-5", "agent-6", "agent-1")
MOON = "agent-1"


def first() -> Desk:
    """Moon is in, for the first time."""
    return come_in(desk(CodexTable()))


def acting() -> Desk:
    return come_in(desk(CodexTable().all_send(*ALL_SEND)))


def at_machine() -> Desk:
    """Puma was voted to the truth machine, and is in."""
    table = CodexTable().all_send(*ALL_SEND).visits(*({},) * 6)
    table.do("operator", "end-discussion")
    return come_in(desk(table.all_vote("agent-3", "agent-3", "agent-1", *("agent-3",) * 3)))


def in_phase_two() -> Desk:
    """Puma revealed their role; in the second phase Vega and Puma have written to each other, and
    Vega, who had a message from Moon before, is in."""
    at = at_machine()
    choose(at, "Choose what is revealed", "Role").happen(PRESS)
    at.table.all_send("agent-3", *("agent-2",) * 5)  # type: ignore[attr-defined]
    return come_in(at.hear())


def asked(at: Desk) -> dict[str, object]:
    return at.asked[-1]


# The code of one's own


def test_a_code_is_chosen_twice_with_the_encoder() -> None:
    # CX-19
    at = desk(CodexTable()).happen(PRESS, *digits("1234"))
    assert at.asked == []
    assert at.happen(*digits("1234")).asked == [
        {"seat": MOON, "act": "choose-code", "code": "1234"}
    ]
    assert at.labels[0] == "Send a message"


def test_two_codes_that_differ_are_not_taken() -> None:
    # CX-19
    at = desk(CodexTable()).happen(PRESS, *digits("1234"), *digits("1243"))
    assert at.asked == []
    assert "The two were different. Choose your code again." in at.texts
    assert at.happen(*digits("77777777")).asked[-1]["code"] == "7777"


def test_a_code_is_chosen_by_touch_and_on_a_keyboard_too() -> None:
    at = desk(CodexTable()).happen(PRESS)
    for digit in "9071":
        at.happen(Choose(at.model.choices[int(digit)]))
    assert at.happen(*map(Typed, "908\b71")).asked[-1]["code"] == "9071"


def test_the_digits_are_dots_and_can_be_erased() -> None:
    # CX-19
    at = desk(CodexTable()).happen(PRESS)
    nothing = at.scene
    one = at.happen(*digits("3")).scene
    assert one != nothing
    assert at.happen(LEFT, PRESS).scene == nothing
    assert at.happen(*digits("8")).scene == one
    assert one == desk(CodexTable()).happen(PRESS, *digits("5")).scene


def test_a_wrong_code_is_said_with_the_tries_that_are_left_and_the_third_ends_the_visit() -> None:
    # CX-19
    at = desk(CodexTable().all_send(*ALL_SEND))
    said = []
    for _ in range(3):
        at.happen(PRESS, *digits("9999"))
        said.append(at.texts[at.texts.index("Moon", 8) + 1])
    assert said == [
        "Wrong code: 2 attempts left",
        "Wrong code: 1 attempt left",
        "This visit passes to the end of the lap",
    ]
    assert "I am Moon" not in at.labels
    wait(at)
    assert "Then: Puma, Koala, Tango, Mistral, Moon" in at.texts


def test_the_operator_lets_an_agent_choose_anew() -> None:
    # CX-19
    at = desk(CodexTable().all_send(*ALL_SEND))
    choose(at, "More…", "A new code for an agent…").happen(PRESS)
    assert "Let Moon choose a new code of their own? Everybody is told." in at.texts
    at.happen(PRESS)
    assert at.asked == []  # the question begins with no
    at.happen(PRESS, LEFT, PRESS)
    assert asked(at) == {"seat": "operator", "act": "new-code", "target": MOON}
    at.happen(PRESS, *digits("88888888"))
    assert asked(at) == {"seat": MOON, "act": "choose-code", "code": "8888"}


def test_what_was_being_entered_at_the_door_closes_when_another_code_is_to_be_chosen() -> None:
    # CX-19
    at = desk(CodexTable().all_send(*ALL_SEND)).happen(PRESS, *digits("12"))
    at.table.do("operator", "new-code", target=MOON)
    assert at.hear().labels[0] == "I am Moon"
    assert "Moon: choose a code" in at.happen(PRESS).texts


def test_in_a_pause_nobody_steps_up() -> None:
    at = desk(CodexTable()).happen(PRESS)
    at.table.do("operator", "pause")
    assert at.hear().labels[:2] == ["Go on with the game", "Roles in play"]


# The lap of sending


def test_a_message_is_sent_with_six_presses() -> None:
    # CX-5
    at = first().happen(PRESS, PRESS, RIGHT, RIGHT, PRESS, PRESS, PRESS)
    assert asked(at) == {"seat": MOON, "act": "send", "to": "agent-2", "facts": ["role"]}
    assert at.labels[0] == "Send a message"
    assert at.values == ["entered", "", "", "", ""]
    assert at.happen(PRESS).labels[0] == "Send a message"


SECOND = [
    ("Nickname", ["No second fact", "Role"]),
    ("Position", ["No second fact", "Role"]),
    ("Role", ["No second fact", "Nickname", "Faction", "Position"]),
]


@pytest.mark.parametrize(("fact", "seconds"), SECOND, ids=lambda given: str(given))
def test_a_second_fact_can_be_told_by_anybody_if_one_of_the_two_is_the_role(
    fact: str, seconds: list[str]
) -> None:
    # CX-13, CX-18
    at = first()
    choose(at, "Send a message", "Koala", fact)
    assert at.labels == seconds
    choose(at, seconds[-1]).happen(PRESS)
    facts = [fact.lower(), seconds[-1].lower()]
    assert asked(at) == {"seat": MOON, "act": "send", "to": "agent-4", "facts": facts}


def test_a_target_or_nobody_is_named_by_anybody() -> None:
    # CX-11, CX-18
    at = choose(first(), "Name a target")
    assert at.labels == ["Nobody", "Vega", "Puma", "Koala", "Tango", "Mistral"]
    at.happen(PRESS)
    assert at.values[1] == ""
    choose(at, "Name a target", "Puma")
    assert asked(at) == {"seat": MOON, "act": "hack", "target": "agent-3"}
    assert at.values[1] == "entered"


def test_done_is_asked_about_and_hides_everything() -> None:
    # CX-18
    at = first()
    choose(at, "I am done")
    assert "Are you done? Nothing more can be entered or read in this visit." in at.texts
    at.happen(PRESS)
    assert "Send a message first." in at.texts
    choose(at, "Send a message", "Vega", "Role", "No second fact").happen(PRESS)
    choose(at, "I am done").happen(PRESS)
    assert asked(at) == {"seat": MOON, "act": "done"}
    assert "is done" in at.texts
    assert at.labels == ["Roles in play", "Revealed so far", "New game…", "More…"]


# The lap of acting


def test_a_fact_is_demanded_by_anybody_whatever_was_revealed_so_far() -> None:
    # CX-14, CX-18
    at = in_phase_two()
    assert at.labels[0] == "Messages so far"
    choose(at, "Demand a fact")
    assert at.labels == ["Faction", "Role", "Position", "Fragment"]
    assert "Of the agent you vote for. It has no effect unless you are an Inquisitor." in at.texts
    choose(at, "Fragment")
    assert asked(at) == {"seat": "agent-2", "act": "extort", "fact": "fragment"}
    assert at.values[2] == "entered"


def test_a_question_is_asked_by_anybody_about_any_of_five_messages() -> None:
    # CX-16, CX-18
    at = choose(acting(), "Ask about a message")
    assert at.labels == [f"Message {number}" for number in range(1, 6)]
    choose(at, "Message 3")
    assert at.labels == ["Nickname", "Faction", "Role", "Position"]
    choose(at, "Position")
    assert asked(at) == {"seat": MOON, "act": "ask", "message": 3, "fact": "position"}


def test_a_code_is_entered_by_fragments_with_the_encoder() -> None:
    # CX-6
    at = choose(acting(), "Enter a code")
    at.happen(PRESS, RIGHT, PRESS, RIGHT, PRESS)
    assert asked(at)["act"] == "choose-code" or asked(at)["act"] == "enter-code"
    choose(at, "Enter")
    assert "Once in the whole game; the Leader, once in every phase." in at.texts
    at.happen(RIGHT, PRESS)
    assert at.labels[-1] == "Enter"
    choose(at, "Enter").happen(PRESS)
    assert asked(at) == {"seat": MOON, "act": "attempt", "code": "ABCDWXYZ____"}


def test_a_code_is_entered_sign_by_sign_and_only_a_whole_one_is_asked_about() -> None:
    # CX-6
    at = choose(acting(), "Enter a code")
    at.happen(*map(Typed, "abcd efgh 01io jkl"), Typed("\n"))
    assert at.labels[-1] == "Enter"
    at.happen(*map(Typed, "mn\bp"))
    assert at.happen(PRESS, PRESS).labels[-1] == "Enter"  # twelve, and no more
    at.happen(Typed("\n"), PRESS)
    assert asked(at) == {"seat": MOON, "act": "attempt", "code": "ABCDEFGHJKLP"}


def test_messages_are_read_phase_by_phase_the_latest_first() -> None:
    # CX-10
    at = choose(in_phase_two(), "Messages so far")
    assert at.labels == ["Phase 2", "Phase 1"]
    at.happen(Input.PEEK)
    assert {"ABCD", "JKLM", "NPQR", "STUV", "WXYZ"} <= {*at.texts}
    at.happen(RIGHT)
    assert "ABCD" in at.texts
    assert not {"JKLM", "NPQR", "STUV", "WXYZ"} & {*at.texts}


def test_a_fragment_that_was_revealed_has_a_tile_as_one_that_came() -> None:
    # CX-9
    at = at_machine()
    choose(at, "Choose what is revealed", "Fragment").happen(PRESS)
    at.table.all_send(*("agent-1",) * 5, "agent-2")  # type: ignore[attr-defined]
    for _ in range(3):
        wait(at.hear())
    come_in(at)  # Tango, to whom Koala has written, and nobody else
    choose(at, "Enter a code")
    assert at.labels[:6] == ["My own", *(f"No. {tile}" for tile in range(1, 6))]
    with_theirs = ["STUV", "JKLM", "NPQR", "No. 3", "No. 4", "No. 5"]
    assert at.happen(Input.PEEK).labels[:6] == with_theirs


def test_messages_can_be_read_once_some_were_delivered() -> None:
    assert "Messages so far" not in first().labels
    assert "Messages so far" in acting().labels


# The truth machine


def test_at_the_machine_one_of_the_facts_not_yet_revealed_is_chosen() -> None:
    # CX-9
    at = at_machine()
    assert at.labels == ["Choose what is revealed", "Who you are", "Messages so far", "More…"]
    at.happen(PRESS)
    assert at.labels == ["Faction", "Role", "Position", "Fragment"]
    assert at.values == [""] * 4
    assert at.happen(Input.PEEK).values == ["Red", "Profiler", "2", "JKLM"]
    at.happen(Input.UNPEEK, PRESS)
    assert "Choose this to be shown to everybody: Faction?" in at.texts
    at.happen(PRESS)
    assert asked(at) == {"seat": "agent-3", "act": "reveal", "fact": "faction"}
    assert "Red" in at.texts
    assert at.labels[0] == "I am Vega"


def test_whoever_has_a_phone_is_not_said_to_be_at_this_screen() -> None:  # CX-9, CX-20
    table = CodexTable(screens="phones").all_send(*ALL_SEND).visits(*({},) * 6)
    table.do("operator", "end-discussion")
    table.do("agent-3", "pair")
    at = desk(table.all_vote("agent-3", "agent-3", "agent-1", *("agent-3",) * 3))
    assert {"Puma", "is on the phone"} <= {*at.texts}
    assert any("chosen on the phone" in text for text in at.texts)
    for _ in range(3):
        table.do("agent-3", "enter-code", code="0000")
    assert "needs a new code: More…" in at.hear().texts


# What ends a visit from outside


@pytest.mark.parametrize("where", ["Send a message", "Who you are", "I am done"])
def test_a_page_that_is_open_when_the_time_is_up_closes_and_says_so(where: str) -> None:
    # CX-18
    at = first()
    at.table.do(MOON, "send", to="agent-2", facts=["role"])
    choose(at.hear(), "Name a target" if where == "Send a message" else where)
    wait(at)
    assert "The visit is over." in at.texts
    assert at.labels[0] == "I am Vega"
    assert "The visit is over." not in at.happen(PRESS).texts
    assert len(at.asked) == 1


def test_a_code_that_was_being_entered_is_lost_when_the_time_is_up() -> None:
    at = desk(CodexTable().all_send(*ALL_SEND)).happen(PRESS, *digits("12"))
    wait(at)
    assert "The visit is over." in at.texts
    assert at.labels[0] == "I am Vega"


def test_the_menu_alone_closes_without_a_word() -> None:
    at = first()
    at.table.do(MOON, "send", to="agent-2", facts=["role"])
    assert "The visit is over." not in wait(at.hear()).texts


def test_a_visit_that_lasts_longer_asks_who_is_there() -> None:
    # CX-18, CX-19
    at = choose(first(), "Name a target")
    wait(at)
    assert at.table.message().public.added == 1
    assert at.labels[0] == "I am Moon"
    at.happen(Input.PEEK)
    assert "ABCD" not in " ".join(at.texts)


def test_a_pause_closes_what_was_open_and_the_visit_goes_on_after_it() -> None:
    at = choose(first(), "Who you are")
    at.table.do("operator", "pause")
    at.hear()
    assert at.labels[0] == "Go on with the game"
    assert "I am Moon" not in at.labels
    at.happen(PRESS)
    assert asked(at) == {"seat": "operator", "act": "resume"}
    assert at.labels[0] == "I am Moon"  # CX-19: the agent may have left in the pause
    assert come_in(at).labels[0] == "Send a message"


def test_what_the_table_refuses_is_said_on_the_page() -> None:
    # CX-11
    table = CodexTable()
    table.enter().do(MOON, "hack", target="agent-2")
    at = desk(table)
    choose(at, "More…")
    at.happen(BACK)
    choose(at, "I am done").happen(PRESS)
    assert at.model.notice is not None
    assert "Send a message first." in at.texts


def test_the_menu_of_a_visit_leads_to_the_operators_lines_too() -> None:
    at = choose(first(), "More…")
    assert at.labels == [
        *("Pause", "How to play", "A new code for an agent…"),
        *("Abandon the game", "Operator…"),
        "English · Italiano",
    ]

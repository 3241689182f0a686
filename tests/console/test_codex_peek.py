"""Secrets are on the screen while PEEK is held in one's own visit, and at no other time."""

from collections.abc import Callable
from typing import Any

import pytest
from codex_table import (
    BACK,
    BLUE_CODE,
    PEEK,
    PRESS,
    RIGHT,
    UNPEEK,
    CodexTable,
    come_in,
    deal,
    desk,
    wait,
)
from msgspec.structs import replace
from playing import Desk, RulesTable, choose

from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import CodexMessage, Presence
from pi_table.screens.console.codex.visit import without_secrets
from pi_table.screens.console.console_events import Choose, Happening, Lifted, Typed

TO_MOON = ("agent-2", "agent-1", "agent-1", "agent-1", "agent-1", "agent-1")


def acting() -> Desk:
    """Moon is in, and five messages came."""
    return come_in(desk(CodexTable().all_send(*TO_MOON)))


def reading() -> Desk:
    """Moon reads who they are."""
    at = choose(acting(), "Who you are")
    assert "ABCD" not in at.texts
    return at


def shows(at: Desk) -> bool:
    return bool({"ABCD", "EFGH", "Leader"} & {*at.texts})


def test_the_identikit_and_the_role_are_read_while_peek_is_held() -> None:
    # CX-1, CX-18
    at = reading()
    hidden = at.scene
    at.happen(PEEK)
    assert {"Moon", "Red", "Leader", "1", "ABCD"} <= {*at.texts}
    assert any("The Leader may try a code once in every phase" in text for text in at.texts)
    assert at.happen(UNPEEK).scene == hidden
    assert at.texts.count("• • •") == 9


def test_an_infiltrator_is_told_where_they_belong() -> None:
    # CX-12
    dealt = deal(
        *("red infiltrator 1 ABCD", "blue leader 1 EFGH", "red leader 2 JKLM"),
        *("blue hacker 2 NPQR", "red hacker 3 STUV", "blue infiltrator 3 WXYZ"),
    )
    at = choose(come_in(desk(CodexTable(dealt))), "Who you are").happen(PEEK)
    said = {text: at.texts[place + 1] for place, text in enumerate(at.texts[:-1])}
    assert (said["Faction"], said["You belong to"]) == ("Blue", "Red")


def test_what_came_is_read_while_peek_is_held() -> None:
    # CX-5, CX-10
    at = acting().happen(PRESS)
    assert not shows(at)
    at.happen(PEEK)
    fragments = [text for text in at.texts if text in ("EFGH", "JKLM", "NPQR", "STUV", "WXYZ")]
    assert fragments == ["EFGH", "JKLM", "NPQR", "STUV", "WXYZ"]
    assert "No Hacker prevents you from entering a code." in at.texts
    assert not {"Vega", "Puma", "Koala", "Tango", "Mistral"} & {*at.texts}


def test_somebody_whom_a_hacker_named_is_told_so_trying_or_not() -> None:
    # CX-11
    table = CodexTable()
    table.enter().do("agent-1", "send", to="agent-2", facts=["role"])
    table.visit_ends().enter().do("agent-2", "send", to="agent-1", facts=["role"])
    table.do("agent-2", "hack", target="agent-1")
    table.visit_ends().all_send("agent-1", "agent-1", "agent-1", "agent-1")
    at = come_in(desk(table)).happen(PRESS)
    prevented = "A Hacker prevented you from entering a code in this phase."
    assert prevented not in at.texts
    assert prevented in at.happen(PEEK).texts
    assert at.happen(BACK).values[at.labels.index("Enter a code")] == "A Hacker prevented it"


Ending = Callable[[Desk], object]
ENDINGS: dict[str, Ending] = {
    "the button is let go": lambda at: at.happen(UNPEEK),
    "the visit ends": wait,
    "the table goes away": lambda at: at.happen(Disconnected()),
    "the table comes back": lambda at: at.happen(Connected()).hear(),
    "a pause": lambda at: (at.table.do("operator", "pause"), at.hear()),
    "being done": lambda at: (at.table.do("agent-1", "done"), at.hear()),
    "a new code": lambda at: (at.table.do("operator", "new-code", target="agent-1"), at.hear()),
    "the end of the game": lambda at: (at.table.do("operator", "abandon"), at.hear()),
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_they_are_gone_at(ending: Ending) -> None:
    # CX-18
    at = reading().happen(PEEK)
    assert shows(at)
    ending(at)
    assert not shows(at)
    assert not at.model.peeking


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_peek_that_is_held_through_it_shows_nothing_of_whoever_comes_next(ending: Ending) -> None:
    at = reading().happen(PEEK)
    ending(at)
    at.hear()
    message: object = at.table.message()
    assert isinstance(message, CodexMessage)
    if message.agent is None and at.labels[:1] == ["I am Vega"]:
        come_in(at)
        choose(at, "Who you are")
    assert not {"ABCD", "EFGH", "Leader", "Hacker"} & {*at.texts}


def test_another_agents_visit_needs_peek_to_be_pressed_anew() -> None:
    at = wait(reading().happen(PEEK))
    choose(come_in(at), "Who you are")
    assert "EFGH" not in at.texts
    assert "EFGH" in at.happen(PEEK).texts


def test_before_the_code_and_with_nobody_in_peek_does_nothing() -> None:
    at = desk(CodexTable().all_send(*TO_MOON))
    for given in ((), (PRESS,), (BACK, RIGHT, PRESS)):
        public = at.happen(*given).scene
        assert at.happen(PEEK).scene == public
        assert not at.model.peeking


def test_a_finger_on_the_peek_button_shows_them_until_it_is_lifted() -> None:
    # CX-18
    at = reading().happen(Choose(Input.PEEK))
    assert shows(at)
    assert not shows(at.happen(Lifted()))


def test_a_finger_that_taps_something_else_does_not_let_the_button_go() -> None:
    at = reading().happen(PEEK, Lifted())
    assert shows(at)
    assert not shows(at.happen(UNPEEK))


def test_one_finger_holds_the_button_while_another_one_taps() -> None:
    at = reading().happen(Choose(Input.PEEK, 0))
    assert shows(at.happen(Choose("nothing", 1), Lifted(1)))
    assert not shows(at.happen(Lifted(0)))


@pytest.mark.parametrize("sign", ["p", "P"])
def test_a_keyboard_peeks_with_its_p_too(sign: str) -> None:
    at = reading().happen(Typed(sign))
    assert shows(at)
    assert not shows(at.happen(UNPEEK))


def test_lifting_the_finger_leaves_the_notice_of_what_it_tapped() -> None:
    at = come_in(desk(CodexTable()))
    choose(at, "I am done").happen(PRESS)
    assert at.table.now == 0.0
    assert "Send a message first." in at.texts
    assert "Send a message first." in at.happen(Lifted(), UNPEEK).texts


@pytest.mark.parametrize("given", [Lifted(), UNPEEK])
def test_a_word_game_takes_no_notice_of_what_is_let_go(given: Happening) -> None:
    at = Desk(RulesTable().begin()).happen(PEEK)
    before = at.model
    assert at.happen(given).model == before


def test_what_came_of_a_question_is_told_while_peek_is_held() -> None:
    # CX-16
    table = CodexTable().all_send(*("agent-3",) * 2, "agent-1", *("agent-3",) * 3)
    at = wait(wait(desk(table)))
    come_in(at)
    choose(at, "Ask about a message", "Message 1", "Position")
    line = at.labels.index("Ask about a message")
    assert at.values[line] == "entered"
    assert at.happen(PEEK).values[line] == "position 1"
    at.happen(UNPEEK)
    choose(at, "Messages so far").happen(PEEK)
    assert "asked: position 1" in at.texts


def test_why_a_question_was_refused_is_told_while_peek_is_held_and_it_can_be_asked_again() -> None:
    # CX-16, CX-18
    table = CodexTable().all_send(*("agent-3",) * 2, "agent-1", *("agent-3",) * 3)
    at = wait(wait(desk(table)))
    come_in(at)
    line = at.labels.index("Ask about a message")
    for message, fact, answer in (
        ("Message 1", "Role", "That fact is in the message already."),
        ("Message 1", "Position", "position 1"),
        ("Message 2", "Position", "That was entered in this visit already."),
    ):
        choose(at, "Ask about a message", message, fact)
        assert at.model.notice is None
        assert at.values[line] == "entered"
        assert at.happen(PEEK).values[line] == answer
        at.happen(UNPEEK)


def test_somebody_who_received_nothing_can_go_through_the_same_prompts() -> None:
    # CX-18
    at = come_in(wait(desk(CodexTable().all_send(*TO_MOON))))
    choose(at, "Ask about a message", "Message 4", "Faction")
    line = at.labels.index("Ask about a message")
    assert (at.model.notice, at.values[line]) == (None, "entered")
    assert at.happen(PEEK).values[line] == "No such message came in this phase."


@pytest.mark.parametrize(
    ("presses", "result"),
    [((0, 1, 2), "Wrong code"), ((0, 1, 5), "Wrong code"), ((2, 1, 0), "Wrong code")],
)
def test_what_came_of_an_attempt_is_told_while_peek_is_held(
    presses: tuple[int, ...], result: str
) -> None:
    # CX-6
    at = acting()
    choose(at, "Enter a code")
    for tile in presses:
        at.happen(Choose(at.model.choices[tile]))
    assert not shows(at)
    assert at.happen(PEEK).texts.count("A") == 2  # in the code, and on its tile
    at.happen(UNPEEK)
    choose(at, "Enter", "Yes, enter it")
    line = at.labels.index("Enter a code")
    assert at.values[line] == "entered"
    assert at.happen(PEEK).values[line] == result


class Asking(CodexTable):
    """A table that may ask whether anybody still plays, and sends no secrets until a press."""

    presence = Presence.PLAYING

    def message(self) -> CodexMessage:
        if self.presence is not Presence.PLAYING:
            self.peek = None
        return replace(super().message(), idle=self.presence)

    def _done(self, do: dict[str, Any]) -> object:
        if do["act"] != "here":
            return super()._done(do)
        self.presence = Presence.PLAYING
        return None


def entering_a_code() -> tuple[Asking, Desk]:
    """Moon is about to enter a code, and the table has told the fragments for the tiles."""
    table = Asking()
    table.all_send(*TO_MOON)
    at = choose(come_in(desk(table)), "Enter a code")
    assert table.message().agent is not None
    return table, at


def test_a_code_can_be_entered_after_somebody_said_that_they_still_play() -> None:
    # CX-6
    table, at = entering_a_code()
    table.presence = Presence.ASKED
    at.hear()
    peeked = len(at.peeked)
    assert at.happen(PRESS).asked[-1]["act"] == "here"
    assert len(at.peeked) == peeked  # the press only wakes the screen
    at.happen(PEEK)
    assert [do["act"] for do in at.peeked[peeked:]] == ["peek"]
    assert "ABCD" in at.texts
    at.happen(UNPEEK)
    at.happen(Choose(at.model.choices[0]), PEEK)
    assert at.texts.count("A") == 2  # in the code, and on its tile
    assert len(at.peeked) == peeked + 1


def test_a_tile_asks_for_its_fragment_again_after_a_peek_that_ran_out() -> None:
    # CX-6
    table, at = entering_a_code()
    table.peek = None
    peeked = len(at.hear().peeked)
    tile = Choose(at.model.choices[0])
    at.happen(tile)
    assert [do["act"] for do in at.peeked[peeked:]] == ["peek"]
    at.happen(tile, PEEK)
    assert at.texts.count("A") == 2


def test_the_right_code_ends_the_game() -> None:
    # CX-6
    at = wait(acting())
    come_in(at)
    choose(at, "Enter a code").happen(*map(Typed, BLUE_CODE.lower()), Typed("\n"), PRESS)
    assert at.asked[-1] == {"seat": "agent-2", "act": "attempt", "code": BLUE_CODE}
    assert "Blue wins" in at.texts


def test_a_tile_without_a_fragment_enters_blanks_of_which_only_the_agent_learns() -> None:
    # CX-18
    at = come_in(wait(desk(CodexTable().all_send(*TO_MOON))))
    choose(at, "Enter a code")
    for tile in (0, 3, 4):
        at.happen(Choose(at.model.choices[tile]))
    choose(at, "Enter")
    assert "_" not in at.texts
    assert "_" in at.happen(PEEK).texts
    at.happen(UNPEEK, PRESS)
    line = at.labels.index("Enter a code")
    assert (at.model.notice, at.values[line]) == (None, "entered")
    assert "A code is twelve letters" in at.happen(PEEK).values[line]


def test_no_veil_leaves_anything_of_the_agent() -> None:
    # CX-18
    table = CodexTable().all_send(*TO_MOON).enter()
    table.sends_all = True
    assert table.message().agent is not None
    seen = without_secrets(table.message())
    assert seen.agent is None
    assert "agent-1" not in seen.may
    assert seen.public == table.message().public


def test_printing_a_model_shows_no_secret() -> None:
    at = acting()
    choose(at, "Enter a code").happen(*(PRESS,) * 3, PEEK)
    for text in (repr(at.model), str(at.model), repr(at.model.screens), repr(at.model.table)):
        assert "ABCD" not in text
        assert "1234" not in text


def test_the_console_that_comes_back_knows_what_was_entered() -> None:
    at = come_in(desk(CodexTable()))
    choose(at, "Send a message", "Vega", "Role", "No second fact").happen(PRESS)
    assert at.values[0] == "entered"
    at.happen(Disconnected()).hear()
    assert at.values[0] == "entered"

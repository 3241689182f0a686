"""Sentences on their way to another process: English for programs, with id and fields besides."""

import msgspec
import pytest

from pi_table.common.language import Say, say, translate
from pi_table.protocols.ipc import house, messages
from pi_table.protocols.ipc.messages import Answer
from pi_table.protocols.ipc.operator import Findings
from pi_table.protocols.ipc.texts import encode

WET = say("Something wet, or an arm, is on the table: wipe it dry, or lift the arm.")
REFUSED = say("Cannot be read: {unreadable}.", unreadable="A1")


def test_an_answer_is_english_and_says_what_it_is_made_from() -> None:
    line = messages.line(Answer(7, ok=False, reason="input", sentence=REFUSED))
    assert msgspec.json.decode(line) == {
        "kind": "answer",
        "id": 7,
        "ok": False,
        "reason": "input",
        "sentence": "Cannot be read: A1.",
        "told": None,
        "texts": {
            "Cannot be read: A1.": {
                "id": "Cannot be read: {unreadable}.",
                "fields": {"unreadable": "A1"},
            }
        },
    }
    for read in (messages.read_to_console, house.read_to_house):
        again = read(line)
        assert isinstance(again, Answer)
        assert again.sentence == REFUSED
        assert translate(again.sentence or "", "it") == "Non si leggono: A1."


def test_what_is_told_has_its_texts_wherever_they_are_in_it() -> None:
    told = Findings("1", (WET, "Nobody knows this."), (), True, True)
    line = messages.line(Answer(7, ok=True, told={"found": [told]}))
    again = messages.read_to_console(line)
    assert isinstance(again, Answer)
    found = msgspec.convert(again.told["found"][0], Findings)
    assert found == told
    assert [isinstance(fault, Say) for fault in found.faults] == [True, False]


def test_a_message_without_texts_is_as_it_always_was() -> None:
    answer = Answer(7, ok=False, sentence="data")
    assert messages.line(answer) == msgspec.json.encode(answer) + b"\n"


@pytest.mark.parametrize("texts", ['{"data": 3}', '{"data": {"id": "{x}"}}', "{}", '{"x": null}'])
def test_texts_that_are_none_leave_the_sentence(texts: str) -> None:
    line = f'{{"kind":"answer","id":7,"ok":false,"sentence":"data","texts":{texts}}}'
    again = messages.read_to_console(line.encode())
    assert isinstance(again, Answer)
    assert again.sentence == "data"
    assert not isinstance(again.sentence, Say)


def test_nothing_else_that_json_lacks_is_let_through() -> None:
    with pytest.raises(TypeError):
        encode({"it": object()})

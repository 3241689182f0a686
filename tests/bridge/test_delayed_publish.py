"""When what the table shows is told: not before those who sit at it know."""

from house_table import PUBLIC, said
from msgspec.structs import replace

from pi_table.fleet.bridge.delayed_publish import MAX_WAITING_MESSAGES, DelayedPublish


def test_how_the_table_stands_is_told_at_once_where_nothing_is_announced() -> None:
    delayed = DelayedPublish()
    delayed.take(PUBLIC, 1.0)
    assert delayed.due() == 1.0
    assert delayed.take_due(1.0) == (PUBLIC, ())
    assert delayed.due() is None
    assert delayed.take_due(2.0) == (None, ())


def test_an_answer_is_told_when_its_sentence_is_due_and_nothing_newer_before_it() -> None:
    delayed = DelayedPublish()
    delayed.take(PUBLIC, 0.0)
    delayed.take_due(0.0)
    sentences = (said(1, "revealing", 0.0), said(2, "right", 1.9), said(3, "turn", 3.1))
    answered = replace(PUBLIC, out_of_order=True, said=sentences)
    newer = replace(answered, service=True)
    delayed.take(answered, 10.0)
    delayed.take(newer, 10.5)
    assert delayed.take_due(10.5) == (None, sentences[:1])
    assert delayed.take_due(11.8) == (None, ())
    assert delayed.take_due(11.9) == (newer, sentences[1:2])
    assert delayed.due() == 13.1
    assert delayed.take_due(13.2) == (None, sentences[2:])


def test_what_else_is_said_while_an_answer_is_awaited_does_not_tell_it() -> None:
    delayed = DelayedPublish()
    delayed.take(PUBLIC, 0.0)
    delayed.take_due(0.0)
    sentences = (said(1, "revealing", 0.0), said(2, "right", 1.0), said(3, "closing", 0.0))
    answered = replace(PUBLIC, out_of_order=True, said=sentences)
    delayed.take(answered, 10.0)
    assert delayed.take_due(10.9)[0] is None
    assert delayed.take_due(11.0)[0] == answered


def test_a_bridge_that_comes_while_an_answer_is_awaited_does_not_tell_it() -> None:
    delayed = DelayedPublish()
    delayed.take(replace(PUBLIC, said=(said(1, "revealing"), said(2, "right", 1.0))), 10.0)
    assert delayed.take_due(10.9) == (None, ())
    assert delayed.take_due(11.0)[0] is not None


def test_messages_by_the_dozen_do_not_tell_an_answer() -> None:
    delayed = DelayedPublish()
    delayed.take(PUBLIC, 0.0)
    delayed.take_due(0.0)
    sentences = (said(1, "revealing", 0.0), said(2, "right", 1.0))
    for step in range(2 * MAX_WAITING_MESSAGES):
        delayed.take(replace(PUBLIC, said=sentences), 10.0 + step / 1000)
    assert delayed.take_due(10.9)[0] is None


def test_what_was_said_before_the_bridge_came_is_not_told() -> None:
    delayed = DelayedPublish()
    delayed.take(replace(PUBLIC, said=(said(1), said(2))), 0.0)
    assert delayed.take_due(9.0)[1] == ()
    delayed.take(replace(PUBLIC, said=(said(2), said(3))), 9.0)
    assert [each.number for each in delayed.take_due(9.0)[1]] == [3]


def test_a_table_that_was_started_anew_counts_from_one() -> None:
    delayed = DelayedPublish()
    delayed.take(replace(PUBLIC, said=(said(40),)), 0.0)
    delayed.take(replace(PUBLIC, said=(said(1), said(2))), 1.0)
    assert [each.number for each in delayed.take_due(1.0)[1]] == [1, 2]
    delayed.take(PUBLIC, 2.0)
    delayed.take(replace(PUBLIC, said=(said(1),)), 3.0)
    assert [each.number for each in delayed.take_due(3.0)[1]] == [1]


def test_what_waits_is_bounded() -> None:
    delayed = DelayedPublish()
    delayed.take(PUBLIC, 0.0)
    for number in range(1, 1000):
        delayed.take(replace(PUBLIC, said=(said(number, after=5.0),)), 1.0)
    message, sentences = delayed.take_due(6.0)
    assert message is not None
    assert [each.number for each in sentences] == [*range(1000 - MAX_WAITING_MESSAGES, 1000)]

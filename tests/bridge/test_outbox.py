"""The queue for an absent broker: its limit, and the count of dropped messages."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pi_table.fleet.bridge.outbox import Message, Outbox


def drained(outbox: Outbox) -> list[Message]:
    """All that is told to a broker that takes everything."""
    told = []
    while (message := outbox.next()) is not None:
        told.append(message)
        outbox.on_acknowledged(message)
    return told


def test_of_what_stands_the_newest_alone_is_told_and_the_same_is_not_told_again() -> None:
    outbox = Outbox()
    for text in (b"1", b"2", b"3"):
        outbox.keep("state", text)
    assert drained(outbox) == [Message("state", b"3", kept=True)]
    outbox.keep("state", b"3")
    assert not drained(outbox)
    outbox.send_all_again()
    assert drained(outbox) == [Message("state", b"3", kept=True)]
    assert outbox.dropped == 0


def test_what_expires_is_renewed_and_nothing_else() -> None:
    outbox = Outbox()
    outbox.keep("settings", b"s")
    outbox.keep("state", b"1", expires=180)
    stands = Message("state", b"1", kept=True, expires=180)
    assert drained(outbox) == [Message("settings", b"s", kept=True), stands]
    for _ in range(2):
        outbox.renew()
        outbox.renew()
        assert drained(outbox) == [replace(stands, renewal=True)]
    outbox.send_all_again()
    assert stands in drained(outbox)  # the broker has it not: an acknowledgement is waited for


def test_a_renewal_takes_the_place_of_nothing_that_is_new() -> None:
    outbox = Outbox()
    outbox.keep("state", b"1", expires=180)
    outbox.renew()
    assert drained(outbox) == [Message("state", b"1", kept=True, expires=180)]
    outbox.renew()
    renewal = outbox.next()
    assert renewal is not None
    outbox.keep("state", b"2", expires=180)  # while the renewal is on its way
    outbox.on_acknowledged(renewal)
    assert drained(outbox) == [Message("state", b"2", kept=True, expires=180)]


def test_what_is_forgotten_is_not_sent_and_is_sent_when_it_is_known_again() -> None:
    outbox = Outbox()
    outbox.keep("state", b"1", expires=180)
    drained(outbox)
    outbox.forget("state")
    outbox.renew()
    outbox.send_all_again()
    assert not drained(outbox)
    outbox.keep("state", b"1", expires=180)
    assert drained(outbox) == [Message("state", b"1", kept=True, expires=180)]


def test_what_stands_goes_first_then_what_happened_then_samples_in_their_order() -> None:
    outbox = Outbox()
    outbox.sample("health", b"1")
    outbox.add_event("event", b"a")
    outbox.sample("health", b"2")
    outbox.add_event("event", b"b")
    outbox.keep("state", b"s")
    assert [each.payload for each in drained(outbox)] == [b"s", b"a", b"b", b"1", b"2"]


def test_where_there_is_no_room_the_oldest_sample_goes_then_what_happened_first() -> None:
    outbox = Outbox(most=4)
    for number in range(3):
        outbox.sample("health", b"%d" % number)
        outbox.add_event("event", b"%d" % number)
    assert outbox.dropped == 2
    for number in range(3, 6):
        outbox.add_event("event", b"%d" % number)
    assert outbox.dropped == 5
    told = drained(outbox)
    assert [each.topic for each in told] == ["event"] * 4
    assert [each.payload for each in told] == [b"2", b"3", b"4", b"5"]


def test_a_bridge_keeps_512_messages_while_its_broker_is_away() -> None:
    outbox = Outbox()
    for number in range(600):
        outbox.add_event("event", b"%d" % number)
    assert (len(outbox), outbox.dropped) == (512, 88)


def test_what_is_on_its_way_may_be_overtaken_by_something_newer() -> None:
    outbox = Outbox(most=1)
    outbox.keep("state", b"1")
    message = outbox.next()
    assert message is not None
    outbox.keep("state", b"2")
    outbox.on_acknowledged(message)
    assert [each.payload for each in drained(outbox)] == [b"2"]
    outbox.add_event("event", b"a")
    message = outbox.next()
    assert message is not None
    outbox.add_event("event", b"b")  # for which "a", on its way, makes room
    outbox.on_acknowledged(message)
    assert [each.payload for each in drained(outbox)] == [b"b"]


def test_a_broker_that_has_forgotten_everything_is_told_the_latest_health_too() -> None:
    outbox = Outbox()
    outbox.sample("health", b"1")
    outbox.sample("health", b"2")
    drained(outbox)
    outbox.send_all_again()
    assert [each.payload for each in drained(outbox)] == [b"2"]
    outbox.sample("health", b"3")
    outbox.send_all_again()
    assert [each.payload for each in drained(outbox)] == [b"3"]


@given(st.lists(st.sampled_from(["keep", "happened", "sample", "tell"]), max_size=300))
def test_nothing_goes_without_being_counted_and_never_more_waits_than_may(does: list[str]) -> None:
    outbox, told, put = Outbox(most=8), 0, 0
    for number, each in enumerate(does):
        text = b"%d" % number
        if each == "keep":
            outbox.keep("state", text)
        elif each == "tell":
            message = outbox.next()
            if message is not None:
                told += message.topic != "state"
                outbox.on_acknowledged(message)
        else:
            put += 1
            (outbox.add_event if each == "happened" else outbox.sample)(each, text)
        assert len(outbox) <= 8 + 1
    passing = sum(each.topic != "state" for each in drained(outbox))
    assert told + passing + outbox.dropped == put


def test_what_is_no_news_any_more_is_given_up_and_nobody_misses_it() -> None:
    outbox = Outbox()
    for number in (1, 2, 3):
        outbox.add_event("event", b"%d" % number, until=10.0 * number)
    outbox.add_event("done", b"an answer")
    outbox.give_up_late(20.0)
    assert [each.payload for each in drained(outbox)] == [b"2", b"3", b"an answer"]
    assert outbox.dropped == 0


def test_what_is_being_told_and_is_given_up_meanwhile_is_acknowledged_all_the_same() -> None:
    outbox = Outbox()
    outbox.add_event("event", b"old", until=1.0)
    outbox.add_event("event", b"new", until=9.0)
    message = outbox.next()
    assert message is not None
    outbox.give_up_late(5.0)
    outbox.on_acknowledged(message)
    assert [each.payload for each in drained(outbox)] == [b"new"]

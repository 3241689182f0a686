"""The middle of the bridge: what comes from the table and from the broker, in a time of its own."""

import json
from typing import Any

import pytest
from house_table import HOUSE, PUBLIC, SETTINGS, said
from msgspec.structs import replace

from pi_table.common.config import Command
from pi_table.fleet.bridge.bridge import AWAY_SECONDS, NEWS_SECONDS, Bridge
from pi_table.fleet.bridge.facts import EXPIRY_SECONDS, SAMPLE_SECONDS, MachineHealth
from pi_table.fleet.bridge.outbox import Message
from pi_table.fleet.bridge.rate_limit import DEAF_SECONDS, MAX_BURST_COMMANDS
from pi_table.fleet.bridge.topics import Topics
from pi_table.protocols.ipc.house import Latest

AT = 1795551300.0


def bridge(commands: tuple[Command, ...] = ("locate", "brightness")) -> Bridge:
    return Bridge(Topics("pi-table", "near-door", ""), commands)


def told(it: Bridge, what: str) -> list[Any]:
    """Take all queued messages for the broker; return those of a topic."""
    found = []
    while (message := it.outbox.next()) is not None:
        it.outbox.on_acknowledged(message)
        if message.topic == f"pi-table/near-door/{what}":
            text = message.payload.decode()
            found.append(text if what == "availability" else json.loads(text))
    return found


def here(it: Bridge, now: float = 0.0) -> None:
    """The table is there."""
    it.on_public_message(PUBLIC, now)
    it.on_house_message(HOUSE, now)
    it.pass_time(now)


def test_a_table_is_online_when_both_its_sockets_answer() -> None:
    it = bridge()
    assert told(it, "availability") == ["offline"]
    it.on_public_message(PUBLIC, 0.0)
    assert told(it, "availability") == []
    it.on_house_message(HOUSE, 1.0)
    assert told(it, "availability") == ["online"]


def test_a_table_whose_house_socket_comes_back_late_has_its_state_again() -> None:
    it = bridge()
    here(it)
    it.on_house_message(None, 1.0)
    it.on_public_message(None, 1.0)
    it.on_public_message(PUBLIC, AWAY_SECONDS + 0.8)
    it.pass_time(AWAY_SECONDS + 0.8)
    it.pass_time(AWAY_SECONDS + 1.0)
    told(it, "state")
    it.on_house_message(HOUSE, AWAY_SECONDS + 1.3)
    assert it.facts(AT).public is not None
    assert told(it, "state") != []


def test_a_table_that_starts_anew_soon_was_never_offline() -> None:
    it = bridge()
    here(it)
    told(it, "state")
    it.on_house_message(None, 1.0)
    it.on_public_message(None, 1.5)
    assert it.facts(AT).house is None
    assert it.facts(AT).public is None
    it.pass_time(AWAY_SECONDS)
    here(it, AWAY_SECONDS + 0.5)
    assert told(it, "availability") == []
    it.on_house_message(None, 20.0)
    assert it.due() == 20.0 + AWAY_SECONDS
    it.pass_time(20.0 + AWAY_SECONDS)
    assert told(it, "availability") == ["offline"]
    assert it.due() is None


def test_what_stands_is_told_when_it_changes_and_not_again() -> None:
    it = bridge()
    here(it)
    assert len(told(it, "state")) == 1
    it.on_public_message(PUBLIC, 1.0)
    it.on_house_message(replace(HOUSE, counts={"link_lost": 2}), 1.0)
    it.pass_time(1.0)
    assert it.outbox.next() is None
    it.on_house_message(replace(HOUSE, kept_free=True), 2.0)
    (state,) = told(it, "state")
    assert state["kept_free"] is True
    it.on_house_message(replace(HOUSE, settings=replace(SETTINGS, brightness=1)), 2.0)
    assert [each["brightness"] for each in told(it, "settings")] == [1]


def test_an_answer_is_told_when_it_is_due() -> None:
    it = bridge()
    here(it)
    told(it, "state")
    it.on_public_message(replace(PUBLIC, out_of_order=True, said=(said(1, "right", 1.9),)), 5.0)
    it.pass_time(6.8)
    assert it.outbox.next() is None
    assert it.due() == 6.9
    it.pass_time(6.9)
    assert it.facts(AT).public.out_of_order
    assert [each["event_type"] for each in told(it, "event")] == ["right"]


def test_health_is_told_once_a_minute_while_the_table_is_there() -> None:
    it = bridge()
    assert not it.wants_sample(0.0)
    it.on_machine_health(MachineHealth(uptime=5), 0.0, AT)
    assert told(it, "health") == []
    here(it)
    assert it.wants_sample(1.0)
    for step in range(600):
        it.on_machine_health(MachineHealth(uptime=step), 1.0 + step, AT + step)
    health = told(it, "health")
    assert len(health) == 600 / SAMPLE_SECONDS
    assert (health[1]["uptime"], health[1]["at"]) == (60, "2026-11-24T20:16:00Z")


def sent(it: Bridge) -> dict[str, Message]:
    """All that waits for the broker, by what it tells; it is taken."""
    found = {}
    while (message := it.outbox.next()) is not None:
        it.outbox.on_acknowledged(message)
        found[message.topic.removeprefix("pi-table/near-door/")] = message
    return found


def test_what_would_lie_of_a_table_without_power_expires_and_is_renewed_with_health() -> None:
    it = bridge()
    here(it)
    first = sent(it)
    assert {what: message.expires for what, message in first.items()} == {
        "availability": EXPIRY_SECONDS,
        "state": EXPIRY_SECONDS,
        "settings": None,
        "faults": None,
    }
    assert EXPIRY_SECONDS >= 3 * SAMPLE_SECONDS  # two renewals may be lost
    it.on_machine_health(MachineHealth(), 0.0, AT)
    sent(it)
    for minute in (1, 2):
        it.on_machine_health(MachineHealth(), minute * SAMPLE_SECONDS, AT)
        renewed = sent(it)
        assert {*renewed} == {"availability", "state", "health"}
        for what in ("availability", "state"):
            assert renewed[what] == replace(first[what], renewal=True)
        it.on_machine_health(MachineHealth(), minute * SAMPLE_SECONDS + 1.0, AT)
        assert not sent(it)


def test_nothing_is_renewed_of_a_table_that_is_away_and_all_is_told_when_it_comes_back() -> None:
    it = bridge()
    here(it)
    before = sent(it)
    it.on_public_message(None, 1.0)
    it.pass_time(1.0 + AWAY_SECONDS)
    offline = sent(it)["availability"]
    assert (offline.payload, offline.expires) == (b"offline", None)
    it.on_machine_health(MachineHealth(), 100.0, AT)
    assert {*sent(it)} == {"health"}
    it.on_public_message(PUBLIC, 300.0)
    it.pass_time(300.0)
    again = sent(it)
    assert {what: again[what] for what in ("availability", "state")} == {
        what: before[what] for what in ("availability", "state")
    }


def test_a_command_is_asked_once_and_answered() -> None:
    it = bridge()
    here(it)
    topic = "pi-table/all/do/brightness"
    assert it.on_message(topic, b'{"percent": 60}', False, 0.0)
    assert it.next_act_due() is not None
    taken = it.next_act(0.0)
    asked = {"seat": "operator", "act": "set", "settings": {"brightness": 60}}
    assert taken == ("brightness", asked)
    assert it.next_act(9.0) is None
    it.on_answer("brightness", None)
    it.on_answer("brightness", "The house does not want that.")
    done = told(it, "done")
    assert [each["ok"] for each in done] == [True, False]
    assert (it.facts(AT).heard, it.facts(AT).refused) == (1, 1)


def test_what_is_refused_is_answered_and_what_is_overtaken_is_counted() -> None:
    it = bridge()
    it.on_message("pi-table/near-door/do/volume", b'{"percent": 60}', False, 0.0)
    it.on_message("pi-table/near-door/do/" + "x" * 65_000, b"{}", False, 0.0)
    for percent in (11, 12, 13):
        it.on_message("pi-table/near-door/do/brightness", b'{"percent": %d}' % percent, False, 0.0)
    done = told(it, "done")
    assert [each["command"] for each in done] == ["volume", "x" * 40]
    assert not any(each["ok"] for each in done)
    assert (it.facts(AT).heard, it.facts(AT).refused) == (5, 4)


def test_after_a_flood_nothing_is_heard_for_a_while() -> None:
    it = bridge()
    topic, payload = "pi-table/near-door/do/locate", b'{"seconds": 1}'
    assert all(it.on_message(topic, payload, False, 0.0) for _ in range(MAX_BURST_COMMANDS))
    assert not it.on_message(topic, payload, False, 0.0)
    assert it.next_act(0.0) is not None
    assert not any(it.on_message(topic, payload, False, DEAF_SECONDS - 0.1) for _ in range(10_000))
    assert it.next_act(DEAF_SECONDS - 0.1) is None
    (flood,) = told(it, "done")
    assert "Too many commands" in flood["sentence"]
    assert it.on_message(topic, payload, False, DEAF_SECONDS)
    assert it.facts(AT).heard == MAX_BURST_COMMANDS + 1 + 10_000 + 1


def test_what_was_announced_is_news_for_half_a_minute() -> None:
    it = bridge()
    it.on_public_message(PUBLIC, 0.0)
    it.on_public_message(replace(PUBLIC, said=(said(9),)), 1.0)
    it.pass_time(1.0)
    it.outbox.give_up_late(1.0 + NEWS_SECONDS)
    assert [each["number"] for each in told(it, "event")] == [9]
    it.on_public_message(replace(PUBLIC, said=(said(10),)), 50.0)
    it.pass_time(50.0)
    it.outbox.give_up_late(51.0 + NEWS_SECONDS)
    assert told(it, "event") == []


def test_old_news_takes_the_place_of_no_sample_while_the_broker_is_away() -> None:
    it = bridge()
    here(it)
    it.outbox.give_up_late(1000.0)
    before = len(it.outbox)
    for _ in range(600):
        it.outbox.add_event("event", b"news", until=10.0)
    it.pass_time(11.0)
    assert len(it.outbox) == before
    it.outbox.add_event("event", b"news", until=12.0)
    it.on_machine_health(MachineHealth(uptime=5), 13.0, AT)
    assert len(it.outbox) == before + 1  # the sample alone


@pytest.mark.parametrize(
    ("numbers", "games"),
    [
        ((17, 16, 17), [17, 17, 17]),  # the last game is corrected, and ends again
        ((17, 16, 18), [17, 17, 18]),
        ((1, None, 1), [1, 1, 1]),
        ((17, None, 1), [17, 0, 1]),  # another journal
        ((17, 3, 4), [17, 3, 4]),
    ],
)
def test_games_that_are_corrected_after_their_end_count_all_the_time(
    numbers: tuple[int | None, ...], games: list[int]
) -> None:
    """A counter that falls is one that began anew, to whoever reads it."""
    it, counted = bridge(), []
    for number in numbers:
        latest = None if number is None else Latest(number, f"{number:032}", 1)
        it.on_house_message(replace(HOUSE, latest=latest), 0.0)
        counted.append(it.facts(AT).games)
    assert counted == games

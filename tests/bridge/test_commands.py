"""Commands: what each asks of the table, and what is refused with a sentence."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_table.common.errors import InputError
from pi_table.fleet.bridge.commands import KINDS, act
from pi_table.fleet.bridge.topics import Topics
from pi_table.protocols.ipc.house import Order

DONE: dict[tuple[str, str], dict[str, Any]] = {
    ("locate", '{"seconds": 0}'): {"act": "locate", "seconds": 0},
    ("brightness", '{"percent": 100}'): {"act": "set", "settings": {"brightness": 100}},
    ("volume", '{"percent": 0}'): {"act": "set", "settings": {"volume": 0}},
    ("volume", '{"muted": false}'): {"act": "set", "settings": {"muted": False}},
    ("volume", '{"percent": 5, "muted": true}'): {
        "act": "set",
        "settings": {"volume": 5, "muted": True},
    },
    ("quiet", '{"from": "23:00", "until": "09:00"}'): {
        "act": "set",
        "settings": {"quiet_from": "23:00", "quiet_until": "09:00"},
    },
    ("idle-lights", '{"on": true}'): {"act": "set", "settings": {"idle_lights": True}},
    ("closing", '{"minutes": 120}'): {"act": "closing", "minutes": 120},
    ("out-of-service", '{"on": false}'): {"act": "set", "settings": {"out_of_service": False}},
}
REFUSED = {
    ("locate", ""): "cannot be read",
    ("locate", "{"): "cannot be read",
    ("locate", "null"): "cannot be read",
    ("locate", '{"seconds": 301}'): "<= 300",
    ("locate", '{"seconds": "20"}'): "Expected `int`",
    ("locate", '{"seconds": true}'): "Expected `int`",
    ("locate", '{"seconds": 2.5}'): "Expected `int`",
    ("locate", '{"seconds": 20, "game": 1}'): "unknown field `game`",
    ("locate", '{"seconds": 20}' + " " * 1024): "1,024 bytes",
    ("brightness", '{"percent": 9}'): ">= 10",
    ("volume", '{"percent": -1}'): ">= 0",
    ("brightness", '{"percent": 60, "percent": 101}'): "<= 100",
    ("volume", "{}"): "is empty",
    ("volume", '{"percent": null}'): "is empty",
    ("quiet", '{"from": "24:00", "until": "09:00"}'): "from",
    ("quiet", '{"from": "23:00"}'): "until",
    ("closing", '{"minutes": 0}'): ">= 1",
    ("out-of-service", '{"on": 1}'): "Expected `bool`",
    ("start", '{"profile": "codenames"}'): "no such command",
    ("Locate", '{"seconds": 20}'): "did you mean 'locate'",
    ("", "{}"): "no such command",
    ("locate/", '{"seconds": 20}'): "no such command",
    ("keep-free", '{"seconds": 20}'): "no such command",
    ("finished", '{"after": null}'): "no such command",
}


@pytest.mark.parametrize(("command", "payload"), DONE)
def test_a_command_asks_for_what_it_says_in_the_operators_seat(command: str, payload: str) -> None:
    asked = act(command, payload.encode(), kept=False)
    assert asked == {"seat": "operator", **DONE[command, payload]}


@pytest.mark.parametrize(("command", "payload"), REFUSED)
def test_what_is_no_command_is_refused_with_a_sentence(command: str, payload: str) -> None:
    with pytest.raises(InputError) as refused:
        act(command, payload.encode(), kept=False)
    assert REFUSED[command, payload] in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_command_that_is_to_be_kept_is_refused() -> None:
    with pytest.raises(InputError, match="at each new connection"):
        act("locate", b'{"seconds": 20}', kept=True)


def test_a_command_that_the_configuration_leaves_out_is_refused() -> None:
    assert act("locate", b'{"seconds": 20}', kept=False, allowed=("locate",))
    with pytest.raises(InputError, match="leaves it out"):
        act("brightness", b'{"percent": 20}', kept=False, allowed=("locate",))


def test_no_name_of_64_kib_is_repeated() -> None:
    with pytest.raises(InputError) as refused:
        act("x" * 65_000, b"{}", kept=False)
    assert len(str(refused.value)) < 300


@given(st.text(max_size=80) | st.sampled_from([*KINDS]), st.binary(max_size=1100), st.booleans())
def test_whatever_comes_is_an_order_or_refused(command: str, payload: bytes, kept: bool) -> None:
    try:
        asked = act(command, payload, kept)
    except InputError:
        return
    assert asked["act"] in {Order.LOCATE.value, Order.SET.value, Order.CLOSING.value}
    assert not kept


@pytest.mark.parametrize("payload", [b"[" * 1024, b'{"a":' * 200, b"\xff\xfe", b"9" * 1024])
def test_json_without_end_is_refused(payload: bytes) -> None:
    with pytest.raises(InputError):
        act("brightness", payload, kept=False)


TOPICS = Topics("cafe/tables", "near-door", "homeassistant")


def test_topics_are_those_of_the_table() -> None:
    assert TOPICS.of("state") == "cafe/tables/near-door/state"
    assert TOPICS.discovery == "homeassistant/device/near-door/config"
    assert TOPICS.commands == ("cafe/tables/near-door/do/+", "cafe/tables/all/do/+")


@pytest.mark.parametrize(
    ("topic", "command"),
    [
        ("cafe/tables/near-door/do/locate", "locate"),
        ("cafe/tables/all/do/locate", "locate"),
        ("cafe/tables/other/do/locate", None),
        ("cafe/tables/near-door/state", None),
        ("cafe/tables/near-door/do/", ""),
        ("", None),
    ],
)
def test_a_topic_names_a_command_of_this_table_or_of_all(topic: str, command: str | None) -> None:
    assert TOPICS.command(topic) == command

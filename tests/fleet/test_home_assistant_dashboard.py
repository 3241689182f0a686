"""The dashboard for Home Assistant, in its own program: what it shows of tables."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from at_broker import AtBroker
from home import HomeAssistant, needs_home
from home_tables import FILES, TOPICS, announce, entity, tell
from msgspec.structs import replace
from table_facts import PLAYED, VIEW

from pi_table.games.rules.word_games.board import Phase
from pi_table.protocols.ipc.messages import Presence, PublicMessage

pytestmark = [pytest.mark.fleet, needs_home]

CARDS = frozenset(
    (
        *("button", "entities", "heading", "history-graph", "markdown"),
        *("statistics-graph", "tile"),
    )
)
"""Kinds of cards that come with Home Assistant; its own program has no list of them to ask."""


def named(value: object) -> Iterator[str]:
    """Every entity that a dashboard names, in its fields and its templates."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from named(each)
    elif isinstance(value, str):
        yield from re.findall(r"\b[a-z_]+\.table_[0-9]+_[a-z_]+\b", value)


Card = dict[str, Any]


def cards(home: HomeAssistant) -> Iterator[tuple[str, Card]]:
    """Every card of the dashboard, with the path of its view."""
    for view in home.read(FILES / "dashboard.yaml")["views"]:
        for section in view["sections"]:
            for card in section["cards"]:
                yield view["path"], card


def rows(card: Card) -> Iterator[Card]:
    """Yield the rows of a card, each an entity with its name: the card itself, or its rows."""
    for each in (card, *card.get("entities", ())):
        if "entity" in each:
            yield each


def is_shown(card: Card, states: dict[str, dict[str, Any]]) -> bool:
    """True if all conditions of a card's visibility are met."""
    for condition in card.get("visibility", ()):
        state = states[condition["entity"]]["state"]
        if not (
            ("state" in condition and state == condition["state"])
            or ("state_not" in condition and state != condition["state_not"])
            or ("above" in condition and state.isdigit() and int(state) > condition["above"])
        ):
            return False
    return True


def test_each_entity_of_the_dashboard_has_a_name_that_is_not_cut_off(home: HomeAssistant) -> None:
    """Without a name of its own, a card shows that of the table before that of the entity."""
    for _, card in cards(home):
        for row in rows(card):
            assert 0 < len(row.get("name", "")) <= 23, row


def shown_of(home: HomeAssistant, table: str) -> dict[str, str]:
    """The state of each entity of a table that an owner sees in the first view, by its name."""
    states = home.states()
    return {
        row["name"]: states[row["entity"]]["state"]
        for view, card in cards(home)
        if view == "bar" and is_shown(card, states)
        for row in rows(card)
        if f".{table}_" in row["entity"]
    }


SPOKEN = replace(PLAYED, view=replace(VIEW, phase=Phase.CLUE, clue=None, guesses_left=None))
FIRST_VIEW: dict[str, tuple[PublicMessage, dict[str, str]]] = {
    "nobody has ever played": (
        PublicMessage(None, out_of_order=False, idle=Presence.IDLE),
        {"Status": "free"},
    ),
    "a game is set apart": (replace(PLAYED, idle=Presence.IDLE), {"Status": "free"}),
    "a clue is awaited": (
        SPOKEN,
        {
            "Status": "played",
            "Game": "The classic game",
            "Turn": "red",
            "Red left": "5",
            "Blue left": "6",
        },
    ),
    "a clue is given": (
        PLAYED,
        {
            "Status": "played",
            "Game": "The classic game",
            "Turn": "red",
            "Clue": "flight",
            "Red left": "5",
            "Blue left": "6",
        },
    ),
}


@pytest.mark.parametrize("name", FIRST_VIEW)
def test_the_first_view_shows_what_is_known_and_nothing_else(
    home: HomeAssistant, at_broker: AtBroker, name: str
) -> None:
    public, shown = FIRST_VIEW[name]
    tell(at_broker, public)
    home.until(lambda _: shown_of(home, "table_3") == shown)


def test_the_first_view_shows_of_a_table_that_is_away_only_that(
    home: HomeAssistant, at_broker: AtBroker
) -> None:
    tell(at_broker)
    at_broker.say(TOPICS.of("availability"), b"offline")
    home.until(lambda _: shown_of(home, "table_3") == {"Status": "unavailable"})
    at_broker.say(TOPICS.of("availability"), b"online")


def test_each_fault_has_a_line_of_its_own(home: HomeAssistant, at_broker: AtBroker) -> None:
    tell(at_broker, faults=("The disk is full.", "The rim is wet."))
    home.until(lambda states: states[entity("sensor", "faults")]["state"] == "2")
    (told,) = (
        home.rendered(card["content"])
        for _, card in cards(home)
        if "sensor.table_3_faults" in card.get("content", "")
    )
    lines = [line for line in told.splitlines() if line.startswith("-")]
    assert lines == ["- The disk is full.", "- The rim is wet."]


def test_what_was_said_last_is_told_of_each_table(home: HomeAssistant, at_broker: AtBroker) -> None:
    announce(at_broker, "turn")
    home.until(
        lambda states: (
            states[entity("event", "announcement")]["attributes"].get("event_type") == "turn"
        )
    )
    (said_last,) = (
        card["content"] for _, card in cards(home) if "_announcement" in card.get("content", "")
    )
    head, line, *told = home.rendered(said_last).splitlines()
    assert {each.count("|") for each in (head, line, *told)} == {4}
    assert [each.split("|")[1].strip() for each in told] == [
        f"**Table {number}**" for number in range(1, 6)
    ]
    assert "Red’s turn." in told[2]
    assert told[1].split("|")[2:] == [" – ", "  ", ""]


def test_all_tables_are_shown_alike(home: HomeAssistant) -> None:
    for view in home.read(FILES / "dashboard.yaml")["views"]:
        if view["path"] != "evening":
            told = [json.dumps(section) for section in view["sections"]]
            assert len(told) == 5
            for number, section in enumerate(told, 1):
                alike = section.replace(f"table_{number}_", "table_1_")
                assert alike.replace(f"Table {number}", "Table 1") == told[0]


def test_every_entity_of_the_dashboard_is_one_that_its_tables_bring(home: HomeAssistant) -> None:
    dashboard = home.read(FILES / "dashboard.yaml")
    entities = set(named(dashboard))
    assert len(entities) > 100
    assert entities <= set(home.states())
    for number in range(1, 6):
        assert any(f"table_{number}_" in each for each in entities)


def test_each_card_of_the_dashboard_is_of_a_kind_that_home_assistant_has(
    home: HomeAssistant,
) -> None:
    for _, card in cards(home):
        assert card["type"] in CARDS, card
    for view in home.read(FILES / "dashboard.yaml")["views"]:
        assert view["type"] == "sections"

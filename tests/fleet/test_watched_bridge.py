"""A table with its real bridge, as Home Assistant and Prometheus see it: from the table's sockets,
through the broker that `pi-table provision` makes, to what an owner looks at, and back."""

import asyncio
import socket
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from attempts import TAKEN
from bridged import Bridged, until
from home import HomeAssistant, needs_home
from home_tables import CONFIG
from house_table import said, table_in
from msgspec.structs import replace
from ports import free_port
from provisioned import Provisioned
from table_facts import FARES, PLAYED, VIEW
from watched_tables import scraping
from watching import node_exporter, prometheus

from pi_table.fleet.bridge import payloads
from pi_table.fleet.bridge.home_assistant import discovery
from pi_table.fleet.bridge.topics import Topics
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase

pytestmark = pytest.mark.fleet

TABLE = "window"
USER = "home-assistant"


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Provisioned]:
    with closing(Provisioned(tmp_path / "provisioned")) as made:
        yield made


@pytest.fixture
def at_home(tmp_path: Path, made: Provisioned) -> Iterator[Callable[[str], HomeAssistant]]:
    """Starts a Home Assistant that comes to the broker as a user."""
    with ExitStack() as stack:
        (tmp_path / "home").mkdir()
        (tmp_path / "home/configuration.yaml").write_text("")
        yield lambda user: stack.enter_context(
            HomeAssistant(tmp_path / "home", made.broker.port, user, made.password(user))
        )


@needs_home
async def test_home_assistant_shows_a_table_and_asks_for_things_with_the_rights_that_it_is_given(
    tmp_path: Path, made: Provisioned, at_home: Callable[[str], HomeAssistant]
) -> None:
    async def shows(so: Callable[[dict[str, Any]], bool]) -> None:
        await asyncio.to_thread(home.until, so)

    def state(name: str) -> Callable[[dict[str, Any]], Any]:
        return lambda states: states.get(name, {}).get("state")

    home = at_home(USER)
    password = tmp_path / "password"
    password.write_text(made.password(TABLE))
    bridge = Bridged(
        tmp_path,
        f"mqtt://127.0.0.1:{made.broker.port}",
        table=TABLE,
        password_file=str(password),
        home_assistant="homeassistant",
    )
    async with table_in(tmp_path) as table:
        table.show(PLAYED)
        with bridge.running():
            await shows(lambda states: state("sensor.window_clue")(states) == "flight")
            await shows(lambda states: state("number.window_brightness")(states) == "80")
            await shows(lambda states: state("sensor.window_version")(states) == "0.7.0")

            service = "number.set_value"
            data = {"entity_id": "number.window_brightness", "value": 35}
            await asyncio.to_thread(home.call, service, **data)
            await until(lambda: table.asked != [])
            assert table.asked[0]["settings"] == {"brightness": 35}

            over = replace(
                VIEW,
                phase=Phase.OVER,
                turn=None,
                clue=None,
                outcome=Outcome(Team.BLUE, (Team.RED,), Why.AGENTS),
            )
            table.show(replace(PLAYED, view=over, said=(*PLAYED.said, said(43, "win"))))
            await shows(lambda states: state("sensor.window_winner")(states) == "blue")
            await shows(
                lambda states: (
                    states["event.window_announcement"]["attributes"]["event_type"] == "win"
                )
            )
        await shows(lambda states: state("sensor.window_winner")(states) == "unavailable")
    assert home.complaints() == []


@needs_home
def test_home_assistant_of_a_bar_finds_and_commands_the_tables_of_that_bar(
    made: Provisioned, at_home: Callable[[str], HomeAssistant]
) -> None:
    made.provision("garden", "--bar", "north", "--home-assistant-user", "north-home")
    made.take_over()
    home = at_home("north-home")
    with made.member("garden") as garden, made.member(TABLE) as window:
        garden.subscribe("pi-table/north/garden/do/#")
        for name, prefix, teller in (
            (TABLE, "pi-table", window),
            ("garden", "pi-table/north", garden),
        ):
            topics = Topics(prefix, name, "homeassistant")
            for topic, payload in (
                (topics.discovery, discovery(replace(CONFIG, prefix=prefix), name, "0.7.0")),
                (topics.of("availability"), b"online"),
                (topics.of("state"), payloads.state(PLAYED, FARES)),
            ):
                assert teller.write(topic, payload, kept=True) in TAKEN
        home.until(lambda states: states.get("sensor.garden_clue", {}).get("state") == "flight")
        home.call("button.press", entity_id="button.garden_locate")
        assert garden.hears_of("pi-table/north/garden/do/locate")
        assert not [each for each in home.states() if f".{TABLE}_" in each]
        assert home.complaints() == []


def test_the_node_exporter_answers_at_the_one_address_of_its_page(tmp_path: Path) -> None:
    (tmp_path / "pi-table.prom").write_text("pi_table_up 1\n")
    with node_exporter(tmp_path, "127.0.0.2") as port:
        with urllib.request.urlopen(f"http://127.0.0.2:{port}/metrics") as answer:
            assert b"\npi_table_up 1\n" in answer.read()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))


async def test_prometheus_knows_of_a_table_what_its_bridge_writes(tmp_path: Path) -> None:
    figures = tmp_path / "figures"
    kept = tmp_path / "kept"
    figures.mkdir()
    kept.mkdir()
    bridge = Bridged(
        tmp_path,
        f"mqtt://127.0.0.1:{free_port()}",  # nobody is there
        metrics=str(figures / "pi-table.prom"),
    )
    async with table_in(tmp_path) as table:
        with (
            node_exporter(figures) as port,
            prometheus(kept, scraping(port)) as watching,
            bridge.running(),
        ):
            await until(lambda: watching.value("pi_table_up") == 1)
            assert watching.value('pi_table_info{version="0.7.0"}') == 1
            assert watching.value("pi_table_broker_connected") == 0
            table.fare(faults=("The disk is full.",))
            await until(lambda: watching.value("pi_table_faults") == 1)
            await table.go()
            await until(lambda: watching.value("pi_table_up") == 0)
            assert watching.value("pi_table_faults") is None

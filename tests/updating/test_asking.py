"""Questions to a table before and after an update, and conclusions from its answers."""

import os
import socket
import threading
from pathlib import Path

import pytest
from patience import PATIENCE
from stand_in import FREE, PLAYED, WELL, StandIn, message, settings

from pi_table.fleet.updating.asking import (
    AWAY,
    NOTHING_HEALTHY,
    Away,
    Refused,
    Reserved,
    TableHealth,
    house_settings,
    keep_free,
    why_not_up,
)
from pi_table.protocols.ipc.messages import Answer

SHORT_SECONDS = 0.3
"""Seconds for what never comes."""


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (FREE, Reserved(WELL)),
        (PLAYED, Refused("A game is being played.")),
        (Answer(1, ok=False), Refused("The table refuses, and does not say why.")),
    ],
)
def test_a_table_answers_that_it_is_kept_free_or_why_not(
    tmp_path: Path, answer: Answer, asked: object
) -> None:
    with StandIn(tmp_path, answer) as table:
        assert keep_free(tmp_path / "house.sock", 900) == asked
        assert table.asked == [{"act": "keep-free", "seat": "operator", "seconds": 900}]


@pytest.mark.parametrize("answer", [b"no JSON at all\n", b'{"kind":"answer"}\n'])
def test_a_table_that_answers_nonsense_is_away(tmp_path: Path, answer: bytes) -> None:
    with StandIn(tmp_path, answer):
        assert keep_free(tmp_path / "house.sock", patience=SHORT_SECONDS) == Away()


def test_a_table_that_hears_and_never_answers_is_away(tmp_path: Path) -> None:
    with StandIn(tmp_path, None):
        assert keep_free(tmp_path / "house.sock", patience=SHORT_SECONDS) == Away()


def test_a_table_that_stays_away_is_away(tmp_path: Path) -> None:
    path = tmp_path / "house.sock"
    assert keep_free(path, patience=SHORT_SECONDS) == Away()
    assert house_settings(path, SHORT_SECONDS) is None
    path.touch()
    assert keep_free(path, patience=SHORT_SECONDS) == Away()


def test_an_engine_that_is_started_anew_is_waited_for(tmp_path: Path) -> None:
    """It fell over in mid-game, and the game goes on."""
    with StandIn(tmp_path, PLAYED) as table:
        table.end()
        later = threading.Timer(SHORT_SECONDS, table.begin)
        later.start()
        assert isinstance(keep_free(tmp_path / "house.sock", patience=PATIENCE), Refused)
        later.join()


def test_an_engine_that_falls_over_while_it_is_asked_is_waited_for(tmp_path: Path) -> None:
    with StandIn(tmp_path, None) as table:

        def falls_over() -> None:
            table.end()
            table.answer = PLAYED
            table.begin()

        later = threading.Timer(SHORT_SECONDS, falls_over)
        later.start()
        assert isinstance(keep_free(tmp_path / "house.sock", patience=PATIENCE), Refused)
        later.join()


def test_one_that_has_no_room_lives_and_is_not_updated(tmp_path: Path) -> None:
    path = tmp_path / "house.sock"
    with StandIn(tmp_path, most=1), socket.socket(socket.AF_UNIX) as other:
        other.connect(str(path))
        assert other.recv(1)  # it is served
        assert isinstance(keep_free(path), Refused)
        assert house_settings(path) is None


def test_the_quiet_hours_are_those_of_the_house(tmp_path: Path) -> None:
    told = settings("23:00", "09:00")
    with StandIn(tmp_path, told=message(told)):
        assert house_settings(tmp_path / "house.sock") == told


def test_who_may_not_ask_is_refused_and_knows_nothing(tmp_path: Path) -> None:
    """A command in the place of the packages may be anybody's."""
    path = tmp_path / "house.sock"
    with StandIn(tmp_path) as table:
        if os.geteuid() == 0:
            os.seteuid(65534)
        else:
            path.chmod(0)
        try:
            asked = keep_free(path)
        finally:
            os.seteuid(os.getuid())
        assert isinstance(asked, Refused)
        assert "sudo" in asked.sentence
        assert table.asked == []


def test_a_table_comes_up_when_it_tells_something_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "house.sock"
    assert why_not_up(path, seconds=SHORT_SECONDS, steady=0) == AWAY
    with StandIn(tmp_path):
        assert why_not_up(path, WELL, seconds=PATIENCE, steady=SHORT_SECONDS) is None


def test_it_may_come_up_while_it_is_waited_for(tmp_path: Path) -> None:
    with StandIn(tmp_path) as table:
        table.end()
        later = threading.Timer(SHORT_SECONDS, table.begin)
        later.start()
        assert why_not_up(tmp_path / "house.sock", seconds=PATIENCE, steady=0) is None
        later.join()


def test_one_that_falls_over_has_not_come_up(tmp_path: Path) -> None:
    with StandIn(tmp_path) as table:
        later = threading.Timer(SHORT_SECONDS, table.end)
        later.start()
        path = tmp_path / "house.sock"
        assert why_not_up(path, seconds=2 * SHORT_SECONDS, steady=PATIENCE) == AWAY
        later.join()


def test_one_that_hangs_has_not_come_up(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as hangs:
        hangs.bind(str(tmp_path / "house.sock"))
        hangs.listen()
        assert why_not_up(tmp_path / "house.sock", seconds=SHORT_SECONDS, steady=0) == AWAY


@pytest.mark.parametrize(
    ("health", "says"),
    [
        (TableHealth(link=False), "touch device"),
        (TableHealth(can_store=False), "cannot store"),
        (TableHealth(out_of_order=True), "out of order"),
    ],
)
def test_what_was_well_has_to_be_well_again(tmp_path: Path, health: TableHealth, says: str) -> None:
    path = tmp_path / "house.sock"
    with StandIn(tmp_path, told=message(settings(), health)) as table:
        assert says in (why_not_up(path, WELL, seconds=SHORT_SECONDS, steady=0) or "")
        # What ailed it before is not the version's fault.
        assert why_not_up(path, health, seconds=PATIENCE, steady=0) is None
        assert why_not_up(path, NOTHING_HEALTHY, seconds=PATIENCE, steady=0) is None
        table.told = message(settings())
        assert why_not_up(path, WELL, seconds=PATIENCE, steady=0) is None


def test_a_controller_that_takes_its_time_is_waited_for(tmp_path: Path) -> None:
    with StandIn(tmp_path, told=message(settings(), TableHealth(link=False))) as table:

        def there() -> None:
            table.told = message(settings())
            table.do(table.house.publish)

        later = threading.Timer(SHORT_SECONDS, there)
        later.start()
        path = tmp_path / "house.sock"
        assert why_not_up(path, WELL, seconds=PATIENCE, steady=SHORT_SECONDS) is None
        later.join()


def test_a_later_version_may_tell_other_things(tmp_path: Path) -> None:
    told = b'{"kind":"house","version":"9.0.0","moods":["merry"]}\n'
    with StandIn(tmp_path, told=told):
        assert why_not_up(tmp_path / "house.sock", WELL, seconds=PATIENCE, steady=0) is None


def test_nobody_waits_for_a_machine_that_is_being_stopped(tmp_path: Path) -> None:
    path = tmp_path / "house.sock"
    assert why_not_up(path, WELL, lambda: True, seconds=PATIENCE) is not None

"""A table's machine boots into its screen and its lights, and a game is played at these alone."""

import json
from typing import Final

import pytest
from boot_times import UNITS, blamed, print_measured
from golden_pictures import MAX_STEPS, furthest
from hidden_screen import seen, until_seen
from played import CELLS
from screened import Screened
from screens_expected import give_the_first_clue

pytestmark = pytest.mark.machine

MEANINGS: Final = {
    "red": {"red"},
    "blue": {"blue"},
    "bystander": {"harmless"},
    "assassin": {"fatal", "harmless"},
}
"""Meanings of a cell's lights (`lit_strip.meaning`). The assassin also has white light, which is
nearest to harmless."""


def test_a_game_at_the_screen_the_cells_and_the_lights(booted_table: Screened) -> None:
    """Keys and fingers go in; lights and pictures come out. This comes first: a table at which
    nobody does anything for a while falls asleep, and shows another screen."""
    table, strip, _ = booted_table
    give_the_first_clue(table)
    waiting = seen(table.machine)
    cell = CELLS[7]
    table.until(lambda: strip.shown_at(cell) == set(), 60.0)
    table.guess(cell)
    until_seen(table, lambda now: furthest(now, waiting).steps > MAX_STEPS)
    meant = MEANINGS[table.stands.covered[cell]]
    table.until(lambda: strip.shown_at(cell) == meant, 60.0)


def test_it_boots_into_its_light_and_its_first_screen(booted_table: Screened) -> None:
    """The screen shows the picture of the console's painter here: `booting` waits for it."""
    machine = booted_table.table.machine
    print_measured("amd64", booted_table.times)
    blame = blamed(machine)
    print(json.dumps({"name": "boot/amd64/blame", **blame}))
    assert set(blame) == set(UNITS)
    assert set(booted_table.times) >= {"first_light", "first_screen"}
    assert machine.ran("systemctl", "--failed", "--no-legend", "--plain") == ""
    for unit in UNITS:
        assert machine.ran("systemctl", "is-active", unit).strip() == "active"

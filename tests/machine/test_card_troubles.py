"""Faults of a table's card and clock, in a booted machine: their visible signs, and no loss of a
game's acts."""

import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from card import Card
from machine import TooLongError
from played import PlayedTable, Standing, booted
from plugs import new_card
from seen_light import SeenLight
from troubles import STATE, destroy, fail_writes, fill_up, make_room, partition, slow_down

pytestmark = [pytest.mark.machine, pytest.mark.torture]

CONFIG = "/etc/pi-table/table.toml"
FAULT = "/run/pi-table-fault/engine"
SLOW_MS = 300


@pytest.fixture
def card(scratch: Path) -> Card:
    return new_card("amd64", scratch)


@contextmanager
def table_with(card: Card, scratch: Path, **more: Any) -> Iterator[PlayedTable]:
    with booted("amd64", card, scratch, cores=1, **more) as table:
        yield table


def begin(table: PlayedTable, **options: Any) -> None:
    """Begin a game, and give a clue for as many guesses as there may be."""
    answer = table.act(act="start", seat="operator", profile="codenames", cards="own", **options)
    assert answer["ok"], answer
    table.until(lambda: table.stands.phase == "clue")
    clue(table)


def clue(table: PlayedTable) -> None:
    view = table.stands.view
    assert view
    assert table.act(act="clue", seat=f"{view['turn']}-spymaster", number="unlimited")["ok"]
    table.until(lambda: table.stands.phase == "guess")


def agents(table: PlayedTable) -> list[str]:
    """The cells of the team whose turn it is, still to be found: they end neither turn nor game."""
    view = table.stands.view
    assert view
    told = table.act(act="look", seat=f"{view['turn']}-spymaster")["told"]
    key = dict(zip(view["cells"], told["key"], strict=True))
    return [
        cell
        for cell, letter in key.items()
        if letter == view["turn"][0] and cell not in table.stands.covered
    ]


def guess(table: PlayedTable, cell: str) -> None:
    """Touch a cell until it lies open, as a guest would."""
    for _ in range(10):
        table.press(cell)
        table.pause(4.0)
        table.lift(cell)
        table.pause(0.7)
        if cell in table.stands.covered:
            return
    raise AssertionError(f"{cell} was touched in vain: {table.public} {faults(table)}")


def touched_in_vain(table: PlayedTable, cell: str) -> None:
    """Touch a cell for long, and see that it is not opened."""
    table.press(cell)
    table.until(lambda: faults(table))
    table.pause(3.0)
    table.lift(cell)
    table.pause(1.0)
    assert cell not in table.stands.covered


def opened_or_not(table: PlayedTable, cell: str) -> bool:
    """True if it has been decided either way."""
    return cell in table.stands.covered or out_of_order(table)


def faults(table: PlayedTable) -> str:
    """Return the faults shown to the staff."""
    return " ".join(table.faults)


def out_of_order(table: PlayedTable) -> bool:
    """True if the public view says that the table is out of order."""
    return bool(table.public and table.public["out_of_order"])


def journal_is_well(table: PlayedTable) -> None:
    """The table's own check of its journal, as the staff would ask for it."""
    machine = table.machine
    machine.ran("systemctl", "stop", "pi-table-engine")
    machine.ran("pi-table", "journal", "check", "--config", CONFIG, user="pi-table")


def after_the_plug(card: Card, scratch: Path, before: Standing) -> None:
    """The table stands where it stood, and plays on."""
    with table_with(card, scratch) as table:
        table.look()
        assert table.stands.view == before.view
        assert table.settled_faults() == []
        assert not out_of_order(table)
        guess(table, agents(table)[0])
        journal_is_well(table)


def test_a_clock_that_is_years_back_and_jumps(card: Card, scratch: Path) -> None:
    with table_with(card, scratch, devices=("-rtc", "base=2012-01-01T00:00:00")) as table:
        table.look()
        machine = table.machine
        begin(table, options={"timer": "hourglass", "hourglass_seconds": 600})
        for date in ("2031-05-01", "2013-01-01", "2026-11-22"):
            cell = agents(table)[0]
            assert table.act(act="hourglass", seat="operator")["ok"]
            table.until(lambda: (table.stands.view or {}).get("timer"))
            machine.ran("date", "--set", date)
            guess(table, cell)
            timer = (table.stands.view or {})["timer"]
            assert timer["running"]
            assert 300 < timer["left"] <= 600
            assert table.settled_faults() == []
            assert not out_of_order(table)
        before = table.stands
        machine.pull_the_plug()
    card.power_cut(random.Random(1))
    with table_with(card, scratch, devices=("-rtc", "base=2009-01-01T00:00:00")) as table:
        table.look()
        assert table.stands.covered == before.covered
        assert table.settled_faults() == []
        guess(table, agents(table)[0])
        journal_is_well(table)


def test_a_full_disk(card: Card, scratch: Path) -> None:
    with table_with(card, scratch) as table:
        table.look()
        begin(table)
        guess(table, agents(table)[0])
        fill_up(table.machine)
        refused = ""
        for cell in agents(table):  # what is acknowledged before, there was still room for
            table.press(cell)
            table.until(partial(opened_or_not, table, cell))
            table.lift(cell)
            table.pause(1.0)
            if out_of_order(table):
                refused = cell
                break
        assert refused, "The disk is full, and everything was stored."
        assert "space" in faults(table)
        shown = table.stands
        make_room(table.machine)
        more = [cell for cell in agents(table) if cell not in shown.covered]
        guess(table, more[0])
        assert not out_of_order(table)
        assert table.settled_faults() == []
        fill_up(table.machine)
        for cell in more[1:]:
            table.press(cell)
            table.until(partial(opened_or_not, table, cell))
            table.lift(cell)
            table.pause(1.0)
            if out_of_order(table):
                break
        before = table.stands
        table.machine.pull_the_plug()
    card.power_cut()
    with table_with(card, scratch) as table:
        table.look()
        # Without any room the journal cannot even be opened; that is told, and no game is begun.
        print(f"started on a full disk: {table.public} {faults(table)}")
        if table.stands.view is None:
            assert out_of_order(table)
            assert "no space left" in faults(table)
        make_room(table.machine)
        if table.stands.view is None:
            assert table.act(act="try-again", seat="operator")["ok"]
            table.until(lambda: table.stands.view)
        assert table.stands.covered == before.covered
        table.until(lambda: not faults(table))
        guess(table, agents(table)[0])
        journal_is_well(table)


@pytest.mark.parametrize("how", ["the card takes no write any more", "mounted read-only"])
def test_a_card_that_turns_read_only(card: Card, scratch: Path, how: str) -> None:
    with table_with(card, scratch) as table:
        table.look()
        begin(table)
        guess(table, agents(table)[0])
        cells = agents(table)
        if how == "mounted read-only":
            # As the kernel does it after an error: no open file is asked.
            table.machine.ran("sh", "-c", "echo u >/proc/sysrq-trigger")
            is_so = ("grep", "-q", f" {STATE} ext4 ro,", "/proc/mounts")
            table.machine.until(lambda: table.machine.run(*is_so).status == 0)
        else:
            fail_writes(table.machine)
        before = table.stands
        touched_in_vain(table, cells[0])
        assert out_of_order(table)
        assert "card" in faults(table)
        assert table.stands.covered == before.covered
        touched_in_vain(table, cells[1])
        table.machine.pull_the_plug()
    card.power_cut()
    after_the_plug(card, scratch, before)


def test_a_slow_card(card: Card, scratch: Path) -> None:
    with table_with(card, scratch) as table:
        table.look()
        begin(table)
        guess(table, agents(table)[0])
        with SeenLight(scratch / "control") as light:
            quick = [finger(table, light, cell) for cell in agents(table)[:2]]
            slow_down(table.machine, SLOW_MS)
            slow = [finger(table, light, cell) for cell in agents(table)[:3]]
        print(f"glow and reveal, in s: on a quick card {quick}, on a slow one {slow}")
        # The glow does not wait for the card; the reveal does.
        assert median(glow for glow, _ in slow) < max(glow for glow, _ in quick) + 0.15
        later = min(reveal for _, reveal in slow) - max(reveal for _, reveal in quick)
        assert later > SLOW_MS / 1000
        assert table.settled_faults() == []
        before = table.stands
        table.machine.pull_the_plug()
    card.power_cut()
    after_the_plug(card, scratch, before)


def finger(table: PlayedTable, light: SeenLight, cell: str) -> tuple[float, float]:
    """Touch a cell; the seconds until it glowed, and until everybody was told what it is."""
    for _ in range(10):  # a guest whose touch was refused touches again
        table.pause(1.2)
        since = time.monotonic()
        table.press(cell)
        with suppress(TooLongError):
            table.until(lambda: cell in table.stands.covered, 20.0)
        reveal = time.monotonic() - since
        table.lift(cell)
        if cell in table.stands.covered:
            glow = light.glowed(cell, since)
            assert glow is not None
            return round(glow, 3), round(reveal, 3)
    raise AssertionError(f"{cell} was touched in vain: {table.public} {faults(table)}")


def all_zeros(image: Path) -> None:
    destroy(image, "pi-table-state")


def zeros_at_the_beginning(image: Path) -> None:
    """Gone are the first superblock, and where each file lies."""
    at, _ = partition(image, "pi-table-state")
    with image.open("r+b") as card:
        card.seek(at)
        card.write(bytes(1 << 20))


def mended_by_losing_all(image: Path) -> None:
    """As fsck leaves it at worst: a file system in order, with nothing in it."""
    at, size = partition(image, "pi-table-state")
    make = ["mke2fs", "-q", "-F", "-t", "ext4", "-E", f"offset={at}"]
    subprocess.run([*make, image, f"{size // 1024}k"], check=True, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (all_zeros, ("cannot be read",)),
        (zeros_at_the_beginning, ("cannot be read", "was damaged")),
        (mended_by_losing_all, ("was damaged",)),
    ],
)
def test_a_lost_partition_is_never_a_new_game(
    card: Card, scratch: Path, spoil: Callable[[Path], None], said: tuple[str, ...]
) -> None:
    with table_with(card, scratch) as table:
        table.look()
        begin(table)
        guess(table, agents(table)[0])
        table.machine.switch_off()
    spoil(card.image)
    with table_with(card, scratch) as table:
        machine = table.machine
        machine.here()
        machine.until(lambda: machine.run("test", "-s", FAULT).status == 0)
        told = machine.ran("cat", FAULT)
        assert any(words in told for words in said), told
        assert machine.run("systemctl", "is-active", "pi-table-engine").out.strip() != "active"
        assert machine.run("test", "-e", f"{STATE}/journal.sqlite").status == 1
        assert not machine.watch("/run/pi-table/public.sock")

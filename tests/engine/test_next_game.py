"""A new game at any time, and a rematch with sides swapped."""

from collections.abc import Callable

import pytest
from virtual_table import BLUE_KEY, RED_KEY, VirtualTable

from pi_table.common.errors import StorageError
from pi_table.games.rules.chance import Chance
from pi_table.table.engine.dealing import Dealer, Shelf
from pi_table.table.engine.requests.acts import act_at_console
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import Store
from pi_table.table.engine.storage.results import NotStored
from pi_table.table.engine.storage.workers import AtOnce, Hear

MakeTable = Callable[..., VirtualTable]


def test_a_new_game_ends_the_one_that_is_played_only_where_that_was_said(
    table: VirtualTable,
) -> None:
    assert table.ask("start", profile="codenames").reason == "game-in-progress"
    assert table.ask("start", profile="codenames", ending=1).reason == "unusable"
    assert table.message.game == 1
    table.do("start", profile="alias-24", ending=True)
    assert (table.message.game, table.view.profile) == (2, "alias-24")
    (summary,) = table.ask("record").told
    assert (summary.number, summary.outcome.why.value) == (1, "stopped")


def test_a_new_game_that_cannot_be_dealt_ends_nothing(table: VirtualTable) -> None:
    before = table.game
    for wrong in ({"profile": "chess"}, {"profile": "codenames", "cards": "dealt", "pack": "zoo"}):
        assert table.ask("start", ending=True, **wrong).reason == "unusable"
    assert table.game == before


def test_the_next_game_may_end_the_one_that_is_played(table: VirtualTable) -> None:
    assert table.ask("next").reason == "game-in-progress"
    table.do("next", ending=True)
    assert table.message.game == 2


def test_who_may_not_abandon_may_not_end_a_game_by_beginning_another(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start()
    table.do("house", set={"guests_may": ["start"]})
    table.do("set-pin", pin="4711")
    table.do("lock")
    assert table.ask("next", ending=True).reason == "locked"
    assert table.ask("next").reason == "game-in-progress"
    table.do("unlock", pin="4711")
    table.do("next", ending=True)
    assert act_at_console("next").needs == "start"


@pytest.mark.parametrize("fails", [1, 2])
def test_a_disk_that_fails_at_the_end_or_the_beginning_refuses_and_leaves_no_half(
    make_table: MakeTable, fails: int
) -> None:
    class Failing(AtOnce):
        count = -1000

        def give(self, order: Order, hear: Hear) -> None:
            if isinstance(order, Store):
                self.count += 1
                if self.count == fails:
                    hear(NotStored(StorageError("The disk is full.")))
                    return
            super().give(order, hear)

    table = make_table(make_workers=Failing)
    table.start()
    assert isinstance(table.workers, Failing)
    table.workers.count = 0
    assert table.ask("start", profile="codenames", ending=True).reason == "cannot-store"
    assert table.message.game == 1
    assert (table.view.outcome is None) is (fails == 1)
    table.do("start", profile="codenames", ending=True)
    assert table.message.game == 2


def test_in_a_rematch_the_team_starts_that_did_not(make_table: MakeTable) -> None:  # CN-23
    table = make_table(dealer=Dealer(Shelf(()), Chance()))
    table.start()
    starts = table.view.turn
    table.do("abandon")
    for expected in (starts.other.value, starts.value, starts.other.value):
        table.do("next", swap=True)
        assert table.view.turn.value == expected
        table.do("abandon")
    assert table.ask("next", swap="yes").reason == "unusable"


def test_in_a_rematch_after_a_new_key_it_is_the_team_that_really_did_not_start(
    make_table: MakeTable,
) -> None:
    table = make_table(keys=[RED_KEY, BLUE_KEY, RED_KEY])
    table.start()
    table.do("new-key")
    assert table.view.turn.value == "blue"
    table.do("abandon")
    table.do("next", swap=True)
    assert table.view.turn.value == "red"


def test_in_a_game_of_codex_nothing_is_swapped_and_the_nicknames_stay(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.do("start", profile="codex")
    names = [agent.nickname for agent in table.view.agents]
    table.do("abandon")
    table.do("next", swap=True)
    assert [agent.nickname for agent in table.view.agents] == names

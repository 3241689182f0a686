"""The first minutes at the real window: from power-on to a clue and a guess, by mouse alone, by
touch alone, and with the keys that stand in for encoder and buttons."""

from collections.abc import Callable
from pathlib import Path

import pytest
from at_the_window import Player, window
from xvfb import Screen

from pi_table.common.geometry import cell_named
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.board import Phase
from pi_table.screens.console.console_events import Typed

pytestmark = pytest.mark.paced

PICTURES = Path(__file__).parents[2] / "build" / "first-time"
GAME, START = "The classic game", "Start: explain it"
PRESSES = 5
"""Most presses from power-on to the first clue."""


def to_the_first_clue(player: Player, choose: Callable[[str], None]) -> None:
    choose(GAME)
    choose(START)
    player.wait(lambda: player.public is not None, "the deal")
    team = player.public.turn.value.capitalize()
    choose(f"{team} gives the clue")
    choose("2")
    choose(f"{team} gives this clue")
    player.wait(lambda: player.public.phase is Phase.GUESS, "the clue to be given")
    assert player.presses <= PRESSES


@pytest.mark.parametrize("controller", ["emulated", "pi"])
def test_from_power_on_to_a_guess_with_a_finger(
    xvfb: Screen, tmp_path: Path, controller: str
) -> None:
    # With the mouse, and the simulated controller, test_window.py plays a whole game.
    with (
        window(xvfb, tmp_path, "--controller", controller) as (_, told),
        Player(xvfb, told, PICTURES, "finger") as player,
    ):
        player.see()
        why = "No game has begun: choose one first."
        player.hold(cell_named("C3") or 0, lambda: why in player.texts, "why it is refused")
        player.see()
        player.save(f"{controller}-1-refused")
        to_the_first_clue(player, player.click)
        player.tap(Input.PEEK)
        player.wait(lambda: player.table.key is not None, "the key")
        player.tap(Input.PEEK)
        assert player.guess(player.public.turn.value[0]) in player.public.cells
        player.see()
        player.save(f"{controller}-2-guessed")


def test_with_keys_for_encoder_and_buttons(xvfb: Screen, tmp_path: Path) -> None:
    with window(xvfb, tmp_path) as (_, told), Player(xvfb, told, PICTURES) as player:
        at_home = player.choices
        player.turn_to(GAME)
        assert player.choices != at_home
        player.key("Escape", Input.BACK)
        assert player.choices == at_home
        player.presses = 0
        to_the_first_clue(player, player.turn_to)
        for is_seen in (True, False):
            player.key("p", Typed("p"))
            player.wait(lambda: (player.table.key is not None) is is_seen, "the key")  # noqa: B023
        player.save("keys-1-clue-given")

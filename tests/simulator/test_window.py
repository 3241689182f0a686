"""A whole game in the real window, played with a mouse by somebody who looks at the screen."""

import socket
from pathlib import Path

import pygame
import pytest
from at_the_window import Player, pixels, window
from patience import PATIENCE
from ports import free_port
from test_simulated_pages import watch_until
from xvfb import Screen, screen, wait_until

from pi_table.common.geometry import CELLS, END_TURN
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.board import Phase
from pi_table.simulator.window import opening_size

pytestmark = pytest.mark.paced

PICTURES = Path(__file__).parents[2] / "build" / "window"


@pytest.mark.parametrize(
    "controller", ["simulated", pytest.param("pi", marks=pytest.mark.mutation)]
)
def test_a_whole_game_is_played_with_the_mouse(
    xvfb: Screen, tmp_path: Path, controller: str
) -> None:
    with (
        window(xvfb, tmp_path, "--controller", controller) as (process, told),
        Player(xvfb, told, PICTURES) as player,
    ):
        player.see()
        player.save("1-no-game")
        player.click("The classic game")
        player.save("2-choosing")
        player.click("Start: we know it")
        player.wait(lambda: player.public is not None, "the deal")
        player.tap(Input.PEEK)
        player.wait(lambda: player.table is not None and player.table.key is not None, "the key")
        player.see()
        player.save("3-the-key")
        player.tap(Input.PEEK)  # each press renews it: how many do, is a matter of time

        first, other = player.public.turn.value, player.public.turn.other.value
        player.give_clue(first, 2)
        player.guess(first[0])
        player.guess("n")  # CN-8
        assert player.public.turn.value == other
        player.give_clue(other, 3)
        player.guess(other[0])
        player.see()
        player.save("4-guessing")
        player.hold(END_TURN, lambda: player.public.phase is Phase.CLUE, "the end of the turn")
        player.give_clue(first, 2)
        player.guess("a")
        assert player.public.outcome.winner.value == other  # CN-10
        player.see()
        player.save("5-over")

        view = player.public
        process.terminate()
        assert process.wait(PATIENCE) == 0

    with window(xvfb, tmp_path) as (_, told), Player(xvfb, told, PICTURES) as again:
        assert again.public == view, "opened again, the table stands where it stood"


def test_on_a_small_desktop_the_whole_window_is_there_and_a_click_hits_what_it_shows(
    tmp_path: Path,
) -> None:
    with (
        screen(tmp_path, 800, 480) as small,
        window(small, tmp_path) as (_, told),
        Player(small, told, PICTURES / "small") as player,
    ):
        player.box = pygame.Rect(0, 0, *opening_size((800, 480)))
        why = "No game has begun: choose one first."
        player.hold(CELLS.index("A1"), lambda: why in player.texts, "why it is refused")
        player.click("The classic game")
        player.click("Start: we know it")
        player.wait(lambda: player.public is not None, "the deal")
        player.save("1-small")

        small.do("search", "--class", ".", "windowsize", "--sync", 400, 480)
        player.box = pygame.Rect(0, 141, 400, 197)
        above = pygame.Rect(0, 0, 400, 141)
        wait_until(
            lambda: is_plain(small, above) and not is_plain(small, player.box),
            "the smaller picture",
        )
        player.tap(Input.PEEK)
        player.wait(lambda: player.table is not None and player.table.key is not None, "the key")
        player.save("2-resized")


def is_plain(on: Screen, box: pygame.Rect) -> bool:
    """True if the box has one colour and nothing else."""
    shown = pixels(on.picture().subsurface(box))
    return shown == shown[:3] * (len(shown) // 3)


@pytest.mark.parametrize(
    ("desktop", "size"),
    [
        ((800, 480), (784, 386)),
        ((1024, 600), (1008, 497)),
        ((1366, 768), (1350, 665)),
        ((1920, 1080), (1904, 938)),
        ((3840, 2160), (3824, 1885)),
        ((1080, 1920), (1064, 524)),
    ],
)
def test_the_window_is_as_large_as_fits_the_desktop(
    desktop: tuple[int, int], size: tuple[int, int]
) -> None:
    assert opening_size(desktop) == size


def test_pages_beside_the_window(xvfb: Screen, tmp_path: Path) -> None:
    port = free_port()
    with window(xvfb, tmp_path, "--web", str(port), "--profile", "codenames"):
        wait_until(lambda: answers(port), "the pages")
        shown = watch_until(port, lambda table: table["view"]["profile"] == "codenames")
        assert shown["view"]["phase"] == "clue"


def answers(port: int) -> bool:
    """True if somebody listens at this port already."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0

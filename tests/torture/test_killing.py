"""A table that is killed stands as it was last shown, or after the one act it had just stored."""

from pathlib import Path
from random import Random, SystemRandom
from typing import Final

import pytest
from killing import Game, Killer
from random_player import GAMES

AGENTS: Final[Game] = ("codex", {"visit_seconds": 1, "discussion_seconds": 2})
A_FEW: Final[tuple[Game, ...]] = (GAMES[0], GAMES[2], GAMES[4], GAMES[6], AGENTS)
"""One of each profile."""
FAR = 150
"""Acts that were played, at most, before a table is started."""
KILLS, IN_A_ROW = 500, 10


@pytest.mark.parametrize("game", A_FEW, ids=lambda game: game[0])
def test_a_table_that_is_killed_goes_on_where_it_stood(tmp_path: Path, game: Game) -> None:
    # ALL-2
    killer = Killer(tmp_path, Random(f"{game}"), game)
    killer.begin(40)
    killer.kill_once()
    killer.check()


@pytest.mark.torture
def test_a_table_that_is_killed_five_hundred_times_goes_on_where_it_stood(tmp_path: Path) -> None:
    # ALL-2
    seed = SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    random = Random(seed)
    games = [*GAMES[:-1], AGENTS]
    killers = []
    for number in range(KILLS // IN_A_ROW):
        game = games[number % len(games)]
        killer = Killer(tmp_path / str(number), random, game, seconds=random.choice((0.15, 1.5)))
        killer.folder.mkdir()
        killer.begin(random.randrange(FAR))
        for _ in range(IN_A_ROW):
            killer.kill_once()
        killer.check()
        killers.append(killer)
    acts = sum(killer.acts for killer in killers)
    not_shown = sum(killer.not_shown for killer in killers)
    print(f"{acts} acts; {not_shown} of {KILLS} kills came between storing and showing")
    assert acts > KILLS

"""A table that is killed stands as it was last shown, or after the one act it had just stored."""

from pathlib import Path
from random import Random, SystemRandom

import pytest
from killing import Killer


def test_a_table_that_is_killed_goes_on_where_it_stood(tmp_path: Path) -> None:  # ALL-2
    killer = Killer(tmp_path, Random(1))
    for _ in range(5):
        killer.kill_once()
    killer.check()


@pytest.mark.torture
def test_a_table_that_is_killed_five_hundred_times_goes_on_where_it_stood(tmp_path: Path) -> None:
    # ALL-2
    seed = SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    killer = Killer(tmp_path, Random(seed))
    for _ in range(500):
        killer.kill_once()
    killer.check()
    between = f"{killer.not_shown} of {killer.kills} kills came between storing and showing"
    print(f"{killer.acts} acts; {between}")
    assert killer.acts > 500

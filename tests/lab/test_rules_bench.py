"""The benchmark of the rules: what is played is whole games, and what is measured is said."""

import json
import os
import sys
from pathlib import Path
from random import Random
from shutil import which

import pytest

from pi_table.games.rules.profile import PROFILES
from pi_table.lab.bench import games, rules
from pi_table.lab.bench.contents import subject_of
from pi_table.lab.bench.rounds import clue_number, next_cell, play_round
from pi_table.lab.bench.rules import PEER, measure
from pi_table.lab.bench.rules import _round as round_of


def test_every_game_is_played_to_its_end() -> None:
    random = Random(1)
    acts = [games.play(random) for _ in range(500)]
    assert min(acts) >= 2  # a clue, and the assassin
    assert max(acts) > 25
    assert 19 < sum(acts) / len(acts) < 24


# The fewest acts and the most of a game of each profile, and about how many there are.
ACTS = {
    "codenames": (2, 25, 21.3),
    "nome-in-codice": (2, 25, 21.3),
    "deep-undercover": (27, 50, 46.3),  # 25 cards are laid first
    "alias-24": (2, 25, 20.5),
}


@pytest.mark.parametrize("profile", ACTS)
def test_every_game_of_every_profile_is_played_to_its_end(profile: str) -> None:
    random = Random(1)
    fewest, most, mean = ACTS[profile]
    acts = [games.play(random, PROFILES[profile]) for _ in range(500)]
    assert min(acts) >= fewest
    assert max(acts) > most
    assert mean - 2 < sum(acts) / len(acts) < mean + 2


def test_the_guesses_are_all_cells_in_any_order() -> None:
    random = Random(1)
    uncovered = list(range(25))
    guessed = [next_cell(uncovered, random) for _ in range(25)]
    assert sorted(guessed) == list(range(25)) != guessed
    firsts = {next_cell(list(range(25)), random) for _ in range(1000)}
    assert firsts == set(range(25))


def test_the_clues_are_for_one_to_four() -> None:
    random = Random(1)
    assert {clue_number(random) for _ in range(1000)} == {1, 2, 3, 4}


def test_what_python_finds_by_its_surroundings_alone_is_found_in_a_round_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the libraries of the Debian package are."""
    round_ = "import json\nprint(json.dumps({'games': 1, 'seconds': 1.0, 'acts': 1}))"
    (tmp_path / "only_here.py").write_text(round_)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert round_of(sys.executable, "only_here", 0.1) == {"games": 1, "seconds": 1.0, "acts": 1}


def test_a_round_counts_what_was_played_in_its_time() -> None:
    played = play_round(lambda random: 7, "msgspec", seconds=0.01)
    assert played["games"] > 10
    assert played["acts"] == 7 * played["games"]
    assert 0.01 <= played["seconds"] < 0.1
    assert {*played["versions"]} == {"python", "msgspec"}


@pytest.fixture
def no_valgrind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "which", lambda program: None)


@pytest.fixture
def classic_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "OTHERS", {})


@pytest.mark.usefixtures("classic_only", "no_valgrind")
@pytest.mark.parametrize("peer", [sys.executable, "/no/such/python"])
def test_without_the_peer_it_is_said_that_there_is_none(
    peer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PEER, peer)
    _, *ours, times = measure(rounds=1, seconds=0.01)
    assert [one["name"] for one in ours] == ["rules/codenames/games_per_s"]
    assert times["value"] is None
    assert PEER in str(times["why"])


@pytest.mark.usefixtures("no_valgrind")
def test_every_profile_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PEER, raising=False)
    *ours, times = list(measure(rounds=1, seconds=0.02))[len(PROFILES) :]
    assert [one["name"] for one in ours] == [f"rules/{name}/games_per_s" for name in PROFILES]
    for one in ours:
        assert one["unit"] == "1/s"
        assert isinstance(one["value"], float)
        assert one["value"] > 10
    for one in (*ours, times):
        subject = subject_of(str(one["name"]))
        assert subject is not None
        assert subject.unit == one["unit"]
    assert times["value"] is None
    assert PEER in str(times["why"])
    json.dumps([*ours, times])


@pytest.mark.usefixtures("classic_only", "no_valgrind")
def test_without_valgrind_it_is_said_that_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PEER, raising=False)
    instructions, *_ = measure(rounds=1, seconds=0.01)
    assert instructions["name"] == "rules/codenames/instructions"
    assert instructions["value"] is None
    assert "valgrind" in str(instructions["why"])


@pytest.mark.skipif(which("valgrind") is None, reason="valgrind is missing")
def test_the_instructions_of_the_same_games_are_the_same() -> None:
    program = (sys.executable, rules.OURS, rules.CLASSIC)
    once, again = (rules._count(program, 10) for _ in range(2))
    assert once == again
    # An act takes some 20,000. Python's start or end alone takes more than all of the games.
    assert 15_000 < once.instructions / once.acts < 40_000


@pytest.mark.skipif(PEER not in os.environ, reason=f"{PEER} names no Python")
def test_with_the_peer_the_two_are_compared() -> None:
    measured = {str(one["name"]): one for one in measure(rounds=1, seconds=0.1, games=10)}
    theirs = measured["rules/peer/games_per_s"]
    assert isinstance(theirs["acts_per_game"], float)
    assert 19 < theirs["acts_per_game"] < 24
    assert "codenames" in dict(theirs["played_in"])  # type: ignore[call-overload]
    assert measured["rules/codenames/times_peer_elsewhere"]["unit"] == "times"
    assert measured["rules/codenames/times_peer_in_instructions"]["unit"] == "times"
    json.dumps(list(measured.values()))


@pytest.mark.usefixtures("classic_only", "no_valgrind")
def test_the_cores_that_may_be_used_are_the_same_afterwards() -> None:
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    before = os.sched_getaffinity(0)
    list(measure(rounds=1, seconds=0.01))
    assert os.sched_getaffinity(0) == before

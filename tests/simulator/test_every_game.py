"""Every game from its choice on the hidden screen to its end, by fingers and the knob alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from at_the_table import Hands

from pi_table.common.geometry import CELLS
from pi_table.common.language import LANGUAGES, Lang
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.team import Team
from pi_table.simulator.stage import Stage

TEAMS = {Team.RED: "Red", Team.BLUE: "Blue"}


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Hands]:
    with Stage() as stage:
        stage.advance(0.5)
        yield Hands(stage, tmp_path)


def begin(hands: Hands, game: str, lang: Lang, **settings: str) -> None:
    """Choose a game, its language and settings on the hidden screen, and start it."""
    hands.choose(game)
    hands.choose_until("Language", LANGUAGES[lang])
    if settings:
        hands.choose("House rules…")
        for label, value in settings.items():
            hands.choose_until(label.replace("_", " "), value)
        hands.knob(Input.BACK)
    hands.picture(f"setup-{lang}", "console")
    hands.choose("Start: we know it")


def give_clue(hands: Hands, number: str = "1") -> None:
    team = TEAMS[turn(hands)]
    hands.choose(f"{team} gives the clue", number, f"{team} gives this clue")


def turn(hands: Hands) -> Team:
    team = hands.view.turn
    assert team is not None
    return team


def finish(hands: Hands) -> None:
    """Play on until somebody wins: one right guess a turn, then the pad."""
    for _ in range(60):
        if hands.view.outcome is not None:
            return
        match hands.view.phase.value:
            case "clue":
                give_clue(hands)
            case "cover":
                team = TEAMS[turn(hands)]
                hands.choose(f"{team} covers a cell")
                hands.choose(hands.labels[0], "Yes, cover it")
            case "guess":
                letter = turn(hands).letter
                if hands.view.profile == "alias-24":
                    letter = turn(hands).other.letter
                hands.hold(hands.cell_of(letter))
                if hands.view.phase.value == "guess":
                    hands.hold("end-turn")


LANGS = get_args(Lang)
in_one_language = pytest.mark.parametrize("lang", LANGS[-1:])
"""A game is the same in each; the first one below is played in all."""


@pytest.mark.parametrize("lang", LANGS)
def test_the_classic_game_with_a_challenge_and_a_penalty(hands: Hands, lang: Lang) -> None:
    # CN-15, CN-18 to CN-20
    begin(hands, "The classic game", lang)
    first = turn(hands)
    one, other = TEAMS[first], TEAMS[first.other]
    give_clue(hands, "2")
    hands.picture("guess")
    hands.choose(f"{other} challenges it", "Yes, challenge it")
    hands.picture("challenge", "console")
    hands.choose(f"{other}: it is invalid", "Yes, it is invalid")
    hands.choose(f"{other} covers a cell")
    hands.picture("penalty", "console")
    hands.choose(hands.labels[0], "Yes, cover it")
    assert hands.view.left.of(first.other) == 7
    finish(hands)
    assert hands.view.outcome is not None
    assert one != other
    hands.choose("Show everybody the key")
    hands.picture("over")


@in_one_language
def test_three_players_with_one_who_guesses_for_both(hands: Hands, lang: Lang) -> None:  # NC-7
    begin(hands, "The Italian classic", lang, Players="Three, one guesses for both")
    give_clue(hands, "unlimited")
    hands.hold(hands.cell_of("n"))
    assert hands.view.phase.value == "clue"
    give_clue(hands, "0")
    hands.hold(hands.cell_of("a"))
    assert hands.view.outcome is not None
    hands.picture("assassin")


@in_one_language
def test_a_group_against_the_table(hands: Hands, lang: Lang) -> None:  # NC-3 to NC-6
    begin(hands, "The Italian classic", lang, Players="One group")
    group = turn(hands)
    give_clue(hands)
    hands.hold(hands.cell_of(group.letter))
    hands.hold("end-turn")
    assert hands.view.phase.value == "cover"
    hands.picture("to-cover")
    hands.choose(f"{TEAMS[group]} covers a cell")
    hands.picture("cover", "console")
    hands.choose(hands.labels[0], "Yes, cover it")
    for _ in range(4):
        give_clue(hands, "unlimited")
        hands.hold(hands.cell_of(group.letter))
        hands.hold(hands.cell_of(group.letter))
        if hands.view.outcome is None:
            hands.hold("end-turn")
            hands.choose(f"{TEAMS[group]} covers a cell")
            hands.choose(hands.labels[0], "Yes, cover it")
    outcome = hands.view.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.score) == (group, hands.view.left.of(group.other))
    hands.picture("won")


@in_one_language
def test_the_teams_lay_out_the_words(hands: Hands, lang: Lang) -> None:  # DU-2
    begin(hands, "The game after dark", lang)
    for number, cell in enumerate(CELLS):
        assert hands.view.phase.value == "place"
        if number in (0, 8):
            hands.picture(f"place-{number}")
        hands.hold(cell)
    assert hands.view.phase.value == "clue"
    finish(hands)
    assert hands.view.outcome is not None


@in_one_language
@pytest.mark.parametrize("nuke", ["Whoever hits it loses", "Once armed, all lose"])
def test_assets_and_a_nuke(hands: Hands, lang: Lang, nuke: str) -> None:  # AL-8, AL-10, AL-11
    begin(hands, "Assets and a nuke", lang, The_nuke=nuke)
    give_clue(hands, "unlimited")
    hands.hold(hands.cell_of("n"))
    hands.picture("guess")
    give_clue(hands, "0")
    loser = turn(hands)
    hands.hold(hands.cell_of("a"))
    assert hands.view.outcome is not None
    assert hands.view.outcome.losers == (loser,)
    hands.picture("over")
    hands.choose("Next game", "Yes, next game")
    finish(hands)
    assert hands.view.outcome.why.value == "assets"

"""The views of each seat: the names that others rely on, and the places of the key (ALL-1)."""

import inspect
import json
import pprint
from typing import Any, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace
from rich.pretty import pretty_repr

from pi_table.common.geometry import CELLS
from pi_table.games.rules.games import step
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts
from pi_table.games.rules.word_games.board import Board, State
from pi_table.games.rules.word_games.events import Dealt
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.game import SEATS
from pi_table.games.rules.word_games.key import Identity, Key
from pi_table.games.rules.word_games.views import (
    OperativesView,
    OperatorView,
    PublicView,
    SpymasterView,
    public_identity,
    public_view,
    view,
)

LETTERS = "rbnrbbrrnbnrabrrnbnrbnrbn"
WORDS = tuple(f"word {name}" for name in CELLS)
CONTRACT = ["profile", "phase", "turn", "clue", "guesses_left", "left", "cells", "outcome"]


ALIAS_LETTERS = "rbnrbbrrnbnr-brrbnnbarbnb"
ALIAS_WORDS = tuple(None if name == "C3" else f"alias {name}" for name in CELLS)


def played(*done: tuple[Seat, acts.Act], words: tuple[str, ...] | None = WORDS) -> State:
    return after(Dealt(0.0, "codenames", Settings(), words, Key(LETTERS)), *done)


def after(dealt: Dealt, *done: tuple[Seat, acts.Act]) -> State:
    state = evolve(None, dealt)
    for seat, act in done:
        state, _ = step(state, seat, act, 0.0)
    return state


def as_json(state: State) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(msgspec.json.encode(public_view(state.board, 0.0)))
    return shown


CLUE = (Seat.RED_SPYMASTER, acts.GiveClue(3, "flight"))
RIGHT = (Seat.RED_OPERATIVES, acts.Guess(0))
ASSASSIN = (Seat.RED_OPERATIVES, acts.Guess(12))
REVEAL = (Seat.OPERATOR, acts.Reveal())


def test_the_public_view_begins_with_the_fields_of_the_contract() -> None:
    assert list(PublicView.__struct_fields__)[: len(CONTRACT)] == CONTRACT
    assert list(as_json(played()))[: len(CONTRACT)] == CONTRACT


def test_the_first_view_of_a_game() -> None:  # CN-1, CN-3, CN-22
    shown = as_json(played())
    assert list(shown["cells"]) == list(CELLS)
    assert shown["cells"]["E5"] == {"word": "word E5", "covered": None}
    assert (shown["phase"], shown["turn"], shown["starts"]) == ("clue", "red", "red")
    assert shown["left"] == {"red": 9, "blue": 8}
    assert (shown["clue"], shown["guesses_left"], shown["outcome"]) == (None, None, None)


def test_a_view_while_the_team_guesses() -> None:  # CN-6, CN-11, CN-25
    shown = as_json(played(CLUE, RIGHT))
    assert shown["phase"] == "guess"
    assert shown["clue"] == {"word": "flight", "number": 3}
    assert shown["guesses_left"] == 3
    assert shown["left"] == {"red": 8, "blue": 8}
    assert shown["cells"]["A1"] == {"word": "word A1", "covered": "red"}


def test_the_clue_is_shown_in_a_challenge_without_the_guesses() -> None:  # CN-20, CN-25
    shown = as_json(played(CLUE, (Seat.BLUE_OPERATIVES, acts.Challenge())))
    assert (shown["phase"], shown["turn"]) == ("challenge", "red")
    assert shown["clue"] == {"word": "flight", "number": 3}
    assert shown["guesses_left"] is None


def test_the_turn_in_a_penalty_is_that_of_the_team_that_takes_it() -> None:  # CN-18
    challenge = (Seat.BLUE_OPERATIVES, acts.Challenge())
    shown = as_json(played(CLUE, challenge, (Seat.BLUE_SPYMASTER, acts.Uphold())))
    assert (shown["phase"], shown["turn"], shown["clue"]) == ("penalty", "blue", None)


def test_the_view_of_a_game_that_is_over() -> None:  # CN-10
    shown = as_json(played(CLUE, ASSASSIN))
    assert (shown["phase"], shown["turn"], shown["clue"]) == ("over", None, None)
    assert shown["outcome"] == {
        "winner": "blue",
        "losers": ["red"],
        "why": "assassin",
        "score": None,
    }


def test_an_abandoned_game_has_neither_winner_nor_losers() -> None:  # ALL-3
    shown = as_json(played((Seat.OPERATOR, acts.Abandon())))
    assert shown["outcome"] == {"winner": None, "losers": [], "why": "stopped", "score": None}


def test_own_cards_have_no_words() -> None:
    assert {cell["word"] for cell in as_json(played(words=None))["cells"].values()} == {None}


def test_the_key_is_public_after_it_was_revealed_and_only_then() -> None:  # ALL-5
    assert "key" not in as_json(played(CLUE, ASSASSIN))
    shown = as_json(played(CLUE, ASSASSIN, REVEAL))
    assert shown["key"] == LETTERS
    assert list(shown)[: len(CONTRACT)] == CONTRACT


def test_the_public_view_is_made_of_the_board_and_the_time() -> None:
    # ALL-1: what is not given cannot be shown
    assert get_type_hints(public_view) == {"board": Board, "now": float, "return": PublicView}
    assert list(inspect.signature(public_view).parameters) == ["board", "now"]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("done", [(), (CLUE,), (CLUE, RIGHT), (CLUE, ASSASSIN)])
def test_only_spymasters_see_the_key(seat: Seat, done: tuple[tuple[Seat, acts.Act], ...]) -> None:
    # ALL-1
    state = played(*done)
    shown = view(state, seat, 0.0)
    kinds = {
        Role.SPYMASTER: SpymasterView,
        Role.OPERATIVES: OperativesView,
        Role.OPERATOR: OperatorView,
    }
    assert type(shown) is kinds[seat.role]
    assert shown.seat is seat
    assert shown.public == public_view(state.board, 0.0)
    assert (LETTERS in msgspec.json.encode(shown).decode()) == (seat.role is Role.SPYMASTER)


@pytest.mark.parametrize("seat", SEATS)
def test_no_way_of_printing_a_view_or_a_state_shows_the_key(seat: Seat) -> None:  # ALL-1
    state = played(CLUE, RIGHT)
    for value in (state, view(state, seat, 0.0), Dealt(0.0, "", Settings(), None, Key(LETTERS))):
        for text in (repr(value), str(value), f"{value}", pprint.pformat(value)):
            assert LETTERS not in text
        assert LETTERS not in pretty_repr(value)


def laying(**more: Any) -> Dealt:
    return Dealt(0.0, "deep-undercover", Settings(dealing="shared"), None, None, **more)


def test_while_the_cards_are_laid_out_nobody_sees_a_key_and_everybody_which_cells_have_theirs() -> (
    None
):
    # DU-2, ALL-1: not even one that was given for the time when all lie
    for key in (None, Key(LETTERS)):
        state = after(
            replace(laying(starts=Team.RED), key=key),
            (Seat.RED_OPERATIVES, acts.Place(24)),
            (Seat.BLUE_OPERATIVES, acts.Place(0, "whisky")),
        )
        shown = as_json(state)
        assert (shown["phase"], shown["turn"], shown["left"]) == (
            "place",
            "red",
            {"red": 9, "blue": 8},
        )
        assert (shown["placed"], shown["next_word"]) == (["E5", "A1"], None)
        assert shown["cells"]["A1"] == {"word": "whisky", "covered": None}
        assert shown["cells"]["E5"] == {"word": None, "covered": None}
        for seat in SEATS:
            assert LETTERS not in msgspec.json.encode(view(state, seat, 0.0)).decode()
            assert LETTERS not in repr(state)
        spymaster = view(state, Seat.RED_SPYMASTER, 0.0)
        assert isinstance(spymaster, SpymasterView)
        assert spymaster.key is None


def test_the_next_word_is_that_of_the_team_whose_turn_it_is() -> None:
    # DU-2: where the table split words of a pack between the teams
    dealt = laying(starts=Team.BLUE, hands=(("rum", "gin"), ("ale", "port")))
    assert as_json(after(dealt))["next_word"] == "ale"
    state = after(dealt, (Seat.BLUE_OPERATIVES, acts.Place(0)))
    assert as_json(state)["next_word"] == "rum"
    assert as_json(state)["cells"]["A1"]["word"] == "ale"
    group = replace(dealt, settings=Settings(dealing="shared", players="cooperative"))
    assert [as_json(after(group, (Seat.BLUE_OPERATIVES, acts.Place(0))))["next_word"]] == ["gin"]


def test_the_fields_of_other_games_are_not_there() -> None:
    assert not {"nuke", "placed", "next_word"} & {*as_json(played())}


def test_the_nuke_stands_in_the_views_of_alias_24() -> None:  # AL-1, AL-11, AL-12
    key = Key(ALIAS_LETTERS)
    shown = as_json(after(Dealt(0.0, "alias-24", Settings(nuke="mad"), ALIAS_WORDS, key)))
    assert shown["nuke"] == {"mode": "mad", "armed": False}
    assert shown["cells"]["C3"] == {"word": None, "covered": None}
    assert (shown["starts"], shown["left"]) == ("red", {"red": 8, "blue": 9})
    shown = as_json(after(Dealt(0.0, "alias-24", Settings(), ALIAS_WORDS, key)))
    assert shown["nuke"] == {"mode": "basic", "armed": False}


def test_what_is_known_of_the_cells_of_an_open_key() -> None:  # ALL-5, AL-1
    abandoned = (Seat.OPERATOR, acts.Abandon())
    classic = public_view(played(abandoned, REVEAL).board, 0.0)
    assert [public_identity(classic, cell) for cell in (0, 2, 12)] == [
        Identity.RED,
        Identity.BYSTANDER,
        Identity.ASSASSIN,
    ]
    dealt = Dealt(0.0, "alias-24", Settings(), ALIAS_WORDS, Key(ALIAS_LETTERS))
    alias = public_view(after(dealt, abandoned, REVEAL).board, 0.0)
    assert [public_identity(alias, cell) for cell in (0, 2, 20, 12)] == [
        Identity.RED,
        Identity.DECOY,
        Identity.NUKE,
        None,
    ]
    assert public_identity(public_view(after(dealt).board, 0.0), 0) is None


def test_the_operator_sees_the_settings() -> None:  # ALL-1
    shown = view(played(), Seat.OPERATOR, 0.0)
    assert isinstance(shown, OperatorView)
    assert shown.settings == Settings()
    assert shown.faults == ()

"""The journal's form of the events: it may not change, for journals outlive versions."""

from typing import get_args

import pytest

from pi_table.games.rules import games
from pi_table.games.rules.events import (
    AbandonTakenBack,
    Event,
    GameEnded,
    Paused,
    Resumed,
    Revealed,
)
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.board import UNLIMITED, Phase
from pi_table.games.rules.word_games.events import Ended, FromPack
from pi_table.games.rules.word_games.key import Identity, Key

LETTERS = "rbnrbbrrnbnrabrrnbnrbnrbn"
KEY = Key(LETTERS)
SETTINGS = (
    '{"lang":"en","players":"teams","nuke":"basic","zero":false,"unlimited":true,"penalty":true,'
    '"compounds":false,"abbreviations":false,"names":false,"sounds":false,"dealing":"table","timer":"off",'
    '"hourglass_seconds":60,"clue_seconds":120,"guess_seconds":120,"clock_end":"urge",'
    '"roles":null,"discussion_seconds":300,"visit_seconds":45,'
    '"visit_starts":"at-once","screens":"hidden","explain":false}'
)
SHARED = SETTINGS.replace('"dealing":"table"', '"dealing":"shared"')
OLD_SETTINGS = (
    '{"lang":"en","zero":false,"unlimited":true,"penalty":true,"timer":"off",'
    '"hourglass_seconds":60,"clue_seconds":120,"guess_seconds":120,"clock_end":"urge"}'
)
"""As they were stored when there was but the classic game."""
HANDS = (("anchor",), ("bridge",))
STORED = [
    (
        events.Dealt(0.0, "codenames", Settings(), None, KEY),
        f'{{"event":"dealt","at":0.0,"profile":"codenames","settings":{SETTINGS},"words":null,'
        f'"key":{{"letters":"{LETTERS}"}},"deck":null,"starts":null,"hands":null}}',
    ),
    (
        events.Dealt(0.0, "codenames", Settings(), ("a", "b"), KEY, FromPack("english", 1, ("a",))),
        f'{{"event":"dealt","at":0.0,"profile":"codenames","settings":{SETTINGS},'
        f'"words":["a","b"],"key":{{"letters":"{LETTERS}"}},'
        '"deck":{"pack":"english","round":1,"fresh":["a"],"blanks":[]},"starts":null,"hands":null}',
    ),
    (
        events.Dealt(
            0.0,
            "deep-undercover",
            Settings(dealing="shared"),
            None,
            None,
            starts=Team.BLUE,
            hands=HANDS,
        ),
        f'{{"event":"dealt","at":0.0,"profile":"deep-undercover","settings":{SHARED},"words":null,'
        '"key":null,"deck":null,"starts":"blue","hands":[["anchor"],["bridge"]]}',
    ),
    (
        events.Chosen(0.25, Team.BLUE, "anchor"),
        '{"event":"chosen","at":0.25,"team":"blue","word":"anchor"}',
    ),
    (
        events.Placed(0.5, Team.BLUE, 24, "anchor"),
        '{"event":"placed","at":0.5,"team":"blue","cell":24,"word":"anchor"}',
    ),
    (events.CardTakenBack(0.75), '{"event":"card-taken-back","at":0.75}'),
    (
        events.KeyDrawn(1.0, KEY),
        f'{{"event":"key-drawn","at":1.0,"key":{{"letters":"{LETTERS}"}}}}',
    ),
    (
        events.KeyRedrawn(1.5, KEY),
        f'{{"event":"key-redrawn","at":1.5,"key":{{"letters":"{LETTERS}"}}}}',
    ),
    (
        events.ClueGiven(2.0, Team.RED, "flight", 3),
        '{"event":"clue-given","at":2.0,"team":"red","word":"flight","number":3}',
    ),
    (
        events.ClueGiven(2.0, Team.BLUE, None, UNLIMITED),
        '{"event":"clue-given","at":2.0,"team":"blue","word":null,"number":"unlimited"}',
    ),
    (
        events.Guessed(3.25, Team.RED, 24, Identity.BYSTANDER),
        '{"event":"guessed","at":3.25,"team":"red","cell":24,"identity":"bystander"}',
    ),
    (
        events.TurnEnded(4.0, Team.BLUE, Ended.LAST_GUESS),
        '{"event":"turn-ended","at":4.0,"then":"blue","why":"last-guess"}',
    ),
    (events.Challenged(5.0, Team.RED), '{"event":"challenged","at":5.0,"by":"red"}'),
    (events.Allowed(6.0), '{"event":"allowed","at":6.0}'),
    (events.PenaltyDue(7.0, Team.BLUE), '{"event":"penalty-due","at":7.0,"team":"blue"}'),
    (
        events.Covered(8.0, Team.BLUE, 0),
        '{"event":"covered","at":8.0,"team":"blue","cell":0}',
    ),
    (events.Declined(9.0), '{"event":"declined","at":9.0}'),
    (events.HourglassTurned(9.0), '{"event":"hourglass-turned","at":9.0}'),
    (Paused(10.0), '{"event":"paused","at":10.0}'),
    (Resumed(11.0), '{"event":"resumed","at":11.0}'),
    (events.GuessTakenBack(12.0), '{"event":"guess-taken-back","at":12.0}'),
    (events.NumberCorrected(13.0, 0), '{"event":"number-corrected","at":13.0,"number":0}'),
    (
        GameEnded(14.0, Outcome(Team.RED, (Team.BLUE,), Why.AGENTS)),
        '{"event":"game-ended","at":14.0,'
        '"outcome":{"winner":"red","losers":["blue"],"why":"agents","score":null}}',
    ),
    (AbandonTakenBack(14.5), '{"event":"abandon-taken-back","at":14.5}'),
    (Revealed(15.0), '{"event":"revealed","at":15.0}'),
]


@pytest.mark.parametrize(("event", "stored"), STORED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_as_it_always_was(event: Event, stored: str) -> None:
    assert games.encode(event).decode() == stored
    assert games.decode(stored.encode()) == event


def test_a_guess_that_was_taken_back_with_an_abandon_is_read_as_it_was() -> None:
    # ALL-2, ALL-3: before an abandon was taken back alone
    dealt = events.Dealt(0.0, "codenames", Settings(), None, KEY)
    clue = events.ClueGiven(1.0, KEY.starts, "flight", 3)
    cell = KEY.letters.index("r" if KEY.starts is Team.RED else "b")
    identity = Identity.RED if KEY.starts is Team.RED else Identity.BLUE
    guess = events.Guessed(2.0, KEY.starts, cell, identity)
    stopped = GameEnded(3.0, Outcome(None, (), Why.STOPPED))
    before = games.replay([dealt, clue])
    after = games.replay([dealt, clue, guess, stopped, events.GuessTakenBack(4.0)])
    assert after.board.covered == before.board.covered
    assert (after.board.phase, after.board.outcome) == (before.board.phase, None)


def test_a_deal_of_the_time_before_there_were_other_games_is_read_as_it_was() -> None:
    # ALL-2: the journal outlives the version that wrote it
    old = (
        f'{{"event":"dealt","at":0.0,"profile":"codenames","settings":{OLD_SETTINGS},"words":null,'
        f'"key":{{"letters":"{LETTERS}"}},"deck":null}}'
    )
    dealt = events.Dealt(0.0, "codenames", Settings(), None, KEY)
    assert games.decode(old.encode()) == dealt
    board = games.evolve(None, dealt).board
    assert (board.phase, board.starts, board.left) == (Phase.CLUE, Team.RED, (9, 8))


def test_no_kind_of_event_is_left_out() -> None:
    assert {type(event) for event, _ in STORED} == set(get_args(events.AnyEvent))


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"{}",
        b'{"event":"resumed"}',
        b'{"event":"resumed","at":"soon"}',
        b'{"event":"guessed","at":1.0,"team":"green","cell":1,"identity":"red"}',
        b'{"event":"nothing","at":1.0}',
    ],
)
def test_what_is_no_event_is_an_error(stored: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        games.decode(stored)


@pytest.mark.parametrize("event", [event for event, stored in STORED if LETTERS in stored])
def test_an_event_with_the_key_in_it_does_not_show_it(event: Event) -> None:  # ALL-1
    assert LETTERS not in repr(event)
    assert "Key(hidden)" in repr(event)

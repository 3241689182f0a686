"""The statistics of finished games: counted from events, and read from a journal in parts."""

from collections.abc import Callable
from datetime import UTC, date, timedelta, timezone
from pathlib import Path
from random import Random

import pytest
from virtual_table import RED_KEY, VirtualTable

from pi_table.common.errors import StorageError
from pi_table.common.geometry import CELLS
from pi_table.games.rules.events import AbandonTakenBack, Event, GameEnded, Paused, Resumed
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.events import (
    ClueGiven,
    Dealt,
    Ended,
    Guessed,
    GuessTakenBack,
    TurnEnded,
)
from pi_table.games.rules.word_games.key import Identity
from pi_table.table.engine.storage import statistics
from pi_table.table.engine.storage.records import Records
from pi_table.table.engine.storage.statistics import (
    MAX_EVENINGS,
    MAX_LISTED_WORDS,
    MIN_CASES,
    Bin,
    Counted,
    Facts,
    Fate,
    Sums,
    WordFate,
    facts,
)
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

RED, BLUE = Team
WORDS = tuple(f"WORD {cell}" for cell in CELLS)
DEALT = Dealt(0.0, "codenames", Settings(), WORDS, RED_KEY)
BEGUN = "2026-11-22T20:00:00.000+00:00"


def ends(at: float, winner: Team | None = RED, why: Why = Why.AGENTS) -> GameEnded:
    return GameEnded(at, Outcome(winner, () if winner is None else (winner.other,), why))


def told(*events: Event, begun: str = BEGUN) -> Facts:
    found = facts(begun, events, UTC)
    assert found is not None
    return found


def test_a_game_tells_its_length_its_clues_and_what_each_guess_came_to() -> None:
    game = told(
        DEALT,
        ClueGiven(40.0, RED, "sea", 2),
        Guessed(50.0, RED, 0, Identity.RED),
        Guessed(60.0, RED, 24, Identity.BYSTANDER),
        TurnEnded(60.0, BLUE, Ended.GUESS),
        ClueGiven(75.0, BLUE, "tree", 1),
        Guessed(80.0, BLUE, 1, Identity.RED),
        Guessed(90.0, BLUE, 2, Identity.ASSASSIN),
        ends(90.0, RED, Why.ASSASSIN),
    )
    assert (game.seconds, game.clues, game.evening) == (90.0, (40.0, 15.0), date(2026, 11, 22))
    assert game.guesses == (
        Fate("WORD A1", "right"),
        Fate("WORD E5", "nobody"),
        Fate("WORD B1", "other"),
        Fate("WORD C1", "fatal"),
    )
    assert game.dealt == WORDS


def test_where_teams_hunt_each_other_the_others_assets_are_right() -> None:
    dealt = Dealt(0.0, "alias-24", Settings(), None, None)
    game = told(
        dealt,
        Guessed(1.0, RED, 0, Identity.BLUE),
        Guessed(2.0, RED, 1, Identity.RED),
        Guessed(3.0, RED, 2, Identity.NUKE),
        ends(3.0, BLUE, Why.NUKE),
    )
    assert [guess.was for guess in game.guesses] == ["right", "other", "fatal"]
    assert [guess.word for guess in game.guesses] == [None, None, None]


def test_a_guess_that_was_taken_back_counts_for_nothing_and_ends_nothing() -> None:
    fatal = Guessed(20.0, RED, 24, Identity.ASSASSIN)
    happened = (DEALT, fatal, ends(20.0, BLUE, Why.ASSASSIN), GuessTakenBack(25.0))
    assert facts(BEGUN, happened, UTC) is None
    assert told(*happened, ends(30.0)).guesses == ()


def test_a_game_whose_abandon_was_taken_back_goes_on_with_all_its_guesses() -> None:
    # ALL-3
    guess = Guessed(20.0, RED, 0, Identity.RED)
    stopped = GameEnded(21.0, Outcome(None, (), Why.STOPPED))
    happened = (DEALT, guess, stopped, AbandonTakenBack(25.0))
    assert facts(BEGUN, happened, UTC) is None
    assert len(told(*happened, ends(30.0)).guesses) == 1


def test_pauses_count_neither_for_the_game_nor_for_its_clues() -> None:
    game = told(
        DEALT,
        Paused(10.0),
        Resumed(1510.0),
        ClueGiven(1540.0, RED, "sea", 1),
        Paused(1550.0),
        Resumed(1850.0),
        TurnEnded(1860.0, BLUE, Ended.STOPPED),
        ClueGiven(1875.0, BLUE, "tree", 1),
        ends(1900.0),
    )
    assert (game.seconds, game.clues) == (100.0, (40.0, 15.0))


def test_a_game_that_is_abandoned_in_a_pause_lasted_until_the_pause() -> None:
    # The game is still paused after the abandon was taken back.
    abandoned = (DEALT, Paused(100.0), ends(700.0, None, Why.STOPPED))
    assert told(*abandoned).seconds == 100.0
    taken_back = (*abandoned, AbandonTakenBack(800.0), Resumed(900.0))
    assert told(*taken_back, ends(950.0)).seconds == 150.0


@pytest.mark.parametrize("taken_back", [AbandonTakenBack(70.0), GuessTakenBack(70.0)])
def test_the_time_until_an_end_is_taken_back_is_no_play(taken_back: Event) -> None:
    ended = (DEALT, ends(30.0, None, Why.STOPPED), taken_back)
    game = told(*ended, ClueGiven(90.0, RED, "sea", 1), ends(100.0))
    assert (game.seconds, game.clues) == (60.0, (50.0,))


def test_a_game_that_is_still_played_tells_nothing() -> None:
    assert facts(BEGUN, (DEALT, ClueGiven(4.0, RED, None, 1)), UTC) is None


@pytest.mark.parametrize(
    ("begun", "evening"),
    [
        ("2026-11-22T23:30:00.000+00:00", date(2026, 11, 22)),
        ("2026-11-23T05:59:00.000+00:00", date(2026, 11, 22)),
        ("2026-11-23T06:00:00.000+00:00", date(2026, 11, 23)),
    ],
)
def test_what_is_begun_after_midnight_is_of_the_evening_before(begun: str, evening: date) -> None:
    assert told(DEALT, ends(9.0), begun=begun).evening == evening


def test_a_game_begins_at_an_hour_of_the_tables_own_time() -> None:
    game = facts(BEGUN, (DEALT, ends(9.0)), timezone(timedelta(hours=5)))
    assert game is not None
    assert (game.hour, game.evening) == (1, date(2026, 11, 22))


def test_games_are_summed_by_what_is_asked_for() -> None:
    sums = Sums()
    italian = Dealt(0.0, "nome-in-codice", Settings(lang="it"), WORDS, RED_KEY)
    right = Guessed(10.0, RED, 0, Identity.RED)
    sums.add(told(DEALT, ClueGiven(10.0, RED, None, 1), right, ends(11 * 60.0)))
    sums.add(told(DEALT, right, ends(3 * 60.0, BLUE)))
    sums.add(told(italian, right, ends(60.0, None, Why.STOPPED), begun="2026-11-23T01:00:00Z"))
    every = sums.statistics(3, 3)
    assert (every.games, every.won) == (3, {"red": 1, "blue": 1, "ended": 1})
    assert every.hours == (*(Bin(20, 2), Bin(21, 0), Bin(22, 0), Bin(23, 0)), Bin(0, 0), Bin(1, 1))
    assert every.weekdays == (0, 0, 0, 0, 0, 0, 3)  # the evening of a Sunday
    assert every.lengths == (Bin(0, 1), Bin(5, 0), Bin(10, 1))
    assert every.clues == (Bin(0, 1),)
    assert every.found == ()  # of too few cases
    assert [(kind.profile, kind.lang, kind.games) for kind in every.kinds] == [
        ("codenames", "en", 2),
        ("nome-in-codice", "it", 1),
    ]
    assert sums.statistics(3, 3, profile="nome-in-codice").games == 1
    assert sums.statistics(3, 3, lang="en").games == 2
    assert sums.statistics(3, 3, "nome-in-codice", "en").games == 0


def test_words_of_enough_cases_are_told_by_their_rates() -> None:
    sums = Sums()
    over = Outcome(RED, (BLUE,), Why.AGENTS)
    words = (("OFTEN", 9, 6), ("MOSTLY", MIN_CASES, 4), ("RARE", MIN_CASES - 1, MIN_CASES - 1))
    for number in range(9):
        dealt = tuple(word for word, most, _ in words if number < most)
        guesses = tuple(Fate(word, "right") for word, _, times in words if number < times)
        sums.add(Facts("codenames", "en", date(2026, 1, 1), 20, 60.0, over, dealt, (), guesses))
    told = sums.statistics(9, 9).found
    assert told == (WordFate("MOSTLY", 4, MIN_CASES), WordFate("OFTEN", 6, 9))


def test_the_latest_evenings_are_told_and_the_words_that_were_guessed_most() -> None:
    sums = Sums()
    first = date(2026, 1, 1)
    for number in range(MAX_EVENINGS + 2):
        words = tuple(f"WORD {each}" for each in range(MAX_LISTED_WORDS + 2))
        guesses = tuple(Fate(word, "right") for word in words[: number + 1])
        evening = first + timedelta(days=number)
        over = Outcome(RED, (BLUE,), Why.AGENTS)
        sums.add(Facts("codenames", "en", evening, 20, 1e6, over, words, (1e6,), guesses))
    told = sums.statistics(0, 0)
    assert (told.evenings[0].day, len(told.evenings)) == ("2026-01-03", MAX_EVENINGS)
    assert [each.word for each in told.found] == [
        f"WORD {each}" for each in range(MAX_LISTED_WORDS)
    ]
    assert [bins[-1].begins for bins in (told.lengths, told.clues)] == [24 * 5, 24 * 15]


def test_the_numbers_agree_with_generated_games_counted_one_by_one() -> None:
    seed = 20
    random, sums, games = Random(seed), Sums(), []
    for _ in range(300):
        happened: list[Event] = [DEALT]
        at = 0.0
        for _ in range(random.randrange(1, 12)):
            at += random.uniform(1, 200)
            happened.append(ClueGiven(at, RED, None, 1))
            cell = random.randrange(25)
            at += random.uniform(1, 60)
            happened.append(Guessed(at, RED, cell, RED_KEY.identity(cell)))
            happened.append(TurnEnded(at, RED, Ended.STOPPED))
        happened.append(ends(at, random.choice((RED, BLUE, None))))
        games.append(told(*happened))
        sums.add(games[-1])
    every = sums.statistics(300, 300)
    guesses = [guess for game in games for guess in game.guesses]
    assert sum(every.won.values()) == every.games == 300, seed
    assert sum(each.count for each in every.clues) == sum(len(game.clues) for game in games)
    assert sum(every.guesses.values()) == len(guesses)
    for word in every.lost:
        fatal = [guess for guess in guesses if guess == Fate(word.word, "fatal")]
        assert (word.times, word.dealt) == (len(fatal), 300)


def play(table: VirtualTable) -> None:
    """A game that blue wins at once, by the assassin."""
    table.do("start", profile="codenames", cards="dealt")
    table.clue(1)
    table.hold("E5")


def test_a_journal_is_read_bit_by_bit_and_each_game_once(
    make_table: Callable[..., VirtualTable], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table()
    for _ in range(5):
        play(table)
    monkeypatch.setattr(statistics, "MAX_GAMES_A_CALL", 3)
    kept = Counted(path)
    first = kept.statistics(None)
    # The last game may still be corrected: it is counted, and not for good.
    assert (first.read, first.of, first.games) == (3, 4, 4)
    second = kept.statistics(None)
    assert (second.read, second.of, second.games, second.won) == (4, 4, 5, {"blue": 5})
    assert kept.statistics(None) == second
    table.do("correct", what="guess")
    assert kept.statistics(5).games == 4
    assert second.guesses == {"fatal": 5}


def test_an_event_of_another_version_is_told_and_not_left_out(path: Path) -> None:
    journal = Journal.open(path)
    journal.begin([Entry(0.0, b'{"type":"juggled"}')], BEGUN)
    journal.begin([Entry(0.0, b'{"type":"juggled"}')], BEGUN)
    journal.close()
    for read in (lambda: Counted(path).statistics(None), lambda: Records(path).record(1)):
        with pytest.raises(StorageError, match=r"Game 1 .* cannot read\. Read it"):
            read()


def test_an_empty_journal_has_no_statistics(
    make_table: Callable[..., VirtualTable], path: Path
) -> None:
    make_table()
    nothing = Counted(path).statistics(None)
    assert (nothing.read, nothing.of, nothing.games, nothing.kinds) == (0, 0, 0, ())


def test_what_became_of_words_is_counted_for_the_first_5000_of_a_game_and_language() -> None:
    words = tuple(f"WORD {number}" for number in range(5001))
    guesses = (Fate(words[4999], "right"), Fate(words[5000], "right"))
    outcome = Outcome(RED, (BLUE,), Why.AGENTS)
    sums = Sums()
    for _ in range(MIN_CASES):
        game = Facts("codenames", "en", date(2026, 11, 22), 20, 60.0, outcome, words, (), guesses)
        sums.add(game)
    assert [each.word for each in sums.statistics(1, 1).found] == [words[4999]]

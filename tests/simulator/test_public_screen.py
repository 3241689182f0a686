"""The public screen: the sentence of the moment, and nothing before its time."""

from msgspec.structs import replace

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.protocols.ipc.messages import PublicMessage, Said
from pi_table.simulator.public_screen import PublicScreen


def message(*said: Said) -> PublicMessage:
    return PublicMessage(None, False, said)


def told(number: int, what: str, after: float = 0.0) -> Said:
    return Said(number, what, {"en": what, "it": what}, after, what != "revealing")


def test_a_sentence_stands_when_its_time_has_come() -> None:
    screen = PublicScreen()
    screen.take(message(), 0.0)
    screen.take(message(told(1, "revealing"), told(2, "right", 1.0), told(3, "turn", 1.9)), 5.0)
    assert [screen.caption(at, "en") for at in (5.9, 6.0, 6.9)] == ["", "right", "turn"]


def test_after_a_correction_nothing_is_told_of_what_it_took_back() -> None:
    screen = PublicScreen()
    screen.take(message(), 0.0)
    guess = (told(1, "revealing"), told(2, "assassin", 1.0), told(3, "win", 5.0))
    screen.take(message(*guess), 0.0)
    screen.take(message(*guess, told(4, "correction")), 3.0)
    assert [screen.caption(at, "en") for at in (3.0, 5.5)] == ["correction", "correction"]


def test_a_message_that_comes_before_the_answer_does_not_show_it_earlier() -> None:
    screen = PublicScreen()
    opening = games.read_opening({"profile": "codenames"}, Chance())
    before = games.public_view(games.evolve(None, opening).board, 0.0)
    after = replace(before, guesses=1)
    guess = (told(1, "revealing"), told(2, "right", 1.0))
    screen.take(replace(message(), view=before), 0.0)
    screen.take(replace(message(*guess), view=after), 5.0)
    screen.take(replace(message(*guess, told(3, "peek")), view=after), 5.5)
    assert [screen.view(at) for at in (5.6, 5.99, 6.0)] == [before, before, after]


def test_an_explanation_stays_until_its_step_ends_and_its_end_tells_no_answer() -> None:
    opening = games.read_opening({"profile": "codenames"}, Chance())
    before = games.public_view(games.evolve(None, opening).board, 0.0)
    guessed = replace(before, guesses=1)
    turn = (told(1, "turn"), told(2, "explain"))
    guess = (told(3, "revealing"), told(4, "right", 1.0))
    for more in ((), (told(5, "explain", 1.0),)):  # a second guess may be known already
        screen = PublicScreen()
        screen.take(message(), 0.0)
        screen.take(replace(message(*turn), view=before), 0.0)
        assert [screen.caption(at, "en") for at in (5.9, 6.0, 60.0)] == ["turn", *2 * ["explain"]]
        screen.take(replace(message(*turn, *guess, *more), view=guessed), 60.0)
        assert screen.caption(60.9, "en") == "explain"
        assert [screen.caption(at, "en") for at in (61.0, 67.0)] == [
            "right",
            *(each.what for each in more),
        ] + [""] * (not more)
    again = PublicScreen()
    again.take(replace(message(*turn), view=before), 0.0)
    assert again.caption(0.0, "en") == "explain"

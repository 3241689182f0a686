"""Announcements follow from the public views, over whole random games."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, Final

import codex_walks
import msgspec
import pytest
from msgspec.structs import replace
from random_player import GAMES, next_act

from pi_table.common.language import LANGUAGES, say, translate
from pi_table.games.announcer.announcement import ECHO, TENSION, UNSPOKEN, Announcement, What
from pi_table.games.announcer.announcer import announce
from pi_table.games.announcer.standing import Closing, RefusedTouch, Standing
from pi_table.games.rules import games
from pi_table.games.rules.countdown import TimerView
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.word_games.board import Phase, State
from pi_table.games.rules.word_games.events import Dealt
from pi_table.games.rules.word_games.views import PublicView

ANSWERS: Final = {What.RIGHT, What.BYSTANDER, What.WRONG, What.ASSASSIN, What.NUKE}
ENDS: Final = {What.WIN, What.LOSS, What.STOPPED}
WORD_GAMES: Final = [game for game in GAMES if game[0] != "codex"]
OF_THE_TABLE: Final = {
    What.GOES_ON,
    What.REFUSED,
    What.PEEK,
    What.PHONE,
    What.JOIN,
    What.STILL_PLAYING,
    What.SLEEPS,
    What.WIPE,
    What.SERVICE,
    What.FAULT,
    What.CLOSING,
    What.CLOSED,
    What.IN_ORDER,
    What.HURRY,
    What.EXPLAIN,
}
"""Announcements about the table and its clock; the view of a game alone makes none of them."""

NAME_THE_TURN: Final = {
    *(What.CLUE, What.LAY, What.HAND, What.CHOSEN, What.LAID_OUT, What.PENALTY),
}

HANDS: Final = (
    tuple(f"red {number}" for number in range(13)),
    tuple(f"blue {number}" for number in range(13)),
)

Step = tuple[Standing, Standing, tuple[Announcement, ...]]


@cache
def steps_of_word_games() -> list[Step]:
    """Return the steps of random word games: the standing before and after each act, and the
    announcements."""
    return [
        step
        for profile, options in WORD_GAMES
        for seed in range(24)
        for step in _played(profile, options, Random(f"{profile}/{options}/{seed}"))
    ]


def _played(profile: str, options: dict[str, Any], random: Random) -> Iterator[Step]:
    chance, now = codex_walks.Drawn(random), 0.0
    opening = games.read_opening({"profile": profile, "options": options}, chance)
    if isinstance(opening, Dealt) and opening.is_shared and random.random() < 0.5:
        opening = replace(opening, hands=HANDS)  # of no rule's size, but dealt all the same
    state = games.evolve(None, opening)
    before = Standing(games.public_view(state.board, now), 1)
    yield Standing(), before, announce(Standing(), before)
    for _ in range(150):
        now += random.choice((0.0, 0.0, 1.0, 7.0))
        state, _ = games.settle(state, now)
        after = _stands(state, now)  # first what time alone has brought about
        yield before, after, announce(before, after)
        before = after
        assert isinstance(state, State)
        line = _line(state, random)
        try:
            seat = games.read_seat(line["seat"], state.board)
            act = games.read_act(line, state, chance)
            state, _ = games.step(state, seat, act, now)
        except Refused:
            continue
        after = _stands(state, now)
        yield before, after, announce(before, after)
        before = after
        if state.board.outcome is not None and random.random() < 0.3:
            return


def _stands(state: games.AnyState, now: float) -> Standing:
    view = games.public_view(state.board, now)
    return Standing(view, 1, at=now, urging=view.timer is not None and view.timer.urging)


def _line(state: State, random: Random) -> dict[str, Any]:
    """Something to do, as the console asks for it, or as an operative's finger does."""
    board = state.board
    public = msgspec.to_builtins(games.public_view(board, 0.0))
    may = {seat.value: games.may(state, seat) for seat in games.seats(board)}
    key = None if state.key is None else state.key.letters
    if not any(may.values()):
        return {"seat": "operator", "act": "look"}
    do = next_act({"may": may, "public": public, "key": key}, random)
    if "touch" not in do:
        return do
    seat = f"{public['turn']}-operatives"
    if do["touch"] == "end-turn":
        return {"seat": seat, "act": "stop"}
    act = "place" if public["phase"] == "place" else "guess"
    return {"seat": seat, "act": act, "cell": do["touch"]}


@cache
def steps_of_codex() -> list[Step]:
    found = []
    for seed in range(20):
        walk = codex_walks.walk(f"announced/{seed}")
        for step in walk.steps:
            before, after = (
                Standing(games.public_view(state.board, step.now), 1, at=step.now)
                for state in (step.before, step.after)
            )
            found.append((before, after, announce(before, after)))
    return found


def whats(said: tuple[Announcement, ...]) -> list[What]:
    return [each.what for each in said]


def views(step: Step) -> tuple[PublicView, PublicView]:
    old, new = step[0].view, step[1].view
    assert isinstance(old, PublicView)
    assert isinstance(new, PublicView)
    return old, new


def turns() -> Iterator[tuple[PublicView, PublicView, tuple[Announcement, ...]]]:
    """The steps of word games but for their beginnings and corrections."""
    for step in steps_of_word_games():
        if step[0].view is not None:
            old, new = views(step)
            if old.corrections == new.corrections and old.new_keys == new.new_keys:
                yield old, new, step[2]


def every_step() -> list[Step]:
    return [*steps_of_word_games(), *steps_of_codex()]


def test_everything_that_a_game_can_announce_is_announced_here() -> None:
    """Without this coverage the tests below would prove little."""
    heard = Counter(what for *_, said in every_step() for what in whats(said))
    print({what.value: count for what, count in heard.items()})
    assert {*heard} | {What.NOBODY} == {*What} - OF_THE_TABLE  # that one: games/codex-ties.txt


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_whole(lang: str) -> None:
    """No fact is missing from it, nor does it hold what people do not read."""
    for *_, said in every_step():
        for each in said:
            words = translate(each.words, lang)  # type: ignore[arg-type]
            assert not re.search(r"[{}<>_]|\bNone\b|  ", words), words
            assert words == words.strip()
            assert words
            assert words[-1] in ".?…!" or each.what is What.LAY, words


def test_what_is_said_is_said_in_two_languages() -> None:
    for *_, said in every_step():
        for each in said:
            english, italian = (translate(each.words, lang) for lang in ("en", "it"))
            assert english != italian, english


def test_nothing_is_said_when_nothing_that_everybody_sees_has_changed() -> None:
    for old, new, said in every_step():
        assert announce(new, new) == ()
        assert announce(old, replace(new)) == said  # of equal views the same is said
        if old.view is not None and old.view == new.view and old.urging == new.urging:
            assert said == ()


def test_what_is_said_comes_in_its_order() -> None:
    for *_, said in every_step():
        assert [each.after for each in said] == sorted(each.after for each in said)


def test_a_guess_is_answered_once_and_after_as_long_whatever_it_is() -> None:
    for old, new, said in turns():
        found = [n for n in new.cells if new.cells[n].covered and not old.cells[n].covered]
        answers = [each for each in said if each.what in ANSWERS]
        if old.phase is Phase.GUESS and found:
            (answer,) = answers
            (revealing,) = (each for each in said if each.what is What.REVEALING)
            assert (revealing.after, answer.after) == (0.0, TENSION)
            assert (revealing.identity, revealing.team) == (None, old.turn)
            assert answer.identity is new.cells[found[0]].covered
            assert answer.place == revealing.place
            others = [each for each in said if each not in (answer, revealing)]
            assert all(each.after >= TENSION + ECHO for each in others)
        else:
            assert not answers
            assert What.REVEALING not in whats(said)


def test_what_is_said_before_the_answer_is_the_same_whatever_a_guess_found() -> None:
    for old, new, said in turns():
        if What.REVEALING in whats(said):
            first, *rest = said
            label = next(n for n in new.cells if new.cells[n] != old.cells[n])
            word = new.cells[label].word or label
            assert translate(first.words, "en") == f"{word} is …"
            assert all(each.after >= TENSION for each in rest)


def test_whose_turn_it_is_is_said_whenever_it_is_anothers() -> None:
    for old, new, said in turns():
        turn = [each for each in said if each.what is What.TURN]
        assert all(each.team is new.turn is not None for each in turn)
        begins = new.phase is Phase.CLUE and old.phase not in (Phase.CLUE, Phase.PLACE)
        if begins and new.outcome is None:
            assert len(turn) == 1, (old, new)
        named = [each for each in said if each.what in NAME_THE_TURN]
        assert all(each.team is new.turn for each in named)


def test_the_end_of_a_game_is_said_once_with_who_has_won() -> None:
    for old, new, said in turns():
        ends = [each for each in said if each.what in ENDS]
        if new.outcome is not None and old.outcome is None:
            (end,) = ends
            assert end.team is new.outcome.winner
            assert (end.what is What.WIN) is (new.outcome.winner is not None)
            assert What.TURN not in whats(said)
        else:
            assert not ends


def test_a_correction_says_that_it_is_one_and_whose_turn_it_is_then() -> None:
    seen = 0
    for step in steps_of_word_games():
        if step[0].view is None:
            continue
        old, new = views(step)
        if old.corrections != new.corrections:
            seen += 1
            first, *rest = step[2]
            assert first.what is What.CORRECTION
            after = {*whats(tuple(rest))}
            assert after <= {What.TURN, What.LAY, What.HAND, What.TIME_UP}
            is_laid_out = new.phase is not Phase.PLACE
            assert (What.TURN in after) is (is_laid_out and old.turn is not new.turn)
            assert bool(after & {What.LAY, What.HAND}) is not is_laid_out
    assert seen > 20


def test_who_is_called_in_codex_is_the_one_at_the_screen_and_who_votes_has_the_turn() -> None:
    for old, new, said in steps_of_codex():
        for each in said:
            if each.what is What.CALLED and new.view.together:  # type: ignore[union-attr]
                assert translate(each.words, "en").startswith("To your phones: ")
            elif each.what is What.CALLED:
                assert translate(each.words, "en").startswith(_nickname(new, "at_screen"))
            if each.what is What.VOTE:
                assert translate(each.words, "en").startswith(_nickname(new, "turn"))
        ended = new.view.outcome is not None and old.view.outcome is None  # type: ignore[union-attr]
        assert ended is bool({*whats(said)} & ENDS)


def _nickname(standing: Standing, of: str) -> str:
    seat = getattr(standing.view, of)
    return str(standing.view.agents[int(seat.value[-1]) - 1].nickname)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("mode", "urging", "passed", "why"),
    [
        ("clock", False, 5.0, "The time is up"),
        ("clock", False, 4.9, "The team ends its turn"),
        ("clock", True, 5.0, "The team ends its turn"),  # which has urged before
        ("hourglass", False, 9.0, "The team ends its turn"),  # which ends no turn
    ],
)
def test_why_a_turn_ended_is_told_as_it_was(
    mode: str, urging: bool, passed: float, why: str
) -> None:  # CN-24
    for old, new, said in turns():
        if old.phase is Phase.GUESS and old.cells == new.cells and What.TURN in whats(said):
            timed = replace(old, timer=TimerView(mode, 5.0, running=True, urging=urging))
            turn = announce(Standing(timed, 1, at=7.0), Standing(new, 1, at=7.0 + passed))[-1]
            assert translate(turn.words, "en").startswith(why)
            return
    pytest.fail("No turn ended.")


# The table itself


def test_the_table_says_what_ails_it_once_and_that_it_is_over() -> None:
    calm = Standing()
    for more, what, then in (
        ({"out_of_order": True}, What.FAULT, What.IN_ORDER),
        ({"service": True}, What.SERVICE, What.IN_ORDER),
        ({"out_of_service": True}, What.CLOSED, What.IN_ORDER),
        ({"blocked": True}, What.WIPE, None),
        ({"peeking": True}, What.PEEK, None),
    ):
        worse = replace(calm, **more)  # type: ignore[arg-type]
        assert whats(announce(calm, worse)) == [what]
        assert announce(worse, worse) == ()
        assert whats(announce(worse, calm)) == ([] if then is None else [then])


def test_that_the_house_closes_is_said_each_time_that_it_says_so() -> None:
    calm, once = Standing(), Standing(closing=Closing(1, 10))
    (said,) = announce(calm, once)
    assert (said.what, translate(said.words, "en")) == (What.CLOSING, "We close in 10 minutes.")
    assert announce(once, once) == ()
    (again,) = announce(once, replace(once, closing=Closing(2, 1)))
    assert translate(again.words, "it") == "Chiudiamo fra 1 minuto."


def test_a_refused_touch_tells_its_reason_each_time() -> None:
    refused = Standing(refused=RefusedTouch(3, 7.0, say("The game is over.")))
    (said,) = announce(Standing(), refused)
    assert (said.what, said.place, translate(said.words, "en")) == (
        What.REFUSED,
        3,
        "The game is over.",
    )
    again = replace(refused, refused=RefusedTouch(3, 8.0, say("The game is over.")))
    assert whats(announce(refused, again)) == [What.REFUSED]
    assert announce(again, replace(again, refused=None)) == ()


def test_a_table_that_is_switched_on_says_that_a_game_goes_on_that_was_played() -> None:
    for step in steps_of_word_games():
        view = step[1].view
        assert view is not None
        goes_on = view.outcome is None and not view.paused
        expected = [What.GOES_ON] if goes_on else []
        assert whats(announce(None, step[1])) == expected
    assert announce(None, Standing()) == ()
    assert whats(announce(None, Standing(out_of_order=True))) == [What.FAULT]


def test_what_is_never_spoken_are_four_kinds() -> None:
    spoken = {each.what: each.spoken for *_, said in every_step() for each in said}
    assert {what for what, aloud in spoken.items() if not aloud} == {*spoken} & UNSPOKEN

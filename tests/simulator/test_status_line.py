"""The line above the simulated table: what is going on, in every phase."""

import pytest

from pi_table.common.language import LANGUAGES, translate
from pi_table.games.announcer.status import status
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.views import PublicView

KEY = "rbnrbrbnbrabrnbrnbrnbnrnr"
"""Red: A1 D1 A2 E2 C3 A4 D4 C5 E5, and it starts; B1 is blue's, A3 the assassin."""

Act = tuple[str, dict[str, object]]
CLUE: Act = ("red-spymaster", {"act": "clue", "word": "flight", "number": 3})
CHALLENGE: Act = ("blue-spymaster", {"act": "challenge"})
UPHOLD: Act = ("blue-spymaster", {"act": "uphold"})
PAUSE: Act = ("operator", {"act": "pause"})


def guess(cell: str) -> Act:
    return ("red-operatives", {"act": "guess", "cell": cell})


def after(*acts: Act, **options: object) -> PublicView:
    """Return the public view after these acts."""
    given = {"profile": "codenames", "options": options, "words": None, "key": KEY}
    state = games.evolve(None, games.read_opening(given, Chance(), at=0.0))
    for seat, act in acts:
        assert isinstance(state, State)
        done = games.read_act(act, state, Chance())
        state, _ = games.step(state, games.read_seat(seat, state.board), done, 0.0)
    assert isinstance(state, State)
    view = games.public_view(state.board, 0.0)
    assert isinstance(view, PublicView)
    return view


NOBODY = "red 9, blue 8 left"
LINES: list[tuple[tuple[Act, ...], str]] = [
    ((), f"Red waits for its clue   ·   {NOBODY}"),
    ((CLUE,), f"Red guesses: flight, 3 (4 guesses left)   ·   {NOBODY}"),
    (
        (CLUE, guess("A1"), guess("D1"), guess("A2")),
        "Red guesses: flight, 3 (1 guess left)   ·   red 6, blue 8 left",
    ),
    ((CLUE, CHALLENGE), f"Red’s clue is challenged: flight, 3   ·   {NOBODY}"),
    ((CLUE, CHALLENGE, UPHOLD), f"Blue may cover a cell   ·   {NOBODY}"),
    ((CLUE, guess("B1")), "Blue waits for its clue   ·   red 9, blue 7 left"),
    ((CLUE, PAUSE), f"A pause   ·   {NOBODY}"),
    ((CLUE, guess("A3")), f"Blue wins   ·   {NOBODY}"),
]


@pytest.mark.parametrize(("acts", "line"), LINES, ids=[line for _, line in LINES])
def test_the_line_says_what_is_going_on(acts: tuple[Act, ...], line: str) -> None:
    assert translate(status(after(*acts)), "en") == line


def test_every_line_is_another_one_in_each_language() -> None:
    for lang in LANGUAGES:
        lines = {translate(status(after(*acts)), lang) for acts, _ in LINES}
        assert len(lines) == len(LINES)

"""A first game that explains itself: each step twice, from what is public alone."""

from typing import Any

from pi_table.common.language import LANGUAGES, translate
from pi_table.games.announcer.announcement import WIN_ECHO, What
from pi_table.games.announcer.announcer import announce
from pi_table.games.announcer.first_game import SENTENCES, FirstGame, Step, of_the_key
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.seat import Seat

WORDS = [f"word {number}" for number in range(25)]
KEY = "rbnrbbrrnbnrabrrnbnrbnrbn"
ALIASES = "rbrrbbrrnbnr-brrnbnabnrbn"


class Told:
    """A game, and what people are told of it."""

    def __init__(self, profile: str = "codenames", key: str | None = KEY, **options: Any) -> None:
        game: dict[str, Any] = {"profile": profile, "options": {"explain": True, **options}}
        if profile != "codex":
            game |= {"key": key, "words": WORDS if key else None}
        self.state: Any = games.evolve(None, games.read_opening(game, Chance()))
        self.now = 0.0
        self.first = FirstGame()
        self.heard: list[Step | None] = []
        self.hear()

    def hear(self) -> None:
        board = self.state.board
        before = self.first
        self.first = self.first.after(games.public_view(board, self.now), board.settings)
        if self.first is not before:
            assert self.first.now is not None
            said = self.first.words is not None
            self.heard.append(self.first.now.step if said else None)

    def do(self, seat: str, act: str, **more: Any) -> "Told":
        read = games.read_act({"act": act, **more}, self.state, Chance())
        self.state, _ = games.step(self.state, Seat(seat), read, self.now)
        self.hear()
        return self

    def turn(self, team: str, *cells: str) -> "Told":
        self.do(f"{team}-spymaster", "clue", number=9)
        for cell in cells:
            self.do(f"{team}-operatives", "guess", cell=cell)
        return self

    @property
    def standing(self) -> Standing:
        view = games.public_view(self.state.board, self.now)
        return Standing(view, 1, first_game=self.first, at=self.now)

    @property
    def words(self) -> str | None:
        words = self.first.words
        return None if words is None else translate(words, "en")


def test_each_step_is_explained_when_it_comes_first_and_second_and_then_no_more() -> None:
    told = Told().turn("red", "A1", "C1").turn("blue", "B1", "D2")
    assert told.heard[:7] == [
        *(Step.CLUE, Step.GUESS, Step.AGAIN, Step.CLUE, Step.GUESS, Step.AGAIN, None),
    ]
    told.turn("red", "D1")
    assert told.heard[7:] == [None, None]
    assert told.words is None


def test_what_is_said_names_the_team_and_does_not_change_while_nothing_does() -> None:
    told = Told()
    assert told.words is not None
    assert told.words.startswith("Red’s spymaster says one word")
    before = told.first
    told.hear()
    assert told.first is before


def test_a_second_right_guess_is_the_same_step() -> None:
    told = Told().turn("red", "A1", "D1")
    assert told.heard == [Step.CLUE, Step.GUESS, Step.AGAIN]


def test_challenge_and_penalty_and_the_end_are_explained() -> None:
    told = Told().do("red-spymaster", "clue", number=1).do("blue-spymaster", "challenge")
    assert told.words is not None
    assert "Blue’s spymaster decides" in told.words
    told.do("blue-spymaster", "uphold").do("blue-spymaster", "decline")
    told.do("operator", "abandon")
    assert told.heard == [
        *(Step.CLUE, Step.GUESS, Step.CHALLENGE, Step.PENALTY, Step.CLUE, Step.OVER),
    ]


def test_the_end_alone_is_explained_later_than_it_is_announced() -> None:
    told, delays = Told(), []
    for seat, act, more in (
        ("red-spymaster", "clue", {"number": 9}),
        ("red-operatives", "guess", {"cell": "A1"}),
        ("red-operatives", "guess", {"cell": "C3"}),  # the assassin
    ):
        before = told.standing
        *said, explained = announce(before, told.do(seat, act, **more).standing)
        assert explained.what is What.EXPLAIN
        delays.append(explained.after - said[-1].after)
    assert delays == [0.0, 0.0, WIN_ECHO]


def test_a_group_that_plays_alone_is_told_of_the_absent_team() -> None:
    told = Told(players="cooperative").turn("red", "C1")
    assert told.heard[-1] is Step.COVER


def test_laying_out_the_cards_is_explained_to_each_team() -> None:
    told = Told("deep-undercover", key=None)
    for team, cell in (("red", "A1"), ("blue", "B1"), ("red", "C1")):
        if told.state.board.turn.value != team:
            team = told.state.board.turn.value
        told.do(f"{team}-operatives", "place", cell=cell, word=f"card {cell}")
    assert told.heard == [Step.LAY, Step.LAY, None, None]


def test_where_the_other_teams_cards_are_hunted_the_words_say_so() -> None:
    told = Told("alias-24", key=None)
    assert told.heard == [Step.HUNT]
    assert told.words is not None
    assert "assets" in told.words
    assert of_the_key("alias-24") != of_the_key("codenames")


def test_the_parts_of_a_phase_of_codex_are_explained_in_two_phases() -> None:
    told = Told("codex", visit_seconds=10)
    for _ in range(3):
        for _ in range(6):
            seat = f"agent-{told.state.board.turn + 1}"
            to = f"agent-{(told.state.board.turn + 1) % 6 + 1}"
            told.do(seat, "send", to=to, facts=["role"])
            _wait(told, 10.0)
        _wait(told, 60.0)
        told.do("operator", "end-discussion")
        while told.state.board.phase.value == "vote":
            turn = told.state.board.turn
            told.do(f"agent-{turn + 1}", "vote", target=f"agent-{(turn + 1) % 6 + 1}")
        machine = f"agent-{told.state.board.turn + 1}"
        told.do(machine, "reveal", fact="role" if not _known(told, machine) else "faction")
    phase = [Step.SEND, Step.ACT, Step.DISCUSS, Step.VOTE, Step.MACHINE]
    assert told.heard == [*phase, *phase, *([None] * 6)]


def _wait(told: Told, seconds: float) -> None:
    told.now += seconds
    told.state, _ = games.settle(told.state, told.now)
    told.hear()


def _known(told: Told, seat: str) -> bool:
    return bool(told.state.board.agents[int(seat[-1]) - 1].revealed)


def test_without_the_setting_nothing_is_explained() -> None:
    assert Told(explain=False).heard == []


def test_a_pause_is_no_step() -> None:
    told = Told()
    told.do("operator", "pause").do("operator", "resume")
    assert told.heard == [Step.CLUE]


def test_what_is_remembered_stays_small() -> None:
    told = Told()
    for _ in range(50):
        told.do("red-spymaster", "clue", number=1).do("blue-spymaster", "challenge")
        told.do("blue-spymaster", "uphold").do("blue-spymaster", "decline")
        told.do("blue-spymaster", "clue", number=1).do("red-spymaster", "challenge")
        told.do("red-spymaster", "uphold").do("red-spymaster", "decline")
    assert len(told.first.came) <= 3 * len(Step)


def test_every_step_has_its_sentence_and_it_is_short_enough_to_be_read_at_a_glance() -> None:
    assert {*SENTENCES} == {*Step}
    for words in (*SENTENCES.values(), of_the_key("codenames"), of_the_key("alias-24")):
        for lang in LANGUAGES:
            assert len(translate(words, lang).replace("{team}", "Rossi")) <= 125, words


def test_two_keys_are_explained_in_the_same_words() -> None:
    # ALL-1
    other = KEY[:12] + KEY[:11:-1]
    one, two = (Told(key=key).turn("red", "A1") for key in (KEY, other))
    assert (one.heard, one.words) == (two.heard, two.words)

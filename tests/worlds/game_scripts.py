"""Random games as scripts: timed acts, as `pi-table play` reads them, sensible ones and nonsense.

A script is written by playing it, with the key in view, so that games get far as well as end
early. What the writer knows of the key comes out only in what gets covered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from given_keys import drawn
from msgspec.structs import replace
from twin_keys import KeySource, Told, told_by

from pi_table.common.geometry import CELLS
from pi_table.games.rules import games
from pi_table.games.rules.events import Event
from pi_table.games.rules.profile import PROFILES, Family, Profile
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat, seat_of
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.board import Hands, Phase, State, hand_sizes
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import LAYOUTS

Line = dict[str, Any]

WORDS: Final = [f"WORD {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY"]
CLUE_WORDS: Final = ("flight", "sea", "naïve", " dell'arte ", None)
NAMES: Final = (*(acts.name_of(kind) for kind in acts.Act.__subclasses__()), "look", "clues", "?")
SEATS: Final = (*(seat.value for seat in Seat), "green-spymaster")
ODD_CELLS: Final = ("Z9", "a1", "", None, 7, "end-turn")
ODD_NUMBERS: Final = (-1, 0, 26, 1.5, True, "many", "unlimited", None)
ODD_WORDS: Final = ("", " ", "two\nlines", "x" * 41, 5, "\x07")
ODD_TIMES: Final = ("noon", -1, True, None, 1e300)


@dataclass(frozen=True)
class Pace:
    """Seconds of game time between acts, and the variety of the games."""

    gaps: tuple[float, ...] = (0.0, 0.001, 0.5, 2.0, 7.25, 45.0)
    timers: tuple[int, ...] = (1, 5, 30, 120)
    """Settings of hourglass and clock to draw from."""
    odd_times: bool = True
    """True if some times are invalid, and some lines have no time."""
    every_game: bool = False
    """True for all word games with all their settings; False for the classic one, played by two
    teams."""


@dataclass
class Script:
    """One game: how it is dealt, what is done, and what of its keys that discloses in world A."""

    seed: str
    game: Line
    lines: list[Line] = field(default_factory=list)
    coin: int = 0
    """Which team starts where the cards are laid out before the key is drawn."""
    key_first: bool = True
    """True if the first key is in the deal. (If the cards are laid out first, it is kept.)"""
    drawn: tuple[str, ...] = ()
    """The letters of each key that was drawn: for the deal, then for each new-key."""
    told: dict[str, Told] = field(default_factory=dict)
    """Disclosed facts of each key that was in force, by its letters."""
    over: bool = False

    def in_world(self, keys: Sequence[str]) -> list[Line]:
        """The lines that `pi-table play` takes; the first of these keys, or none, in the deal."""
        return [{**self.game, "key": keys[0] if self.key_first else None}, *self.lines]

    def opening(self, draw: KeySource) -> events.Dealt:
        """The deal, with a key from there."""
        return opening(self.game, draw, self.key_first)


def opening(game: Line, draw: KeySource, key_first: bool) -> events.Dealt:
    layout = LAYOUTS[game["profile"]]
    letters = draw.key(layout).letters if key_first else None
    dealt = games.read_opening({**game, "key": letters}, draw)
    assert isinstance(dealt, events.Dealt)
    return dealt


def keys_drawn(seed: str) -> Iterator[str]:
    """The letters of the keys that are drawn in world A, without end."""
    chance = Random(f"{seed}/keys")
    while True:
        yield drawn(chance.randrange).letters


def write(
    seed: str,
    pace: Pace = Pace(every_game=True),
    draw: KeySource | None = None,
    length: int | None = None,
) -> Script:
    """The script that this seed gives, of ``length`` acts, or of a random number of them."""
    coin = Random(f"{seed}/coin").randrange(2)
    return _Writer(seed, pace, draw or KeySource(keys_drawn(seed), coin), coin, length).script


def _hands(dealt: events.Dealt) -> Hands:
    """Words for each team to lay."""
    assert dealt.starts is not None
    layout = LAYOUTS[dealt.profile]
    red, _ = hand_sizes(layout, dealt.settings, dealt.starts)
    return tuple(WORDS[:red]), tuple(WORDS[red : layout.cards])


class _Writer:
    """Plays a game and writes down what it does."""

    def __init__(
        self, seed: str, pace: Pace, draw: KeySource, coin: int, length: int | None
    ) -> None:
        chance = self.chance = Random(seed)
        self.pace = pace
        self.skill = chance.choice((0.3, 0.7, 0.9, 0.97))
        self.nonsense = chance.choice((0.0, 0.05, 0.3))
        self.quarrel = chance.choice((0.0, 0.1, 0.5))
        self.amend = chance.choice((0.0, 0.1, 0.4))
        self.interrupt = chance.choice((0.0, 0.05, 0.2))
        self.now = 0.0
        self.draw = draw
        first = len(draw.drawn)
        profile = chance.choice(GAMES) if pace.every_game else PROFILES["codenames"]
        options = _options(chance, pace, profile)
        shared = options.get("dealing", profile.defaults.dealing) == "shared"
        words = None if shared and chance.random() < 0.9 else chance.choice((None, WORDS))
        if words is not None and LAYOUTS[profile.id].without_card is not None:
            words = [
                None if cell == LAYOUTS[profile.id].without_card else w  # type: ignore[misc]
                for cell, w in enumerate(words)
            ]
        key_first = not shared or words is not None or chance.random() < 0.5
        game = {"profile": profile.id, "options": options, "words": words}
        dealt = opening(game, draw, key_first)
        hands = self.hands = Random(f"{seed}/hands")
        """Random numbers for hands. All other draws are the same as without hands."""
        if dealt.is_shared and hands.random() < 0.6:
            dealt = replace(dealt, hands=_hands(dealt))
            game["hands"] = dict(zip(("red", "blue"), map(list, dealt.hands or ()), strict=False))
        self.happened: list[Event] = [dealt]
        self.state: State = evolve(None, dealt)
        self.seats = games.seats(self.state.board)
        self.wrong_covers: list[tuple[int, Team]] = []
        self.lines: list[Line] = []
        before_the_first_clue = 35 if dealt.is_shared else 0
        self.write(before_the_first_clue + (length or chance.choice((4, 8, 15, 30, 60))))
        told = told_by(self.happened)
        for cell, team in self.wrong_covers:  # a clue went before them: the key is the last one
            assert self.state.key is not None
            told[self.state.key.letters].refused(cell, team)
        over = self.state.board.phase is Phase.OVER
        drawn = tuple(draw.drawn[first:])
        self.script = Script(seed, game, self.lines, coin, key_first, drawn, told, over)

    def write(self, length: int) -> None:
        after_the_end = self.chance.randrange(4)
        for _ in range(length):
            if self.state.board.phase is Phase.OVER:
                after_the_end -= 1
                if after_the_end < 0:
                    return
            line = self.next_act()
            self.time(line)
            self.lines.append(line)
            self.do(line)

    def do(self, line: Line) -> None:
        """Let the act have its effect here, as `rules.play` would."""
        board = self.state.board
        try:
            if "at" in line:
                self.now = games.read_time(line["at"], self.now)
            self.state, lapsed = games.settle(self.state, self.now)
            self.happened += lapsed
            board = self.state.board
            if line["act"] in ("look", "clues", "tick"):
                return
            seat = games.read_seat(line["seat"], self.state.board)
            act = games.read_act(line, self.state, self.draw)
            self.state, happened = games.step(self.state, seat, act, self.now)
            self.happened += happened
        except Refused as refusal:
            if refusal.reason in (Reason.NOT_OWN_AGENT, Reason.NOT_TO_COVER):
                cell = CELLS.index(line["cell"])
                if cell not in board.covered:
                    self.wrong_covers.append((cell, board.to_cover))

    def time(self, line: Line) -> None:
        chance = self.chance
        if self.pace.odd_times and chance.random() < 0.05:
            if chance.random() < 0.3:
                line["at"] = chance.choice(ODD_TIMES)
            return
        line["at"] = round(self.now + chance.choice(self.pace.gaps), 3)

    def next_act(self) -> Line:
        chance, board = self.chance, self.state.board
        if chance.random() < self.nonsense:
            return self.odd_act()
        if chance.random() < self.interrupt:
            return self.interruption()
        if chance.random() < self.amend and (board.before or (board.clue and not board.guesses)):
            return self.correction()
        if board.paused:
            return _by(Seat.OPERATOR, "resume")
        return self.sensible[board.phase](self)

    def place(self) -> Line:
        chance, board = self.chance, self.state.board
        assert board.laying is not None
        free = [cell for cell in self.cells() if cell not in board.laying.placed]
        operatives = seat_of(board.turn, Role.OPERATIVES)
        words = (*board.laying.hands[0], *board.laying.hands[1])
        if words and self.hands.random() < 0.3:
            return _by(operatives, "choose", word=self.hands.choice(board.hand or words))
        cell = chance.choice(free if chance.random() < 0.9 else self.cells())
        word = "CARD7" if chance.random() < 0.05 else chance.choice((None, f"card {cell}"))
        if words and self.hands.random() < 0.9:
            word = self.hands.choice((None, None, self.hands.choice(board.hand or words)))
        return _by(operatives, "place", cell=CELLS[cell], word=word)

    def cells(self) -> list[int]:
        """Those that hold a card, or can."""
        without = self.state.board.layout.without_card
        return [cell for cell in range(len(CELLS)) if cell != without]

    def clue(self) -> Line:
        chance, board = self.chance, self.state.board
        if not board.clues and chance.random() < 0.2:
            return _by(chance.choice((Seat.OPERATOR, Seat.RED_SPYMASTER)), "new-key")
        number = chance.choice((1, 1, 2, 2, 3, 4, 9, 25, 0, "unlimited"))
        spymaster = seat_of(board.turn, Role.SPYMASTER)
        return _by(spymaster, "clue", number=number, word=chance.choice(CLUE_WORDS))

    def guess(self) -> Line:
        chance, board = self.chance, self.state.board
        operatives = seat_of(board.turn, Role.OPERATIVES)
        if not board.guesses and chance.random() < self.quarrel:
            other = board.turn if board.is_group else board.turn.other
            return _by(seat_of(other, chance.choice(PLAYERS)), "challenge")
        if board.guesses and chance.random() < 0.2:
            return _by(operatives, "stop")
        return _by(operatives, "guess", cell=CELLS[self.cell()])

    def cell(self) -> int:
        """A cell to guess, a good one as often as the writer is skilful."""
        chance, board, key = self.chance, self.state.board, self.state.key
        assert key is not None
        hidden = [cell for cell in self.cells() if cell not in board.covered]
        if chance.random() < 0.03 or not hidden:
            return chance.randrange(len(CELLS))
        quarry = board.layout.quarry(board.turn)
        sought = [cell for cell in hidden if key.identity(cell).team is quarry]
        if sought and chance.random() < self.skill:
            return chance.choice(sought)
        harmless = [cell for cell in hidden if key.identity(cell) is not board.layout.fatal]
        return chance.choice(hidden if chance.random() < 0.2 else harmless or hidden)

    def judge(self) -> Line:
        other = seat_of(self.state.board.turn.other, Role.SPYMASTER)
        return _by(other, self.chance.choice(("allow", "uphold", "uphold")))

    def penalty(self) -> Line:
        chance, board, key = self.chance, self.state.board, self.state.key
        assert key is not None
        spymaster = seat_of(board.turn, Role.SPYMASTER)
        what = chance.choice(("cover", "cover", "wrong", "wrong", "decline", "touch"))
        if what == "decline":
            return _by(spymaster, "decline")
        if what == "touch":
            return _by(seat_of(board.turn, Role.OPERATIVES), "guess", cell=chance.choice(CELLS))
        right = what == "cover"
        cells = [
            cell
            for cell in self.cells()
            if (key.identity(cell).team is board.to_cover and cell not in board.covered) is right
        ]
        return _by(spymaster, "cover", cell=CELLS[chance.choice(cells)])

    def after_the_end(self) -> Line:
        if self.state.key is None and self.chance.random() < 0.3:
            return _by(Seat.OPERATOR, "reveal")
        return self.correction() if self.chance.random() < 0.5 else self.interruption()

    def correction(self) -> Line:
        board = self.state.board
        if board.clue and not board.guesses and self.chance.random() < 0.5:
            return _by(Seat.OPERATOR, "correct", number=self.chance.choice((1, 2, 5)))
        return _by(Seat.OPERATOR, "correct")

    def interruption(self) -> Line:
        chance = self.chance
        seat = chance.choice(self.seats)
        name = chance.choice(INTERRUPTIONS)
        if name == "abandon" and chance.random() < 0.8:
            name = "tick"
        return _by(Seat.OPERATOR if name == "abandon" else seat, name)

    def odd_act(self) -> Line:
        """Out of turn, out of place, or out of its mind."""
        chance = self.chance
        line: Line = {"seat": chance.choice(SEATS), "act": chance.choice(NAMES)}
        if line["act"] == "reveal" and self.state.board.phase is Phase.OVER and self.state.key:
            line["act"] = "guess"  # the key is to stay hidden
        if chance.random() < 0.8:
            line["cell"] = chance.choice(CELLS if chance.random() < 0.8 else ODD_CELLS)
        if chance.random() < 0.8:
            line["number"] = chance.choice(ODD_NUMBERS)
        if chance.random() < 0.5:
            line["word"] = chance.choice(ODD_WORDS)
        return line

    sensible: Final = {
        Phase.PLACE: place,
        Phase.CLUE: clue,
        Phase.GUESS: guess,
        Phase.CHALLENGE: judge,
        Phase.PENALTY: penalty,
        Phase.COVER: penalty,
        Phase.OVER: after_the_end,
    }


GAMES: Final = [profile for profile in PROFILES.values() if profile.family is Family.WORDS]
CHOICES: Final = {
    "players": ("teams", "teams", "cooperative", "shared-operative"),
    "nuke": ("basic", "mad"),
    "dealing": ("table", "table", "table", "shared"),
}
INTERRUPTIONS: Final = ("look", "clues", "hourglass", "hourglass", "pause", "tick", "abandon")
PLAYERS: Final = (Role.SPYMASTER, Role.OPERATIVES)


def _by(seat: Seat, act: str, **more: Any) -> Line:
    return {"seat": seat.value, "act": act, **more}


def _options(chance: Random, pace: Pace, profile: Profile) -> Line:
    """Settings of a game; each house rule is on as often as off."""
    options: Line = {
        name: chance.random() < 0.5
        for name in ("zero", "unlimited", "penalty")
        if chance.random() < 0.8 and name in profile.settings
    }
    if pace.every_game:
        values = CHOICES.items()
        options |= {name: chance.choice(v) for name, v in values if name in profile.settings}
    timer = options["timer"] = chance.choice(("off", "hourglass", "clock"))
    if timer == "clock":
        options["clock_end"] = chance.choice(("urge", "end-turn"))
        options["clue_seconds"] = chance.choice(pace.timers)
        options["guess_seconds"] = chance.choice(pace.timers)
    elif timer == "hourglass":
        options["hourglass_seconds"] = chance.choice(pace.timers)
    return options

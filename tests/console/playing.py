"""A table for the console's tests: the real rules behind the console's messages.

It knows no devices and no journal. What the engine answers besides the rules (starting a game, the
record) is answered here in the same shape.
"""

from typing import Any, Self

import msgspec
from given_keys import GivenKeys

from pi_table.common.house_settings import House
from pi_table.common.language import LANGUAGES, Words, translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.announcer.announcement import What
from pi_table.games.lines.faults import FAULT_LINES
from pi_table.games.rules import games
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import State
from pi_table.games.rules.word_games.key import CLASSIC, Key, Layout
from pi_table.protocols.ipc.messages import (
    Answer,
    DeskState,
    PageLock,
    Pages,
    PhoneState,
    Presence,
    Request,
    Said,
    SeatPhone,
    TableMessage,
    line,
    read_to_console,
)
from pi_table.protocols.ipc.service import PAD_COUNT, InService, Lit, Pads, Page
from pi_table.screens.console.console_events import Happening, Typed
from pi_table.screens.console.model import Model
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import Scene, Text
from pi_table.screens.console.update import update
from pi_table.table.engine.state import peek
from pi_table.table.engine.state.peek import Peek

KEY = "rbnrbrbnbrabrnbrnbrnbnrnr"
"""Red has 9 and starts. Red: A1 D1 A2 E2 C3 A4 D4 C5 E5."""
OTHER_KEY = "brrbnrnbrnbrnrbrnarnbnrbb"
WORDS = (
    *("ANCHOR", "BREAD KNIFE", "CATERPILLAR", "DELTA", "EARTHQUAKE"),
    *("FLUTE", "GRASSHOPPER", "HARBOUR", "ICE", "JUNGLE"),
    *("KEYBOARD", "LOCK", "MAMMOTH", "NEEDLE", "ORBIT"),
    *("PALM", "QUEEN", "ROW", "SATURN", "TEMPLE"),
    *("UMBRELLA", "VAULT", "WHALE", "YARD", "ZEBRA"),
)
RECORD = [
    {
        "number": 12,
        "begun": "2026-11-21T20:15:00",
        "profile": "codenames",
        "outcome": {"winner": "red", "losers": ["blue"], "why": "agents"},
    },
    {
        "number": 11,
        "begun": "2026-11-21T19:40:12",
        "profile": "codenames",
        "outcome": {"winner": None, "losers": [], "why": "stopped"},
    },
]
GAME_RECORD = {
    "number": 12,
    "begun": "2026-11-21T20:15:00",
    "lines": [
        {"at": 0.0, "text": "A game of codenames begins; red starts."},
        {"at": 71.5, "text": "Red gives the clue 'flight', 3."},
        *({"at": 80.0 + n, "text": f"Red guesses {n}."} for n in range(12)),
    ],
}


TOLD = {
    "tally": {
        "since": "2026-11-21T19:40:12",
        "won": [
            {"profile": "codenames", "red": 2, "blue": 1, "nobody": 0},
            {"profile": "alias-24", "red": 0, "blue": 1, "nobody": 1},
        ],
    },
    "packs": [
        {"name": "after-dark", "title": "After dark", "language": "en", "adults": True},
        {"name": "english", "title": "English", "language": "en", "adults": False},
    ],
    "doctor": {
        "version": "1.2.3",
        "faults": ["The disk is full."],
        "deaf": ["A1", "C3"],
        "wet": False,
        "can_store": True,
    },
}
"""The table's facts about itself."""


class Keys(GivenKeys):
    """Draws this key, always."""

    def __init__(self, key: str) -> None:
        self._key = Key(key)

    def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
        return self._key


_WIDE = (120,) * PAD_COUNT
IN_SERVICE = InService(
    page=Page.MENU,
    left=300.0,
    lit=Lit(light=103),
    pads=Pads(
        deltas=(*_WIDE[4:], None, 3, -12, 120),
        most=_WIDE,
        thresholds=_WIDE,
        touched=frozenset({0, 5, 25}),
        deaf=frozenset({7, 9, 26}),
        noisy=frozenset({11, 30}),
    ),
    current_ma=6500,
    capped=True,
    counts={line.name: 10_000 + number for number, line in enumerate(FAULT_LINES)},
)
"""The message of a table in service, with the longest of everything."""


OF_THE_HOUSE = ("house", "set-pin", "lock", "unlock", "shutdown", "service", "leave-service")
"""Acts that the table accepts at any time, and that do nothing here."""


ADDRESS = "http://192.168.123.145:8080"
"""Where the pages are, where they are served."""
LINK = "/seat#" + "Ab9-_" * 8 + "xyz"


class Served:
    """A table whose pages may be served, and the phones at it."""

    pages: Pages | None = None
    desk: DeskState | None = None
    links = 0
    """Number of links drawn."""

    def serve(self, *seats: str, state: PhoneState = PhoneState.HERE) -> Self:
        """The pages are served, and these seats have a phone."""
        phones = tuple(SeatPhone(Seat(seat), state) for seat in seats)
        self.pages = Pages(ADDRESS, phones)
        return self

    def phone(self, seat: str, state: PhoneState | None, tried: bool = False) -> Self:
        """So it stands with the phone of a seat from now on; None: it has none."""
        assert self.pages is not None
        others = tuple(each for each in self.pages.phones if each.seat is not Seat(seat))
        own = () if state is None else (SeatPhone(Seat(seat), state, tried),)
        self.pages = Pages(ADDRESS, (*others, *own))
        return self

    def _linked(self, do: dict[str, Any]) -> object:
        """Do what is asked of phones and desks."""
        if do["act"] == "close-desk":
            self.desk = None
        elif do["act"] == "let-go":
            self.phone(do["for"], None)
        elif do["act"] == "desk":
            self.desk = DeskState(PhoneState.WAITING)
            return {"for": "operator", "link": LINK.replace("seat", "desk")}
        else:
            self.links += 1
            self.phone(do["for"], PhoneState.WAITING)
            return {"for": do["for"], "link": f"{LINK[:-2]}{self.links:02}"}
        return None


OF_PHONES = ("phone", "let-go", "desk", "close-desk")


class Announcing:
    """A table that can say something to everybody."""

    said: tuple[Said, ...] = ()

    def says(self, what: What, words: Words, after: float = 0.0) -> Self:
        written_in: dict[str, str] = {lang: translate(words, lang) for lang in LANGUAGES}
        said = Said(len(self.said) + 1, what.value, written_in, after, True)
        self.said = (*self.said, said)
        return self


class GameTable(Served, Announcing):
    """A game by the rules, seen through the console's messages: what all games share."""

    game: int | None = None
    faults: tuple[str, ...] = ()
    peek: Peek | None = None
    now = 0.0
    state: Any = None

    def begin(self) -> object:
        raise NotImplementedError

    def do(self, seat: str, act: str, **more: Any) -> object:
        """Something happens that the rules allow; what it tells the seat."""
        raise NotImplementedError

    def peeking(self) -> Peek | None:
        """The seat that peeks now; None if there is none."""
        self.peek = peek.current_peek(self.peek, self.state, self.game, self.now)
        return self.peek

    def answer(self, request: Request) -> Answer:
        try:
            return Answer(request.id, ok=True, told=self._done(dict(request.do)))
        except Refused as refusal:
            return Answer(request.id, False, refusal.reason.value, refusal.reason.sentence)

    def _done(self, do: dict[str, Any]) -> object:
        act = do["act"]
        if act == "next":
            self.begin()
        elif act == "record":
            return GAME_RECORD if "game" in do else RECORD
        elif act in OF_PHONES:
            return self._linked(do)
        elif act in ("peek", "unpeek"):
            self.peek = None
            if act == "peek":
                assert self.game is not None
                self.peek = peek.begin(self.state, self.game, Seat(do["seat"]), self.now, 180.0)
        else:
            return self.do(do.pop("seat"), **do)
        return None


class RulesTable(GameTable):
    """A word game by the rules."""

    state: State | None

    def __init__(
        self,
        *,
        words: bool = True,
        hands: bool = False,
        key: str = KEY,
        profile: str = "codenames",
        **options: object,
    ) -> None:
        self.key = key
        self.profile = profile
        self.words: tuple[str, ...] | None = WORDS if words else None
        self.hands = hands
        """True if the teams hold the words and lay them out. Red starts."""
        self.options: dict[str, Any] = dict(options)
        self.state = None
        self.damaged = False
        self.presence = Presence.PLAYING
        self.service: InService | None = None
        self.lock, self.house = PageLock(), House()

    def begin(self) -> "RulesTable":
        self.game = (self.game or 0) + 1
        given: dict[str, Any] = {
            "profile": self.profile,
            "options": self.options,
            "words": None,
            "key": self.key,
        }
        if self.words is not None and self.hands:
            red = 25 if self.options.get("players") == "cooperative" else 13
            given["hands"] = {"red": [*self.words[:red]], "blue": [*self.words[red:]]}
        elif self.words is not None:
            cards = [*self.words]
            given["words"] = [*cards[:12], None, *cards[13:]] if "-" in self.key else cards
        opening = games.read_opening(given, Keys(self.key), at=self.now)
        self._moved(games.evolve(None, opening))
        return self

    def _moved(self, state: games.AnyState) -> None:
        assert isinstance(state, State)
        self.state = state

    def do(self, seat: str, act: str, **more: object) -> "RulesTable":
        """Something happens that the rules allow."""
        assert self.state is not None
        done = games.read_act({"act": act, **more}, self.state, Keys(OTHER_KEY))
        by = games.read_seat(seat, self.state.board)
        after, _ = games.step(self.state, by, done, self.now)
        self._moved(after)
        return self

    def clue(
        self, word: str | None = "flight", number: object = 3, team: str = "red"
    ) -> "RulesTable":
        return self.do(f"{team}-spymaster", "clue", word=word, number=number)

    def guess(self, *cells: str, team: str = "red") -> "RulesTable":
        for cell in cells:
            self.do(f"{team}-operatives", "guess", cell=cell)
        return self

    def message(self) -> TableMessage:
        """Return the table's message to the console, sent through the wire's own JSON."""
        state = self.state
        board = None if state is None else state.board
        doable = {"operator": self._own_acts()}
        if state is not None:
            doable = {seat.value: games.may(state, seat) for seat in games.seats(state.board)}
            doable["operator"] += self._own_acts()
        key = None if self.peeking() is None or state is None else state.key
        message = TableMessage(
            public=None if board is None else games.public_view(board, self.now),
            key=None if key is None else key.letters,
            may=doable,
            settings=None if board is None else board.settings,
            game=self.game,
            cards="dealt" if self.words else "own",
            packs=(),
            faults=self.faults,
            peek=peek.for_the_console(self.peek, self.now),
            said=self.said,
            idle=self.presence,
            service=self.service,
            pages=self.pages,
            desk=self.desk,
            lock=self.lock,
            house=self.house,
        )
        received = read_to_console(line(message))
        assert isinstance(received, TableMessage)
        return received

    def _own_acts(self) -> tuple[str, ...]:
        if self.damaged:
            return ("try-again", "set-aside")
        if self.state is None:
            return ("start", "record")
        over = self.state.board.outcome is not None
        acts = ("start", "next", "record") if over else ("record",)
        return ("clues", *acts) if self.state.board.clues else acts

    def _done(self, do: dict[str, Any]) -> object:
        act = do["act"]
        if act == "start":
            self.profile, self.options = do["profile"], do["options"]
            self.words = WORDS if do["cards"] == "dealt" else None
            self.begin()
        elif act in ("try-again", "set-aside"):
            self.damaged, self.faults = False, ()
        elif act in TOLD:
            return TOLD[act]
        elif act == "here":
            self.presence = Presence.PLAYING
        elif act == "service":
            self.service = IN_SERVICE if self.service is None else self.service
            page = Page(do.get("page", "menu"))
            lit = msgspec.convert(do.get("lit", self.service.lit), Lit)
            self.service = msgspec.structs.replace(self.service, page=page, lit=lit)
        elif act == "leave-service":
            self.service = None
        elif act == "clues":
            assert self.state is not None
            return msgspec.to_builtins(self.state.board.clues)
        elif act not in OF_THE_HOUSE:
            told = super()._done(do)
            return None if told is self else told
        return None

    def tick(self, now: float) -> None:
        self.now = now
        if self.state is not None:
            self._moved(games.settle(self.state, now)[0])


class Desk:
    """A console at a table: what happens to it, what it asks for and shows."""

    def __init__(self, table: RulesTable) -> None:
        self.table = table
        self.model = Model()
        self.asked: list[dict[str, Any]] = []
        self.peeked: list[dict[str, Any]] = []
        """The requests to show hidden facts, or to hide them again."""
        self.hear()

    def hear(self) -> "Desk":
        """The table's message comes."""
        return self.happen(self.table.message())

    def happen(self, *happenings: Happening) -> "Desk":
        """Let things happen; the table answers each request and tells how it stands then."""
        for happening in happenings:
            self.model, requests = update(self.model, happening, self.table.now)
            for request in requests:
                if request.do["act"] in ("peek", "unpeek"):
                    self.peeked.append(request.do)
                else:
                    self.asked.append(request.do)
                answer = self.table.answer(request)
                self.model, more = update(self.model, answer, self.table.now)
                assert more == ()
                self.model, more = update(self.model, self.table.message(), self.table.now)
                assert more == ()
        return self

    @property
    def scene(self) -> Scene:
        return scene(self.model, self.table.now)

    @property
    def texts(self) -> list[str]:
        return [str(shape.text) for shape in self.scene if isinstance(shape, Text)]

    @property
    def labels(self) -> list[str]:
        """Return the labels of the choices."""
        return [translate(choice.label, self.model.lang) for choice in self.model.choices]

    @property
    def values(self) -> list[str]:
        """Return the values at the ends of the choices' lines."""
        return [translate(choice.value, self.model.lang) for choice in self.model.choices]


def typed(text: str) -> tuple[Typed, ...]:
    """Return the keyboard's events for typing this."""
    return tuple(map(Typed, text))


def choose(desk: Desk, *labels: str) -> Desk:
    """Turn to the choice that is called so, and press; for each of these in turn."""
    for label in labels:
        assert label in desk.labels, f"There is no {label!r} among {desk.labels}."
        while desk.labels[desk.model.selected] != label:
            desk.happen(Input.RIGHT)
        desk.happen(Input.PRESS)
    return desk

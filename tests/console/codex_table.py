"""A game of Codex for the console's tests: the real rules behind the console's messages."""

from typing import Any

from playing import Desk, GameTable

from pi_table.devices.hal.contracts import Input
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.protocols.ipc.messages import CodexMessage, line, read_to_console
from pi_table.table.engine.families.codex.messages import console_message
from pi_table.table.engine.state import peek

NICKNAMES = ("Moon", "Vega", "Puma", "Koala", "Tango", "Mistral")
PRESS, RIGHT, LEFT, BACK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK
PEEK, UNPEEK = Input.PEEK, Input.UNPEEK


def deal(*agents: str) -> list[dict[str, object]]:
    """Six identikits, each as ``red leader 1 ABCD``: the faction is the true one."""
    dealt = []
    for nickname, agent in zip(NICKNAMES, agents, strict=True):
        faction, role, position, fragment = agent.split()
        dealt.append(
            {
                "nickname": nickname,
                "faction": faction,
                "role": role,
                "position": int(position),
                "fragment": fragment,
            }
        )
    return dealt


DEAL = deal(
    *("red leader 1 ABCD", "blue hacker 1 EFGH", "red profiler 2 JKLM"),
    *("blue leader 2 NPQR", "red hacker 3 STUV", "blue profiler 3 WXYZ"),
)
RED_CODE, BLUE_CODE = "ABCDJKLMSTUV", "EFGHNPQRWXYZ"
OWN_CODES = ("1234", "2345", "3456", "4567", "5678", "6789")


class CodexTable(GameTable):
    """A game by the rules. It begins with a ``deal``, or with one that is drawn."""

    sends_all = False
    """True if hidden facts are sent even if nobody peeks. The real table does not send them."""

    def __init__(self, dealt: list[dict[str, object]] | None = DEAL, **options: object) -> None:
        self.deal = dealt
        self.options: dict[str, Any] = {"lang": "en", **options}
        self.nicknames: list[str | None] | None = None
        self.begin()

    def begin(self) -> "CodexTable":
        self.game = (self.game or 0) + 1
        given: dict[str, Any] = {"profile": "codex", "options": self.options, "deal": self.deal}
        if self.deal is None:
            given["nicknames"] = self.nicknames
        self.state = games.evolve(None, games.read_opening(given, Chance(), self.now))
        return self

    def do(self, seat: str, act: str, **more: object) -> object:
        """Something happens that the rules allow; what it tells the seat."""
        done = games.read_act({"act": act, **more}, self.state, Chance())
        who = games.read_seat(seat, self.state.board)
        self.state, happened = games.step(self.state, who, done, self.now)
        return games.private_result(self.state, who, happened)

    def tick(self, now: float) -> "CodexTable":
        self.now = now
        self.state, _ = games.settle(self.state, now)
        return self

    def visit_ends(self) -> "CodexTable":
        """Time passes until the next visit, or what comes after the lap."""
        ends = self.state.board.countdown.ends
        return self.tick(ends)

    # Whole parts of the game, as somebody else would enter them

    @property
    def turn(self) -> str:
        return f"agent-{self.state.board.turn + 1}"

    def enter(self) -> "CodexTable":
        """Let the visiting agent choose or enter their own code."""
        code = OWN_CODES[self.state.board.turn]
        view = games.view(self.state, Seat(self.turn), self.now)
        self.do(self.turn, "choose-code" if view.code == "choose" else "enter-code", code=code)
        return self

    def visits(self, *acts: dict[str, Any]) -> "CodexTable":
        """One visit for each of these acts; one that is empty enters nothing."""
        for act in acts:
            self.enter()
            if act:
                self.do(self.turn, **act)
            self.visit_ends()
        return self

    def all_send(self, *to: str, fact: str = "role") -> "CodexTable":
        """The lap of sending: the first to ``to[0]``, and so on."""
        return self.visits(*({"act": "send", "to": who, "facts": [fact]} for who in to))

    def all_vote(self, *targets: str) -> "CodexTable":
        for target in targets:
            self.do(self.turn, "vote", target=target)
        return self

    def message(self) -> CodexMessage:
        """Return the table's message to the console, sent through the wire's own JSON."""
        state = self.state
        doable = {seat.value: games.may(state, seat) for seat in games.seats(state.board)}
        doable["operator"] += ("record",)
        if state.board.outcome is not None:
            doable["operator"] += ("start", "next")
        peeks = None if (peeking := self.peeking()) is None else peeking.seat
        if self.sends_all and state.board.turn is not None:
            peeks = AGENTS[state.board.turn]
        common = {
            "may": doable,
            "settings": state.board.settings,
            "game": self.game,
            "cards": "own",
            "packs": (),
            "faults": self.faults,
            "peek": peek.for_the_console(self.peek, self.now),
            "said": self.said,
            "pages": self.pages,
            "desk": self.desk,
        }
        view = games.public_view(state.board, self.now)
        message = console_message(state, view, self.now, peeks, common)
        received = read_to_console(line(message))
        assert isinstance(received, CodexMessage)
        return received

    def _done(self, do: dict[str, Any]) -> object:
        if do["act"] != "start":
            return super()._done(do)
        if do["profile"] != "codex":
            raise Refused(Reason.UNKNOWN_ACT)  # this table has no word games
        self.options, self.deal, self.nicknames = do["options"], None, do.get("nicknames")
        self.begin()
        return None


def desk(table: CodexTable) -> Desk:
    """A console at this table."""
    return Desk(table)  # type: ignore[arg-type]


def digits(code: str) -> tuple[Input, ...]:
    """A code of one's own with the encoder: from 0 to each digit, and a press."""
    return tuple(given for digit in code for given in (*(RIGHT,) * int(digit), PRESS))


def come_in(at: Desk) -> Desk:
    """Let the visiting agent step up and come in, with the encoder alone."""
    table: Any = at.table
    code = OWN_CODES[table.state.board.turn]
    choosing = table.message().door.code == "choose"
    return at.happen(PRESS, *digits(code * (2 if choosing else 1)))


def wait(at: Desk) -> Desk:
    """The visit's time passes, and the table tells."""
    table: Any = at.table
    table.visit_ends()
    return at.hear()

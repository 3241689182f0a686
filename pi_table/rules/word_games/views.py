"""What each seat may see. A view is built up from what its seat may know, never cut down.

There is no default view: a seat that is not named here sees nothing. The public view is made of a
`Board` alone and so cannot hold the key. A view's JSON (`msgspec.json.encode`) is the contract
with everything outside: screens, sockets, and programs that read what `pi-table play` writes.
"""

import msgspec
from msgspec import UNSET, UnsetType

from pi_table.geometry import CELLS
from pi_table.rules.countdown import TimerView
from pi_table.rules.outcome import Outcome
from pi_table.rules.profile import Settings
from pi_table.rules.seat import Role, Seat
from pi_table.rules.team import Team
from pi_table.rules.word_games.board import GUESS, OVER, Board, Number, Phase, State
from pi_table.rules.word_games.key import Identity, identity_at
from pi_table.rules.word_games.phases import may


class ClueView(msgspec.Struct, frozen=True):
    word: str | None
    number: Number


class CellView(msgspec.Struct, frozen=True):
    word: str | None
    covered: Identity | None


class LeftView(msgspec.Struct, frozen=True):
    red: int
    blue: int

    def of(self, team: Team) -> int:
        return self.red if team is Team.RED else self.blue


class NukeView(msgspec.Struct, frozen=True):
    """Alias 24: how the nuke is played (``basic``, ``mad``), and whether it would take both teams
    with it (AL-11)."""

    mode: str
    armed: bool


class PublicView(msgspec.Struct, frozen=True):
    """What anybody may see, the operatives too. Eight fields and the key are a contract."""

    profile: str
    phase: Phase
    turn: Team | None
    clue: ClueView | None
    guesses_left: int | None
    left: LeftView
    cells: dict[str, CellView]
    outcome: Outcome | None
    starts: Team
    timer: TimerView | None
    paused: bool
    guesses: int
    """Guesses made for the current clue."""
    shown: dict[str, Identity]
    """Cells that lie open to guesses again, and what everybody has seen them to be (ALL-3)."""
    corrections: int
    new_keys: int
    key: str | UnsetType = UNSET
    """The 25 letters, after the key was made public and only then."""
    nuke: NukeView | UnsetType = UNSET
    """In Alias 24, and only there."""
    placed: tuple[str, ...] | UnsetType = UNSET
    """While the teams lay out the cards, and only then: the cells that have theirs, in the order in
    which they were laid;"""
    next_word: str | UnsetType | None = UNSET
    """and the word that the team whose turn it is lays next, None where it lays one of its own."""


class OperativesView(msgspec.Struct, frozen=True):
    seat: Seat
    may: tuple[str, ...]
    public: PublicView


class SpymasterView(msgspec.Struct, frozen=True):
    """The public view and the key, once there is one."""

    seat: Seat
    may: tuple[str, ...]
    public: PublicView
    key: str | None

    def __repr__(self) -> str:
        return f"SpymasterView({self.seat.value}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("seat", self.seat.value), ("key", "hidden")]  # msgspec's own would show it


class OperatorView(msgspec.Struct, frozen=True):
    """The public view, the settings, and what is wrong with the table: never the key."""

    seat: Seat
    may: tuple[str, ...]
    public: PublicView
    settings: Settings
    faults: tuple[str, ...] = ()


SeatView = OperativesView | SpymasterView | OperatorView


def view(state: State, seat: Seat, now: float) -> SeatView:
    """What ``seat`` may see at ``now``."""
    board = state.board
    public = public_view(board, now)
    acts = may(board, seat)
    if seat.role is Role.SPYMASTER:
        return SpymasterView(seat, acts, public, None if state.key is None else state.key.letters)
    if seat.role is Role.OPERATIVES:
        return OperativesView(seat, acts, public)
    return OperatorView(seat, acts, public, board.settings)


def public_view(board: Board, now: float) -> PublicView:
    """What everybody may see at ``now`` (CN-3, CN-22, ALL-1)."""
    over = board.phase is OVER
    words = board.words or (None,) * len(CELLS)
    laying = board.laying
    return PublicView(
        profile=board.profile,
        phase=board.phase,
        turn=None if over else board.turn,
        clue=None if board.clue is None else ClueView(board.clue.word, board.clue.number),
        guesses_left=board.guesses_left if board.phase is GUESS else None,
        left=LeftView(*board.left),
        cells={
            name: CellView(word, covered)
            for name, word, covered in zip(CELLS, words, board.covered, strict=True)
        },
        outcome=board.outcome,
        starts=board.starts,
        timer=_timer(board, now),
        paused=board.paused,
        guesses=board.guesses,
        shown={
            name: seen
            for name, seen, covered in zip(CELLS, board.shown, board.covered, strict=True)
            if seen is not None and covered is None
        },
        corrections=board.corrections,
        new_keys=board.new_keys,
        key=UNSET if board.open_key is None else board.open_key.letters,
        nuke=NukeView(board.settings.nuke, board.is_armed) if board.has_nuke else UNSET,
        placed=UNSET if laying is None else tuple(CELLS[cell] for cell in laying.placed),
        next_word=UNSET if laying is None else next(iter(board.hand), None),
    )


def _timer(board: Board, now: float) -> TimerView | None:
    countdown = board.countdown
    if countdown is None:
        return None
    left = countdown.remaining(now)
    return TimerView(board.settings.timer, round(left, 3), countdown.since is not None, left <= 0.0)


def known(view: PublicView, cell: int) -> Identity | None:
    """What everybody knows the cell (0 … 24) to be: it is covered, or the key is open."""
    covered = view.cells[CELLS[cell]].covered
    if covered is not None or view.key is UNSET:
        return covered
    return identity_at(view.key, cell)

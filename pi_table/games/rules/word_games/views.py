"""The view of each seat. It is built from what the seat may know, not by removing what it may not.

There is no default view: a seat that is not named here sees nothing. The public view is made from a
`Board` alone, so it cannot contain the key. A view's JSON (`msgspec.json.encode`) is the contract
with other programs: screens, sockets, and readers of the output of `pi-table play`.
"""

import msgspec
from msgspec import UNSET, UnsetType

from pi_table.common.geometry import CELLS
from pi_table.games.rules.countdown import TimerView
from pi_table.games.rules.outcome import Outcome
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import GUESS, OVER, Board, Number, Phase, State
from pi_table.games.rules.word_games.key import Identity, identity_at
from pi_table.games.rules.word_games.phases import may


class ClueView(msgspec.Struct, frozen=True):
    word: str | None
    number: Number


class GivenClueView(msgspec.Struct, frozen=True):
    """A clue, and the cells that were guessed after it, in order."""

    team: Team
    word: str | None
    number: Number
    cells: tuple[str, ...] = ()


class CellView(msgspec.Struct, frozen=True):
    word: str | None
    covered: Identity | None


class LeftView(msgspec.Struct, frozen=True):
    red: int
    blue: int

    def of(self, team: Team) -> int:
        return self.red if team is Team.RED else self.blue


class HandsView(msgspec.Struct, frozen=True):
    """The words that each team must still lay."""

    red: tuple[str, ...]
    blue: tuple[str, ...]

    def of(self, team: Team) -> tuple[str, ...]:
        return self.red if team is Team.RED else self.blue


class NukeView(msgspec.Struct, frozen=True):
    """The state of the nuke of Alias 24."""

    mode: str
    """``basic`` (AL-10) or ``mad`` (AL-11)."""
    armed: bool
    """True if both teams now lose when a team hits the nuke (AL-11)."""


class PublicView(msgspec.Struct, frozen=True):
    """The public view. The operatives' view contains no more than this.

    The fields from ``profile`` to ``outcome``, and ``key`` and ``nuke``, are a contract with other
    programs.
    """

    profile: str
    """The id of the game's profile."""
    phase: Phase
    """The act that the table waits for."""
    turn: Team | None
    """The team in turn; in a penalty, the team that may cover a cell; None after the game's end."""
    clue: ClueView | None
    """The clue of the turn, in the phases GUESS and CHALLENGE."""
    guesses_left: int | None
    """Number of remaining guesses; None if there is no limit, and outside the phase GUESS."""
    left: LeftView
    """Number of uncovered cells of each team."""
    cells: dict[str, CellView]
    """The 25 cells, A1 to E5."""
    outcome: Outcome | None
    """The result of the game; None before its end."""
    starts: Team
    """The team that started."""
    timer: TimerView | None
    """The hourglass or clock; None if neither is in use now."""
    paused: bool
    """True while the game and its time are stopped."""
    guesses: int
    """Number of guesses made for the current clue."""
    shown: dict[str, Identity]
    """Cells that are uncovered again after a correction, each with the identity that people saw
    (ALL-3)."""
    corrections: int
    """Number of corrections by the operator in this game."""
    new_keys: int
    """Number of new keys drawn for the game (CN-2)."""
    clues: tuple[GivenClueView, ...] = ()
    """All clues of the game, the latest last, with the cells that were guessed after each clue."""
    key: str | UnsetType = UNSET
    """The key as 25 letters: ``r`` red, ``b`` blue, ``n`` bystander or decoy, ``a`` assassin or
    nuke. UNSET until it is made public (ALL-5)."""
    nuke: NukeView | UnsetType = UNSET
    """The state of the nuke. UNSET in every game except Alias 24."""
    placed: tuple[str, ...] | UnsetType = UNSET
    """Cells that have a card, the latest last. UNSET unless the teams are laying cards (DU-2)."""
    next_word: str | UnsetType | None = UNSET
    """The next word to lay from the hand of the team in turn; None if the team lays its own card.
    UNSET unless the teams are laying cards."""
    hands: HandsView | UnsetType = UNSET
    """The words that each team must still lay. UNSET unless the teams lay words of a pack."""


class OperativesView(msgspec.Struct, frozen=True):
    seat: Seat
    may: tuple[str, ...]
    public: PublicView


class SpymasterView(msgspec.Struct, frozen=True):
    """The public view and the key, which is None until it is drawn."""

    seat: Seat
    may: tuple[str, ...]
    public: PublicView
    key: str | None

    def __repr__(self) -> str:
        return f"SpymasterView({self.seat.value}, key hidden)"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("seat", self.seat.value), ("key", "hidden")]  # msgspec's method would show the key


class OperatorView(msgspec.Struct, frozen=True):
    """The public view, the settings, and the table's faults. It never contains the key."""

    seat: Seat
    may: tuple[str, ...]
    public: PublicView
    settings: Settings
    faults: tuple[str, ...] = ()


SeatView = OperativesView | SpymasterView | OperatorView


def view(state: State, seat: Seat, now: float) -> SeatView:
    """Return the view of ``seat`` at ``now``."""
    board = state.board
    public = public_view(board, now)
    acts = may(board, seat)
    if seat.role is Role.SPYMASTER:
        return SpymasterView(seat, acts, public, None if state.key is None else state.key.letters)
    if seat.role is Role.OPERATIVES:
        return OperativesView(seat, acts, public)
    return OperatorView(seat, acts, public, board.settings)


def public_view(board: Board, now: float) -> PublicView:
    """Return the public view at ``now`` (CN-3, CN-22, ALL-1)."""
    over = board.phase is OVER
    words = board.words or (None,) * len(CELLS)
    laying, timer = board.laying, board.countdown
    return PublicView(
        profile=board.profile,
        phase=board.phase,
        turn=None if over else board.turn,
        clue=None if board.clue is None else ClueView(board.clue.word, board.clue.number),
        guesses_left=board.guesses_left if board.phase is GUESS else None,
        left=LeftView(*board.left),
        cells={
            name: CellView(word, board.covered.get(cell))
            for cell, (name, word) in enumerate(zip(CELLS, words, strict=True))
        },
        outcome=board.outcome,
        starts=board.starts,
        timer=None if timer is None else timer.view(board.settings.timer, now),
        paused=board.paused,
        guesses=board.guesses,
        shown={
            name: board.shown[cell]
            for cell, name in enumerate(CELLS)
            if cell in board.shown and cell not in board.covered
        },
        corrections=board.corrections,
        new_keys=board.new_keys,
        clues=tuple(
            GivenClueView(clue.team, clue.word, clue.number, tuple(cells))
            for clue, cells in zip(board.clues, _guessed_by_clue(board), strict=True)
        ),
        key=UNSET if board.open_key is None else board.open_key.letters,
        nuke=NukeView(board.settings.nuke, board.is_armed) if board.has_nuke else UNSET,
        placed=UNSET if laying is None else tuple(CELLS[cell] for cell in laying.placed),
        next_word=UNSET if laying is None else board.next_word,
        hands=UNSET if laying is None or not any(laying.hands) else HandsView(*laying.hands),
    )


def _guessed_by_clue(board: Board) -> list[list[str]]:
    """Return, for each clue, the names of the cells that were guessed, in order."""
    by_clue: list[list[str]] = [[] for _ in board.clues]
    for clue, cell in board.guessed:
        by_clue[clue].append(CELLS[cell])
    return by_clue


def public_identity(view: PublicView, cell: int) -> Identity | None:
    """Return the identity of a cell (0 … 24) if it is covered or the key is public, else None."""
    covered = view.cells[CELLS[cell]].covered
    if covered is not None or view.key is UNSET:
        return covered
    return identity_at(view.key, cell)

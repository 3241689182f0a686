"""The acts of the desk at a table without a hidden screen.

There the desk does what the hidden screen does elsewhere: it begins games, shows each seat's QR
code for a phone, does the acts of the operator in a game, and opens a journal that failed. It sees
no key. A QR code is no secret of the game. The first phone to open it gets the seat, and everybody
is shown that the seat has a phone. The desk can also choose the word that a team lays next: the
hands of both teams are public.

Some acts of the hidden screen are missing, because people can play without them. The command
`pi-table doctor --bring-up` tests lights and sound. Guests' own words and nicknames are typed by
guests at a screen; without one, the table deals words and draws nicknames. Peeks and the referee
are on phones.
"""

from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from pi_table.common.language import Lang, Say, say, translate
from pi_table.games.lines.offers import OFFERS
from pi_table.games.rules import games
from pi_table.games.rules.codex.board import Board as CodexBoard
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.profile import PROFILES, Family, profile_named
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import AGENTS, Role, Seat, seat_of
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import OfferedPack, PhoneState
from pi_table.table.engine.dealing import Cards
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.requests import console
from pi_table.table.engine.requests.fields import Fields, InLanguage
from pi_table.table.engine.requests.game import play
from pi_table.table.engine.requests.outcome import AnswerOnly, Outcome
from pi_table.table.engine.snapshot import Snapshot
from pi_table.table.engine.state.lock import Lock
from pi_table.table.engine.state.moves import Unable, playing

GAME_ACTS: Final = (
    *("ready", "hourglass", "end-discussion", "correct", "new-key", "new-code", "reveal"),
)
"""The acts in a game that the desk can request only at a table without a hidden screen."""
JOURNAL_ACTS: Final = {
    "try-again": console.can_reopen_journal,
    "set-aside": console.can_set_journal_aside,
}
"""The answers to a journal that failed. Each has a function that returns True while the table
needs that answer."""


class DeskGame(msgspec.Struct, frozen=True):
    """A game that the desk can begin."""

    profile: str
    title: str
    sentence: str
    size: str
    """The number of players and the minutes that the game takes, as a text for people."""
    deals: bool
    """True if the game has words, which the table can deal."""
    lang: Lang
    """The language of the game by the house rules."""
    explain: bool
    """True if the game is explained by the house rules."""


class DeskOffer(msgspec.Struct, frozen=True):
    """The choices for the next game."""

    games: tuple[DeskGame, ...]
    packs: tuple[OfferedPack, ...]
    cards: Cards
    last: str | None
    """The profile of the last game; None if there was none."""
    may_go_on: bool
    """True if the last game is over, so that the same people can play again."""
    may_swap: bool
    """True if the last game is over, and its teams can swap sides for the next game."""


class DeskSeat(msgspec.Struct, frozen=True):
    """A seat of the game in play that can have a phone."""

    seat: Seat
    nickname: str | None
    """The nickname of an agent; None in a word game."""
    needed: bool
    """True if nobody can play the seat without a phone."""
    state: PhoneState | None
    """The state of the phone or of the unopened link; None if the seat has no link."""
    tried: bool
    """True if a phone other than the link's owner has tried to open the link."""


class DeskHand(msgspec.Struct, frozen=True):
    """The public hand of the team that lays a dealt word next."""

    team: Team
    words: tuple[str, ...]
    next: str | None
    """The word that is laid next."""


class DeskSeats(msgspec.Struct, frozen=True):
    seats: tuple[DeskSeat, ...]
    address: str | None
    """The address of the pages; None while it is unknown."""
    hand: DeskHand | None = None
    """None if no dealt words are being laid."""


def check_that_no_screen_does_it(snapshot: Snapshot) -> None:
    """Raise Unable at a table with a hidden screen."""
    if snapshot.has_screen:
        raise Unable("at-the-screen", say("This table has a hidden screen: do that there."))


def offer_games(request: Request, fields: InLanguage, snapshot: Snapshot, now: float) -> Outcome:
    lang, game, may_go_on = fields.lang, snapshot.game, console.can_start_next(snapshot)
    return AnswerOnly(
        DeskOffer(
            games=tuple(
                DeskGame(
                    profile=name,
                    title=translate(Say(profile.title), lang),
                    sentence=translate(OFFERS[name].sentence, lang),
                    size=translate(OFFERS[name].size, lang),
                    deals=profile.family is Family.WORDS,
                    lang=rules.get("lang", profile.usual.lang),
                    explain=rules.get("explain", profile.usual.explain),
                )
                for name, profile in PROFILES.items()
                for rules in (snapshot.house.rules.get(name, {}),)
            ),
            packs=snapshot.packs,
            cards=snapshot.cards,
            last=None if game is None else game.board.profile,
            may_go_on=may_go_on,
            may_swap=may_go_on and game is not None and _has_two_sides(game.board),
        )
    )


def start_game(request: Request, fields: console.Start, snapshot: Snapshot, now: float) -> Outcome:
    """Begin a game with the house rules. Agents of Codex enter their secrets on phones."""
    profile, options = profile_named(fields.profile), fields.options
    if options is UNSET or options is None:
        options = {}
    if isinstance(options, dict):
        options = {**snapshot.house.rules.get(profile.id, {}), **options}
        if "screens" in profile.settings:
            options |= console.ON_PHONES
    return console.start_game(
        request, replace(fields, options=options), _as_unlocked(snapshot), now
    )


def start_next(request: Request, fields: console.Next, snapshot: Snapshot, now: float) -> Outcome:
    return console.start_next(request, fields, _as_unlocked(snapshot), now)


def list_seats(request: Request, fields: None, snapshot: Snapshot, now: float) -> Outcome:
    if snapshot.game is None or snapshot.played is None:
        return AnswerOnly(DeskSeats((), snapshot.phones.address))
    board = snapshot.game.board
    view = games.public_view(board, snapshot.game.time(now))
    agents = view.agents if isinstance(view, CodexView) else ()
    seats = []
    for seat in games.seats(board):
        if seat.role is Role.OPERATOR or (agents and board.settings.screens != "phones"):
            continue
        phone = snapshot.phones.of(seat)
        nickname = agents[AGENTS.index(seat)].nickname if agents else None
        state = None if phone is None else phone.state(now)
        tried = phone is not None and phone.handshake.tried
        seats.append(DeskSeat(seat, nickname, seat.role is not Role.OPERATIVES, state, tried))
    return AnswerOnly(DeskSeats(tuple(seats), snapshot.phones.address, _hand(view)))


def _hand(view: PublicView | CodexView) -> DeskHand | None:
    if not isinstance(view, PublicView) or view.hands is UNSET or view.turn is None:
        return None
    words = getattr(view.hands, view.turn.value)
    return DeskHand(view.turn, words, view.next_word or None)


class Choose(Fields, frozen=True):
    word: Any = None
    """The word as JSON. The rules of the game check this value."""


def choose_word(request: Request, fields: Choose, snapshot: Snapshot, now: float) -> Outcome:
    """Choose the word that the team in turn lays next. The act counts as an act of this team's
    operatives."""
    board = playing(snapshot.game).board
    if isinstance(board, CodexBoard):
        raise Refused(Reason.UNKNOWN_ACT)
    seat = seat_of(board.turn, Role.OPERATIVES)
    do = {"act": "choose", "word": fields.word, "seat": seat.value}
    return play(replace(request, do=do), None, snapshot, now)


def _has_two_sides(board: games.AnyBoard) -> bool:
    return not isinstance(board, CodexBoard) and board.settings.players != "cooperative"


def _as_unlocked(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot as if no PIN was set, because the desk is open."""
    return replace(snapshot, lock=Lock())

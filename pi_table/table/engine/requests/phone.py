"""What a phone can ask for, and what it is shown."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from pi_table.common.errors import TableError
from pi_table.common.geometry import CELLS
from pi_table.common.language import LANGUAGES, translated
from pi_table.games.rules import games
from pi_table.games.rules.profile import HOUSE_RULES, Family, Settings, profile_named
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Role, Seat
from pi_table.games.rules.word_games.board import UNLIMITED, is_word
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import Presence
from pi_table.protocols.ipc.phones import PhoneAnswer, PhoneMessage, PhoneRules
from pi_table.table.engine.families import family_of
from pi_table.table.engine.game_in_play import GameInPlay
from pi_table.table.engine.inputs import Request
from pi_table.table.engine.lock import Lock
from pi_table.table.engine.moves import Move, Unable, playing
from pi_table.table.engine.outcome import Outcome
from pi_table.table.engine.outputs import AskReferee, Verdict
from pi_table.table.engine.phones.phones import Phone, PhoneRequest
from pi_table.table.engine.phones.shown import JUDGE, MARK, Shown
from pi_table.table.engine.requests import console
from pi_table.table.engine.requests.console import unlocked
from pi_table.table.engine.rights import Asker, right_to
from pi_table.table.engine.situation import Situation


def decide(request: Request, situation: Situation, now: float) -> Outcome:
    """What is to be done about a request of a phone. Raises TableError to refuse it."""
    to = request.to
    assert isinstance(to, PhoneRequest)
    if not situation.phones.has(to):
        raise Unable("no-link", "That seat has no phone.")
    if situation.game is not None and to.seat not in situation.seated:
        raise Unable("not-confirmed", "Hold a finger on the phone first, to keep its seat.")
    seat, act = to.seat, request.do.get("act")
    if not isinstance(act, str):
        raise Refused(Reason.UNKNOWN_ACT)
    right = right_to(act)
    if seat.role not in right.phones:
        raise Unable("not-on-a-phone", "That is done at the table, or on the hidden screen.")
    phone = situation.phones.of(seat)
    if right.is_limited and phone is not None and phone.asks_too_often:
        raise Unable("too-often", "Wait a minute before you do that again.")
    if act == JUDGE:
        return AskReferee(to, _clue(request.do, playing(situation.game), now))
    do = {**request.do, "seat": seat.value}
    outcome = console.decide(Request(Asker.CONSOLE, to, do), _from_a_phone(situation), now)
    # What an agent is told stands in what they see while they hold, and nowhere else.
    return replace(outcome, told=None) if isinstance(outcome, Move) else outcome


def _clue(do: Mapping[str, Any], game: GameInPlay, now: float) -> dict[str, Any]:
    """What the referee is asked about a clue. What it is told of the table lies open on it. Raises
    Refused, and Unable where the words are not known."""
    view = games.public_view(game.board, game.time(now))
    if not isinstance(view, PublicView):
        raise Refused(Reason.UNKNOWN_ACT)
    word, number, settings = do.get("word"), do.get("number"), game.board.settings
    if not isinstance(word, str) or not is_word(word):
        raise Refused(Reason.BAD_WORD)
    whole = isinstance(number, int) and not isinstance(number, bool) and number in range(26)
    if not whole and number != UNLIMITED:
        raise Refused(Reason.BAD_NUMBER)
    cells = [view.cells[name] for name in CELLS]
    if not any(cell.word for cell in cells):
        raise no_opinion()
    return {
        "word": word,
        "number": number,
        "board": [cell.word for cell in cells],
        "covered": [cell.word for cell in cells if cell.word and cell.covered is not None],
        "lang": settings.lang,
        "profile": view.profile,
        "house": [rule for rule in HOUSE_RULES if getattr(settings, rule)],
        "langs": [*LANGUAGES],
    }


def no_opinion() -> Unable:
    """What is said where the referee cannot judge a clue."""
    return Unable("no-opinion", "The referee has no opinion on that clue.")


def _from_a_phone(situation: Situation) -> Situation:
    """The table as a phone may use it: what somebody has opened on the hidden screen is not open
    to phones."""
    return replace(situation, peek=None, lock=_shut(situation.lock))


def _shut(lock: Lock) -> Lock:
    return replace(lock, open_until=None)


def shown_on(phone: Phone, situation: Situation, now: float) -> bytes:
    """What a phone is to be shown, as JSON."""
    seat, game = phone.link.seat, situation.game
    shown, family, number, rules = Shown(()), Family.WORDS, None, None
    if game is not None and seat in situation.seated and seat in games.seats(game.board):
        family, number = profile_named(game.board.profile).family, game.number
        rules = _rules(game.board.settings)
        # Nobody looks at what is hidden where nobody seems to be.
        holds = phone.is_holding(now) and situation.idle.presence is Presence.PLAYING
        may = _may(game.state, seat, situation)
        shown = family_of(game.board).phone(game.state, seat, game.time(now), may, holds)
    message = PhoneMessage(
        seat,
        family,
        number,
        shown.may,
        shown.key,
        shown.door,
        shown.agent,
        rules,
        phone.handshake.tried,
        phone.answer,
        phone.is_asked,
    )
    return msgspec.json.encode(message)


def _rules(settings: Settings) -> PhoneRules:
    names = PhoneRules.__struct_fields__
    return PhoneRules(**{name: getattr(settings, name) for name in names})


def _may(state: games.AnyState, seat: Seat, situation: Situation) -> tuple[str, ...]:
    """What the rules, and the house, let a seat do now that can be done on a phone."""
    of_the_rules = games.may(state, seat)
    if seat.role is Role.OPERATIVES and "guess" in of_the_rules:
        return (MARK,)
    may = tuple(act for act in of_the_rules if seat.role in right_to(act).phones)
    return unlocked(_from_a_phone(situation), seat.role, may)


def answer_to_phone(number: int, verdict: Verdict, refusal: TableError | None) -> PhoneAnswer:
    """What a phone is told of a request: a sentence in every language, for its page is in one that
    the table does not know."""
    sentence = None if refusal is None else str(refusal)
    in_every: dict[str, str] | None = (
        None if sentence is None else {lang: translated(sentence, lang) for lang in LANGUAGES}
    )
    return PhoneAnswer(number, verdict.ok, verdict.reason, in_every, verdict.told)

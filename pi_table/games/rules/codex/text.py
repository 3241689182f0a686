"""Read games and acts of Codex from JSON.

The acts that have fields, and the results that only the agent is told:

- send: ``to``; ``facts``, a list of one fact (nickname, faction, role or position), or of two facts
  if one is the role
- hack, vote, new-code, unpair: ``target``
- ask: ``message``, the number of a message in this phase; ``fact``, one that is not in the message.
  Result: the fact and its value, or nothing without the power
- extort, reveal: ``fact``, which is faction, role, position or fragment
- attempt: ``code``, in capital or small letters, with or without spaces and dashes. Result: right,
  wrong, blocked or none-left
- choose-code: ``code``, four digits as text
- enter-code: ``code``. Result: whether the code is right, and how many tries remain

``to`` and ``target`` are a seat (``agent-3``) or a nickname, in capital or small letters. An agent
can do send, hack, ask, extort and attempt once in each phase. The first line of a game can have
``"phones": ["agent-2"]``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pi_table.common.errors import InputError
from pi_table.common.language import did_you_mean, say
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import acts, deal
from pi_table.games.rules.codex.board import INDEX, Board
from pi_table.games.rules.codex.events import AgentsDealt
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.identikit import Fact
from pi_table.games.rules.profile import Profile, Settings
from pi_table.games.rules.refusal import Reason, Refused

_GAME_FIELDS: Final = ("profile", "options", "deal", "nicknames", "phones")


def read_opening(
    given: Mapping[str, Any], profile: Profile, settings: Settings, chance: Chance, at: float
) -> AgentsDealt:
    """Return the first event of a game from ``{"profile", "options", "deal", "nicknames",
    "phones"}``.

    Only ``profile`` is required. If ``deal`` is missing, the identikits are drawn, and
    ``nicknames`` may name the agents. ``phones`` are the seats that have a phone from the start.
    Raises InputError.
    """
    for name in given:
        if name not in _GAME_FIELDS:
            raise InputError(
                say(
                    "A game of {id} has no field {name}; {did_you_mean}",
                    id=repr(profile.id),
                    name=repr(name),
                    did_you_mean=did_you_mean(name, _GAME_FIELDS),
                )
            )
    dealt = given.get("deal")
    nicknames = given.get("nicknames")
    if dealt is None:
        identikits = deal.draw(settings.roles, deal.read_nicknames(nicknames), chance)
    elif nicknames is None:
        identikits = deal.read_deal(dealt, settings.roles)
    else:
        raise InputError(say("A deal contains its nicknames: leave out the field 'nicknames'."))
    roles = deal.in_play([identikit.role for identikit in identikits])
    phones = _phones(given.get("phones"), settings)
    return AgentsDealt(at, profile.id, settings, roles, identikits, phones)


def _phones(given: object, settings: Settings) -> tuple[int, ...]:
    if given is None:
        return ()
    if settings.screens != "phones":
        raise InputError(say("Nobody has a phone unless the setting 'screens' is 'phones'."))
    agents = {seat.value: agent for seat, agent in INDEX.items()}
    if not isinstance(given, list) or not all(each in [*agents] for each in given):
        raise InputError(
            say("The phones of a game are a list of seats, agent-1 to agent-6, or null.")
        )
    return tuple(sorted({agents[each] for each in given}))


def read_act(given: Mapping[str, Any], state: State, chance: Chance) -> acts.Act:
    """Return the act that a JSON object describes. Raises Refused for missing or wrong fields."""
    reader = _READERS.get(given["act"])
    if reader is None:
        raise Refused(Reason.UNKNOWN_ACT)
    return reader(given, state.board)


def _field(given: Mapping[str, Any], name: str) -> Any:
    if name not in given:
        raise Refused(Reason.MISSING_FIELD)
    return given[name]


def _agent(given: Mapping[str, Any], name: str, board: Board) -> int:
    """Return the number of the agent whose seat or nickname is in the field ``name``."""
    agent = _field(given, name)
    if isinstance(agent, str):
        for seat, number in INDEX.items():
            if seat.value == agent:
                return number
        number_ = deal.agent_named(agent, [known.nickname for known in board.agents])
        if number_ is not None:
            return number_
    raise Refused(Reason.UNKNOWN_AGENT)


def _fact(given: object) -> Fact:
    fact = _FACTS.get(given) if isinstance(given, str) else None
    if fact is None:
        raise Refused(Reason.BAD_FACT)
    return fact


_FACTS: Final = {fact.value: fact for fact in Fact}


def _facts(given: Mapping[str, Any]) -> tuple[Fact, ...]:
    facts = _field(given, "facts")
    if not isinstance(facts, list):
        raise Refused(Reason.BAD_FACT)
    return tuple(map(_fact, facts))


def _text(given: Mapping[str, Any], name: str, otherwise: Reason) -> str:
    text = _field(given, name)
    if not isinstance(text, str):
        raise Refused(otherwise)
    return text


def _message(given: Mapping[str, Any]) -> int:
    message = _field(given, "message")
    if isinstance(message, bool) or not isinstance(message, int):
        raise Refused(Reason.UNKNOWN_MESSAGE)
    return message


def _reveal(given: Mapping[str, Any], board: Board) -> acts.Act:
    fact = given.get("fact")
    return acts.Reveal(None if fact is None else _fact(fact))


def _plain(kind: Callable[[], acts.Act]) -> "Reader":
    return lambda given, board: kind()


Reader = Callable[[Mapping[str, Any], Board], acts.Act]
_READERS: Final[dict[str, Reader]] = {
    "ready": _plain(acts.Ready),
    "send": lambda given, board: acts.Send(_agent(given, "to", board), _facts(given)),
    "hack": lambda given, board: acts.Hack(_agent(given, "target", board)),
    "ask": lambda given, board: acts.Ask(_message(given), _fact(_field(given, "fact"))),
    "extort": lambda given, board: acts.Extort(_fact(_field(given, "fact"))),
    "attempt": lambda given, board: acts.Attempt(_text(given, "code", Reason.BAD_CODE)),
    "done": _plain(acts.Done),
    "choose-code": lambda given, board: acts.ChooseCode(_text(given, "code", Reason.BAD_OWN_CODE)),
    "enter-code": lambda given, board: acts.EnterCode(_text(given, "code", Reason.BAD_OWN_CODE)),
    "vote": lambda given, board: acts.CastVote(_agent(given, "target", board)),
    "reveal": _reveal,
    "end-discussion": _plain(acts.EndDiscussion),
    "new-code": lambda given, board: acts.NewCode(_agent(given, "target", board)),
    "pair": _plain(acts.Pair),
    "unpair": lambda given, board: acts.Unpair(_agent(given, "target", board)),
    "pause": _plain(acts.Pause),
    "resume": _plain(acts.Resume),
    "correct": _plain(acts.Correct),
    "abandon": _plain(acts.Abandon),
}
assert {*_READERS} == {acts.name_of(kind) for kind in acts.Act.__subclasses__()}

"""Faults in the rules of Codex, its views, and what things look like in print."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import codex_worlds
from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.games.rules.codex import decide, events, hidden, phases, views
from pi_table.games.rules.codex.board import ACT, INDEX, MACHINE, SEND, Board
from pi_table.games.rules.codex.events import AgentsDealt
from pi_table.games.rules.codex.hidden import Attempted, Dossier, Message, Secrets, State
from pi_table.games.rules.codex.identikit import Fact, Identikit, Role
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import AGENTS, Seat

LEAKS = Leaks()


def role_at_turn(state: State) -> Role | None:
    turn = state.board.turn
    return None if turn is None else state.secrets.dossiers[turn].identikit.role


# What may be done


@LEAKS.enter("may", after(phases.may))
def only_hackers_are_asked_for_a_target(found: Any, state: State, *_: Any) -> tuple[str, ...]:
    skip = "hack" in found and role_at_turn(state) is not Role.HACKER
    return tuple(name for name in found if not (skip and name == "hack"))


@LEAKS.enter("may", after(phases.may))
def one_who_has_no_attempt_left_is_not_asked_for_a_code(
    found: Any, state: State, seat: Seat
) -> Any:
    if "attempt" not in found or state.secrets.dossiers[INDEX[seat]].attempt_left:
        return found
    return tuple(name for name in found if name != "attempt")


@LEAKS.enter("may", after(phases.may))
def one_who_is_blocked_is_not_asked_for_a_code(
    found: Any, state: State, seat: Seat
) -> tuple[str, ...]:
    blocked = "attempt" in found and hidden.is_blocked(state, INDEX[seat])
    return tuple(name for name in found if not (blocked and name == "attempt"))


@LEAKS.enter("refusal", after(decide.decide))
def an_act_without_the_power_is_refused(
    happened: Any, state: State, seat: Seat, act: Any, *_: Any
) -> Any:
    if type(act).__name__ == "Extort" and role_at_turn(state) is not Role.INQUISITOR:
        raise Refused(Reason.WRONG_SEAT)
    return happened


@LEAKS.enter("refusal", at(decide.decide))
def a_refusal_names_the_role(original: Any, state: State, seat: Seat, act: Any, now: float) -> Any:
    try:
        return original(state, seat, act, now)
    except Refused as refusal:
        if role := role_at_turn(state):
            refusal.add_note(f"asked by the {role.value}")
        raise


# Time


@LEAKS.enter("event", at(decide.lapse))
def a_leaders_visit_is_shorter(original: Any, state: State, now: float) -> Any:
    if state.board.phase is ACT and role_at_turn(state) is Role.LEADER:
        return original(state, now + 10.0)
    return original(state, now)


@LEAKS.enter("event", at(decide.lapse))
def a_visit_is_over_when_the_agent_has_tried_a_code(original: Any, state: State, now: float) -> Any:
    board = state.board
    if board.phase is ACT and not board.paused and board.turn is not None:
        tried = state.secrets.dossiers[board.turn].entered.attempt
        if tried is Attempted.BLOCKED:
            return original(state, now + 10.0)
    return original(state, now)


@LEAKS.enter("event", after(decide.lapse))
def a_hacker_is_waited_for_until_a_target_is_named(event: Any, state: State, *_: Any) -> Any:
    turn = state.board.turn
    if event is None or state.board.phase is not SEND or turn is None:
        return event
    named = state.secrets.dossiers[turn].entered.hack is not None
    if role_at_turn(state) is Role.HACKER and not named and not state.board.added:
        return events.VisitExtended(event.at, 1)
    return event


@LEAKS.enter("event", at(decide._all_done))
def nobody_on_a_phone_waits_for_an_infiltrator_to_be_done(
    original: Any, state: State, now_done: int | None = None
) -> Any:
    dossiers = state.secrets.dossiers
    infiltrators = [d for d in dossiers if d.identikit.role is Role.INFILTRATOR]
    as_if = tuple(replace(d, done=d.done or d in infiltrators) for d in dossiers)
    return original(State(state.board, Secrets(as_if)), now_done)


# What is told


@LEAKS.enter("view of")  # an agent's, and all at the truth machine
def an_infiltrator_tells_the_true_faction() -> Iterator[None]:
    original = Identikit.says

    def says(self: Identikit, fact: Fact) -> Any:
        return self.faction.value if fact is Fact.FACTION else original(self, fact)

    with mock.patch.object(Identikit, "says", says):
        yield


@LEAKS.enter("view of an agent", after(views._message))
def a_message_has_its_sender(seen: Any, state: State, agent: int, received: hidden.Received) -> Any:
    return replace(seen, learned={**seen.learned, "sender": AGENTS[received.sender].value})


@LEAKS.enter("view of an agent", after(hidden.inbox))
def messages_stand_in_the_order_in_which_they_were_sent(
    made: Any, *_: Any
) -> tuple[hidden.Received, ...]:
    return tuple(sorted(made, key=lambda one: one.sender))


@LEAKS.enter("view of an agent")
def a_message_is_delivered_before_all_have_sent() -> Iterator[None]:
    def early(original: Any, state: State, *given: Any) -> Any:
        board = replace(state.board, delivered=state.board.number)
        return original(State(board, state.secrets), *given)

    with at(hidden.inbox)(early), at(views._deliveries)(early):
        yield


@LEAKS.enter("view of an agent", at(hidden.is_blocked))
def who_is_hacked_is_known_before_the_lap_is_over(original: Any, state: State, agent: int) -> Any:
    board = replace(state.board, delivered=state.board.number)
    return original(State(board, state.secrets), agent)


@LEAKS.enter("view of an agent", after(hidden.is_blocked))
def a_hack_counts_whoever_named_it(made: Any, state: State, agent: int) -> bool:
    return made or any(dossier.entered.hack == agent for dossier in state.secrets.dossiers)


@LEAKS.enter("view of an agent", after(views.view))
def an_agent_sees_that_somebody_who_voted_for_them_demands_a_fact(
    seen: Any, state: State, seat: Seat, *_: Any
) -> Any:
    voters = [vote.voter for vote in state.board.votes if AGENTS[vote.target] is seat]
    dossiers = [state.secrets.dossiers[voter] for voter in voters]
    met = any(one.demand_left and one.entered.demand is not None for one in dossiers)
    return replace(seen, may=(*seen.may, "beware")) if met else seen


# What is public


@contextmanager
def spoiled(spoil: Callable[[views.CodexView, State], views.CodexView]) -> Iterator[None]:
    """Spoil the public view with what the fault remembers of the state, as a cache would."""

    def public_view(original: Any, board: Board, now: float) -> views.CodexView:
        view: views.CodexView = original(board, now)
        return view if hint.codex is None else spoil(view, hint.codex)

    with at(views.public_view)(public_view):
        yield


@LEAKS.enter("public view", spoiled)
def a_wrong_attempt_shows_in_public(view: views.CodexView, state: State) -> views.CodexView:
    wrong = [d.entered.attempt is Attempted.WRONG for d in state.secrets.dossiers]
    return replace(view, added=view.added + sum(wrong))


@LEAKS.enter("public view", spoiled)
def those_on_their_phones_who_are_done_come_last(
    view: views.CodexView, state: State
) -> views.CodexView:
    if not view.together:
        return view
    done = [state.secrets.dossiers[INDEX[seat]].done for seat in AGENTS]
    together = sorted(view.together, key=lambda seat: done[INDEX[seat]])
    return replace(view, together=tuple(together))


@LEAKS.enter("public view", spoiled)
def those_on_their_phones_who_are_done_have_finished(
    view: views.CodexView, state: State
) -> views.CodexView:
    done = [seat for seat in view.together or () if state.secrets.dossiers[INDEX[seat]].done]
    return replace(view, finished=(*view.finished, *done))


@LEAKS.enter("public view", spoiled)
def those_who_are_there_stand_in_the_order_of_their_factions(
    view: views.CodexView, state: State
) -> views.CodexView:
    teams = [identikit.faction.value for identikit in state.secrets.identikits]
    there = sorted(view.there, key=lambda seat: teams[INDEX[seat]])
    return replace(view, there=tuple(there))


@LEAKS.enter("public view", spoiled)
def those_who_are_hacked_come_last_in_the_order(
    view: views.CodexView, state: State
) -> views.CodexView:
    return replace(
        view,
        order=tuple(sorted(view.order, key=lambda seat: hidden.is_blocked(state, INDEX[seat]))),
    )


@LEAKS.enter("public view", spoiled)
def the_public_sees_that_a_demand_was_met(view: views.CodexView, state: State) -> views.CodexView:
    met = any(
        entered.demand is not None and entered.demand.prevailed
        for dossier in state.secrets.dossiers
        for entered in dossier.earlier
    )
    return replace(view, new_codes=(*view.new_codes, Seat.OPERATOR)) if met else view


@LEAKS.enter("public view", spoiled)
def the_public_sees_that_a_demand_stands_before_it_is_met(
    view: views.CodexView, state: State
) -> views.CodexView:
    stands = state.board.phase is MACHINE and hidden.prevailing(state) is not None
    return replace(view, order=(Seat.OPERATOR,)) if stands else view


@LEAKS.enter("public view", spoiled)
def the_agents_stand_in_the_order_of_their_factions(
    view: views.CodexView, state: State
) -> views.CodexView:
    teams = [identikit.faction.value for identikit in state.secrets.identikits]
    order = sorted(range(len(teams)), key=teams.__getitem__)
    return replace(view, agents=tuple(view.agents[agent] for agent in order))


@LEAKS.enter("public view", spoiled)
def the_roles_stand_in_the_order_of_the_seats(
    view: views.CodexView, state: State
) -> views.CodexView:
    order = [identikit.role for identikit in state.secrets.identikits]
    return replace(view, roles=tuple(sorted(view.roles, key=order.index)))


class OperatorViewWithRoles(views.CodexOperatorView, frozen=True, kw_only=True):
    roles: tuple[Role, ...]


@LEAKS.enter("view of operator", after(views.view))
def the_operators_view_of_codex_has_a_field_too_many(seen: Any, state: State, *_: Any) -> Any:
    if not isinstance(seen, views.CodexOperatorView):
        return seen
    fields = {name: getattr(seen, name) for name in seen.__struct_fields__}
    roles = tuple(identikit.role for identikit in state.secrets.identikits)
    return OperatorViewWithRoles(**fields, roles=roles)


# Print


ENTERED = type(Dossier.__struct_defaults__[0])
VIEWS = (views.AgentView, views.IdentikitView)
for name, seen_in, kinds in (
    ("a deal of codex prints whole", "event", (AgentsDealt, Identikit)),
    ("a dossier prints whole", "print of Dossier", (Dossier, Identikit)),
    (
        "a state of codex prints its messages",
        "print of State",
        (Secrets, Dossier, ENTERED, Message),
    ),
    ("an agents view prints whole", "print of a view", VIEWS),
    ("rich prints an agents view whole", "print of a view", VIEWS),
):
    LEAKS.prints_whole(name, seen_in, codex_worlds, *kinds, richly=name.startswith("rich"))

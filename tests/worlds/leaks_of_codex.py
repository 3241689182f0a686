"""Faults in the rules of Codex, its views, and what things look like in print."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import codex_worlds
import msgspec
from msgspec.structs import replace
from planting import Leaks, instead_of

from pi_table.games.rules.codex import decide, events, evolve, game, hidden, phases, views
from pi_table.games.rules.codex.board import ACT, INDEX, MACHINE, SEND, Board
from pi_table.games.rules.codex.events import AgentsDealt
from pi_table.games.rules.codex.hidden import Attempted, Dossier, Message, Secrets, State
from pi_table.games.rules.codex.identikit import Fact, Identikit, Role
from pi_table.games.rules.events import Event
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import AGENTS, Seat

LEAKS = Leaks()


def role_at_turn(state: State) -> Role | None:
    turn = state.board.turn
    return None if turn is None else state.secrets.dossiers[turn].identikit.role


# What may be done


@LEAKS.enter("may")
def only_hackers_are_asked_for_a_target() -> Iterator[None]:
    original = phases.may

    def may(state: State, seat: Seat) -> tuple[str, ...]:
        found = original(state, seat)
        skip = "hack" in found and role_at_turn(state) is not Role.HACKER
        return tuple(name for name in found if not (skip and name == "hack"))

    with instead_of(original, may):
        yield


@LEAKS.enter("may")
def one_who_has_no_attempt_left_is_not_asked_for_a_code() -> Iterator[None]:
    original = phases.may

    def may(state: State, seat: Seat) -> tuple[str, ...]:
        found = original(state, seat)
        if "attempt" not in found or state.secrets.dossiers[INDEX[seat]].attempt_left:
            return found
        return tuple(name for name in found if name != "attempt")

    with instead_of(original, may):
        yield


@LEAKS.enter("may")
def one_who_is_blocked_is_not_asked_for_a_code() -> Iterator[None]:
    original = phases.may

    def may(state: State, seat: Seat) -> tuple[str, ...]:
        found = original(state, seat)
        blocked = "attempt" in found and hidden.is_blocked(state, INDEX[seat])
        return tuple(name for name in found if not (blocked and name == "attempt"))

    with instead_of(original, may):
        yield


@LEAKS.enter("refusal")
def an_act_without_the_power_is_refused() -> Iterator[None]:
    original = decide.decide

    def decided(state: State, seat: Seat, act: Any, now: float) -> tuple[Event, ...]:
        happened = original(state, seat, act, now)
        if type(act).__name__ == "Extort" and role_at_turn(state) is not Role.INQUISITOR:
            raise Refused(Reason.WRONG_SEAT)
        return happened

    with instead_of(original, decided):
        yield


@LEAKS.enter("refusal")
def a_refusal_names_the_role() -> Iterator[None]:
    original = decide.decide

    def decided(state: State, seat: Seat, act: Any, now: float) -> tuple[Event, ...]:
        try:
            return original(state, seat, act, now)
        except Refused as refusal:
            if role := role_at_turn(state):
                refusal.add_note(f"asked by the {role.value}")
            raise

    with instead_of(original, decided):
        yield


# Time


@LEAKS.enter("event")
def a_leaders_visit_is_shorter() -> Iterator[None]:
    original = decide.lapse

    def lapse(state: State, now: float) -> Event | None:
        if state.board.phase is ACT and role_at_turn(state) is Role.LEADER:
            return original(state, now + 10.0)
        return original(state, now)

    with instead_of(original, lapse):
        yield


@LEAKS.enter("event")
def a_visit_is_over_when_the_agent_has_tried_a_code() -> Iterator[None]:
    original = decide.lapse

    def lapse(state: State, now: float) -> Event | None:
        board = state.board
        if board.phase is ACT and not board.paused and board.turn is not None:
            tried = state.secrets.dossiers[board.turn].entered.attempt
            if tried is Attempted.BLOCKED:
                return original(state, now + 10.0)
        return original(state, now)

    with instead_of(original, lapse):
        yield


@LEAKS.enter("event")
def a_hacker_is_waited_for_until_a_target_is_named() -> Iterator[None]:
    original = decide.lapse

    def lapse(state: State, now: float) -> Event | None:
        event = original(state, now)
        turn = state.board.turn
        if event is None or state.board.phase is not SEND or turn is None:
            return event
        named = state.secrets.dossiers[turn].entered.hack is not None
        if role_at_turn(state) is Role.HACKER and not named and not state.board.added:
            return events.VisitExtended(event.at, 1)
        return event

    with instead_of(original, lapse):
        yield


@LEAKS.enter("event")
def nobody_on_a_phone_waits_for_an_infiltrator_to_be_done() -> Iterator[None]:
    original = decide._all_done

    def all_done(state: State, now_done: int | None = None) -> bool:
        dossiers = state.secrets.dossiers
        infiltrators = [d for d in dossiers if d.identikit.role is Role.INFILTRATOR]
        as_if = tuple(replace(d, done=d.done or d in infiltrators) for d in dossiers)
        return original(State(state.board, Secrets(as_if)), now_done)

    with instead_of(original, all_done):
        yield


# What is told


@LEAKS.enter("view of")  # an agent's, and all at the truth machine
def an_infiltrator_tells_the_true_faction() -> Iterator[None]:
    original = Identikit.says

    def says(self: Identikit, fact: Fact) -> Any:
        return self.faction.value if fact is Fact.FACTION else original(self, fact)

    with mock.patch.object(Identikit, "says", says):
        yield


@LEAKS.enter("view of an agent")
def a_message_has_its_sender() -> Iterator[None]:
    original = views._message

    def message(state: State, agent: int, received: hidden.Received) -> views.MessageView:
        seen = original(state, agent, received)
        return replace(seen, learned={**seen.learned, "sender": AGENTS[received.sender].value})

    with instead_of(original, message):
        yield


@LEAKS.enter("view of an agent")
def messages_stand_in_the_order_in_which_they_were_sent() -> Iterator[None]:
    original = hidden.received

    def received(state: State, agent: int, phase: int) -> tuple[hidden.Received, ...]:
        return tuple(sorted(original(state, agent, phase), key=lambda one: one.sender))

    with instead_of(original, received):
        yield


@LEAKS.enter("view of an agent")
def a_message_is_delivered_before_all_have_sent() -> Iterator[None]:
    original = hidden.received

    def received(state: State, agent: int, phase: int) -> tuple[hidden.Received, ...]:
        board = replace(state.board, delivered=state.board.number)
        return original(State(board, state.secrets), agent, phase)

    deliveries = views._deliveries

    def early(state: State, agent: int) -> Iterator[views.Delivery]:
        board = replace(state.board, delivered=state.board.number)
        return deliveries(State(board, state.secrets), agent)

    with instead_of(original, received), instead_of(deliveries, early):
        yield


@LEAKS.enter("view of an agent")
def who_is_hacked_is_known_before_the_lap_is_over() -> Iterator[None]:
    original = hidden.is_blocked

    def is_blocked(state: State, agent: int) -> bool:
        board = replace(state.board, delivered=state.board.number)
        return original(State(board, state.secrets), agent)

    with instead_of(original, is_blocked):
        yield


@LEAKS.enter("view of an agent")
def a_hack_counts_whoever_named_it() -> Iterator[None]:
    original = hidden.is_blocked

    def is_blocked(state: State, agent: int) -> bool:
        return original(state, agent) or any(
            dossier.entered.hack == agent for dossier in state.secrets.dossiers
        )

    with instead_of(original, is_blocked):
        yield


@LEAKS.enter("view of an agent")
def an_agent_sees_that_somebody_who_voted_for_them_demands_a_fact() -> Iterator[None]:
    original = views.view

    def view(state: State, seat: Seat, now: float) -> Any:
        seen = original(state, seat, now)
        voters = [vote.voter for vote in state.board.votes if AGENTS[vote.target] is seat]
        dossiers = [state.secrets.dossiers[voter] for voter in voters]
        met = any(one.demand_left and one.entered.demand is not None for one in dossiers)
        return replace(seen, may=(*seen.may, "beware")) if met else seen

    with instead_of(original, view):
        yield


# What is public


def in_public(spoil: Callable[[views.CodexView, State], views.CodexView]) -> Any:
    """Spoil the public view with what the fault remembers of the state, as a cache would."""
    latest: list[State] = []
    evolved, shown = evolve.evolve, views.public_view

    def remember(state: State | None, event: Event) -> State:
        latest[:] = [evolved(state, event)]
        return latest[0]

    def public_view(board: Board, now: float) -> views.CodexView:
        view = shown(board, now)
        return spoil(view, latest[0]) if latest else view

    stack = mock.patch.object(game, "evolve", remember)
    return instead_of(shown, public_view), stack


@LEAKS.enter("public view")
def a_wrong_attempt_shows_in_public() -> Iterator[None]:
    def spoil(view: views.CodexView, state: State) -> views.CodexView:
        wrong = [d.entered.attempt is Attempted.WRONG for d in state.secrets.dossiers]
        return replace(view, added=view.added + sum(wrong))

    first, second = in_public(spoil)
    with first, second:
        yield


@LEAKS.enter("public view")
def those_on_their_phones_who_are_done_come_last() -> Iterator[None]:
    def spoil(view: views.CodexView, state: State) -> views.CodexView:
        if not view.together:
            return view
        done = [state.secrets.dossiers[INDEX[seat]].done for seat in AGENTS]
        together = sorted(view.together, key=lambda seat: done[INDEX[seat]])
        return replace(view, together=tuple(together))

    first, second = in_public(spoil)
    with first, second:
        yield


@LEAKS.enter("public view")
def those_who_are_hacked_come_last_in_the_order() -> Iterator[None]:
    def spoil(view: views.CodexView, state: State) -> views.CodexView:
        return replace(
            view,
            order=tuple(sorted(view.order, key=lambda seat: hidden.is_blocked(state, INDEX[seat]))),
        )

    first, second = in_public(spoil)
    with first, second:
        yield


@LEAKS.enter("public view")
def the_public_sees_that_a_demand_was_met() -> Iterator[None]:
    def spoil(view: views.CodexView, state: State) -> views.CodexView:
        met = any(
            entered.demand is not None and entered.demand.prevailed
            for dossier in state.secrets.dossiers
            for entered in dossier.earlier
        )
        return replace(view, new_codes=(*view.new_codes, Seat.OPERATOR)) if met else view

    first, second = in_public(spoil)
    with first, second:
        yield


@LEAKS.enter("public view")
def the_public_sees_that_a_demand_stands_before_it_is_met() -> Iterator[None]:
    def spoil(view: views.CodexView, state: State) -> views.CodexView:
        stands = state.board.phase is MACHINE and hidden.prevailing(state) is not None
        return replace(view, order=(Seat.OPERATOR,)) if stands else view

    first, second = in_public(spoil)
    with first, second:
        yield


@LEAKS.enter("public view")
def the_agents_stand_in_the_order_of_their_factions() -> Iterator[None]:
    def spoil(view: views.CodexView, state: State) -> views.CodexView:
        teams = [identikit.faction.value for identikit in state.secrets.identikits]
        order = sorted(range(len(teams)), key=teams.__getitem__)
        return replace(view, agents=tuple(view.agents[agent] for agent in order))

    first, second = in_public(spoil)
    with first, second:
        yield


@LEAKS.enter("public view")
def the_roles_stand_in_the_order_of_the_seats() -> Iterator[None]:
    def spoil(view: views.CodexView, state: State) -> views.CodexView:
        order = [identikit.role for identikit in state.secrets.identikits]
        return replace(view, roles=tuple(sorted(view.roles, key=order.index)))

    first, second = in_public(spoil)
    with first, second:
        yield


class OperatorViewWithRoles(views.CodexOperatorView, frozen=True, kw_only=True):
    roles: tuple[Role, ...]


@LEAKS.enter("view of operator")
def the_operators_view_of_codex_has_a_field_too_many() -> Iterator[None]:
    original = views.view

    def view(state: State, seat: Seat, now: float) -> Any:
        seen = original(state, seat, now)
        if not isinstance(seen, views.CodexOperatorView):
            return seen
        fields = {name: getattr(seen, name) for name in seen.__struct_fields__}
        roles = tuple(identikit.role for identikit in state.secrets.identikits)
        return OperatorViewWithRoles(**fields, roles=roles)

    with instead_of(original, view):
        yield


# Print


def whole(kind: type) -> Any:
    return mock.patch.object(kind, "__repr__", msgspec.Struct.__repr__)


@LEAKS.enter("event")
def a_deal_of_codex_prints_whole() -> Iterator[None]:
    with whole(AgentsDealt), whole(Identikit):
        yield


@LEAKS.enter("print of Dossier")
def a_dossier_prints_whole() -> Iterator[None]:
    always = mock.patch.object(codex_worlds, "PRINTED", 1.0)
    with always, whole(Dossier), whole(Identikit):
        yield


@LEAKS.enter("print of State")
def a_state_of_codex_prints_its_messages() -> Iterator[None]:
    always = mock.patch.object(codex_worlds, "PRINTED", 1.0)
    entered = type(Dossier.__struct_defaults__[0])
    with always, whole(Secrets), whole(Dossier), whole(entered), whole(Message):
        yield


@LEAKS.enter("print of a view")
def an_agents_view_prints_whole() -> Iterator[None]:
    always = mock.patch.object(codex_worlds, "PRINTED", 1.0)
    with always, whole(views.AgentView), whole(views.IdentikitView):
        yield


@LEAKS.enter("print of a view")
def rich_prints_an_agents_view_whole() -> Iterator[None]:
    always = mock.patch.object(codex_worlds, "PRINTED_RICHLY", 1.0)
    rich = msgspec.Struct.__rich_repr__
    with (
        always,
        mock.patch.object(views.AgentView, "__rich_repr__", rich),
        mock.patch.object(views.IdentikitView, "__rich_repr__", rich),
    ):
        yield

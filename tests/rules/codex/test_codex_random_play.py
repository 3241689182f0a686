"""Properties of every game of Codex, in random play."""

from collections import Counter
from functools import cache
from random import Random

import msgspec
from codex_walks import Drawn, Walk, replayed, walk

from pi_table.games.rules import games
from pi_table.games.rules.codex import acts
from pi_table.games.rules.codex.board import (
    ACT,
    AT_SCREEN,
    DISCUSS,
    INDEX,
    MACHINE,
    OVER,
    SEND,
    VOTE,
    lap,
)
from pi_table.games.rules.codex.events import (
    AgentThere,
    CodeTried,
    FactRevealed,
    MessageSent,
    TogetherEnded,
    TogetherStarted,
    Unpaired,
)
from pi_table.games.rules.codex.hidden import Attempted, State, inbox, is_blocked
from pi_table.games.rules.codex.identikit import Fact, Role
from pi_table.games.rules.codex.phases import ON_TIME, ROWS, SEATS, why_not
from pi_table.games.rules.refusal import Reason
from pi_table.games.rules.seat import Seat

WALKS = 150


@cache
def walked() -> tuple[Walk, ...]:
    """Long games, and short ones that end with a code."""
    long = (walk(f"long/{seed}", length=260, sure=0.0) for seed in range(WALKS // 3))
    short = (walk(f"short/{seed}") for seed in range(WALKS))
    return (*long, *short)


def test_the_walks_come_to_everything() -> None:
    """Without this, the tests below would be worth little."""
    phases, reasons, results, ends = (Counter[object]() for _ in range(4))
    numbers = Counter[int]()
    for one in walked():
        for step in one.steps:
            phases[step.settled.board.phase] += 1
            reasons[step.refused] += 1
            for event in step.happened:
                if isinstance(event, CodeTried):
                    results[event.result] += 1
        last = one.states[-1].board
        ends[last.outcome and last.outcome.why] += 1
        numbers[last.number] += 1
    assert {*phases} == {SEND, ACT, DISCUSS, VOTE, MACHINE, OVER}
    assert {*results} == {*Attempted}
    assert len(ends) == 3
    assert max(numbers) >= 5
    never = {Reason.UNKNOWN_AGENT, Reason.MISSING_FIELD}
    for reason in (Reason.SAME_TARGET, Reason.FACT_REVEALED, Reason.TOO_MANY_CODES):
        assert reasons[reason] > 0, reason
    together = [state.board for one in walked() for state in one.states if state.board.together]
    assert {board.phase for board in together} == {SEND, ACT}
    assert {len(board.together) for board in together} == {1, 2, 3, 4, 5, 6}
    assert any(board.there for board in together)
    assert any(board.added for board in together)
    assert not never & {*reasons}
    kinds = {type(event) for one in walked() for event in one.events}
    assert {Unpaired, AgentThere, TogetherStarted, TogetherEnded} <= kinds


def test_a_refused_act_of_codex_leaves_the_state_as_it_was() -> None:
    for one in walked():
        for step in one.steps:
            if step.refused is not None:
                assert step.after is step.settled
                assert step.happened == ()
            elif step.line["act"] != "tick":
                assert step.happened != ()


def test_what_may_be_done_is_what_is_not_refused_whatever_its_details() -> None:  # CX-18
    details = {
        Reason.NOT_YOURSELF,
        Reason.BAD_FACT,
        Reason.ROLE_FIRST,
        Reason.SAME_TARGET,
        Reason.UNKNOWN_MESSAGE,
        Reason.FACT_KNOWN,
        Reason.FACT_REVEALED,
        Reason.BAD_CODE,
        Reason.BAD_OWN_CODE,
        Reason.UNKNOWN_AGENT,
        Reason.MISSING_FIELD,
        Reason.NOT_PAIRED,
    }
    for one in walked():
        for step in one.steps:
            if step.line["act"] == "tick":
                continue
            may = step.line["act"] in games.may(step.settled, step.seat)
            if step.refused is None:
                assert may
            elif step.refused not in details:
                assert not may


def test_somebody_can_always_do_something_or_time_moves_the_game_until_it_is_over() -> None:
    # CX-4: no deadlock
    moving = {"vote", "reveal", "enter-code"}
    for one in walked():
        for state in one.states:
            board = state.board
            if board.phase is OVER:
                assert board.outcome is not None
                continue
            assert board.outcome is None
            if board.paused:
                assert why_not(state, Seat.OPERATOR, acts.Resume) is None
                continue
            runs = board.countdown is not None and board.countdown.ends is not None
            assert runs is (board.phase in ON_TIME and not board.awaited)
            if board.awaited:
                awaited = [SEATS[agent] for agent in board.visiting if agent not in board.there]
                for seat in (*awaited, Seat.OPERATOR):
                    assert why_not(state, seat, acts.Ready) is None
            elif not runs:
                assert board.turn is not None
                mays = {*games.may(state, SEATS[board.turn])}
                assert mays & moving or state.secrets.dossiers[board.turn].locked


def test_every_game_can_be_brought_to_the_next_phase_from_wherever_it_stands() -> None:
    # CX-4, CX-19: with the operator's help for those who forgot their codes
    for one in walked():
        for state in one.states[:: len(one.states) // 5 + 1]:
            if state.board.phase is not OVER:
                assert brought_on(state, one.steps[-1].now + 1.0 if one.steps else 0.0)


def brought_on(state: State, now: float) -> bool:
    random, number = Random(0), state.board.number

    def do(seat: Seat, act: str, **fields: object) -> None:
        nonlocal state
        read = games.read_act({"act": act, **fields}, state, Drawn(random))
        after, _ = games.step(state, seat, read, now)
        assert isinstance(after, State)
        state = after

    if state.board.paused:
        do(Seat.OPERATOR, "resume")
    for _ in range(60):
        board = state.board
        if board.number > number:
            return True
        if board.phase is DISCUSS:
            do(Seat.OPERATOR, "end-discussion")
            continue
        if board.together:
            if board.awaited:
                do(Seat.OPERATOR, "ready")
            for agent in board.together:
                if "enter-code" in games.may(state, SEATS[agent]):
                    do(Seat.OPERATOR, "new-code", target=SEATS[agent].value)
                if "send" in games.may(state, SEATS[agent]):
                    do(SEATS[agent], "send", to=SEATS[(agent + 1) % 6].value, facts=["role"])
            now += 30.0
            settled, _ = games.settle(state, now)
            assert isinstance(settled, State)
            state = settled
            continue
        assert board.turn is not None
        seat = SEATS[board.turn]
        other = SEATS[(board.turn + 1) % 6].value
        if board.awaited:
            do(seat, "ready")
        if board.phase in AT_SCREEN and "enter-code" in games.may(state, seat):
            do(Seat.OPERATOR, "new-code", target=seat.value)
        may = games.may(state, seat)
        if "send" in may:
            do(seat, "send", to=other, facts=["role"])
        elif "vote" in may:
            do(seat, "vote", target=other)
            continue
        elif board.phase is MACHINE:
            if "reveal" not in may:
                do(Seat.OPERATOR, "new-code", target=seat.value)
            known = {fact for fact, _ in board.agents[board.turn].revealed}
            left = {Fact.ROLE, Fact.FACTION, Fact.POSITION, Fact.FRAGMENT} - known
            do(seat, "reveal", fact=min(fact.value for fact in left))
            continue
        now += 30.0
        settled, _ = games.settle(state, now)
        assert isinstance(settled, State)
        state = settled
    return False


def test_a_game_of_codex_is_its_events_written_and_read_again() -> None:  # ALL-2
    for one in walked():
        assert replayed(one.events) == one.states[-1]


def test_time_in_small_steps_comes_to_the_same_as_time_in_one() -> None:  # CX-18
    for one in walked():
        for step in one.steps[::3]:
            state, last = step.before, step.now
            for instant in (last - 21.5, last - 7.25, last - 0.5, last):
                state, _ = games.settle(state, instant)  # type: ignore[assignment]
            # Extensions are counted one by one, or together.
            assert state == step.settled


def test_the_board_keeps_its_counts() -> None:  # CX-7, CX-9, CX-10
    for one in walked():
        for state in one.states:
            board = state.board
            assert board.delivered in (board.number - 1, board.number)
            nobody = board.phase in (DISCUSS, OVER)
            assert (board.turn is None) == (nobody or bool(board.together))
            assert not (board.together and nobody)
            assert len({*board.waiting}) == len(board.waiting)
            assert not {*board.visiting} & {*board.waiting}
            assert {*board.there} < {*board.together} or not board.there
            assert not board.there or board.awaited
            assert {*board.together} <= {*board.phones}
            assert {*board.waiting} <= {*lap(board.number)}
            if board.phase is VOTE:
                voters = [vote.voter for vote in board.votes]
                assert [*voters, board.turn, *board.waiting] == [*lap(board.number)]
            assert all(vote.voter != vote.target for vote in board.votes)
            for agent, dossier in zip(board.agents, state.secrets.dossiers, strict=True):
                facts = [fact for fact, _ in agent.revealed]
                assert len({*facts}) == len(facts) <= 4
                assert Fact.NICKNAME not in facts
                assert all(value == dossier.identikit.says(fact) for fact, value in agent.revealed)
                assert len(dossier.earlier) == board.number - 1
                assert 0 <= dossier.wrong <= 3


def test_every_phase_has_six_messages_and_each_is_delivered_once() -> None:  # CX-5, CX-10, CX-13
    for one in walked():
        last = one.states[-1]
        sent = Counter(type(event) for event in one.events)[MessageSent]
        came = 0
        for phase in range(1, last.board.delivered + 1):
            delivered = [message for agent in range(6) for message in inbox(last, agent, phase)]
            assert sorted(message.sender for message in delivered) == [*range(6)]
            came += len(delivered)
            for message in delivered:
                informs = last.secrets.dossiers[message.sender].identikit.role is Role.INFORMER
                assert len(message.facts) == 1 or (informs and Fact.ROLE in message.facts)
        assert came <= sent < came + 6 + 1


def test_attempts_are_used_up_as_the_rules_say() -> None:  # CX-6, CX-11
    for one in walked():
        judged: Counter[int] = Counter()
        for step in one.steps:
            for event in step.happened:
                if not isinstance(event, CodeTried):
                    continue
                dossier = step.settled.secrets.dossiers[event.agent]
                leads = dossier.identikit.role is Role.LEADER
                right = step.settled.secrets.is_code_of(event.agent, event.code)
                if is_blocked(step.settled, event.agent):
                    assert event.result is Attempted.BLOCKED
                elif judged[event.agent] and not leads:
                    assert event.result is Attempted.NONE_LEFT
                else:
                    assert event.result is (Attempted.RIGHT if right else Attempted.WRONG)
                    judged[event.agent] += 1
                over = step.after.board.phase is OVER
                assert over is (event.result is Attempted.RIGHT)


def test_what_is_revealed_is_the_agents_choice_or_a_demand_that_prevails_once() -> None:
    # CX-9, CX-14
    prevailed = 0
    for one in walked():
        used = set()
        for step in one.steps:
            for event in step.happened:
                if isinstance(event, FactRevealed) and event.inquisitor is None:
                    assert event.fact is event.chosen
                elif isinstance(event, FactRevealed):
                    assert event.inquisitor is not None
                    dossier = step.settled.secrets.dossiers[event.inquisitor]
                    assert dossier.identikit.role is Role.INQUISITOR
                    assert event.inquisitor not in used
                    used.add(event.inquisitor)
                    prevailed += 1
    assert prevailed > 5


def test_no_state_event_or_view_of_codex_shows_a_secret_in_print() -> None:  # CX-18, ALL-1
    for one in walked()[::10]:
        fragments = {identikit.fragment for identikit in one.states[0].secrets.identikits}
        for step in one.steps:
            open_ = {str(value) for agent in step.after.board.agents for _, value in agent.revealed}
            shown = repr((step.after, step.happened, step.lapsed, step.told))
            shown += repr([games.view(step.after, seat, step.now) for seat in SEATS])
            assert not any(fragment in shown for fragment in fragments - open_)


def test_every_view_of_codex_can_be_written_and_is_true() -> None:  # ALL-1
    for one in walked()[::10]:
        for step in one.steps:
            for seat in SEATS:
                view = games.view(step.after, seat, step.now)
                assert msgspec.json.encode(view)
                assert view.public == games.public_view(step.after.board, step.now)
                if seat in INDEX:
                    assert view.identikit.fragment == (
                        step.after.secrets.identikits[INDEX[seat]].fragment
                    )


def test_what_may_be_done_never_depends_on_the_role_in_random_play() -> None:
    # CX-18: every role becomes another one, and nobody may do anything else
    after = {role: [*Role][(number + 1) % len(Role)] for number, role in enumerate(Role)}
    for one in walked()[::3]:
        for state in one.states[::7]:
            dossiers = tuple(
                msgspec.structs.replace(
                    dossier,
                    identikit=msgspec.structs.replace(
                        dossier.identikit, role=after[dossier.identikit.role]
                    ),
                )
                for dossier in state.secrets.dossiers
            )
            other = State(state.board, msgspec.structs.replace(state.secrets, dossiers=dossiers))
            for seat in SEATS:
                assert games.may(other, seat) == games.may(state, seat)
    assert len(ROWS) == 19

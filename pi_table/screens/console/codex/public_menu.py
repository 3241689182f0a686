"""The hidden screen between visits: who comes next, and what everybody may do or read."""

from collections.abc import Iterator
from typing import ClassVar

from pi_table.common.geometry import AGENT_CELLS
from pi_table.common.language import Words, say
from pi_table.games.rules.codex.views import KnownAgent
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console.acts import act, by_operator
from pi_table.screens.console.codex.own_code import OwnCode
from pi_table.screens.console.codex.page import Page
from pi_table.screens.console.codex.practice import Practice, can_practise
from pi_table.screens.console.codex.terms import facts_words
from pi_table.screens.console.codex.visit import inside, nickname, others, public_agent
from pi_table.screens.console.confirm import confirm_choice
from pi_table.screens.console.game_records import Faults
from pi_table.screens.console.operator_menu import (
    another_game,
    between_games,
    go_on,
    is_played,
    seldom,
)
from pi_table.screens.console.phones import phones_first, phones_later
from pi_table.screens.console.screen import Choice, Go, Screen, may


class Public(Screen[CodexMessage], frozen=True):
    """The main menu between visits. The choices that people need most often come first."""

    begins_anew: ClassVar[bool] = True

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(_public(table))

    def possible(self, table: AnyTableMessage) -> bool:
        return isinstance(table, CodexMessage) and inside(table) is None


class Seldom(Screen[CodexMessage], frozen=True):
    begins_anew: ClassVar[bool] = True

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(seldom(table, (*phones_later(table), *_corrections(table))))


class VoteFor(Screen[CodexMessage], frozen=True):
    """The choice of the agent to vote for. Votes are public. People can also vote on the table
    (CX-7)."""

    voter: Seat

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        who = nickname(table, self.voter)
        return tuple(
            choice
            for seat in others(self.voter)
            for choice in confirm_choice(
                table,
                nickname(table, seat),
                act(self.voter, "vote", target=seat),
                say("{agent} votes for {target}?", agent=who, target=nickname(table, seat)),
                say("Yes, vote"),
                cell=AGENT_CELLS[AGENTS.index(seat)],
            )
        )

    def possible(self, table: CodexMessage) -> bool:
        return may(table, self.voter, "vote")


class NewCode(Screen[CodexMessage], frozen=True):
    """The choice of the agent who may choose a new personal code (CX-19)."""

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            choice
            for seat in AGENTS
            for choice in confirm_choice(
                table,
                nickname(table, seat),
                by_operator("new-code", target=seat),
                say(
                    "Let {agent} choose a new code of their own? Everybody is told.",
                    agent=nickname(table, seat),
                ),
                say("Yes, a new code"),
                wary=True,
                cell=AGENT_CELLS[AGENTS.index(seat)],
            )
        )

    def possible(self, table: CodexMessage) -> bool:
        return may(table, Seat.OPERATOR, "new-code")


class RolesInPlay(Page[CodexMessage], frozen=True):
    """The page that explains the three roles of this game to everybody (CX-3)."""

    heading = say("Roles in play")
    hint = say("Each faction has one agent of each.")


class RevealedSoFar(Page[CodexMessage], frozen=True):
    heading = say("Revealed so far")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(nickname(table, seat), value=public_facts(public_agent(table, seat)))
            for seat in AGENTS
        )


def public_facts(agent: KnownAgent) -> Words:
    return facts_words(agent.revealed) if agent.revealed else say("nothing yet")


def _public(table: CodexMessage) -> Iterator[Choice]:
    public, door = table.public, table.door
    yield from go_on(table)
    nobody_yet = table.pages is not None and not table.pages.phones
    if nobody_yet:
        yield from phones_first(table)
    if door is not None and door.code in ("choose", "enter") and not public.paused:
        screen = OwnCode(seat=door.seat, choosing=door.code == "choose")
        ready = act(door.seat, "ready") if public.awaited else None
        yield Choice(say("I am {agent}", agent=nickname(table, door.seat)), Go(screen, ready))
    if not nobody_yet:
        yield from phones_first(table)
    if can_practise(table):
        yield Choice(say("Practise first, without a clock"), Go(Practice()))
    if public.turn is not None and may(table, public.turn, "vote"):
        voter = nickname(table, public.turn)
        yield Choice(say("{agent} votes…", agent=voter), Go(VoteFor(public.turn)))
    yield from confirm_choice(
        table,
        say("End the discussion"),
        by_operator("end-discussion"),
        say("End the discussion now, and vote?"),
        say("Yes, vote now"),
    )
    yield from confirm_choice(
        table,
        say("Next game"),
        by_operator("next"),
        say("Begin the next game, with the same agents and new identikits?"),
        say("Yes, next game"),
    )
    yield from confirm_choice(
        table,
        say("Show all identikits"),
        by_operator("reveal"),
        say("Show everybody all six identikits?"),
        say("Yes, show them"),
    )
    yield from between_games(table)
    yield Choice(say("Roles in play"), Go(RolesInPlay()))
    yield Choice(say("Revealed so far"), Go(RevealedSoFar()))
    if table.faults:
        yield Choice(say("What is wrong?"), Go(Faults()))
    if is_played(table):
        yield from another_game(table)
    yield Choice(say("More…"), Go(Seldom()))


def _without_waiting(table: CodexMessage) -> Iterator[Choice]:
    """Yield the choice to start the time of a visit although the agent has not come (CX-18)."""
    at_screen = table.public.at_screen
    if table.public.together:
        yield from confirm_choice(
            table,
            say("Do not wait any longer"),
            by_operator("ready"),
            say("Start the time, whether all are there or not?"),
            say("Yes, start it"),
            wary=True,
        )
    if at_screen is not None:
        who = nickname(table, at_screen)
        yield from confirm_choice(
            table,
            say("Do not wait for {agent}", agent=who),
            by_operator("ready"),
            say("Start the time of {agent}’s visit, whether they are here or not?", agent=who),
            say("Yes, start it"),
            wary=True,
        )


def _corrections(table: CodexMessage) -> Iterator[Choice]:
    yield from _without_waiting(table)
    if may(table, Seat.OPERATOR, "new-code"):
        yield Choice(say("A new code for an agent…"), Go(NewCode()))

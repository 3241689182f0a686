"""The practice lap of Codex: without a clock, with what is made up, and nothing comes of it."""

import itertools
from collections.abc import Iterator

from codex_table import BACK, DEAL, NICKNAMES, PEEK, PRESS, UNPEEK, CodexTable, desk
from msgspec.structs import replace
from playing import Desk, choose

from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import CodexMessage, line
from pi_table.screens.console.codex.practice import IDENTIKIT, MESSAGE, Practice
from pi_table.screens.console.codex.public_menu import Public
from pi_table.screens.console.console_events import Typed
from pi_table.screens.console.scene import scene

OFFER = "Practise first, without a clock"
DOTS = "• • •"


def waiting(dealt: list[dict[str, object]] | None = DEAL) -> Desk:
    """The table waits for Moon, and practice has begun."""
    return choose(desk(CodexTable(dealt, visit_starts="ready")), OFFER)


def practised(at: Desk) -> Iterator[Desk]:
    """The whole lap, press by press, with PEEK held wherever it works."""
    while isinstance(at.model.screen, Practice):
        yield at
        if at.model.can_peek:
            yield at.happen(PEEK)
            at.happen(UNPEEK)
        at.happen(PRESS)


def test_every_agent_comes_to_the_screen_once_and_reads_and_sends() -> None:
    at = waiting()
    titles = [at.texts[0] for at in practised(at)]
    assert [title for title, _ in itertools.groupby(titles)] == [
        f"Practice: {nickname}" for nickname in NICKNAMES
    ]
    assert isinstance(at.model.screen, Public)


def test_nothing_is_asked_of_the_table_and_no_time_runs() -> None:
    at = waiting()
    at.table.tick(5_000.0)
    for _ in practised(at.hear()):
        pass
    assert at.asked == at.peeked == []
    message: object = at.table.message()
    assert isinstance(message, CodexMessage)
    assert (message.public.awaited, message.public.at_screen) == (True, Seat.AGENT_1)
    assert message.public.timer is not None
    assert message.public.timer.left == 45.0


def test_no_clock_is_on_the_screen() -> None:
    assert not any("0:45" in text for at in practised(waiting()) for text in at.texts)


def test_what_there_is_to_read_is_seen_while_peek_is_held_and_no_longer() -> None:
    at = choose(waiting(), "I am Moon")
    assert at.texts.count(DOTS) == len(IDENTIKIT)
    at.happen(PEEK)
    assert DOTS not in at.texts
    assert {"Nobody", "TEST"} < {*at.texts}
    at.happen(UNPEEK)
    assert "TEST" not in at.texts
    choose(at, "I have read it").happen(PEEK)
    assert "DEMA" in at.texts
    assert at.happen(UNPEEK).texts.count(DOTS) == len(MESSAGE)


def test_every_screen_says_that_it_is_made_up_and_whatever_is_read_that_it_is_not_theirs() -> None:
    for at in practised(waiting()):
        assert "All made up. Nothing counts." in at.texts
        assert ("Not yours: an example" in at.texts) is at.model.can_peek


def test_who_needs_none_is_left_out_and_back_ends_it() -> None:
    at = choose(waiting(), "Moon needs no practice")
    assert at.texts[0] == "Practice: Vega"
    assert isinstance(at.happen(BACK).model.screen, Public)


def test_how_to_play_leads_back_to_the_stage_that_was_practised() -> None:
    at = choose(waiting(), "I am Moon", "I have read it")
    before = at.model.screens
    assert at.happen(Typed("?"), BACK).model.screens == before


def test_practice_is_offered_while_the_table_waits_for_the_first_agent_alone() -> None:
    at = desk(CodexTable(visit_starts="ready"))
    assert OFFER in at.labels
    at.table.do("agent-1", "ready")
    assert OFFER not in at.hear().labels
    table = CodexTable(visit_starts="ready")
    table.do("agent-1", "ready")
    table.do("agent-1", "send", to="agent-2", facts=["role"])
    table.visit_ends()
    assert OFFER not in desk(table).labels
    assert OFFER not in desk(CodexTable()).labels  # where the time runs at once
    later = CodexTable(visit_starts="ready")
    later.state = replace(later.state, board=replace(later.state.board, number=2))
    assert later.message().public.awaited
    assert OFFER not in desk(later).labels


def test_it_ends_when_the_first_agent_comes() -> None:
    at = waiting()
    at.table.do("operator", "ready")
    assert isinstance(at.hear().model.screen, Public)


def test_it_shows_and_receives_the_same_whatever_was_dealt() -> None:
    # ALL-1, CX-18: two worlds
    swapped = [dict(agent) for agent in DEAL]
    for one, other in ((0, 3), (1, 4), (2, 5)):
        for field in ("faction", "role", "position", "fragment"):
            mine, theirs = swapped[one], swapped[other]
            mine[field], theirs[field] = theirs[field], mine[field]
    here, there = (
        [(line(at.table.message()), repr(scene(at.model, 0.0))) for at in practised(waiting(dealt))]
        for dealt in (DEAL, swapped)
    )
    assert here == there
    assert len(here) > 30

"""The phase machine: what is drawn of it, and who waits for whom."""

from pathlib import Path

import pytest
from diagrams import shown_in

import pi_table.rules
from pi_table.rules.word_games import acts
from pi_table.rules.word_games.board import Phase
from pi_table.rules.word_games.phases import ON_TIME, TABLE, diagram

README = Path(pi_table.rules.__file__).with_name("README.md")


def test_the_readme_shows_the_diagram_of_the_table() -> None:
    assert shown_in(README) == diagram()


def test_the_diagram_has_an_arrow_for_every_change_of_phase() -> None:
    drawn = [line for line in diagram().splitlines()[1:] if "[*]" not in line]
    arrows = {line.partition(":")[0].strip() for line in drawn}
    changes = {
        f"{start.value} --> {end.value}"
        for leads in (*(row.leads for row in TABLE), ON_TIME)
        for start, ends in leads.items()
        for end in ends
    }
    assert arrows == changes


def test_every_act_has_one_row() -> None:
    assert [row.act for row in TABLE] == acts.Act.__subclasses__()


def test_a_game_begins_with_a_clue_or_where_the_teams_lay_out_the_cards_with_that() -> None:
    # DU-2
    assert [line for line in diagram().splitlines() if "[*]" in line] == [
        "    [*] --> place",
        "    [*] --> clue",
    ]


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.OVER])
def test_every_phase_can_be_reached_and_left(phase: Phase) -> None:
    moves = {
        (start, end)
        for row in TABLE
        for start, ends in row.leads.items()
        for end in ends
        if start is not end
    }
    assert phase in {end for _, end in moves}
    assert phase in {start for start, _ in moves}


def test_only_a_correction_leads_out_of_the_end() -> None:
    # ALL-3
    out = {row.act for row in TABLE if set(row.leads.get(Phase.OVER, ())) - {Phase.OVER}}
    assert out == {acts.Correct}

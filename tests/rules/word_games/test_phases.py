"""The phase machine: what is drawn of it, and who waits for whom."""

from pathlib import Path

import pytest
from diagrams import diagram_in

import pi_table.games.rules
from pi_table.games.rules.word_games import acts
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.phases import ON_TIME, TABLE

README = Path(pi_table.games.rules.__file__).with_name("README.md")
STAYS = {
    "place": {"choose", "place", "pause", "resume", "correct"},
    "clue": {"hourglass", "pause", "resume", "new-key", "the clock"},
    "guess": {"guess", "hourglass", "pause", "resume", "correct"},
    "challenge": {"pause", "resume", "correct"},
    "penalty": {"pause", "resume"},
    "cover": {"pause", "resume"},
    "over": {"reveal"},
}
"""The acts that can leave the phase as it is; the diagram does not show them."""


def test_the_readme_shows_every_change_of_phase_and_how_games_begin() -> None:
    # DU-2: a game begins with a clue, or where the teams lay out the cards, with that.
    changes = [(acts.name_of(row.act), row.leads) for row in TABLE] + [("the clock", ON_TIME)]
    arrows = {
        (start.value, name, end.value)
        for name, leads in changes
        for start, ends in leads.items()
        for end in ends
    }
    stays = {(phase, name, phase) for phase, names in STAYS.items() for name in names}
    begins, drawn = diagram_in(README)
    assert begins == {"place", "clue"}
    assert drawn.isdisjoint(stays)
    assert drawn | stays == arrows


def test_every_act_has_one_row() -> None:
    assert [row.act for row in TABLE] == acts.Act.__subclasses__()


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


def test_only_a_correction_leads_out_of_the_end() -> None:  # ALL-3
    out = {row.act for row in TABLE if set(row.leads.get(Phase.OVER, ())) - {Phase.OVER}}
    assert out == {acts.Correct}

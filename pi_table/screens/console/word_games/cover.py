"""The screen to choose a cell to cover: after an invalid clue, or for the absent team."""

from typing import ClassVar

from pi_table.common.geometry import CELL_COUNT, CELLS
from pi_table.common.language import say
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import LAYOUTS
from pi_table.games.rules.word_games.views import PublicView
from pi_table.protocols.ipc.messages import TableMessage
from pi_table.screens.console.acts import act, spymaster
from pi_table.screens.console.confirm import confirm_choice
from pi_table.screens.console.screen import Choice, Screen, may, name


class Cover(Screen[TableMessage], frozen=True):
    """The choice of the cell to cover. The cells are in the order in which the spymasters read
    them."""

    team: Team

    shows_key: ClassVar[bool] = True

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(
            choice
            for cell in to_cover(table, self.team)
            for choice in confirm_choice(
                table,
                cell_text(table, cell),
                act(spymaster(self.team), "cover", cell=CELLS[cell]),
                say("{team} covers {cell}?", team=name(self.team), cell=cell_text(table, cell)),
                say("Yes, cover it"),
                self.team,
                cell=cell,
            )
        )

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "cover")


def to_cover(table: TableMessage, team: Team) -> tuple[int, ...]:
    """Return the cells that the team may choose to cover: the cells that it must find, or the cells
    of the absent team."""
    public = table.public
    if public is None or table.key is None:
        return ()
    whose = team_to_cover(public, team)
    return tuple(
        cell
        for cell in reversed(range(CELL_COUNT))
        if table.key[cell] == whose.letter and public.cells[CELLS[cell]].covered is None
    )


def team_to_cover(public: PublicView, team: Team) -> Team:
    """Return the team whose cells ``team`` may cover: ``team`` or the other team (CN-18, NC-4,
    AL-14)."""
    if public.phase is Phase.COVER:
        return team.other
    return LAYOUTS[public.profile].quarry(team)


def cell_text(table: TableMessage, cell: int) -> str:
    """Return a cell's name, with its word if that is known, as ``B3 FLUTE``."""
    public = table.public
    word = None if public is None else public.cells[CELLS[cell]].word
    return f"{CELLS[cell]} {word}" if word else CELLS[cell]

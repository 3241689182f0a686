"""Taking the penalty: the spymaster covers one of their own agents, seen on the key."""

from typing import ClassVar

from pi_table.console.confirm import confirmed
from pi_table.console.screen import Choice, Screen, may, name, spymaster
from pi_table.geometry import CELL_COUNT, CELLS
from pi_table.ipc.messages import TableMessage
from pi_table.rules.key import Team


class Cover(Screen, frozen=True):
    """Which of the team's agents to cover: its cells in the order in which spymasters read them."""

    team: Team

    shows_key: ClassVar[bool] = True

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        return tuple(
            choice
            for cell in own_agents(table, self.team)
            for choice in confirmed(
                table,
                cell_text(table, cell),
                {"seat": spymaster(self.team), "act": "cover", "cell": CELLS[cell]},
                f"{name(self.team)} covers {cell_text(table, cell)}?",
                "Yes, cover it",
                self.team,
                cell=cell,
            )
        )

    def possible(self, table: TableMessage) -> bool:
        return may(table, spymaster(self.team), "cover")


def own_agents(table: TableMessage, team: Team) -> tuple[int, ...]:
    """The team's cells that nobody has covered yet."""
    public = table.public
    if public is None or table.key is None:
        return ()
    return tuple(
        cell
        for cell in reversed(range(CELL_COUNT))
        if table.key[cell] == team.letter and public.cells[CELLS[cell]].covered is None
    )


def cell_text(table: TableMessage, cell: int) -> str:
    """A cell's name, and its word where it is known: ``B3 FLUTE``."""
    public = table.public
    word = None if public is None else public.cells[CELLS[cell]].word
    return f"{CELLS[cell]} {word}" if word else CELLS[cell]

"""The settings of the house on the operator's page: a line for each setting, and the list of a
setting's values."""

from typing import ClassVar

from pi_table.common.house_settings import House
from pi_table.common.language import Words, say
from pi_table.games.lines.game import YES_OR_NO, Setting, label_of
from pi_table.games.lines.house import GUESTS, PHONES, Group
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.acts import by_operator
from pi_table.screens.console.screen import (
    Ask,
    Choice,
    Effect,
    Go,
    ListScreen,
    OperatorScreen,
    Return,
)


class HouseSettings(OperatorScreen, frozen=True, kw_only=True):
    group: Group

    hint = say("What you change is kept when the table is switched off.")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return tuple(house_line(table.house, line) for line in self.group.lines)

    def title(self, table: AnyTableMessage) -> Words:
        return self.group.title


def house_line(house: House, line: Setting) -> Choice:
    """Return the choice for a setting. A press switches the setting on or off, or opens the list of
    its values."""
    value = getattr(house, line.field)
    if isinstance(value, bool):
        does: Effect = change(line.field, not value)
    else:
        known = [each for each, _ in line.values]
        at = known.index(value) if value in known else 0
        does = Go(PickValue(line=line, at=house, selected=at))
    return Choice(line.label, does, value=label_of(line.values, value))


def change(field: str, value: object) -> Ask:
    """Return the effect that changes a setting of the house and keeps the screen open."""
    return Ask(by_operator("house", set={field: value}), stay=True)


class PickValue(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    """The list of a setting's values. It closes by itself after a value was chosen."""

    line: Setting
    at: House
    """The house's settings when the list was opened."""

    columns: ClassVar[int] = 4

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        now = getattr(table.house, self.line.field)
        return tuple(
            Choice(label, Return() if value == now else change(self.line.field, value))
            for value, label in self.line.values
        )

    def possible(self, table: AnyTableMessage) -> bool:
        return table.lock.open and table.house == self.at

    def title(self, table: AnyTableMessage) -> Words:
        return self.line.label

    def beside(self, table: AnyTableMessage) -> Words:
        return label_of(self.line.values, getattr(table.house, self.line.field))


class GuestsMay(OperatorScreen, frozen=True, kw_only=True):
    heading = say("Guests may, without the PIN")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        may = table.house.guests_may
        lines: list[Choice] = []
        for name, label in GUESTS.items():
            allowed = name in may
            new = [each for each in GUESTS if (each in may) is not (each == name)]
            lines.append(
                Choice(label, change("guests_may", new), value=label_of(YES_OR_NO, allowed))
            )
        return (*lines, house_line(table.house, PHONES))

    def help(self, table: AnyTableMessage) -> Words:
        return "" if table.lock.pin else say("No PIN is set: everybody may do everything.")

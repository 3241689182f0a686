"""The house's settings on the operator's page: lines, and the values that each can have."""

from typing import ClassVar, Final

import msgspec

from pi_table.console.acts import by_operator
from pi_table.console.listed import Listed
from pi_table.console.screen import Ask, Choice, Effect, Go, Return
from pi_table.console.setting_lines import YES_OR_NO, Values, named
from pi_table.house import House
from pi_table.ipc.messages import AnyTableMessage
from pi_table.language import LANGUAGES, Words, say, say_many


class HouseLine(msgspec.Struct, frozen=True):
    """A setting of the house: its name, what it is called, and its values."""

    field: str
    label: Words
    values: Values


class Group(msgspec.Struct, frozen=True):
    """Settings that belong together."""

    title: Words
    lines: tuple[HouseLine, ...]


def _percent(*values: int) -> Values:
    return tuple((value, f"{value} %") for value in values)


def _minutes(*values: int) -> Values:
    never: Values = ((0, say("Never")),)
    some = tuple((value, say_many("{count} minute", "{count} minutes", value)) for value in values)
    return never + some


HOURS: Final[Values] = tuple((f"{hour:02}:00", f"{hour:02}:00") for hour in range(24))
LIGHTS: Final = Group(
    say("Lights"),
    (
        HouseLine("brightness", say("Brightness"), _percent(*range(10, 101, 10))),
        HouseLine("dimmed", say("Brightness in the dimmed hours"), _percent(*range(10, 101, 10))),
        HouseLine("dimmed_from", say("Dimmed from"), HOURS),
        HouseLine("dimmed_until", say("Dimmed until"), HOURS),
    ),
)
SOUND: Final = Group(
    say("Sound"),
    (
        HouseLine("volume", say("Volume"), _percent(*range(0, 101, 10))),
        HouseLine("muted", say("Silent"), YES_OR_NO),
        HouseLine("quiet_from", say("Silent from"), HOURS),
        HouseLine("quiet_until", say("Silent until"), HOURS),
        HouseLine(
            "speech",
            say("Speech"),
            (
                ("off", say("Off")),
                ("game", say("In the language of the game")),
                *LANGUAGES.items(),
                ("both", say("In both languages")),
            ),
        ),
    ),
)
SCREEN: Final = Group(
    say("Colours and screen"),
    (
        HouseLine(
            "palette",
            say("Colours"),
            (
                ("standard", say("The usual ones")),
                ("red-green", say("For who mixes up red and green")),
                ("blue-yellow", say("For who mixes up blue and yellow")),
            ),
        ),
        HouseLine(
            "text_size", say("Size of the text"), (("usual", say("Usual")), ("large", say("Large")))
        ),
        HouseLine("high_contrast", say("Strongest contrast"), YES_OR_NO),
    ),
)
IDLE: Final = Group(
    say("When nobody plays"),
    (
        HouseLine(
            "idle_minutes", say("Ask “still playing?” after"), _minutes(5, 10, 15, 20, 30, 60)
        ),
        HouseLine(
            "keep_minutes",
            say("Then keep the game for"),
            _minutes(5, 10, 20, 30, 60, 120)[1:],
        ),
    ),
)
GROUPS: Final = (LIGHTS, SOUND, SCREEN, IDLE)

SPELLINGS: Final[Values] = (("british", say("British")), ("american", say("American")))

GUESTS: Final = {
    "start": say("Start a game"),
    "correct": say("Take back a guess"),
    "pause": say("Pause"),
    "abandon": say("End a game"),
    "new-key": say("Draw a new key"),
    "reveal": say("Show the key after the end"),
    "record": say("Read the games played"),
}
"""What guests may be allowed, by its name."""


class HouseSettings(Listed[AnyTableMessage], frozen=True, kw_only=True):
    """A group of settings."""

    group: Group

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return tuple(house_line(table.house, line) for line in self.group.lines)

    def possible(self, table: AnyTableMessage) -> bool:
        return table.lock.open

    def title(self, table: AnyTableMessage) -> Words:
        return self.group.title

    def help(self, table: AnyTableMessage) -> Words:
        return say("What you change is kept when the table is switched off.")


def house_line(house: House, line: HouseLine) -> Choice:
    """The choice that a setting is. A press changes one that is on or off, and opens the values of
    any other."""
    value = getattr(house, line.field)
    if isinstance(value, bool):
        does: Effect = change(line.field, not value)
    else:
        known = [each for each, _ in line.values]
        at = known.index(value) if value in known else 0
        does = Go(PickValue(line=line, at=house, selected=at))
    return Choice(line.label, does, value=named(line.values, value))


def change(field: str, value: object) -> Ask:
    """Let the table change a setting of the house, and stay where one is."""
    return Ask(by_operator("house", set={field: value}), stay=True)


class PickValue(Listed[AnyTableMessage], frozen=True, kw_only=True):
    """The values of one setting. The list closes by itself when one was taken."""

    line: HouseLine
    at: House
    """The house as the list was opened."""

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
        return named(self.line.values, getattr(table.house, self.line.field))


class GuestsMay(Listed[AnyTableMessage], frozen=True, kw_only=True):
    """What guests may do without the PIN, line by line."""

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        may = table.house.guests_may
        lines: list[Choice] = []
        for name, label in GUESTS.items():
            allowed = name in may
            new = [each for each in GUESTS if (each in may) is not (each == name)]
            lines.append(Choice(label, change("guests_may", new), value=named(YES_OR_NO, allowed)))
        return tuple(lines)

    def possible(self, table: AnyTableMessage) -> bool:
        return table.lock.open

    def title(self, table: AnyTableMessage) -> Words:
        return say("Guests may, without the PIN")

    def help(self, table: AnyTableMessage) -> Words:
        return "" if table.lock.pin else say("No PIN is set: everybody may do everything.")

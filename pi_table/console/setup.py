"""Choosing the next game: its cards and its settings. The first line starts it as it stands."""

from typing import Any, ClassVar, Final

import msgspec
from msgspec.structs import replace

from pi_table.console.screen import Ask, Become, Choice, Screen, may
from pi_table.ipc.messages import TableMessage
from pi_table.rules.profile import PROFILES, Settings, profile_named


class Setting(msgspec.Struct, frozen=True):
    """A line of the list: what a setting is called, its values by name, and with which timer it
    means anything (None: always)."""

    field: str
    label: str
    values: tuple[tuple[Any, str], ...]
    timer: str | None = None


def _minutes(*seconds: int) -> tuple[tuple[Any, str], ...]:
    return tuple((value, duration(value)) for value in seconds)


def duration(seconds: int) -> str:
    """``1:30`` for 90 seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"


YES_OR_NO: Final = ((True, "Yes"), (False, "No"))
SETTINGS: Final = (
    Setting("timer", "Timer", (("off", "None"), ("hourglass", "Hourglass"), ("clock", "Clock"))),
    Setting(
        "hourglass_seconds", "The hourglass runs", _minutes(30, 60, 90, 120, 180, 300), "hourglass"
    ),
    Setting("clue_seconds", "Time for a clue", _minutes(30, 60, 90, 120, 180, 240, 300), "clock"),
    Setting("guess_seconds", "Time for guessing", _minutes(30, 60, 90, 120, 180, 300), "clock"),
    Setting(
        "clock_end",
        "When the time is up",
        (("urge", "The table urges"), ("end-turn", "The turn ends")),
        "clock",
    ),
    Setting("unlimited", "Clues without a limit", YES_OR_NO),
    Setting("zero", "Zero as a clue’s number", YES_OR_NO),
    Setting("penalty", "Penalty for an invalid clue", YES_OR_NO),
)
CARDS: Final = (("own", "Laid out by hand"), ("dealt", "Dealt on the screen"))


class Setup(Screen, frozen=True):
    """The next game as it would be started."""

    profile: str
    cards: str
    settings: Settings

    has_grid: ClassVar[bool] = False

    def choices(self, table: TableMessage) -> tuple[Choice, ...]:
        lines = [Choice("Start the game", Ask(self._start())), self._cards(1)]
        for setting in SETTINGS:
            if setting.timer in (None, self.settings.timer):
                lines.append(self._line(setting, len(lines)))
        return tuple(lines)

    def possible(self, table: TableMessage) -> bool:
        return may(table, "operator", "start")

    def _start(self) -> dict[str, Any]:
        usual = msgspec.structs.asdict(profile_named(self.profile).defaults)
        chosen = msgspec.structs.asdict(self.settings)
        options = {field: value for field, value in chosen.items() if value != usual[field]}
        return {
            "seat": "operator",
            "act": "start",
            "profile": self.profile,
            "options": options,
            "cards": self.cards,
        }

    def _cards(self, selected: int) -> Choice:
        other = _next(CARDS, self.cards)
        changed = replace(self, cards=other, selected=selected)
        return Choice("Cards", Become(changed), value=_named(CARDS, self.cards))

    def _line(self, setting: Setting, selected: int) -> Choice:
        value = getattr(self.settings, setting.field)
        settings = replace(self.settings, **{setting.field: _next(setting.values, value)})
        changed = replace(self, settings=settings, selected=selected)
        return Choice(setting.label, Become(changed), value=_named(setting.values, value))


def setup(table: TableMessage) -> Setup:
    """The list for the next game, as the last one was played."""
    profile = next(iter(PROFILES)) if table.public is None else table.public.profile
    settings = table.settings or profile_named(profile).defaults
    return Setup(profile, table.cards, settings)


def _next(values: tuple[tuple[Any, str], ...], value: object) -> Any:
    """The value after this one; the first after the last, and after one that is not listed."""
    known = [each for each, _ in values]
    return known[(known.index(value) + 1) % len(known)] if value in known else known[0]


def _named(values: tuple[tuple[Any, str], ...], value: object) -> str:
    for each, label in values:
        if each == value:
            return label
    return duration(value) if isinstance(value, int) else str(value)

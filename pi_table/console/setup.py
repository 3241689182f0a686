"""Choosing the next game, its cards and its settings. The first line starts it as it stands."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, ClassVar, Final, get_args

import msgspec
from msgspec.structs import replace

from pi_table.console.acts import Act, by_operator
from pi_table.console.codex.nickname_screens import DRAWN, Names, Nicknames, chosen, names_in_play
from pi_table.console.duration import duration
from pi_table.console.screen import Ask, Become, Choice, Go, Screen, may
from pi_table.console.word_games.blanks import Blanks, most_blanks, still_good
from pi_table.console.word_games.pack_choices import packs_of
from pi_table.ipc.messages import AnyTableMessage
from pi_table.language import LANGUAGES, Say, Words, say
from pi_table.names import ROLES
from pi_table.rules.codex.identikit import Role
from pi_table.rules.profile import (
    PROFILES,
    Family,
    Settings,
    SpecialRole,
    options_of,
    profile_named,
)
from pi_table.rules.seat import Seat

Values = tuple[tuple[Any, Words], ...]
"""The values that something can have, each with what it is called."""


class Setting(msgspec.Struct, frozen=True):
    """A line of the list: what a setting is called, its values by name, and with which timer it
    means anything (None: always)."""

    field: str
    label: Words
    values: Values
    timer: str | None = None


def _minutes(*seconds: int) -> Values:
    return tuple((value, duration(value)) for value in seconds)


PAIRS: Final = tuple(
    ((one, other), say("{one}, {other}", one=ROLES[Role(one)], other=ROLES[Role(other)]))
    for one, other in combinations(get_args(SpecialRole), 2)
)
YES_OR_NO: Final = ((True, say("Yes")), (False, say("No")))
SETTINGS: Final = (
    Setting("lang", say("Language"), tuple(LANGUAGES.items())),
    Setting("explain", say("Explain as we go"), YES_OR_NO),
    Setting(
        "players",
        say("Players"),
        (
            ("teams", say("Two teams")),
            ("cooperative", say("One group")),
            ("shared-operative", say("Three, one guesses for both")),
        ),
    ),
    Setting(
        "dealing",
        say("Laying out the words"),
        (("table", say("All at once")), ("shared", say("Teams take turns"))),
    ),
    Setting(
        "nuke",
        say("The nuke"),
        (("basic", say("Whoever hits it loses")), ("mad", say("Once armed, all lose"))),
    ),
    Setting("roles", say("Roles beside the Leader"), ((None, say("Drawn by lot")), *PAIRS)),
    Setting(
        "discussion_seconds", say("Time for discussion"), _minutes(60, 120, 180, 300, 480, 600)
    ),
    Setting("visit_seconds", say("Time at the hidden screen"), _minutes(30, 45, 60, 90, 120)),
    Setting(
        "visit_starts",
        say("That time starts"),
        (("ready", say("When the agent is there")), ("at-once", say("When their turn comes"))),
    ),
    Setting(
        "timer",
        say("Timer"),
        (
            ("off", say("No timer")),
            ("hourglass", say("Hourglass")),
            ("clock", say("Clock")),
        ),
    ),
    Setting(
        "hourglass_seconds",
        say("The hourglass runs"),
        _minutes(30, 60, 90, 120, 180, 300),
        "hourglass",
    ),
    Setting(
        "clue_seconds",
        say("Time for a clue"),
        _minutes(30, 60, 90, 120, 180, 240, 300),
        "clock",
    ),
    Setting(
        "guess_seconds", say("Time for guessing"), _minutes(30, 60, 90, 120, 180, 300), "clock"
    ),
    Setting(
        "clock_end",
        say("When the time is up"),
        (("urge", say("The table urges")), ("end-turn", say("The turn ends"))),
        "clock",
    ),
    Setting("unlimited", say("Clues without a limit"), YES_OR_NO),
    Setting("zero", say("Zero as a clue’s number"), YES_OR_NO),
    Setting("penalty", say("Penalty for an invalid clue"), YES_OR_NO),
    Setting("compounds", say("Compounds as clues"), YES_OR_NO),
    Setting("abbreviations", say("Abbreviations as clues"), YES_OR_NO),
    Setting("names", say("Long names and titles as clues"), YES_OR_NO),
)
DEALT: Final = "dealt"
CARDS: Final[Values] = (
    ("own", say("Laid out by hand")),
    (DEALT, say("Dealt on the screen")),
)


class Setup(Screen[AnyTableMessage], frozen=True):
    """The next game as it would be started.

    What is chosen for each family stands here together, so that it is not lost where somebody looks
    at a game of the other one in between.
    """

    profile: str
    cards: str
    settings: Settings
    nicknames: Names = DRAWN
    """The nicknames for a game of Codex, in the order of the seats."""
    pack: str | None = None
    """The pack that words are dealt from, None: the usual one."""
    blanks: tuple[str, ...] = ()
    """The words that the players wrote on blank cards."""

    has_grid: ClassVar[bool] = False

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        profile = profile_named(self.profile)
        lines = [Choice(say("Start the game"), Ask(self._start(), stay=True)), self._game(1)]
        if profile.family is Family.WORDS:
            lines.append(self._cards(len(lines)))
            if self.cards == DEALT:
                lines += self._words(table, len(lines))
        else:
            names = Go(Nicknames(names=self.nicknames))
            lines.append(Choice(say("Nicknames"), names, value=chosen(self.nicknames)))
        for setting in SETTINGS:
            timed = setting.timer in (None, self.settings.timer)
            if setting.field in profile.settings and timed:
                lines.append(self._line(setting, len(lines)))
        return tuple(lines)

    def possible(self, table: AnyTableMessage) -> bool:
        return may(table, Seat.OPERATOR, "start")

    def _start(self) -> Act:
        profile = profile_named(self.profile)
        usual = options_of(profile, profile.usual)
        options = options_of(profile, self.settings)
        do = by_operator(
            "start",
            profile=self.profile,
            options={name: value for name, value in options.items() if value != usual[name]},
            cards=self.cards,
        )
        if profile.family is Family.CODEX:
            return do.also(nicknames=[*self.nicknames])
        if self.cards == DEALT and self.pack is not None:
            do = do.also(pack=self.pack)
        if self.cards == DEALT and self.blanks:
            do = do.also(blanks=[*self.blanks])
        return do

    def _game(self, selected: int) -> Choice:
        """Another game has other settings: it begins with its usual ones."""
        other = _next(tuple((each, "") for each in PROFILES), self.profile)
        settings = profile_named(other).usual
        changed = self._with(other, settings, selected)
        return Choice(say("Game"), Become(changed), value=title(self.profile))

    def _cards(self, selected: int) -> Choice:
        other = _next(CARDS, self.cards)
        changed = replace(self, cards=other, selected=selected)
        return Choice(say("Cards"), Become(changed), value=_named(CARDS, self.cards))

    def _words(self, table: AnyTableMessage, selected: int) -> Iterator[Choice]:
        """The choices of where dealt words come from."""
        packs = packs_of(table, self.settings.lang)
        if packs:
            changed = replace(self, pack=_next(packs, self.pack), selected=selected)
            yield Choice(say("Words"), Become(changed), value=_named(packs, self.pack))
        own = Blanks(words=self.blanks, lang=self.settings.lang, most=most_blanks(self.profile))
        count = str(len(self.blanks)) if self.blanks else say("None")
        yield Choice(say("Our own words"), Go(own), value=count)

    def _with(self, profile: str, settings: Settings, selected: int) -> "Setup":
        """The same list with another game, or with other settings. Of the words that were chosen,
        those that go with these stay."""
        lang = settings.lang
        return replace(
            self,
            profile=profile,
            settings=settings,
            pack=self.pack if lang == self.settings.lang else None,
            blanks=still_good(self.blanks, profile, lang),
            selected=selected,
        )

    def _line(self, setting: Setting, selected: int) -> Choice:
        value = getattr(self.settings, setting.field)
        settings = replace(self.settings, **{setting.field: _next(setting.values, value)})
        changed = self._with(self.profile, settings, selected)
        return Choice(setting.label, Become(changed), value=_named(setting.values, value))


def setup(table: AnyTableMessage) -> Setup:
    """The list for the next game, as the last one was played."""
    profile = next(iter(PROFILES)) if table.public is None else table.public.profile
    settings = table.settings or profile_named(profile).usual
    return Setup(profile, table.cards, settings, names_in_play(table))


def title(profile: str) -> Words:
    """What a game is called."""
    return Say(profile_named(profile).title)


def _next(values: Values, value: object) -> Any:
    """The value after this one; the first after the last, and after one that is not listed."""
    known = [each for each, _ in values]
    return known[(known.index(value) + 1) % len(known)] if value in known else known[0]


def _named(values: Values, value: object) -> Words:
    for each, label in values:
        if each == value:
            return label
    return duration(value) if isinstance(value, int) else str(value)

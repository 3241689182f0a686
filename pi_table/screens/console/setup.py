"""The screen to set up the next game: its cards, its words, and its house rules.

Its first line starts the game with the current settings. The game itself was chosen before
(`games_on_offer`). The game's language is the language that people chose for the screen.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from pi_table.common.errors import InputError
from pi_table.common.language import LANGUAGES, Lang, Say, Words, say
from pi_table.games.lines.game import SETTINGS, Values, label_of, next_of
from pi_table.games.rules.profile import (
    Family,
    Settings,
    options_of,
    profile_named,
    settings_for,
)
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import AnyTableMessage, OfferedPack
from pi_table.screens.console.acts import Act, by_operator
from pi_table.screens.console.blanks import Blanks, most_blanks, still_good
from pi_table.screens.console.codex.nickname_screens import (
    DRAWN,
    Names,
    Nicknames,
    count_chosen,
    names_in_play,
)
from pi_table.screens.console.confirm import Confirm
from pi_table.screens.console.screen import (
    AnyScreen,
    Ask,
    Become,
    Choice,
    Effect,
    Go,
    ListScreen,
    Speak,
    can_begin,
    may,
    moment,
)

DEALT: Final = "dealt"
CARDS: Final[Values] = (
    ("own", say("Laid out by hand")),
    (DEALT, say("Dealt on the screen")),
)
SCREENS: Final[Values] = (
    ("hidden", say("At the hidden screen")),
    ("phones", say("On phones, all at once")),
)
USUAL: Final = (None, say("The usual ones"))
"""The choice of no particular pack: the table deals from the pack that fits the game."""


class Setup(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    profile: str
    cards: str
    settings: Settings
    nicknames: Names = DRAWN
    pack: str | None = None
    """The pack from which words are dealt; None for the pack that fits the game."""
    blanks: tuple[str, ...] = ()
    """The players' own words on blank cards."""
    asks: bool = False
    """True if the screen offers two ways to start: with and without explanations."""

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        profile = profile_named(self.profile)
        lines = [*self._starts(table)]
        if profile.family is Family.WORDS:
            lines.append(self._cards(len(lines)))
            if self.cards == DEALT:
                lines += self._words(table, len(lines))
        else:
            names = Go(Nicknames(names=self.nicknames))
            lines.append(Choice(say("Nicknames"), names, value=count_chosen(self.nicknames)))
            if table.pages is not None:
                lines.append(self._screens(len(lines)))
        language = LANGUAGES[self.settings.lang]
        lines.append(Choice(say("Language"), Speak(), value=language))
        rules = HouseRules(profile=self.profile, settings=self.settings)
        lines.append(Choice(say("House rules…"), Go(rules)))
        return tuple(lines)

    def possible(self, table: AnyTableMessage) -> bool:
        return can_begin(table)

    def title(self, table: AnyTableMessage) -> Words:
        return title(self.profile)

    def beside(self, table: AnyTableMessage) -> Words:
        return say("Press a line to change it")

    def help(self, table: AnyTableMessage) -> Words:
        if profile_named(self.profile).family is Family.CODEX:
            if self.settings.screens == "phones":
                return say(
                    "Everybody on a phone of their own, all at once. Whoever has none comes to "
                    "this screen."
                )
            return ""
        if self.cards != DEALT or self.settings.dealing != "table":
            return ""
        if table.pages is None:
            return say("Lay the cards out: after the start, this screen says where each goes.")
        return say("The words are on the pages’ board: no cards have to be laid out.")

    def _starts(self, table: AnyTableMessage) -> Iterator[Choice]:
        if not self.asks:
            yield Choice(say("Start the game"), self._start_of(table, self.settings.explain))
            return
        explained, known = (self._start_of(table, explain) for explain in (True, False))
        yield Choice(say("Start: explain it"), explained, value=say("First time?"))
        yield Choice(say("Start: we know it"), known)

    def _start_of(self, table: AnyTableMessage, explain: bool) -> Effect:
        """Return the effect that starts the game. The effect first asks whether to end a game that
        is running."""
        do = self._start(explain)
        if may(table, Seat.OPERATOR, "start"):
            return Ask(do, stay=True)
        question = Confirm(
            say("End the game that is being played, and begin this one?"),
            say("Yes, begin the new game"),
            do.also(ending=True),
            moment(table),
            allowed_by="abandon",
            stay=True,
            selected=1,
        )
        return Go(question)

    def _start(self, explain: bool) -> Act:
        profile = profile_named(self.profile)
        usual = options_of(profile, profile.usual)
        options = options_of(profile, replace(self.settings, explain=explain))
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

    def _cards(self, selected: int) -> Choice:
        other = next_of(CARDS, self.cards)
        changed = replace(self, cards=other, selected=selected)
        return Choice(say("Cards"), Become(changed), value=label_of(CARDS, self.cards))

    def _screens(self, selected: int) -> Choice:
        """Return the choice where agents make their visits: at the hidden screen or on phones
        (CX-20)."""
        settings = replace(self.settings, screens=next_of(SCREENS, self.settings.screens))
        changed = replace(self, settings=settings, selected=selected)
        return Choice(
            say("Visits"), Become(changed), value=label_of(SCREENS, self.settings.screens)
        )

    def _words(self, table: AnyTableMessage, selected: int) -> Iterator[Choice]:
        packs = packs_of(table, self.settings.lang)
        if packs:
            changed = replace(self, pack=next_of(packs, self.pack), selected=selected)
            yield Choice(say("Words"), Become(changed), value=label_of(packs, self.pack))
        own = Blanks(words=self.blanks, lang=self.settings.lang, most=most_blanks(self.profile))
        count = str(len(self.blanks)) if self.blanks else say("None")
        yield Choice(say("Our own words"), Go(own), value=count)

    def with_language(self, lang: Lang) -> "Setup":
        return self.with_settings(replace(self.settings, lang=lang))

    def with_settings(self, settings: Settings) -> "Setup":
        """Return this screen with other settings. Words that still fit are kept. After a change of
        the setting for explanations, the screen offers only one way to start."""
        lang = settings.lang
        return replace(
            self,
            settings=settings,
            asks=self.asks and settings.explain == self.settings.explain,
            pack=self.pack if lang == self.settings.lang else None,
            blanks=still_good(self.blanks, self.profile, lang),
        )


class HouseRules(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    profile: str
    settings: Settings

    heading = say("House rules")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        profile = profile_named(self.profile)
        lines: list[Choice] = []
        for setting in SETTINGS:
            timed = setting.timer in (None, self.settings.timer)
            if setting.field in profile.settings and timed:
                value = getattr(self.settings, setting.field)
                changed = replace(self.settings, **{setting.field: next_of(setting.values, value)})
                become = Become(replace(self, settings=changed, selected=len(lines)))
                lines.append(Choice(setting.label, become, value=label_of(setting.values, value)))
        if table.lock.open:
            lines.append(self._keep(table))
        return tuple(lines)

    def beside(self, table: AnyTableMessage) -> Words:
        return say("Press a line to change it")

    def behind(self, below: AnyScreen) -> AnyScreen:
        return below.with_settings(self.settings) if isinstance(below, Setup) else below

    def _keep(self, table: AnyTableMessage) -> Choice:
        profile = profile_named(self.profile)
        usual = options_of(profile, profile.usual)
        options = options_of(profile, self.settings)
        kept = {
            name: value
            for name, value in options.items()
            if name != "lang" and value != usual[name]
        }
        rules = {**table.house.rules, self.profile: kept}
        if table.house.rules.get(self.profile, {}) == kept:
            return Choice(say("These are the rules of the house"))
        return Choice(
            say("Keep these as the rules of the house"),
            Ask(by_operator("house", set={"rules": rules}), stay=True),
        )


def propose(table: AnyTableMessage, profile: str) -> Setup:
    """Return the screen of a game. The game that was played last keeps its settings; other games
    have the settings of the house."""
    is_last = table.public is not None and table.public.profile == profile
    settings = table.settings if is_last else None
    if settings is None:
        settings = _of_the_house(table, profile)
    if table.pages is None:
        settings = replace(settings, screens="hidden")
    return Setup(
        profile=profile, cards=table.cards, settings=settings, nicknames=names_in_play(table)
    )


def _of_the_house(table: AnyTableMessage, profile: str) -> Settings:
    """Return the game's settings under the house rules. If the house rules are invalid, return the
    usual settings."""
    game = profile_named(profile)
    rules = table.house.rules.get(profile, {})
    try:
        return settings_for(game, {**options_of(game, game.usual), **rules})
    except InputError:
        return game.usual


def title(profile: str) -> Words:
    return Say(profile_named(profile).title)


def packs_of(table: AnyTableMessage, lang: Lang) -> tuple[tuple[str | None, Words], ...]:
    """Return `USUAL` and the packs of a language, with their titles; empty if the language has no
    pack."""
    offered = tuple((pack.name, _pack_title(pack)) for pack in table.packs if pack.language == lang)
    return (USUAL, *offered) if offered else ()


def _pack_title(pack: OfferedPack) -> Words:
    return say("{title} (18+)", title=pack.title) if pack.adults else pack.title

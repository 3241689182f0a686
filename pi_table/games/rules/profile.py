"""The games of the table and their settings, such as house rules and timers."""

import enum
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, did_you_mean, say

Seconds = Annotated[int, msgspec.Meta(ge=1, le=3600)]
SpecialRole = Literal["hacker", "infiltrator", "informer", "inquisitor", "profiler"]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of one game. The game's profile says which of them have an effect."""

    lang: Lang = "en"
    """The language of the words, the clues and the screens."""
    players: Literal["teams", "cooperative", "shared-operative"] = "teams"
    """The players: two teams; one group against the table (NC-3); or two spymasters and one
    operative (NC-7)."""
    nuke: Literal["basic", "mad"] = "basic"
    """Effect of the nuke. ``basic``: the team that targets it loses (AL-10). ``mad``: the same
    until the nuke is armed; after that, both teams lose if either targets it (AL-11)."""
    zero: bool = False
    """True if a clue's number may be zero (CN-17)."""
    unlimited: bool = True
    """True if a clue's number may be unlimited (CN-16)."""
    penalty: bool = True
    """True if the other team's spymaster may cover a cell after an invalid clue (CN-18)."""
    compounds: bool = False
    """True if a clue may be a compound of several words (CL-1)."""
    abbreviations: bool = False
    """True if a clue may be an abbreviation (CL-1)."""
    names: bool = False
    """True if a clue may be a name of several words, or a title (CL-12)."""
    sounds: bool = False
    """True if a clue may refer to a sound or a rhyme (CL-5, CL-8)."""
    dealing: Literal["table", "shared"] = "table"
    """Dealer of the words: the table, or the teams in turn (DU-2)."""
    timer: Literal["off", "hourglass", "clock"] = "off"
    """The kind of timer (CN-24): none, an hourglass that anyone turns, or a clock for every clue
    and turn."""
    hourglass_seconds: Seconds = 60
    clue_seconds: Seconds = 120
    guess_seconds: Seconds = 120
    """Seconds of the clock for all guesses of one turn together."""
    clock_end: Literal["urge", "end-turn"] = "urge"
    """Effect of a clock that has run out: the table urges the players, or the turn ends."""
    roles: Annotated[tuple[SpecialRole, ...], msgspec.Meta(min_length=2, max_length=2)] | None = (
        None
    )
    """The two Codex roles besides the leader; None to draw them at random (CX-3)."""
    discussion_seconds: Seconds = 300
    """Seconds that the discussion lasts (CX-17)."""
    visit_seconds: Seconds = 45
    """Seconds that an agent's visit to the hidden screen lasts (CX-18)."""
    visit_starts: Literal["at-once", "ready"] = "at-once"
    """Start of the time of a visit (CX-18): the beginning of the agent's turn, or the moment when
    the agent says that they are at the hidden screen."""
    screens: Literal["hidden", "phones"] = "hidden"
    """Place where agents enter secrets (CX-20): the hidden screen, one after another; or phones, at
    the same time, for agents who have paired one."""
    explain: bool = False
    """True if the table explains each phase to people who play for the first time."""


class Family(enum.Enum):
    """A group of games that have the same rules, apart from their settings."""

    WORDS = "words"
    """Games in which players give clues to words on a grid."""
    CODEX = "codex"
    """A game of six agents and two secret codes."""


_CLOCK: Final = ("timer", "hourglass_seconds", "clue_seconds", "guess_seconds", "clock_end")
HOUSE_RULES: Final = ("compounds", "abbreviations", "names", "sounds")
"""Names of the settings that allow clues which are otherwise invalid (CL-1, CL-5, CL-8, CL-12)."""
_CODENAMES: Final = (
    "lang",
    "players",
    "zero",
    "unlimited",
    "penalty",
    *HOUSE_RULES,
    "dealing",
    *_CLOCK,
    "explain",
)


class Profile(msgspec.Struct, frozen=True):
    """A game that people can choose. Facts that only its family needs are in the family's code."""

    id: str
    title: str
    """The game's title, in our own words."""
    settings: tuple[str, ...] = _CODENAMES
    defaults: Settings = Settings()
    """Default values of all settings, including those that the game does not have."""
    at_a_table: Settings | None = None
    """Default values for games at a table. None if ``defaults`` also hold there."""
    family: Family = Family.WORDS
    adults: bool = False
    """True if a pack for adults is the default, provided that the operator allows it (DU-1)."""

    @property
    def usual(self) -> Settings:
        return self.at_a_table or self.defaults


PROFILES: Final = {
    profile.id: profile
    for profile in (
        Profile("codenames", say("The classic game")),
        Profile(
            "nome-in-codice", say("The Italian classic"), defaults=Settings(lang="it", zero=True)
        ),
        Profile(
            "deep-undercover",
            say("The game after dark"),
            defaults=Settings(zero=True, dealing="shared"),
            adults=True,
        ),
        Profile(
            "alias-24",
            say("Assets and a nuke"),
            settings=("lang", "nuke", "penalty", *HOUSE_RULES, "dealing", *_CLOCK, "explain"),
            defaults=Settings(zero=True, unlimited=True),
        ),
        Profile(
            "codex",
            say("Six agents, two codes"),
            settings=(
                "lang",
                "roles",
                "discussion_seconds",
                "visit_seconds",
                "visit_starts",
                "screens",
                "explain",
            ),
            defaults=Settings(lang="it"),
            at_a_table=Settings(lang="it", visit_starts="ready"),
            family=Family.CODEX,
        ),
    )
}


def profile_named(name: object) -> Profile:
    """Return the profile with this id. Raises InputError with a suggestion of valid ids."""
    if name is None:
        names = ", ".join(PROFILES)
        raise InputError(say("The game is missing: give a profile, one of {names}.", names=names))
    profile = PROFILES.get(name) if isinstance(name, str) else None
    if profile is None:
        raise InputError(
            say(
                "There is no game called {name}; {did_you_mean}",
                name=repr(name),
                did_you_mean=did_you_mean(str(name), [*PROFILES]),
            )
        )
    return profile


def options_of(profile: Profile, settings: Settings) -> dict[str, Any]:
    """Return the values of the profile's settings by name: the inverse of `settings_for`."""
    return {name: getattr(settings, name) for name in profile.settings}


def options_at_a_table(profile: Profile, options: dict[str, Any]) -> dict[str, Any]:
    """Return ``options``, with the defaults at a table added for settings that ``options`` lacks.
    Those that equal the profile's ``defaults`` are not added."""
    usual, defaults = (options_of(profile, each) for each in (profile.usual, profile.defaults))
    return {name: usual[name] for name in usual if usual[name] != defaults[name]} | options


def settings_for(profile: Profile, options: object) -> Settings:
    """Return the profile's default settings, changed by ``options``. Raises InputError."""
    if not isinstance(options, dict):
        raise InputError(say("The options of a game are an object of settings and their values."))
    chosen = {}
    for name, value in options.items():
        if name not in profile.settings:
            raise InputError(
                say(
                    "The game {id} has no setting {name}; {did_you_mean}",
                    id=repr(profile.id),
                    name=repr(name),
                    did_you_mean=did_you_mean(str(name), profile.settings),
                )
            )
        try:
            chosen[name] = msgspec.convert(value, _KINDS[name])
            if name == "roles" and value is not None and len({*chosen[name]}) < 2:
                raise msgspec.ValidationError(say("The two are the same."))
        except msgspec.ValidationError:
            raise InputError(
                say(
                    "The setting {name} cannot be {as_json}; {suggestion}",
                    name=repr(name),
                    as_json=_as_json(value),
                    suggestion=_suggestion(value, _KINDS[name]),
                )
            ) from None
    return msgspec.structs.replace(profile.defaults, **chosen)


_KINDS: Final[dict[str, Any]] = get_type_hints(Settings, include_extras=True)


def _suggestion(value: object, kind: Any) -> str:
    """Return the end of a message about an invalid value: a similar value, or what is expected."""
    if get_origin(kind) is Literal:
        return did_you_mean(str(value), get_args(kind))
    return say("it is {described}.", described=_describe(kind))


def _as_json(value: object) -> str:
    return repr(value) if isinstance(value, str) else msgspec.json.encode(value).decode()


def choices(setting: str) -> str:
    """Return the possible values of a setting as text."""
    return _describe(_KINDS[setting])


def _describe(kind: Any) -> str:
    if kind == Seconds:
        return say("a whole number of seconds, 1 to 3600")
    if kind == _KINDS["roles"]:
        return say(
            "two different ones of {get_args}, or null", get_args=", ".join(get_args(SpecialRole))
        )
    return say("true or false") if kind is bool else ", ".join(get_args(kind))

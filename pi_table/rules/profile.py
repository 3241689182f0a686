"""The games that the table knows, and the settings (house rules, timers) that each one has."""

from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

import msgspec

from pi_table.errors import InputError, did_you_mean

Seconds = Annotated[int, msgspec.Meta(ge=1, le=3600)]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of one game."""

    lang: Literal["en"] = "en"
    """The language of the words, the clues and the screens."""
    zero: bool = False
    """May a clue's number be zero (CN-17)?"""
    unlimited: bool = True
    """May a clue's number be unlimited (CN-16)?"""
    penalty: bool = True
    """May the other spymaster cover an agent after an invalid clue (CN-18)?"""
    timer: Literal["off", "hourglass", "clock"] = "off"
    """CN-24: none, a sand glass that anyone turns, or a clock for every clue and turn."""
    hourglass_seconds: Seconds = 60
    clue_seconds: Seconds = 120
    guess_seconds: Seconds = 120
    """For all the guesses of a turn together."""
    clock_end: Literal["urge", "end-turn"] = "urge"
    """What happens when the clock has run down."""


class Profile(msgspec.Struct, frozen=True):
    """A game: its id, its title in our own words, and its settings unless others are chosen."""

    id: str
    title: str
    defaults: Settings = Settings()


PROFILES: Final = {
    profile.id: profile for profile in [Profile(id="codenames", title="The classic game")]
}


def profile_named(name: object) -> Profile:
    """The profile with this id. Raises InputError that lists or suggests the right ones."""
    profile = PROFILES.get(name) if isinstance(name, str) else None
    if profile is None:
        raise InputError(
            f"There is no game called {name!r}; {did_you_mean(str(name), [*PROFILES])}"
        )
    return profile


def settings_for(profile: Profile, options: object) -> Settings:
    """The profile's settings with ``options`` laid over them.

    Raises InputError for an unknown setting or a value that the setting cannot take.
    """
    if not isinstance(options, dict):
        raise InputError("The options of a game are an object of settings and their values.")
    for name, value in options.items():
        if name not in _KINDS:
            raise InputError(
                f"The game {profile.id!r} has no setting {name!r}; "
                f"{did_you_mean(str(name), [*_KINDS])}"
            )
        try:
            msgspec.convert(value, _KINDS[name])
        except msgspec.ValidationError:
            raise InputError(
                f"The setting {name!r} cannot be {value!r}; {_suggestion(value, _KINDS[name])}"
            ) from None
    return msgspec.structs.replace(profile.defaults, **options)


_KINDS: Final[dict[str, Any]] = get_type_hints(Settings, include_extras=True)
"""What kind of value each setting takes."""


def _suggestion(value: object, kind: Any) -> str:
    """The end of a sentence about a value that is not of this kind."""
    if kind == Seconds:
        return "it is a whole number of seconds, 1 to 3600."
    if kind is bool:
        return "it is true or false."
    return did_you_mean(str(value), get_args(kind))

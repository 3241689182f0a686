"""How the house wants its table: what an operator sets on the console, and keeps.

The defaults are the section ``[house]`` of the configuration. What the operator changes lasts: the
engine keeps it beside the journal (`table.engine.storage.house_files`). Nothing here depends on a
game.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, did_you_mean, say
from pi_table.common.palettes import Palette

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
LEAST_BRIGHTNESS: Final = 10
"""The least that can be chosen at the table and from afar, in percent: in the dark nobody could go
on with a game."""
Minutes = Annotated[int, msgspec.Meta(ge=0, le=24 * 60)]
TimeOfDay = Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z")]
"""Hours and minutes of the day in the house's own time: ``22:30``."""
SpokenIn = Literal["off", "game", Lang, "both"]
TextSize = Literal["usual", "large"]
Spelling = Literal["british", "american"]

GuestAct = Literal["start", "correct", "pause", "abandon", "new-key", "reveal", "record"]
"""What guests may be allowed to do in the operator's name without the PIN. To start a game is also
to start the next one; to pause is also to go on."""
GUEST_ACTS: Final[tuple[GuestAct, ...]] = get_args(GuestAct)


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a house. The values here are those of ``default.toml``."""

    brightness: Percent = 100
    """How bright the lights are."""
    dimmed: Percent = 50
    """How bright the lights are in the dimmed hours, if that is less."""
    dimmed_from: TimeOfDay = "00:00"
    """When the dimmed hours begin."""
    dimmed_until: TimeOfDay = "00:00"
    """When the dimmed hours end; there are none where they end as they begin."""
    volume: Percent = 60
    """How loud sounds and speech are."""
    muted: bool = False
    """Is the table silent?"""
    quiet_from: TimeOfDay = "00:00"
    """When the quiet hours begin, in which the table is silent."""
    quiet_until: TimeOfDay = "00:00"
    """When the quiet hours end; there are none where they end as they begin."""
    speech: SpokenIn = "off"
    """In which language turns, clues and results are spoken; ``game``: in that of the game."""
    idle_lights: bool = True
    """Does a table at which nobody is invite with its lights?"""
    out_of_service: bool = False
    """Does no game begin at the table? One that is being played goes on to its end."""
    palette: Palette = Palette.STANDARD
    """The colours of the lights and of the console."""
    text_size: TextSize = "usual"
    """The size of the console's type."""
    high_contrast: bool = False
    """Is the console drawn with the strongest contrast?"""
    adults: bool = False
    """May words from packs for adults be dealt (DU-1)?"""
    spelling: Spelling = "british"
    """How English words are spelt for which a pack has two spellings."""
    packs_left_out: tuple[str, ...] = ()
    """The names of the word packs that are not offered."""
    rules: dict[str, dict[str, Any]] = {}
    """The house rules: for the profile of a game, the settings that are proposed instead of its
    own."""
    idle_minutes: Minutes = 10
    """After how many minutes without a touch or a press the table asks whether anybody still plays;
    0: never."""
    keep_minutes: Minutes = 30
    """For how many minutes more an unattended game waits to be gone on with; then it counts as
    abandoned."""
    phones_need_pin: bool = False
    """Is the PIN needed before a seat gets a phone?"""
    guests_may: tuple[GuestAct, ...] = GUEST_ACTS
    """What may be done without the PIN, where one is set."""


def changed(house: House, settings: Mapping[str, Any]) -> House:
    """The house with some settings changed, each given by its name as JSON.

    Raises InputError for a setting that there is not, or a value that it cannot have.
    """
    for name in settings:
        if name not in House.__struct_fields__:
            known = list(House.__struct_fields__)
            raise InputError(
                say(
                    "The house has no setting {name}; {did_you_mean}",
                    name=repr(name),
                    did_you_mean=did_you_mean(name, known),
                )
            )
    try:
        return msgspec.convert({**msgspec.to_builtins(house), **settings}, House)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(
            say("The house cannot be set so: {error}. Choose another value.", error=error)
        ) from None


def offers(house: House, pack: str, adults: bool) -> bool:
    """Does the house offer the word pack of this name, which may be for ``adults``?"""
    return pack not in house.packs_left_out and (house.adults or not adults)


def within(start: str, end: str, at: str | None) -> bool:
    """Is it between two times of the day, the first included, the second not?

    From ``22:00`` to ``06:00`` is over midnight, and from a time to the same time is never. ``at``
    is None where nobody knows what time it is.
    """
    if at is None or start == end:
        return False
    return start <= at < end if start < end else at >= start or at < end


def brightness(house: House, at: str | None) -> int:
    """How bright the lights are at this time of the day, in percent."""
    if within(house.dimmed_from, house.dimmed_until, at):
        return min(house.brightness, house.dimmed)
    return house.brightness


def quiet_hours(house: House) -> tuple[int, int] | None:
    """When the table falls silent and when it may be heard again, in minutes of the day from 0 to
    1439; None: it may always be heard."""
    start, end = _minute(house.quiet_from), _minute(house.quiet_until)
    return None if start == end else (start, end)


def _minute(time: str) -> int:
    hours, minutes = time.split(":")
    return 60 * int(hours) + int(minutes)

"""The settings of a venue. An operator changes them on the console, and the engine stores them.

The defaults are the section ``[house]`` of the configuration. The engine keeps changes beside the
journal (`table.engine.storage.house_files`). No setting here depends on a game.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, did_you_mean, say
from pi_table.common.palettes import Palette

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
MIN_BRIGHTNESS: Final = 10
"""Minimum brightness in percent. No lower value can be chosen, because nobody can play in the
dark."""
Minutes = Annotated[int, msgspec.Meta(ge=0, le=24 * 60)]
TimeOfDay = Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z")]
"""Hours and minutes in the venue's local time: ``22:30``."""
SpokenIn = Literal["off", "game", Lang, "both"]
TextSize = Literal["usual", "large"]
Spelling = Literal["british", "american"]

GuestAct = Literal["start", "correct", "pause", "abandon", "new-key", "reveal", "record"]
"""Acts of the operator that guests may be allowed to do without the PIN. ``start`` includes
starting the next game; ``pause`` includes resuming."""
GUEST_ACTS: Final[tuple[GuestAct, ...]] = get_args(GuestAct)


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings of a venue. The defaults here are those of ``default.toml``."""

    brightness: Percent = 100
    dimmed: Percent = 50
    """Brightness of the lights in the dimmed hours, in percent. A value above ``brightness`` has no
    effect."""
    dimmed_from: TimeOfDay = "00:00"
    dimmed_until: TimeOfDay = "00:00"
    """End of the dimmed hours. If start and end are equal, there are no dimmed hours."""
    volume: Percent = 60
    muted: bool = False
    quiet_from: TimeOfDay = "00:00"
    quiet_until: TimeOfDay = "00:00"
    """End of the quiet hours, in which the table is silent. If start and end are equal, there are
    no quiet hours."""
    speech: SpokenIn = "off"
    """Language in which turns, clues and results are spoken. ``game`` means the language of the
    game."""
    idle_lights: bool = True
    """True if an idle table invites people with its lights."""
    out_of_service: bool = False
    """True if no new game can begin at the table. A running game continues to its end."""
    palette: Palette = Palette.STANDARD
    text_size: TextSize = "usual"
    high_contrast: bool = False
    adults: bool = False
    """True if words from packs for adults may be dealt (DU-1)."""
    spelling: Spelling = "british"
    """Spelling of English words for which a pack has both spellings."""
    packs_left_out: tuple[str, ...] = ()
    rules: dict[str, dict[str, Any]] = {}
    """House rules by game profile, such as ``codenames``: settings that are proposed in place of
    the game's defaults."""
    idle_minutes: Minutes = 10
    """Minutes without a touch or a button press after which the table asks if anybody is still
    playing. With 0 the table never asks."""
    keep_minutes: Minutes = 30
    """Minutes for which an unattended game can be resumed. Later the game counts as abandoned."""
    phones_need_pin: bool = False
    """True if the PIN must be entered before a seat gets a phone."""
    guests_may: tuple[GuestAct, ...] = GUEST_ACTS
    """Acts that need no PIN, even if the venue has set a PIN."""


def with_settings(house: House, settings: Mapping[str, Any]) -> House:
    """Return the settings of a venue with some of them changed. ``settings`` has JSON values by
    name.

    Raises InputError for an unknown setting or an invalid value.
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
            say("A setting of the house is not valid: {error}. Choose another value.", error=error)
        ) from None


def offers(house: House, pack: str, adults: bool) -> bool:
    """True if the venue offers this word pack. ``adults`` is True if the pack is for adults."""
    return pack not in house.packs_left_out and (house.adults or not adults)


def within(start: str, end: str, at: str | None) -> bool:
    """True if ``at`` is between two times of the day, or equal to the first.

    The range from ``22:00`` to ``06:00`` includes midnight. The result is False if both times are
    equal, or if ``at`` is None because the time is unknown.
    """
    if at is None or start == end:
        return False
    return start <= at < end if start < end else at >= start or at < end


def brightness(house: House, at: str | None) -> int:
    """Return the brightness of the lights at this time of the day, in percent."""
    if within(house.dimmed_from, house.dimmed_until, at):
        return min(house.brightness, house.dimmed)
    return house.brightness


def quiet_hours(house: House) -> tuple[int, int] | None:
    """Return the start and end of the quiet hours in minutes of the day (0 to 1439). None if there
    are no quiet hours."""
    start, end = _minute(house.quiet_from), _minute(house.quiet_until)
    return None if start == end else (start, end)


def _minute(time: str) -> int:
    hours, minutes = time.split(":")
    return 60 * int(hours) + int(minutes)

"""The settings of a house (venue) as lines of a menu: labels and possible values."""

from typing import Final

import msgspec

from pi_table.common.house_settings import MIN_BRIGHTNESS
from pi_table.common.language import LANGUAGES, Words, say, say_many
from pi_table.games.lines.game import YES_OR_NO, Setting, Values


class Group(msgspec.Struct, frozen=True):
    title: Words
    lines: tuple[Setting, ...]


def _percent(*values: int) -> Values:
    return tuple((value, f"{value} %") for value in values)


def _minutes(*values: int) -> Values:
    never: Values = ((0, say("Never")),)
    some = tuple((value, say_many("{count} minute", "{count} minutes", value)) for value in values)
    return never + some


HOURS: Final[Values] = tuple((f"{hour:02}:00", f"{hour:02}:00") for hour in range(24))
BRIGHTNESS: Final = range(MIN_BRIGHTNESS, 101, 10)
LIGHTS: Final = Group(
    say("Lights"),
    (
        Setting("brightness", say("Brightness"), _percent(*BRIGHTNESS)),
        Setting("dimmed", say("Brightness in the dimmed hours"), _percent(*BRIGHTNESS)),
        Setting("dimmed_from", say("Dimmed from"), HOURS),
        Setting("dimmed_until", say("Dimmed until"), HOURS),
        Setting("idle_lights", say("Invite when nobody plays"), YES_OR_NO),
    ),
)
SOUND: Final = Group(
    say("Sound"),
    (
        Setting("volume", say("Volume"), _percent(*range(0, 101, 10))),
        Setting("muted", say("Silent"), YES_OR_NO),
        Setting("quiet_from", say("Silent from"), HOURS),
        Setting("quiet_until", say("Silent until"), HOURS),
        Setting(
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
        Setting(
            "palette",
            say("Colours"),
            (
                ("standard", say("The usual ones")),
                ("red-green", say("For anyone who confuses red and green")),
                ("blue-yellow", say("For anyone who confuses blue and yellow")),
            ),
        ),
        Setting(
            "text_size", say("Size of the text"), (("usual", say("Usual")), ("large", say("Large")))
        ),
        Setting("high_contrast", say("Strongest contrast"), YES_OR_NO),
    ),
)
IDLE: Final = Group(
    say("When nobody plays"),
    (
        Setting("idle_minutes", say("Ask “still playing?” after"), _minutes(5, 10, 15, 20, 30, 60)),
        Setting(
            "keep_minutes", say("Then keep the game for"), _minutes(5, 10, 20, 30, 60, 120)[1:]
        ),
        Setting("out_of_service", say("Out of service: no new game"), YES_OR_NO),
    ),
)
GROUPS: Final = (LIGHTS, SOUND, SCREEN, IDLE)

SPELLINGS: Final[Values] = (("british", say("British")), ("american", say("American")))

PHONES: Final = Setting("phones_need_pin", say("PIN before a seat gets a phone"), YES_OR_NO)
GUESTS: Final = {
    "start": say("Start a game"),
    "correct": say("Take back a guess"),
    "pause": say("Pause"),
    "abandon": say("End a game"),
    "new-key": say("Draw a new key"),
    "reveal": say("Show the key after the end"),
    "record": say("Read the games played"),
}
"""The acts that the house can allow guests to do: the label of each act, by its name."""

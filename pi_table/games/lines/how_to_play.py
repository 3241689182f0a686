"""Short lessons on each game, for people who have never seen the table.

The lessons explain the rules of `rules/RULES.md` in our own words. The screen that shows a lesson
adds the lesson's drawing.
"""

from typing import Final

import msgspec

from pi_table.common.language import Say, say
from pi_table.games.rules.profile import Family, Settings, profile_named


class Lesson(msgspec.Struct, frozen=True):
    """A lesson about one point of a game."""

    name: str
    """The name of the lesson's drawing, which the screen adds."""
    title: Say
    words: Say


def lessons(profile: str, settings: Settings) -> tuple[Lesson, ...]:
    """Return the lessons of a game with these settings: at most six."""
    if profile_named(profile).family is Family.CODEX:
        return CODEX
    if profile == "alias-24":
        clue = _clue(settings, "clue-assets", ABOUT_ASSETS)
        nuke = Lesson("nuke", NUKE, MAD if settings.nuke == "mad" else BASIC)
        found = (MASTERMINDS, ASSETS, clue, TARGET, HITS, nuke)
    else:
        group = settings.players == "cooperative"
        clue = _clue(settings, "clue", ABOUT_CARDS)
        lights = GROUP_LIGHTS if group else LIGHTS
        end = ABSENT if group else END
        found = (SEATS[settings.players], THE_KEY, clue, GUESS, lights, end)
    if settings.dealing == "shared":
        seats, key, clue, _, lights, end = found
        return (seats, LAY, key, clue, lights, end)
    return found


# Word games: who sits where

TEAMS: Final = Lesson(
    "teams",
    say("Two teams, two spymasters"),
    say(
        "Each team names one spymaster: only those two see the key. All others sit across "
        "from them, and guess."
    ),
)
GROUP: Final = Lesson(
    "group",
    say("One group against the table"),
    say(
        "One of you is the spymaster, and sees the key. All others guess together. Nobody "
        "plays the other team."
    ),
)
THREE: Final = Lesson(
    "three",
    say("Two spymasters, one who guesses"),
    say(
        "Two of you are spymasters, each for a team, and see the key. The third guesses for "
        "whichever team’s turn it is."
    ),
)
SEATS: Final = {"teams": TEAMS, "cooperative": GROUP, "shared-operative": THREE}

# Before the first clue

LAY: Final = Lesson(
    "lay",
    say("Laying out the cards"),
    say(
        "The teams take turns: put a card down, or choose one of your hand, and hold a finger "
        "on its cell until the light is full. You guess in the same way. The key is drawn "
        "last."
    ),
)
THE_KEY: Final = Lesson(
    "key",
    say("The key"),
    say(
        "The key says who each card belongs to. It is hidden: its button shows it, and only "
        "spymasters may look."
    ),
)

# Clue and guess

ABOUT_CARDS: Final = say(
    "In turn, a spymaster says one word, and how many of the team’s cards it is about, "
    "and enters the number."
)
ABOUT_ASSETS: Final = say(
    "You hunt the other team’s assets. In turn, a Mastermind says one word and how many of them "
    "it is about, and enters the number."
)
_NO_LIMIT: Final = say("“No limit” lets them guess on and on.")
_ZERO: Final = say("0 says: none of ours.")
_NO_LIMIT_TOO: Final = say("“No limit”: many.")
"""The same as `_NO_LIMIT`, but shorter, because it stands after `_ZERO`."""


def _clue(settings: Settings, name: str, about: Say) -> Lesson:
    """Return the lesson about clues, with the special numbers that this game allows."""
    text = about
    if settings.zero:
        text = say("{one} {other}", one=text, other=_ZERO)
    if settings.unlimited:
        more = _NO_LIMIT_TOO if settings.zero else _NO_LIMIT
        text = say("{one} {other}", one=text, other=more)
    return Lesson(name, say("The clue"), text)


_SURE: Final = say(
    "Agreed? One of you holds one finger on a card until its light is full. If the finger is "
    "lifted before, nothing happens."
)
GUESS: Final = Lesson("guess", say("The guess"), _SURE)
TARGET: Final = Lesson("guess", say("The target"), _SURE)
LIGHTS: Final = Lesson(
    "lights",
    say("What came out"),
    say(
        "Your own, here Red: go on, one guess more than the number at most. A bystander or the "
        "other team’s: your turn is over. The assassin: you lose."
    ),
)
GROUP_LIGHTS: Final = Lesson(
    "lights",
    say("What came out"),
    say(
        "Your own: go on, one guess more than the number at most. A bystander or the absent "
        "team’s: the turn is over. The assassin: all is lost."
    ),
)
HITS: Final = Lesson(
    "hits",
    say("What came out"),
    say(
        "For Red: an asset of Blue is a hit, go on, one more than the number at most. A decoy, or "
        "an asset of your own: your turn is over."
    ),
)

# The end

END: Final = Lesson(
    "end",
    say("Enough, and the end"),
    say(
        "To stop guessing, hold the pad at the edge of the table. The team whose cards are all "
        "found first wins, whoever found them."
    ),
)
ABSENT: Final = Lesson(
    "absent",
    say("The absent team"),
    say(
        "After each turn your spymaster gives one card to the absent team. Find yours before it "
        "has all of its own; the fewer it has, the better you played."
    ),
)

# Assets and a nuke

MASTERMINDS: Final = Lesson(
    "teams",
    say("Two teams, two Masterminds"),
    say(
        "Each team names one Mastermind: only those two know the aliases. All others sit "
        "across from them, and take aim."
    ),
)
ASSETS: Final = Lesson(
    "assets",
    say("Who each alias belongs to"),
    say(
        "The key says what each alias is: an asset of Red or of Blue, a decoy, or the nuke. Its "
        "button shows it, and only Masterminds may look."
    ),
)
NUKE: Final = say("The nuke, and the end")
BASIC: Final = say(
    "Whoever hits the nuke loses. A team whose assets are all gone loses too, whoever hit the last."
)
MAD: Final = say(
    "Whoever hits the nuke loses; once it is armed, after 13 hits, both teams do. A team whose "
    "assets are all gone loses too."
)

# Codex

CODEX: Final = (
    Lesson(
        "factions",
        say("Six agents, two factions"),
        say(
            "Three agents are Red, three are Blue, and nobody knows who. Each holds one fragment: "
            "three of them make their faction’s code."
        ),
    ),
    Lesson(
        "one-at-a-time",
        say("One at a time"),
        say(
            "When nobody else can see your page, press “I am …”. It shows while you hold its "
            "button, and is hidden when you let go."
        ),
    ),
    Lesson(
        "message",
        say("A secret message"),
        say(
            "In each phase you send one message: your fragment and a fact about yourself, which "
            "is always true. Its reader does not learn who sent it."
        ),
    ),
    Lesson(
        "codes",
        say("Powers and codes"),
        say(
            "On your second visit you read what came, may use your role’s power, and may try the "
            "code: three fragments in their order. Most have one attempt."
        ),
    ),
    Lesson(
        "vote",
        say("Talk, then vote"),
        say(
            "Say what you like, true or false. Then each in turn holds a finger on the cell of the "
            "agent whom they want to know more about."
        ),
    ),
    Lesson(
        "machine",
        say("The truth machine"),
        say(
            "Whoever has most votes chooses one true fact to tell everybody. Then it all begins "
            "again. The first right code wins the game."
        ),
    ),
)

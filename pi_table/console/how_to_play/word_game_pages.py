"""How the word games are played: pages for two teams, for a group against the table, for three
players, and for assets and a nuke. The words are ours; the rules are those of `rules/RULES.md`."""

from typing import Final

from pi_table.console import style
from pi_table.console.how_to_play.page import Page
from pi_table.console.how_to_play.pictures import (
    ALIASES,
    ASSASSIN,
    BLUE,
    BYSTANDER,
    DECOY,
    KEY,
    NUKE,
    PEEK,
    RED,
    arrow,
    bubble,
    button,
    card,
    device,
    eye,
    filling,
    grid,
    hand,
    pad,
    person,
    words,
)
from pi_table.console.shapes import Rect, Scene
from pi_table.console.symbols import cross, sign, tick
from pi_table.language import Words, say
from pi_table.rules.profile import Settings
from pi_table.rules.word_games.key import LAYOUTS, Identity

GO_ON, TURN_ENDS, LOST = say("go on"), say("turn over"), say("lost")


def word_game_pages(profile: str, settings: Settings) -> tuple[Page, ...]:
    """The pages of a word game as it is played with these settings."""
    if LAYOUTS[profile].hostile:
        clue = _clue(settings, ABOUT_ASSETS, BLUE)
        pages = (MASTERMINDS, ASSETS, clue, TARGET, HITS, _nuke(settings))
    else:
        group = settings.players == "cooperative"
        lights = GROUP_LIGHTS if group else LIGHTS
        pages = (
            *(_SEATS[settings.players], THE_KEY, _clue(settings, ABOUT_CARDS, RED), GUESS, lights),
            ABSENT if group else END,
        )
    if settings.dealing == "shared":
        seats, key, clue, _, lights, end = pages
        return (seats, LAY, key, clue, lights, end)
    return pages


# Who sits where


def _table(*across: Identity | None) -> Scene:
    """The table, and those who guess at its right."""
    shapes = grid(270, 15, 220, gap=5)
    for place, of in enumerate(across):
        x, y = 590 + place // 2 * 90, 40 + place % 2 * 116
        shapes += person(x, y, of)
    return shapes


def _at_screen(*team: Identity) -> Scene:
    """The hidden screen, and who sits at it."""
    shapes = device(168, 80, 74, 90)
    for place, of in enumerate(team):
        y = 40 + place * 116 if len(team) > 1 else 90
        shapes += person(90, y, of)
    return shapes


TEAMS: Final = Page(
    say("Two teams, two spymasters"),
    (*_at_screen(RED, BLUE), *_table(RED, BLUE, RED, BLUE)),
    say(
        "Each team names one spymaster: those two sit at the hidden screen. All others sit across "
        "from them, and guess."
    ),
)
GROUP: Final = Page(
    say("One group against the table"),
    (*_at_screen(RED), *_table(RED, RED, RED, RED)),
    say(
        "One of you is the spymaster, at the hidden screen. All others guess together. Nobody "
        "plays the other team."
    ),
)
THREE: Final = Page(
    say("Two spymasters, one who guesses"),
    (*_at_screen(RED, BLUE), *grid(270, 15, 220, gap=5), *person(620, 90)),
    say(
        "Two of you sit at the hidden screen, each for a team. The third guesses for whichever "
        "team’s turn it is."
    ),
)
_SEATS: Final = {"teams": TEAMS, "cooperative": GROUP, "shared-operative": THREE}

# Before the first clue

LAY: Final = Page(
    say("Laying out the cards"),
    (
        *grid(60, 15, 220, gap=5),
        *card(380, 70, 150, 90, say("WAVE")),
        *arrow((370, 105), (240, 80)),
        *person(650, 30, RED),
        *person(650, 150, BLUE),
        *hand(172, 84),
    ),
    say(
        "The teams take turns: put a card down, or choose one of your hand at the screen, and hold "
        "a finger on its cell until the light is full. You guess in the same way. The key is drawn "
        "last."
    ),
)


def _key_on_the_screen(key: dict[int, Identity]) -> Scene:
    return (
        *device(90, 10, 250, 230),
        *grid(117, 27, 196, key),
        *button(370, 30, PEEK, held=True),
        *eye(424, 120),
        *person(640, 60),
        *eye(640, 205, shut=True),
    )


THE_KEY: Final = Page(
    say("The key"),
    _key_on_the_screen({**KEY}),
    say(
        "PEEK shows at the hidden screen whose each card is. Only spymasters may look. Press it "
        "again, and the key is hidden."
    ),
)

# Clue and guess

ABOUT_CARDS: Final = say(
    "In turn, a spymaster says one word, and how many of the team’s cards it is about. Enter the "
    "number at the screen."
)
ABOUT_ASSETS: Final = say(
    "You hunt the other team’s assets. In turn, a Mastermind says one word and how many of them "
    "it is about, and enters the number."
)
_NO_LIMIT: Final = say("“No limit” lets them guess on and on.")
_ZERO_TOO: Final = say("0 says: none of ours. “No limit”: many.")


def _clue(settings: Settings, about: Words, hunted: Identity) -> Page:
    """The page about clues, with the numbers that this game has besides; Red gives one, for cards
    that are ``hunted``."""
    more: Words = ""
    if settings.zero:
        more = _ZERO_TOO
    elif settings.unlimited:
        more = _NO_LIMIT
    text = say("{one} {other}", one=about, other=more) if more else about
    drawing = (
        *person(80, 120, RED),
        *bubble(90, 14, 190, 62, say("Sea: 2"), (96, 102)),
        *card(400, 20, 150, 90, say("WAVE"), hunted),
        *card(400, 130, 150, 90, say("SHIP"), hunted),
        *card(580, 20, 150, 90, say("OVEN")),
        *card(580, 130, 150, 90, say("BEARD")),
        *arrow((295, 60), (388, 65)),
        *arrow((295, 76), (388, 150)),
    )
    return Page(say("The clue"), drawing, text)


def _held() -> Scene:
    """A finger on a card whose light fills up."""
    return (
        *card(110, 10, 180, 100, say("WAVE")),
        *arrow((330, 60), (450, 60)),
        *card(480, 10, 180, 100, say("WAVE")),
        *filling(570, 108, 28, 0.7),
        *hand(200, 88),
        *hand(570, 88),
    )


_SURE: Final = say(
    "Agreed? One of you holds one finger on a card until its light is full. If the finger is "
    "lifted before, nothing happens."
)
GUESS: Final = Page(say("The guess"), _held(), _SURE)
TARGET: Final = Page(say("The target"), _held(), _SURE)


def _results(*results: tuple[Identity, Words]) -> Scene:
    """Cards as they come out, and what that means."""
    pitch = 740 / len(results)
    shapes: Scene = ()
    for place, (identity, means) in enumerate(results):
        x = 10 + place * pitch + (pitch - 150) / 2
        shapes += card(x, 40, 150, 110, "", identity)
        shapes += (words(x - 14, 165, 178, 60, means),)
    return shapes


LIGHTS: Final = Page(
    say("What came out"),
    _results((RED, GO_ON), (BYSTANDER, TURN_ENDS), (BLUE, TURN_ENDS), (ASSASSIN, LOST)),
    say(
        "Your own, here Red: go on, one guess more than the number at most. A bystander or the "
        "other team’s: your turn is over. The assassin: you lose."
    ),
)
GROUP_LIGHTS: Final = Page(
    say("What came out"),
    LIGHTS.drawing,
    say(
        "Your own: go on, one guess more than the number at most. A bystander or the absent "
        "team’s: the turn is over. The assassin: all is lost."
    ),
)
HITS: Final = Page(
    say("What came out"),
    _results((BLUE, GO_ON), (DECOY, TURN_ENDS), (RED, TURN_ENDS)),
    say(
        "For Red: an asset of Blue is a hit, go on, one more than the number at most. A decoy, or "
        "an asset of your own: your turn is over."
    ),
)

# The end


def _found(red: int, blue: int) -> Scene:
    """How many cards each team has found, of nine and eight."""
    shapes: Scene = ()
    for row, (of, count, found) in enumerate(((RED, 9, red), (BLUE, 8, blue))):
        for place in range(count):
            x, y = 310 + place * 46, 72 + row * 104
            ink = style.EDGE if place >= found else None
            shapes += sign(of, x, y, 14, ink)
    return shapes


END: Final = Page(
    say("Enough, and the end"),
    (
        *pad(40, 60),
        *hand(105, 92),
        *_found(9, 5),
        *tick(724, 72, 16, style.ACCENT),
    ),
    say(
        "To stop guessing, hold the pad at the edge of the table. The team whose cards are all "
        "found first wins, whoever found them."
    ),
)
ABSENT: Final = Page(
    say("The absent team"),
    (
        *device(50, 40, 170, 150),
        *grid(82, 62, 106, {1: BLUE}),
        *arrow((230, 115), (285, 160)),
        *_found(9, 2),
        *tick(724, 72, 16, style.ACCENT),
    ),
    say(
        "After each turn your spymaster gives one card to the absent team. Find yours before it "
        "has all of its own; the fewer it has, the better you played."
    ),
)

# Assets and a nuke

MASTERMINDS: Final = Page(
    say("Two teams, two Masterminds"),
    TEAMS.drawing,
    say(
        "Each team names one Mastermind: those two sit at the hidden screen. All others sit across "
        "from them, and take aim."
    ),
)
ASSETS: Final = Page(
    say("Whose each alias is"),
    _key_on_the_screen({cell: of for cell, of in ALIASES.items() if cell != 12}),
    say(
        "PEEK shows the Masterminds what each alias is: an asset of Red or of Blue, a decoy, or "
        "the nuke. Nobody else may look."
    ),
)


def _nuke(settings: Settings) -> Page:
    """The page about the end, with the nuke as it is played (AL-10, AL-11)."""
    text = _MAD if settings.nuke == "mad" else _BASIC
    return Page(say("The nuke, and the end"), _NUKE, text)


_NUKE: Final[Scene] = (
    *card(60, 50, 170, 130, "", NUKE),
    *arrow((250, 115), (310, 115)),
    *person(365, 80, RED),
    *cross(365, 110, 40, style.ACCENT),
    Rect(450, 30, 2, 180, style.EDGE),
    *(
        shape
        for place in range(8)
        for shape in sign(BLUE, 500 + place % 4 * 44, 70 + place // 4 * 44, 14, style.EDGE)
    ),
    *person(710, 80, BLUE),
    *cross(710, 110, 40, style.ACCENT),
)
_BASIC: Final = say(
    "Whoever hits the nuke loses. A team whose assets are all gone loses too, whoever hit the last."
)
_MAD: Final = say(
    "Whoever hits the nuke loses; once it is armed, after 13 hits, both teams do. A team whose "
    "assets are all gone loses too."
)

"""The drawings for the pages on how to play the word games: for two teams, for a group against the
table, for three players, and for assets and a nuke. Their words are in `lines/how_to_play.py`."""

from typing import Final

from pi_table.common.language import Words, say
from pi_table.games.rules.word_games.key import Identity
from pi_table.screens.console import style
from pi_table.screens.console.how_to_play.pictures import (
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
from pi_table.screens.console.shapes import Rect, Scene
from pi_table.screens.console.symbols import cross, sign, tick

GO_ON, TURN_ENDS, LOST = say("go on"), say("turn over"), say("lost")


def _table(*across: Identity | None) -> Scene:
    shapes = grid(270, 15, 220, gap=5)
    for place, of in enumerate(across):
        x, y = 590 + place // 2 * 90, 40 + place % 2 * 116
        shapes += person(x, y, of)
    return shapes


def _at_screen(*team: Identity) -> Scene:
    shapes = device(168, 80, 74, 90)
    for place, of in enumerate(team):
        y = 40 + place * 116 if len(team) > 1 else 90
        shapes += person(90, y, of)
    return shapes


def _key_on_the_screen(key: dict[int, Identity]) -> Scene:
    return (
        *device(90, 10, 250, 230),
        *grid(117, 27, 196, key),
        *button(370, 30, PEEK, held=True),
        *eye(424, 120),
        *person(640, 60),
        *eye(640, 205, shut=True),
    )


def _clue(hunted: Identity) -> Scene:
    """Return a drawing in which red gives a clue for two cards. ``hunted`` is the identity of these
    cards."""
    return (
        *person(80, 120, RED),
        *bubble(90, 14, 190, 62, say("Sea: 2"), (96, 102)),
        *card(400, 20, 150, 90, say("WAVE"), hunted),
        *card(400, 130, 150, 90, say("SHIP"), hunted),
        *card(580, 20, 150, 90, say("OVEN")),
        *card(580, 130, 150, 90, say("BEARD")),
        *arrow((295, 60), (388, 65)),
        *arrow((295, 76), (388, 150)),
    )


def _hold() -> Scene:
    return (
        *card(110, 10, 180, 100, say("WAVE")),
        *arrow((330, 60), (450, 60)),
        *card(480, 10, 180, 100, say("WAVE")),
        *filling(570, 108, 28, 0.7),
        *hand(200, 88),
        *hand(570, 88),
    )


def _results(*results: tuple[Identity, Words]) -> Scene:
    pitch = 740 / len(results)
    shapes: Scene = ()
    for place, (identity, means) in enumerate(results):
        x = 10 + place * pitch + (pitch - 150) / 2
        shapes += card(x, 40, 150, 110, "", identity)
        shapes += (words(x - 14, 165, 178, 60, means),)
    return shapes


def _progress(red: int, blue: int) -> Scene:
    shapes: Scene = ()
    for row, (of, count, found) in enumerate(((RED, 9, red), (BLUE, 8, blue))):
        for place in range(count):
            x, y = 310 + place * 46, 72 + row * 104
            ink = style.EDGE if place >= found else None
            shapes += sign(of, x, y, 14, ink)
    return shapes


DRAWINGS: Final[dict[str, Scene]] = {
    "teams": (*_at_screen(RED, BLUE), *_table(RED, BLUE, RED, BLUE)),
    "group": (*_at_screen(RED), *_table(RED, RED, RED, RED)),
    "three": (*_at_screen(RED, BLUE), *grid(270, 15, 220, gap=5), *person(620, 90)),
    "lay": (
        *grid(60, 15, 220, gap=5),
        *card(380, 70, 150, 90, say("WAVE")),
        *arrow((370, 105), (240, 80)),
        *person(650, 30, RED),
        *person(650, 150, BLUE),
        *hand(172, 84),
    ),
    "key": _key_on_the_screen({**KEY}),
    "assets": _key_on_the_screen({cell: of for cell, of in ALIASES.items() if cell != 12}),
    "clue": _clue(RED),
    "clue-assets": _clue(BLUE),
    "guess": _hold(),
    "lights": _results((RED, GO_ON), (BYSTANDER, TURN_ENDS), (BLUE, TURN_ENDS), (ASSASSIN, LOST)),
    "hits": _results((BLUE, GO_ON), (DECOY, TURN_ENDS), (RED, TURN_ENDS)),
    "end": (
        *pad(40, 60),
        *hand(105, 92),
        *_progress(9, 5),
        *tick(724, 72, 16, style.ACCENT),
    ),
    "absent": (
        *device(50, 40, 170, 150),
        *grid(82, 62, 106, {1: BLUE}),
        *arrow((230, 115), (285, 160)),
        *_progress(9, 2),
        *tick(724, 72, 16, style.ACCENT),
    ),
    "nuke": (
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
    ),
}

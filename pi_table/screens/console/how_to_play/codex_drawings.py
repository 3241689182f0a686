"""The drawings for the pages on how to play Codex. Their words are in `lines/how_to_play.py`."""

from typing import Final

from pi_table.common.language import say
from pi_table.screens.console import style
from pi_table.screens.console.how_to_play.pictures import (
    EXAMPLES,
    PEEK,
    arrow,
    bubble,
    button,
    card,
    device,
    dots,
    envelope,
    eye,
    filling,
    fragment,
    hand,
    person,
    words,
)
from pi_table.screens.console.shapes import Rect, Scene
from pi_table.screens.console.symbols import tick

DRAWINGS: Final[dict[str, Scene]] = {
    "factions": (
        *(
            shape
            for place in range(6)
            for shape in (
                *person(85 + place * 118, 70),
                words(65 + place * 118, 98, 40, 48, "?"),
            )
        ),
        *fragment(110, 180, EXAMPLES[0]),
        *fragment(256, 180, "", open_=False),
        *fragment(402, 180, "", open_=False),
        words(550, 180, 180, 50, say("one code"), style.SOFT),
    ),
    "one-at-a-time": (
        *person(70, 90),
        *arrow((115, 110), (205, 110)),
        *device(225, 10, 280, 170),
        *dots(365, 70),
        *dots(365, 120),
        *button(570, 20, PEEK, held=True),
        *hand(624, 58),
        *eye(365, 216, shut=True),
    ),
    "message": (
        *person(90, 90),
        *arrow((150, 110), (300, 110)),
        *envelope(318, 82),
        *arrow((420, 110), (560, 110)),
        *person(640, 90),
        *fragment(294, 160, EXAMPLES[0]),
        words(40, 190, 100, 44, "?"),
    ),
    "codes": (
        *envelope(50, 40),
        *arrow((150, 68), (210, 68)),
        *fragment(230, 43, EXAMPLES[0]),
        *fragment(376, 43, EXAMPLES[1]),
        *fragment(522, 43, "", open_=False),
        words(230, 100, 132, 40, "1", style.SOFT),
        words(376, 100, 132, 40, "2", style.SOFT),
        words(522, 100, 132, 40, "3", style.SOFT),
        Rect(40, 160, 680, 76, style.SURFACE, radius=style.RADIUS),
        words(60, 160, 640, 76, say("Leader · and two other roles, each with a power")),
    ),
    "vote": (
        *person(80, 130),
        *bubble(20, 14, 190, 62, say("I am Red!"), (80, 104)),
        *person(300, 130),
        *bubble(240, 14, 190, 62, say("You lie!"), (300, 104)),
        *card(530, 10, 120, 96, "C1"),
        *filling(590, 106, 28, 0.7),
        *hand(590, 86),
    ),
    "machine": (
        *person(80, 80),
        *arrow((130, 110), (200, 110)),
        *device(215, 40, 150, 140),
        *dots(290, 110, 3),
        *arrow((380, 110), (450, 110)),
        *card(465, 70, 250, 80, say("Role: Leader")),
        *tick(690, 205, 16, style.ACCENT),
        *fragment(240, 192, EXAMPLES[0]),
        *fragment(386, 192, EXAMPLES[1]),
        *fragment(532, 192, EXAMPLES[2]),
    ),
}

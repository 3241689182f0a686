"""What the console shows: a pure function of its model and the time."""

from typing import Final

from pi_table.console import style
from pi_table.console.families import page_of_a_family
from pi_table.console.family import FamilyOfScreens
from pi_table.console.full_width import connecting, page
from pi_table.console.model import Model
from pi_table.console.screen import Help
from pi_table.console.shapes import Rect, Scene, Text, in_language
from pi_table.hal.contracts import Input
from pi_table.language import Words, say

_GROUND: Final = Rect(0, 0, style.WIDTH, style.HEIGHT, style.GROUND)


def scene(model: Model, now: float) -> Scene:
    """The whole screen, 800 by 480 pixels, at ``now`` (seconds), in the console's language."""
    return in_language((_GROUND, *_body(model, now)), model.lang)


def _body(model: Model, now: float) -> Scene:
    table, family = model.visible, model.family
    if table is None or family is None:
        return connecting(model.elsewhere)
    body = family.body(model, table, now)
    if body is None:
        body = page_of_a_family(model, table, now) or page(model, table)
    return body + _foot(model, family)


def _foot(model: Model, family: FamilyOfScreens) -> Scene:
    """How the game is played; and the two buttons beside the encoder, for those who use the screen
    by touch."""
    shapes: Scene = _button(style.PANEL_X, style.FOOT_HEIGHT, "?", Help())
    left = style.PANEL_X + style.FOOT_HEIGHT + style.GAP
    half = (style.PANEL_X + style.PANEL_WIDTH - left - style.GAP) // 2
    if len(model.screens) > 1:
        shapes += _button(left, half, say("Back"), Input.BACK)
    if model.can_peek:
        label = family.peek_label(model)
        shapes += _button(left + half + style.GAP, half, label, Input.PEEK)
    return shapes


def _button(x: int, w: int, label: Words, does: Input | Help) -> Scene:
    box = (x, style.FOOT_Y, w, style.FOOT_HEIGHT)
    return (
        Rect(*box, style.GROUND, style.EDGE, 2, style.RADIUS, target=does),
        Text(
            x + 6, style.FOOT_Y, w - 12, style.FOOT_HEIGHT, label, style.SMALL, style.SOFT, "centre"
        ),
    )

"""The picture of the console, and its brightness: pure functions of the model and the time."""

from typing import Final

from msgspec.structs import replace

from pi_table.common.house_settings import brightness
from pi_table.common.language import Words, say
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import AnyTableMessage, Presence
from pi_table.screens.console import style
from pi_table.screens.console.families import page_of_a_family
from pi_table.screens.console.full_width import page, waiting
from pi_table.screens.console.invitation import invitation
from pi_table.screens.console.layout import Box
from pi_table.screens.console.model import FamilyOfScreens, Model, remark
from pi_table.screens.console.screen import Help
from pi_table.screens.console.service.drawn import page_of_service
from pi_table.screens.console.service.pages import ScreenPage
from pi_table.screens.console.service.screen_pictures import edge_and_choices, whole_screen
from pi_table.screens.console.shapes import Rect, Scene, Text, in_language

MIN_PERCENT_IN_USE: Final = 40
"""Percent: the minimum brightness of the screen while it is used, so that it stays readable."""
ASLEEP: Final = 15
"""Percent: the maximum brightness of the invitation while the table is idle."""


def scene(model: Model, now: float) -> Scene:
    """Return the picture of the whole screen at ``now`` (seconds), in units and in the console's
    language."""
    model = replace(model, notice=remark(model, now))
    ground = Rect(0, 0, model.layout.width, model.layout.height, style.GROUND)
    return in_language((ground, *_body(model, now)), model.lang)


def _body(model: Model, now: float) -> Scene:
    table, family = model.visible, model.family
    if table is None or family is None:
        return waiting(model.layout, model.elsewhere, model.stopped)
    if model.invites(now):
        return invitation(model.layout, table, model.lang)
    whole = whole_screen(model.layout, model.screen, model.choices)
    if whole is not None:
        return whole
    body = _of_service(model, table) or family.body(model, table, now)
    if body is None:
        body = page_of_a_family(model, table, now) or page(model, table)
    return body + _foot(model, family)


def _of_service(model: Model, table: AnyTableMessage) -> Scene | None:
    """Draw a page of service mode. Return None for other screens, and for pages that are only a
    list."""
    layout, screen = model.layout, model.screen
    tried = page_of_service(layout, screen, table, model.notice)
    return tried or edge_and_choices(layout, screen, table, model.choices)


def _foot(model: Model, family: FamilyOfScreens) -> Scene:
    """Draw the buttons for help and, on the touch screen, PEEK and BACK.

    No other button is ever in the place of PEEK. Otherwise a second tap on that button could show a
    secret.
    """
    foot = model.layout.foot
    shapes: Scene = ()
    if model.can_peek:
        foot, peek = foot.split_across(0.42 * (foot.w - style.ROW - style.GAP) + style.ROW)
        shapes = _button(peek, family.peek_label(model), Input.PEEK)
    if len(model.screens) > 1:
        foot, back = foot.split_across(style.ROW)
        shapes += _button(back, say("Back"), Input.BACK)
    return (*_button(foot, "?", Help()), *shapes)


def _button(box: Box, label: Words, does: Input | Help) -> Scene:
    return (
        Rect(*box, style.GROUND, style.EDGE, 2, style.RADIUS, target=does),
        Text(*box.inset(4), label, style.SMALL, style.SOFT, "centre", group="foot"),
    )


def screen_brightness(model: Model, now: float, at: str) -> int:
    """Return the brightness in percent. ``at`` is the time of day (``22:30``), ``now`` is in
    seconds."""
    if model.table is None:
        return 100
    if isinstance(model.screen, ScreenPage):
        return model.screen.brightness
    in_use = max(MIN_PERCENT_IN_USE, brightness(model.table.house, at))
    sleeps = model.table.idle is Presence.IDLE and model.invites(now)
    return min(ASLEEP, in_use) if sleeps else in_use

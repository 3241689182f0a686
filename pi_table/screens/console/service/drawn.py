"""The drawing of those pages of service mode that are not only a list."""

from collections.abc import Iterator

from pi_table.common.geometry import (
    CELL_COUNT,
    PLACE_COUNT,
    SIDE,
    across,
    leds_of,
)
from pi_table.common.language import Words, say
from pi_table.protocols.ipc import service
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.protocols.ipc.service import How, InService, Pads
from pi_table.screens.console import style
from pi_table.screens.console.choice_lists import page_title, split, tiles
from pi_table.screens.console.layout import Box, Layout
from pi_table.screens.console.screen import AnyScreen
from pi_table.screens.console.service.names import COLOURS, HOW, INPUTS, PADS, name_of_light
from pi_table.screens.console.service.pages import KnobsPage, LightsPage, ServicePage, TouchPage
from pi_table.screens.console.shapes import Circle, Colour, Face, Rect, Scene, Shape, Text

RIM = 58
"""Units: the width of a strip at the left or right rim of the drawn table."""
LYING = 28
"""Units: the height of a strip at the upper or lower rim: the height of its text."""
SHOWN_INPUTS = 5
LIT = {
    service.Colour.RED: 0xFF3B30,
    service.Colour.GREEN: 0x34D058,
    service.Colour.BLUE: 0x4F8CFF,
    service.Colour.WHITE: 0xFFFFFF,
}
"""The screen colours that stand for the colours of the table's lights."""


def page_of_service(
    layout: Layout, screen: AnyScreen, table: AnyTableMessage, notice: Words | None
) -> Scene | None:
    """Draw the topmost screen if it is a page for lights, touch or knobs; else return None."""
    tried = table.service
    if tried is None or not isinstance(screen, LightsPage | TouchPage | KnobsPage):
        return None
    if isinstance(screen, TouchPage):
        return (*_touch(layout, tried.pads), _help(layout, screen, table, notice))
    beside = notice or (_current(tried) if isinstance(screen, LightsPage) else "")
    title = page_title(layout, screen.title(table), beside)
    if isinstance(screen, LightsPage):
        body = _lights(layout, screen, tried, table)
    else:
        body = _knobs(layout.page, screen)
    return (*title, *body, _help(layout, screen, table, None))


def _help(
    layout: Layout, screen: ServicePage, table: AnyTableMessage, notice: Words | None
) -> Text:
    box = layout.foot_text
    words = notice or screen.help(table)
    return Text(*box, words, style.SMALL, style.SOFT)


# Lights


def _current(tried: InService) -> Words:
    if tried.current_ma is None:
        return ""
    if tried.capped:
        return say("{current} mA: dimmed to the limit", current=tried.current_ma)
    return say("{current} mA", current=tried.current_ma)


def _lights(layout: Layout, screen: LightsPage, tried: InService, table: AnyTableMessage) -> Scene:
    lit = screen.current_lights(tried)
    page, below = split(layout.page, style.ROW)
    half = Box(page.x, page.y, page.w / 2 - style.MARGIN, page.h)
    right = Box(page.x + page.w / 2, page.y, page.w / 2, page.h)
    string = tried.string
    leds = frozenset[int]().union(*string) if lit.how is How.ALL else frozenset(string[lit.light])
    name = say("The whole table") if lit.how is How.ALL else name_of_light(string[lit.light])
    number = say("Light {number} of {count}", number=lit.light + 1, count=len(string))
    if lit.how is How.ALL:
        number = say("{count} lights", count=sum(map(bool, string)))
    said = say("{how}, {colour}", how=HOW[lit.how], colour=COLOURS[lit.colour])
    h = right.h / 3
    return (
        *_small_table(half, leds, LIT[lit.colour]),
        Text(right.x, right.y, right.w, h, number, 34, style.INK, face=Face.BOLD),
        Text(right.x, right.y + h, right.w, h, name, style.TITLE, style.ACCENT, face=Face.BOLD),
        Text(right.x, right.y + 2 * h, right.w, h, said, style.BODY, style.SOFT),
        *tiles(below, screen.choices(table), -1, 4),
    )


def _small_table(box: Box, lit: frozenset[int], colour: Colour) -> Scene:
    """Draw the places and their lights as seen from this screen. Lights in ``lit`` have ``colour``;
    the others are dark."""
    shapes: list[Shape] = []
    for place, at in _places(box):
        shapes.append(Rect(*at, style.SURFACE, radius=style.RADIUS))
        for number, led in enumerate(leds_of(place)):
            # Seen from across the table, a cell's far left light is at the near right.
            left, top = number not in (0, 3), number not in (2, 3)
            if place >= CELL_COUNT:
                left, top = number == 1, False
            x = at.x + at.w * (0.22 if left else 0.78)
            y = at.y + at.h * (0.5 if place >= CELL_COUNT else 0.76 if top else 0.24)
            on = led in lit
            shapes.append(Circle(x, y, 8 if on else 3, colour if on else style.EDGE))
    return tuple(shapes)


# Touch


def _touch(layout: Layout, pads: Pads | None) -> Scene:
    box = layout.whole_page
    if pads is None:
        words = say("Asking the touch grid…")
        return (Text(*box, words, style.BODY, style.SOFT, "centre"),)
    inner = box.inset(RIM + style.GAP, LYING + style.GAP)
    shapes: list[Shape] = []
    for place, at in _places(inner):
        shapes += _pad(at, place, pads)
    lying = box.w - 2 * (RIM + style.GAP)
    x, right = box.x + RIM + style.GAP, box.x + box.w - RIM
    far = Box(x, box.y + box.h - LYING, lying, LYING)
    strips = (
        far,
        Box(right, inner.y, RIM, inner.h),
        Box(box.x, inner.y, RIM, inner.h),
        Box(x, box.y, lying, LYING),
    )
    for strip, at in enumerate(strips, start=PLACE_COUNT):
        shapes += _strip(at, strip, pads)
    return tuple(shapes)


def _pad(box: Box, pad: int, pads: Pads) -> Iterator[Shape]:
    fill, ink, edge = _colours(pad, pads)
    yield Rect(*box, fill, edge, 2 if edge else 0, style.RADIUS)
    half = box.h / 2
    name = PADS[pad]
    w = box.w - 12
    yield Text(box.x + 6, box.y, 0.4 * w, half, name, style.SMALL, ink, face=Face.BOLD)
    counts = _counts(pad, pads)
    yield Text(box.x + 6 + 0.4 * w, box.y, 0.6 * w, half, counts, style.SMALL, ink, "right")
    below = _fault(pad, pads) or _most(pad, pads)
    yield Text(box.x + 6, box.y + half, w, half, below, style.SMALL, ink, "right")


def _strip(box: Box, pad: int, pads: Pads) -> Iterator[Shape]:
    fill, ink, edge = _colours(pad, pads)
    yield Rect(*box, fill, edge, 2 if edge else 0, style.RADIUS)
    words = _fault(pad, pads) or _most(pad, pads)
    if box.w > box.h:
        said = say("{pad}: {counts}   {more}", pad=PADS[pad], counts=_counts(pad, pads), more=words)
        yield Text(*box.inset(6), said, style.SMALL, ink, "centre")
        return
    y, h = box.y + box.h / 2 - 30, 30
    yield Text(box.x, y, box.w, h, _counts(pad, pads), style.SMALL, ink, "centre")
    yield Text(box.x, y + h, box.w, h, words, style.SMALL, ink, "centre")


def _counts(pad: int, pads: Pads) -> Words:
    delta = pads.deltas[pad]
    counts = "–" if delta is None else str(delta)
    return f"{counts}/{pads.thresholds[pad]}" if pads.thresholds else counts


def _most(pad: int, pads: Pads) -> Words:
    most = pads.most[pad]
    return "" if most is None else say("most {count}", count=most)


def _fault(pad: int, pads: Pads) -> Words | None:
    """Return the fault of a pad that feels nothing, as one word; None for a pad that works."""
    if pad in pads.noisy:
        return say("noisy")
    if pad in pads.deaf:
        return say("deaf") if pads.deltas[pad] is None else say("masked")
    return None if pads.deltas[pad] is not None else say("deaf")


def _colours(pad: int, pads: Pads) -> tuple[Colour, Colour, Colour | None]:
    """Return a pad's fill colour, text colour, and edge colour (None: no edge)."""
    if _fault(pad, pads) is not None:
        return style.GROUND, style.ACCENT, style.ACCENT
    delta = pads.deltas[pad] or 0
    threshold = pads.thresholds[pad] if pads.thresholds else 0
    if pad in pads.touched or (pad >= PLACE_COUNT and 0 < threshold <= delta):
        return style.ACCENT, style.ON_ACCENT, None
    feels = 0 < threshold <= 2 * delta
    return style.RAISED if feels else style.SURFACE, style.INK, None


# Knobs


def _knobs(box: Box, screen: KnobsPage) -> Scene:
    shapes: list[Shape] = []
    left = Box(box.x, box.y, box.w / 2 - style.MARGIN, box.h)
    counted = screen.counted
    pitch = box.h / len(INPUTS)
    for row, (given, name) in enumerate(INPUTS.items()):
        y = left.y + row * pitch
        is_last = screen.seen[-1:] == (given,)
        fill, ink = (style.ACCENT, style.ON_ACCENT) if is_last else (style.SURFACE, style.INK)
        shapes.append(Rect(left.x, y, left.w, pitch - style.GAP, fill, radius=style.RADIUS))
        at = Box(left.x, y, left.w, pitch - style.GAP).inset(14)
        shapes.append(Text(at.x, at.y, 0.75 * at.w, at.h, name, style.BODY, ink))
        count = str(counted.get(given, 0))
        x = at.x + 0.75 * at.w
        shapes.append(Text(x, at.y, 0.25 * at.w, at.h, count, style.BODY, ink, "right"))
    right = Box(box.x + box.w / 2, box.y, box.w / 2, box.h)
    if not screen.seen:
        words = say("Nothing came yet")
        shapes.append(Text(*right, words, style.BODY, style.SOFT, "centre"))
    latest = list(enumerate(screen.seen, start=1))[-SHOWN_INPUTS:]
    pitch = right.h / SHOWN_INPUTS
    for row, (number, given) in enumerate(reversed(latest)):
        words = say("{number}. {what}", number=number, what=INPUTS[given])
        y = right.y + row * pitch
        size, ink = (style.TITLE, style.INK) if row == 0 else (style.BODY, style.SOFT)
        shapes.append(Text(right.x, y, right.w, pitch, words, size, ink))
    return tuple(shapes)


# The table, seen from this screen


def _places(box: Box) -> Iterator[tuple[int, Box]]:
    """Yield each place and its box. The screen is at the far side of the table. So A1 is bottom
    right, the two pads are at the top, and the hourglass is at the left."""
    rows = SIDE + 1
    w = (box.w - (SIDE - 1) * style.GAP) / SIDE
    h = (box.h - (rows - 1) * style.GAP) / rows
    for cell in range(CELL_COUNT):
        row, column = divmod(across(cell), SIDE)
        x, y = box.x + column * (w + style.GAP), box.y + (row + 1) * (h + style.GAP)
        yield cell, Box(x, y, w, h)
    half = (box.w - style.GAP) / 2
    yield CELL_COUNT, Box(box.x + half + style.GAP, box.y, half, h)
    yield CELL_COUNT + 1, Box(box.x, box.y, half, h)

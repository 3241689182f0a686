"""The simulated table looks like the real one in a bar: its lengths, its light, and its cards."""

import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain, product
from pathlib import Path

import pygame
import pytest

from pi_table.common.geometry import (
    CELL_COUNT,
    END_TURN,
    HOURGLASS,
    LED_COUNT,
    PLACE_COUNT,
    PLACES,
    for_each_led,
)
from pi_table.common.light_layout import parse_layout, preset
from pi_table.games.cards.sheet import CARDS
from pi_table.lab.seeing.srgb import contrast
from pi_table.screens.console.painter import picture
from pi_table.screens.console.shapes import Line, Scene, Text, hit
from pi_table.simulator import glow
from pi_table.simulator.glow import CARD, SHEET, Lights, LitTable, light_surface
from pi_table.simulator.layout import (
    BETWEEN_HANDS,
    CELL_HEIGHT,
    CELL_WIDTH,
    HEIGHT,
    INK,
    MM,
    WHOLE,
    WIDTH,
    Grid,
)
from pi_table.simulator.scenario import Start
from pi_table.simulator.stage import Stage
from pi_table.simulator.table_scene import table_scene
from pi_table.simulator.whole import CONSOLE_X, CONSOLE_Y, HELP, whole
from pi_table.simulator.whole import WIDTH as WHOLE_WIDTH

ROOT = Path(__file__).parents[2]
RED, BLUE = 0xFF0000, 0x0000FF
COLOURS = (0, RED, BLUE, 0x00FF00, 0xFF8000, 0x8040FF, 0xFFFFFF)
BRIGHT = (1.0, 0.3, 0.05)
"""Shares of brightness at which people play: full, in the evening, at night."""
WORDS = [f"word {number}" for number in range(25)]
KEY = "rrrrrrrrrbbbbbbbbnnnnnnna"
READABLE = 7.0


def millimetres() -> dict[str, float]:
    text = (ROOT / "hardware/dimensions.toml").read_text("utf-8")
    return {name: length["mm"] for name, length in tomllib.loads(text).items()}


def colours(leds: tuple[int, ...], surface: glow.Surface) -> list[list[tuple[int, ...]]]:
    """The colours of a lit surface, row by row."""
    blend = light_surface((0, 0, 1, 1), Lights(leds), surface)
    points = [tuple(blend.colours[at : at + 3]) for at in range(0, len(blend.colours), 3)]
    return [points[at : at + blend.columns] for at in range(0, len(points), blend.columns)]


def number(parts: Iterable[int]) -> int:
    return int.from_bytes(bytes(parts), "big")


def test_the_lengths_are_those_of_the_hardware() -> None:
    mm = millimetres()
    right, near = mm["led_across"] / 2, mm["led_down"] / 2
    assert ((-right, -near), (right, -near), (right, near), (-right, near)) == glow.LEDS
    assert (mm["pitch_across"], mm["pitch_down"]) == glow.CELL
    assert (mm["electrode_across"], mm["electrode_down"]) == glow.ELECTRODE
    assert mm["wall"] == glow.WALL
    assert CARD.size == CARDS["63x88"]
    assert WHOLE.cell_width == pytest.approx(MM * mm["pitch_across"])
    x, y = WHOLE.middle(25)
    assert WHOLE.middle(2)[0] - x == pytest.approx(MM * mm["pads_from_middle"])
    assert y - WHOLE.middle(22)[1] == pytest.approx(MM * mm["pitch_down"])


def test_the_ring_is_as_uneven_as_the_photons_say() -> None:
    # enclosure/figures.txt: the darkest part of the ring has 13 % of the mean, the brightest 239 %
    mixtures, order = glow._mixtures(((0, 1, 2, 3),), glow.CORNERS, SHEET)
    columns, rows = SHEET.points
    ring = [mixtures[number][0] for number in order[:columns]]
    assert 10 < max(ring) / min(ring) < 28
    middle = mixtures[order[rows // 2 * columns + columns // 2]][0]
    assert middle < 0.01 * max(ring), "the electrode shades the middle"
    beside = mixtures[order[columns + columns // 2]][0]
    assert beside > 0.3 * ring[columns // 2], "and not the ring beside its longer edge"


def test_light_adds_up_and_a_red_light_stays_red() -> None:
    corner = colours((RED, 0, 0, 0), SHEET)[0][1]
    assert corner[0] > 240
    assert max(corner[1:]) < 90
    unlit = colours((0, 0, 0, 0), SHEET)[0]
    assert colours((RED, 0, 0, 0), SHEET)[-1][-2][0] - unlit[-2][0] < 40, "far from the LED"
    alike = colours((0xFF0000,) * 4, SHEET)
    nearly = colours((0xFF0000, 0xFE0000, 0xFD0000, 0xFC0000), SHEET)
    for one, other in zip(chain(*alike), chain(*nearly), strict=True):
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) < 5
    both = colours((RED, BLUE, RED, BLUE), SHEET)[0]
    assert [max(point) - min(point) > 150 for point in (both[1], both[-2])] == [True, True]
    assert both[1][0] > both[1][2]
    assert both[-2][2] > both[-2][0]


def test_a_card_is_readable_in_every_light() -> None:
    for colour, bright in product(COLOURS, BRIGHT):
        led = number(round(part * bright) for part in colour.to_bytes(3, "big"))
        for point in chain(*colours((led,) * 4, CARD)):
            assert contrast(number(point), INK) >= READABLE, hex(led)


@pytest.fixture
def laid() -> Iterator[Stage]:
    with Stage() as stage:
        stage.perform(Start({"profile": "codenames", "words": WORDS}))
        stage.advance(1.0)
        yield stage


def test_every_text_of_the_window_is_readable(laid: Stage) -> None:
    table = table_scene(laid.view, (0,) * LED_COUNT, "en", "a sentence")
    scene = whole(table, (), "en")
    bare = picture(
        tuple(each for each in scene if not isinstance(each, Text)), (WHOLE_WIDTH, HEIGHT)
    )
    for text in (each for each in scene if isinstance(each, Text)):
        middle = (text.x + text.w / 2 - 6, text.y + text.h / 2 - 6)
        ground = pygame.transform.average_color(bare, pygame.Rect(middle, (12, 12)))
        least = READABLE if text.text in (*WORDS, *HELP) else 4.5
        seen = contrast(number(ground[:3]), text.colour)
        assert seen >= least, text.text


def test_light_ends_at_round_walls() -> None:
    scene = table_scene(None, (RED,) * LED_COUNT, "en")
    x, y = WHOLE.corner(6)
    shown = picture(scene, (WIDTH, HEIGHT))
    corner, edge = (shown.get_at((x + across, y + 3)) for across in (2, 20))
    assert edge.r > 200 > 180 > corner.r


def test_names_and_signs_are_beside_their_places() -> None:
    scene = table_scene(None, (0,) * LED_COUNT, "en")
    texts = {str(each.text): each for each in scene if isinstance(each, Text)}
    for number in range(5):
        column, row = texts["ABCDE"[number]], texts["12345"[number]]
        assert column.x + column.w / 2 == WHOLE.middle(number)[0]
        assert row.y + row.h / 2 == pytest.approx(WHOLE.middle(5 * number)[1], abs=1)
    for pad, name, strokes in ((END_TURN, "end the turn", 4), (HOURGLASS, "hourglass", 5)):
        assert texts[name].x + texts[name].w / 2 == WHOLE.middle(pad)[0]
        assert len([*lines_on(scene, pad)]) == strokes
    for cell in range(CELL_COUNT):
        assert len([*lines_on(scene, cell)]) == 4, "the corners of a card's place"


def lines_on(scene: Scene, place: int) -> Iterator[Line]:
    """The engraved lines on a place."""
    left, top = WHOLE.corner(place)
    for line in scene:
        if isinstance(line, Line):
            x, y = line.points[0]
            if 0 <= x - left < CELL_WIDTH and 0 <= y - top < CELL_HEIGHT:
                yield line


def test_a_long_hand_takes_both_sides() -> None:  # DU-2
    with Stage() as stage:
        options = {"players": "cooperative"}
        game = {"profile": "deep-undercover", "options": options, "words": None, "key": KEY}
        assert stage.perform(Start(game | {"hands": {"red": WORDS, "blue": []}})) is None
        scene = table_scene(stage.view, (0,) * LED_COUNT, "en")
    hand = [each.x < WIDTH / 2 for each in scene if isinstance(each, Text) and each.text in WORDS]
    assert hand == [True] * 13 + [False] * 12


@pytest.mark.parametrize("grid", [WHOLE, BETWEEN_HANDS])
def test_every_place_is_touched_in_its_middle(grid: Grid) -> None:
    with Stage() as stage:
        if grid is BETWEEN_HANDS:
            hands = {"red": WORDS[:13], "blue": WORDS[13:]}
            game = {"profile": "deep-undercover", "hands": hands, "key": KEY}
            assert stage.perform(Start(game)) is None
        scene = table_scene(stage.view, (0,) * LED_COUNT, "en")
    assert [hit(scene, *grid.middle(place)) for place in range(PLACE_COUNT)] == [
        *range(PLACE_COUNT)
    ]


def test_the_hidden_screen_in_the_hood_is_that_of_the_product(laid: Stage) -> None:
    console = laid.console.scene(laid.now)
    scene = whole(table_scene(laid.view, (0,) * LED_COUNT, "en"), console, "en")
    shown = picture(scene, (WHOLE_WIDTH, HEIGHT)).subsurface((CONSOLE_X, CONSOLE_Y, 800, 480))
    assert pygame.image.tobytes(shown, "RGB") == pygame.image.tobytes(
        picture(console, (800, 480)), "RGB"
    )


def test_a_place_with_one_light_glows_evenly_round_its_middle() -> None:
    lit = LitTable((RED,) * LED_COUNT, preset("string-100"))
    for place in range(PLACE_COUNT):
        lights = lit.lights_of(place)
        assert lights.colours == (RED,)
        assert (lights.spots[0].x, lights.spots[0].y) == (0.0, 0.0)
    blend = light_surface((0, 0, 1, 1), lit.lights_of(0), SHEET)
    reds = [*blend.colours[::3]]
    rows = [reds[at : at + blend.columns] for at in range(0, len(reds), blend.columns)]
    assert rows == [row[::-1] for row in rows] == rows[::-1]
    rim = [*rows[0], *(row[0] for row in rows)]
    dark = number(colours((0,) * 4, SHEET)[0][0]) >> 16
    assert min(rim) > 1.5 * dark
    assert max(rim) < 1.25 * min(rim)
    tiles = [row[0] for row in colours((RED,) * 4, SHEET)[0]]
    assert max(tiles) > 1.25 * min(tiles)


def test_lights_at_the_sides_of_a_cell_lie_there() -> None:
    halves = [f"{name} {side}" for name in PLACES[:CELL_COUNT] for side in ("left", "right")]
    layout = parse_layout("\n".join([*halves, "end-turn", "hourglass"]), "file")
    frame = for_each_led([RED] * PLACE_COUNT)
    lights = LitTable(frame, layout).lights_of(3)
    assert [(spot.x, spot.y) for spot in lights.spots] == [(-42.0, 0.0), (42.0, 0.0)]

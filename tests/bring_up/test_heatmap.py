"""The heat map, as text and as a picture."""

import struct

from pi_table.devices.wire.settings import PAD_COUNT, PADS
from pi_table.maintenance.bring_up.heatmap import HEIGHT, WIDTH, WRONG, as_scene, as_text
from pi_table.maintenance.bring_up.pad_quality import Judgement, Quality
from pi_table.screens.console.painter import png
from pi_table.screens.console.shapes import Rect, Text

B3, E5, FAR = PADS.index("B3"), PADS.index("E5"), PADS.index("far")
FOUND = {
    **{pad: Judgement(pad, Quality.FINE, 16.0, 2.0) for pad in range(PAD_COUNT)},
    B3: Judgement(B3, Quality.WEAK, 6.0, 2.0),
    FAR: Judgement(FAR, Quality.FINE, 40.0, 2.0),
}
del FOUND[E5]


def test_the_text_has_the_table_as_the_operatives_see_it() -> None:
    assert as_text(FOUND).splitlines() == [
        "                      █40",
        "         A      B      C      D      E",
        "     1  ▅16    ▅16    ▅16    ▅16    ▅16",
        "     2  ▅16    ▅16    ▅16    ▅16    ▅16",
        " ▅16 3  ▅16    ✖6     ▅16    ▅16    ▅16  ▅16",
        "     4  ▅16    ▅16    ▅16    ▅16    ▅16",
        "     5  ▅16    ▅16    ▅16    ▅16     –",
        "         end-turn ▅16   hourglass ▅16",
        "                      ▅16",
    ]


def test_every_pad_has_a_place_of_its_own_in_the_picture() -> None:
    scene = as_scene(FOUND, "A title")
    boxes = [shape for shape in scene if isinstance(shape, Rect) and shape.radius]
    assert len(boxes) == PAD_COUNT
    for number, one in enumerate(boxes):
        assert one.x >= 0
        assert one.x + one.w <= WIDTH
        assert one.y + one.h <= HEIGHT
        for other in boxes[:number]:
            apart = one.x >= other.x + other.w or other.x >= one.x + one.w
            assert apart or one.y >= other.y + other.h or other.y >= one.y + one.h


def test_what_is_not_good_enough_stands_out_by_its_edge_and_its_word() -> None:
    scene = as_scene(FOUND, "A title")
    assert sum(isinstance(shape, Rect) and shape.line == WRONG for shape in scene) == 1
    words = [shape.text for shape in scene if isinstance(shape, Text)]
    assert words.count("weak") == words.count("not tried") == 1
    assert words[0] == "A title"


def test_more_counts_are_brighter() -> None:
    def brightness(delta: float) -> float:
        scene = as_scene({0: Judgement(0, Quality.FINE, delta, 1.0)}, "")
        box = next(shape for shape in scene if isinstance(shape, Rect) and shape.radius)
        fill = box.fill or 0
        return 0.3 * (fill >> 16) + 0.6 * (fill >> 8 & 0xFF) + 0.1 * (fill & 0xFF)

    deltas = [brightness(delta) for delta in range(0, 33, 4)]
    assert deltas == sorted(deltas)
    assert len({*deltas}) == len(deltas)


def test_the_picture_is_a_png_of_its_size() -> None:
    picture = png(as_scene(FOUND, "A title"), (WIDTH, HEIGHT))
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (WIDTH, HEIGHT)

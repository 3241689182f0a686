"""Shapes on a surface, looked at pixel by pixel where that says something."""

import pygame
import pytest

from pi_table.screens.console.painter import measure, paint, picture, png
from pi_table.screens.console.shapes import Circle, Line, Polygon, Rect, Scene, Shape, Text

WHITE = 0xFFFFFF


def pixel(surface: pygame.Surface, x: int, y: int) -> int:
    red, green, blue, _ = surface.get_at((x, y))
    return red << 16 | green << 8 | blue


PAINTED: list[tuple[Shape, tuple[int, int], tuple[int, int]]] = [
    (Rect(10, 10, 20, 10, WHITE), (10, 10), (30, 10)),
    (Rect(10, 10, 20, 10, WHITE), (29, 19), (29, 20)),
    (Rect(10, 10, 20, 10, line=WHITE, thick=2), (11, 15), (12, 15)),
    (Rect(10, 10, 20, 20, WHITE, radius=8), (20, 10), (10, 10)),
    (Rect(10, 10, 20, 20, line=WHITE, thick=3, radius=8), (20, 11), (20, 20)),
    (Circle(20, 20, 8, WHITE), (20, 20), (27, 27)),
    (Circle(20, 20, 8, line=WHITE, thick=3), (13, 20), (20, 20)),
    (Polygon(((10, 10), (30, 10), (10, 30)), WHITE), (12, 12), (28, 28)),
    (Line(((10, 10), (30, 10), (30, 30)), WHITE, 4), (30, 11), (12, 20)),
    (Line(((10, 10), (30, 30)), WHITE, 10), (22, 17), (26, 14)),  # as thick as a straight one
]


@pytest.mark.parametrize(("shape", "inside", "outside"), PAINTED)
def test_a_shape_covers_what_it_should_and_no_more(
    shape: Shape, inside: tuple[int, int], outside: tuple[int, int]
) -> None:
    painted = picture((shape,), (40, 40))
    assert pixel(painted, *inside) == WHITE
    assert pixel(painted, *outside) == 0


def test_edges_of_what_is_round_are_smooth_and_of_its_own_colour() -> None:
    painted = picture((Rect(0, 0, 40, 40, WHITE), Circle(20, 20, 12, 0xFF0000)), (40, 40))
    colours = {pixel(painted, x, y) for x in range(40) for y in range(40)}
    edge = colours - {WHITE, 0xFF0000}
    assert len(edge) > 5
    assert all(colour >> 16 >= 0xFC for colour in edge)  # no dark rim between red and white


@pytest.mark.parametrize("align", ["left", "centre", "right"])
def test_text_stands_where_its_box_is(align: str) -> None:
    text = Text(50, 20, 100, 30, "HIH", 20, WHITE, align)  # type: ignore[arg-type]
    box = ink(picture((text,), (200, 70)))
    middle = {"left": 50 + box.w / 2, "centre": 100, "right": 150 - box.w / 2}[align]
    assert abs(box.centerx - middle) <= 2
    assert abs(box.centery - 35) <= 1


def test_squeezed_and_broken_text_stays_in_its_box() -> None:
    for words in ("INCOMPREHENSIBILITIES", "two words", "W" * 40):
        text = Text(20, 20, 90, 40, words, 22, WHITE, "centre", 14)
        assert pygame.Rect(20, 20, 90, 40).contains(ink(picture((text,), (150, 90))))


def test_a_scene_can_be_painted_elsewhere_on_a_surface() -> None:
    scene: Scene = (Rect(0, 0, 10, 10, WHITE), Circle(20, 5, 4, WHITE))
    surface = pygame.Surface((60, 40))
    paint(surface, scene, (30, 20))
    assert ink(surface) == ink(picture(scene, (60, 40))).move(30, 20)


def test_a_picture_is_a_png_of_the_size_asked_for() -> None:
    file = png((Rect(0, 0, 10, 10, WHITE),), (80, 48))
    assert file.startswith(b"\x89PNG")
    assert (int.from_bytes(file[16:20], "big"), int.from_bytes(file[20:24], "big")) == (80, 48)


def test_type_is_measured_in_pixels_and_grows_with_its_size() -> None:
    assert 0 < measure("word", 14) < measure("word", 28) < measure("words", 28)


def ink(surface: pygame.Surface) -> pygame.Rect:
    """The smallest box around everything that is not black."""
    return (
        pygame.mask.from_threshold(surface, (255, 255, 255), (200, 200, 200, 255))
        .get_bounding_rects()[0]
        .unionall(
            pygame.mask.from_threshold(
                surface, (255, 255, 255), (200, 200, 200, 255)
            ).get_bounding_rects()
        )
    )

"""The pictures of the pages are those that the sources make."""

import io

import pygame
import pytest
from golden_pictures import MAX_STEPS, furthest
from page_pictures import PAGES, pictures
from PIL import Image

PICTURES = dict(pictures())
MAX_TABLE_BYTES = 100_000
AGAIN = "PYTHONPATH=tests:. .venv/bin/python tests/web/page_pictures.py makes them anew"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_its_source_makes_it(name: str) -> None:
    kept, drawn = (PAGES / name).read_bytes(), PICTURES[name]()
    if name.endswith("table.png"):  # another SDL smooths it otherwise
        assert len(kept) < MAX_TABLE_BYTES
        assert furthest(_surface(kept), _surface(drawn)).steps <= MAX_STEPS, AGAIN
    elif name.endswith(".png"):  # another Pillow may pack the same pixels otherwise
        assert _pixels(kept) == _pixels(drawn), AGAIN
    else:
        assert kept == drawn, AGAIN


def test_no_picture_is_left_over() -> None:
    kept = {str(path.relative_to(PAGES)) for path in (PAGES / "how").rglob("*.*")}
    assert kept == {name for name in PICTURES if name.startswith("how/")}


def _surface(png: bytes) -> pygame.Surface:
    with Image.open(io.BytesIO(png)) as image:
        return pygame.image.frombytes(image.convert("RGB").tobytes(), image.size, "RGB")


def _pixels(png: bytes) -> tuple[tuple[int, int], bytes]:
    with Image.open(io.BytesIO(png)) as image:
        return image.size, image.convert("RGB").tobytes()

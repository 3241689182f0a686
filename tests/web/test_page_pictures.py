"""The pictures of the pages are those that the sources make."""

import io

import pytest
from page_pictures import PAGES, pictures
from PIL import Image

PICTURES = dict(pictures())
AGAIN = "PYTHONPATH=tests:. .venv/bin/python tests/web/page_pictures.py makes them anew"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_its_source_makes_it(name: str) -> None:
    kept = (PAGES / name).read_bytes()
    if name.endswith(".png"):  # another Pillow may pack the same pixels otherwise
        assert _pixels(kept) == _pixels(PICTURES[name]), AGAIN
    else:
        assert kept == PICTURES[name], AGAIN


def test_no_picture_is_left_over() -> None:
    kept = {str(path.relative_to(PAGES)) for path in (PAGES / "how").rglob("*.svg")}
    assert kept == {name for name in PICTURES if name.startswith("how/")}


def _pixels(png: bytes) -> tuple[tuple[int, int], bytes]:
    with Image.open(io.BytesIO(png)) as image:
        return image.size, image.convert("RGB").tobytes()

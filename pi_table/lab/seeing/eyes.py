"""`pi-table eyes`: pictures as people with each kind of colour vision see them, and as they look in
a dim bar."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

from PIL import Image, ImageFilter

from pi_table.common.errors import InputError
from pi_table.common.language import Say, say
from pi_table.lab.seeing.srgb import dim_light
from pi_table.lab.seeing.vision import Vision, simulate_vision

BAR: Final = "dim-bar"
LIGHT: Final = 0.2
"""Share of a picture's light that reaches an eye in a dim bar."""
BLUR: Final = 2
"""Radius in pixels of the blur, as for an eye that is out of focus."""


def write_all(pictures: Sequence[Path], folder: Path) -> Iterator[Path]:
    """Write several copies of each picture: one for each kind of colour blindness, and one for a
    dim bar.

    Yield their paths. Raises InputError if a file is not a picture.
    """
    loaded = [(path.stem, _load(path)) for path in pictures]
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in loaded:
        for vision in Vision:
            if vision is not Vision.NORMAL:
                changed = recolour(picture, partial(simulate_vision, vision=vision))
                yield _save(changed, folder / f"{name}.{vision}.png")
        yield _save(in_a_dim_bar(picture), folder / f"{name}.{BAR}.png")


def in_a_dim_bar(picture: Image.Image) -> Image.Image:
    blurred = picture.filter(ImageFilter.BoxBlur(BLUR))
    return recolour(blurred, partial(dim_light, share=LIGHT))


def recolour(picture: Image.Image, change: Callable[[int], int]) -> Image.Image:
    """Return a copy of the picture in which ``change`` is applied to each colour 0xRRGGBB."""
    data = picture.tobytes()

    @cache
    def change_pixel(pixel: bytes) -> bytes:
        return change(int.from_bytes(pixel, "big")).to_bytes(3, "big")

    pixels = (change_pixel(data[at : at + 3]) for at in range(0, len(data), 3))
    return Image.frombytes("RGB", picture.size, b"".join(pixels))


def _load(path: Path) -> Image.Image:
    try:
        with Image.open(path) as picture:
            return picture.convert("RGB")
    except OSError as error:
        why = (error.strerror and Say(error.strerror)) or say("no kind of picture is recognised")
        raise InputError(
            say(
                "{path} cannot be read as a picture: {why}. Check its path and rights.",
                path=path,
                why=why,
            )
        ) from None


def _save(picture: Image.Image, path: Path) -> Path:
    picture.save(path)
    return path

"""Paints, and a scene of the path tracer, for the picture of an evening."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import mitsuba
import numpy as np
from numpy.typing import NDArray
from PIL import Image

mitsuba.set_variant("scalar_rgb")
Array: TypeAlias = NDArray[np.float64]
Colour: TypeAlias = Sequence[float]
Transform: Final = mitsuba.ScalarTransform4f


@dataclass(frozen=True, eq=False)
class Paint:
    """The look of a surface."""

    colour: Colour | Array
    """A colour, or a drawing, as reflected light from 0 to 1."""
    gloss: float | None = None
    """Roughness of a varnish; None for a matt surface."""
    is_metal: bool = False


def wood(light: Colour, dark: Colour, seed: int) -> Array:
    """Return a drawing of wood, with its grain from left to right."""
    chance = np.random.default_rng(seed)

    def noise(down: int, across: int) -> Array:
        spots = chance.normal(size=(1024 // down + 4, 1024 // across + 4)).astype(np.float32)
        return np.asarray(Image.fromarray(spots).resize((1024, 1024), Image.Resampling.BICUBIC))

    rings = np.arange(1024)[:, None] / 73 + 1.2 * noise(256, 128) + 0.12 * noise(64, 32)
    share = 0.55 * (0.5 + 0.5 * np.sin(2 * np.pi * rings)) ** 2
    share = share + 0.25 * (0.5 + 0.2 * noise(2, 64)) + 0.2 * (0.5 + 0.25 * noise(1, 16))
    share = np.clip(share, 0, 1)[..., None]
    return np.array(light) * (1 - share) + np.array(dark) * share


PLIES: Final = np.repeat([[[0.2, 0.11, 0.05]], [[0.1, 0.05, 0.025]]] * 3, 8, axis=0)
"""Edge of plywood, burnt by the laser: three light and three dark layers."""
BIRCH: Final = Paint(wood((0.66, 0.46, 0.26), (0.52, 0.33, 0.165), 1), 0.25)
EDGE: Final = Paint(PLIES)
OAK: Final = Paint(wood((0.13, 0.055, 0.024), (0.06, 0.022, 0.011), 2), 0.12)
BOARDS: Final = Paint(wood((0.06, 0.028, 0.014), (0.03, 0.012, 0.006), 3), 0.2)
BLACK: Final = Paint((0.018, 0.018, 0.02), 0.3)
METAL: Final = Paint((0.9, 0.9, 0.9), 0.18, is_metal=True)
SHADE: Final = Paint((0.03, 0.03, 0.03))
PLASTER: Final = Paint((0.05, 0.075, 0.07))
BEER: Final = Paint((0.55, 0.24, 0.03), 0.05)
WINE: Final = Paint((0.2, 0.012, 0.02), 0.05)
FOAM: Final = Paint((0.75, 0.68, 0.55))


class Scene:
    """Things that the path tracer shows. With ``plain``, every surface shines in its own colour:
    this second picture shows the denoiser where edges and letters are."""

    def __init__(self, plain: bool) -> None:
        self.plain = plain
        self.things: dict[str, Any] = {"type": "scene"}

    def add(self, kind: str, paint: Paint, light: Colour | Array | None = None, **how: Any) -> None:
        """Add a shape of the path tracer; ``light`` is the light that it gives."""
        how |= self._looks(paint, light)
        self.things[f"thing-{len(self.things)}"] = {"type": kind, **how}

    def add_mesh(
        self,
        corners: Array,
        faces: Array,
        paint: Paint,
        light: Array | None = None,
        drawn: Array | None = None,
    ) -> None:
        """Add triangles. ``drawn`` has the corners' places in the drawings; without, the surface is
        smooth."""
        looks = mitsuba.Properties()
        for name, look in self._looks(paint, light).items():
            looks[name] = mitsuba.load_dict(look)
        looks["face_normals"] = drawn is not None
        shape = mitsuba.Mesh(
            "mesh", len(corners), len(faces), looks, drawn is None, drawn is not None
        )
        inside = mitsuba.traverse(shape)
        inside["vertex_positions"] = np.ravel(corners).astype(np.float32)
        inside["faces"] = np.ravel(faces).astype(np.uint32)
        if drawn is not None:
            inside["vertex_texcoords"] = np.ravel(drawn).astype(np.float32)
        inside.update()
        self.things[f"thing-{len(self.things)}"] = shape

    def add_post(
        self, at: Colour, radius: float, height: float, paint: Paint, top: Paint | None = None
    ) -> None:
        """Add an upright cylinder with a lid."""
        end = [at[0], at[1], at[2] + height]
        self.add("cylinder", paint, p0=[*at], p1=end, radius=radius)
        self.add("disk", top or paint, to_world=Transform().translate(end).scale(radius))

    def _looks(self, paint: Paint, light: Colour | Array | None) -> dict[str, Any]:
        colour = drawing(paint.colour)
        if self.plain:
            bright = paint.colour if light is None or paint.colour is not BLACK.colour else (1,) * 3
            return {"emitter": {"type": "area", "radiance": drawing(bright)}}
        surface: dict[str, Any] = {"type": "diffuse", "reflectance": colour}
        if paint.is_metal:
            surface = {"type": "roughconductor", "material": "Al", "alpha": paint.gloss}
        elif paint.gloss is not None:
            kind = {"type": "roughplastic", "alpha": paint.gloss, "int_ior": 1.4}
            surface = {**kind, "diffuse_reflectance": colour}
        shown: dict[str, Any] = {"bsdf": {"type": "twosided", "bsdf": surface}}
        if light is not None:
            shown["emitter"] = {"type": "area", "radiance": drawing(light)}
        return shown


def drawing(colour: Colour | Array) -> dict[str, Any]:
    """Return a colour or a drawing as the path tracer takes it."""
    if isinstance(colour, np.ndarray):
        pixels = mitsuba.Bitmap(np.ascontiguousarray(colour.astype(np.float32)))
        return {"type": "bitmap", "bitmap": pixels, "raw": True}
    return {"type": "rgb", "value": [*colour]}

"""Still and moving pictures of a simulated table, of its hidden screen, or of both."""

import os
from pathlib import Path
from typing import Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from PIL import Image

from pi_table.screens.console.painter import pixels, png
from pi_table.screens.console.shapes import Rect, Scene
from pi_table.screens.console.style import HEIGHT as CONSOLE_HEIGHT
from pi_table.screens.console.style import WIDTH as CONSOLE_WIDTH
from pi_table.simulator.layout import HEIGHT, WIDTH
from pi_table.simulator.stage import Stage
from pi_table.simulator.table_scene import table_scene
from pi_table.simulator.whole import WIDTH as WHOLE_WIDTH
from pi_table.simulator.whole import whole

SIZES: Final = {
    "table": (WIDTH, HEIGHT),
    "console": (CONSOLE_WIDTH, CONSOLE_HEIGHT),
    "both": (WHOLE_WIDTH, HEIGHT),
}
"""For each kind of picture, its width and height in pixels."""
FRAMES_A_SECOND: Final = 10
SHRUNK: Final = 0.6
"""Width and height of a moving picture, as a share of those of a still picture."""
COLOURS: Final = 255
SAMPLES: Final = 12
"""Maximum number of frames from which the palette of a moving picture is chosen."""
SKIN: Final = 0xD9A688
NAIL: Final = 0xF0CDB8
OUTLINE: Final = 0x5A3C2C


def write_picture(stage: Stage, of: str, path: Path) -> None:
    """Write a PNG of what ``of`` names: the ``table``, the ``console``, or ``both``."""
    path.write_bytes(png(_scene(stage, of), SIZES[of]))


class Film:
    """A moving picture of the ``table``, the ``console``, or ``both``. It ends at the time ``end``
    (seconds)."""

    def __init__(self, of: str, path: Path, begin: float, seconds: float) -> None:
        self.next_at = begin
        self.end = begin + seconds
        self._begin = begin
        self._of = of
        self._path = path
        self._frames: list[Image.Image] = []

    def take(self, stage: Stage, fingers: set[int]) -> None:
        """Add a frame of the present moment, with a finger drawn on each place in ``fingers``."""
        size = SIZES[self._of]
        small = round(size[0] * SHRUNK), round(size[1] * SHRUNK)
        scene = _scene(stage, self._of, fingers)
        self._frames.append(Image.frombytes("RGB", small, pixels(scene, size, small)))
        self.next_at = self._begin + len(self._frames) / FRAMES_A_SECOND

    def write(self) -> None:
        """Write the frames as an animated GIF that repeats endlessly."""
        # All frames have one palette. Otherwise constant areas would flicker. A few frames are
        # enough to choose its colours.
        some = self._frames[:: -(-len(self._frames) // SAMPLES)]
        strip = Image.new("RGB", (some[0].width, len(some) * some[0].height))
        for number, frame in enumerate(some):
            strip.paste(frame, (0, number * frame.height))
        # An octree keeps the lights' colours, though few pixels have them.
        palette = strip.quantize(COLOURS, Image.Quantize.FASTOCTREE)
        flat = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in self._frames]
        flat[0].save(
            self._path,
            save_all=True,
            append_images=flat[1:],
            duration=1000 // FRAMES_A_SECOND,
            loop=0,
        )


def _scene(stage: Stage, of: str, fingers: set[int] | None = None) -> Scene:
    lang = stage.console.lang
    view, caption = stage.screen.view(stage.now), stage.screen.caption(stage.now, lang)
    table = table_scene(view, stage.device.shown, lang, caption, stage.screen.service)
    console = stage.console.scene(stage.now)
    for place in fingers or ():
        table += _hand(table, place)
    if of == "table":
        return table
    return console if of == "console" else whole(table, console, lang)


def _hand(table: Scene, place: int) -> Scene:
    """Return the drawing of a hand. Its fingertip is low on the place, so the word on the card can
    be read."""
    box = next(shape for shape in table if isinstance(shape, Rect) and shape.target == place)
    x, y = box.x + box.w / 2, box.y + box.h * 0.62
    return (
        Rect(x - 18, y + 96, 118, 92, SKIN, OUTLINE, 2, 30),
        *(Rect(x + 14 + 28 * n, y + 74 + 5 * n, 30, 62, SKIN, OUTLINE, 2, 15) for n in range(3)),
        Rect(x - 17, y, 34, 150, SKIN, OUTLINE, 2, 17),
        Rect(x - 9, y + 6, 18, 22, NAIL, None, 0, 9),
        Rect(x - 15, y + 118, 80, 66, SKIN, None, 0, 24),
    )

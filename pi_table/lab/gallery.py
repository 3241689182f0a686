"""The gallery: every light scene as a moving picture, and all scenes together on one sheet."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import msgspec
from PIL import Image, ImageDraw

from pi_table.common.errors import InputError
from pi_table.common.language import Lang, say, system_says
from pi_table.common.light_layout import read_layout
from pi_table.lab.clips import CLIPS, Clip
from pi_table.screens.console.painter import pixels
from pi_table.simulator import scenario
from pi_table.simulator.layout import HEIGHT, WIDTH
from pi_table.simulator.stage import InstantTable, Stage
from pi_table.simulator.table_scene import table_scene

FRAMES_PER_SECOND: Final = 20
SIZE: Final = (WIDTH // 2, HEIGHT // 2)
COLUMNS: Final = 12
SHEET_FRAMES: Final = 3
"""Number of frames of each clip that the sheet shows."""
NAME_HEIGHT: Final = 22


def write_gallery(
    out: Path,
    lang: Lang = "en",
    written: Callable[[str], None] = lambda name: None,
    layout: str = "tiles",
) -> None:
    """Write to ``out``: an animated PNG for each clip, ``contact-sheet.png``, and ``scenes.jsonl``.

    ``written`` is called with the name of each finished clip. ``layout`` is the layout of the
    lights. Raises InputError for a layout with an error, and if the folder cannot be written to.
    """
    read_layout(layout)
    try:
        out.mkdir(parents=True, exist_ok=True)
        strips = []
        with open(out / "scenes.jsonl", "wb") as scenes:
            for clip in CLIPS:
                frames = list(_frames(clip, lang, layout))
                file = f"{clip.name}.png"
                frames[0].save(
                    out / file,
                    save_all=True,
                    append_images=frames[1:],
                    duration=1000 // FRAMES_PER_SECOND,
                    loop=0,
                )
                scene = {"name": clip.name, "seconds": clip.seconds, "file": file}
                scenes.write(msgspec.json.encode(scene) + b"\n")
                written(clip.name)
                steps = range(1, 2 * SHEET_FRAMES, 2)
                strips.append(
                    (clip, [frames[len(frames) * n // (2 * SHEET_FRAMES)] for n in steps])
                )
        _sheet(strips).save(out / "contact-sheet.png")
    except OSError as error:
        raise InputError(
            say(
                "{out} cannot be written: {strerror}. Name another folder.",
                out=out,
                strerror=system_says(error) if error.strerror else error,
            )
        ) from None


def moments(
    clip: Clip, a_second: int, layout: str = "tiles"
) -> Iterator[tuple[float, Stage, InstantTable]]:
    """Play a clip; yield ``a_second`` moments for each of its seconds.

    A moment is the time in seconds, the whole simulated table, and its device. The device's
    attribute ``shown`` has the lights.
    """
    device = InstantTable(layout=layout)
    lines = [msgspec.json.encode(line).decode() for line in clip.lines]
    steps = list(scenario.read_scenario(lines))
    with Stage("own", device=device) as stage:
        for number in range(round(clip.seconds * a_second)):
            now = clip.start + number / a_second
            while steps and steps[0].at <= now:
                step = steps.pop(0)
                stage.advance(step.at)
                stage.perform(step.what)
            stage.advance(now)
            if number == 0 and clip.hands is not None:
                clip.hands(device)
            yield now, stage, device


def _frames(clip: Clip, lang: Lang, layout: str) -> Iterator[Image.Image]:
    for now, stage, device in moments(clip, FRAMES_PER_SECOND, layout):
        caption = stage.screen.caption(now, lang)
        scene = table_scene(
            stage.screen.view(now), device.shown, lang, caption, layout=device.layout
        )
        yield Image.frombytes("RGB", SIZE, pixels(scene, (WIDTH, HEIGHT), SIZE))


def _sheet(strips: list[tuple[Clip, list[Image.Image]]]) -> Image.Image:
    width, height = SIZE[0] // 2, SIZE[1] // 2 + NAME_HEIGHT
    across = COLUMNS // SHEET_FRAMES
    rows = -(-len(strips) // across)
    sheet = Image.new("RGB", (COLUMNS * width, rows * height), (12, 10, 8))
    draw = ImageDraw.Draw(sheet)
    for number, (clip, frames) in enumerate(strips):
        row, column = divmod(number, across)
        x, y = column * SHEET_FRAMES * width, row * height
        draw.text((x + 8, y + 4), clip.name, (230, 220, 200))
        for moment, frame in enumerate(frames):
            small = frame.resize((width - 6, height - NAME_HEIGHT - 4))
            sheet.paste(small, (x + moment * width, y + NAME_HEIGHT))
    return sheet

"""Pictures of a simulated table, its hidden screen, or both."""

import os
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from pi_table.console.painter import png
from pi_table.console.style import HEIGHT as CONSOLE_HEIGHT
from pi_table.console.style import WIDTH as CONSOLE_WIDTH
from pi_table.simulator.layout import HEIGHT, WIDTH
from pi_table.simulator.stage import Stage
from pi_table.simulator.table_scene import table_scene
from pi_table.simulator.whole import WIDTH as WHOLE_WIDTH
from pi_table.simulator.whole import whole


def write_picture(stage: Stage, of: str, path: Path) -> None:
    """Write a PNG of the ``table``, the ``console`` or ``both`` as they are now."""
    lang = stage.console.lang
    view, caption = stage.screen.view(stage.now), stage.screen.caption(stage.now, lang)
    table = table_scene(view, stage.device.shown, lang, caption, stage.screen.service)
    console = stage.console.scene(stage.now)
    if of == "table":
        picture = png(table, (WIDTH, HEIGHT))
    elif of == "console":
        picture = png(console, (CONSOLE_WIDTH, CONSOLE_HEIGHT))
    else:
        picture = png(whole(table, console, lang), (WHOLE_WIDTH, HEIGHT))
    path.write_bytes(picture)

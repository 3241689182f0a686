"""A demonstration game in the terminal: the whole table in virtual time, shown at life's pace."""

import time
from collections.abc import Iterator, Sequence
from importlib.resources import files

from msgspec.structs import replace
from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from pi_table.announcer.status import status
from pi_table.geometry import CELLS, SIDE
from pi_table.hal.simulated import of_places
from pi_table.language import Lang, Say, written
from pi_table.rules.word_games.key import Identity
from pi_table.rules.word_games.views import PublicView, known
from pi_table.simulator import scenario
from pi_table.simulator.stage import Device, Stage

FRAMES_A_SECOND = 20
CELL_WIDTH = 13
SIGNS = {
    Identity.RED: "●",
    Identity.BLUE: "◆",
    Identity.BYSTANDER: "○",
    Identity.ASSASSIN: "✖",
}


def demonstrate(terminal: Console, device: Device | None = None, lang: Lang = "en") -> None:
    """Play the demonstration in a language; where nobody can be watching, show its stations without
    waiting. ``device`` is the table's, None: one that feels and shows at once."""
    if not terminal.is_terminal:
        for saying, stage in _stations(lang, device):
            terminal.print(picture(stage, saying))
        return
    with Live(console=terminal, refresh_per_second=FRAMES_A_SECOND, screen=True) as live:
        last = None
        for saying, stage in _frames(lang, device):
            live.update(last := picture(stage, saying))
            time.sleep(1 / FRAMES_A_SECOND)
    if last is not None:
        terminal.print(last)


def steps(lang: Lang = "en") -> list[scenario.Step]:
    """The demonstration game as a scenario, in a language: what is said in it, its words, its
    clues."""
    text = files("pi_table.simulator").joinpath("demonstration.jsonl").read_text("utf-8")
    return [_in_language(step, lang) for step in scenario.read_scenario(text.splitlines())]


def _in_language(step: scenario.Step, lang: Lang) -> scenario.Step:
    match step.what:
        case scenario.Say(sentence):
            return replace(step, what=scenario.Say(written(Say(sentence), lang)))
        case scenario.Start(game):
            words = [written(Say(word), lang) for word in game["words"]]
            given = {**game, "words": words, "options": {"lang": lang}}
            return replace(step, what=scenario.Start(given))
        case scenario.Act(do) if "word" in do:
            clue = {**do, "word": written(Say(do["word"]), lang)}
            return replace(step, what=scenario.Act(clue))
    return step


def _stations(lang: Lang = "en", device: Device | None = None) -> Iterator[tuple[str, Stage]]:
    """The table at each saying, as it stands just before the next."""
    saying = ""
    with Stage(device=device) as stage:
        for step in steps(lang):
            stage.advance(step.at)
            if isinstance(step.what, scenario.Say):
                if saying:
                    yield saying, stage
                saying = step.what.sentence
            stage.perform(step.what)
        yield saying, stage


def _frames(lang: Lang, device: Device | None = None) -> Iterator[tuple[str, Stage]]:
    """The table at each frame of the demonstration."""
    saying = ""
    with Stage(device=device) as stage:
        for step in steps(lang):
            while stage.now + 1 / FRAMES_A_SECOND < step.at:
                stage.advance(stage.now + 1 / FRAMES_A_SECOND)
                yield saying, stage
            stage.advance(step.at)
            stage.perform(step.what)
            if isinstance(step.what, scenario.Say):
                saying = step.what.sentence
        yield saying, stage


def picture(stage: Stage, saying: str) -> RenderableType:
    """The table as the operatives see it, who is doing what, and what is said about it."""
    view = stage.view
    if not isinstance(view, PublicView):
        return Text(saying)
    said = Text(saying, style="italic", justify="center")
    now = Text(written(status(view), stage.console.lang), style="bold", justify="center")
    width = SIDE * CELL_WIDTH
    return Align.center(
        Group(
            Padding(now, (1, 0)),
            _grid(view, of_places(stage.device.shown)),
            Padding(said, (1, 0)),
        ),
        width=width + 2,
    )


def _grid(view: PublicView, lights: Sequence[int]) -> Grid:
    grid = Grid.grid(padding=(0, 0))
    for _ in range(SIDE):
        grid.add_column(width=CELL_WIDTH)
    for row in range(SIDE):
        grid.add_row(*(_cell(view, lights, cell) for cell in range(row * SIDE, row * SIDE + SIDE)))
    return grid


def _cell(view: PublicView, lights: Sequence[int], cell: int) -> Text:
    name = CELLS[cell]
    seen = view.cells[name]
    light = lights[cell]
    channels = (light >> 16 & 0xFF, light >> 8 & 0xFF, light & 0xFF)
    dark = 0.3 * channels[0] + 0.6 * channels[1] + 0.1 * channels[2] < 128
    ink = "#ffffff" if dark else "#000000"
    sign = "" if (identity := known(view, cell)) is None else SIGNS[identity]
    inside = CELL_WIDTH - 1
    style = f"{ink} on #{light:06x}"
    text = Text()
    text.append(f"{name:<{inside - 2}}{sign:>2}", style)
    text.append(" \n")
    text.append(f"{seen.word or '':^{inside}}", f"bold {style}")
    text.append(" \n")
    return text

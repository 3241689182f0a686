"""A demonstration game in the terminal. The table runs in virtual time, but is shown in real
time."""

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

from pi_table.common.geometry import CELLS, SIDE
from pi_table.common.language import Lang, Say, translate
from pi_table.devices.hal.simulated import of_places
from pi_table.games.announcer.status import status
from pi_table.games.rules.word_games.key import Identity
from pi_table.games.rules.word_games.views import PublicView, public_identity
from pi_table.simulator import scenario
from pi_table.simulator.stage import Device, Stage

PROFILE = "codenames"
FRAMES_A_SECOND = 20
CELL_WIDTH = 13
"""Maximum width of a cell, in columns of the terminal."""
SIGNS = {Identity.RED: "●", Identity.BLUE: "◆", Identity.BYSTANDER: "○", Identity.ASSASSIN: "✖"}


def demonstrate(
    terminal: Console, device: Device | None = None, lang: Lang = "en", note: str = ""
) -> None:
    """Play the demonstration in the language ``lang``, with the text ``note`` below it.

    If the output is not a terminal, print the table once for each sentence, without waiting.
    ``device`` is by default a table without delays.
    """
    if not terminal.is_terminal:
        for saying, stage in _stations(lang, device):
            terminal.print(picture(stage, saying, terminal.width))
        return
    below = Text(note, style="dim", justify="center")
    with Live(console=terminal, refresh_per_second=FRAMES_A_SECOND, screen=True) as live:
        last = None
        for saying, stage in _frames(lang, device):
            last = picture(stage, saying, terminal.width)
            live.update(Group(last, below))
            time.sleep(1 / FRAMES_A_SECOND)
    if last is not None:
        terminal.print(last)


def steps(lang: Lang = "en") -> list[scenario.Step]:
    """Return the demonstration game as a scenario, with sentences, words and clues in this
    language."""
    text = files("pi_table.simulator").joinpath("demonstration.jsonl").read_text("utf-8")
    return [_in_language(step, lang) for step in scenario.read_scenario(text.splitlines())]


def _in_language(step: scenario.Step, lang: Lang) -> scenario.Step:
    match step.what:
        case scenario.Narration(sentence):
            return replace(step, what=scenario.Narration(translate(Say(sentence), lang)))
        case scenario.Start(game):
            words = [translate(Say(word), lang) for word in game["words"]]
            given = {**game, "words": words, "options": {"lang": lang}}
            return replace(step, what=scenario.Start(given))
        case scenario.Act(do) if "word" in do:
            clue = {**do, "word": translate(Say(do["word"]), lang)}
            return replace(step, what=scenario.Act(clue))
    return step


def _stations(lang: Lang = "en", device: Device | None = None) -> Iterator[tuple[str, Stage]]:
    """Yield each sentence of the scenario, with the table as it is just before the next
    sentence."""
    saying = ""
    with Stage(device=device) as stage:
        for step in steps(lang):
            stage.advance(step.at)
            if isinstance(step.what, scenario.Narration):
                if saying:
                    yield saying, stage
                saying = step.what.sentence
            stage.perform(step.what)
        yield saying, stage


def _frames(lang: Lang, device: Device | None = None) -> Iterator[tuple[str, Stage]]:
    saying = ""
    with Stage(device=device) as stage:
        for step in steps(lang):
            while stage.now + 1 / FRAMES_A_SECOND < step.at:
                stage.advance(stage.now + 1 / FRAMES_A_SECOND)
                yield saying, stage
            stage.advance(step.at)
            stage.perform(step.what)
            if isinstance(step.what, scenario.Narration):
                saying = step.what.sentence
        yield saying, stage


def picture(stage: Stage, saying: str, width: int = 80) -> RenderableType:
    """Return a picture in text: whose turn it is, the table as the operatives see it, and the
    sentence ``saying``."""
    view = stage.view
    if not isinstance(view, PublicView):
        return Text(saying)
    said = Text(saying, style="italic", justify="center")
    now = Text(translate(status(view), stage.console.lang), style="bold", justify="center")
    cell_width = min(CELL_WIDTH, width // SIDE)
    return Align.center(
        Group(
            Padding(now, (1, 0)),
            _grid(view, of_places(stage.device.shown), cell_width),
            Padding(said, (1, 0)),
        ),
        width=min(width, SIDE * cell_width + 2),
    )


def _grid(view: PublicView, lights: Sequence[int], cell_width: int) -> Grid:
    grid = Grid.grid(padding=(0, 0))
    for _ in range(SIDE):
        grid.add_column(width=cell_width)
    words = [_in_lines(view.cells[name].word or "", cell_width - 1) for name in CELLS]
    most = max(map(len, words))
    cells = [
        _cell(view, lights, cell, [*words[cell], *[""] * (most - len(words[cell]))], cell_width - 1)
        for cell in range(len(CELLS))
    ]
    for row in range(SIDE):
        grid.add_row(*cells[row * SIDE : row * SIDE + SIDE])
    return grid


def _in_lines(word: str, inside: int) -> list[str]:
    """Return a word as lines of at most ``inside`` letters, with hyphens where it is broken."""
    lines = []
    while len(word) > inside > 1:
        lines.append(word[: inside - 1] + "-")
        word = word[inside - 1 :]
    return [*lines, word]


def _cell(
    view: PublicView, lights: Sequence[int], cell: int, lines: Sequence[str], inside: int
) -> Text:
    light = lights[cell]
    channels = (light >> 16 & 0xFF, light >> 8 & 0xFF, light & 0xFF)
    dark = 0.3 * channels[0] + 0.6 * channels[1] + 0.1 * channels[2] < 128
    ink = "#ffffff" if dark else "#000000"
    sign = "" if (identity := public_identity(view, cell)) is None else SIGNS[identity]
    style = f"{ink} on #{light:06x}"
    text = Text()
    text.append(f"{CELLS[cell]:<{inside - 2}}{sign:>2}", style)
    text.append(" \n")
    for line in lines:
        text.append(f"{line:^{inside}}", f"bold {style}")
        text.append(" \n")
    return text

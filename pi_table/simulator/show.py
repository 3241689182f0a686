"""`pi-table simulate`: a window where there is a display, a demonstration where there is none."""

import os

from rich.console import Console

from pi_table.language import for_reader
from pi_table.reader import readers_language


def show(profile: str | None = None, *, emulated: bool = False, web: int | None = None) -> int:
    """Open the table in a window, its controller ``emulated`` or simulated, with a game of this
    profile if none is being played; the answer is the program's exit status.

    ``web`` is the port at which its pages are served, None where they are not. Without a display
    such a table plays by itself, so that there is something to look at; another has a demonstration
    in the terminal.
    """
    if not _has_display():
        return _without_a_window("There is no display here", profile, emulated, web)
    from pi_table.simulator import window

    try:
        return window.run(profile, emulated=emulated, web=web)
    except window.NoWindow as error:
        return _without_a_window(f"No window can be opened ({error})", profile, emulated, web)


def _has_display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))


def _without_a_window(why: str, profile: str | None, emulated: bool, web: int | None) -> int:
    if web is None:
        return _demonstrate(why, emulated)
    from pi_table.simulator.self_playing import play_for_the_pages

    print(for_reader(f"{why}, so the table plays by itself. Ctrl+C ends it."), flush=True)
    return play_for_the_pages(profile, emulated=emulated, web=web)


def _demonstrate(why: str, emulated: bool) -> int:
    from pi_table.simulator.demonstration import demonstrate

    terminal = Console()
    if not emulated:
        terminal.print(for_reader(f"{why}, so this is a demonstration game."))
        demonstrate(terminal, lang=readers_language())
        return 0
    from pi_table.simulator.emulated import EmulatedTable
    from pi_table.simulator.virtual_controller import VirtualController

    said = f"{why}, so this is a demonstration game, played through the firmware."
    terminal.print(for_reader(said))
    with EmulatedTable("emulated") as table:
        demonstrate(terminal, VirtualController(table), readers_language())
    return 0

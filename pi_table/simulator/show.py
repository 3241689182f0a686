"""`pi-table simulate`: opens a window. Without a display, it shows a demonstration, or the table
plays by itself."""

import os
from pathlib import Path

from rich.console import Console

from pi_table.common.language import for_reader, say
from pi_table.common.output_locale import readers_language
from pi_table.simulator.emulated import Build


def show(
    profile: str | None = None,
    *,
    build: Build | None = None,
    web: int | None = None,
    state: Path | None = None,
    layout: str = "tiles",
) -> int:
    """Show a simulated table until it is closed; return the exit status. With a ``build``, its
    controller is the real firmware in this build.

    A game of ``profile`` begins unless another game is being played. ``web`` is the port of the
    table's pages; None means no pages. ``state`` is the folder of its games; None means the default
    folder. ``layout`` is the layout of the lights.

    With a display, the table is in a window. Without a display, a table with pages plays by itself,
    so people can watch the pages; a table without pages shows a demonstration in the terminal.
    Ctrl+C is the usual way to end, so the status is then 0.
    """
    try:
        return _show(profile, build, web, state, layout)
    except KeyboardInterrupt:
        return 0


def _show(
    profile: str | None, build: Build | None, web: int | None, state: Path | None, layout: str
) -> int:
    why = say("There is no display here")
    if _has_display():
        from pi_table.simulator import window

        try:
            return window.run(profile, build=build, web=web, state=state, layout=layout)
        except window.NoWindow as error:
            why = say("No window can be opened ({error})", error=error)
    if web is None:
        return _demonstrate(why, profile, build, layout)
    from pi_table.simulator.self_playing import play_for_the_pages

    print(
        for_reader(say("{why}, so the table plays by itself. Ctrl+C ends it.", why=why)), flush=True
    )
    return play_for_the_pages(profile, build=build, web=web, state=state, layout=layout)


def _has_display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))


def _demonstrate(why: str, profile: str | None, build: Build | None, layout: str) -> int:
    from pi_table.simulator.demonstration import PROFILE, demonstrate

    terminal, lang = Console(), readers_language()
    said = (
        say("{why}, so this is a demonstration game.", why=why)
        if build is None
        else say("{why}, so this is a demonstration game, played through the firmware.", why=why)
    )
    terminal.print(for_reader(said))
    # Only a terminal shows the game in real time.
    notes = [say("It takes two minutes. Ctrl+C ends it.")] if terminal.is_terminal else []
    if profile not in (None, PROFILE):
        notes.append(
            say(
                "It is always a game of {shown}: {profile} needs a display, or the pages (--web).",
                shown=PROFILE,
                profile=str(profile),
            )
        )
    note = " ".join(map(for_reader, notes))
    if note:
        terminal.print(note)
    if build is None:
        demonstrate(terminal, lang=lang, note=note)
        return 0
    from pi_table.common.light_layout import path_of
    from pi_table.simulator.emulated import EmulatedTable
    from pi_table.simulator.virtual_controller import VirtualController

    own = None if layout == "tiles" else path_of(layout)
    with EmulatedTable(build, layout=own) as table:
        demonstrate(terminal, VirtualController(table), lang, note)
    return 0

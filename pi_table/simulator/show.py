"""`pi-table simulate`: a window where there is a display, a demonstration where there is none."""

import os

from rich.console import Console


def show(*, emulated: bool = False) -> int:
    """Open the table in a window, its controller ``emulated`` or simulated; the answer is the
    program's exit status."""
    if not _has_display():
        return _demonstrate("There is no display here, so this is a demonstration game.")
    from pi_table.simulator import window

    try:
        return window.run(emulated=emulated)
    except window.NoWindow as error:
        return _demonstrate(f"No window can be opened ({error}), so this is a demonstration game.")


def _has_display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"))


def _demonstrate(why: str) -> int:
    from pi_table.simulator.demonstration import demonstrate

    terminal = Console()
    terminal.print(why)
    demonstrate(terminal)
    return 0

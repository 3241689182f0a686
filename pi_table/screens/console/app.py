"""The process of the hidden screen: a window, the socket to the table, and the knobs.

While the table does not answer, the screen shows a notice, and the process tries to reconnect. If
this process dies, the game goes on without it.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

import pygame

from pi_table.common.config import Config
from pi_table.common.errors import InputError
from pi_table.common.language import Words, say
from pi_table.common.log import text_below
from pi_table.common.notify import Heartbeat, notify
from pi_table.devices.hal import displays
from pi_table.devices.hal.backlight import Backlight, open_backlight
from pi_table.devices.hal.console_registry import open_inputs
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.client import Client
from pi_table.protocols.ipc.messages import ToConsole, line, read_to_console
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Choose, Happening, Lifted, Typed
from pi_table.screens.console.display import HiddenScreen, finger_of, open_window
from pi_table.screens.console.haste import QUIET_SECONDS
from pi_table.screens.console.inbox import Inbox, Watch
from pi_table.screens.console.judge import InBackground
from pi_table.screens.console.look import look_for
from pi_table.screens.console.painter import missing_typefaces, paint
from pi_table.screens.console.scene import screen_brightness
from pi_table.screens.console.shapes import Scene, hit

GLANCE_SECONDS: Final = 0.02
"""Seconds between two checks of SDL's queue of touches and keys. The loop polls this queue, because
it cannot wait for the queue and a socket at once.

The socket and the knobs wake the loop immediately. If SDL waited instead, SDL itself would poll a
thousand times a second. That takes 2.2 … 2.7 % of a core at rest; these checks take 0.4 … 0.5 %.
"""
TICK_SECONDS: Final = 0.25
"""Seconds between two updates of the picture while it moves, as with a running timer."""
LIGHT_SECONDS: Final = 5.0
"""Seconds between two updates of the backlight while nothing happens. The brightness depends on the
time of day."""


def run(config: Config, root: Path = Path("/")) -> int:
    """Show the console of the configured table until the window is closed, or SIGTERM or SIGINT
    arrives. Return the exit status.

    Without a desktop, wait until the screen is connected. If the screen disconnects, close
    everything on it and wait again. ``root`` is the directory below which the kernel's files about
    displays and backlights are found.

    Raises DeviceError if nothing can be drawn or the encoder cannot be opened. Raises InputError if
    the configured screen is higher than wide, or if the configuration says that the table has no
    hidden screen. In that case, everybody could see a connected screen.
    """
    if config.console.screen == "none":
        raise InputError(
            say("This table has no hidden screen: [console] screen is 'none'. Use the desk.")
        )
    look_for(config.console, config.house)  # raises InputError early
    heart = Heartbeat()
    with _catch_signals(signal.SIGTERM, signal.SIGINT) as stops:
        if not displays.by_kernel(os.environ):
            _serve(config, root, stops, heart, None)
            return 0
        screen = HiddenScreen(config.console.display, root, _log)
        while screen.wait(stops, heart):
            with suppress(displays.ScreenAwaitedError):  # disconnected again meanwhile
                if not _serve(config, root, stops, heart, screen):
                    break
    return 0


def _serve(
    config: Config, root: Path, stops: list[int], heart: Heartbeat, screen: HiddenScreen | None
) -> bool:
    """Show a new console on ``screen``, or in a desktop if ``screen`` is None. Return True if the
    screen disconnected. No state is kept for the next console."""
    look = partial(look_for, config.console)
    with ExitStack() as stack:
        surface = stack.enter_context(
            open_window(config.console, look(config.house), root, screen, _log)
        )
        backlight = open_backlight(config.console.backlight, _log, root)
        stack.enter_context(closing(backlight))
        client = stack.enter_context(closing(Client(config.paths.console_socket, read_to_console)))
        inbox = stack.enter_context(closing(Inbox()))
        stack.enter_context(closing(open_inputs(config))).start(inbox.put)
        judge = stack.enter_context(closing(InBackground(inbox.put)))
        console = Console(
            lambda request: client.send(line(request)),
            config.console.language,
            judge,
            look,
            typeface_notice(),
            QUIET_SECONDS,
        )
        watch = Watch(config.paths.engine_fault)
        return _show(surface, client, inbox, stops, console, backlight, watch, heart, screen)


def _log(sentence: str) -> None:
    print(f"pi-table: {sentence}{text_below(sentence)}", file=sys.stderr, flush=True)


def typeface_notice() -> Words | None:
    """Log missing typefaces. Return a notice for the screen; None if no typeface is missing."""
    missing = missing_typefaces()
    if not missing:
        return None
    names = ", ".join(path.name for path in missing)
    _log(
        say(
            "{names} cannot be read in {parent}: another typeface is used. Reinstall pi-table.",
            names=names,
            parent=missing[0].parent,
        )
    )
    return say("A typeface is missing, another one is used: reinstall pi-table.")


def _show(
    surface: pygame.Surface,
    client: Client[ToConsole],
    inbox: Inbox,
    stops: list[int],
    console: Console,
    backlight: Backlight,
    watch: Watch,
    heart: Heartbeat,
    screen: HiddenScreen | None,
) -> bool:
    told = False
    lit_at = float("-inf")
    painted: Scene = ()
    painted_at = float("-inf")
    changed = True
    while not stops:
        now = time.monotonic()
        heart.beat(now)
        if screen is not None and screen.has_gone(now):
            return True
        happened: list[Happening] = [*client.poll(now), *inbox.take()]
        happened += watch.look(now, away=client.fileno() is None)
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return False
            if event.type == pygame.WINDOWEXPOSED:
                painted, changed = (), True
            happening = happening_of(event, painted, surface.get_size())
            if happening is not None:
                happened.append(happening)
        changed = console.let_time_pass(now) or changed
        for happening in happened:
            console.happen(happening, now)
        if happened or now - lit_at >= LIGHT_SECONDS:
            lit_at = now
            backlight.shine(screen_brightness(console.model, now, datetime.now().strftime("%H:%M")))
        ticks = console.moves(painted_at) and now - painted_at >= TICK_SECONDS
        if happened or changed or ticks:
            changed, painted_at = False, now
            scene = console.scene(now)
            if scene is not painted and scene != painted:
                painted = scene
                paint(surface, scene)
                pygame.display.flip()
                if not told:
                    told = True
                    notify("READY=1\nSTATUS=")
        readable = [fd for fd in (client.fileno(), inbox.fileno()) if fd is not None]
        select.select(readable, [], [], GLANCE_SECONDS)
    return False


def happening_of(
    event: pygame.event.Event, scene: Scene, size: tuple[int, int], offset: tuple[int, int] = (0, 0)
) -> Happening | None:
    """Return the console's event for a pygame event, or None if the pygame event has no meaning.
    The console is painted at ``offset`` in a window of ``size`` (both in pixels)."""
    finger = finger_of(event, size)
    if finger is not None and finger.is_down:
        target = hit(scene, finger.x - offset[0], finger.y - offset[1])
        return None if target is None else Choose(target, finger.number)
    if finger is not None:
        return Lifted(finger.number)
    if event.type == pygame.MOUSEWHEEL and event.y:
        return Input.LEFT if event.y > 0 else Input.RIGHT
    if event.type == pygame.KEYDOWN:
        return _KEYS.get(event.key) or _sign(event)
    if event.type == pygame.KEYUP and event.key in _PEEK_KEYS:
        return Input.UNPEEK
    # Without focus the window is not told when keys are released.
    return Input.UNPEEK if event.type == pygame.WINDOWFOCUSLOST else None


_KEYS: Final[dict[int, Happening]] = {
    pygame.K_RIGHT: Input.RIGHT,
    pygame.K_DOWN: Input.RIGHT,
    pygame.K_LEFT: Input.LEFT,
    pygame.K_UP: Input.LEFT,
    pygame.K_ESCAPE: Input.BACK,
    pygame.K_TAB: Input.PEEK,
    pygame.K_RETURN: Typed("\n"),
    pygame.K_KP_ENTER: Typed("\n"),
    pygame.K_BACKSPACE: Typed("\b"),
}


_PEEK_KEYS: Final = (pygame.K_TAB, pygame.K_p)


def _sign(event: pygame.event.Event) -> Happening | None:
    held = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META)
    sign = event.unicode
    return Typed(sign) if len(sign) == 1 and sign.isprintable() and not held else None


@contextmanager
def _catch_signals(*signals: signal.Signals) -> Iterator[list[int]]:
    """Catch ``signals`` during the context. Yield a list, to which each caught signal is added."""
    stops: list[int] = []
    before = {each: signal.signal(each, lambda number, _: stops.append(number)) for each in signals}
    try:
        yield stops
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)

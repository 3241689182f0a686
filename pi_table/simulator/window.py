"""The simulator's window: the table, to touch with the mouse, and the hidden screen beside it.

As on a real table, the engine is a separate process. The window touches the table's devices and
watches their lights, as people do. It gets the views over the engine's sockets. The table's side of
the window uses only the public socket, but has the language of the hidden screen.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from pi_table.common.language import Lang, Words, for_reader, say
from pi_table.common.light_layout import LightLayout, read_layout
from pi_table.protocols.ipc.client import Client, Connected, Disconnected
from pi_table.protocols.ipc.messages import (
    Answer,
    AnyTableMessage,
    CodexPublicMessage,
    PublicMessage,
    Request,
    ToConsole,
    line,
    read_public,
    read_to_console,
)
from pi_table.screens.console.app import happening_of
from pi_table.screens.console.console import Console
from pi_table.screens.console.display import finger_of
from pi_table.screens.console.haste import QUIET_SECONDS
from pi_table.screens.console.inbox import Inbox
from pi_table.screens.console.judge import InBackground
from pi_table.screens.console.painter import paint
from pi_table.screens.console.shapes import Scene, hit
from pi_table.simulator.emulated import Build
from pi_table.simulator.hands import Hands
from pi_table.simulator.layout import HEIGHT, WOOD
from pi_table.simulator.processes import engine_running, games_kept, hands_at, pages_served
from pi_table.simulator.public_screen import PublicScreen
from pi_table.simulator.seat_links import SeatLinks
from pi_table.simulator.table_scene import table_scene
from pi_table.simulator.whole import CONSOLE_X, CONSOLE_Y, WIDTH, whole

FRAMES_A_SECOND: Final = 60
BESIDE: Final = 16
"""Pixels of the desktop's width that stay free for the frame of the window."""
ABOVE: Final = 88
"""Pixels of the desktop's height that stay free for the window's title and for a panel."""
FIRST_GAME: Final = 0
"""Number of the request for the first game. The requests of the console begin at 1."""
HOW_TO_END: Final = say(
    "The window is open; you can resize it. Close it, or press Ctrl+C here, to end. The game is "
    "kept."
)


class NoWindow(Exception):  # noqa: N818 - it is no error: there is a demonstration instead
    """No window can be opened."""


def run(
    profile: str | None = None,
    *,
    build: Build | None = None,
    web: int | None = None,
    state: Path | None = None,
    layout: str = "tiles",
) -> int:
    """Show the table until its window is closed. Return the exit status.

    A game of ``profile`` begins unless another game is being played; None means no game. With a
    ``build``, the device is the controller's firmware in this build. ``web`` is the port of the
    pages on this machine; None means no pages. `games_kept` explains ``state``. ``layout`` is the
    layout of the lights. Raises NoWindow if no window can be opened, and DeviceError if a part of
    the table cannot start.
    """
    with ExitStack() as stack:
        kept = stack.enter_context(games_kept(state))
        window = stack.enter_context(_open_window())
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pi-table-")))
        hands = stack.enter_context(hands_at(folder, kept, build, layout))
        engine = stack.enter_context(engine_running(folder, kept, build, web=web, layout=layout))
        if web is not None:
            stack.enter_context(pages_served(folder, web))
        table = stack.enter_context(closing(_TableSide(folder, hands, read_layout(layout))))
        hidden = _HiddenSide(folder, profile, tells=web is not None)
        stack.enter_context(closing(hidden))
        return _show(window, engine, table, hidden)


def opening_size(desktop: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the window when it opens: the largest on this desktop with the picture's
    proportions."""
    room = max(1, desktop[0] - BESIDE), max(1, desktop[1] - ABOVE)
    return _fit(room).size


def _fit(room: tuple[int, int]) -> pygame.Rect:
    """Return the rectangle of the picture in a window: centred, and as large as possible."""
    return pygame.Rect(0, 0, WIDTH, HEIGHT).fit(pygame.Rect(0, 0, *room))


class _Window:
    """A window of any size. It shows a picture of WIDTH × HEIGHT pixels, scaled to fit."""

    def __init__(self, surface: pygame.Surface) -> None:
        self._surface = surface
        self._size = surface.get_size()
        self._picture = pygame.Surface((WIDTH, HEIGHT), 0, 32)

    def show(self, scene: Scene) -> None:
        # pygame resizes the surface together with the window.
        self._size = self._surface.get_size()
        box = _fit(self._size)
        paint(self._picture, scene)
        self._surface.fill(WOOD)
        self._surface.blit(pygame.transform.smoothscale(self._picture, box.size), box)
        pygame.display.flip()

    def in_picture(self, event: pygame.event.Event) -> pygame.event.Event:
        """Return a copy of the event with its position in the picture instead of in the window."""
        box = _fit(self._size)
        if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
            x, y = event.x * self._size[0], event.y * self._size[1]
            place = {"x": (x - box.x) / box.w, "y": (y - box.y) / box.h}
        elif "pos" in event.dict:
            x, y = event.pos
            place = {"pos": ((x - box.x) * WIDTH // box.w, (y - box.y) * HEIGHT // box.h)}
        else:
            return event
        return pygame.event.Event(event.type, {**event.dict, **place})


class _TableSide:
    """The operatives' side of the window: the table, which they see and touch."""

    def __init__(self, folder: Path, hands: Hands, layout: LightLayout) -> None:
        self._layout = layout
        self._public = Client(folder / "public.sock", read_public)
        self._hands = hands
        self._screen = PublicScreen()
        self._fingers: dict[int, int] = {}
        """For the number of each finger, the place that the finger touches."""
        self._left_behind: set[int] = set()
        self.scene: Scene = ()

    def close(self) -> None:
        self._public.close()

    def poll(self, now: float, lang: Lang) -> None:
        for message in self._public.poll(now):
            if isinstance(message, PublicMessage | CodexPublicMessage):
                self._screen.take(message, now)
        view, caption = self._screen.view(now), self._screen.caption(now, lang)
        lights = self._hands.lights(now)
        self.scene = table_scene(view, lights, lang, caption, self._screen.service, self._layout)

    def take(self, event: pygame.event.Event) -> None:
        """Handle an event of a finger or the mouse. The right button leaves a finger on a place, or
        removes a finger that was left there."""
        finger = finger_of(event, (WIDTH, HEIGHT))
        if finger is not None and not finger.is_down:
            left = self._fingers.pop(finger.number, None)
            if left is not None:
                self._hands.release(left)
        elif finger is not None:
            place = hit(self.scene, finger.x, finger.y)
            if isinstance(place, int):
                self._fingers[finger.number] = place
                self._hands.touch(place)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_RIGHT:
            place = hit(self.scene, *event.pos)
            if isinstance(place, int):
                again = place in self._left_behind
                (self._hands.release if again else self._hands.touch)(place)
                self._left_behind ^= {place}


class FirstGame:
    """Begins a game as soon as the table answers. If that is impossible, prints the reason."""

    def __init__(
        self,
        profile: str | None,
        send: Callable[[Request], None],
        tell: Callable[[str], None] = lambda text: print(text, flush=True),
    ) -> None:
        self._profile = profile
        self._waits = profile is not None
        self._send = send
        self._tell = tell

    def hear(self, message: Connected | Disconnected | ToConsole) -> None:
        profile = self._profile or ""
        if isinstance(message, Answer) and message.id == FIRST_GAME and not message.ok:
            why = message.sentence or ""
            self._say(say("No game of {profile} was begun. {why}", profile=profile, why=why))
        if not self._waits or not isinstance(message, AnyTableMessage):
            return
        self._waits = False
        public = message.public
        if "start" in message.may["operator"]:
            do = {"seat": "operator", "act": "start", "profile": profile}
            self._send(Request(FIRST_GAME, do))
        elif public is None or public.outcome is not None:
            self._say(
                say(
                    "No game of {profile} was begun: the hidden screen says what is wrong.",
                    profile=profile,
                )
            )
        elif public.profile != profile:
            self._say(
                say(
                    "No game of {profile} was begun, because one of {other} is being played. To "
                    "begin it, choose “New game…” on the hidden screen; or keep the games of this "
                    "table elsewhere: --state DIR.",
                    profile=profile,
                    other=public.profile,
                )
            )

    def _say(self, words: Words) -> None:
        self._tell(for_reader(words))


class _HiddenSide:
    """The spymasters' side of the window: the hidden screen."""

    def __init__(self, folder: Path, profile: str | None, *, tells: bool = False) -> None:
        self._client = Client(folder / "console.sock", read_to_console)
        self._links = SeatLinks(self._send) if tells else None
        self._inbox = Inbox()
        self._judge = InBackground(self._inbox.put)
        self._console = Console(self._send, judge=self._judge, quiet=QUIET_SECONDS)
        self._first = FirstGame(profile, self._send)
        self.scene: Scene = ()

    def close(self) -> None:
        self._judge.close()
        self._inbox.close()
        self._client.close()

    @property
    def lang(self) -> Lang:
        return self._console.lang

    def poll(self, now: float) -> None:
        for judged in self._inbox.take():
            self._console.happen(judged, now)
        for message in self._client.poll(now):
            if self._links is not None and self._links.handle(message):
                continue
            self._first.hear(message)
            self._console.happen(message, now)
        self.scene = self._console.scene(now)

    def take(self, event: pygame.event.Event, now: float) -> None:
        happening = happening_of(event, self.scene, (WIDTH, HEIGHT), (CONSOLE_X, CONSOLE_Y))
        if happening is not None:
            self._console.happen(happening, now)

    def _send(self, request: Request) -> None:
        self._client.send(line(request))


def _show(
    window: _Window, engine: "subprocess.Popen[bytes]", table: _TableSide, hidden: _HiddenSide
) -> int:
    painted: Scene = ()
    clock = pygame.time.Clock()
    while engine.poll() is None:
        now = time.monotonic()
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return 0
            if event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED):
                painted = ()
            event = window.in_picture(event)
            table.take(event)
            hidden.take(event, now)
        hidden.poll(now)
        table.poll(now, hidden.lang)
        scene = whole(table.scene, hidden.scene, hidden.lang)
        if scene != painted:
            painted = scene
            window.show(scene)
        clock.tick(FRAMES_A_SECOND)
    return engine.returncode or 1


@contextmanager
def _open_window() -> Iterator[_Window]:
    try:
        pygame.display.init()
        # Without a display, SDL silently picks a driver that shows nothing.
        unseen = pygame.display.get_driver() in ("offscreen", "dummy")
        if unseen and not os.environ.get("SDL_VIDEODRIVER"):
            raise pygame.error(say("the display does not answer"))
        # SDL opens the window on the first display.
        size = opening_size(pygame.display.get_desktop_sizes()[0])
        surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        pygame.display.quit()
        raise NoWindow(str(error)) from None
    try:
        pygame.display.set_caption(for_reader(say("pi-table (you can resize this window)")))
        print(for_reader(HOW_TO_END), flush=True)
        yield _Window(surface)
    finally:
        pygame.display.quit()

"""The console's process: its window's events, its socket, its end."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest
from patience import PATIENCE
from playing import RulesTable

from pi_table.common import config
from pi_table.common.errors import DeviceError, InputError
from pi_table.common.language import say
from pi_table.devices.hal import displays
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.client import Connected, Disconnected
from pi_table.protocols.ipc.messages import Answer, Busy, Presence, Request, line, read_request
from pi_table.screens.console.app import happening_of, run
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Choose, Happening, Lifted, Typed
from pi_table.screens.console.haste import QUIET_SECONDS
from pi_table.screens.console.inbox import Inbox
from pi_table.screens.console.scene import ASLEEP
from pi_table.screens.console.shapes import Rect, Scene, Text

SIZE = (800, 480)
SCENE: Scene = (Rect(0, 0, 800, 480, 0), Rect(100, 100, 50, 40, 0, target="here"))


def key(code: int, sign: str = "", mod: int = 0) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code, unicode=sign, mod=mod)


def click(x: int, y: int, button: int = 1) -> pygame.event.Event:
    return pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=button)


def finger(number: int, x: float, y: float, down: bool = True) -> pygame.event.Event:
    """A finger of a touch screen; ``x`` and ``y`` are shares of the window."""
    kind = pygame.FINGERDOWN if down else pygame.FINGERUP
    return pygame.event.Event(kind, touch_id=7, finger_id=number, x=x, y=y, dx=0.0, dy=0.0)


def as_mouse(x: int, y: int, down: bool = True) -> pygame.event.Event:
    """The same finger once more, as SDL tells of it: as a mouse."""
    kind = pygame.MOUSEBUTTONDOWN if down else pygame.MOUSEBUTTONUP
    return pygame.event.Event(kind, pos=(x, y), button=1, touch=True)


EVENTS: list[tuple[pygame.event.Event, Happening | None]] = [
    (key(pygame.K_RIGHT), Input.RIGHT),
    (key(pygame.K_UP), Input.LEFT),
    (key(pygame.K_ESCAPE, "\x1b"), Input.BACK),
    (key(pygame.K_TAB, "\t"), Input.PEEK),
    (key(pygame.K_RETURN, "\r"), Typed("\n")),
    (key(pygame.K_BACKSPACE, "\x08"), Typed("\b")),
    (key(pygame.K_p, "p"), Typed("p")),
    (key(pygame.K_3, "3"), Typed("3")),
    (key(pygame.K_e, "é"), Typed("é")),
    (key(pygame.K_SPACE, " "), Typed(" ")),
    (key(pygame.K_LSHIFT), None),
    (key(pygame.K_F1), None),
    (key(pygame.K_c, "c", pygame.KMOD_LCTRL), None),
    (pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1), Input.LEFT),
    (pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-2), Input.RIGHT),
    (pygame.event.Event(pygame.MOUSEWHEEL, x=1, y=0), None),
    (click(120, 110), Choose("here")),
    (click(120, 110, button=3), None),
    (click(20, 20), None),
    (pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(120, 110), button=1), Lifted()),
    (pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(20, 20), button=1), Lifted()),
    (pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(120, 110), button=3), None),
    (finger(0, 120 / 800, 110 / 480), Choose("here", 0)),
    (finger(5, 149 / 800, 139 / 480), Choose("here", 5)),
    (finger(0, 0.02, 0.02), None),
    (finger(0, 0.02, 0.02, down=False), Lifted(0)),
    (pygame.event.Event(pygame.FINGERMOTION, finger_id=0, x=0.15, y=0.25), None),
    (as_mouse(120, 110), None),
    (as_mouse(120, 110, down=False), None),
    (pygame.event.Event(pygame.KEYUP, key=pygame.K_TAB, mod=0), Input.UNPEEK),
    (pygame.event.Event(pygame.KEYUP, key=pygame.K_p, mod=0), Input.UNPEEK),
    (pygame.event.Event(pygame.KEYUP, key=pygame.K_a, mod=0), None),
    (pygame.event.Event(pygame.WINDOWFOCUSLOST), Input.UNPEEK),
]


@pytest.mark.parametrize(("event", "happening"), EVENTS, ids=str)
def test_an_event_of_the_window_means(
    event: pygame.event.Event, happening: Happening | None
) -> None:
    assert happening_of(event, SCENE, SIZE) == happening


def test_a_tap_is_taken_where_the_console_is_painted() -> None:
    size, offset = (1200, 700), (300, 100)
    assert happening_of(click(420, 210), SCENE, size, offset) == Choose("here")
    assert happening_of(finger(1, 420 / 1200, 210 / 700), SCENE, size, offset) == Choose("here", 1)
    assert happening_of(click(120, 110), SCENE, size, offset) is None


def test_the_first_notice_is_seen_when_the_table_first_answers() -> None:
    notice = say("A typeface is missing, another one is used: reinstall pi-table.")
    console = Console(lambda request: None, notice=notice)

    def shown() -> bool:
        return any(isinstance(shape, Text) and shape.text == notice for shape in console.scene(0.0))

    for happening in (Disconnected(), Connected(), Busy(), Disconnected(), Connected()):
        console.happen(happening, 0.0)
    for _ in range(2):
        console.happen(RulesTable().message(), 0.0)
        assert shown()
    console.happen(Disconnected(), 0.0)
    console.happen(RulesTable().message(), 0.0)
    assert not shown()  # it was seen


def test_a_console_sends_what_is_asked_for_and_moves_while_a_timer_runs() -> None:
    # CN-24
    sent: list[Request] = []
    console = Console(sent.append)
    table = RulesTable(timer="clock").begin()
    assert not console.moves(0.0)
    console.happen(table.message(), 0.0)
    assert console.moves(119.0)
    assert console.scene(0.0) != console.scene(60.0)
    assert not console.moves(121.0)
    table.do("operator", "pause")
    console.happen(table.message(), 0.0)
    assert not console.moves(0.0)
    console.happen(Input.PRESS, 0.0)
    assert [request.do["act"] for request in sent] == ["resume"]


def test_what_other_threads_report_wakes_the_loop_and_keeps_its_order() -> None:
    inbox = Inbox()
    given = [Input.RIGHT, Input.RIGHT, Input.LEFT, Input.PRESS] * 1000
    knob = threading.Thread(target=lambda: [inbox.put(each) for each in given])
    knob.start()
    taken: list[Happening] = []
    while len(taken) < len(given):
        taken += inbox.take()
    knob.join()
    assert taken == given
    inbox.put(Input.BACK)
    assert os.read(inbox.fileno(), 1) == b"!"
    inbox.close()


def on_display(folder: Path, name: str = "", **console: object) -> config.Config:
    section = {"fullscreen": False, "display": name, **console}
    return config.load(changes={"console": section, "paths": {"runtime": str(folder)}})


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL draws nothing."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def run_at(
    serve: Callable[[socket.socket], None], settings: config.Config, root: Path = Path("/")
) -> None:
    """Run the console's process at a table that ``serve`` plays, on a listening socket; once it
    has, a signal ends the process."""

    def then_end() -> None:
        try:
            serve(listener)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(settings.paths.console_socket))
        listener.listen()
        listener.settimeout(PATIENCE)
        table_side = threading.Thread(target=then_end)
        table_side.start()
        assert run(settings, root) == 0
        table_side.join()


def test_the_process_plays_comes_back_after_rubbish_and_ends_on_a_signal(
    tmp_path: Path, undrawn: None
) -> None:
    seen: list[object] = []

    def serve(listener: socket.socket) -> None:
        table = RulesTable()
        with listener.accept()[0] as first:
            first.sendall(line(table.message()))
            asked = _pressed_until_asked(first)
            seen.append(asked.do["act"])
            table.begin()
            first.sendall(line(Answer(asked.id, ok=True)) + line(table.message()))
            first.sendall(b"rubbish\n")
            seen.append(first.recv(1))  # it hangs up
        with listener.accept()[0] as second:
            second.sendall(line(table.message()))
            seen.append("came back")

    before = signal.getsignal(signal.SIGTERM)
    run_at(serve, on_display(tmp_path))
    assert seen == ["start", b"", "came back"]
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_key_that_is_pressed_on_and_on_gives_no_clue(tmp_path: Path, undrawn: None) -> None:
    asked: list[str] = []

    def serve(listener: socket.socket) -> None:
        with listener.accept()[0] as connection:
            connection.sendall(line(RulesTable().begin().message()))
            burst = (*(pygame.K_RETURN,) * 20, pygame.K_TAB)
            asked.append(_pressed_until_asked(connection, *burst).do["act"])

    run_at(serve, on_display(tmp_path))
    assert asked == ["peek"]


def _pressed_until_asked(connection: socket.socket, *codes: int) -> Request:
    """Press these keys, or enter, until a request comes, and not so fast that a press does not
    count."""
    connection.settimeout(2 * QUIET_SECONDS)
    received = b""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for code in codes or (pygame.K_RETURN,):
            pygame.event.post(key(code))
        try:
            received += connection.recv(4096)
        except TimeoutError:
            continue
        if received.endswith(b"\n"):
            connection.settimeout(PATIENCE)
            return read_request(received)
    raise AssertionError("nothing was asked for")


def test_a_closed_window_ends_the_process(tmp_path: Path, undrawn: None) -> None:
    settings = on_display(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(settings.paths.console_socket))
        listener.listen()

        def close_window() -> None:
            listener.accept()[0].close()
            pygame.event.post(pygame.event.Event(pygame.QUIT))

        table_side = threading.Thread(target=close_window)
        table_side.start()
        assert run(settings) == 0
        table_side.join()


def test_without_a_display_it_says_so_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(DeviceError, match="found no display to open"):
        run(on_display(tmp_path))


def test_without_a_hidden_screen_nothing_is_drawn(tmp_path: Path) -> None:  # ALL-1
    used = config.load(changes={"console": {"screen": "none"}})
    with pytest.raises(InputError, match="no hidden screen"):
        run(used, tmp_path)
    assert not pygame.display.get_init()


def test_a_display_that_nobody_sees_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(os, "environ", {"DISPLAY": ":9"})
    with pytest.raises(DeviceError, match="invisible"):
        run(on_display(tmp_path))


def set_screens(root: Path, card: int = 1, **connectors: bool) -> Path:
    """Make a file system whose kernel has these connectors at this card; True: with a screen."""
    for number, (name, has_screen) in enumerate(connectors.items()):
        folder = root / "sys/class/drm" / f"card{card}-{name.replace('_', '-')}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "connector_id").write_text(f"{number}\n")
        (folder / "status").write_text("connected\n" if has_screen else "disconnected\n")
    return root


def has_hung_up(connection: socket.socket) -> bool:
    """Wait for the console's next data or its hang-up; return True if it hangs up."""
    try:
        return connection.recv(4096) == b""
    except ConnectionResetError:
        return True


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    """SDL draws by the kernel in a booted machine alone: here its driver is one that draws nothing,
    and calls itself that of the kernel."""
    monkeypatch.setenv(displays.CARD, "0")
    monkeypatch.setenv(*displays.RENDERER)
    monkeypatch.setattr(displays, "by_kernel", lambda environment: True)
    monkeypatch.setattr(pygame, "get_sdl_version", lambda: displays.DRAWS_ON_ALL)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: displays.DRIVER)


def test_the_window_is_opened_on_the_card_and_display_of_the_hidden_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: None
) -> None:
    asked: dict[str, object] = {}

    def set_mode(size: tuple[int, int], flags: int, **more: object) -> None:
        asked.update(more, card=os.environ[displays.CARD])
        raise pygame.error("there is none")

    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(640, 480), (800, 480)])
    monkeypatch.setattr(pygame.display, "set_mode", set_mode)
    root = set_screens(tmp_path, HDMI_A_1=True, DSI_1=True)
    for name, number in (("DSI-1", 1), ("HDMI-A-1", 0), ("", 1)):
        with pytest.raises(DeviceError, match="there is none"):
            run(on_display(tmp_path, name), root)
        assert asked == {"display": number, "card": "1"}


def test_where_sdl_draws_in_a_desktop_unawares_nothing_is_drawn(  # ALL-1
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: None
) -> None:
    root = set_screens(tmp_path, HDMI_A_1=True)
    monkeypatch.setattr(displays, "by_kernel", lambda environment: False)
    with pytest.raises(DeviceError, match="with KMSDRM, though the environment names a desktop"):
        run(on_display(tmp_path, "HDMI-A-1"), root)
    monkeypatch.undo()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(displays, "by_kernel", lambda environment: True)
    with pytest.raises(DeviceError, match="with dummy, though the environment names no desktop"):
        run(on_display(tmp_path, "HDMI-A-1"), root)


Screens = dict[str, bool]


@pytest.mark.parametrize(
    ("display", "before", "then", "after", "says"),
    [
        (
            *("", {"HDMI_A_1": False}, {"HDMI_A_1": True}),
            *({"HDMI_A_1": False}, "No screen is connected"),
        ),
        (
            *("HDMI-A-1", {"HDMI_A_1": False, "HDMI_A_2": True}, {"HDMI_A_1": True}),
            *({"HDMI_A_1": False}, "one is connected to HDMI-A-2"),
        ),
        (
            *("", {"HDMI_A_1": True, "HDMI_A_2": True}, {"HDMI_A_1": False}),
            *({"HDMI_A_1": True}, "Screens are connected to HDMI-A-1 and HDMI-A-2"),
        ),
        (
            *("DSI-1", {"HDMI_A_1": True, "DSI_1": True}, {"HDMI_A_1": False}),
            *({"HDMI_A_1": True}, "at DSI-1, but SDL 2.26.5 draws at HDMI-A-1."),
        ),
    ],
    ids=["the only one", "the named one", "one of two", "one that SDL cannot draw on"],
)
def test_a_screen_that_comes_is_used_and_one_that_goes_takes_the_key_with_it(  # ALL-1
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kernel: None,
    display: str,
    before: Screens,
    then: Screens,
    after: Screens,
    says: str,
) -> None:
    monkeypatch.setattr(pygame, "get_sdl_version", lambda: (2, 26, 5))
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(800, 480)] * lit())
    root = set_screens(tmp_path, **before)
    settings = on_display(tmp_path, display)
    seen: list[str] = []

    def lit() -> int:
        folders = (root / "sys/class/drm").iterdir()
        return sum((each / "status").read_text() == "connected\n" for each in folders)

    def change(screens: Screens) -> None:
        for name, has_screen in screens.items():
            status = root / "sys/class/drm" / f"card1-{name.replace('_', '-')}" / "status"
            status.write_text("connected\n" if has_screen else "disconnected\n")

    def serve(listener: socket.socket) -> None:
        for _ in range(2):
            listener.settimeout(0)
            waits = heard.recv(4096).decode()
            while "STATUS=\n" in f"{waits}\n":
                waits = heard.recv(4096).decode()
            assert says in waits
            with pytest.raises(BlockingIOError):
                listener.accept()
            change(then)
            listener.settimeout(PATIENCE)
            with listener.accept()[0] as connection:
                connection.settimeout(PATIENCE)
                connection.sendall(line(RulesTable().begin().message()))
                change(after)
                seen.append("gone" if has_hung_up(connection) else "still there")

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        run_at(serve, settings, root)
    assert seen == ["gone", "gone"]


@pytest.mark.parametrize("when", ["while SDL opens", "while it is drawn on"])
def test_a_screen_inside_the_table_that_comes_late_has_the_key_alone(  # ALL-1
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: None, when: str
) -> None:
    """As on a Pi 5, whose DSI is a card of its own: at first there is a television alone."""
    root = set_screens(tmp_path, card=1, HDMI_A_1=True)
    settings = on_display(tmp_path, "")
    drawn_on: list[str] = []
    set_mode, init = pygame.display.set_mode, pygame.display.init

    def set_mode_there(*asked: object, **more: object) -> pygame.Surface:
        drawn_on.append(os.environ[displays.CARD])
        return set_mode(*asked, **more)  # type: ignore[arg-type]

    def init_slowly() -> None:
        set_screens(root, card=0, DSI_1=True)
        init()

    monkeypatch.setattr(pygame.display, "set_mode", set_mode_there)
    if when == "while SDL opens":
        monkeypatch.setattr(pygame.display, "init", init_slowly)

    def serve(listener: socket.socket) -> None:
        with listener.accept()[0] as first:
            if when == "while it is drawn on":
                first.settimeout(PATIENCE)
                set_screens(root, card=0, DSI_1=True)
                assert has_hung_up(first)
                listener.accept()[0].close()

    run_at(serve, settings, root)
    assert drawn_on == (["0"] if when == "while SDL opens" else ["1", "0"])


def test_while_a_screen_is_awaited_systemd_is_told_why_once_and_hears_a_heart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "40000")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    told: list[bytes] = []

    def manage() -> None:
        try:
            while told.count(b"WATCHDOG=1") < 3:
                told.append(manager.recv(1000))
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        manager_side = threading.Thread(target=manage)
        manager_side.start()
        assert run(on_display(tmp_path, ""), set_screens(tmp_path, HDMI_A_1=False)) == 0
        manager_side.join()
    (why,) = (each for each in told if each != b"WATCHDOG=1")
    assert why.startswith(b"READY=1\nSTATUS=No screen is connected.")


def test_the_light_of_the_screen_is_full_in_use_and_at_the_end_and_low_between(
    tmp_path: Path, undrawn: None
) -> None:
    device = tmp_path / "sys/class/backlight/10-0045"
    device.mkdir(parents=True)
    (device / "max_brightness").write_text("100\n")
    (device / "brightness").write_text("3\n")
    seen: list[int] = []

    def wait_for(step: int) -> None:
        end = time.monotonic() + PATIENCE
        while (device / "brightness").read_text() != f"{step}\n":
            assert time.monotonic() < end
            os.sched_yield()
        seen.append(step)

    def serve(listener: socket.socket) -> None:
        table = RulesTable()
        with listener.accept()[0] as connection:
            for presence in (Presence.PLAYING, Presence.IDLE) * 2:
                table.presence = presence
                connection.sendall(line(table.message()))
                wait_for(ASLEEP if presence is Presence.IDLE else 100)

    run_at(serve, on_display(tmp_path, backlight="auto"), tmp_path)
    assert seen == [100, ASLEEP, 100, ASLEEP]
    assert (device / "brightness").read_text() == "100\n"

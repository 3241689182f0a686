"""A screen is picked by the name of its connector, on the cards of Raspberry Pis 3, 4 and 5."""

from pathlib import Path

import pytest
from drm_trees import PI_3, PI_4, PI_5, Card, made
from msgspec.structs import replace

from pi_table.common.config import load
from pi_table.common.errors import DeviceError
from pi_table.devices.hal.displays import (
    Connector,
    ScreenAwaitedError,
    by_kernel,
    check_drawn_on,
    choose_display,
    connectors,
    find_hidden_screen,
)

CONSOLE = load().console
ONLY = Connector(0, (1, 0), "HDMI-A-1", True)


@pytest.mark.parametrize(
    ("cards", "name", "card", "number", "of"),
    [
        (PI_3, "HDMI-A-1", 0, 0, 1),
        (PI_4, "HDMI-A-1", 1, 0, 2),
        (PI_4, "HDMI-A-2", 1, 1, 2),
        (PI_5, "DSI-1", 1, 0, 1),
        (PI_5, "HDMI-A-2", 2, 0, 1),  # of this card no other has a screen
    ],
)
def test_a_screen_is_the_display_that_sdl_makes_of_its_connector(
    tmp_path: Path, cards: dict[int, Card], name: str, card: int, number: int, of: int
) -> None:
    found = connectors(made(tmp_path, cards))
    screen = find_hidden_screen(name, found)
    assert (screen.name, screen.card) == (name, card)
    assert choose_display(replace(CONSOLE, display=name), found, "KMSDRM", of) == number


@pytest.mark.parametrize(
    ("cards", "name", "instead"),
    [
        (PI_3, "HDMI-A-1", None),
        (PI_4, "HDMI-A-1", None),
        (PI_4, "HDMI-A-2", "HDMI-A-1"),
        (PI_5, "DSI-1", None),
        (PI_5, "HDMI-A-2", None),
    ],
)
def test_an_sdl_that_would_draw_on_another_screen_of_the_card_is_not_let(  # ALL-1
    tmp_path: Path, cards: dict[int, Card], name: str, instead: str | None
) -> None:
    found = connectors(made(tmp_path, cards))
    check_drawn_on(find_hidden_screen(name, found), found, (2, 30, 7))
    for sdl in ((2, 26, 5), (2, 30, 6)):
        if instead is None:
            check_drawn_on(find_hidden_screen(name, found), found, sdl)
        else:
            with pytest.raises(ScreenAwaitedError, match=f"draws at {instead}"):
                check_drawn_on(find_hidden_screen(name, found), found, sdl)


def test_connectors_come_by_their_ids_and_not_by_their_names(tmp_path: Path) -> None:
    cards: dict[int, Card] = {
        10: {"DSI-1": (9, "connected"), "HDMI-A-1": (10, "connected")},
        2: {"HDMI-A-9": (7, "connected"), "DSI-9": (30, "connected"), "VGA-1": (4, "connected")},
    }
    found = connectors(made(tmp_path, cards))
    assert [each.name for each in found] == ["VGA-1", "HDMI-A-9", "DSI-9", "DSI-1", "HDMI-A-1"]


def test_a_kernel_that_tells_no_ids_tells_the_order_by_its_folders(tmp_path: Path) -> None:
    card: Card = dict.fromkeys(("HDMI-A-2", "HDMI-A-1", "DSI-1"), (None, "connected"))
    found = connectors(made(tmp_path, {0: card}))
    folder = tmp_path / "sys/class/drm"
    by_folder = sorted(card, key=lambda name: (folder / f"card0-{name}").stat().st_ino)
    assert [each.name for each in found] == by_folder


def test_a_machine_without_a_card_has_no_connectors(tmp_path: Path) -> None:
    assert connectors(tmp_path) == []
    with pytest.raises(ScreenAwaitedError, match=r"no connector 'HDMI-A-1'.*this machine has none"):
        find_hidden_screen("HDMI-A-1", [])


def test_a_folder_that_is_no_connector_is_passed_over(tmp_path: Path) -> None:
    made(tmp_path, {0: {"HDMI-A-1": (1, "connected")}})
    for name in ("cardX-HDMI-A-7", "card0-eDP-1"):
        (tmp_path / "sys/class/drm" / name).mkdir()
    (tmp_path / "sys/class/drm/cardX-HDMI-A-7/status").write_text("connected\n")
    assert [each.name for each in connectors(tmp_path)] == ["HDMI-A-1"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("HDMI-A-3", "There is no connector 'HDMI-A-3' for the console's screen; did you mean"),
        ("screen", "choose one of: DSI-1, HDMI-A-1, HDMI-A-2, Writeback-1."),
        ("HDMI-A-1", "one is connected to DSI-1, HDMI-A-2. Connect it"),
        ("Writeback-1", "No screen is connected to Writeback-1"),
    ],
)
def test_a_screen_that_there_is_not_is_told_with_those_there_are(
    tmp_path: Path, name: str, says: str
) -> None:
    with pytest.raises(ScreenAwaitedError) as error:
        find_hidden_screen(name, connectors(made(tmp_path, PI_5)))
    assert says in str(error.value)


def test_where_no_screen_is_connected_that_is_said() -> None:
    dark = [ONLY._replace(has_screen=False)]
    with pytest.raises(ScreenAwaitedError, match="HDMI-A-1; none is connected to any connector"):
        find_hidden_screen("HDMI-A-1", dark)
    with pytest.raises(ScreenAwaitedError, match="No screen is connected"):
        find_hidden_screen("", dark)


ALL = ("HDMI-A-1", "HDMI-A-2", "DSI-1", "DSI-2", "DPI-1", "VGA-1")


@pytest.mark.parametrize(
    ("connected", "drawn_on"),
    [
        (("HDMI-A-2",), "HDMI-A-2"),
        (("HDMI-A-1", "DSI-1"), "DSI-1"),
        (("HDMI-A-1", "HDMI-A-2", "DPI-1"), "DPI-1"),
        (("HDMI-A-1", "HDMI-A-2"), None),
        (("HDMI-A-1", "VGA-1"), None),
        (("DSI-1", "DSI-2"), None),
        (("DSI-1", "DPI-1", "HDMI-A-1"), None),
    ],
)
def test_without_a_name_only_a_screen_that_can_be_no_other_is_drawn_on(  # ALL-1
    connected: tuple[str, ...], drawn_on: str | None
) -> None:
    # A Pi 4's kernel has HDMI before DSI, so SDL's first display is the television.
    found = [Connector(1, (32 + n, 0), name, name in connected) for n, name in enumerate(ALL)]
    if drawn_on is not None:
        assert find_hidden_screen("", found).name == drawn_on
        return
    with pytest.raises(ScreenAwaitedError, match="only one may show the key") as error:
        find_hidden_screen("", found)
    assert all(name in str(error.value) for name in connected)


@pytest.mark.parametrize("displays", [1, 3])
def test_the_key_is_never_drawn_on_a_screen_that_may_be_another(  # ALL-1
    tmp_path: Path, displays: int
) -> None:
    found = connectors(made(tmp_path, PI_4))
    with pytest.raises(DeviceError, match=f"SDL finds {displays} and the kernel 2"):
        choose_display(replace(CONSOLE, display="HDMI-A-1"), found, "KMSDRM", displays)


@pytest.mark.parametrize(
    ("console", "displays", "says"),
    [
        ({"display": "HDMI-A-2"}, 1, "at HDMI-A-2, but SDL draws with x11"),
        ({}, 2, "This desktop has 2 displays"),
    ],
)
def test_in_a_desktop_the_key_is_not_put_where_it_may_be_seen(  # ALL-1
    console: dict[str, str], displays: int, says: str
) -> None:
    with pytest.raises(DeviceError, match=says):
        choose_display(replace(CONSOLE, **console), [], "x11", displays)
    assert choose_display(replace(CONSOLE, fullscreen=False), [], "x11", 2) == 0
    assert choose_display(CONSOLE, [], "wayland", 1) == 0


@pytest.mark.parametrize(
    ("environment", "is_so"),
    [
        ({}, True),
        ({"SDL_VIDEODRIVER": "kmsdrm", "DISPLAY": ":0"}, True),
        ({"SDL_VIDEODRIVER": "KMSDRM"}, True),
        ({"DISPLAY": ""}, True),
        ({"DISPLAY": ":0"}, False),
        ({"WAYLAND_DISPLAY": "wayland-1"}, False),
        ({"SDL_VIDEODRIVER": "offscreen"}, False),
    ],
)
def test_the_kernel_draws_where_there_is_no_desktop(
    environment: dict[str, str], is_so: bool
) -> None:
    assert by_kernel(environment) is is_so

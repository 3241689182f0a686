"""A screen is picked by the name of its connector, on the cards of Raspberry Pis 3, 4 and 5."""

from pathlib import Path

import pytest
from drm_trees import PI_3, PI_4, PI_5, Card, made
from msgspec.structs import replace

from pi_table.config import ConsoleSection, load
from pi_table.errors import DeviceError
from pi_table.hal.displays import CARD, Connector, chosen, connectors, display_at, surroundings

CONSOLE = load().console
ONLY = Connector(0, (1, 0), "HDMI-A-1", True)


def named(name: str) -> ConsoleSection:
    return replace(CONSOLE, display=name)


@pytest.mark.parametrize(
    ("cards", "name", "card", "number"),
    [
        (PI_3, "HDMI-A-1", 0, 0),
        (PI_4, "HDMI-A-1", 1, 0),
        (PI_4, "HDMI-A-2", 1, 1),
        (PI_5, "DSI-1", 1, 0),
        (PI_5, "HDMI-A-2", 2, 0),  # of this card no other has a screen
    ],
)
def test_a_screen_is_the_display_that_sdl_makes_of_its_connector(
    tmp_path: Path, cards: dict[int, Card], name: str, card: int, number: int
) -> None:
    assert display_at(name, connectors(made(tmp_path, cards))) == (card, number)


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
    assert surroundings(CONSOLE, [], {}) == {}
    with pytest.raises(DeviceError, match=r"no connector 'HDMI-A-1'.*this machine has none"):
        surroundings(named("HDMI-A-1"), [], {})


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
        ("HDMI-A-1", "No screen hangs on HDMI-A-1; one does on DSI-1, HDMI-A-2. Connect it"),
        ("Writeback-1", "No screen hangs on Writeback-1"),
    ],
)
def test_a_screen_that_there_is_not_is_told_with_those_there_are(
    tmp_path: Path, name: str, says: str
) -> None:
    with pytest.raises(DeviceError) as error:
        display_at(name, connectors(made(tmp_path, PI_5)))
    assert says in str(error.value)


def test_where_no_screen_is_connected_that_is_said() -> None:
    with pytest.raises(DeviceError, match="HDMI-A-1; none hangs on any connector"):
        display_at("HDMI-A-1", [ONLY._replace(has_screen=False)])


def test_sdl_is_told_the_card_of_the_screen_that_is_named(tmp_path: Path) -> None:
    found = connectors(made(tmp_path, PI_5))
    assert surroundings(named("HDMI-A-2"), found, {CARD: "0"}) == {CARD: "2"}
    assert surroundings(named("DSI-1"), found, {}) == {CARD: "1"}


def test_without_a_name_sdl_is_told_the_first_card_with_a_screen_unless_somebody_did(
    tmp_path: Path,
) -> None:
    found = connectors(made(tmp_path, PI_4))
    assert surroundings(CONSOLE, found, {}) == {CARD: "1"}
    assert surroundings(CONSOLE, found, {CARD: "3"}) == {}
    assert surroundings(CONSOLE, [ONLY._replace(has_screen=False)], {}) == {}


def test_the_console_draws_on_the_screen_that_is_named(tmp_path: Path) -> None:
    found = connectors(made(tmp_path, PI_4))
    assert chosen(named("HDMI-A-2"), found, "KMSDRM", 2) == 1
    assert chosen(CONSOLE, found, "KMSDRM", 2) == 0
    assert chosen(CONSOLE, found, "x11", 3) == 0


@pytest.mark.parametrize(
    ("driver", "displays", "says"),
    [
        ("x11", 2, "SDL draws by x11 here"),
        ("dummy", 1, "SDL draws by dummy here"),
        ("KMSDRM", 1, "SDL finds 1 and the kernel 2"),
        ("KMSDRM", 3, "SDL finds 3 and the kernel 2"),
    ],
)
def test_the_key_is_never_drawn_on_a_screen_that_may_be_another(  # ALL-1
    tmp_path: Path, driver: str, displays: int, says: str
) -> None:
    found = connectors(made(tmp_path, PI_4))
    with pytest.raises(DeviceError, match=says):
        chosen(named("HDMI-A-1"), found, driver, displays)

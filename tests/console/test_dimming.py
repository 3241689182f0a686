"""The light behind the screen follows the house, and who is there."""

import pytest
from msgspec.structs import replace
from playing import Desk, RulesTable

from pi_table.common.house_settings import House
from pi_table.games.rules.profile import Settings
from pi_table.protocols.ipc.messages import Presence
from pi_table.screens.console.game_records import Faults
from pi_table.screens.console.how_to_play.screens import HowToPlay
from pi_table.screens.console.model import READ_SECONDS, Model
from pi_table.screens.console.scene import ASLEEP, MIN_PERCENT_IN_USE, screen_brightness

PLAYING, ASKED, IDLE = Presence.PLAYING, Presence.ASKED, Presence.IDLE


def model_in(presence: Presence = PLAYING, house: House | None = None) -> Model:
    table = RulesTable()
    table.presence = presence
    model = Desk(table).hear().model
    assert model.table is not None
    return replace(model, table=replace(model.table, house=house or House()))


def test_a_screen_that_has_not_heard_of_the_table_is_bright() -> None:
    assert screen_brightness(Model(), 0.0, "23:00") == 100


@pytest.mark.parametrize(("presence", "percent"), [(PLAYING, 100), (ASKED, 100), (IDLE, ASLEEP)])
def test_a_screen_is_low_while_it_invites(presence: Presence, percent: int) -> None:
    assert screen_brightness(model_in(presence), 1e6, "20:00") == percent


@pytest.mark.parametrize(
    ("house", "at", "percent"),
    [
        (House(brightness=80), "20:00", 80),
        (House(dimmed=60, dimmed_from="22:00", dimmed_until="06:00"), "21:59", 100),
        (House(dimmed=60, dimmed_from="22:00", dimmed_until="06:00"), "22:00", 60),
        (House(dimmed=10, dimmed_from="22:00", dimmed_until="06:00"), "05:59", MIN_PERCENT_IN_USE),
        (House(brightness=0), "20:00", MIN_PERCENT_IN_USE),
    ],
)
def test_in_use_it_is_as_bright_as_the_house_wants_its_lights_and_can_be_read(
    house: House, at: str, percent: int
) -> None:
    assert screen_brightness(model_in(house=house), 1e6, at) == percent
    assert screen_brightness(model_in(IDLE, house), 1e6, at) == ASLEEP


def test_it_stays_bright_for_a_while_for_whoever_reads() -> None:
    model = model_in(IDLE)
    reading = replace(
        model,
        screens=(*model.screens, HowToPlay(profile="codenames", settings=Settings())),
        pressed=100.0,
    )
    assert screen_brightness(reading, 100.0 + READ_SECONDS - 1.0, "20:00") == 100
    assert screen_brightness(reading, 100.0 + READ_SECONDS, "20:00") == ASLEEP


def test_it_stays_bright_for_what_ails_the_table() -> None:
    model = model_in(IDLE)
    assert (
        screen_brightness(replace(model, screens=(*model.screens, Faults())), 1e6, "20:00") == 100
    )

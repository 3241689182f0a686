"""Service: when it can be had, what it does to touches, lights and messages, and how it ends."""

from collections.abc import Callable
from typing import Any

import pytest
from virtual_table import HOLD, SEEN_OUT, HeldDisk, VirtualTable

from pi_table.common.errors import InputError, TableError
from pi_table.common.geometry import LED_COUNT, PLACE_COUNT, PLACES, STRIP, leds_of
from pi_table.common.house_settings import House
from pi_table.common.light_layout import preset
from pi_table.devices.hal.contracts import Counts
from pi_table.devices.hal.simulated import FINGER, PALM, THRESHOLD
from pi_table.games.announcer.announcement import What
from pi_table.protocols.ipc.messages import Presence
from pi_table.protocols.ipc.service import PAD_COUNT, Colour, How, Lit, Page
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.idle import END_SECONDS
from pi_table.table.engine.state.service import (
    COLOURS,
    SERVICE_SECONDS,
    STEP_SECONDS,
    advance_service,
    check_lit,
    light_test,
    start_service,
)
from pi_table.table.engine.storage import pin as pins

MakeTable = Callable[..., VirtualTable]


@pytest.fixture
def idle(make_table: MakeTable) -> VirtualTable:
    """A table before its first game, in service."""
    table = make_table()
    table.do("service")
    return table


def lit(table: VirtualTable) -> dict[int, int]:
    """The LEDs that are lit, and how."""
    return {led: colour for led, colour in enumerate(table.device.shown) if colour}


def lights(table: VirtualTable, **of: Any) -> None:
    table.do("service", page="lights", lit=of)


def serviced(table: VirtualTable) -> bool:
    """True if the table is in service, according to the public message and to the hidden screen."""
    assert table.table.public_message().service is (table.message.service is not None)
    return table.table.public_message().service


# When it can be had


def test_service_needs_the_pin(make_table: MakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "COST", 2)
    table = make_table()
    table.do("set-pin", pin="4711")
    table.do("lock")
    assert table.ask("service").reason == "locked"
    assert table.ask("service", "red-spymaster").reason == "wrong-seat"
    assert not serviced(table)
    table.do("unlock", pin="4711")
    table.do("service")
    assert serviced(table)
    table.do("lock")
    assert not serviced(table)
    assert table.ask("service", page="touch").reason == "locked"


@pytest.mark.parametrize("paused", [False, True])
def test_a_game_that_is_under_way_is_left_alone(table: VirtualTable, paused: bool) -> None:
    if paused:
        table.do("pause")
    table.advance(SEEN_OUT)
    before, stored, shown = table.known, table.stored(), table.device.shown
    verdict = table.ask("service", page="lights", lit={"how": "all"})
    assert (verdict.ok, verdict.reason) == (False, "game-in-progress")
    assert verdict.sentence == "A game is under way: service has to wait for its end."
    assert (table.known, table.stored(), table.device.shown) == (before, stored, shown)
    assert table.measured == []


def test_a_game_that_is_over_stays_as_it_is(table: VirtualTable) -> None:
    table.do("abandon")
    table.advance(SEEN_OUT)
    view, stored, shown = table.view, table.stored(), table.device.shown
    lights(table, how="all")
    table.hold("A1")
    assert table.view == view
    table.do("leave-service")
    table.advance(SEEN_OUT)
    assert (table.view, table.stored(), table.device.shown) == (view, stored, shown)
    table.do("next")
    assert table.stored() == 1


def test_no_game_begins_while_the_table_is_in_service(table: VirtualTable) -> None:
    table.do("abandon")
    table.do("service")
    assert table.ask("start", profile="codenames").reason == "in-service"
    assert table.ask("start", profile="codenames", ending=True).reason == "in-service"
    assert table.ask("next").reason == "in-service"
    answers: list[TableError | None] = []
    table.table.begin({"profile": "codenames"}, WordSource("own"), answers.append)
    assert [str(answer) for answer in answers] == [
        "The table is being serviced: leave the service mode first."
    ]
    table.do("leave-service")
    table.start()


def test_a_table_without_a_journal_can_be_tried(make_table: MakeTable, path: Any) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no journal at all" * 100)
    table = make_table()
    assert table.table.fault is not None
    lights(table, how="one", light=0, colour="red")
    assert lit(table) == {STRIP[0]: 0xFF0000}
    assert table.message.service.counts["journal_faults"] == 1


@pytest.mark.parametrize(
    "do",
    [
        {"page": "cellar"},
        {"page": 3},
        {"page": ["lights"]},
        {"lit": {"how": "some"}},
        {"lit": {"light": 104}},
        {"lit": {"light": -1}},
        {"lit": {"light": 1.5}},
        {"lit": {"colour": "key"}},
        {"lit": 7},
        {"sound": "song"},
        {"sound": "speech"},
        {"sound": "speech", "lang": "fr"},
    ],
)
def test_what_cannot_be_tried_changes_nothing(idle: VirtualTable, do: dict[str, Any]) -> None:
    lights(idle, how="one", light=3, colour="blue")
    before = idle.message
    verdict = idle.ask("service", **do)
    assert (verdict.ok, verdict.reason) == (False, "unusable")
    assert verdict.sentence is not None
    assert verdict.sentence.endswith(".")
    assert idle.message == before
    assert idle.tried == []


# Touches


def test_a_touch_means_nothing_and_is_not_refused(idle: VirtualTable) -> None:
    said = idle.message.said
    for name in ("A1", "E5", "end-turn"):
        idle.hold(name)
    idle.touch("A1", "B1", "C1")
    idle.advance(1.0)
    assert idle.message.said == said


@pytest.mark.parametrize("mode", ["hold", "tap", "tap-twice"])
def test_a_finger_that_came_in_service_must_be_lifted_first(
    make_table: MakeTable, mode: str
) -> None:
    table = make_table(mode=mode)
    table.do("service", page="touch")
    table.touch("A1")
    table.advance(0.1)
    table.do("leave-service")
    table.start()
    table.clue()
    table.advance(3 * HOLD)
    assert table.covered == {}
    table.release("A1")
    table.advance(SEEN_OUT)
    if mode == "tap-twice":
        table.touch("A1")
        table.release("A1")
    table.hold("A1")
    assert table.covered == {"A1": "red"}


# Lights


def test_each_light_of_the_strip_is_lit_alone_in_each_colour(idle: VirtualTable) -> None:
    seen: set[int] = set()
    for light in range(LED_COUNT):
        for colour in Colour:
            lights(idle, how="one", light=light, colour=colour.value)
            assert lit(idle) == {STRIP[light]: COLOURS[colour]}
            assert idle.message.service.lit == Lit(How.ONE, light, colour)
        seen |= lit(idle).keys()
    assert seen == set(range(LED_COUNT))


def test_all_lights_are_lit_in_each_colour_whatever_the_house_wants(make_table: MakeTable) -> None:
    table = make_table(house=House(brightness=10))
    for colour in Colour:
        lights(table, how="all", colour=colour.value)
        assert lit(table) == dict.fromkeys(range(LED_COUNT), COLOURS[colour])


def test_one_light_follows_the_other_by_itself_and_the_screen_is_told(idle: VirtualTable) -> None:
    lights(idle, how="walk", light=102, colour="green")
    for light in (102, 103, 0, 1):
        assert lit(idle) == {STRIP[light]: 0x00FF00}
        assert idle.message.service.lit.light == light
        told = idle.told
        idle.advance(STEP_SECONDS - 0.01)
        assert lit(idle) == {STRIP[light]: 0x00FF00}
        idle.advance(0.01)
        assert idle.told == told + 1
    idle.do("service", page="touch")
    assert idle.message.service.lit.light == 2
    idle.advance(3 * STEP_SECONDS)
    assert idle.message.service.lit.light == 2
    idle.do("service", page="lights")  # as they were
    assert lit(idle) == {STRIP[2]: 0x00FF00}


def test_the_lights_of_another_layout_are_counted_and_lit_as_it_says() -> None:
    string = preset("string-100").lights
    service = start_service(None, Page.LIGHTS, Lit(How.WALK, 49), 0.0, string)
    assert light_test(service, frozenset(), frozenset()).lit == frozenset()  # it stays dark
    walked = advance_service(service, STEP_SECONDS)
    assert walked is not None
    assert walked.lit.light == 0
    assert light_test(walked, frozenset(), frozenset()).lit == {*leds_of(0)}
    check_lit(Lit(light=49), len(string))
    with pytest.raises(InputError, match="they are 0 to 49"):
        check_lit(Lit(light=50), len(string))


def test_a_walk_that_nobody_looked_at_for_long_is_where_it_would_be(idle: VirtualTable) -> None:
    lights(idle, how="walk", light=0, colour="red")
    idle.now += 7.4 * STEP_SECONDS
    idle.table.on_timer()
    assert idle.message.service.lit.light == 7


@pytest.mark.parametrize("page", [page for page in Page if page not in (Page.LIGHTS, Page.TOUCH)])
def test_where_no_lights_are_tried_all_are_dark(idle: VirtualTable, page: Page) -> None:
    lights(idle, how="all", colour="white")
    idle.do("service", page=page.value)
    assert lit(idle) == {}


def test_on_the_page_of_touches_fingers_and_deaf_places_are_seen(idle: VirtualTable) -> None:
    idle.do("service", page="touch")
    quiet = idle.light("A1")
    assert quiet != 0
    idle.touch("C3")
    assert idle.light("C3") == 0xFFF0DC
    idle.release("C3")
    assert idle.light("C3") == quiet
    idle.device.fail(PLACES.index("D2"))
    idle.device.disturb(PLACES.index("B4"))
    for name in ("D2", "B4"):
        first, *others = (idle.device.shown[led] for led in leds_of(PLACES.index(name)))
        assert first != 0
        assert first not in others


# Touch, measured


def test_what_each_pad_reads_is_told_with_the_most_it_has_read(idle: VirtualTable) -> None:
    idle.do("service", page="touch")
    pads = idle.message.service.pads
    assert pads.thresholds == (THRESHOLD,) * PAD_COUNT
    assert pads.deltas == pads.most == (0,) * PAD_COUNT
    told = idle.told
    idle.touch("C3")
    assert idle.told > told
    idle.device.lean(PLACES.index("C3"))
    assert idle.message.service.pads.touched == {12}
    assert idle.message.service.pads.deltas[12] == PALM
    idle.release("C3")
    idle.touch("A1")
    pads = idle.message.service.pads
    assert (pads.deltas[12], pads.most[12], pads.deltas[0], pads.most[0]) == (
        *(0, PALM),
        *(FINGER, FINGER),
    )
    idle.device.fail(5)
    pads = idle.message.service.pads
    assert (pads.deltas[5], pads.most[5], pads.deaf) == (None, 0, {5})
    idle.device.disturb(6)
    assert idle.message.service.pads.noisy == {6}
    idle.do("service", page="menu")
    left = idle.message.service.pads
    assert left is None
    idle.do("service", page="touch")
    again = idle.message.service.pads
    assert again.most[12] == 0  # since the page was opened


def test_it_is_measured_as_long_as_somebody_looks_and_no_longer(idle: VirtualTable) -> None:
    assert idle.measured == []
    for page, as_told in (
        ("lights", (True, False)),
        ("touch", (True, True)),
        ("sound", (False, False)),
        ("faults", (True, False)),
        ("touch", (True, True)),
    ):
        idle.do("service", page=page)
        idle.do("service", page=page)
        assert idle.measured[-1] == as_told
    assert len(idle.measured) == 5
    idle.table.on_console_left()
    assert idle.measured[-1] == (False, False)


def test_what_is_measured_late_changes_nothing(idle: VirtualTable) -> None:
    idle.do("service", page="touch")
    tell = idle.table.on_readings
    readings = idle.table._machine._screen.service.readings  # type: ignore[union-attr]
    assert readings is not None
    idle.do("service", page="knobs")
    told = idle.told
    tell(readings)
    idle.do("leave-service")
    tell(readings)
    assert idle.told == told + 1  # of the end alone
    assert idle.message.service is None


# Faults


def test_what_goes_wrong_is_counted_from_the_start(make_table: MakeTable) -> None:
    table = make_table()
    table.device.ail("The cable is loose.")
    table.device.mend()
    table.device.ail("The cable is loose.")
    table.device.touch(3)  # the same trouble still
    table.table.on_sound_fault("No sound card.")
    table.table.on_sound_fault(None)
    table.table.on_console_left()
    table.do("service", page="faults")
    counts = table.message.service.counts
    assert {name: count for name, count in counts.items() if count} == {
        "touch_faults": 2,
        "sound_faults": 1,
        "screens_left": 1,
    }
    assert counts.keys() > set(Counts.__struct_fields__)


# Sound


def test_a_sound_and_a_sentence_are_tried(idle: VirtualTable) -> None:
    idle.do("service", page="sound", sound="sound")
    idle.do("service", page="sound", sound="speech", lang="it")
    assert [what.lang for what in idle.tried] == [None, "it"]


# How it ends


def test_service_ends_by_itself_when_nobody_does_anything(idle: VirtualTable) -> None:
    idle.advance(SERVICE_SECONDS - 1.0)
    assert idle.message.service.left == pytest.approx(1.0)
    idle.touch("A1")
    idle.release("A1")
    idle.advance(SERVICE_SECONDS - 1.0)
    idle.do("service", page="touch")
    idle.advance(SERVICE_SECONDS - 1.0)
    idle.ask("look")  # which is no sign of life
    assert serviced(idle)
    told = idle.told
    idle.advance(1.1)
    assert not serviced(idle)
    assert idle.told > told
    assert idle.measured[-1] == (False, False)


def test_a_finger_that_lies_there_keeps_nothing_going(idle: VirtualTable) -> None:
    idle.touch("A1")
    idle.advance(SERVICE_SECONDS + 0.1)
    assert not serviced(idle)


def test_fingers_keep_the_operators_page_open(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pins, "COST", 2)
    table = make_table()
    table.do("set-pin", pin="4711")
    table.do("service", page="touch")
    for _ in range(10):
        table.advance(100.0)
        table.touch("B2")
        table.release("B2")
    assert serviced(table)
    assert table.message.lock.open
    table.do("leave-service")
    table.advance(200.0)
    table.touch("B2")
    table.advance(101.0)
    assert not table.message.lock.open  # fingers at a table that is not in service open nothing


def test_a_table_in_service_does_not_sleep(make_table: MakeTable) -> None:
    table = make_table(house=House())
    table.do("service")
    table.advance(END_SECONDS * 3)
    assert table.message.idle is Presence.PLAYING
    table.advance(SERVICE_SECONDS)
    assert table.message.idle is Presence.IDLE


def test_service_ends_with_the_hidden_screen(idle: VirtualTable) -> None:
    lights(idle, how="all")
    idle.table.on_console_left()
    assert not serviced(idle)
    assert set(lit(idle).values()) != {0xFFFFFF}


def test_what_was_asked_for_by_a_screen_that_left_puts_nothing_in_service(
    make_table: MakeTable,
) -> None:
    table = make_table(make_workers=HeldDisk)
    table.asking("start", profile="codenames")
    table.let_go()
    table.asking("abandon")
    answer = table.asking("service")
    table.table.on_console_left()
    table.let_go()
    assert answer[0].ok
    assert not serviced(table)


def test_service_ends_where_a_journal_has_a_game_that_is_played(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue()
    table.switch_off()
    hidden = table.path.with_name("hidden")
    table.path.parent.rename(hidden.parent.with_name("away"))
    table.path.parent.mkdir()
    table.path.write_bytes(b"no journal at all" * 100)
    again = make_table()
    lights(again, how="all")
    assert serviced(again)
    for file in table.path.parent.iterdir():
        file.unlink()
    for file in hidden.parent.with_name("away").iterdir():
        file.rename(table.path.parent / file.name)
    again.do("try-again")
    assert again.view.phase.value == "guess"
    assert not serviced(again)


# What everybody is told


def test_everybody_is_told_that_the_table_is_in_service_and_that_it_is_over(
    table: VirtualTable,
) -> None:
    table.do("abandon")
    table.advance(SEEN_OUT)
    view, number = table.view, table.message.said[-1].number
    table.do("service")
    assert table.public[-1][1].service
    public = len(table.public)
    for page in Page:
        table.do("service", page=page.value)
        table.hold("A1")
    assert len(table.public) == public  # what is tried is nobody's business
    table.do("leave-service")
    assert not table.public[-1][1].service
    said = [said for said in table.message.said if said.number > number]
    assert [each.what for each in said] == [What.SERVICE.value, What.IN_ORDER.value]
    assert said[0].words["en"] == "The table is being serviced: nobody can play just now."
    assert table.public[-1][1].view == view


def test_places_and_pads_are_as_many_as_the_wire_has() -> None:
    from pi_table.devices.wire.settings import PADS

    assert len(PADS) == PAD_COUNT == PLACE_COUNT + 4

"""Service on the hidden screen: each page by the knob alone and by touch, and what the table is
asked for meanwhile."""

from typing import Any

import pytest
from msgspec.structs import replace
from playing import IN_SERVICE, Desk, RulesTable, choose

from pi_table.common.geometry import LED_COUNT, STRIP, leds_of, place_named
from pi_table.common.language import say, translate
from pi_table.common.light_layout import preset
from pi_table.devices.hal.contracts import Counts, Input
from pi_table.games.announcer.announcement import What
from pi_table.games.lines.faults import FAULT_LINES
from pi_table.protocols.ipc.messages import Answer, Request
from pi_table.protocols.ipc.service import PAD_COUNT, Colour, How, Lit, Page
from pi_table.screens.console.console_events import Choose
from pi_table.screens.console.game_records import Faults
from pi_table.screens.console.operator_page import OperatorPage
from pi_table.screens.console.scene import screen_brightness
from pi_table.screens.console.service.names import PADS, name_of, place_of
from pi_table.screens.console.service.pages import (
    MIN_PERCENT,
    PICTURES,
    KnobsPage,
    LightsPage,
    ScreenPage,
    Service,
    SoundPage,
    TouchPage,
)
from pi_table.screens.console.shapes import Circle, Rect, Text
from pi_table.screens.console.style import ACCENT
from pi_table.screens.console.update import SERVED_SECONDS, update
from pi_table.table.engine.counting import NO_FAULTS

PRESS, RIGHT, LEFT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.LEFT, Input.BACK, Input.PEEK
OPEN = ("More…", "Operator…", "Service: try every part")
PAGES = {
    "Lights, one by one": "lights",
    "Touch: what each place feels": "touch",
    "Sound and speech": "sound",
    "Knob and buttons": "knobs",
    "This screen": "screen",
    "Faults since the start": "faults",
}


def service(*labels: str) -> Desk:
    """A console in service, on the page that these lead to."""
    return choose(Desk(RulesTable()), *OPEN, *labels)


def asked(desk: Desk) -> list[dict[str, Any]]:
    """Return the requests since the page was opened."""
    found = [{k: v for k, v in do.items() if k != "seat"} for do in desk.asked]
    desk.asked.clear()
    return found


def tap(desk: Desk, label: str) -> Desk:
    return desk.happen(Choose(desk.model.choices[desk.labels.index(label)]))


# The way in and out


@pytest.mark.parametrize(("label", "page"), PAGES.items())
def test_each_page_is_opened_by_the_knob_and_told_to_the_table_and_so_is_its_end(
    label: str, page: str
) -> None:
    desk = service()
    assert asked(desk) == [{"act": "service", "page": "menu", "lang": "en"}]
    choose(desk, label)
    assert asked(desk) == [{"act": "service", "page": page}]
    assert desk.table.service is not None
    assert desk.table.service.page.value == page
    desk.happen(BACK, BACK) if page == "knobs" else desk.happen(BACK)
    assert isinstance(desk.model.screen, Service)
    assert asked(desk) == [{"act": "service", "page": "menu"}]
    desk.happen(BACK)
    assert isinstance(desk.model.screen, OperatorPage)
    assert asked(desk) == [{"act": "leave-service"}]


@pytest.mark.parametrize("label", PAGES)
def test_each_page_is_opened_and_left_by_touch(label: str) -> None:
    desk = tap(service(), label)
    assert desk.model.screen.service_page is not None
    assert desk.model.screen.service_page.value == PAGES[label]
    assert any(isinstance(shape, Rect) and shape.target == BACK for shape in desk.scene)
    desk.happen(Choose(BACK))
    assert isinstance(desk.model.screen, Service)


def test_a_table_that_refuses_closes_the_page_and_says_why() -> None:
    desk = choose(Desk(RulesTable()), *OPEN[:2])
    desk.model, (request,) = update(pressed_at(desk, OPEN[2]), PRESS, 0.0)
    assert isinstance(desk.model.screen, Service)
    assert desk.model.choices == ()
    sentence = "A game is under way: service has to wait for its end."
    refusal = Answer(request.id, False, "game-in-progress", sentence)
    desk.model, _ = update(desk.model, refusal, 0.0)
    assert isinstance(desk.model.screen, OperatorPage)
    assert sentence in desk.texts


def pressed_at(desk: Desk, label: str) -> Any:
    while desk.labels[desk.model.selected] != label:
        desk.happen(RIGHT)
    return desk.model


@pytest.mark.parametrize("label", [*PAGES])
def test_when_service_is_over_its_pages_close_and_nothing_more_is_asked_for(label: str) -> None:
    desk = service(label)
    asked(desk)
    desk.table.service = None
    desk.hear()
    assert isinstance(desk.model.screen, OperatorPage)
    assert desk.asked == []


def test_leaving_everything_at_once_leaves_service_too() -> None:
    desk = service("This screen")
    asked(desk)
    desk.table.begin()  # another game: the way to the page is gone
    desk.hear()
    assert desk.model.service_page is None
    assert desk.table.service is None or asked(desk)[-1] == {"act": "leave-service"}


def test_the_table_is_told_now_and_then_that_somebody_presses_something() -> None:
    desk = service("Knob and buttons")
    asked(desk)
    desk.table.now = SERVED_SECONDS / 2
    desk.happen(RIGHT, LEFT, RIGHT)
    assert asked(desk) == []
    desk.table.now = 1.5 * SERVED_SECONDS
    desk.happen(RIGHT, LEFT, RIGHT)
    assert asked(desk) == [{"act": "service", "page": "knobs"}]


def test_what_ails_the_table_waits_until_service_is_over() -> None:
    desk = service("Touch: what each place feels")
    desk.table.faults = ("These places cannot feel a finger at the moment: A5.",)
    desk.hear()
    assert isinstance(desk.model.screen, TouchPage)
    desk.happen(BACK, BACK)
    assert isinstance(desk.model.screen, Faults)


def test_whoever_goes_to_service_peeks_no_longer_and_cannot_there() -> None:  # ALL-1
    """Not even at a table that let somebody try it while a game is played, which none does."""
    desk = Desk(RulesTable().begin()).happen(PEEK)
    assert [do["act"] for do in desk.peeked] == ["peek"]
    choose(desk, *OPEN)
    assert [do["act"] for do in desk.peeked][-1] == "unpeek"
    desk.peeked.clear()
    for label in PAGES:
        choose(desk, label)
        desk.happen(PEEK, Input.UNPEEK)
        desk.happen(Choose(PEEK))
        while not isinstance(desk.model.screen, Service):
            desk.happen(BACK)
    assert desk.peeked == []


# Lights


def circles(desk: Desk) -> dict[int, list[tuple[float, float]]]:
    """Where lights are drawn on the screen, by their colours."""
    found: dict[int, list[tuple[float, float]]] = {}
    for shape in desk.scene:
        if isinstance(shape, Circle) and shape.fill is not None:
            found.setdefault(shape.fill, []).append((shape.x, shape.y))
    return found


def test_the_knob_steps_from_light_to_light_along_the_strip_and_round_it() -> None:
    desk = service("Lights, one by one")
    desk.table.service = replace(IN_SERVICE, page=desk.table.service.page, lit=Lit())  # type: ignore[union-attr]
    desk.hear()
    asked(desk)
    for light_number in (103, 102):
        desk.happen(LEFT)
        lit = {"how": "one", "light": light_number, "colour": "white"}
        assert asked(desk) == [{"act": "service", "page": "lights", "lit": lit}]
    assert f"Light 103 of {LED_COUNT}" in desk.texts
    desk.happen(*[RIGHT] * 9)
    assert asked(desk)[-1]["lit"]["light"] == 7
    led = STRIP[7]
    assert translate(name_of(led), "en") in desk.texts


def test_the_lights_are_those_of_the_tables_layout() -> None:
    string = preset("string-100").lights
    desk = service("Lights, one by one")
    desk.table.service = replace(IN_SERVICE, page=Page.LIGHTS, lit=Lit(), string=string)
    desk.hear()
    assert {"Light 1 of 50", "A1"} <= {*desk.texts}
    asked(desk)
    desk.happen(LEFT)
    assert asked(desk)[-1]["lit"]["light"] == 49
    assert {"Light 50 of 50", "It stays dark"} <= {*desk.texts}
    desk.happen(PEEK, PEEK)
    assert "27 lights" in desk.texts


def test_turns_that_the_table_has_not_answered_yet_count_each() -> None:
    desk = service("Lights, one by one")
    first = desk.model.screen.current_lights(desk.table.service).light  # type: ignore[attr-defined]
    model = desk.model
    sent: list[Request] = []
    for _ in range(5):
        model, requests = update(model, RIGHT, 0.0)
        sent += requests
    lights = [request.do["lit"]["light"] for request in sent]
    assert lights == [(first + step) % LED_COUNT for step in range(1, 6)]


def test_a_press_changes_the_colour_and_peek_what_is_lit() -> None:
    desk = service("Lights, one by one")
    asked(desk)
    desk.happen(*[PRESS] * 4)
    assert [do["lit"]["colour"] for do in asked(desk)] == ["red", "green", "blue", "white"]
    desk.happen(PEEK)
    assert asked(desk)[0]["lit"]["how"] == "walk"
    assert desk.table.service is not None
    walked = replace(desk.table.service, lit=replace(desk.table.service.lit, light=42))
    desk.table.service = walked  # the table goes on by itself
    desk.hear()
    assert "Light 43 of 104" in desk.texts
    desk.happen(PEEK)
    assert asked(desk)[0]["lit"] == {"how": "all", "light": 42, "colour": "white"}
    assert "104 lights" in desk.texts
    desk.happen(RIGHT)
    assert asked(desk)[0]["lit"] == {"how": "one", "light": 43, "colour": "white"}


@pytest.mark.parametrize(
    ("label", "lit"),
    [
        ("Next light", Lit(How.ONE, 1, Colour.RED)),
        ("Previous light", Lit(How.ONE, 103, Colour.RED)),
        ("Colour", Lit(How.ONE, 0, Colour.GREEN)),
        ("One or all", Lit(How.WALK, 0, Colour.RED)),
    ],
)
def test_by_touch_a_button_does_each(label: str, lit: Lit) -> None:
    desk = service("Lights, one by one")
    assert desk.table.service is not None
    desk.table.service = replace(desk.table.service, lit=Lit(How.ONE, 0, Colour.RED))
    desk.hear()
    tap(desk, label)
    assert desk.table.service is not None
    assert desk.table.service.lit == lit


def test_what_is_lit_is_drawn_where_it_is_seen_from_this_side() -> None:
    """A1 is at the bottom right there, and its far left light is the near right one."""
    desk = service("Lights, one by one")
    assert desk.table.service is not None
    found = {}
    for name, number in (("A1", 0), ("A1", 2), ("E5", 0), ("end-turn", 0), ("hourglass", 1)):
        place = place_named(name)
        assert place is not None
        light_number = STRIP.index(leds_of(place)[number])
        desk.table.service = replace(desk.table.service, lit=Lit(How.ONE, light_number))
        desk.hear()
        (found[name, number],) = circles(desk)[0xFFFFFF]
    xs = {what: at[0] for what, at in found.items()}
    ys = {what: at[1] for what, at in found.items()}
    assert xs["A1", 0] > xs["A1", 2] > xs["E5", 0]
    assert ys["A1", 0] > ys["A1", 2] > ys["E5", 0] > ys["end-turn", 0] == ys["hourglass", 1]
    assert xs["end-turn", 0] > xs["hourglass", 1]


def test_every_light_has_a_name_of_its_own() -> None:
    for lang in ("en", "it"):
        assert len({translate(name_of(led), lang) for led in range(LED_COUNT)}) == LED_COUNT  # type: ignore[arg-type]
    assert [place_of(led) for led in (0, 3, 4, 99, 100, 103)] == [0, 0, 1, 24, 25, 26]


def test_what_the_lights_draw_is_told_and_that_they_are_dimmed() -> None:
    desk = service("Lights, one by one")
    assert "6500 mA: dimmed to the limit" in desk.texts
    desk.table.service = replace(IN_SERVICE, capped=False, current_ma=612)
    assert "612 mA" in desk.hear().texts


# Touch


def test_each_pad_is_drawn_with_what_it_reads() -> None:
    desk = service("Touch: what each place feels")
    texts = desk.texts
    for name in PADS[:27]:
        assert translate(name, "en") in texts
    assert texts.count("120/120") == 27
    for word, times in (("masked", 3), ("noisy", 1)):
        assert texts.count(word) == times
    assert "Near rim: 120/120   noisy" in texts
    assert "Far rim: –/120   deaf" in texts
    touched = [s for s in desk.scene if isinstance(s, Rect) and s.fill == ACCENT]
    assert len(touched) == 3


def test_what_is_to_be_done_about_noise_is_said_while_there_is_some() -> None:
    desk = service("Touch: what each place feels")
    advice = "Noise: unplug chargers and dimmers nearby, take phones away, earth the supply."
    assert advice in desk.texts
    assert IN_SERVICE.pads is not None
    desk.table.service = replace(IN_SERVICE, pads=replace(IN_SERVICE.pads, noisy=frozenset()))
    assert advice not in desk.hear().texts


def test_before_anything_was_read_that_is_said() -> None:
    desk = service("Touch: what each place feels")
    desk.table.service = replace(IN_SERVICE, pads=None)
    assert "Asking the touch grid…" in desk.hear().texts


# Sound


def test_a_sound_and_each_voice_are_tried_and_the_volume_is_changed() -> None:
    desk = service()
    desk.happen(RIGHT, RIGHT, PRESS)
    asked(desk)
    assert isinstance(desk.model.screen, SoundPage)
    choose(desk, "Play a sound", "Speak: English", "Speak: Italiano")
    assert asked(desk) == [
        {"act": "service", "page": "sound", "sound": "sound"},
        {"act": "service", "page": "sound", "sound": "speech", "lang": "en"},
        {"act": "service", "page": "sound", "sound": "speech", "lang": "it"},
    ]
    choose(desk, "Volume", "80 %")
    assert asked(desk) == [{"act": "house", "set": {"volume": 80}}]
    assert desk.model.service_page is not None  # the list of volumes is still in service
    assert desk.model.service_page.value == "sound"


# Knobs


def test_all_that_the_knob_and_the_buttons_do_is_shown_and_nothing_comes_of_it() -> None:
    desk = service("Knob and buttons")
    asked(desk)
    desk.happen(PRESS, RIGHT, RIGHT, LEFT, PEEK, Input.UNPEEK, BACK, PRESS)
    assert isinstance(desk.model.screen, KnobsPage)
    assert "8. Pressed" in desk.texts
    assert desk.model.screen.counted == {
        PRESS: 2,
        RIGHT: 2,
        LEFT: 1,
        BACK: 1,
        PEEK: 1,
        Input.UNPEEK: 1,
    }
    assert asked(desk) == []
    desk.happen(BACK)
    assert isinstance(desk.model.screen, KnobsPage)
    desk.happen(BACK)
    assert isinstance(desk.model.screen, Service)


# The screen


def test_the_knob_goes_round_the_pictures_and_a_press_makes_it_darker() -> None:
    desk = service("This screen")
    for picture in (*range(1, PICTURES), 0):
        desk.happen(RIGHT)
        assert isinstance(desk.model.screen, ScreenPage)
        assert desk.model.screen.picture == picture
    desk.happen(LEFT)
    assert isinstance(desk.model.screen, ScreenPage)
    assert desk.model.screen.picture == PICTURES - 1
    seen = []
    for _ in range(6):
        seen.append(screen_brightness(desk.model, 0.0, "12:00"))
        desk.happen(PRESS)
    assert seen == [100, 80, 60, 40, 20, 100]
    desk.happen(BACK)
    assert screen_brightness(desk.model, 0.0, "12:00") == 100  # the house's own again


def test_by_touch_it_is_made_darker_and_brighter_and_a_tap_goes_on() -> None:
    desk = service("This screen")
    for _ in range(9):
        tap(desk, "Darker")
    assert screen_brightness(desk.model, 0.0, "12:00") == MIN_PERCENT
    for _ in range(9):
        tap(desk, "Brighter")
    assert screen_brightness(desk.model, 0.0, "12:00") == 100
    for _ in range(PICTURES):
        tap(desk, "Next picture")
    assert isinstance(desk.model.screen, ScreenPage)
    assert desk.model.screen.picture == 0


def test_full_colours_cover_all_of_the_screen_and_the_frame_is_at_its_edge() -> None:
    desk = service("This screen")
    layout = desk.model.layout
    edge = next(s for s in desk.scene if isinstance(s, Rect) and s.line == ACCENT and s.w > 700)
    assert (edge.x, edge.y, edge.w, edge.h) == (0, 0, layout.width, layout.height)
    seen = []
    for _ in range(PICTURES - 1):
        desk.happen(RIGHT)
        assert not any(isinstance(shape, Text) for shape in desk.scene)
        seen.append(desk.scene)
        whole = desk.scene[-1]
        assert isinstance(whole, Rect)
        assert (whole.x, whole.y, whole.w, whole.h) == (0, 0, layout.width, layout.height)
    assert len(set(seen)) == PICTURES - 1


# Faults


def test_each_count_has_a_line_and_each_line_a_meaning() -> None:
    assert {line.name for line in FAULT_LINES} == {*Counts.__struct_fields__, *NO_FAULTS}
    assert len(FAULT_LINES) == len({line.name for line in FAULT_LINES})
    desk = service("Faults since the start")
    assert desk.values == [str(10_000 + number) for number in range(len(FAULT_LINES))]
    for line in FAULT_LINES:
        assert translate(line.meaning, "en") in desk.texts
        desk.happen(RIGHT)
    desk.happen(Choose(desk.model.choices[2]))
    assert translate(FAULT_LINES[2].meaning, "en") in desk.texts


def test_names_are_there_for_all_that_feels() -> None:
    assert len(PADS) == PAD_COUNT


def test_what_is_said_to_everybody_does_not_hide_what_is_tried() -> None:
    desk = service("Lights, one by one")
    desk.table.says(What.SERVICE, say("The table is being serviced: nobody can play just now."))
    assert any(text.startswith("Light ") for text in desk.hear().texts)
    assert isinstance(desk.model.screen, LightsPage)


def test_a_request_of_another_page_leaves_the_lights_as_they_were() -> None:
    page = LightsPage()
    assert page.asking(Request(1, {"act": "house", "set": {}})) is page

"""Every screen of the console with the longest of everything, as it looks on several screens."""

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from codex_paths import of_codex
from codex_table import CodexTable
from codex_table import desk as codex_desk
from exploring import explore_all
from msgspec.structs import replace
from playing import IN_SERVICE, LINK, Desk, RulesTable

from pi_table.common import config
from pi_table.common.failure_report import COST_THE_GAMES
from pi_table.common.house_settings import House
from pi_table.common.language import LANGUAGES, Lang
from pi_table.devices.hal.contracts import Input
from pi_table.games.lines.faults import FAULT_LINES
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import Answer, DeskState, PageLock, PhoneState, Presence
from pi_table.screens.console.console_events import Typed
from pi_table.screens.console.layout import Box
from pi_table.screens.console.look import Look, convert_scene, look_for
from pi_table.screens.console.model import Model
from pi_table.screens.console.operator_page import OperatorPage
from pi_table.screens.console.phones import (
    BoardCode,
    CloseDesk,
    DeskCode,
    LetGo,
    Link,
    OnePhone,
    Phones,
    SeatCode,
)
from pi_table.screens.console.scene import scene
from pi_table.screens.console.screen import AnyScreen
from pi_table.screens.console.service.pages import FaultsPage, Service
from pi_table.screens.console.setup import propose
from pi_table.screens.console.shapes import Rect, Scene, Shape, Text
from pi_table.screens.console.text_setting import groups_of

LONG_WORDS = (
    "CHRYSANTHEMUMS",
    "WATERMELONWOMB",
    "ROCK AND ROLLER",
    "SWIMMING POOLS",
    "GRAND MAMMOTHS",
)
FAULT = (
    "The touch controller on the second serial port has not answered for ten seconds. Check that "
    "its cable is plugged in at both ends, then switch the table off and on again.",
    "These places cannot feel a finger at the moment: A1, B1, C1, D1, E1, A2, B2, C2, D2, E2.",
)


def look(house: House | None = None, **section: object) -> Look:
    """The look of a screen with these values in the configuration's section of the console."""
    return look_for(config.load(changes={"console": section}).console, house or House())


LOOKS = {
    "800 × 480, 7 inches": look(),
    "1024 × 600, 7 inches": look(width=1024, height=600),
    "480 × 320, 3.5 inches": look(width=480, height=320, inches=3.5),
    "800 × 480, large type": look(House(text_size="large")),
}


class LongWords(RulesTable):
    """A table with the longest words on its cells."""

    def begin(self) -> "LongWords":
        self.words = tuple(f"{LONG_WORDS[cell % 5][:13]}{'ABCDE'[cell // 5]}" for cell in range(25))
        super().begin()
        return self


def _long(lang: Lang) -> Iterator[tuple[Model, float]]:
    """Screens with the longest of everything."""
    desk = Desk(LongWords(timer="clock", lang=lang).begin())
    yield desk.model, desk.table.now
    yield desk.happen(Input.PEEK).model, desk.table.now
    for word in ("counterintelligence", "w" * 40, "incomprehensibilities and the other one"):
        desk = Desk(LongWords(timer="clock", lang=lang).begin()).happen(Input.PRESS)
        yield desk.happen(*map(Typed, word)).model, desk.table.now
        for given in ("\n", "3", "\n", "\n"):
            yield desk.happen(Typed(given)).model, desk.table.now
        desk.table.do("blue-spymaster", "challenge")
        yield desk.hear().model, desk.table.now
        yield desk.happen(Input.RIGHT, Input.PRESS).model, desk.table.now
        desk.happen(Input.PRESS)
        for _ in range(10):
            yield desk.happen(Input.PRESS, Input.BACK, Input.RIGHT).model, desk.table.now
    desk.table.faults = FAULT
    yield desk.hear().model, desk.table.now
    sentence = "Choose an uncovered agent of your own team."
    yield desk.happen(Input.BACK, Answer(99, False, "x", sentence)).model, desk.table.now


def _hands(lang: Lang) -> Iterator[tuple[Model, float]]:
    """Hands of the longest words, in a game that explains itself."""
    for players in ("teams", "cooperative"):
        options: dict[str, Any] = {"lang": lang, "players": players, "explain": True}
        desk = Desk(LongWords(profile="deep-undercover", hands=True, **options).begin())
        yield desk.model, 0.0
        yield desk.happen(Input.RIGHT).model, 0.0
        yield desk.happen(Input.BACK).model, 0.0


def _with_phones(lang: Lang) -> Iterator[tuple[Model, float]]:
    """Every screen of phones, with the longest of everything."""
    table = LongWords(timer="clock", lang=lang).begin().serve()
    seat = Seat.RED_SPYMASTER
    for state in PhoneState:
        for each in ("red-spymaster", "blue-spymaster", "red-operatives"):
            table.phone(each, state, tried=True)
        yield Desk(table).model, 0.0
        yield from _each_line(Desk(table), Phones(), OnePhone(seat=seat), LetGo(seat=seat))
    playing = RulesTable(timer="clock", lang=lang).begin().serve("red-spymaster")
    for number in (1, 9, "unlimited"):
        playing.do("red-spymaster", "clue", word="flight", number=number)
        yield Desk(playing).model, 0.0
        playing.begin()
    link = Link(LINK)
    codes = (SeatCode(seat=seat), SeatCode(seat=seat, told=link), DeskCode(told=link), BoardCode())
    yield from _each_line(Desk(table), *codes)
    table.desk = DeskState(PhoneState.HERE, tried=True)
    table.lock = PageLock(pin=True, open=True)
    yield from _each_line(Desk(table), OperatorPage(), CloseDesk())
    for presence in (Presence.ASKED, Presence.IDLE):
        table.presence = presence
        yield Desk(table).model, 0.0
    before = Desk(RulesTable().serve())
    for profile in ("codex", "codenames"):
        setup = propose(before.table.message(), profile).with_language(lang)
        on_phones = setup.with_settings(replace(setup.settings, screens="phones"))
        before.model = replace(before.model, lang=lang)
        yield from _each_line(before, setup, on_phones)
    agents = CodexTable(screens="phones", lang=lang).serve()
    for number in range(1, 7):
        at = codex_desk(agents)
        yield at.model, 0.0
        yield from _each_line(at, Phones())
        agents.phone(f"agent-{number}", PhoneState.HERE).do(f"agent-{number}", "pair")


def _each_line(desk: Desk, *screens: AnyScreen) -> Iterator[tuple[Model, float]]:
    """Each of these screens over the home screen, with each of its choices selected."""
    for screen in screens:
        over = replace(desk.model, screens=(*desk.model.screens[:1], screen))
        for selected in range(len(over.choices) or 1):
            top = replace(screen, selected=selected)
            yield replace(over, screens=(*over.screens[:-1], top)), 0.0


def _in_service(lang: Lang) -> Iterator[tuple[Model, float]]:
    """Every page of service, with the most that each can show."""
    for change in ({}, {"pads": None, "current_ma": None}, {"capped": False}):
        desk = Desk(RulesTable())
        desk.model = replace(desk.model, lang=lang)
        desk.table.service = replace(IN_SERVICE, **change)  # type: ignore[arg-type]
        desk.happen(Input.RIGHT)
        screen = Service(told=True)
        desk.model = replace(desk.model, screens=(*desk.model.screens, OperatorPage(), screen))
        desk.hear()
        for choice in range(len(desk.model.choices)):
            desk.model = replace(
                desk.model, screens=(*desk.model.screens[:-1], replace(screen, selected=choice))
            )
            yield desk.model, 0.0
            desk.happen(Input.PRESS)
            yield desk.model, 0.0
            turns = FAULT_LINES if isinstance(desk.model.screen, FaultsPage) else range(9)
            for _ in turns:
                yield desk.happen(Input.RIGHT).model, 0.0
            for given in (Input.PRESS, Input.PEEK, Input.PEEK, Input.UNPEEK):
                yield desk.happen(given).model, 0.0
            while not isinstance(desk.model.screen, Service):
                desk.happen(Input.BACK)


def every_screen() -> Iterator[tuple[Model, float]]:
    """The console in every state, and when."""
    yield from [
        (Model(lang=lang, elsewhere=away), 0.0) for lang in LANGUAGES for away in (True, False)
    ]
    for why in (" ".join(FAULT), *COST_THE_GAMES):
        yield from ((Model(lang=lang, stopped=why), 0.0) for lang in LANGUAGES)
    yield from ((model, 0.0) for model in explored_models())
    for lang in LANGUAGES:
        yield from _long(lang)
        yield from _hands(lang)
        yield from _in_service(lang)
        yield from _with_phones(lang)
        yield from codex_models(lang)


explored_models = functools.cache(explore_all)


@functools.cache
def codex_models(lang: Lang) -> tuple[tuple[Model, float], ...]:
    return tuple(of_codex(lang))


ROOMIEST = "800 × 480, 7 inches"


@functools.cache
def distinct_screens() -> dict[Scene, tuple[Model, float]]:
    """Every screen, once for what is seen on the roomiest look: most models differ only in what a
    press would do, or in the screens underneath. None of the other looks shows more of a model."""
    found: dict[Scene, tuple[Model, float]] = {}
    for model, now in every_screen():
        drawn = scene(replace(model, layout=LOOKS[ROOMIEST].layout), now)
        found.setdefault(tuple(map(_without_its_target, drawn)), (model, now))
    return found


def _without_its_target(shape: Shape) -> Shape:
    """The shape, hashable: of what a tap on it asks for it is only told that there is something."""
    if isinstance(shape, Rect) and shape.target is not None:
        return replace(shape, target=True)
    return shape


def scenes(look: Look) -> Iterator[Scene]:
    """Every distinct screen with one of the looks, in units."""
    for of_the_roomiest, (model, now) in distinct_screens().items():
        if look.layout == LOOKS[ROOMIEST].layout:
            yield of_the_roomiest
        else:
            yield scene(replace(model, layout=look.layout), now)


class Drawn(NamedTuple):
    """Everything drawn on the screens of one look, each thing once."""

    texts: set[Text]
    groups: set[tuple[Text, ...]]
    """Of texts with one face and one size."""
    boxes: set[Box]
    """Of rectangles and texts."""
    targets: set[tuple[Box, ...]]
    """Of what can be tapped on a screen."""
    written: tuple[tuple[Text, ...], ...]
    """The texts of a screen: of one for each way in which texts lie on screens."""


@functools.cache
def all_drawn(name: str) -> Drawn:
    drawn = LOOKS[name]
    every_text: set[Text] = set()
    groups: set[tuple[Text, ...]] = set()
    boxes: dict[tuple[type, Box], Rect | Text] = {}
    targets: dict[tuple[Box, ...], tuple[Rect, ...]] = {}
    written: dict[tuple[Box, ...], tuple[Text, ...]] = {}
    for each in scenes(drawn):
        texts = tuple(shape for shape in each if isinstance(shape, Text))
        rects = tuple(shape for shape in each if isinstance(shape, Rect))
        taps = tuple(rect for rect in rects if rect.target is not None)
        every_text.update(texts)
        groups.update(groups_of(texts))
        boxes.update(((type(shape), box_of(shape)), shape) for shape in texts + rects)
        targets[tuple(map(box_of, taps))] = taps
        written[tuple(map(box_of, texts))] = texts

    def in_pixels(*shapes: Rect | Text) -> tuple[Any, ...]:
        return convert_scene(shapes, drawn)

    return Drawn(
        set(in_pixels(*every_text)),
        {in_pixels(*group) for group in groups},
        set(map(box_of, in_pixels(*boxes.values()))),
        {tuple(map(box_of, in_pixels(*taps))) for taps in targets.values()},
        tuple(in_pixels(*texts) for texts in written.values()),
    )


def box_of(shape: Rect | Text) -> Box:
    return Box(shape.x, shape.y, shape.w, shape.h)

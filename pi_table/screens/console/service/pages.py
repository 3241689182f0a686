"""The pages of service mode. Each tests a part of the table. If a PIN is set, people must enter it
before they can open the pages.

Each page has a `Page` value. `update` tells the table when another page is opened, and when people
leave service mode. The table's messages contain the state of the test.
"""

import enum
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Final, TypeVar

from msgspec.structs import replace

from pi_table.common.language import LANGUAGES, Words, say
from pi_table.devices.hal.contracts import Input
from pi_table.games.lines.faults import FAULT_LINES
from pi_table.games.lines.house import SOUND
from pi_table.protocols.ipc.messages import AnyTableMessage, Request
from pi_table.protocols.ipc.service import Colour, How, InService, Lit, Page
from pi_table.screens.console.acts import Act, by_operator
from pi_table.screens.console.house_lines import house_line
from pi_table.screens.console.screen import (
    AnswerScreen,
    AnyScreen,
    Ask,
    Become,
    Choice,
    Effect,
    Go,
    ListScreen,
    Return,
)


def in_service(page: Page, **what: Any) -> Act:
    """Return the act that opens a page of service mode. With fields in ``what``, it runs a test."""
    return by_operator("service", page=page, **what)


class ServicePage(ListScreen[AnyTableMessage], frozen=True, kw_only=True):
    """A page that tests a part of the table. It closes when service mode ends."""

    hides_key: ClassVar[bool] = True

    def possible(self, table: AnyTableMessage) -> bool:
        return table.service is not None


class Service(AnswerScreen[AnyTableMessage], ServicePage, frozen=True, kw_only=True):
    """The menu of tests. Opening it requests service mode from the table, which may refuse."""

    told: bool = False

    service_page: ClassVar[Page | None] = Page.MENU
    heading = say("Service")
    hint = say("Service ends by itself when nobody touches or presses anything for 5 minutes.")

    def hear(self, told: Any) -> "Service":
        return replace(self, told=True)

    def possible(self, table: AnyTableMessage) -> bool:
        return not self.told or super().possible(table)

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        if not self.told:
            return ()
        return (
            Choice(say("Lights, one by one"), Go(LightsPage())),
            Choice(say("Touch: what each place feels"), Go(TouchPage())),
            Choice(say("Sound and speech"), Go(SoundPage())),
            Choice(say("Knob and buttons"), Go(KnobsPage())),
            Choice(say("This screen"), Go(ScreenPage())),
            Choice(say("Faults since the start"), Go(FaultsPage())),
        )

    def beside(self, table: AnyTableMessage) -> Words:
        return say("Touches have no effect now") if self.told else say("Asking the table…")


class LightsPage(ServicePage, frozen=True, kw_only=True):
    """The test of the lights. The knob selects a light, a press changes the colour, and PEEK
    changes how many lights are lit."""

    asked: Lit | None = None

    service_page: ClassVar[Page | None] = Page.LIGHTS
    heading = say("Lights")
    hint = say("Turn: the next light. Press: another colour. PEEK: one, in turn, or all.")

    def current_lights(self, service: InService) -> Lit:
        """Return the lights requested last, because the table's message may be older. During the
        pattern WALK, return the lights in the table's message."""
        if self.asked is None or self.asked.how is How.WALK:
            return service.lit
        return self.asked

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        if table.service is None:
            return ()
        lit, count = self.current_lights(table.service), len(table.service.string)
        return (
            Choice(say("Previous light"), _lights(_step(lit, -1, count))),
            Choice(say("Next light"), _lights(_step(lit, 1, count))),
            Choice(say("Colour"), _lights(replace(lit, colour=_after(lit.colour)))),
            Choice(say("One or all"), _lights(replace(lit, how=_after(lit.how)))),
        )

    def knob(self, given: Input, table: AnyTableMessage) -> Effect | None:
        choice = _KNOB_OF_LIGHTS.get(given)
        choices = self.choices(table)
        return choices[choice].does if choices and choice is not None else None

    def asking(self, request: Request) -> AnyScreen:
        lit = request.do.get("lit")
        if lit is None:
            return self
        return replace(self, asked=Lit(How(lit["how"]), lit["light"], Colour(lit["colour"])))


_KNOB_OF_LIGHTS: Final = {Input.LEFT: 0, Input.RIGHT: 1, Input.PRESS: 2, Input.PEEK: 3}
"""The index of the choice that each action of the knob or a button takes."""


Option = TypeVar("Option", bound=enum.Enum)


def _lights(lit: Lit) -> Ask:
    return Ask(in_service(Page.LIGHTS, lit=lit), stay=True)


def _step(lit: Lit, by: int, count: int) -> Lit:
    return replace(lit, how=How.ONE, light=(lit.light + by) % count)


def _after(one: Option) -> Option:
    """Return the next value of an enum; after the last value, the first."""
    every: list[Option] = [*type(one)]
    return every[(every.index(one) + 1) % len(every)]


class TouchPage(ServicePage, frozen=True, kw_only=True):
    service_page: ClassVar[Page | None] = Page.TOUCH
    heading = say("Touch")

    def help(self, table: AnyTableMessage) -> Words:
        pads = None if table.service is None else table.service.pads
        if pads is not None and pads.noisy:
            return say(
                "Noise: unplug chargers and dimmers nearby, take phones away, earth the supply."
            )
        return say("Counts / threshold of a touch, and the most since this page opened.")


class SoundPage(ServicePage, frozen=True, kw_only=True):
    service_page: ClassVar[Page | None] = Page.SOUND
    heading = say("Sound and speech")
    hint = say("Tests are heard in silent hours, too. The volume stays as it is.")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        sound = Ask(in_service(Page.SOUND, sound="sound"), stay=True)
        volume, silent = SOUND.lines[:2]
        return (
            Choice(say("Play a sound"), sound),
            *(
                Choice(
                    say("Speak: {language}", language=name),
                    Ask(in_service(Page.SOUND, sound="speech", lang=lang), stay=True),
                )
                for lang, name in LANGUAGES.items()
            ),
            house_line(table.house, volume),
            house_line(table.house, silent),
            Choice(say("Back"), Return()),
        )


class KnobsPage(ServicePage, frozen=True, kw_only=True):
    """The test of the knob and the buttons. It shows each action. BACK twice in a
    row leaves the page. Actions have no other effect here."""

    seen: tuple[Input, ...] = ()
    """All actions so far; the latest is last."""

    service_page: ClassVar[Page | None] = Page.KNOBS
    heading = say("Knob and buttons")
    hint = say("Press, turn, use BACK and PEEK. BACK twice in a row leaves.")

    @property
    def counted(self) -> Mapping[Input, int]:
        return Counter(self.seen)

    def knob(self, given: Input, table: AnyTableMessage) -> Effect | None:
        if given is Input.BACK and self.seen[-1:] == (Input.BACK,):
            return Return()
        return Become(replace(self, seen=(*self.seen, given)))


class ScreenPage(ServicePage, frozen=True, kw_only=True):
    picture: int = 0
    """Number of the picture, below `PICTURES`. Picture 0 is the frame with the choices."""
    brightness: int = 100
    """Percent: the brightness of the screen."""

    service_page: ClassVar[Page | None] = Page.SCREEN
    heading = say("This screen")
    hint = say("Turn: the next picture. Press: darker. Can you see the whole frame?")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        forward = Choice(say("Next picture"), self._turn(1))
        if self.picture:
            return (forward,)
        return (
            Choice(say("Darker"), self._set_brightness(self.brightness - DARKER)),
            Choice(say("Brighter"), self._set_brightness(self.brightness + DARKER)),
            forward,
        )

    def knob(self, given: Input, table: AnyTableMessage) -> Effect | None:
        match given:
            case Input.RIGHT:
                return self._turn(1)
            case Input.LEFT:
                return self._turn(-1)
            case Input.PRESS:
                darker = self.brightness - DARKER
                return self._set_brightness(darker if darker >= MIN_PERCENT else 100)
        return None

    def beside(self, table: AnyTableMessage) -> Words:
        return say("Brightness {percent} %", percent=self.brightness)

    def _turn(self, by: int) -> Effect:
        return Become(replace(self, picture=(self.picture + by) % PICTURES))

    def _set_brightness(self, brightness: int) -> Effect:
        return Become(replace(self, brightness=max(MIN_PERCENT, min(100, brightness))))


PICTURES: Final = 8
"""Number of pictures: a frame with a grid, six full colours, and shades of grey."""
DARKER: Final = 20
MIN_PERCENT: Final = 20
"""Percent: the minimum brightness. On a darker screen people could not see the buttons."""


class FaultsPage(ServicePage, frozen=True, kw_only=True):
    """The page that shows how often each fault occurred since the table was started, and what each
    fault means."""

    service_page: ClassVar[Page | None] = Page.FAULTS
    heading = say("Faults since the start")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        counts = {} if table.service is None else table.service.counts
        return tuple(
            Choice(line.label, value=str(counts.get(line.name, 0))) for line in FAULT_LINES
        )

    def beside(self, table: AnyTableMessage) -> Words:
        counts = {} if table.service is None else table.service.counts
        return say("{count} in all", count=sum(counts.values()))

    def help(self, table: AnyTableMessage) -> Words:
        return FAULT_LINES[min(self.selected, len(FAULT_LINES) - 1)].meaning

"""Service mode, as an immutable value: the staff tests the table's parts while no game is in play.

In service mode a touch has no meaning in a game, and the lights show the test. The mode starts at
the operator's page or at the desk. It ends when that page or desk is locked, or when the hidden
screen that started it disconnects. It also ends after some time without a touch or press. ``now``
is in seconds of the table's clock.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.devices.hal.contracts import Readings
from pi_table.devices.lights.service import Tried
from pi_table.protocols.ipc.service import TILES, Colour, How, Lit, Page
from pi_table.table.engine.outputs import Measure
from pi_table.table.engine.state.moves import Unable

SERVICE_SECONDS: Final = 300.0
"""Seconds after the last touch or press until service mode ends."""
STEP_SECONDS: Final = 0.5
"""Seconds that each light is lit when the lights are tested one by one. A round of the
tiles takes 52 seconds."""
MEASURED: Final = frozenset({Page.LIGHTS, Page.TOUCH, Page.FAULTS})
"""Pages of service mode that need readings of the touch grid. Only `Page.TOUCH` needs readings of
each pad."""
COLOURS: Final = {
    Colour.RED: 0xFF0000,
    Colour.GREEN: 0x00FF00,
    Colour.BLUE: 0x0000FF,
    Colour.WHITE: 0xFFFFFF,
}


class Service(msgspec.Struct, frozen=True):
    """Service mode at one moment."""

    used: float
    """Time of the last touch or press."""
    page: Page = Page.MENU
    lit: Lit = Lit()
    stepped: float = 0.0
    """Time at which the current light was lit."""
    readings: Readings | None = None
    """The last readings of the touch grid since ``page`` was opened; None before the first."""
    most: tuple[int | None, ...] = ()
    """The greatest load of each pad, in counts, since the page was opened."""
    string: tuple[tuple[int, ...], ...] = TILES
    """For each light, in the order of the string: the LEDs (0 … 103) that it shows."""

    @property
    def measures(self) -> Measure:
        """The readings of the touch grid that the page needs."""
        return Measure(self.page in MEASURED, pads=self.page is Page.TOUCH)

    @property
    def walks(self) -> bool:
        """True if the lights are tested one by one."""
        return self.page is Page.LIGHTS and self.lit.how is How.WALK

    @property
    def ends(self) -> float:
        return self.used + SERVICE_SECONDS

    @property
    def wakes(self) -> float:
        return min(self.ends, self.stepped + STEP_SECONDS) if self.walks else self.ends


def start_service(
    before: Service | None,
    page: Page,
    lit: Lit | None,
    now: float,
    string: tuple[tuple[int, ...], ...],
) -> Service:
    """Return service mode with this page open. If ``lit`` is None, the lights stay as they are.
    ``string`` has the LEDs that each light shows."""
    service = before or Service(now, string=string)
    if before is None or before.page is not page:
        service = replace(service, page=page, readings=None, most=())
    if lit is None:
        lit = service.lit
    return replace(service, used=now, lit=lit, stepped=now)


def advance_service(service: Service, now: float) -> Service | None:
    """Return service mode at ``now``; None if it is over."""
    if now >= service.ends:
        return None
    steps = int((now - service.stepped) / STEP_SECONDS + 1e-6) if service.walks else 0
    if steps <= 0:
        return service
    lit = replace(service.lit, light=(service.lit.light + steps) % len(service.string))
    return replace(service, lit=lit, stepped=service.stepped + steps * STEP_SECONDS)


def with_readings(service: Service, readings: Readings) -> Service:
    if not service.measures.on:
        return service  # late readings, for a page that is no longer open
    most = service.most or readings.deltas
    if len(most) == len(readings.deltas):
        most = tuple(map(_greater, most, readings.deltas))
    return replace(service, readings=readings, most=most)


def _greater(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)


def light_test(service: Service, touched: frozenset[int], deaf: frozenset[int]) -> Tried:
    """Return what the lights show: the lights under test, or the touched and deaf places."""
    match service.page, service.lit:
        case Page.LIGHTS, Lit(how=How.ALL, colour=colour):
            return Tried(frozenset().union(*service.string), COLOURS[colour])
        case Page.LIGHTS, Lit(light=light, colour=colour):
            return Tried(frozenset(service.string[light]), COLOURS[colour])
        case Page.TOUCH, _:
            return Tried(touched=touched, deaf=deaf)
    return Tried()


def check_lit(lit: Lit, light_count: int) -> None:
    """Raise InputError for a light that does not exist."""
    if not 0 <= lit.light < light_count:
        raise InputError(
            say(
                "There is no light {light}: they are 0 to {led_count}.",
                light=lit.light,
                led_count=light_count - 1,
            )
        )


def check_that_nobody_services(service: Service | None) -> None:
    """Raise Unable in service mode, because no game can begin then."""
    if service is not None:
        raise Unable(
            "in-service", say("The table is being serviced: leave the service mode first.")
        )

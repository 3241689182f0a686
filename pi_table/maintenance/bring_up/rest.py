"""Measures the untouched pads under each picture of `rest_pictures`.

A Nano sends the counts only some 15 ms after a frame of the lights, when its data have mostly left
them. So the measurement also uses the controller's own report of noise, which is about all values.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Final, NamedTuple

import msgspec

from pi_table.common.config import Config
from pi_table.common.errors import TableError
from pi_table.common.language import say
from pi_table.devices.hal import own_controller
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.hal.registry import LIGHTS, PARTS
from pi_table.devices.wire.messages import Raw
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.pi_controller_findings import NOT_HERE, OK, parts, show_unit
from pi_table.maintenance.bring_up.raw_touch import Quiet, Quiets, Reading, quiet
from pi_table.maintenance.bring_up.rest_pictures import (
    Noises,
    Picture,
    delay_of,
    frame_of,
    number_of,
    worst,
)

PICTURE_SECONDS: Final = 2.5
"""Seconds for which the noise is measured under each picture."""
SETTLING_SECONDS: Final = 0.4
"""Seconds after a change of the picture before the noise is measured."""
LIT_SHARE: Final = 0.5
"""Minimum share (0 … 1) of the readings in white or moving light in which a pad must be readable.
Strong noise makes the controller drop single readings of a chip."""
FORGETTING: Final = 8
"""Limit of such times: the controller forgets noise within 3.2 seconds."""


class Lamps(NamedTuple):
    """The lights during a measurement."""

    show: Callable[[LightFrame], None] | None
    """Shows a frame; None if the pads can be measured in the dark only."""
    why: str = ""
    """A sentence with the reason for that."""


class Rest(msgspec.Struct, frozen=True):
    """The measurement of the untouched pads. Pads are numbered from 0 to 30."""

    quiets: Mapping[Picture, Quiets]
    noisy: Mapping[Picture, frozenset[int]]
    """The pads that the controller reported as noisy."""
    raw: Raw
    """The last reading in the dark."""
    why: str = ""
    """A sentence that says why only the dark was measured; "" if all pictures were."""

    @property
    def dark(self) -> Quiets:
        return self.quiets[Picture.DARK]

    @property
    def worst(self) -> Quiets:
        """The pads' levels in the dark, each with the greatest noise under any picture. None for a
        pad that could not always be read."""
        return tuple(
            None
            if one is None or (noises := self.noises(pad)) is None
            else Quiet(one.level, worst(noises))
            for pad, one in enumerate(self.dark)
        )

    def noises(self, pad: int) -> Noises | None:
        """Return the noise of a pad under each picture; None if it could not always be read."""
        noises = {}
        for picture, quiets in self.quiets.items():
            if (one := quiets[pad]) is None:
                return None
            noises[picture] = one.noise
        return noises

    def summary(self) -> str:
        """Return a sentence with the greatest noise of any pad under each picture."""
        most = {
            picture.value: f"{max((one.noise for one in quiets if one is not None), default=0):.1f}"
            for picture, quiets in self.quiets.items()
        }
        if self.why:
            return say(
                "Noise at rest: at most {dark} counts in the dark. {why}",
                dark=most["dark"],
                why=self.why,
            )
        return say(
            "Noise at rest, at most: {dark} counts in the dark, {white} in white light, {moving} "
            "in moving light.",
            **most,
        )


@contextmanager
def open_lamps(config: Config, conversation: Conversation) -> Iterator[Lamps]:
    """Open the lights of the configuration for `measure`."""
    driver = config.lights.driver
    if driver == "controller":
        unit = show_unit() if own_controller.is_used(config) else {}
        if (trouble := parts(unit).get("lights", OK)) in (OK, NOT_HERE):
            yield Lamps(conversation.show)
        else:
            yield Lamps(None, _not_measured(trouble))
        return
    if driver == "simulated":
        yield Lamps(None, say("The lights are simulated, so nothing else was measured."))
        return
    with ExitStack() as stack:
        try:
            loop = stack.enter_context(closing(asyncio.new_event_loop()))
            lights = LIGHTS.opener(driver, PARTS)(config, loop)
            stack.enter_context(closing(lights))
        except TableError as error:
            lamps = Lamps(None, _not_measured(error))
        else:
            lamps = Lamps(lights.show)
        yield lamps


def _not_measured(error: object) -> str:
    return say("Nothing else was measured, as the lights do not work: {error}", error=error)


def measure(
    conversation: Conversation,
    lamps: Lamps,
    tell: Callable[[Picture], None] = lambda picture: None,
) -> Rest:
    """Measure the pads under each picture. ``tell`` is called before each. The lights are dark at
    the end. Raises DeviceError."""
    touch = conversation.settings().touch
    quiets, noisy, raw = {}, {}, None
    for picture in Picture if lamps.show is not None else (Picture.DARK,):
        tell(picture)
        show = _shower(conversation, lamps, picture)
        _settle(conversation, show, picture)
        raws, noisy[picture] = conversation.listen(PICTURE_SECONDS, show)
        readings = [Reading(0.0, one.filtered) for one in raws]
        least = 1.0 if picture is Picture.DARK else LIT_SHARE
        quiets[picture] = _at_least(quiet(readings, least), noisy[picture], touch)
        raw = raw or raws[-1]
    if lamps.show is not None:
        lamps.show(frame_of(Picture.DARK, 0.0))
        conversation.raw()  # the frame is sent with it
    assert raw is not None
    return Rest(quiets, noisy, raw, lamps.why)


def _shower(conversation: Conversation, lamps: Lamps, picture: Picture) -> Callable[[], None]:
    """Return a function that shows the present frame of a picture, which begins now."""
    begun, latest = conversation.now(), -1

    def show() -> None:
        nonlocal latest
        seconds = conversation.now() - begun
        # A still picture is sent once: some drivers send each frame that they are given.
        number = number_of(seconds) if picture is Picture.MOVING else 0
        if lamps.show is None or number == latest:
            return
        latest = number
        if picture is Picture.MOVING:
            conversation.pause(delay_of(number))
        lamps.show(frame_of(picture, seconds))

    return show


def _settle(conversation: Conversation, show: Callable[[], None], picture: Picture) -> None:
    """Wait until the change of the picture has passed. In the dark, also wait until the controller
    has forgotten noise of before: it might have been the lights'."""
    for _ in range(FORGETTING if picture is Picture.DARK else 1):
        _, noisy = conversation.listen(SETTLING_SECONDS, show)
        if not noisy:
            break


def _at_least(quiets: Quiets, noisy: frozenset[int], touch: Sequence[int]) -> Quiets:
    """Return the pads' noise. The controller sees more values than the readings contain: where it
    found noise, this is at least the touch threshold."""
    return tuple(
        Quiet(one.level, max(one.noise, touch[pad])) if one is not None and pad in noisy else one
        for pad, one in enumerate(quiets)
    )

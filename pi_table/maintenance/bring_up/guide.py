"""Guides a person over the pads, one pad at a time, and records each touch."""

from collections.abc import Mapping, Sequence
from typing import Final

from pi_table.common.geometry import PLACE_COUNT, SIDE, for_each_led
from pi_table.common.language import say
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.wire.settings import PAD_COUNT, PADS, Settings
from pi_table.maintenance.bring_up.calibration_report import Report
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.pad_quality import Judgement, Quality, judge, propose
from pi_table.maintenance.bring_up.raw_touch import Pace, Stage, Touch, watch
from pi_table.maintenance.bring_up.rest import Lamps, Rest, measure
from pi_table.maintenance.bring_up.rest_pictures import Picture, frame_of
from pi_table.maintenance.bring_up.terminal import Person

READABLE_SECONDS: Final = 2.0
"""Timeout in seconds for all touch chips to become readable after their restart."""

ASKED: Final = 0x897856
HELD: Final = 0xBCA578
FELT: Final = 0x00A563
DARK: Final = frame_of(Picture.DARK, 0.0)
LIGHT: Final = {Stage.REST: 0, Stage.TOUCH: ASKED, Stage.HOLD: HELD, Stage.LIFT: FELT}
TO_DO: Final = {
    Stage.REST: say("hands off."),
    Stage.TOUCH: say("hold a finger on {pad}."),
    Stage.HOLD: say("keep it on {pad}."),
    Stage.LIFT: say("lift it."),
}
RESTING: Final = {
    Picture.DARK: say("Hands off the table: it is measured at rest, in the dark."),
    Picture.WHITE: say("Hands off the table: it is measured at rest, in white light."),
    Picture.MOVING: say("Hands off the table: it is measured at rest, in moving light."),
}


class Guide:
    """Guides a person through one calibration, and logs each touch."""

    def __init__(
        self,
        conversation: Conversation,
        person: Person,
        report: Report,
        pace: Pace | None = None,
        lamps: Lamps | None = None,
    ) -> None:
        """``lamps`` are the lights of the table; None for those of the controller."""
        self._conversation = conversation
        self._lamps = lamps or Lamps(conversation.show)
        self._show = self._lamps.show or conversation.show
        self._person = person
        self._report = report
        self._pace = pace or Pace()
        self._readings = conversation.readings()

    def lead(self, pads: Sequence[int] = range(PAD_COUNT)) -> dict[int, Judgement]:
        """Guide the person over these pads (0 … 30). Return the latest judgement of each tried
        pad."""
        rest = self._rest()
        judgements: dict[int, Judgement] = {}
        for number, pad in enumerate(pads, start=1):
            how_far = f"{number}/{len(pads)}"
            while True:
                judgements[pad] = judgement = self._one(pad, rest, how_far)
                self._person.say(judgement.sentence())
                if judgement.quality is Quality.FINE:
                    break
                answer = self._person.choose(
                    say("Try it [a]gain, [s]kip it, or [e]nd here?"), "ase", "s"
                )
                if answer == "e":
                    return judgements
                if answer == "s":
                    break
                if judgement.quality is Quality.UNREADABLE:
                    rest = self._rest()
        return judgements

    def _rest(self) -> Rest:
        self._person.show_task(RESTING[Picture.DARK])
        self._show(DARK)  # the chips choose their charges in the dark
        next(self._readings)
        self._conversation.restart()
        begun = next(self._readings)
        for reading in self._readings:
            readable = None not in reading.counts
            if readable or reading.at - begun.at > READABLE_SECONDS:
                break
        begun_at = self._conversation.now()
        rest = measure(
            self._conversation,
            self._lamps,
            lambda picture: self._person.show_task(RESTING[picture]),
        )
        self._report.log_rest(rest, self._conversation.now() - begun_at)
        self._person.say(rest.summary())
        return rest

    def _one(self, pad: int, rest: Rest, how_far: str) -> Judgement:
        def tell(stage: Stage) -> None:
            self._show(lights(pad, LIGHT[stage]))
            self._person.show_task(
                say("{how_far}: {do}", how_far=how_far, do=say(TO_DO[stage].msgid, pad=PADS[pad]))
            )

        if (noises := rest.noises(pad)) is None:
            touch = Touch(rest.worst)
        else:
            touch = watch(self._readings, rest.dark, self._pace, tell)
        judgement = judge(pad, touch, noises)
        self._show(DARK)
        proposed = propose(judgement.delta) if judgement.quality is Quality.FINE else None
        self._report.log_touch(judgement, touch, proposed)
        return judgement


def lights(pad: int, colour: int) -> LightFrame:
    """Return a frame that lights this pad. A pad on the rim has no light, so the frame lights the
    cells along the pad."""
    if pad < PLACE_COUNT:
        lit = {pad}
    else:
        along = {"far": (0, 1), "left": (0, SIDE), "right": (SIDE - 1, SIDE), "near": (20, 1)}
        first, step = along[PADS[pad]]
        lit = {first + number * step for number in range(SIDE)}
    return for_each_led([colour if place in lit else 0 for place in range(PLACE_COUNT)])


def propose_settings(settings: Settings, judgements: Mapping[int, Judgement]) -> Settings:
    """Return a copy of the settings with new thresholds for the pads that were judged good."""
    touch, release, heavy = list(settings.touch), list(settings.release), list(settings.heavy)
    for pad, judgement in judgements.items():
        if judgement.quality is Quality.FINE:
            new = propose(judgement.delta)
            touch[pad], release[pad], heavy[pad] = new.touch, new.release, new.heavy
    return Settings(tuple(touch), tuple(release), tuple(heavy), settings.most_ma)

"""Findings about the loudspeaker and the speech program."""

import asyncio
import time
from collections.abc import Iterator
from typing import Final

from pi_table.common.config import Config, SoundSection
from pi_table.common.errors import TableError
from pi_table.common.house_settings import SpokenIn
from pi_table.common.language import LANGUAGES, join_texts, say
from pi_table.devices.hal import alsa_trouble
from pi_table.devices.hal.registry import PARTS, SOUND
from pi_table.devices.sound.speech import Speech, command_for
from pi_table.devices.sound.utterance import Line
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.holders import is_running

SECONDS: Final = 8.0
"""Timeout in seconds for the loudspeaker's driver to report whether it works."""


def sound(config: Config) -> Iterator[Finding]:
    """Yield the findings about the loudspeaker and the speech program."""
    yield loudspeaker(config)
    yield voice(config.sound, config.house.speech)


def loudspeaker(config: Config) -> Finding:
    """Check the loudspeaker by playing a short silence."""
    driver, device = config.sound.driver, config.sound.device
    if driver == "none":
        return Finding(
            "loudspeaker",
            Verdict.NOT_HERE,
            say("The configuration has none: [sound] driver is 'none'."),
        )
    try:
        trouble = asyncio.run(_try_loudspeaker(config))
    except TableError as error:
        trouble = str(error)
    except TimeoutError:
        trouble = say(
            "The driver {driver} does not report the state of its loudspeaker.", driver=repr(driver)
        )
    if trouble is None:
        return Finding(
            "loudspeaker",
            Verdict.OK,
            say("{device} plays with {driver}.", device=repr(device), driver=repr(driver)),
        )
    if trouble == alsa_trouble.busy(device):
        if is_running("run"):
            says = say("{device} is in use by pi-table itself.", device=repr(device))
            return Finding("loudspeaker", Verdict.OK, says)
        return Finding("loudspeaker", Verdict.LOOK, trouble)
    return Finding("loudspeaker", Verdict.BROKEN, trouble)


async def _try_loudspeaker(config: Config) -> str | None:
    """Return the loudspeaker's fault; None if it works. Raises TableError, or TimeoutError if the
    driver reports nothing."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[str | None] = loop.create_future()

    def first(trouble: str | None) -> None:
        if not told.done():
            told.set_result(trouble)

    sounder = SOUND.opener(config.sound.driver, PARTS)(config, loop)
    try:
        sounder.switch_on(first)
        return await asyncio.wait_for(told, SECONDS)
    finally:
        sounder.close()


def voice(sound: SoundSection, spoken: SpokenIn) -> Finding:
    """Check that the speech program can speak every language of the table."""
    if spoken == "off":
        return Finding("voice", Verdict.NOT_HERE, say("Speech is off: [house] speech is 'off'."))
    speech = Speech(sound.voice_command)
    seconds = {}
    try:
        for lang, name in LANGUAGES.items():
            began = time.monotonic()
            speech.speak(Line(name, lang))
            seconds[lang] = round(time.monotonic() - began, 3)
    except TableError as error:
        return Finding("voice", Verdict.BROKEN, str(error))
    slowest = max(seconds.values())
    program = command_for("en", sound.voice_command)[0]
    return Finding(
        "voice",
        Verdict.OK,
        say(
            "{program} speaks {values}; a word takes it {slowest} s.",
            program=repr(program),
            values=join_texts(" and ", LANGUAGES.values()),
            slowest=f"{slowest:.2f}",
        ),
        figures={"seconds": seconds},
    )

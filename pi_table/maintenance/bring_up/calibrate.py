"""`pi-table calibrate`: sets one table's touch thresholds, measured with fingers on its pads."""

import enum
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import Say, say, system_says
from pi_table.common.output_locale import readers_language
from pi_table.devices.hal import own_controller
from pi_table.devices.wire.settings import PADS, Settings
from pi_table.maintenance.bring_up.calibration_report import Report, thresholds_by_pad
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.guide import Guide, propose_settings
from pi_table.maintenance.bring_up.heatmap import HEIGHT, WIDTH, as_scene, as_text
from pi_table.maintenance.bring_up.pad_quality import Judgement, Quality, Thresholds
from pi_table.maintenance.bring_up.pi_controller_findings import Unit, show_unit, why_not_kept
from pi_table.maintenance.bring_up.rest import Lamps, open_lamps
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.terminal import UNCLEAR, AtTerminal, Person
from pi_table.maintenance.bring_up.wiring import wires_of
from pi_table.maintenance.bring_up.wiring_faults import under_fingers

STATUS_SECONDS: Final = 1.0
"""Seconds until the service has stored the settings, or has said why it cannot: it reports every
250 ms, and a card needs up to 100 ms for a write."""


class Outcome(enum.Enum):
    """The outcome of a calibration."""

    GOOD = "good"
    """All pads are good, and the controller uses their thresholds."""
    NOT_STORED = "not stored"
    """All pads are good, but the person did not want to store the new thresholds."""
    INCOMPLETE = "incomplete"
    """Not every pad was touched and good, or the controller cannot keep the thresholds."""


def run(config: Config, report: Path | None, picture: Path | None, yes: bool) -> int:
    """Calibrate the configured controller; return the exit status. Raises DeviceError."""
    port = config.controller.port
    lang = readers_language(config.console.language)
    person = AtTerminal(yes, lang=lang)
    with ExitStack() as stack:
        file = None if report is None else stack.enter_context(report.open("w", encoding="utf-8"))
        conversation = Conversation(stack.enter_context(open_line(port)), port)
        stack.callback(person.close)
        try:
            kept = Report(file)
            unit = show_unit if own_controller.is_used(config) else None
            lamps = stack.enter_context(open_lamps(config, conversation))
            outcome = calibrate(conversation, person, kept, picture, unit, lamps)
            for fault in under_fingers(kept.touches, wires_of(config)):
                person.say(fault.text(lang))
            return int(outcome is Outcome.INCOMPLETE)
        except KeyboardInterrupt:
            person.close()
            person.say(say("Stopped. Nothing was stored: the settings have not changed."))
            raise


def calibrate(
    conversation: Conversation,
    person: Person,
    report: Report,
    picture: Path | None,
    unit: Callable[[], Unit] | None = None,
    lamps: Lamps | None = None,
) -> Outcome:
    """Guide a person over the pads. Store the new thresholds if the person agrees.

    ``unit`` returns the properties of the controller's service; None if the controller is no
    service of this machine. ``lamps`` are as in `Guide`.
    """
    before = conversation.settings()
    report.log_start(conversation.hello, before, datetime.now(UTC).isoformat(timespec="seconds"))
    # A card weakens a touch, so the thresholds are measured with cards, as in play.
    person.choose(
        say(
            "Lay a card on each cell, take everything else off the table, hands too, and press "
            "Enter:"
        ),
        "g",
        "g",
    )
    judgements = Guide(conversation, person, report, lamps=lamps).lead()
    person.say(say("\nWhat a finger takes from the count of each pad (✖: not good enough):\n"))
    person.say(as_text(judgements))
    if picture is not None:
        _write_picture(judgements, picture, person)
    bad = [each for each in judgements.values() if each.quality is not Quality.FINE]
    after = propose_settings(before, judgements)
    stored = _store(conversation, person, before, after)
    report.log_end(after if stored else None)
    unkept = None if unit is None else _why_not_kept(conversation, unit)
    if unkept is not None:
        person.say(
            say(
                "The thresholds are in use now, but the controller cannot keep them: {why}. "
                "They are lost with its next restart: run doctor.",
                why=unkept,
            )
        )
    elif stored:
        person.say(say("Stored, read back, and in use now."))
    if bad:
        names = ", ".join(PADS[each.pad] for each in bad)
        person.say(
            say(
                "Not good enough, and left as before (the reasons are above): {names}.", names=names
            )
        )
    if bad or unkept or len(judgements) < len(PADS):
        return Outcome.INCOMPLETE
    return Outcome.GOOD if stored or after == before else Outcome.NOT_STORED


def _store(conversation: Conversation, person: Person, before: Settings, after: Settings) -> bool:
    if after == before:
        person.say(say("No threshold would change: nothing was stored."))
        return False
    was, becomes = thresholds_by_pad(before), thresholds_by_pad(after)
    # Outside `say`: Babel would extract the fields of an f-string in its arguments.
    heads = f"\n  {'':<10} {'touch':<10} {'release':<10} heavy"
    person.say(heads)
    for name, old in was.items():
        if becomes[name] != old:
            row = f"  {name:<10} {' '.join(_changes(old, becomes[name]))}"
            person.say(row.rstrip())
    if not _agrees(person):
        person.say(say("Nothing was stored: the settings have not changed."))
        return False
    conversation.store(after)
    if conversation.settings() != after:
        raise DeviceError(
            say(
                "The controller reports other settings than it was given. Calibrate again; if it "
                "does so again, its memory fails: use another one."
            )
        )
    return True


def _why_not_kept(conversation: Conversation, unit: Callable[[], Unit]) -> Say | None:
    conversation.pause(STATUS_SECONDS)
    return why_not_kept(unit())


def _agrees(person: Person) -> bool:
    """Ask whether to store the thresholds, until the answer is yes or no: Enter is neither, as it
    would lose all touches."""
    question = say("Store these in the controller? [n]o, [y]es:")
    while (answer := person.choose(question, f"{UNCLEAR}ny", "y")) == UNCLEAR:
        pass
    return answer == "y"


def _changes(old: Thresholds, new: Thresholds) -> Iterator[str]:
    pairs = ((old.touch, new.touch), (old.release, new.release), (old.heavy, new.heavy))
    for before, after in pairs:
        yield f"{before:>3} → {after:<4}"


def _write_picture(judgements: Mapping[int, Judgement], path: Path, person: Person) -> None:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from pi_table.screens.console.painter import png

    drawn = png(as_scene(judgements, say("What a finger takes from each pad")), (WIDTH, HEIGHT))
    try:
        path.write_bytes(drawn)
    except OSError as error:  # a failed picture must not lose the calibration
        person.say(
            say(
                "\nThe picture {path} cannot be written: {strerror}.",
                path=path,
                strerror=system_says(error),
            )
        )
    else:
        person.say(say("\nAs a picture: {path}", path=path))

"""`pi-table doctor --bring-up`: guides the maker from the first wire to the first game."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common import config
from pi_table.common.config import Config
from pi_table.common.errors import DeviceError, InputError
from pi_table.common.language import Say, did_you_mean, for_reader, join_texts, say, to_json
from pi_table.common.output_locale import readers_language
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.evening_steps import EVENING
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.steps import STEPS, Step
from pi_table.maintenance.bring_up.terminal import AtTerminal

Tell = Callable[[Step, Finding], None]
LEFT_STATUS: Final = 3
"""Exit status if the maker stopped the bring-up before its last step, to continue later."""


def run(given: Path | None, begin: str | None, listed: bool, json: bool, yes: bool) -> int:
    """Guide the maker through the steps from ``begin`` on. With ``listed``, only list the steps.

    Return 0 if all steps are done, 1 if a step failed, and 3 if the maker stopped to continue
    later. Raises InputError for an unknown step.
    """
    used = config.load(given)
    every = steps_of(used)
    if listed:
        for number, step in enumerate(every, start=1):
            print(_row(number, step, json))
        return 0
    steps = _from(begin, every)
    lang = readers_language(used.console.language)
    maker = AtTerminal(yes, aside=json, lang=lang)
    bench = Bench(used, maker)

    def tell(step: Step, finding: Finding) -> None:
        if json:
            line = {"step": step.id, **msgspec.json.decode(finding.json())}
            print(msgspec.json.encode(line).decode(), flush=True)
        else:
            maker.say(finding.text(lang))

    try:
        return walk(bench, steps, tell, given)
    except KeyboardInterrupt:
        maker.close()
        maker.say(say("Stopped. Nothing is lost: what was done stays done."))
        raise
    finally:
        maker.close()
        bench.let_go()


def steps_of(used: Config) -> Sequence[Step]:
    """Return all steps for the kind of table that the configuration names (`build`)."""
    return EVENING if used.table.build == "evening" else STEPS


def walk(bench: Bench, steps: Sequence[Step], tell: Tell, given: Path | None = None) -> int:
    """Run these steps one after another, and ``tell`` each finding. Return the exit status.

    ``given`` is the file with the configuration, as the maker has named it.
    """
    maker = bench.maker
    failed = False
    every = steps_of(bench.config)
    for step in steps:
        title = _title(every.index(step) + 1, len(every), step)
        if not step.is_for(bench):
            maker.say(title)
            _check(bench, step, tell)
            continue
        maker.say(join_texts("\n\n", (title, step.do)))
        if step.is_off:
            maker.say(_how_to_switch_off(bench.config, step, given))
        maker.say(say("Result: {see}\n", see=step.see))
        answer = maker.choose(say("Press Enter when that is done; [s]kip, [l]eave:"), "gsl", "g")
        while answer in "ga" and not _check(bench, step, tell):
            answer = maker.choose(say("Try it [a]gain, [s]kip it, or [l]eave?"), "asl", "l")
            failed = failed or answer != "a"
        if answer == "l":
            maker.say(say("Go on with: pi-table doctor --bring-up --from {id}", id=step.id))
            return 1 if failed else LEFT_STATUS
    maker.say(
        say("\nThat was the last step: the table is ready.")
        if not failed
        else say("\nThat is all.")
    )
    return int(failed)


def _how_to_switch_off(used: Config, step: Step, given: Path | None) -> Say:
    """Return how to power off in a step, and how to go on with this step after power on."""
    services = ["pi-table-engine", *(["pi-table-console"] if used.console.screen != "none" else [])]
    named = [] if given is None else ["--config", str(given.absolute())]
    again = ["sudo", "pi-table", "doctor", "--bring-up", *named, "--from", step.id]
    return say(
        "Power off: leave with l, type the first line, and pull the plugs, the Raspberry Pi's "
        "first. After power on type the others:\n{off}\n{stop}\n{again}",
        off="  sudo poweroff",
        stop=f"  sudo systemctl stop {' '.join(services)}",
        again=f"  {shlex.join(again)}",
    )


def _title(number: int, count: int, step: Step) -> str:
    return say(
        "\nStep {number} of {len}: {title} ({id})",
        number=number,
        len=count,
        title=step.title,
        id=step.id,
    )


def _check(bench: Bench, step: Step, tell: Tell) -> bool:
    """Check a step, and report its findings with ``tell``. Return False if a finding is broken.

    Afterwards the controller's port is closed. So the maker can unplug or flash the controller
    while the next question waits.
    """
    passed = True
    try:
        for finding in step.check(bench):
            tell(step, finding)
            passed = passed and finding.verdict is not Verdict.BROKEN
    except DeviceError as error:
        tell(step, Finding(step.id, Verdict.BROKEN, str(error)))
        return False
    finally:
        bench.let_go()
    return passed


def _from(begin: str | None, every: Sequence[Step]) -> Sequence[Step]:
    if begin is None:
        return every
    names = [step.id for step in every]
    if begin not in names:
        raise InputError(
            say(
                "There is no step {begin}; {did_you_mean}",
                begin=repr(begin),
                did_you_mean=did_you_mean(begin, names),
            )
        )
    return every[names.index(begin) :]


def _row(number: int, step: Step, json: bool) -> str:
    if json:
        said = {"step": step.id, "title": step.title, "do": step.do, "see": step.see}
        return to_json(said).decode()
    return f"{number:>2}  {step.id:<12} {for_reader(step.title)}"

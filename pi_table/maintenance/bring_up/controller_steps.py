"""Bring-up steps that use the controller: the controller, touch chips, electrodes, and fingers."""

from collections.abc import Iterator
from typing import Final

from pi_table.common.geometry import LED_COUNT
from pi_table.common.language import say
from pi_table.devices.hal import own_controller
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.calibrate import Outcome, calibrate
from pi_table.maintenance.bring_up.calibration_report import Report
from pi_table.maintenance.bring_up.controller_findings import (
    SETTLING_SECONDS,
    chips,
    missing,
    start,
    versions,
)
from pi_table.maintenance.bring_up.electrode_findings import electrodes
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.guide import RESTING
from pi_table.maintenance.bring_up.pi_controller_findings import OK, bus, interrupt, parts
from pi_table.maintenance.bring_up.rest import measure, open_lamps
from pi_table.maintenance.bring_up.serial_line import open_line
from pi_table.maintenance.bring_up.wiring import wires_of
from pi_table.maintenance.bring_up.wiring_faults import at_rest, of_chips, under_fingers

PORT_SECONDS: Final = 10.0
"""Timeout in seconds for the port to appear after the controller is plugged in."""
LOOK_SECONDS: Final = 0.25


def no_controller(bench: Bench, what: str) -> Finding | None:
    """Return a finding if the configuration has no controller, else None."""
    if bench.has_controller:
        return None
    return Finding(
        what,
        Verdict.NOT_HERE,
        say(
            "The configuration has touch by {driver}: no controller is asked.",
            driver=repr(bench.config.touch.driver),
        ),
    )


def port(bench: Bench) -> Iterator[Finding]:
    """Check that the controller's port exists, and that this user may open the port."""
    path = bench.config.controller.port
    for _ in range(round(PORT_SECONDS / LOOK_SECONDS)):
        if missing(path, True) is None:
            break
        bench.maker.show_task(say("Waiting for {path} …", path=path))
        bench.wait(LOOK_SECONDS)
    if found := missing(path, True):
        yield found
        return
    bench.let_go()
    with open_line(path):
        yield Finding(
            "port", Verdict.OK, say("{path} is there, and this user may use it.", path=path)
        )


def controller(bench: Bench) -> Iterator[Finding]:
    """Check that the controller's service runs and answers."""
    if none := no_controller(bench, "controller"):
        yield none
        return
    for finding in port(bench):
        yield finding
        if finding.verdict is not Verdict.OK:
            return
    yield from firmware(bench)


def firmware(bench: Bench) -> Iterator[Finding]:
    """Check that pi-table's firmware answers, and check its version and its number of lights."""
    hello = bench.controller().hello
    on_pi = own_controller.is_used(bench.config)
    yield versions(hello, on_pi)
    yield start(hello, on_pi)
    if hello.lights != LED_COUNT:
        yield Finding(
            "lights",
            Verdict.BROKEN,
            say(
                "The firmware drives {lights} lights; this table has {led_count}.",
                lights=hello.lights,
                led_count=LED_COUNT,
            ),
            say("Install the packages pi-table and pi-table-libs again.")
            if on_pi
            else say("`pi-table flash` writes the firmware of this pi-table."),
        )


def touch_chips(bench: Bench) -> Iterator[Finding]:
    """Check that each touch chip answers at its address. At a bus of this machine, check the bus
    with its speed before, and the interrupt wire's pin after that."""
    if none := no_controller(bench, "chips"):
        yield none
        return
    if own_controller.is_used(bench.config):
        of_bus = bus(bench.config.controller.i2c, parts(bench.unit()).get("bus", OK), bench.root)
        yield of_bus
        if of_bus.verdict is Verdict.BROKEN:
            return
    conversation = bench.controller()
    conversation.pause(SETTLING_SECONDS)
    state = conversation.state_after_restarts()
    faults = [*of_chips(state, wires_of(bench.config))]
    yield from faults
    if not faults:
        yield chips(state, wires_of(bench.config))
    yield from interrupt_wire(bench)


def interrupt_wire(bench: Bench) -> Iterator[Finding]:
    """Check the interrupt wire. The service notices a missing wire only at a touch."""
    if own_controller.is_used(bench.config):
        yield interrupt(bench.config.controller.irq, parts(bench.unit()).get("interrupt"))


def pads(bench: Bench) -> Iterator[Finding]:
    """Check that the counts of every electrode are in range and have little noise."""
    if none := no_controller(bench, "electrodes"):
        yield none
        return
    conversation = bench.controller()
    conversation.restart()
    conversation.raw()
    conversation.pause(SETTLING_SECONDS)
    with open_lamps(bench.config, conversation) as lamps:
        rest = measure(conversation, lamps, lambda picture: bench.maker.show_task(RESTING[picture]))
    state = conversation.state_after_restarts()
    faults = [
        *of_chips(state, wires_of(bench.config)),
        *at_rest(rest.raw.filtered, state.chips, wires_of(bench.config)),
    ]
    yield from faults
    if not faults:
        yield electrodes(rest, conversation.settings())


def fingers(bench: Bench) -> Iterator[Finding]:
    """Check every pad with a finger. Store the new thresholds if the maker agrees."""
    if none := no_controller(bench, "calibration"):
        yield none
        return
    report = Report(None)
    unit = bench.unit if own_controller.is_used(bench.config) else None
    conversation = bench.controller()
    with open_lamps(bench.config, conversation) as lamps:
        outcome = calibrate(conversation, bench.maker, report, None, unit, lamps)
    faults = [*under_fingers(report.touches, wires_of(bench.config))]
    yield from faults
    if outcome is Outcome.NOT_STORED:
        yield Finding(
            "calibration",
            Verdict.BROKEN,
            say("All pads feel a finger, but nothing was stored."),
            say("Calibrate again, and answer y when you are asked whether to store."),
        )
    elif outcome is Outcome.GOOD:
        yield Finding(
            "calibration",
            Verdict.OK,
            say("All {len} pads feel a finger well.", len=len(report.touches)),
        )
    elif not faults:
        yield Finding(
            "calibration",
            Verdict.BROKEN,
            say("The calibration is not complete; the reasons are above."),
            say("Correct those, and calibrate again."),
        )

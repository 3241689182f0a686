"""The doctor's findings about a controller that is a service of this machine: the service, the
touch chips' bus, and their interrupt wire.

The service itself says what does not work (`firmware/linux/status.h`); systemd keeps its latest
message.
``root`` is the root of the file system: `/`, or another folder in tests.
"""

import errno
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from pi_table.common import failure_report
from pi_table.common.config import Config
from pi_table.common.language import Say, join_texts, say
from pi_table.devices.hal.own_controller import MEMORY, SERVICE
from pi_table.devices.hal.pi_board import FAST_BUS_LINE
from pi_table.maintenance.bring_up.board_findings import device_fault
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.mounts import mount_of, mounts

Unit = Mapping[str, str]
"""Properties of the service's unit, as `systemctl show` prints them."""
UNIT: Final = f"{SERVICE}.service"
PROPERTIES: Final = ("LoadState", "ActiveState", "Result", "StatusText", "ExecCondition")
CONDITION_ENDED: Final = re.compile(r" ; code=exited ; status=(\d+)")
"""Pattern of the exit status of the unit's condition, in the property ExecCondition."""
NOT_NAMED: Final = 1
"""Exit status of the unit's condition (`grep`) if table.toml does not name the service's port."""
SYSTEMCTL_SECONDS: Final = 10.0
FAST_HZ: Final = 400_000
"""Speed of the I²C bus in Hz, as designed. The touch chips support no higher speed."""
SPEED: Final = "sys/class/i2c-adapter/{bus}/of_node/clock-frequency"
OK: Final = "ok"
NOT_HERE: Final = "not here"
NOT_WIRED: Final = "not wired"
NO_SIGNAL: Final = "no signal"
TIMED_OUT: Final = os.strerror(errno.ETIMEDOUT)


def pi_controller(config: Config, unit: Unit, root: Path = Path("/")) -> Iterator[Finding]:
    """Yield the findings about the service. ``unit`` has the properties of its unit."""
    states = parts(unit)
    yield service(config, unit, states, root)
    yield bus(config.controller.i2c, states.get("bus", OK), root)
    yield interrupt(config.controller.irq, states.get("interrupt"))


def show_unit() -> Unit:
    """Ask systemd for the properties of the service's unit; empty if there is no systemd."""
    command = ["systemctl", "show", UNIT, f"--property={','.join(PROPERTIES)}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SYSTEMCTL_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return {}
    pairs = (line.partition("=") for line in done.stdout.splitlines())
    return {key: value for key, _, value in pairs}


def parts(unit: Unit) -> dict[str, str]:
    """Return the state of each part, as the service reports it; empty if the service does not
    run."""
    if unit.get("ActiveState") != "active":
        return {}
    told = (each.partition(": ") for each in unit.get("StatusText", "").split("; "))
    return {part: state for part, _, state in told if state}


def why_not_kept(unit: Unit) -> Say | None:
    """Return the reason why the service cannot keep its settings; None if it can, or does not
    say."""
    kept = parts(unit).get("settings", OK)
    return None if kept == OK else Say(kept)


def service(config: Config, unit: Unit, states: Mapping[str, str], root: Path) -> Finding:
    """Check that the service runs, and that it can use its lights and the file of its settings."""
    state = unit.get("ActiveState", "")
    finding = partial(Finding, "service", figures={"state": state, "parts": dict(states)})
    if not state:
        return finding(
            Verdict.LOOK,
            say("systemd does not say whether {service} runs.", service=SERVICE),
            say("Is this the table's machine?"),
        )
    if unit.get("LoadState") == "not-found":
        return finding(
            Verdict.BROKEN,
            say("The service {service} is not installed.", service=SERVICE),
            say("Install the packages pi-table and pi-table-libs again."),
        )
    if state != "active":
        return _stopped(config, state, unit, finding)
    says, do = [say("{service} runs.", service=SERVICE)], []
    if (lights := states.get("lights", OK)) not in (OK, NOT_HERE):
        says.append(say("It cannot light the table: {why}.", why=Say(lights)))
        do.append(say("See the lines config.txt and light device."))
    kept = states.get("settings", OK)
    mount = mount_of(str(Path(MEMORY).parent), mounts(root))
    read_only = mount is not None and mount.is_read_only
    if kept != OK or read_only:
        why = Say(os.strerror(errno.EROFS) if read_only else kept)
        says.append(say("It cannot keep its settings in {file}: {why}.", file=MEMORY, why=why))
        do.append(
            say(
                "The table plays on, but after a restart it has the default touch thresholds. The "
                "kernel makes a damaged card read-only ('sudo dmesg' says so): replace it."
            )
        )
    verdict = Verdict.BROKEN if do else Verdict.OK
    return finding(verdict, join_texts(" ", says), join_texts(" ", do))


def _stopped(config: Config, state: str, unit: Unit, finding: "partial[Finding]") -> Finding:
    """Return the finding about a service that does not run."""
    start = say("Start it: sudo systemctl restart {service}.", service=SERVICE)
    if unit.get("Result") == "exec-condition":
        return _skipped(unit, start, finding)
    if state == "activating":
        return finding(
            Verdict.LOOK,
            say("{service} is starting.", service=SERVICE),
            say("Look again in some seconds."),
        )
    why = failure_report.read(config.paths.engine_fault.with_name(failure_report.UNITS[UNIT]))
    if why is not None:
        says = say("{service} has stopped: {why}", service=SERVICE, why=why)
        again = say("Then: sudo systemctl reset-failed {service}.", service=SERVICE)
        return finding(Verdict.BROKEN, says, join_texts(" ", (again, start)))
    says = say("{service} does not run.", service=SERVICE)
    more = say("If it stops again: journalctl -u {service}.", service=SERVICE)
    return finding(Verdict.BROKEN, says, join_texts(" ", (start, more)))


def _skipped(unit: Unit, start: str, finding: "partial[Finding]") -> Finding:
    """Return the finding about a service that systemd did not start because of its condition.

    systemd skips a service for any exit status of its condition from 1 to 254. Only status 1 is the
    condition's own answer. Another status says that the condition could not be checked: grep could
    not read the file, or systemd could not prepare the process (systemd.exec(5) lists these).
    systemd forgets the status when it reads its units again.
    """
    ended = CONDITION_ENDED.search(unit.get("ExecCondition", ""))
    if ended is None:
        return finding(
            Verdict.BROKEN,
            say("{service} was skipped, and systemd no longer knows why.", service=SERVICE),
            join_texts(" ", (start, say("If it does not start, run doctor again."))),
        )
    if (status := int(ended[1])) == NOT_NAMED:
        return finding(
            Verdict.BROKEN,
            say(
                "{service} was skipped: /etc/pi-table/table.toml did not name its port then.",
                service=SERVICE,
            ),
            start,
        )
    more = say("If that fails again: journalctl -u {service}.", service=SERVICE)
    return finding(
        Verdict.BROKEN,
        say(
            "{service} failed to start: systemd could not check whether this table needs it "
            "(status {status}).",
            service=SERVICE,
            status=status,
        ),
        join_texts(" ", (start, more)),
    )


def bus(path: str, state: str, root: Path = Path("/")) -> Finding:
    """Check the I²C bus: its device, lines and speed. ``state`` is the bus's state from `parts`."""
    finding = partial(Finding, "bus")
    if not (root / path.removeprefix("/")).exists():
        return finding(
            Verdict.BROKEN,
            say("There is no {path}, so no touch can be felt.", path=path),
            say(
                "Write {line} into config.txt and restart the machine. If the line is there: sudo "
                "modprobe i2c-dev.",
                line=FAST_BUS_LINE,
            ),
        )
    if (fault := device_fault(root, path)) is not None:
        return finding(Verdict.BROKEN, fault)
    if state == TIMED_OUT:
        return finding(
            Verdict.BROKEN,
            say("A line of the bus is held low: each transfer on {path} times out.", path=path),
            say(
                "Switch the table off and on. If that does not help, unplug the touch chips from "
                "the bus one after the other: without the faulty one, the others answer. Then "
                "look for a wire of SDA (pin 3) or SCL (pin 5) that touches ground."
            ),
        )
    if state != OK:
        return finding(
            Verdict.BROKEN,
            say("{path} cannot be used: {why}.", path=path, why=Say(state)),
            say("Is another program using pins 3 and 5? Otherwise restart the machine."),
        )
    hz = speed(path, root)
    finding = partial(Finding, "bus", figures={} if hz is None else {"hz": hz})
    if hz is None:
        return finding(
            Verdict.OK, say("{path} is there. The kernel does not say how fast it is.", path=path)
        )
    runs = say("{path} runs at {khz} kHz.", path=path, khz=hz // 1000)
    if hz < FAST_HZ:
        return finding(
            Verdict.LOOK,
            join_texts(" ", (runs, say("That is slow: the lights answer a finger later."))),
            say(
                "Write {line} into config.txt instead of its line dtparam=i2c_arm, and restart the "
                "machine.",
                line=FAST_BUS_LINE,
            ),
        )
    return finding(Verdict.OK, runs)


def speed(path: str, root: Path = Path("/")) -> int | None:
    """Return the speed of the bus in Hz, as the device tree has it; None if unknown."""
    try:
        read = (root / SPEED.format(bus=Path(path).name)).read_bytes()
    except OSError:
        return None
    return int.from_bytes(read, "big") if len(read) == 4 else None


def interrupt(pin: str, state: str | None) -> Finding:
    """Return the finding about the touch chips' interrupt wire. ``state`` is the wire's state from
    `parts`; None if the service does not run."""
    finding = partial(Finding, "interrupt")
    later = say("The touch chips are asked every 10 ms instead, so the table plays.")
    if not pin:
        says = say("The configuration names no wire: [controller] irq is ''.")
        return finding(Verdict.NOT_HERE, join_texts(" ", (says, later)))
    if state is None:
        says = say("{pin}: not known while the service does not run.", pin=pin)
        return finding(Verdict.LOOK, says)
    if state == NO_SIGNAL:
        return finding(
            Verdict.LOOK,
            join_texts(
                " ",
                (say("{pin} did not change when a touch was felt: no wire.", pin=pin), later),
            ),
            say(
                "Join INT of all touch chips to {pin}, or write irq = '' in [controller].", pin=pin
            ),
        )
    if state == NOT_WIRED:
        return finding(
            Verdict.LOOK,
            say("The service was started without {pin}.", pin=pin),
            say("Start it again: sudo systemctl restart {service}.", service=SERVICE),
        )
    if state != OK:
        return finding(
            Verdict.LOOK,
            join_texts(" ", (say("{pin} cannot be used: {why}.", pin=pin, why=Say(state)), later)),
            say("Does another part use this pin? See the line pins."),
        )
    return finding(Verdict.OK, say("{pin} can be used.", pin=pin))
